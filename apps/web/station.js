// SPDX-License-Identifier: Apache-2.0
import { ApiError } from './api.js';
import { MEAN_SETTINGS, randomSeed } from './music.js';

/// The station that the page is about: its own, remembered between visits, or another's, named by the address.
/// One of its own is made when it is first played.
export class Station {
  constructor({ api, memory, address, search }) {
    this.api = api;
    this.memory = memory;
    this.search = search;
    this.isOthers = address.station !== undefined;
    const kept = memory.get('station');
    if (this.isOthers) this.become({ id: address.station });
    else if (kept && (kept.search === search || !address.asksForMusic)) this.become(kept);
    else this.become({ seed: address.seed, preset: address.preset ?? 'focus', settings: address.settings });
  }

  become({ id, seed, preset, settings }) {
    this.id = id ?? null;
    this.seed = seed ?? randomSeed();
    this.preset = preset ?? null;
    this.given = settings; // what is asked for beyond the preset
    this.settings = { ...MEAN_SETTINGS, ...settings };
  }

  get path() {
    return `/api/stations/${encodeURIComponent(this.id)}`;
  }

  /// Facts from the server.
  take({ id, seed, preset, settings }) {
    if (id !== undefined) this.id = id;
    if (seed !== undefined) this.seed = seed;
    this.preset = preset ?? null;
    this.settings = { ...this.settings, ...settings };
    this.given = this.settings;
    this.remember();
  }

  /// Wishes of the listener, while no connection says what became of them.
  wish(settings, preset) {
    this.settings = { ...this.settings, ...settings };
    this.given = this.settings;
    this.preset = preset ?? null;
    this.remember();
    if (!this.id) return Promise.resolve();
    return this.api.patch(this.path, preset ? { preset } : { settings }).then((station) => this.take(station));
  }

  /// Another piece with the same settings; made when it is played.
  leaveFor(seed, search) {
    this.isOthers = false;
    this.search = search;
    this.id = null;
    this.seed = seed;
    this.remember();
  }

  remember() {
    if (this.isOthers) return;
    const { id, seed, preset, settings, search } = this;
    this.memory.set('station', { id, seed, preset, settings, search });
  }

  /// What the server knows of it, where it was made before.
  async refresh() {
    if (this.id) this.take(await this.api.get(this.path));
  }

  /// Makes it where it was never made.
  async prepare() {
    if (!this.id) await this.make();
  }

  /// Why a connection was refused, for people, or nothing where nobody answers. Makes the station anew where the
  /// server does not know it any more; throws where trying again cannot help.
  async look() {
    try {
      this.take(await this.api.get(this.path));
      return 'The server is busy. Trying again…';
    } catch (error) {
      if (error.status === 401 || error.status === 403) throw error;
      if (error.status !== 404) return null;
      if (this.isOthers) throw new ApiError(404, 'not_found', `There is no station ${this.id} here.`);
      await this.make().catch((other) => { if (other.status >= 400 && other.status < 409) throw other; });
      return null;
    }
  }

  async make() {
    const wanted = { seed: this.seed };
    if (this.id) wanted.id = this.id;
    if (this.preset) wanted.preset = this.preset;
    if (this.given && Object.keys(this.given).length > 0) wanted.settings = this.given;
    this.take(await this.api.post('/api/stations', wanted).catch((error) => {
      if (error.code !== 'unknown_name' || !wanted.preset) throw error;
      delete wanted.preset; // another server's: the settings say it all
      return this.api.post('/api/stations', wanted);
    }));
  }
}
