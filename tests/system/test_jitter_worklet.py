# SPDX-License-Identifier: Apache-2.0
"""The page's AudioWorklet by itself: frames come late, twice and not at all, and what leaves it is listened to."""
import base64

import numpy

from audio import RATE, needs
from page import PageTest

# Plays events [{at, from, to, jump, is_join, capture}]: at that second of the output the tone of those seconds of the
# station's clock comes in frames of 20 ms, its phase moved by `jump`; and so many frames of the output are captured.
PLAY = """
const [rate, seconds, target, events, done] = arguments;
(async () => {
  const context = new OfflineAudioContext(2, rate * seconds, rate);
  await context.audioWorklet.addModule('/jitter_worklet.js');
  const node = new AudioWorkletNode(context, 'jitter', { numberOfInputs: 0, outputChannelCount: [2] });
  node.connect(context.destination);
  let report = null;
  let known = null; // when the capture came
  node.port.onmessage = ({ data }) => {
    if (data.type === 'report') report = data;
    else if (data.type === 'captured') known = report;
  };
  node.port.postMessage({ type: 'target', seconds: target });
  const push = (event) => {
    if (event.capture) node.port.postMessage({ type: 'capture', id: 1, frames: event.capture });
    if (event.clear) node.port.postMessage({ type: 'clear' });
    for (let time = event.from * 48000; time < event.to * 48000; time += 960) {
      const left = Float32Array.from({ length: 960 }, (_, n) => 0.5 * Math.sin(2 * Math.PI * 440 * (time + n) / 48000 + (event.jump ?? 0)));
      node.port.postMessage({ type: 'chunk', time, isJoin: !!event.is_join && time === event.from * 48000, left, right: left });
    }
  };
  const settle = () => new Promise((resolve) => setTimeout(resolve, 100));
  for (const event of events) {
    if (event.at === 0) push(event);
    else context.suspend(event.at).then(async () => { push(event); await settle(); context.resume(); });
  }
  await settle();
  const rendered = await context.startRendering();
  await settle();
  const reader = new FileReader();
  reader.onload = () => done({ report, known, samples: reader.result.split(',')[1] });
  reader.readAsDataURL(new Blob([rendered.getChannelData(0)]));
})();
"""
# The bend of a tone of 440 Hz at 0.5, and of a fade of 5 ms at its ends, stays below this; a click does not.
NO_CLICK = 0.01


@needs("chromium")
@needs("chromedriver")
class JitterWorklet(PageTest):
    def setUp(self):
        super().setUp()
        self.open_page()

    def sound(self, seconds, target, *events, rate=RATE):
        result = self.browser.execute_async_script(PLAY, rate, seconds, target, list(events))
        samples = numpy.frombuffer(base64.b64decode(result["samples"]), "<f4")
        self.assertEqual(len(samples), rate * seconds)
        self.assertLess(numpy.max(numpy.abs(numpy.diff(samples, 2))), NO_CLICK, "a click")
        self.assertLess(numpy.max(numpy.abs(samples)), 0.51)
        self.known = result["known"]
        return samples, result["report"]

    @staticmethod
    def heard_seconds(samples, rate=RATE):
        """How long it sounds: steps of 5 ms in which there is something."""
        step = rate // 200
        return sum(numpy.max(numpy.abs(samples[n:n + step])) > 0.05 for n in range(0, len(samples), step)) / 200

    @staticmethod
    def frequency(samples, rate=RATE):
        rises = numpy.flatnonzero((samples[:-1] < 0) & (samples[1:] >= 0))
        places = rises + samples[rises] / (samples[rises] - samples[rises + 1])
        return rate * (len(places) - 1) / (places[-1] - places[0])

    def test_plays_what_comes_and_fades_at_the_end(self):
        samples, report = self.sound(2, 1, {"at": 0, "from": 0, "to": 1})
        self.assertAlmostEqual(self.heard_seconds(samples), 1, delta=0.03)
        self.assertEqual(report["underruns"], 1)

    def test_who_gets_a_capture_knows_that_it_breaks_off(self):
        samples, _ = self.sound(1, 1, {"at": 0, "from": 0, "to": 0.5, "capture": RATE * 51 // 100})
        self.assertEqual(samples[RATE * 51 // 100 - 1], 0, "it goes on")
        self.assertEqual(self.known["underruns"], 1)
        self.assertFalse(self.known["isPlaying"])

    def test_waits_for_a_quarter_of_a_second(self):
        samples, _ = self.sound(2, 1, {"at": 0, "from": 0, "to": 0.24}, {"at": 1, "from": 0.24, "to": 0.5})
        self.assertEqual(numpy.max(numpy.abs(samples[:RATE - 128])), 0)
        self.assertGreater(self.heard_seconds(samples), 0.4)

    def test_speed_stays_within_half_a_percent(self):
        for target, least, most in ((3, 0.995, 1), (0.5, 1, 1.005)):
            with self.subTest(target=target):
                samples, _ = self.sound(1, target, {"at": 0, "from": 0, "to": 1.5})
                found = self.frequency(samples[RATE // 2:]) / 440
                self.assertGreaterEqual(found, least - 1e-4)
                self.assertLessEqual(found, most + 1e-4)

    def test_keeps_the_pitch_at_another_rate(self):
        samples, _ = self.sound(2, 2, {"at": 0, "from": 0, "to": 2}, rate=44100)
        tone = samples[22050:66150]
        self.assertAlmostEqual(self.frequency(tone, 44100), 440, delta=2.3)

    def test_what_is_missing_is_left_out_by_a_fade(self):
        samples, report = self.sound(3, 2, {"at": 0, "from": 0, "to": 1}, {"at": 0.1, "from": 1.5, "to": 2.5, "jump": 1})
        self.assertAlmostEqual(self.heard_seconds(samples), 2, delta=0.04)
        self.assertEqual(report["underruns"], 1, "the end alone")

    def test_what_comes_twice_is_played_once(self):
        samples, _ = self.sound(3, 2, {"at": 0, "from": 0, "to": 1}, {"at": 0.1, "from": 0.2, "to": 2})
        self.assertAlmostEqual(self.heard_seconds(samples), 2, delta=0.04)
        tone = samples[1000:90000]
        self.assertGreater(numpy.min(numpy.max(numpy.abs(tone[:88800].reshape(-1, 240)), axis=1)), 0.45, "a fade")

    def test_a_station_that_went_back_in_time_is_played_again(self):
        samples, report = self.sound(3, 1, {"at": 0, "from": 5, "to": 6}, {"at": 0.3, "from": 4, "to": 5.5, "jump": 2, "is_join": True})
        self.assertAlmostEqual(self.heard_seconds(samples), 2.5, delta=0.05)
        self.assertEqual(report["underruns"], 1, "the end alone")

    def test_another_clock_is_followed(self):
        samples, report = self.sound(3, 1, {"at": 0, "from": 100, "to": 101}, {"at": 0.5, "from": 0, "to": 1, "jump": 1})
        self.assertAlmostEqual(self.heard_seconds(samples), 2, delta=0.04)
        self.assertAlmostEqual(report["heardTime"], RATE, delta=RATE / 50)

    def test_clearing_does_not_click(self):
        samples, _ = self.sound(2, 1, {"at": 0, "from": 0, "to": 1}, {"at": 0.5, "clear": True, "from": 0, "to": 0})
        self.assertAlmostEqual(self.heard_seconds(samples), 0.5, delta=0.02)

    def test_too_much_is_skipped(self):
        samples, report = self.sound(2, 0.5, {"at": 0, "from": 0, "to": 0.5}, {"at": 0.2, "from": 0.5, "to": 5})
        self.assertEqual(report["skips"], 1)
        self.assertLess(self.heard_seconds(samples), 1)
