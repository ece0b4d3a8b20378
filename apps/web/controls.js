// SPDX-License-Identifier: Apache-2.0
import { KEYS, LAYERS, MODES, SHARES, keyIndex, keySign, keyWords, title } from './music.js';
import { element, find } from './page.js';

const SETTLE_MS = 180; // a slider that is being moved sends where it rests
const LABELS = {
  intensity: 'Intensity', melody_complexity: 'Complexity', progression_variety: 'Variety', harmonic_density: 'Density',
};

/// The settings as things to touch. Says by onChange what the listener changed, and shows what it is told.
export class Controls {
  constructor({ onChange }) {
    this.onChange = onChange;
    this.changed = {};
    this.timer = 0;
    this.makeKeys();
    this.makeModes();
    this.sliders = new Map();
    this.addSlider('bpm', find('bpm'), find('bpm-value'), (value) => `${Math.round(value)} bpm`);
    for (const share of SHARES) this.makeShare(share);
    this.makeLayers();
  }

  show(settings) {
    find('keys').querySelectorAll('input')[keyIndex(settings.key)].checked = true;
    find('mode').value = settings.mode;
    for (const [name, slider] of this.sliders) if (!(name in this.changed)) slider.show(settings[name]);
    for (const box of find('layers').querySelectorAll('input')) box.checked = settings.layers.includes(box.value);
  }

  change(name, value) {
    this.changed[name] = value;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { changed } = this;
      this.changed = {};
      this.onChange(changed);
    }, SETTLE_MS);
  }

  makeKeys() {
    for (const key of KEYS) {
      const box = element('input', { type: 'radio', name: 'key', value: key, ariaLabel: keyWords(key) });
      box.addEventListener('change', () => this.change('key', key));
      const label = element('label', { className: key.length > 1 ? 'black' : 'white' }, box,
        element('span', { ariaHidden: 'true' }, keySign(key)));
      find('keys').append(label);
    }
  }

  makeModes() {
    for (const mode of MODES) find('mode').append(element('option', { value: mode }, title(mode)));
    find('mode').addEventListener('change', () => this.change('mode', find('mode').value));
  }

  makeShare(name) {
    const input = element('input', { type: 'range', id: name, min: 0, max: 1, step: 0.05, ariaLabel: LABELS[name] });
    const output = element('output', {});
    find('shares').append(element('label', { className: 'slider' }, element('span', {}, LABELS[name]), output, input));
    this.addSlider(name, input, output, (value) => `${Math.round(100 * value)} %`);
  }

  addSlider(name, input, output, say) {
    const show = (value) => {
      input.value = value;
      output.value = say(value);
      input.setAttribute('aria-valuetext', say(value));
      fillSlider(input);
    };
    input.addEventListener('input', () => {
      show(Number(input.value));
      this.change(name, Number(input.value));
    });
    this.sliders.set(name, { show });
  }

  makeLayers() {
    for (const layer of LAYERS) {
      const box = element('input', { type: 'checkbox', value: layer, ariaLabel: title(layer) });
      box.addEventListener('change', () => this.change('layers', this.layers()));
      const label = element('label', { className: 'chip layer' }, box, element('i', { ariaHidden: 'true' }), title(layer));
      label.dataset.layer = layer;
      find('layers').append(label);
    }
  }

  layers() {
    return [...find('layers').querySelectorAll('input:checked')].map((box) => box.value);
  }
}

/// The part of a slider left of its thumb, for the style.
export function fillSlider(input) {
  const share = (input.value - input.min) / (input.max - input.min);
  input.style.setProperty('--fill', `${100 * share}%`);
}
