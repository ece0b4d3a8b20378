// SPDX-License-Identifier: Apache-2.0
import { title } from './music.js';
import { element, find } from './page.js';

/// The presets of the server, to choose from, to add to and to take from.
export class Presets {
  /// settings(): those to save.
  constructor({ api, settings, onChoose, onProblem }) {
    Object.assign(this, { api, settings, onChoose, onProblem });
    this.list = [];
    this.chosen = null;
    find('save-preset-form').addEventListener('submit', (event) => this.save(event));
    find('preset-cancel').addEventListener('click', () => find('save-preset').close());
    this.draw();
  }

  async load() {
    this.list = (await this.api.get('/api/presets')).presets;
    this.draw();
  }

  named(name) {
    return this.list.find((preset) => preset.name === name);
  }

  show(name) {
    if (this.chosen === name) return;
    this.chosen = name;
    this.draw();
  }

  draw() {
    const focused = document.activeElement?.dataset.preset;
    const chips = this.list.flatMap((preset) => this.chips(preset));
    const add = element('button', { type: 'button', className: 'chip add', ariaLabel: 'Save as preset', title: 'Save as preset' }, '+');
    add.addEventListener('click', () => this.ask());
    find('presets').replaceChildren(...chips, add);
    if (focused) chips.find((chip) => chip.dataset.preset === focused)?.focus();
  }

  chips(preset) {
    const choose = element('button', { type: 'button', className: 'chip', ariaPressed: String(preset.name === this.chosen) },
      title(preset.name));
    choose.dataset.preset = preset.name;
    choose.addEventListener('click', () => this.onChoose(preset));
    if (!this.api.secrets.of(pathOf(preset.name))) return [choose]; // built in, or another's
    const remove = element('button', { type: 'button', className: 'remove', ariaLabel: `Remove preset ${preset.name}`,
      title: 'Remove' }, '×');
    remove.addEventListener('click', () => this.remove(preset));
    return [element('span', { className: 'own' }, choose, remove)];
  }

  ask() {
    find('preset-problem').textContent = '';
    find('preset-name').value = '';
    find('save-preset').showModal();
  }

  async save(event) {
    event.preventDefault(); // the dialog closes when the server has it
    const name = find('preset-name').value.trim();
    try {
      await this.api.post('/api/presets', { name, settings: this.settings() });
      find('save-preset').close();
      await this.load();
      this.show(name);
    } catch (error) {
      const isOthers = error.status === 403 && this.named(name)?.is_built_in === false;
      find('preset-problem').textContent = isOthers ? `${name} is another listener's; choose another name.` : error.message;
    }
  }

  async remove(preset) {
    try {
      await this.api.delete(pathOf(preset.name));
      await this.load();
    } catch (error) {
      this.onProblem(error);
    }
  }
}

const pathOf = (name) => `/api/presets/${encodeURIComponent(name)}`;
