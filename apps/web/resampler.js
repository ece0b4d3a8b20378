// SPDX-License-Identifier: Apache-2.0

export const TAPS = 32;
const PHASES = 256;

/// Reads a ring of samples between its samples: a windowed sinc, its rows interpolated in a straight line.
/// At a whole position it gives the very sample.
export class Resampler {
  /// `step`: input frames for each output frame; from 1 on what would alias is filtered out.
  constructor(step) {
    const cutoff = step > 1.01 ? 0.95 / step : 1;
    this.rows = new Float32Array((PHASES + 1) * TAPS);
    for (let phase = 0; phase <= PHASES; ++phase) {
      let sum = 0;
      for (let tap = 0; tap < TAPS; ++tap) {
        const x = tap - (TAPS / 2 - 1) - phase / PHASES;
        sum += this.rows[phase * TAPS + tap] = cutoff * sinc(cutoff * x) * window(x);
      }
      for (let tap = 0; tap < TAPS; ++tap) this.rows[phase * TAPS + tap] /= sum; // a constant stays what it is
    }
  }

  /// The weights of the TAPS samples that begin TAPS / 2 - 1 before `position`.
  weights(position, weights) {
    const phase = (position - Math.floor(position)) * PHASES;
    const row = Math.floor(phase) * TAPS;
    const share = phase - Math.floor(phase);
    for (let tap = 0; tap < TAPS; ++tap) {
      const here = this.rows[row + tap];
      weights[tap] = here + share * (this.rows[row + TAPS + tap] - here);
    }
  }
}

const sinc = (x) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/// Blackman's, over the TAPS around 0.
function window(x) {
  const angle = (2 * Math.PI * x) / TAPS;
  return Math.abs(x) >= TAPS / 2 ? 0 : 0.42 + 0.5 * Math.cos(angle) + 0.08 * Math.cos(2 * angle);
}
