# SPDX-License-Identifier: Apache-2.0
"""Files that are cut short, damaged, or were left by a recorder that was stopped: one rule for all formats."""
import subprocess

import numpy

from audio import RATE, ffmpeg, needs, noise, read_wav, tone, write_wav
from program import BAD_FILE, OK, PROGRAM, ProgramTest

KINDS = {"wav": ("pcm_s16le",), "f32.wav": ("pcm_f32le",), "rf64.wav": ("pcm_s16le", "-rf64", "always"),
         "w64": ("pcm_s16le",), "aiff": ("pcm_s16be",), "au": ("pcm_s16be",), "caf": ("pcm_s24be",), "flac": ("flac",),
         "ogg": ("libvorbis",), "opus": ("libopus",), "mp3": ("libmp3lame",),
         "bare.mp3": ("libmp3lame", "-b:a", "128k", "-write_xing", "0")}


class Salvage(ProgramTest):
    def setUp(self):
        super().setUp()
        self.whole = self.folder / "whole.wav"
        self.frames = 4 * RATE
        write_wav(self.whole, tone(4) + noise(self.frames, amplitude=0.05))
        self.out = self.folder / "out.wav"

    def torn(self, kind, part=0.6):
        """A file of that kind, whole, and another that is a part of it."""
        made, torn = self.folder / f"made.{kind}", self.folder / f"torn.{kind}"
        ffmpeg("-i", self.whole, "-c:a", *KINDS[kind], made)
        content = made.read_bytes()
        torn.write_bytes(content[:int(len(content) * part)])
        return made, torn

    @needs("ffmpeg")
    def test_a_part_of_a_file_is_an_error_that_says_how_much_is_there(self):
        for kind in KINDS:
            for part in (0.6, 0.95):
                with self.subTest(kind, part=part):
                    made, torn = self.torn(kind, part)
                    self.assertEqual(self.succeed("convert", made, "-o", self.out).stderr, "")
                    message = self.fail_with(BAD_FILE, "convert", torn, "-o", self.folder / "not.wav")
                    self.assertIn("cut short", message)
                    self.assertIn("--salvage", message)
                    self.assertRegex(message, r"\d+ of \d+ (bytes|frames)|\d+\.\d+ s are there|last frame")
                    self.assertFalse((self.folder / "not.wav").exists())

    @needs("ffmpeg")
    def test_what_is_there_can_be_salvaged(self):
        for kind in KINDS:
            with self.subTest(kind):
                result = self.succeed("convert", self.torn(kind)[1], "--salvage", "-o", self.out)
                self.assert_sentence(result.stderr)
                self.assertIn("cut short", result.stderr)
                found = len(read_wav(self.out)[1])
                self.assertGreater(found, 0.45 * self.frames)
                self.assertLess(found, 0.75 * self.frames)

    @needs("ffmpeg")
    def test_it_is_the_same_through_a_pipe(self):
        for kind in KINDS:
            with self.subTest(kind):
                content = self.torn(kind)[1].read_bytes()
                for options, status in (((), BAD_FILE), (("--salvage",), OK)):
                    result = subprocess.run([PROGRAM, "convert", "-", *options, "-o", self.out], input=content,
                                            capture_output=True, timeout=60, check=False)
                    self.assertEqual(result.returncode, status, result.stderr)
                    self.assert_sentence(result.stderr.decode())

    @needs("ffmpeg")
    def test_every_command_that_reads_audio_salvages(self):
        torn = self.torn("flac")[1]
        commands = (("loudness", torn), ("filter", torn, "--highpass", 100, "-o", self.out),
                    ("resample", torn, "--rate", 44100, "-o", self.out),
                    ("spectrogram", torn, "-o", self.folder / "out.png"))
        for name, *arguments in commands:
            with self.subTest(name):
                self.fail_with(BAD_FILE, name, *arguments)
                self.assertIn("cut short", self.succeed(name, *arguments, "--salvage").stderr)

    def test_a_raw_file_may_end_within_a_frame(self):
        raw = self.folder / "in.f32"
        raw.write_bytes(bytes(8 * 100 + 3))
        options = (raw, "--raw-channels", 2, "-o", self.out)
        self.assertIn("--salvage", self.fail_with(BAD_FILE, "convert", *options))
        self.succeed("convert", *options, "--salvage")
        self.assertEqual(len(read_wav(self.out)[1]), 100)

    def test_a_recorders_sizes_of_zero_mean_to_the_end(self):
        content = self.whole.read_bytes()
        data = content.index(b"data")
        zero, none = bytes(4), b"\xff" * 4
        for riff, size in ((zero, zero), (none, zero), (none, none), (zero, none),
                           ((36).to_bytes(4, "little"), zero)):
            with self.subTest(riff=riff, size=size):
                self.whole.write_bytes(content[:4] + riff + content[8:data + 4] + size + content[data + 8:])
                for source, given in ((self.whole, None), ("-", self.whole.read_bytes())):
                    result = subprocess.run([PROGRAM, "convert", source, "-o", self.out], input=given,
                                            capture_output=True, timeout=60, check=False)
                    self.assertEqual((result.returncode, result.stderr), (OK, b""))
                    self.assertEqual(len(read_wav(self.out)[1]), self.frames)

    @needs("ffmpeg")
    def test_of_a_damaged_mp3_only_we_speak(self):
        made = self.torn("mp3")[0]
        content = bytearray(made.read_bytes())
        random = numpy.random.default_rng(3)
        for damage in range(20):
            with self.subTest(damage):
                hurt = bytearray(content)
                for place in random.integers(0, len(hurt), 60):
                    hurt[place] = random.integers(0, 256)
                made.write_bytes(hurt)
                result = self.run_program("convert", made, "--salvage", "-o", self.out)
                self.assertIn(result.returncode, (OK, BAD_FILE))
                for line in result.stderr.splitlines():
                    self.assertTrue(line.startswith("ringwave: "), line)
