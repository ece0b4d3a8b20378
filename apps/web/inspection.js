// SPDX-License-Identifier: Apache-2.0

/// What tests may look at: read, not written.
export function inspection(listening) {
  return Object.freeze({
    get state() { return listening.state; },
    get station() { return listening.station.id; },
    get isOwner() { return listening.station.isOwner; },
    get seed() { return listening.station.seed; },
    get preset() { return listening.station.preset; },
    get settings() { return structuredClone(listening.station.settings); },
    get counters() { return listening.measures(); },
    get heardTime() { return listening.player.heardTime(); },
    get sampleRate() { return listening.player.context?.sampleRate ?? null; },
    capture: (seconds) => listening.player.capture(seconds),
  });
}
