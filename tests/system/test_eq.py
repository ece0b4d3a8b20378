# SPDX-License-Identifier: Apache-2.0
"""`ringwave eq`: what it does to an impulse, seen by numpy."""
import numpy

from audio import RATE, read_wav, write_wav
from program import WRONG_USE, ProgramTest

FRAMES = RATE * 2  # the lowest band has died away by then


class Eq(ProgramTest):
    def setUp(self):
        super().setUp()
        self.input, self.output = self.folder / "in.wav", self.folder / "out.wav"
        self.impulse = numpy.zeros((FRAMES, 2))
        self.impulse[0] = 0.5, 0.25
        write_wav(self.input, self.impulse, numpy.float32)

    def equalised(self, *arguments):
        self.succeed("eq", self.input, "-o", self.output, *arguments)
        samples = read_wav(self.output)[1]
        self.assertEqual(samples.dtype, numpy.float32)
        return samples

    def refuse(self, *arguments):
        message = self.fail_with(WRONG_USE, "eq", self.input, "-o", self.output, *arguments)
        self.assertFalse(self.output.exists())
        return message

    def assert_gains(self, samples, centers_hz, gains_db, rate=RATE):
        time = numpy.arange(len(samples)) / rate
        for hz, gain_db in zip(centers_hz, gains_db):
            response = numpy.exp(-2j * numpy.pi * hz * time) @ samples.astype("f8") / self.impulse[0]
            # GraphicEq promises 0.1 dB at every centre for gains within 12 dB.
            numpy.testing.assert_allclose(20 * numpy.log10(numpy.abs(response)), gain_db, atol=0.1)

    def test_every_band_has_its_gain_from_the_first_frame_on(self):
        for gains_db in ((6, -6, 3, 0, -12, 12, 1.5, -3, 0, 4), (-12, 12) * 5, (0,) * 9 + (9,)):
            with self.subTest(gains_db):
                found = self.equalised("--bands", 10, "--gains-db", ",".join(map(str, gains_db)))
                self.assert_gains(found, 31.25 * 2 ** numpy.arange(10), gains_db)

    def test_other_bands(self):
        for bands in (2, 5, 31):
            with self.subTest(bands):
                gains_db = [(-1) ** band * band / 4 for band in range(bands)]
                found = self.equalised("--bands", bands, "--gains-db", ",".join(map(str, gains_db)), "--lowest-hz", 40,
                                       "--highest-hz", 10000)
                self.assert_gains(found, numpy.geomspace(40, 10000, bands), gains_db)

    def test_flat_changes_nothing(self):
        numpy.testing.assert_allclose(self.equalised("--gains-db", ",".join("0" * 10)), self.impulse, atol=1e-7)

    def test_a_low_rate_needs_a_lower_top(self):
        write_wav(self.input, self.impulse, numpy.float32, 16000)
        gains = ("--bands", 3, "--gains-db", "-6,0,6")
        self.assertIn("half the rate", self.refuse(*gains))
        found = self.equalised(*gains, "--lowest-hz", 100, "--highest-hz", 6400)
        self.assert_gains(found, (100, 800, 6400), (-6, 0, 6), 16000)

    def test_odd_inputs_are_fine(self):
        for frames in (0, 1):
            write_wav(self.input, self.impulse[:frames], numpy.float32)
            self.assertEqual(len(self.equalised("--bands", 2, "--gains-db", "3,-3")), frames)
        broken = self.impulse.copy()
        broken[5] = numpy.nan
        write_wav(self.input, broken, numpy.float32)
        self.assert_gains(self.equalised("--bands", 2, "--gains-db", "3,-3"), (31.25, 16000), (3, -3))

    def test_the_input_may_follow_the_gains(self):
        first = self.equalised("--bands", 2, "--gains-db", "3,-3")
        self.succeed("eq", "--bands", 2, "--gains-db", "3,-3", self.input, "-o", self.output)
        numpy.testing.assert_array_equal(read_wav(self.output)[1], first)

    def test_integers_are_written_where_asked(self):
        self.succeed("eq", self.input, "-o", self.output, "--bands", 2, "--gains-db", "0,0", "--format", "wav16")
        self.assertEqual(read_wav(self.output)[1].dtype, numpy.int16)

    def test_wrong_bands_are_one_sentence(self):
        for arguments, word in (((), "--gains-db"), (("--gains-db", "1,2"), "2 gains"),
                                (("--bands", 1, "--gains-db", "1"), "2 to 31"),
                                (("--bands", 32, "--gains-db", ",".join("0" * 32)), "2 to 31"),
                                (("--bands", 2, "--gains-db", "1,25"), "24 dB"),
                                (("--bands", 2, "--gains-db", "1,nan"), "24 dB"),
                                (("--bands", 2, "--gains-db", "1,loud"), "--gains-db"),
                                (("--bands", 2, "--gains-db", "1,2", "--lowest-hz", 20000), "bands")):
            with self.subTest(arguments):
                self.assertIn(word, self.refuse(*arguments))
