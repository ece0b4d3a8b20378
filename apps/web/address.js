// SPDX-License-Identifier: Apache-2.0
import { KEYS, LAYERS, MODES, MOST_SEED, SHARES, keyIndex } from './music.js';

/// What the page's address asks for. What is wrong in it is left out: a link that was cut short still plays.
export function readAddress(search) {
  const query = new URLSearchParams(search);
  const settings = {};
  if (keyIndex(query.get('key')) >= 0) settings.key = KEYS[keyIndex(query.get('key'))];
  if (MODES.includes(query.get('mode'))) settings.mode = query.get('mode');
  const bpm = number(query, 'bpm', 40, 120);
  if (bpm !== null) settings.bpm = bpm;
  for (const share of SHARES) {
    const value = number(query, share, 0, 1);
    if (value !== null) settings[share] = value;
  }
  if (query.has('layers')) {
    const asked = query.get('layers').split(',');
    settings.layers = LAYERS.filter((layer) => asked.includes(layer));
  }
  const seed = number(query, 'seed', 0, MOST_SEED);
  const made = { settings };
  if (seed !== null) made.seed = Math.floor(seed);
  for (const name of ['preset', 'station', 'token', 'codec']) if (query.get(name)) made[name] = query.get(name);
  made.asksForMusic = made.seed !== undefined || made.preset !== undefined || Object.keys(settings).length > 0;
  return made;
}

function number(query, name, least, most) {
  const value = Number(query.get(name));
  return query.get(name) && value >= least && value <= most ? value : null;
}

/// A link by which another listener gets this very music on a station of their own.
export function shareAddress({ seed, preset, settings }) {
  const url = new URL(location.pathname, location.href);
  url.searchParams.set('seed', seed);
  if (preset) url.searchParams.set('preset', preset);
  for (const name of ['key', 'mode', 'bpm', ...SHARES]) url.searchParams.set(name, settings[name]);
  if (settings.layers.length < LAYERS.length) url.searchParams.set('layers', settings.layers.join(','));
  return url.href.replaceAll('%2C', ',');
}

/// A link by which another listener hears this station itself.
export function stationAddress(id) {
  const url = new URL(location.pathname, location.href);
  url.searchParams.set('station', id);
  return url.href;
}
