// SPDX-License-Identifier: Apache-2.0
import { SAMPLE_RATE } from './frame.js';

const FADE_SECONDS = 0.02; // of the volume: nothing clicks
const MOST_AHEAD_SECONDS = 0.25; // a report that is older says nothing about now

/// The way from decoded chunks to the loudspeaker.
export class Player {
  constructor({ onBegan, onReport }) {
    this.onBegan = onBegan;
    this.onReport = onReport;
    this.volume = 1;
    this.target = 1;
    this.context = null;
    this.node = null;
    this.analyser = null;
    this.isWanted = false;
    this.last = null; // report
    this.captures = new Map();
  }

  static whyNot() {
    if (typeof AudioWorkletNode !== 'undefined') return null;
    return window.isSecureContext ? 'This browser has no AudioWorklet; a newer one is needed.'
      : 'Browsers play this page over https or from localhost only.';
  }

  /// To be called while the browser handles a click: it allows sound then alone.
  async start() {
    this.isWanted = true;
    this.opening ??= this.open();
    this.context.resume();
    try {
      await this.opening;
    } catch {
      this.opening = null; // the next click tries again
      throw new Error('The server does not answer.');
    }
    this.setVolume(this.volume);
  }

  async open() {
    this.context = openContext();
    await this.context.audioWorklet.addModule('jitter_worklet.js');
    const { context } = this;
    this.node = new AudioWorkletNode(context, 'jitter', { numberOfInputs: 0, outputChannelCount: [2] });
    this.node.port.onmessage = ({ data }) => this.receive(data);
    this.analyser = new AnalyserNode(context, { fftSize: 4096, smoothingTimeConstant: 0.75 });
    this.gain = new GainNode(context, { gain: 0 });
    this.node.connect(this.analyser);
    this.node.connect(this.gain).connect(context.destination);
    this.setTarget(this.target);
    // A phone that rang has stopped the sound; back on the page it goes on.
    document.addEventListener('visibilitychange', () => { if (this.isWanted && !document.hidden) context.resume(); });
  }

  /// Silence, and nothing left of what came.
  async stop() {
    this.isWanted = false;
    if (!this.node) return;
    this.gain.gain.setTargetAtTime(0, this.context.currentTime, FADE_SECONDS);
    await new Promise((resolve) => setTimeout(resolve, 4000 * FADE_SECONDS));
    if (this.isWanted) return; // again, meanwhile
    this.clear();
    this.last = null;
    await this.context.suspend();
  }

  push({ time, isJoin, left, right }) {
    this.node?.port.postMessage({ type: 'chunk', time, isJoin, left, right }, [left.buffer, right.buffer]);
  }

  clear() {
    this.node?.port.postMessage({ type: 'clear' });
  }

  setTarget(seconds) {
    this.target = seconds;
    this.node?.port.postMessage({ type: 'target', seconds });
  }

  /// 0 to 1, as a slider stands; the ear wants it squared.
  setVolume(volume) {
    this.volume = volume;
    this.gain?.gain.setTargetAtTime(volume * volume, this.context.currentTime, FADE_SECONDS);
  }

  /// The station's clock at what leaves the loudspeaker now; null while nothing does.
  heardTime() {
    const { last, context } = this;
    if (last?.heardTime == null) return null;
    if (!last.isPlaying) return last.heardTime;
    const ahead = Math.max(-1, Math.min(MOST_AHEAD_SECONDS, this.outputTime() - last.at));
    return last.heardTime + ahead * SAMPLE_RATE * last.speed;
  }

  /// 1, and a little more or less where the buffer is to shrink or to grow; 0 while nothing is left.
  get speed() {
    return this.last?.isPlaying ? this.last.speed : 0;
  }

  /// The context's clock at what leaves the loudspeaker now.
  outputTime() {
    const { contextTime, performanceTime } = this.context.getOutputTimestamp?.() ?? {};
    if (performanceTime > 0) return contextTime + (performance.now() - performanceTime) / 1000;
    return this.context.currentTime - (this.context.outputLatency || 0);
  }

  /// The next samples that leave the worklet, left and right in turn.
  capture(seconds) {
    if (!this.node) return Promise.reject(new Error('nothing plays'));
    const id = this.captures.size + Math.random();
    const frames = Math.round(seconds * this.context.sampleRate);
    this.node.port.postMessage({ type: 'capture', id, frames });
    return new Promise((resolve) => this.captures.set(id, resolve));
  }

  receive(message) {
    if (message.type === 'report') {
      this.last = message;
      this.onReport(message);
    } else if (message.type === 'began') {
      this.onBegan();
    } else if (message.type === 'captured') {
      this.captures.get(message.id)?.(message.samples);
      this.captures.delete(message.id);
    }
  }
}

/// At the station's rate; where a browser refuses that, at its own, and the worklet resamples.
function openContext() {
  try {
    return new AudioContext({ sampleRate: SAMPLE_RATE, latencyHint: 'playback' });
  } catch {
    return new AudioContext({ latencyHint: 'playback' });
  }
}
