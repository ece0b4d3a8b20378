# SPDX-License-Identifier: Apache-2.0
"""`ringwave resample`, against scipy, sox and what the meter knows."""
import resource
import subprocess
import threading

import numpy
import scipy.signal

from audio import RATE, error_db, needs, noise, read_wav, tone, write_wav
from program import BAD_FILE, OK, PROGRAM, WRONG_USE, ProgramTest


def sine(hz, rate=RATE, seconds=2.0, amplitude=0.5):
    time = numpy.arange(int(seconds * rate)) / rate
    return amplitude * numpy.sin(2 * numpy.pi * hz * time)[:, None]


def level(samples, hz, rate):
    """The amplitude at a frequency, away from the ends."""
    middle = samples[len(samples) // 4:-len(samples) // 4]
    window = scipy.signal.windows.blackmanharris(len(middle), sym=False)
    turn = numpy.exp(-2j * numpy.pi * hz * numpy.arange(len(middle)) / rate)
    return 2 * abs(numpy.sum(window * middle * turn)) / numpy.sum(window)


class Resample(ProgramTest):
    def setUp(self):
        super().setUp()
        self.input, self.output = self.folder / "in.wav", self.folder / "out.wav"

    def resampled(self, samples, to, *arguments, rate=RATE):
        write_wav(self.input, samples, numpy.float32, rate)
        self.succeed("resample", self.input, "-o", self.output, "--rate", to, *arguments)
        found, out = read_wav(self.output)
        self.assertEqual((found, out.dtype), (to, numpy.float32))
        return out.astype("f8")

    @staticmethod
    def limited_noise():
        """Nothing above 17 kHz, to -130 dB: every good resampler makes the same of it."""
        taps = scipy.signal.firwin(1001, 16000, window=("kaiser", 14), fs=RATE)
        return scipy.signal.lfilter(taps, 1, noise(RATE, 1)[:, 0])

    def refuse(self, *arguments, status=WRONG_USE):
        message = self.fail_with(status, "resample", *arguments)
        self.assertEqual([file.name for file in self.folder.iterdir() if file.name.startswith("out")], [])
        return message

    def test_a_sine_keeps_its_pitch_and_level(self):
        for rate, to in ((48000, 44100), (44100, 48000), (48000, 8000), (8000, 96000), (44100, 22051)):
            for quality in ("finest", "medium", "high", "very-high"):
                with self.subTest(f"{rate} to {to}, {quality}"):
                    out = self.resampled(sine(1000, rate), to, "--quality", quality, rate=rate)
                    self.assertAlmostEqual(20 * numpy.log10(level(out, 1000, to) / 0.5), 0, delta=0.01)
                    spectrum = numpy.abs(numpy.fft.rfft(out * scipy.signal.windows.hann(len(out))))
                    self.assertAlmostEqual(numpy.argmax(spectrum) * to / len(out), 1000, delta=0.5)

    def test_what_does_not_fit_is_gone(self):
        for quality, decibels in (("finest", -130), ("high", -100), ("very-high", -130)):
            out = self.resampled(sine(23000), 44100, "--quality", quality)
            middle = out[len(out) // 4:-len(out) // 4]
            self.assertLess(20 * numpy.log10(numpy.abs(middle).max() / 0.5), decibels)

    def test_the_band_is_that_of_scipy(self):
        samples = self.limited_noise()
        window = scipy.signal.firwin(160 * 200 + 1, 0.95 / 160, window=("kaiser", 14))
        expected = scipy.signal.resample_poly(samples.astype("f4").astype("f8"), 147, 160, window=window)
        # What libsoxr's filters leave of flatness below 16 kHz: the difference does not depend on scipy's length.
        for quality, decibels in (("finest", -130), ("high", -100), ("very-high", -115)):
            out = self.resampled(samples, 44100, "--quality", quality)
            self.assertLess(error_db(out[2000:-2000], expected[2000:-2000]), decibels)

    def test_without_a_word_it_is_our_own_at_its_finest(self):
        samples = self.limited_noise()
        own = self.resampled(samples, 44100, "--quality", "finest", "--device", "cpu")
        numpy.testing.assert_array_equal(self.resampled(samples, 44100, "--device", "cpu"), own)
        self.assertFalse(numpy.array_equal(self.resampled(samples, 44100, "--quality", "high"), own))

    def test_tones_come_out_as_they_are_to_134_decibels(self):
        for rate, to in ((48000, 44100), (44100, 48000), (8000, 384000), (384000, 8000), (96000, 44100), (44100, 22050)):
            with self.subTest(f"{rate} to {to}"):
                def tones(time):
                    # Up to 0.9 of the lower Nyquist frequency.
                    shares = (0.01, 0.11, 0.3, 0.52, 0.7, 0.83, 0.9)
                    return sum(0.14 * numpy.sin(2 * numpy.pi * (share * min(rate, to) / 2 * time + share)) for share in shares)
                out = self.resampled(tones(numpy.arange(2 * rate) / rate)[:, None], to, rate=rate)
                middle = slice(len(out) // 4, -len(out) // 4)
                self.assertLess(error_db(out[middle], tones(numpy.arange(len(out)) / to)[middle]), -134)

    def test_what_does_not_fit_is_gone_to_134_decibels(self):
        time = numpy.arange(RATE) / RATE
        for hz in (22060, 22200, 22500, 23000, 23990):
            out = self.resampled(numpy.sin(2 * numpy.pi * hz * time)[:, None], 44100)
            middle = out[len(out) // 4:-len(out) // 4]
            self.assertLess(10 * numpy.log10(2 * numpy.mean(middle ** 2)), -134, hz)

    def test_an_uncommon_ratio_is_done_by_libsoxr_at_its_best(self):
        samples = self.limited_noise()
        out = self.resampled(samples, 44101)
        numpy.testing.assert_array_equal(out, self.resampled(samples, 44101, "--quality", "very-high"))

    def test_channels_do_not_know_each_other(self):
        samples = noise(30000, 8)
        out = self.resampled(samples, 44100, "--device", "cpu")
        for channel in range(8):
            alone = self.resampled(samples[:, channel], 44100, "--device", "cpu")
            numpy.testing.assert_array_equal(out[:, channel], alone)

    def test_a_long_input_takes_no_more_memory(self):
        # An hour and a half of silence in a hole, 1 GB of samples.
        with open(self.folder / "in.raw", "wb") as file:
            file.truncate(90 * 60 * RATE * 4)
        result = subprocess.run([PROGRAM, "resample", self.folder / "in.raw", "--raw-channels", "1", "--raw-rate", str(RATE),
                                 "--rate", "8000", "-o", "/dev/null", "--format", "raw"], capture_output=True, text=True,
                                timeout=300, check=False, env=self.settings(),
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (400 << 20, 400 << 20)))
        self.assertEqual(result.returncode, OK, result.stderr)

    @needs("sox")
    def test_sox_hears_the_same(self):
        samples = self.limited_noise()
        out = self.resampled(samples, 44100, "--quality", "very-high")
        made = subprocess.run(["sox", self.input, "-t", "f32", "-", "rate", "-v", "44100"], capture_output=True, check=True)
        by_sox = numpy.frombuffer(made.stdout, "<f4")
        self.assertLess(error_db(out[2000:-2000], by_sox[2000:len(out) - 2000]), -110)

    def test_the_length_is_exact_and_an_impulse_lands_at_its_place(self):
        for rate, to, frames in ((48000, 44100, 9601), (44100, 48000, 4411), (8000, 192000, 999), (96000, 1000, 12345)):
            with self.subTest(f"{rate} to {to}"):
                samples = numpy.zeros((frames, 2))
                samples[frames // 3] = 1
                out = self.resampled(samples, to, rate=rate)
                self.assertEqual(len(out), int(frames * to / rate + 0.5))
                self.assertLessEqual(abs(numpy.argmax(out[:, 1]) - frames // 3 * to / rate), 0.51)

    def test_the_same_rate_is_the_same_audio(self):
        samples = noise(5000)
        numpy.testing.assert_allclose(self.resampled(samples, RATE), samples, atol=1e-6)

    def test_pipes_give_what_files_give(self):
        samples = noise(50000)
        self.resampled(samples, 44100)
        for form in ("wav32f", "raw", "flac"):
            with self.subTest(form):
                out = self.folder / "file"
                self.succeed("resample", self.input, "-o", out, "--rate", 44100, "--format", form, "--device", "cpu")
                piped = subprocess.run([PROGRAM, "resample", "-", "-o", "-", "--rate", "44100", "--format", form,
                                        "--device", "cpu"],
                                       input=self.input.read_bytes(), capture_output=True, timeout=60, check=True).stdout
                self.assertGreater(len(piped), 10000)
                if form != "flac":  # whose header a pipe cannot go back to
                    self.assertEqual(piped, out.read_bytes())

    def test_what_comes_slowly_is_written_before_it_ends(self):
        command = [PROGRAM, "resample", "-", "--raw-channels", "2", "-o", "-", "--format", "raw", "--rate", "44100"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.settings()) as program:
            heard = threading.Event()

            def feed():
                with program.stdin as file:
                    file.write(bytes(RATE * 8))  # a second
                    file.flush()
                    heard.wait(60)

            feeder, watch = threading.Thread(target=feed), threading.Timer(60, program.kill)
            feeder.start()
            watch.start()
            self.assertEqual(len(program.stdout.read(44100 * 4)), 44100 * 4, "half of it, while the input is open")
            heard.set()
            self.assertEqual(len(program.stdout.read()), 44100 * 4)
            watch.cancel()
            feeder.join()
            self.assertEqual(program.wait(timeout=60), OK)

    def test_odd_inputs_are_fine(self):
        for frames, expected in ((0, 0), (1, 1), (2, 2), (3, 3)):
            with self.subTest(f"{frames} frames"):
                self.assertEqual(len(self.resampled(numpy.full((frames, 1), 0.5), 44100)), expected)
        self.assertEqual(self.resampled(tone(channels=64), 32000).shape, (16000, 64))
        samples = noise(5000)
        samples[100, 0] = numpy.nan
        write_wav(self.input, samples, numpy.float32)
        result = self.succeed("resample", self.input, "-o", self.output, "--rate", 44100)
        self.assertIn("1 samples were not finite", result.stderr)
        self.assertTrue(numpy.isfinite(read_wav(self.output)[1]).all())

    def test_rates_that_cannot_be_are_one_sentence(self):
        write_wav(self.input, tone())
        for rate in ("0", "-1", "10000000", "999", "fast", "", "44100.5", "1e99"):
            with self.subTest(rate):
                self.refuse(self.input, "-o", self.output, "--rate=" + rate)
        self.assertIn("10000000", self.refuse(self.input, "-o", self.output, "--rate", 10_000_000))
        self.assertIn("--rate", self.refuse(self.input, "-o", self.output))
        self.assertIn("'best'", self.refuse(self.input, "-o", self.output, "--rate", 44100, "--quality", "best"))

    def test_bad_files_are_one_sentence_and_leave_nothing(self):
        write_wav(self.input, tone())
        whole = self.input.read_bytes()
        for name, content in (("empty", b""), ("torn", whole[:len(whole) // 2]), ("text", b"Dear reader, good day.")):
            with self.subTest(name):
                self.input.write_bytes(content)
                self.assertIn(str(self.input), self.refuse(self.input, "-o", self.output, "--rate", 44100, status=BAD_FILE))
        self.assertIn("absent.wav", self.refuse("absent.wav", "-o", self.output, "--rate", 44100, status=BAD_FILE))
        self.input.write_bytes(whole)
        self.assertIn("absent/out.wav", self.refuse(self.input, "-o", "absent/out.wav", "--rate", 44100, status=BAD_FILE))
        self.assertIn("out.mp4", self.refuse(self.input, "-o", "out.mp4", "--rate", 44100))
        self.refuse(self.input, "-o", "/dev/full", "--format", "wav16", "--rate", 44100, status=BAD_FILE)
