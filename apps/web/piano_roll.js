// SPDX-License-Identifier: Apache-2.0
import { SAMPLE_RATE } from './frame.js';

const NOW = 0.36; // of the width: where the ear is
const LEAST_SPAN = 36; // semitones
const GLOW_SECONDS = 0.5;

/// Notes that scroll by: what was heard to the left of the line, what comes to the right.
export class PianoRoll {
  constructor(phrases) {
    this.phrases = phrases;
    this.low = null; // pitches at the bottom and the top; they follow the music slowly
    this.high = null;
  }

  draw(paint, { width, top, bottom, heard, colours, isCalm, passed, alpha }) {
    const seconds = Math.max(7, Math.min(16, width / 64));
    let from = heard - NOW * seconds * SAMPLE_RATE;
    let to = from + seconds * SAMPLE_RATE;
    const phrase = isCalm ? this.phrases.at(heard) : null;
    if (phrase) [from, to] = [phrase.begins_at, phrase.ends_at]; // a page that stands still
    const notes = [...this.phrases.between(from, to)];
    this.follow(notes, isCalm ? 1 : Math.min(1, 2 * passed));
    const view = {
      x: (time) => ((time - from) / (to - from)) * width,
      y: (pitch) => bottom - ((pitch - this.low) / (this.high - this.low)) * (bottom - top),
      size: Math.max(3, Math.min(11, ((bottom - top) / (this.high - this.low)) * 0.78)),
      width, top, bottom, heard, colours, alpha,
    };
    this.drawLines(paint, view);
    for (const note of notes) drawNote(paint, view, note);
    paint.globalAlpha = alpha;
  }

  follow(notes, share) {
    if (notes.length === 0 && this.low !== null) return;
    const pitches = notes.map((note) => note.pitch);
    const middle = notes.length > 0 ? (Math.min(...pitches) + Math.max(...pitches)) / 2 : 60;
    const span = notes.length > 0 ? Math.max(LEAST_SPAN, Math.max(...pitches) - Math.min(...pitches) + 4) : LEAST_SPAN;
    const [low, high] = [middle - span / 2, middle + span / 2];
    this.low = this.low === null ? low : this.low + (low - this.low) * share;
    this.high = this.high === null ? high : this.high + (high - this.high) * share;
  }

  drawLines(paint, { x, y, width, top, bottom, heard, colours, alpha }) {
    paint.strokeStyle = colours.line;
    paint.fillStyle = colours.quiet;
    paint.lineWidth = 1;
    paint.font = '10px system-ui, sans-serif';
    for (let pitch = Math.ceil(this.low / 12) * 12; pitch <= this.high; pitch += 12) {
      const at = Math.round(y(pitch)) + 0.5;
      line(paint, 0, at, width, at);
      paint.globalAlpha = 0.6 * alpha;
      paint.fillText(`C${pitch / 12 - 1}`, 12, at - 4);
      paint.globalAlpha = alpha;
    }
    for (const phrase of this.phrases.list) line(paint, x(phrase.begins_at), top - 8, x(phrase.begins_at), bottom + 8);
    const now = paint.createLinearGradient(0, top - 24, 0, bottom + 16);
    now.addColorStop(0, 'transparent');
    now.addColorStop(0.5, colours.accent);
    now.addColorStop(1, 'transparent');
    paint.strokeStyle = now;
    paint.lineWidth = 1.5;
    line(paint, x(heard), top - 24, x(heard), bottom + 16);
  }
}

function line(paint, x0, y0, x1, y1) {
  paint.beginPath();
  paint.moveTo(x0, y0);
  paint.lineTo(x1, y1);
  paint.stroke();
}

/// Bright while it sounds, brightest when struck, and fading with what is past.
function drawNote(paint, { x, y, size, width, heard, colours, alpha }, { begin, end, layer, pitch, velocity }) {
  const left = x(begin);
  const length = Math.max(size, x(end) - left - 2);
  const top = y(pitch) - size / 2;
  const strength = 0.55 + 0.45 * (velocity / 127);
  const isSounding = begin <= heard && heard < end;
  const since = (heard - begin) / SAMPLE_RATE;
  paint.fillStyle = colours[layer] ?? colours.ink;
  if (isSounding || (since > 0 && since < GLOW_SECONDS)) {
    const glow = Math.exp(-since / GLOW_SECONDS);
    const spread = size * (0.4 + 0.6 * glow);
    paint.globalAlpha = alpha * strength * (0.1 + 0.2 * glow);
    block(paint, left - spread, top - spread, length + 2 * spread, size + 2 * spread);
  }
  const past = Math.max(0.16, 0.42 * Math.min(1, (left + length) / (NOW * width)));
  paint.globalAlpha = alpha * strength * (isSounding ? 1 : begin > heard ? 0.5 : past);
  block(paint, left, top, length, size);
}

function block(paint, x, y, width, height) {
  paint.beginPath();
  paint.roundRect(x, y, width, height, height / 2);
  paint.fill();
}
