// SPDX-License-Identifier: Apache-2.0
import { JitterBuffer } from './jitter_buffer.js';
import { Resampler, TAPS } from './resampler.js';

const RATE = 48000; // of the station; the context's is `sampleRate`
const FADE = 240; // output frames: 5 ms
const START_SECONDS = 0.35; // enough to begin: the first sound should come soon
const MOST_CORRECTION = 0.005; // of the speed: 9 cents, and slow, which nobody hears
const CORRECTION_PER_SECOND = 0.02; // of error in depth
const TOO_DEEP_SECONDS = 1.5; // above the target: catching up by speed would take minutes
const LOW_SECONDS = 0.1;
const HELD_SECONDS = 0.06; // in which what a server sends at once has come
const REPORT_SECONDS = 0.04;

/// Plays what the page pushes: waits until there is enough, corrects the speed so that the depth walks to the
/// target, and falls silent and comes back by a fade where nothing is left.
class JitterProcessor extends AudioWorkletProcessor {
  constructor() {
    super();
    this.buffer = new JitterBuffer();
    this.step = RATE / sampleRate;
    this.resampler = new Resampler(this.step);
    this.weights = new Float32Array(TAPS);
    this.frame = [0, 0];
    this.tail = [new Float32Array(FADE), new Float32Array(FADE)]; // of what was cut away, fading out
    this.tailFrames = 0;
    this.tailAt = 0;
    this.target = 1;
    this.underruns = 0;
    this.skips = 0;
    this.heldFor = 0;
    this.reportIn = 0;
    this.captures = [];
    this.stop();
    this.port.onmessage = ({ data }) => this.receive(data);
  }

  stop() {
    this.isPlaying = false;
    this.hasPlayed = false;
    this.gain = 0;
    this.speed = 1;
  }

  receive(message) {
    if (message.type === 'chunk') this.buffer.push(message);
    else if (message.type === 'target') this.target = message.seconds;
    else if (message.type === 'clear') this.clear();
    else if (message.type === 'capture')
      this.captures.push({ id: message.id, samples: new Float32Array(2 * message.frames), filled: 0 });
  }

  clear() {
    this.cut();
    this.buffer.clear();
    this.stop();
  }

  /// What comes next does not continue what was heard, which fades out over it.
  cut() {
    this.tailAt = 0;
    this.tailFrames = this.isPlaying ? Math.min(FADE, Math.floor(this.buffer.depth / this.step)) : 0;
    for (let n = 0; n < this.tailFrames; ++n) {
      this.readFrame(this.gain * (1 - n / this.tailFrames));
      this.tail[0][n] = this.frame[0];
      this.tail[1][n] = this.frame[1];
    }
    this.gain = 0;
  }

  /// The next frame of the buffer into this.frame.
  readFrame(gain) {
    this.resampler.weights(this.buffer.position, this.weights);
    this.buffer.read(this.weights, this.frame);
    this.frame[0] *= gain;
    this.frame[1] *= gain;
    this.buffer.advance(this.step * this.speed);
  }

  process(inputs, [output]) {
    const frames = output[0].length;
    this.decide(frames);
    for (let n = 0; n < frames; ++n) {
      this.next();
      output[0][n] = this.frame[0];
      if (output.length > 1) output[1][n] = this.frame[1];
    }
    this.report(frames); // before the samples: who has got them knows whether they have a gap
    for (const capture of this.captures) this.feed(capture, output);
    this.captures = this.captures.filter((capture) => capture.filled < capture.samples.length);
    return true;
  }

  /// Whether to play in this block, and how fast.
  decide(frames) {
    const { buffer } = this;
    this.heldFor = buffer.held.length > 0 ? this.heldFor + frames / sampleRate : 0;
    if (buffer.depth < LOW_SECONDS * RATE && this.heldFor > HELD_SECONDS) buffer.takeHeld();
    if (this.isPlaying && buffer.depth > (this.target + TOO_DEEP_SECONDS) * RATE) {
      this.cut();
      buffer.skipTo(this.target * RATE);
      ++this.skips;
    }
    if (!this.isPlaying) this.begin();
    this.isEnough = buffer.depth > (FADE + frames) * this.step * 1.01;
    const seconds = buffer.depth / RATE;
    this.smoothDepth += (seconds - this.smoothDepth) * (frames / sampleRate); // by 1 s
    const wanted = (this.smoothDepth - this.target) * CORRECTION_PER_SECOND;
    const speed = 1 + Math.min(MOST_CORRECTION, Math.max(-MOST_CORRECTION, wanted));
    this.speed += (speed - this.speed) * 0.01;
  }

  begin() {
    const seconds = this.buffer.depth / RATE;
    // One that ran dry shall not do so again at once.
    const enough = this.hasPlayed ? Math.max(START_SECONDS, this.target / 2) : START_SECONDS;
    this.smoothDepth = seconds;
    if (seconds < enough) return;
    this.isPlaying = true;
    if (!this.hasPlayed) this.port.postMessage({ type: 'began' });
    this.hasPlayed = true;
  }

  /// One frame of output into this.frame.
  next() {
    const { frame } = this;
    if (this.isPlaying) {
      this.gain = Math.max(0, Math.min(1, this.gain + (this.isEnough ? 1 : -1) / FADE));
      this.readFrame(this.gain);
      if (this.gain === 0) this.runDry();
    } else {
      frame[0] = frame[1] = 0;
    }
    if (this.tailAt === this.tailFrames) return;
    frame[0] += this.tail[0][this.tailAt];
    frame[1] += this.tail[1][this.tailAt++];
  }

  runDry() {
    this.isPlaying = false;
    ++this.underruns;
    this.reportIn = 0;
  }

  feed(capture, output) {
    for (let n = 0; n < output[0].length && capture.filled < capture.samples.length; ++n) {
      capture.samples[capture.filled++] = output[0][n];
      capture.samples[capture.filled++] = output[output.length - 1][n];
    }
    if (capture.filled === capture.samples.length)
      this.port.postMessage({ type: 'captured', id: capture.id, samples: capture.samples }, [capture.samples.buffer]);
  }

  report(frames) {
    this.reportIn -= frames / sampleRate;
    if (this.reportIn > 0) return;
    this.reportIn = REPORT_SECONDS;
    this.port.postMessage({
      type: 'report',
      at: currentTime + frames / sampleRate,
      heardTime: this.buffer.heardTime,
      depthSeconds: this.buffer.depth / RATE,
      speed: this.speed,
      isPlaying: this.isPlaying,
      underruns: this.underruns,
      skips: this.skips,
    });
  }
}

registerProcessor('jitter', JitterProcessor);
