// SPDX-License-Identifier: Apache-2.0

const KEPT = 120; // values: two minutes
const LEAST = 30; // that fill the width

/// A little chart of the last values.
export class Sparkline {
  /// `top`: the value at the upper edge; without it the greatest one.
  constructor(canvas, top) {
    this.canvas = canvas;
    this.top = top;
    this.values = [];
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  add(value) {
    this.values.push(value);
    if (this.values.length > KEPT) this.values.shift();
    this.draw();
  }

  draw() {
    const { canvas, values } = this;
    const scale = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0) return;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const paint = canvas.getContext('2d');
    paint.scale(scale, scale);
    const top = this.top ?? Math.max(1e-9, ...values) * 1.15;
    const x = (n) => width - ((values.length - 1 - n) / (Math.max(LEAST, values.length) - 1)) * width;
    const y = (value) => height - 1.5 - (value / top) * (height - 4);
    const curve = new Path2D();
    values.forEach((value, n) => curve.lineTo(x(n), y(value)));
    const colour = getComputedStyle(canvas).color;
    paint.strokeStyle = colour;
    paint.lineWidth = 1.5;
    paint.lineJoin = 'round';
    paint.stroke(curve);
    curve.lineTo(width, height);
    curve.lineTo(x(0), height);
    paint.globalAlpha = 0.14;
    paint.fillStyle = colour;
    paint.fill(curve);
  }
}
