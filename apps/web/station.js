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
    this.isOwner = false; // the server has said so
    this.left = null; // the path of one that is not come back to
    const kept = memory.get('station');
    if (this.isOthers) this.become({ id: address.station });
    else if (kept && (kept.search === search || !address.asksForMusic)) this.become(kept);
    else {
      this.become({ seed: address.seed, preset: address.preset ?? 'focus', settings: address.settings });
      if (kept?.id) this.left = pathOf(kept.id);
    }
  }

  become({ id, seed, preset, settings }) {
    this.id = id ?? null;
    this.seed = seed ?? randomSeed();
    this.preset = preset ?? null;
    this.given = settings; // what is asked for beyond the preset
    this.settings = { ...MEAN_SETTINGS, ...settings };
  }

  get path() {
    return pathOf(this.id);
  }

  /// What shows that it is ours, or null.
  get secret() {
    return this.id ? this.api.secrets.of(this.path) : null;
  }

  /// Another's is only listened to.
  get mayChange() {
    return !this.isOthers || this.isOwner || this.secret !== null;
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
    return this.api.patch(this.path, preset ? { preset } : { settings }).then((station) => this.take(station), (error) => {
      if (error.status !== 403) throw error;
      this.disown();
    });
  }

  /// Another piece with the same settings; made when it is played. The one that was remembered is not needed any more.
  leaveFor(seed, search) {
    const { id } = this.memory.get('station', {});
    if (id) this.left = pathOf(id);
    this.isOthers = false;
    this.search = search;
    this.seed = seed;
    this.abandon();
    this.clearAway();
  }

  /// It turned out to be another's: one of our own with the same music is made when it is played.
  disown() {
    if (this.id) this.api.secrets.forget(this.path);
    this.abandon();
  }

  abandon() {
    this.id = null;
    this.isOwner = false;
    this.remember();
  }

  /// Deletes the one that was left, where it was ours; where that fails the server forgets it some day.
  clearAway() {
    const path = this.left;
    this.left = null;
    if (path && this.api.secrets.of(path)) this.api.delete(path).catch(() => {});
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

  /// Makes it where it was never made, and where nothing shows that it is ours.
  async prepare() {
    if (!this.isOthers && !this.secret) this.id = null;
    if (!this.id) await this.make();
    this.clearAway();
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
      await this.make().catch((other) => { if (other.status >= 400 && other.status < 429) throw other; });
      return null;
    }
  }

  async make() {
    const wanted = { seed: this.seed };
    if (this.id) wanted.id = this.id;
    if (this.preset) wanted.preset = this.preset;
    if (this.given && Object.keys(this.given).length > 0) wanted.settings = this.given;
    this.take(await this.create(wanted));
  }

  /// Tries again without what another has taken, or another server had.
  create(wanted) {
    return this.api.post('/api/stations', wanted).catch((error) => {
      const { id, preset, ...rest } = wanted;
      if (id && (error.status === 403 || error.status === 409)) return this.create({ preset, ...rest });
      if (preset && error.code === 'unknown_name') return this.create({ id, ...rest }); // the settings say it all
      throw error;
    });
  }
}

const pathOf = (id) => `/api/stations/${encodeURIComponent(id)}`;
