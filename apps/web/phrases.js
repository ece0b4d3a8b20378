// SPDX-License-Identifier: Apache-2.0
import { SAMPLE_RATE } from './frame.js';

const KEPT_FRAMES = 60 * SAMPLE_RATE;

/// What is played when, on the station's clock.
export class Phrases {
  constructor() {
    this.clear();
  }

  clear() {
    this.list = [];
  }

  /// One that came before replaces what was known of its time: the clock may have gone back.
  add(phrase) {
    const { begins_at, ends_at } = phrase;
    const notes = phrase.notes.map(([begin, end, layer, pitch, velocity]) => ({ begin, end, layer, pitch, velocity }));
    this.list = this.list.filter((other) => other.ends_at <= begins_at && other.ends_at > begins_at - KEPT_FRAMES);
    this.list.push({ number: phrase.phrase, begins_at, ends_at, settings: phrase.settings, notes });
  }

  at(time) {
    return this.list.find((phrase) => phrase.begins_at <= time && time < phrase.ends_at) ?? null;
  }

  /// Every note that sounds between two times.
  *between(from, to) {
    for (const phrase of this.list)
      for (const note of phrase.notes) if (note.end > from && note.begin < to) yield note;
  }
}
