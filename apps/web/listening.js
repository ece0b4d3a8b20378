// SPDX-License-Identifier: Apache-2.0
import { Arrival } from './arrival.js';
import { Connection } from './connection.js';
import { bestCodec, Decoder } from './decoder.js';
import { SAMPLE_RATE } from './frame.js';
import { Phrases } from './phrases.js';
import { Player } from './player.js';
import { Recorder } from './recorder.js';

const REPORT_MS = 3000;
const PING_MS = 2000;

/// From the click to the ear: the station is made or found, its frames come, are decoded, recorded and played.
export class Listening {
  /// onStation: other settings, or another station. onChange: another state.
  /// onTaken: the server has taken new settings, which are heard in so many seconds.
  constructor({ api, station, codec, onStation, onChange, onTaken }) {
    Object.assign(this, { api, station, codec, onStation, onChange, onTaken });
    this.player = new Player({ onBegan: () => this.begin(), onReport: () => this.noteReport() });
    this.decoder = new Decoder({ onChunk: (chunk) => this.takeChunk(chunk), onFault: () => this.usePcm() });
    this.connection = new Connection({
      address: () => api.socketAddress(`/ws/stations/${encodeURIComponent(station.id)}`, { codec: this.codec }),
      look: () => station.look(),
      onFrame: (frame) => this.takeFrame(frame),
      onMessage: (message) => this.takeMessage(message),
      onState: (state, error) => this.noteConnection(state, error),
    });
    this.recorder = new Recorder();
    this.arrival = new Arrival();
    this.phrases = new Phrases();
    this.wantsToPlay = false;
    this.isSounding = false;
    this.problem = null;
    this.appliesAt = null; // sample time from which new settings are heard
    this.clickedMs = null;
    this.firstSoundMs = null;
    this.roundTripMs = null;
    this.newest = null; // { time, nowMs }: of the server's clock
    this.tier = null;
    this.unsent = []; // wishes that nobody could hear
  }

  /// stopped, starting, playing, buffering (nothing is left, more comes), reconnecting
  get state() {
    if (!this.wantsToPlay) return 'stopped';
    if (this.connection.state !== 'open') return this.firstSoundMs === null ? 'starting' : 'reconnecting';
    if (this.isSounding) return 'playing';
    return this.firstSoundMs === null ? 'starting' : 'buffering';
  }

  get isBusy() {
    return this.wantsToPlay && !this.isSounding;
  }

  /// The state, for people.
  get words() {
    if (this.problem) return this.problem;
    const { state } = this;
    if ((state === 'starting' || state === 'reconnecting') && this.connection.trouble) return this.connection.trouble;
    if (state === 'starting') return 'Tuning in…';
    if (state === 'buffering') return 'Filling the buffer…';
    if (state !== 'reconnecting') return '';
    return this.isSounding ? 'Connection lost. Playing on…' : 'Connection lost. Trying again…';
  }

  toggle() {
    if (this.wantsToPlay) this.stop();
    else this.start();
  }

  async start() {
    this.problem = Player.whyNot();
    if (this.problem) return this.onChange();
    this.wantsToPlay = true;
    this.clickedMs = performance.now();
    this.firstSoundMs = null;
    this.onChange();
    try {
      const opened = this.player.start(); // in the click, before anything is waited for
      this.codec ??= await bestCodec();
      await Promise.all([opened, this.station.prepare()]);
    } catch (error) {
      return this.fail(error);
    }
    if (!this.wantsToPlay) return;
    this.onStation();
    this.connection.open();
  }

  async stop() {
    this.wantsToPlay = false;
    this.isSounding = false;
    this.appliesAt = null;
    this.connection.close();
    this.decoder.reset();
    this.onChange();
    await this.player.stop();
  }

  /// The station is another one now.
  async restart() {
    this.phrases.clear();
    this.recorder.clear();
    this.unsent = []; // the station knows them
    this.appliesAt = null;
    if (!this.wantsToPlay) return;
    this.connection.close();
    this.decoder.reset();
    this.player.clear();
    await this.start();
  }

  fail(error) {
    this.problem = error.status === 401 ? 'This server wants a token: add ?token=… to the address.' : error.message;
    this.stop();
  }

  change(settings) {
    this.ask({ type: 'settings', ...settings }, () => this.station.wish(settings));
  }

  choose(preset) {
    this.ask({ type: 'preset', name: preset.name }, () => this.station.wish(preset.settings, preset.name));
  }

  /// By the connection, else by REST, else when there is a connection again.
  async ask(message, wish) {
    if (this.connection.send(message)) return;
    const wished = wish();
    this.onStation();
    await wished.catch(() => this.unsent.push(message));
    this.onStation();
  }

  usePcm() {
    this.codec = 'pcm';
    this.connection.again();
  }

  takeFrame(frame) {
    this.arrival.note(frame.time, performance.now());
    this.newest = { time: frame.time, nowMs: performance.now() };
    this.decoder.decode(frame);
  }

  takeChunk(chunk) {
    if (!this.wantsToPlay) return;
    this.recorder.push(chunk);
    this.player.push(chunk);
  }

  takeMessage(message) {
    if (message.type === 'hello') this.greet(message);
    else if (message.type === 'own') this.own();
    else if (message.type === 'settings') this.acknowledge(message);
    else if (message.type === 'phrase') this.phrases.add(message);
    else if (message.type === 'buffer') this.setTarget(message);
    else if (message.type === 'pong') this.roundTripMs = performance.now() - message.id;
    else if (message.type === 'shutdown') this.say('The server restarts. Playing on…');
    else if (message.type === 'warning') this.say(message.message);
    else if (message.type === 'error') this.refuse(message);
  }

  greet({ station, is_owner, codec, target_seconds }) {
    this.codec = codec;
    this.arrival.begin();
    this.decoder.reset();
    this.setTarget({ target_seconds, tier: null });
    if (typeof station === 'object') this.station.take(station);
    this.station.isOwner = is_owner === true;
    this.problem = null;
    this.appliesAt = null;
    this.onStation();
    const { secret } = this.station;
    if (secret && !is_owner) this.connection.send({ type: 'own', secret });
    for (const message of this.unsent.splice(0)) this.connection.send(message);
    clearInterval(this.pinger);
    clearInterval(this.reporter);
    this.pinger = setInterval(() => this.connection.send({ type: 'ping', id: performance.now() }), PING_MS);
    this.reporter = setInterval(() => this.report(), REPORT_MS);
  }

  own() {
    this.station.isOwner = true;
    this.onStation();
  }

  acknowledge({ settings, preset, applies_at }) {
    this.station.take({ settings, preset });
    this.appliesAt = applies_at;
    this.onStation();
    this.onTaken(this.secondsToSettings() ?? 0);
  }

  refuse({ code, message, recoverable }) {
    if (code === 'unsupported' && this.codec === 'opus') return this.usePcm();
    if (code === 'forbidden' && recoverable && !this.station.isOthers) return this.copy();
    this.onStation(); // as it was
    if (recoverable) return this.say(message);
    if (code === 'gone' || code === 'unauthorized' || code === 'forbidden') this.fail(new Error(message));
  }

  /// The station turned out to be another's: the same music begins on one of our own.
  copy() {
    this.station.disown();
    this.onStation();
    this.restart();
  }

  setTarget({ target_seconds, tier }) {
    this.tier = tier;
    this.player.setTarget(target_seconds);
  }

  /// Says something for a while.
  say(text, forMs = 6000) {
    this.problem = text;
    this.onChange();
    setTimeout(() => {
      if (this.problem === text) this.problem = null;
      this.onChange();
    }, forMs);
  }

  report() {
    const { depthSeconds, jitterMs, underruns } = this.measures();
    this.connection.send({ type: 'buffer', depth_seconds: depthSeconds, jitter_ms: jitterMs, underruns });
  }

  noteConnection(state, error) {
    if (state !== 'open') {
      clearInterval(this.pinger);
      clearInterval(this.reporter);
    }
    if (error) this.fail(error);
    this.onChange();
  }

  begin() {
    if (this.firstSoundMs === null) this.firstSoundMs = performance.now() - this.clickedMs;
  }

  noteReport() {
    const isSounding = this.wantsToPlay && this.player.last.isPlaying;
    if (isSounding === this.isSounding) return;
    this.isSounding = isSounding;
    if (isSounding) this.begin();
    this.onChange();
  }

  /// Until new settings are heard; null where none are awaited.
  secondsToSettings() {
    const heard = this.player.heardTime();
    if (this.appliesAt === null || heard === null) return null;
    const left = (this.appliesAt - heard) / SAMPLE_RATE;
    if (left <= 0) this.appliesAt = null;
    return left > 0 ? left : null;
  }

  /// The phrase that is heard now, or null.
  phrase() {
    const heard = this.player.heardTime();
    return heard === null ? null : this.phrases.at(heard);
  }

  /// What is heard now, which new settings are not yet.
  get heardSettings() {
    return this.phrase()?.settings ?? this.station.settings;
  }

  phraseShare() {
    const heard = this.player.heardTime();
    const phrase = this.phrase();
    return phrase ? (heard - phrase.begins_at) / (phrase.ends_at - phrase.begins_at) : 0;
  }

  /// How far the ear is behind the server.
  latencySeconds() {
    const heard = this.player.heardTime();
    if (heard === null || !this.newest || !this.isSounding) return null;
    const newest = this.newest.time / SAMPLE_RATE + (performance.now() - this.newest.nowMs) / 1000;
    return Math.max(0, newest - heard / SAMPLE_RATE + (this.roundTripMs ?? 0) / 2000);
  }

  measures() {
    const { connection, player } = this;
    return {
      frames: connection.frames, gaps: connection.gaps, reconnects: connection.reconnects,
      underruns: player.last?.underruns ?? 0, skips: player.last?.skips ?? 0,
      depthSeconds: player.last?.depthSeconds ?? 0, targetSeconds: player.target, tier: this.tier,
      speed: player.last?.speed ?? 1, jitterMs: this.arrival.jitterMs, roundTripMs: this.roundTripMs,
      latencySeconds: this.latencySeconds(), firstSoundMs: this.firstSoundMs, codec: this.codec ?? null,
    };
  }
}
