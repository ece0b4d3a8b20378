# SPDX-License-Identifier: Apache-2.0
"""`ringwave filter`, against the formulas of the cookbook, scipy and sox."""
import math
import subprocess

import numpy
import scipy.signal

from audio import RATE, error_db, needs, noise, read_wav, write_wav
from program import NO_DEVICE, WRONG_USE, ProgramTest

# Rounding to float once, at the output, is -150 dB; the memory between samples is double.
NEAR_DB = -130
Q = 1 / math.sqrt(2)


def cookbook(kind, hz, q=Q, gain_db=0.0, rate=RATE):
    """R. Bristow-Johnson's cookbook, as it is printed."""
    a = 10 ** (gain_db / 40)
    w = 2 * math.pi * hz / rate
    cos, alpha = math.cos(w), math.sin(w) / (2 * q)
    root = 2 * math.sqrt(a) * alpha
    plain = [1 + alpha, -2 * cos, 1 - alpha]
    return {
        "lowpass": ([(1 - cos) / 2, 1 - cos, (1 - cos) / 2], plain),
        "highpass": ([(1 + cos) / 2, -1 - cos, (1 + cos) / 2], plain),
        "bandpass": ([alpha, 0, -alpha], plain),
        "notch": ([1, -2 * cos, 1], plain),
        "allpass": ([1 - alpha, -2 * cos, 1 + alpha], plain),
        "peaking": ([1 + alpha * a, -2 * cos, 1 - alpha * a], [1 + alpha / a, -2 * cos, 1 - alpha / a]),
        "low-shelf": ([a * (a + 1 - (a - 1) * cos + root), 2 * a * (a - 1 - (a + 1) * cos),
                       a * (a + 1 - (a - 1) * cos - root)],
                      [a + 1 + (a - 1) * cos + root, -2 * (a - 1 + (a + 1) * cos), a + 1 + (a - 1) * cos - root]),
        "high-shelf": ([a * (a + 1 + (a - 1) * cos + root), -2 * a * (a - 1 + (a + 1) * cos),
                        a * (a + 1 + (a - 1) * cos - root)],
                       [a + 1 - (a - 1) * cos + root, 2 * (a - 1 - (a + 1) * cos), a + 1 - (a - 1) * cos - root]),
    }[kind]


class Filter(ProgramTest):
    def setUp(self):
        super().setUp()
        self.input, self.output = self.folder / "in.wav", self.folder / "out.wav"
        self.samples = noise(40000).astype("f8")
        write_wav(self.input, self.samples, numpy.float32)

    def filtered(self, *arguments):
        result = self.succeed("filter", self.input, "-o", self.output, *arguments)
        samples = read_wav(self.output)[1]
        self.assertEqual(samples.dtype, numpy.float32)
        return samples, result

    def refuse(self, *arguments):
        message = self.fail_with(WRONG_USE, "filter", self.input, "-o", self.output, *arguments)
        self.assertFalse(self.output.exists())
        return message

    def test_every_filter_is_that_of_the_cookbook(self):
        for kind in ("lowpass", "highpass", "bandpass", "notch", "allpass"):
            for hz, q in ((100, None), (5000, 3)):
                with self.subTest(kind, hz=hz, q=q):
                    found, _ = self.filtered(f"--{kind}", hz, *(["--q", q] if q else []))
                    expected = scipy.signal.lfilter(*cookbook(kind, hz, q or Q), self.samples, axis=0)
                    self.assertLess(error_db(found, expected), NEAR_DB)
        for kind in ("peaking", "low-shelf", "high-shelf"):
            for gain_db in (-9, 6):
                with self.subTest(kind, gain_db=gain_db):
                    found, _ = self.filtered(f"--{kind}", 1000, "--gain-db", gain_db, "--q", 1.2)
                    expected = scipy.signal.lfilter(*cookbook(kind, 1000, 1.2, gain_db), self.samples, axis=0)
                    self.assertLess(error_db(found, expected), NEAR_DB)

    def test_butterworth_is_that_of_scipy(self):
        for kind, edges, flags in (("lowpass", 2000, ("--butterworth-lowpass", 2000)),
                                   ("highpass", 300, ("--butterworth-highpass", 300)),
                                   ("bandpass", (300, 3400), ("--butterworth-bandpass", 300, "--to", 3400))):
            for order in (None, 1, 7):
                with self.subTest(kind, order=order):
                    found, _ = self.filtered(*flags, *(["--order", order] if order else []))
                    sections = scipy.signal.butter(order or 4, edges, kind, fs=RATE, output="sos")
                    self.assertLess(error_db(found, scipy.signal.sosfilt(sections, self.samples, axis=0)), NEAR_DB)

    @needs("sox")
    def test_sox_hears_the_same(self):
        flags = ("--highpass", 80, "--peaking", 1000, "--q", 2, "--gain-db", -6, "--lowpass", 8000)
        found, _ = self.filtered(*flags)
        by_sox = self.folder / "sox.wav"
        effects = "highpass 80 0.70710678q equalizer 1000 2q -6 lowpass 8000 0.70710678q".split()
        subprocess.run(["sox", "-D", self.input, "-e", "floating-point", "-b", "32", by_sox, *effects], check=True)
        # sox rounds to 32-bit integers between its effects.
        self.assertLess(error_db(found, read_wav(by_sox)[1]), -120)

    def test_settings_belong_to_the_filter_before_them(self):
        found, _ = self.filtered("--peaking", 500, "--gain-db", 6, "--q", 4, "--peaking", 3000, "--gain-db", -12,
                                 "--peaking", 500, "--q", 0.5, "--gain-db", 3)
        expected = self.samples
        for hz, q, gain_db in ((500, 4, 6), (3000, Q, -12), (500, 0.5, 3)):
            expected = scipy.signal.lfilter(*cookbook("peaking", hz, q, gain_db), expected, axis=0)
        self.assertLess(error_db(found, expected), NEAR_DB)

    def test_where_the_files_stand_among_the_filters_is_the_same(self):
        first, _ = self.filtered("--lowpass", 900, "--q", 2, "--highpass", 90)
        self.succeed("filter", "--lowpass=900", "--q=2", self.input, "--highpass", 90, "-o", self.output)
        numpy.testing.assert_array_equal(read_wav(self.output)[1], first)

    def test_a_nan_does_not_stay(self):
        broken = self.samples.copy()
        broken[1000, 0] = numpy.nan
        broken[2000:2003, 1] = numpy.inf
        write_wav(self.input, broken, numpy.float32)
        found, result = self.filtered("--lowpass", 1000)
        finite = numpy.where(numpy.isfinite(broken), broken, 0)
        expected = scipy.signal.lfilter(*cookbook("lowpass", 1000), finite, axis=0)
        self.assertLess(error_db(found, expected), NEAR_DB)
        self.assertIn("4 samples were not finite", result.stderr)

    def test_the_device_is_the_one_that_is_named(self):
        self.filtered("--lowpass", 1000, "--device", "cpu")
        self.output.unlink()
        self.fail_with(NO_DEVICE, "filter", self.input, "-o", self.output, "--lowpass", 1000, "--device", "cuda:99")

    def test_odd_lengths_are_fine(self):
        for frames in (0, 1, 2):
            with self.subTest(frames):
                write_wav(self.input, self.samples[:frames], numpy.float32)
                found, _ = self.filtered("--lowpass", 1000)
                expected = scipy.signal.lfilter(*cookbook("lowpass", 1000), self.samples[:frames], axis=0)
                numpy.testing.assert_allclose(found, expected, atol=1e-8)

    def test_a_filter_that_would_change_nothing_is_refused(self):
        for kind in ("--peaking", "--low-shelf", "--high-shelf"):
            with self.subTest(kind):
                for arguments in ((kind, 1000), (kind, 1000, "--q", 2), (kind, 300, "--gain-db", 3, kind, 1000)):
                    message = self.refuse(*arguments)
                    self.assertIn(kind, message)
                    self.assertIn("--gain-db", message)
                found, _ = self.filtered(kind, 1000, "--gain-db", 0)
                self.assertLess(error_db(found, self.samples), NEAR_DB)
                self.output.unlink()

    def test_wrong_filters_are_one_sentence(self):
        for arguments, word in (((), "--lowpass"), (("--lowpass", 24000), "half the rate"), (("--notch", 0), "above 0"),
                                (("--highpass", -5), "above 0"), (("--peaking", "nan", "--gain-db", 1), "frequency"),
                                (("--lowpass", "high"), "--lowpass"), (("--lowpass", 900, "--q", 0), "q of 0"),
                                (("--lowpass", 900, "--q", -1), "q of -1"), (("--q", 1, "--lowpass", 900), "before"),
                                (("--lowpass", 900, "--gain-db", 3), "--gain-db"),
                                (("--peaking", 900, "--gain-db", 300), "120 dB"),
                                (("--lowpass", 900, "--q", 1, "--q", 2), "twice"),
                                (("--butterworth-lowpass", 900, "--order", 0), "order"),
                                (("--butterworth-lowpass", 900, "--order", 2.5), "--order"),
                                (("--butterworth-lowpass", 900, "--q", 2), "--q"),
                                (("--butterworth-highpass", 30000), "half the rate"),
                                (("--butterworth-bandpass", 900), "--to"),
                                (("--butterworth-bandpass", 900, "--to", 300), "ascend"),
                                (("--lowpass", 900) * 65, "65")):
            with self.subTest(arguments[:4]):
                self.assertIn(word, self.refuse(*arguments))
