// SPDX-License-Identifier: Apache-2.0

const SHOWN = 1536; // frames: 32 ms

/// The waveform as a fine line; it begins where the signal rises through zero, so that it stands still.
export class Waveform {
  constructor() {
    this.peak = 0.1; // of the last seconds: quiet music is seen as well
  }

  draw(paint, { width, middle, height, analyser, colours }) {
    this.samples ??= new Float32Array(analyser.fftSize);
    analyser.getFloatTimeDomainData(this.samples);
    this.peak = this.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), Math.max(0.05, 0.995 * this.peak));
    const first = this.rise();
    const wave = new Path2D();
    const step = Math.max(1, Math.floor(SHOWN / width));
    for (let n = 0; n < SHOWN; n += step) {
      const edge = Math.sin((Math.PI * n) / SHOWN); // the line grows out of nothing on both sides
      const y = middle - (this.samples[first + n] / this.peak) * edge * (height / 2);
      wave.lineTo((n / (SHOWN - 1)) * width, y);
    }
    const before = paint.globalAlpha;
    paint.globalAlpha = before * 0.85;
    paint.strokeStyle = colours.warm;
    paint.lineWidth = 1.6;
    paint.lineJoin = 'round';
    paint.stroke(wave);
    paint.globalAlpha = before;
  }

  rise() {
    for (let n = 1; n < this.samples.length - SHOWN; ++n)
      if (this.samples[n - 1] < 0 && this.samples[n] >= 0) return n;
    return 0;
  }
}
