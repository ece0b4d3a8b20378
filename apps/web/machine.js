// SPDX-License-Identifier: Apache-2.0
import { Sparkline } from './sparkline.js';
import { bytes, duration, element, find, write } from './page.js';

const EVERY_MS = 1000;

const GAUGES = [
  { name: 'Load', value: (now) => now.load, text: (v) => `${(100 * v).toFixed(0)} %`, note: (now) => `of the render thread; encoding ${(100 * now.encode_load).toFixed(0)} %`, top: 1 },
  { name: 'Render p99', value: (now) => now.render_ms?.p99, text: (v) => `${v.toFixed(2)} ms`,
    note: (now) => `mean ${now.render_ms.mean.toFixed(2)}, max ${now.render_ms.max.toFixed(2)} of ${now.block_ms} ms` },
  { name: 'Deadline misses', value: (now) => now.deadline_misses, text: String, note: (now) => `${now.late_blocks} late blocks`, isRate: true },
  { name: 'Listeners', value: (now) => now.listeners, text: String, note: (now) => `${now.dropped_listeners} dropped so far` },
  { name: 'Stations playing', value: (now) => now.playing, text: String, note: (now) => `of ${now.stations}, at most ${now.max_playing}` },
  { name: 'Sent', value: (now) => now.bytes_sent, text: bytes, note: (now, rate) => `${bytes(rate)} a second`, isRate: true },
  { name: 'Underruns', value: (now) => now.underruns, text: String, note: (now) => `${now.skipped_frames} frames skipped`, isRate: true },
  { name: 'Memory', value: (now) => now.resident_bytes, text: bytes, note: () => 'resident' },
];

/// The second view: what the server's machine does, once a second while it is looked at.
export class Machine {
  constructor({ api }) {
    this.api = api;
    this.timer = 0;
    this.isWatched = false;
    this.isRefused = false;
    this.gauges = GAUGES.map((gauge) => ({ ...gauge, ...this.makeGauge(gauge) }));
  }

  makeGauge({ name, top }) {
    const value = element('strong', {}, '–');
    const note = element('small', {}, '\u00a0');
    const canvas = element('canvas', { ariaHidden: 'true' });
    find('gauges').append(element('section', { className: 'gauge', ariaLabel: name }, element('h2', {}, name), value, note, canvas));
    return { valueNode: value, noteNode: note, line: new Sparkline(canvas, top), last: null };
  }

  /// Whether this listener may see it: it is for who runs the server.
  async ask() {
    try {
      await this.api.get('/api/status');
    } catch (error) {
      this.isRefused = error.status === 401 || error.status === 403;
    }
  }

  watch(isWatched) {
    this.isWatched = isWatched;
    clearTimeout(this.timer);
    if (!isWatched) return;
    this.showDevices();
    this.look();
  }

  async look() {
    const beganMs = performance.now();
    try {
      this.show(await this.api.get('/api/status'));
    } catch (error) {
      write(find('machine-state'), error.message);
    }
    if (this.isWatched) this.timer = setTimeout(() => this.look(), Math.max(0, EVERY_MS - (performance.now() - beganMs)));
  }

  show(now) {
    const state = now.state === 'draining' ? 'draining' : 'running';
    write(find('machine-state'), `Ringwave ${now.version} on ${now.device}, ${state} for ${duration(now.uptime_seconds)}`);
    for (const gauge of this.gauges) this.showGauge(gauge, now);
  }

  showGauge(gauge, now) {
    const value = gauge.value(now);
    if (typeof value !== 'number') return;
    const rate = Math.max(0, value - (gauge.last ?? value)); // a server that was started anew counts from 0
    write(gauge.valueNode, gauge.text(value));
    write(gauge.noteNode, gauge.note(now, rate));
    if (!gauge.isRate || gauge.last !== null) gauge.line.add(gauge.isRate ? rate : value);
    gauge.last = value;
  }

  async showDevices() {
    try {
      const { devices, why_no_gpu } = await this.api.get('/api/devices');
      const items = devices.map((device) => element('li', { className: device.is_default ? 'is-default' : '' },
        element('strong', {}, device.name), element('span', {}, device.description),
        element('small', {}, [device.memory_bytes && bytes(device.memory_bytes), device.is_default && 'in use'].filter(Boolean).join(' · '))));
      if (why_no_gpu) items.push(element('li', { className: 'why' }, element('span', {}, why_no_gpu)));
      find('devices').replaceChildren(...items);
    } catch { /* the line above says what is wrong */ }
  }
}
