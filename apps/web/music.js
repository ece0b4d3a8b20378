// SPDX-License-Identifier: Apache-2.0

/// The words of the protocol, and how the page says them.

export const KEYS = ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'];

export const MODES = ['ionian', 'dorian', 'phrygian', 'lydian', 'mixolydian', 'aeolian', 'locrian', 'harmonic_minor',
  'major_pentatonic', 'minor_pentatonic'];

export const LAYERS = ['pads', 'melody', 'bass', 'bells', 'kicks', 'swells', 'hats'];

export const SHARES = ['intensity', 'melody_complexity', 'progression_variety', 'harmonic_density'];

export const MEAN_SETTINGS = { // those of the preset that a new listener gets
  key: 'D', mode: 'dorian', bpm: 60, intensity: 0.5, melody_complexity: 0.5, progression_variety: 0.5,
  harmonic_density: 0.5, layers: [...LAYERS],
};

export const MOST_SEED = Number.MAX_SAFE_INTEGER;

/// "C#" and "Db" are one key: its place among KEYS, or -1.
export function keyIndex(name) {
  const letter = 'C D EF G A B'.indexOf(name?.[0] ?? '?');
  const shift = { '': 0, '#': 1, b: 11 }[name?.slice(1) ?? ''];
  return letter < 0 || shift === undefined || name[0] === ' ' ? -1 : (letter + shift) % 12;
}

/// "F♯", as it is printed.
export const keySign = (key) => key.replace('#', '♯').replace(/(?<=.)b/, '♭');

/// "F sharp", as it is read out.
export const keyWords = (key) => key.replace('#', ' sharp').replace(/(?<=.)b/, ' flat');

export const words = (name) => name.replaceAll('_', ' ');

export const title = (name) => words(name).replace(/^./u, (letter) => letter.toUpperCase());

export const randomSeed = () => Math.floor(Math.random() * 1e6);
