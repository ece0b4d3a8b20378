// SPDX-License-Identifier: Apache-2.0
import { fillSlider } from './controls.js';
import { keySign, title, words } from './music.js';
import { find, write } from './page.js';

/// The button, what plays, how it goes, and how loud.
export class Transport {
  constructor({ volume, onToggle, onVolume }) {
    find('play').addEventListener('click', onToggle);
    const slider = find('volume');
    const show = () => {
      fillSlider(slider);
      slider.setAttribute('aria-valuetext', `${Math.round(100 * slider.value)} %`);
    };
    slider.value = volume;
    show();
    slider.addEventListener('input', () => {
      show();
      onVolume(Number(slider.value));
    });
    addEventListener('keydown', (event) => this.key(event, onToggle));
  }

  /// Space plays and pauses, but where it means something of its own.
  key(event, onToggle) {
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.repeat;
    if (event.key !== ' ' || !isPlain) return;
    if (event.target.closest('button, select, summary, dialog, a, input:not([type=range]), [role=switch]')) return;
    event.preventDefault();
    onToggle();
  }

  showPlaying(isPlaying, isBusy) {
    const play = find('play');
    const name = isPlaying ? 'Pause' : 'Play';
    play.setAttribute('aria-label', name);
    play.title = `${name} (space)`;
    play.classList.toggle('is-playing', isPlaying);
    play.classList.toggle('is-busy', isBusy);
    document.body.classList.toggle('is-idle', !isPlaying);
  }

  showStation({ seed, preset, isOthers }, settings) {
    const name = `${keySign(settings.key)} ${words(settings.mode)}`;
    write(find('title'), name);
    const parts = [preset && title(preset), `${Math.round(settings.bpm)} bpm`, `seed ${seed}`, isOthers && 'shared station'];
    write(find('subtitle'), parts.filter(Boolean).join(' · '));
    if (document.title !== `${name} · Ringwave`) document.title = `${name} · Ringwave`;
  }

  say(text) {
    write(find('status'), text);
  }

  /// For those who hear the page: what eyes see by other means.
  announce(text) {
    write(find('announcement'), text);
  }

  /// Seconds until new settings are heard; null where none are awaited.
  showCountdown(left) {
    find('countdown').hidden = left === null;
    if (left !== null) write(find('countdown'), `heard in ${Math.ceil(left)} s`);
  }

  /// How much of the phrase was heard, 0 to 1.
  showPhrase(share) {
    find('sweep').style.strokeDashoffset = String(100 - 100 * share);
  }
}
