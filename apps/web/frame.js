// SPDX-License-Identifier: Apache-2.0

export const SAMPLE_RATE = 48000;
export const HEADER_BYTES = 16;
export const PCM = 0;
export const OPUS = 1;

/// One binary message: 20 ms of a station. Throws for what is no frame of version 1.
export function parseFrame(buffer) {
  if (buffer.byteLength < HEADER_BYTES) throw new Error(`a frame of ${buffer.byteLength} bytes has no header`);
  const header = new DataView(buffer, 0, HEADER_BYTES);
  const version = header.getUint8(0);
  if (version !== 1) throw new Error(`frames of version ${version} are not known here`);
  return {
    codec: header.getUint8(1),
    isJoin: (header.getUint16(2, true) & 1) !== 0, // the station had stopped before it
    sequence: header.getUint32(4, true),
    time: Number(header.getBigUint64(8, true)), // exact for the first 5,900 years of a station
    payload: buffer,
  };
}
