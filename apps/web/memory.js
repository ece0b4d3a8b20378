// SPDX-License-Identifier: Apache-2.0

/// What the page remembers in this browser. Where the browser keeps nothing it forgets, and works on.
export class Memory {
  constructor(name = 'ringwave') {
    this.name = name;
    this.values = {};
    try {
      this.values = JSON.parse(localStorage.getItem(name)) ?? {};
    } catch { /* nothing there, or not ours */ }
  }

  get(key, otherwise) {
    return this.values[key] ?? otherwise;
  }

  set(key, value) {
    this.values[key] = value;
    try {
      localStorage.setItem(this.name, JSON.stringify(this.values));
    } catch { /* full, or forbidden */ }
  }
}
