// SPDX-License-Identifier: Apache-2.0

/// The element of that id; the page has it.
export const find = (id) => document.getElementById(id);

/// A new element with these properties and content. Text is only ever text.
export function element(name, properties, ...content) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...content);
  return made;
}

/// Text that changes often: only a change touches the page.
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/// Saves a file of the browser's own making, or one of the server's.
export function download(address, name) {
  const link = element('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

export const seconds = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0)) + ' s';

export function duration(total) {
  const part = (size, most) => Math.floor(total / size) % most;
  const days = Math.floor(total / 86400);
  const clock = [part(3600, 24), part(60, 60), part(1, 60)].map((n) => String(n).padStart(2, '0')).join(':');
  return days > 0 ? `${days} d ${clock}` : clock;
}

export function bytes(count) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const unit = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
  const value = count / 1000 ** unit;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
