// SPDX-License-Identifier: Apache-2.0
import { Api } from './api.js';
import { readAddress, shareAddress, stationAddress } from './address.js';
import { Controls } from './controls.js';
import { Keep } from './keep.js';
import { Listening } from './listening.js';
import { Machine } from './machine.js';
import { Memory } from './memory.js';
import { randomSeed } from './music.js';
import { Numbers } from './numbers.js';
import { find, seconds } from './page.js';
import { Picture } from './picture.js';
import { Presets } from './presets.js';
import { Secrets } from './secrets.js';
import { Station } from './station.js';
import { Theme } from './theme.js';
import { Transport } from './transport.js';
import { inspection } from './inspection.js';

const address = readAddress(location.search);
const memory = new Memory();
const api = new Api(address.token, new Secrets(memory));
const station = new Station({ api, memory, address, search: location.search });

const listening = new Listening({ api, station, codec: address.codec, onStation: showStation, onChange: showState, onTaken: announceSettings });
const transport = new Transport({
  volume: memory.get('volume', 0.8),
  onToggle: () => listening.toggle(),
  onVolume: (volume) => {
    memory.set('volume', volume);
    listening.player.setVolume(volume);
  },
});
const controls = new Controls({ onChange: (settings) => listening.change(settings) });
const presets = new Presets({
  api,
  settings: () => station.settings,
  onChoose: (preset) => listening.choose(preset),
  onProblem: (error) => transport.say(error.message),
});
const picture = new Picture({ canvas: find('picture'), listening, onFrame: showClock });
const numbers = new Numbers();
const machine = new Machine({ api });
new Theme({ memory, onChange: () => picture.readColours() });
new Keep({
  api,
  recorder: listening.recorder,
  now: () => ({ id: station.id, seed: station.seed, heardTime: listening.player.heardTime() }),
});

function showStation() {
  showTitle();
  controls.show(station.settings);
  find('changes').disabled = !station.mayChange;
  find('others').hidden = station.mayChange;
  presets.show(station.preset);
  if (document.activeElement !== find('seed')) find('seed').value = station.seed;
  find('seed-use').hidden = true;
}

function showTitle() {
  transport.showStation(station, listening.heardSettings);
}

function showState() {
  transport.showPlaying(listening.wantsToPlay, listening.isBusy);
  transport.say(listening.words);
}

function announceSettings(inSeconds) {
  transport.announce(`New settings are heard in ${Math.ceil(inSeconds)} seconds.`);
}

/// What follows the clock of what is heard, with every picture.
function showClock() {
  transport.showCountdown(listening.secondsToSettings());
  transport.showPhrase(listening.phraseShare());
  showTitle();
}

setInterval(() => {
  if (listening.wantsToPlay) transport.say(listening.words);
  if (!numbers.isOpen) return;
  const found = listening.measures();
  numbers.show({
    buffer: seconds(found.depthSeconds), target: `${seconds(found.targetSeconds)}${found.tier ? `, ${found.tier}` : ''}`,
    latency: found.latencySeconds === null ? '–' : seconds(found.latencySeconds),
    roundTrip: found.roundTripMs === null ? '–' : `${found.roundTripMs.toFixed(1)} ms`,
    jitter: `${found.jitterMs.toFixed(1)} ms`, speed: `${(100 * found.speed).toFixed(2)} %`,
    underruns: String(found.underruns), gaps: String(found.gaps), reconnects: String(found.reconnects),
    frames: String(found.frames), codec: found.codec ?? '–',
    firstSound: found.firstSoundMs === null ? '–' : `${Math.round(found.firstSoundMs)} ms`,
  });
}, 250);

function useSeed(seed) {
  if (station.isOthers) history.replaceState(null, '', address.token ? `?token=${encodeURIComponent(address.token)}` : '.');
  station.leaveFor(seed, location.search);
  showStation();
  listening.restart();
}

find('seed').addEventListener('input', () => { find('seed-use').hidden = find('seed').value === String(station.seed); });
find('seed-form').addEventListener('submit', (event) => {
  event.preventDefault();
  useSeed(Math.min(Number.MAX_SAFE_INTEGER, Number(find('seed').value)));
});
find('seed-new').addEventListener('click', () => useSeed(randomSeed()));
find('copy').addEventListener('click', () => useSeed(station.seed));
find('share').addEventListener('click', async () => {
  const link = station.isOthers ? stationAddress(station.id) : shareAddress(station);
  try {
    if (navigator.share && matchMedia('(pointer: coarse)').matches) return await navigator.share({ title: 'Ringwave', url: link });
    await navigator.clipboard.writeText(link);
    find('share-result').textContent = 'The link is on the clipboard.';
  } catch (error) {
    if (error.name === 'AbortError') return; // the listener shared nothing after all
    find('share-result').textContent = link; // to be copied by hand
  }
});

function showView() {
  const isMachine = location.hash === '#machine' && !machine.isRefused;
  find('view-station').hidden = isMachine;
  find('view-machine').hidden = !isMachine;
  for (const [id, isHere] of [['to-station', !isMachine], ['to-machine', isMachine]]) {
    if (isHere) find(id).setAttribute('aria-current', 'page');
    else find(id).removeAttribute('aria-current');
  }
  machine.watch(isMachine);
}
addEventListener('hashchange', showView);
addEventListener('online', () => { if (listening.connection.state === 'waiting') listening.connection.again(); });

listening.player.setVolume(memory.get('volume', 0.8));
showStation();
showState();
showView();
machine.ask().then(() => {
  find('to-machine').hidden = machine.isRefused;
  showView();
});
station.refresh().then(showStation, () => {}); // Play will say what is wrong
presets.load().then(showStation, () => {});
window.ringwave = inspection(listening);
