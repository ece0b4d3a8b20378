// SPDX-License-Identifier: Apache-2.0
import { SAMPLE_RATE } from './frame.js';
import { wavFile } from './wav.js';

const MOST_SECONDS = 600; // 115 MB
const BLOCK_FRAMES = SAMPLE_RATE;

/// Keeps the last ten minutes that came, in blocks of a second.
export class Recorder {
  constructor() {
    this.clear();
  }

  clear() {
    this.blocks = [];
    this.filled = BLOCK_FRAMES; // of the last block
    this.endTime = null;
  }

  get seconds() {
    return Math.max(0, (this.blocks.length - 1) * BLOCK_FRAMES + this.filled) / SAMPLE_RATE * (this.blocks.length > 0);
  }

  /// What is here already comes again after a connection was lost, and is not kept twice.
  push({ time, isJoin, left, right }) {
    const behind = this.endTime === null || isJoin ? 0 : this.endTime - time;
    const from = behind > 0 && behind < MOST_SECONDS * SAMPLE_RATE ? behind : 0;
    for (let n = from; n < left.length; ++n) this.write(left[n], right[n]);
    if (from < left.length) this.endTime = time + left.length;
  }

  write(left, right) {
    if (this.filled === BLOCK_FRAMES) {
      this.blocks.push(new Int16Array(2 * BLOCK_FRAMES));
      if (this.blocks.length > MOST_SECONDS + 1) this.blocks.shift();
      this.filled = 0;
    }
    const block = this.blocks.at(-1);
    block[2 * this.filled] = toInt16(left);
    block[2 * this.filled + 1] = toInt16(right);
    ++this.filled;
  }

  /// The last seconds, or what there is of them.
  file(seconds) {
    const frames = Math.round(Math.min(seconds, this.seconds) * SAMPLE_RATE);
    const parts = [];
    let missing = frames;
    for (let n = this.blocks.length - 1; n >= 0 && missing > 0; --n) {
      const here = n === this.blocks.length - 1 ? this.filled : BLOCK_FRAMES;
      const taken = Math.min(here, missing);
      parts.unshift(this.blocks[n].subarray(2 * (here - taken), 2 * here));
      missing -= taken;
    }
    return wavFile(parts, frames);
  }
}

const toInt16 = (sample) => Math.max(-32768, Math.min(32767, Math.round(sample * 32768)));
