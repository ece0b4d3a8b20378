// SPDX-License-Identifier: Apache-2.0
import { HEADER_BYTES, OPUS, PCM, SAMPLE_RATE } from './frame.js';

const OPUS_CONFIG = { codec: 'opus', sampleRate: SAMPLE_RATE, numberOfChannels: 2 };
const PACKET_US = 20000;

/// The codec to ask the server for: Opus where the browser decodes it, else PCM, which any can.
export async function bestCodec() {
  if (typeof AudioDecoder === 'undefined') return 'pcm';
  try {
    return (await AudioDecoder.isConfigSupported(OPUS_CONFIG)).supported ? 'opus' : 'pcm';
  } catch {
    return 'pcm';
  }
}

/// Frames in, chunks of samples out: { time, isJoin, left, right }, in the same order.
export class Decoder {
  /// onFault: the browser's decoder gave up; frames of PCM are still decoded.
  constructor({ onChunk, onFault }) {
    this.onChunk = onChunk;
    this.onFault = onFault;
    this.opus = null;
    this.waiting = new Map(); // by number of the packet: what its samples do not know themselves
    this.unsettled = null; // what is known of the first packet, until it has come
    this.packets = 0;
  }

  decode(frame) {
    if (frame.codec === PCM) this.onChunk(pcmChunk(frame));
    else if (frame.codec === OPUS) this.decodeOpus(frame);
  }

  /// Forgets the past: the next frame is of another connection.
  reset() {
    this.waiting.clear();
    this.unsettled = null;
    if (this.opus?.state === 'configured') this.opus.close();
    this.opus = null;
  }

  decodeOpus(frame) {
    const known = { time: frame.time, isJoin: frame.isJoin };
    if (!this.opus) {
      this.opus = this.openOpus();
      this.unsettled = known;
    }
    const timestamp = this.packets++ * PACKET_US;
    this.waiting.set(timestamp, known);
    if (this.opus.state !== 'configured') return;
    this.opus.decode(new EncodedAudioChunk({
      type: 'key', timestamp, duration: PACKET_US, data: new Uint8Array(frame.payload, HEADER_BYTES),
    }));
  }

  openOpus() {
    const opened = new AudioDecoder({
      output: (data) => this.opus === opened ? this.takeOpus(data) : data.close(),
      error: (error) => { if (this.opus === opened) { this.reset(); this.onFault(error); } },
    });
    opened.configure(OPUS_CONFIG);
    return opened;
  }

  takeOpus(data) {
    const timestamp = Math.round(data.timestamp / PACKET_US) * PACKET_US;
    const known = this.waiting.get(timestamp);
    this.waiting.delete(timestamp);
    if (known && !this.settle(known))
      this.onChunk({ ...known, left: plane(data, 0), right: plane(data, data.numberOfChannels - 1) });
    data.close();
  }

  /// True for the first packet of a decoder, whose samples are not the music yet: it has heard nothing before them,
  /// or at the beginning of a station nothing was there. What joins, joins with the second.
  settle(known) {
    if (known === this.unsettled) return true;
    if (this.unsettled?.isJoin) known.isJoin = true;
    this.unsettled = null;
    return false;
  }
}

function plane(data, planeIndex) {
  const samples = new Float32Array(data.numberOfFrames);
  data.copyTo(samples, { planeIndex, format: 'f32-planar' });
  return samples;
}

function pcmChunk({ time, isJoin, payload }) {
  const frames = (payload.byteLength - HEADER_BYTES) >> 2;
  const pairs = new Int16Array(payload, HEADER_BYTES, 2 * frames);
  const left = new Float32Array(frames);
  const right = new Float32Array(frames);
  for (let n = 0; n < frames; ++n) {
    left[n] = pairs[2 * n] / 32768;
    right[n] = pairs[2 * n + 1] / 32768;
  }
  return { time, isJoin, left, right };
}
