// SPDX-License-Identifier: Apache-2.0
import { SAMPLE_RATE } from './frame.js';

const SETTLE_MS = 1500; // what a server sends at once in the beginning says nothing about the way

/// How evenly frames come: the jitter of RFC 3550, 6.4.1.
export class Arrival {
  constructor() {
    this.begin();
  }

  begin() {
    this.jitterMs = 0;
    this.beganMs = null;
    this.last = null;
  }

  note(time, nowMs) {
    this.beganMs ??= nowMs;
    if (this.last && nowMs - this.beganMs > SETTLE_MS) {
      const late = nowMs - this.last.nowMs - (1000 * (time - this.last.time)) / SAMPLE_RATE;
      this.jitterMs += (Math.abs(late) - this.jitterMs) / 16;
    }
    this.last = { time, nowMs };
  }
}
