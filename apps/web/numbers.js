// SPDX-License-Identifier: Apache-2.0
import { element, find, write } from './page.js';

const ROWS = {
  buffer: 'Buffer', target: 'Buffer wanted', latency: 'Latency', roundTrip: 'Round trip', jitter: 'Jitter', speed: 'Speed',
  underruns: 'Underruns', gaps: 'Sequence gaps', reconnects: 'Reconnects', frames: 'Frames', codec: 'Codec',
  firstSound: 'First sound after',
};

/// The panel for those who want to know how the connection is.
export class Numbers {
  constructor() {
    this.values = new Map();
    for (const [name, label] of Object.entries(ROWS)) {
      const value = element('dd', {}, '–');
      find('numbers-list').append(element('div', {}, element('dt', {}, label), value));
      this.values.set(name, value);
    }
  }

  get isOpen() {
    return find('numbers').open;
  }

  show(texts) {
    for (const [name, text] of Object.entries(texts)) write(this.values.get(name), text);
  }
}
