// SPDX-License-Identifier: Apache-2.0
import { SAMPLE_RATE } from './frame.js';

const HEADER_BYTES = 44;
const FRAME_BYTES = 4; // stereo, 16 bits

/// A WAV file of pairs of 16-bit samples.
export function wavFile(parts, frames) {
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  const text = (at, letters) => [...letters].forEach((letter, n) => header.setUint8(at + n, letter.charCodeAt(0)));
  const dataBytes = frames * FRAME_BYTES;
  text(0, 'RIFF');
  header.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  text(8, 'WAVEfmt ');
  header.setUint32(16, 16, true); // bytes of the format
  header.setUint16(20, 1, true); // PCM
  header.setUint16(22, 2, true); // channels
  header.setUint32(24, SAMPLE_RATE, true);
  header.setUint32(28, SAMPLE_RATE * FRAME_BYTES, true);
  header.setUint16(32, FRAME_BYTES, true);
  header.setUint16(34, 16, true); // bits
  text(36, 'data');
  header.setUint32(40, dataBytes, true);
  return new Blob([header, ...parts], { type: 'audio/wav' });
}
