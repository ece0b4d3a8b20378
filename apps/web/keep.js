// SPDX-License-Identifier: Apache-2.0
import { download, find } from './page.js';

const ASK_AGAIN_MS = 300;

/// Saves the last minutes: out of the page's memory as they were heard, or rendered by the server.
export class Keep {
  /// now(): { id, seed, heardTime } of what is played.
  constructor({ api, recorder, now }) {
    Object.assign(this, { api, recorder, now });
    find('keep').addEventListener('submit', (event) => {
      event.preventDefault();
      this.save(60 * find('keep-minutes').value, find('keep-format').value);
    });
  }

  async save(seconds, format) {
    this.show('', 0);
    find('keep-save').disabled = true;
    try {
      this.show(await (format === 'page' ? this.saveHeard(seconds) : this.render(seconds, format)));
    } catch (error) {
      this.show(error.message);
    }
    find('keep-save').disabled = false;
    find('keep-progress').hidden = true;
  }

  saveHeard(seconds) {
    if (this.recorder.seconds < 1) throw new Error('Nothing was heard yet.');
    const address = URL.createObjectURL(this.recorder.file(seconds));
    download(address, this.name('wav'));
    setTimeout(() => URL.revokeObjectURL(address), 60000); // the browser has read it by then
    return `Saved ${Math.round(Math.min(seconds, this.recorder.seconds))} s.`;
  }

  async render(seconds, format) {
    const { id, heardTime } = this.now();
    if (!id) throw new Error('Nothing was heard yet.');
    const wanted = { format, seconds, station: id };
    if (heardTime !== null) wanted.until = Math.round(heardTime);
    let job = await this.api.post('/api/render', wanted);
    const path = `/api/render/${encodeURIComponent(job.id)}`;
    find('keep-progress').hidden = false;
    while (job.state === 'waiting' || job.state === 'running') {
      this.show(job.state === 'waiting' ? 'Waiting…' : 'Rendering…', job.progress);
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
      job = await this.api.get(path);
    }
    if (job.state !== 'done') throw new Error(job.error?.message ?? job.error ?? 'It could not be rendered.');
    download(this.api.address(job.url ?? `${path}/file`), this.name(format));
    return 'Rendered.';
  }

  name(format) {
    return `ringwave-${this.now().seed}.${format}`;
  }

  show(text, progress = 1) {
    find('keep-result').value = text;
    find('keep-progress').value = progress;
  }
}
