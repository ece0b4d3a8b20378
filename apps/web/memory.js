// SPDX-License-Identifier: Apache-2.0

/// What the page remembers in this browser. Where the browser keeps nothing it forgets, and works on.
export class Memory {
  constructor(name = 'ringwave') {
    this.name = name;
    this.values = {};
    this.isKept = true; // the browser takes what is written
    this.read();
  }

  get(key, otherwise) {
    return this.values[key] ?? otherwise;
  }

  /// The same with what other tabs have written since.
  fresh(key, otherwise) {
    this.read();
    return this.get(key, otherwise);
  }

  /// What other tabs have written under other keys stays.
  set(key, value) {
    this.read();
    this.values[key] = value;
    try {
      localStorage.setItem(this.name, JSON.stringify(this.values));
    } catch {
      this.isKept = false; // full, or forbidden
    }
  }

  read() {
    if (!this.isKept) return;
    try {
      this.values = JSON.parse(localStorage.getItem(this.name)) ?? this.values;
    } catch { /* nothing there, or not ours */ }
  }
}
