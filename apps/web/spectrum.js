// SPDX-License-Identifier: Apache-2.0

const LOW_HZ = 40;
const HIGH_HZ = 16000;
const FLOOR_DB = -95;
const TOP_DB = -25;
const STEP_PX = 6;

/// The spectrum as a hill at the foot of the picture, by octaves.
export class Spectrum {
  draw(paint, { width, top, bottom, analyser, colours }) {
    this.bins ??= new Float32Array(analyser.frequencyBinCount);
    analyser.getFloatFrequencyData(this.bins);
    const points = Math.ceil(width / STEP_PX) + 1;
    const hertz = (point) => LOW_HZ * (HIGH_HZ / LOW_HZ) ** (point / (points - 1));
    const hill = new Path2D();
    let last = bottom;
    hill.moveTo(0, bottom);
    for (let point = 0; point < points; ++point) {
      const y = bottom - this.level(hertz(point - 0.5), hertz(point + 0.5), analyser) * (bottom - top);
      const x = point * STEP_PX;
      if (point === 0) hill.lineTo(0, y);
      else hill.quadraticCurveTo(x - STEP_PX, last, x - STEP_PX / 2, (last + y) / 2);
      last = y;
    }
    hill.lineTo(width, last);
    hill.lineTo(width, bottom);
    paint.fillStyle = this.fill(paint, width, colours);
    const before = paint.globalAlpha;
    paint.globalAlpha = before * 0.32;
    paint.fill(hill);
    paint.globalAlpha = before;
  }

  fill(paint, width, colours) {
    const fill = paint.createLinearGradient(0, 0, width, 0);
    fill.addColorStop(0, colours.bass);
    fill.addColorStop(0.35, colours.pads);
    fill.addColorStop(0.65, colours.swells);
    fill.addColorStop(1, colours.melody);
    return fill;
  }

  /// The loudest of a band, 0 to 1; between bins where the band is narrower than one.
  level(fromHz, toHz, analyser) {
    const perHz = analyser.fftSize / analyser.context.sampleRate;
    const from = fromHz * perHz;
    const to = toHz * perHz;
    let db = -Infinity;
    if (to - from < 1.5) {
      const below = Math.floor(from);
      db = this.bins[below] + (this.bins[below + 1] - this.bins[below]) * (from - below);
    } else {
      for (let bin = Math.floor(from); bin <= to; ++bin) db = Math.max(db, this.bins[bin]);
    }
    return Math.max(0, Math.min(1, (db - FLOOR_DB) / (TOP_DB - FLOOR_DB))) || 0;
  }
}
