# SPDX-License-Identifier: Apache-2.0
"""`ringwave loudness`, against EBU Tech 3341 and ffmpeg's meter."""
import json
import re
import subprocess

import numpy

from audio import RATE, needs, tone, write_wav
from program import BAD_FILE, WRONG_USE, ProgramTest


class Loudness(ProgramTest):
    def setUp(self):
        super().setUp()
        self.input = self.folder / "in.wav"

    def measure(self, *arguments):
        return json.loads(self.succeed("loudness", self.input, "--json", *arguments).stdout)

    def test_a_tone_of_minus_23_is_minus_23(self):
        time = numpy.arange(20 * RATE) / RATE
        mono = 10 ** (-23 / 20) * numpy.sin(2 * numpy.pi * 1000 * time)
        write_wav(self.input, numpy.stack([mono, mono], axis=1), numpy.float32)
        found = self.measure()
        for name in ("integrated_lufs", "max_momentary_lufs", "max_short_term_lufs"):
            self.assertAlmostEqual(found[name], -23, delta=0.1)
        self.assertAlmostEqual(found["true_peak_dbtp"], -23, delta=0.2)
        self.assertEqual(found["frames"], 20 * RATE)
        self.assertRegex(self.succeed("loudness", self.input).stdout, r"integrated +-23\.0 LUFS")

    @needs("ffmpeg")
    def test_noise_that_comes_and_goes_is_measured_as_ffmpeg_does(self):
        random = numpy.random.default_rng(7)
        level = numpy.repeat(random.uniform(0.01, 0.5, 40), RATE)
        write_wav(self.input, random.normal(0, 0.3, (40 * RATE, 2)) * level[:, None], numpy.float32)
        found = self.measure()
        text = subprocess.run(["ffmpeg", "-nostdin", "-nostats", "-i", self.input, "-af", "ebur128=peak=true", "-f",
                               "null", "-"], capture_output=True, text=True, check=True).stderr.split("Summary:")[1]
        for name, pattern, delta in (("integrated_lufs", r"I: +(\S+) LUFS", 0.1), ("range_lu", r"LRA: +(\S+) LU", 0.5),
                                     ("true_peak_dbtp", r"Peak: +(\S+) dBFS", 0.4)):
            self.assertAlmostEqual(found[name], float(re.search(pattern, text).group(1)), delta=delta, msg=name)

    def test_silence_is_null_and_a_word(self):
        write_wav(self.input, 0 * tone())
        found = self.measure()
        self.assertIsNone(found["integrated_lufs"])
        self.assertIsNone(found["true_peak_dbtp"])
        self.assertRegex(self.succeed("loudness", self.input).stdout, r"integrated +silence")

    def test_what_is_too_short_is_not_silence(self):
        write_wav(self.input, tone(0.1))
        found = self.measure()
        self.assertEqual(found["too_short_for"], ["integrated_lufs", "range_lu", "max_short_term_lufs"])
        for name in found["too_short_for"]:
            self.assertIsNone(found[name])
        self.assertAlmostEqual(found["max_momentary_lufs"], -12, delta=1)  # a quarter of the window
        self.assertAlmostEqual(found["true_peak_dbtp"], -6, delta=0.2)
        said = self.succeed("loudness", self.input).stdout
        self.assertNotIn("silence", said)
        for name in ("integrated", "range", "highest short-term"):
            self.assertRegex(said, f"{name} +too short")
        write_wav(self.input, tone(1))
        found = self.measure()
        self.assertEqual(found["too_short_for"], ["range_lu", "max_short_term_lufs"])
        self.assertAlmostEqual(found["integrated_lufs"], -6, delta=1)
        write_wav(self.input, tone(4))
        self.assertEqual(self.measure()["too_short_for"], [])
        write_wav(self.input, 0 * tone(0.1))
        self.assertRegex(self.succeed("loudness", self.input).stdout, r"true peak +silence")

    def test_bad_input_is_one_sentence(self):
        self.assertIn("absent.wav", self.fail_with(BAD_FILE, "loudness", "absent.wav"))
        self.input.write_bytes(b"not a song")
        self.assertIn(str(self.input), self.fail_with(BAD_FILE, "loudness", self.input))
        write_wav(self.input, tone(channels=65))
        self.assertIn("65 channels", self.fail_with(WRONG_USE, "loudness", self.input))
