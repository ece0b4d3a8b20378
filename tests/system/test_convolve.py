# SPDX-License-Identifier: Apache-2.0
"""`ringwave convolve`, against scipy."""
import signal
import subprocess

import numpy
import scipy.signal

from audio import RATE, error_db, noise, read_wav, write_wav
from program import BAD_FILE, INTERRUPTED, NO_DEVICE, OK, PROGRAM, WRONG_USE, ProgramTest

MODES = ("automatic", "direct", "fft", "partitioned")
# A float holds 144 dB; thousands of taps summed in float, or transforms of as many points, lose some of it.
NEAR_DB = -110
SAME_DB = -120


def response(frames, channels=1, seed=2):
    """Noise that dies away by 60 dB."""
    return noise(frames, channels, seed) * (10 ** (-3 * numpy.arange(frames) / frames))[:, None].astype("f4")


def convolved(samples, taps):
    """Every channel with its response, in full length."""
    return numpy.stack([scipy.signal.fftconvolve(samples[:, c].astype("f8"), taps[:, c].astype("f8"))
                        for c in range(samples.shape[1])], axis=1)


class Convolve(ProgramTest):
    def setUp(self):
        super().setUp()
        self.input, self.response, self.output = (self.folder / name for name in ("in.wav", "ir.wav", "out.wav"))

    def write(self, samples, taps, rate=RATE, response_rate=RATE):
        write_wav(self.input, samples, numpy.float32, rate)
        write_wav(self.response, taps, numpy.float32, response_rate)

    def convolve(self, *arguments):
        self.succeed("convolve", self.input, "--ir", self.response, "-o", self.output, *arguments)
        rate, samples = read_wav(self.output)
        self.assertEqual(rate, RATE)
        self.assertEqual(samples.dtype, numpy.float32)
        return samples if samples.ndim == 2 else samples[:, None]

    def refuse(self, status, *arguments):
        message = self.fail_with(status, "convolve", self.input, "--ir", self.response, "-o", self.output, *arguments)
        self.assertFalse(self.output.exists())
        return message

    def test_every_mode_and_block_gives_what_scipy_gives(self):
        samples, taps = noise(30000), response(5000, 2)
        self.write(samples, taps)
        expected = convolved(samples, taps)[:len(samples)]
        first = self.convolve("--mode", "direct")
        for mode in MODES:
            for block in (16, 1000, 4096):
                with self.subTest(mode=mode, block=block):
                    found = self.convolve("--mode", mode, "--block", block)
                    self.assertLess(error_db(found, expected), NEAR_DB)
                    self.assertLess(error_db(found, first), SAME_DB)

    def test_the_tail_is_the_rest_of_it(self):
        samples, taps = noise(20011), response(7001, 2)
        self.write(samples, taps)
        expected = convolved(samples, taps)
        for block in (16, 4096):
            with self.subTest(block):
                self.assertLess(error_db(self.convolve("--tail", "--block", block), expected), NEAR_DB)

    def test_one_response_is_for_every_channel(self):
        samples, taps = noise(9000, 3), response(800)
        self.write(samples, taps)
        expected = convolved(samples, numpy.repeat(taps, 3, axis=1))[:len(samples)]
        self.assertLess(error_db(self.convolve(), expected), NEAR_DB)

    def test_four_responses_are_true_stereo(self):
        samples, taps = noise(9000), response(800, 4)
        self.write(samples, taps)
        left, right = samples[:, :1], samples[:, 1:]
        ll, lr, rl, rr = (taps[:, i:i + 1] for i in range(4))
        expected = numpy.hstack([convolved(left, ll) + convolved(right, rl),
                                 convolved(left, lr) + convolved(right, rr)])
        self.assertLess(error_db(self.convolve("--tail"), expected), NEAR_DB)

    def test_four_channels_have_a_response_each(self):
        samples, taps = noise(3000, 4), response(200, 4)
        self.write(samples, taps)
        self.assertLess(error_db(self.convolve("--tail"), convolved(samples, taps)), NEAR_DB)

    def test_wet_and_dry_are_added(self):
        for channels in (1, 4):
            with self.subTest(channels):
                samples, taps = noise(5000), response(300, channels)
                self.write(samples, taps)
                wet = self.convolve().astype("f8")
                expected = 10 ** (-6 / 20) * wet + 10 ** (-3 / 20) * samples
                self.assertLess(error_db(self.convolve("--wet-db", -6, "--dry-db", -3), expected), NEAR_DB)

    def test_the_response_may_be_longer_than_the_signal(self):
        samples, taps = noise(100), response(30000, 2)
        self.write(samples, taps)
        expected = convolved(samples, taps)
        for mode in MODES:
            with self.subTest(mode):
                self.assertLess(error_db(self.convolve("--mode", mode), expected[:100]), NEAR_DB)
                self.assertLess(error_db(self.convolve("--mode", mode, "--tail"), expected), NEAR_DB)

    def test_a_second_of_response_is_as_near_in_every_mode(self):
        samples, taps = noise(60000), response(48000, 2)
        self.write(samples, taps)
        expected = convolved(samples, taps)[:len(samples)]
        for mode, block in (("automatic", 4096), ("direct", 4096), ("fft", 4096), ("partitioned", 16),
                            ("partitioned", 4096)):
            with self.subTest(mode=mode, block=block):
                self.assertLess(error_db(self.convolve("--mode", mode, "--block", block), expected), SAME_DB)

    def test_one_sample_gives_the_response(self):
        taps = response(500)
        self.write(numpy.ones((1, 1), "f4"), taps)
        self.assertEqual(self.convolve().shape, (1, 1))
        self.assertLess(error_db(self.convolve("--tail"), taps), SAME_DB)

    def test_nothing_gives_nothing(self):
        self.write(numpy.zeros((0, 2), "f4"), response(500))
        for arguments in ((), ("--tail",)):
            self.assertEqual(len(self.convolve(*arguments)), 0)

    def test_what_is_no_number_is_silence_and_said(self):
        samples, taps = noise(5000), response(300)
        samples[::7] = numpy.nan
        samples[3::11, 0] = numpy.inf
        self.write(samples, taps)
        finite = numpy.where(numpy.isfinite(samples), samples, 0)
        expected = convolved(finite, numpy.repeat(taps, 2, axis=1))[:len(samples)]
        self.assertLess(error_db(self.convolve(), expected), NEAR_DB)
        result = self.succeed("convolve", self.input, "--ir", self.response, "-o", self.output)
        self.assertIn(f"{numpy.sum(~numpy.isfinite(samples))} samples were not finite", result.stderr)

    def test_pipes_work_at_both_ends(self):
        self.write(noise(5000), response(300))
        # Transforms are planned by measuring and may differ in the last bits from run to run; this does not.
        how = ("--tail", "--mode", "direct")
        self.convolve(*how)
        expected = self.output.read_bytes()
        for source, taps, content in (("-", self.response, self.input), (self.input, "-", self.response)):
            result = subprocess.run([PROGRAM, "convolve", source, "--ir", taps, "-o", "-", "--format", "wav32f", *how],
                                    input=content.read_bytes(), capture_output=True, timeout=60, check=False)
            self.assertEqual(result.returncode, OK, result.stderr)
            self.assertEqual(result.stdout, expected)
        self.assertIn("both", self.fail_with(WRONG_USE, "convolve", "-", "--ir", "-", "-o", self.output))

    def test_what_does_not_fit_is_one_sentence(self):
        samples = noise(1000)
        self.write(samples, response(100, 3))
        self.assertIn("3 channels", self.refuse(WRONG_USE))
        self.write(noise(1000, 3), response(100, 4))
        self.assertIn("4 channels", self.refuse(WRONG_USE))
        self.write(samples, response(100), response_rate=44100)
        message = self.refuse(WRONG_USE)
        self.assertIn("44100", message)
        self.assertIn("convert", message)
        self.write(samples, numpy.zeros((0, 1), "f4"))
        self.assertIn("no frames", self.refuse(BAD_FILE))
        self.write(samples, numpy.array([1, numpy.nan], "f4"))
        self.assertIn("not finite", self.refuse(BAD_FILE))
        self.response.unlink()
        self.assertIn("ir.wav", self.refuse(BAD_FILE))

    def test_wrong_values_are_one_sentence(self):
        self.write(noise(1000), response(100))
        for arguments in (("--mode", "magic"), ("--block", 0), ("--block", "many"), ("--wet-db", "nan"),
                          ("--dry-db", 500), ("--device", "toaster")):
            with self.subTest(arguments):
                self.refuse(WRONG_USE, *arguments)

    def test_the_device_is_the_one_that_is_named(self):
        self.write(noise(1000), response(100))
        self.assertEqual(len(self.convolve("--device", "cpu")), 1000)
        self.output.unlink()
        self.refuse(NO_DEVICE, "--device", "cuda:99")

    def test_a_signal_leaves_nothing(self):
        write_wav(self.response, response(500), numpy.float32)
        command = [PROGRAM, "convolve", "-", "--raw-channels", "1", "--ir", self.response, "-o", self.output]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            # More than a pipe holds: when it is written, the program has begun to read.
            program.stdin.write(bytes(1 << 20))
            program.stdin.flush()
            program.send_signal(signal.SIGINT)
            self.assertEqual(program.wait(timeout=60), INTERRUPTED)
            self.assertEqual(len(program.stderr.read().splitlines()), 1)
            program.stdin.close()
        self.assertFalse(self.output.exists())
