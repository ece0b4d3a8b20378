// SPDX-License-Identifier: Apache-2.0

const MOST = 100; // the oldest are forgotten first

/// The secrets of what this browser made on the server, by its path: '/api/stations/ID', '/api/presets/NAME'. Who
/// knows one may change and delete it.
export class Secrets {
  constructor(memory) {
    this.memory = memory;
  }

  of(path) {
    return this.list().find(([known]) => known === path)?.[1] ?? null;
  }

  keep(path, secret) {
    this.memory.set('secrets', [...this.without(path), [path, secret]].slice(-MOST));
  }

  forget(path) {
    if (this.of(path) !== null) this.memory.set('secrets', this.without(path));
  }

  without(path) {
    return this.list().filter(([known]) => known !== path);
  }

  /// As it is now: another tab may have made something meanwhile.
  list() {
    const kept = this.memory.fresh('secrets');
    return Array.isArray(kept) ? kept : [];
  }
}
