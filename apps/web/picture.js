// SPDX-License-Identifier: Apache-2.0
import { SAMPLE_RATE } from './frame.js';
import { LAYERS, title } from './music.js';
import { element, find } from './page.js';
import { PianoRoll } from './piano_roll.js';
import { drawRings } from './rings.js';
import { Spectrum } from './spectrum.js';
import { Waveform } from './waveform.js';

const CALM_MS = 500; // between pictures for those who want no motion
const IDLE_MS = 45; // while nothing plays

/// The live picture: notes, waveform and spectrum of what is heard now.
export class Picture {
  /// onFrame: called with every picture.
  constructor({ canvas, listening, onFrame }) {
    Object.assign(this, { canvas, listening, onFrame });
    this.paint = canvas.getContext('2d');
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
    this.roll = new PianoRoll(listening.phrases);
    this.spectrum = new Spectrum();
    this.waveform = new Waveform();
    this.shown = null; // the clock of the picture
    this.presence = 0; // of the music in the picture: fades in and out
    this.lastMs = 0;
    for (const layer of LAYERS) {
      const item = element('li', {}, title(layer));
      item.dataset.layer = layer;
      find('legend').append(item);
    }
    new ResizeObserver(() => this.fit()).observe(canvas);
    this.readColours();
    requestAnimationFrame((nowMs) => this.next(nowMs));
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.colours = { ink: colour('ink'), quiet: colour('quiet'), accent: colour('accent'), warm: colour('warm'), line: colour('line') };
    for (const layer of LAYERS) this.colours[layer] = colour(`layer-${layer}`);
    this.lastMs = 0;
  }

  /// One canvas pixel for each of the screen's.
  fit() {
    const scale = Math.min(2, devicePixelRatio || 1);
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(this.height * scale);
    this.paint.setTransform(scale, 0, 0, scale, 0, 0);
    this.lastMs = 0;
  }

  next(nowMs) {
    requestAnimationFrame((later) => this.next(later));
    const isIdle = !this.listening.wantsToPlay && this.presence < 0.01;
    if (nowMs - this.lastMs < (this.calm.matches ? CALM_MS : isIdle ? IDLE_MS : 0)) return;
    const passed = Math.min(0.1, (nowMs - this.lastMs) / 1000);
    this.lastMs = nowMs;
    this.onFrame();
    if (this.width > 0 && this.canvas.offsetParent) this.draw(nowMs, passed);
  }

  /// The clock that is heard, without the small steps in which it is known.
  follow(heard, passed) {
    const expected = this.shown + passed * SAMPLE_RATE;
    const isNear = heard !== null && this.shown !== null && Math.abs(heard - expected) < 0.15 * SAMPLE_RATE;
    this.shown = isNear ? expected + 0.06 * (heard - expected) : heard;
    return this.shown;
  }

  draw(nowMs, passed) {
    const { paint, width, height, colours, listening } = this;
    const { player } = listening;
    const heard = this.follow(listening.wantsToPlay ? player.heardTime() : null, passed * listening.player.speed);
    const wanted = heard !== null ? 1 : 0;
    this.presence = this.calm.matches ? wanted : this.presence + (wanted - this.presence) * Math.min(1, 4 * passed);
    paint.clearRect(0, 0, width, height);
    if (this.presence < 0.99) drawRings(paint, { width, height, colours, nowMs: this.calm.matches ? 0 : nowMs, alpha: 1 - this.presence });
    if (heard === null) return;
    const soundTop = height * (this.calm.matches ? 0.96 : 0.72);
    paint.globalAlpha = this.presence;
    if (!this.calm.matches) {
      this.spectrum.draw(paint, { width, top: soundTop, bottom: height, analyser: player.analyser, colours });
      this.waveform.draw(paint, { width, middle: soundTop + 4, height: height * 0.16, analyser: player.analyser, colours });
    }
    this.roll.draw(paint, { width, top: 44, bottom: soundTop - 18, heard, colours, isCalm: this.calm.matches, passed, alpha: this.presence });
    paint.globalAlpha = 1;
  }
}
