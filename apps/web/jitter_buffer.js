// SPDX-License-Identifier: Apache-2.0
import { TAPS } from './resampler.js';

const CAPACITY = 2 ** 19; // frames: 10.9 s
const MASK = CAPACITY - 1;
const GUARD = 4 * TAPS;
const FADE = 240; // frames on each side of a join: 5 ms

/// What came and was not heard yet, on the station's clock. Pieces that do not continue each other are joined
/// by a short fade out and in. What comes twice is kept once.
///
/// After a server was killed the station may come back a little before the end of what is here. Such frames
/// are held: if the stream gets past the end in time they are not needed, and if not they are played again.
export class JitterBuffer {
  constructor() {
    this.left = new Float32Array(CAPACITY);
    this.right = new Float32Array(CAPACITY);
    this.clear();
  }

  clear() {
    this.written = GUARD; // positions: frames since the beginning; the ring has the last CAPACITY of them
    this.position = GUARD; // of the next frame to be heard; has a fraction
    this.pieces = []; // { at, time }: from position `at` on the clock goes on from `time`
    this.held = [];
    this.left.fill(0);
    this.right.fill(0);
  }

  /// Frames that can be read.
  get depth() {
    return Math.max(0, this.written - Math.ceil(this.position) - TAPS / 2);
  }

  /// The station's clock at the next frame to be heard; null where nothing ever came.
  get heardTime() {
    const piece = this.pieces[0];
    return piece ? piece.time + (this.position - piece.at) : null;
  }

  get endTime() {
    const piece = this.pieces.at(-1);
    return piece.time + (this.written - piece.at);
  }

  push(chunk) {
    if (this.pieces.length === 0) return this.append(chunk, 0, true);
    const behind = this.endTime - chunk.time;
    if (behind <= 0 || behind > CAPACITY) { // goes on, leaves some out, or is another clock
      this.held = [];
      return this.append(chunk, 0, behind !== 0 || chunk.isJoin);
    }
    if (behind >= chunk.left.length) return this.held.push(chunk);
    const isJoin = chunk.isJoin || this.held.some((earlier) => earlier.isJoin);
    this.held = [];
    this.append(chunk, behind, isJoin);
  }

  /// Gives up waiting for the stream to get past the end: what was held is played.
  takeHeld() {
    const held = this.held;
    this.held = [];
    held.forEach((chunk, n) => this.append(chunk, 0, n === 0 || chunk.isJoin));
  }

  append(chunk, from, isJoin) {
    const frames = chunk.left.length - from;
    if (isJoin) this.pieces.push({ at: this.written, time: chunk.time + from });
    for (let n = 0; n < frames; ++n) {
      const place = (this.written + n) & MASK;
      this.left[place] = chunk.left[from + n];
      this.right[place] = chunk.right[from + n];
    }
    this.written += frames;
    if (this.written - this.position > CAPACITY - GUARD) this.skipTo(CAPACITY / 4);
  }

  /// Leaves out what is older than the newest `frames`.
  skipTo(frames) {
    this.position = Math.max(this.position, this.written - frames);
    this.forget();
  }

  /// The frame at the position, by the weights of a Resampler, into out[0] and out[1].
  read(weights, out) {
    const first = Math.floor(this.position) - (TAPS / 2 - 1);
    let left = 0;
    let right = 0;
    for (let tap = 0; tap < TAPS; ++tap) {
      const place = (first + tap) & MASK;
      left += weights[tap] * this.left[place];
      right += weights[tap] * this.right[place];
    }
    const gain = this.joinGain();
    out[0] = gain * left;
    out[1] = gain * right;
  }

  advance(step) {
    this.position += step;
    if (this.pieces.length > 1 && this.position >= this.pieces[1].at) this.forget();
  }

  /// 1, but towards 0 where a join is near.
  joinGain() {
    const begins = this.pieces[0]?.at ?? 0;
    const ends = this.pieces[1]?.at ?? Infinity;
    return Math.min(1, (this.position - begins) / FADE, (ends - this.position) / FADE);
  }

  forget() {
    while (this.pieces.length > 1 && this.pieces[1].at <= this.position) this.pieces.shift();
  }
}
