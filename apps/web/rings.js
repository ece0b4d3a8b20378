// SPDX-License-Identifier: Apache-2.0

const RINGS = 7;

/// What the picture shows while nothing plays: rings on water, very slow.
export function drawRings(paint, { width, height, colours, nowMs, alpha }) {
  const [x, y] = [width / 2, height / 2];
  const most = Math.hypot(width, height) / 2;
  paint.lineWidth = 1.5;
  for (let n = 0; n < RINGS; ++n) {
    const share = ((n + nowMs / 9000) % RINGS) / RINGS;
    paint.globalAlpha = alpha * 0.5 * Math.sin(Math.PI * share) ** 2;
    paint.strokeStyle = n % 2 === 0 ? colours.accent : colours.warm;
    paint.beginPath();
    for (let step = 0; step <= 180; ++step) {
      const angle = (2 * Math.PI * step) / 180;
      const wave = 1 + 0.02 * Math.sin(6 * angle + n + nowMs / 4000) * (1 - share);
      const radius = 18 + share * most * wave;
      paint.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    }
    paint.stroke();
  }
  paint.globalAlpha = 1;
}
