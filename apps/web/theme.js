// SPDX-License-Identifier: Apache-2.0
import { find } from './page.js';

/// Dark or light: as the system has it, until the listener chooses.
export class Theme {
  constructor({ memory, onChange }) {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      const isDark = memory.get('isDark', system.matches);
      document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
      find('dark').checked = isDark;
      onChange();
    };
    find('dark').addEventListener('change', () => {
      memory.set('isDark', find('dark').checked);
      apply();
    });
    system.addEventListener('change', apply);
    apply();
  }
}
