# SPDX-License-Identifier: Apache-2.0
"""`ringwave convert`, against scipy, ffmpeg, sox and the wave module."""
import os
import resource
import signal
import subprocess
import time
import wave

import numpy

from audio import RATE, decode, ffmpeg, needs, read_wav, tone, write_wav
from program import BAD_FILE, INTERRUPTED, OK, PROGRAM, WRONG_USE, ProgramTest


class Convert(ProgramTest):
    def setUp(self):
        super().setUp()
        self.input = self.folder / "in.wav"
        self.samples = write_wav(self.input, tone())
        self.output = self.folder / "out"

    def pipe(self, content, *arguments, status=OK):
        """The program's standard output for that standard input."""
        result = subprocess.run([PROGRAM, "convert", *map(str, arguments)], input=content, capture_output=True,
                                timeout=60, check=False)
        self.assertEqual(result.returncode, status, result.stderr)
        return result.stdout

    def assert_near(self, by_ffmpeg, samples, worst, form):
        lost = 128 if form == "ogg" else 0  # ffmpeg 5.1 drops the end of a Vorbis stream
        self.assertIn(len(by_ffmpeg), (len(samples), len(samples) - lost))
        self.assertLess(numpy.abs(by_ffmpeg - samples[:len(by_ffmpeg)]).max(), worst)

    def assert_nothing_written(self):
        self.assertEqual([file for file in self.folder.iterdir() if file.name.startswith("out")], [])

    def test_sixteen_bits_come_out_as_they_went_in(self):
        out = self.folder / "out.wav"
        self.succeed("convert", self.input, "-o", out)
        rate, samples = read_wav(out)
        self.assertEqual(rate, RATE)
        numpy.testing.assert_array_equal(samples, self.samples)
        with wave.open(str(out)) as file:
            self.assertEqual((file.getnchannels(), file.getsampwidth(), file.getnframes()), (2, 2, len(samples)))

    def test_float_is_exact(self):
        samples = write_wav(self.input, 3 * tone(), numpy.float32)
        out = self.folder / "out.wav"
        self.succeed("convert", self.input, "-o", out, "--format", "wav32f")
        numpy.testing.assert_array_equal(read_wav(out)[1], samples)

    @needs("ffmpeg")
    def test_every_output_is_what_ffmpeg_reads(self):
        samples = tone()
        write_wav(self.input, samples, numpy.float32)
        # Half a step and the dither of 16 bits; half a step of 24; the loss of Vorbis.
        for form, worst in (("wav16", 1.6 / 32768), ("wav24", 1e-7), ("wav32f", 1e-7), ("flac", 1e-7), ("ogg", 0.05)):
            with self.subTest(form):
                self.succeed("convert", self.input, "-o", self.output, "--format", form)
                self.assert_near(decode(self.output, 2), samples, worst, form)

    @needs("ffmpeg")
    def test_every_input_is_read_as_ffmpeg_reads_it(self):
        # Lossy decoders may differ in the last bits of 16; Opus's in its rounding.
        for ending, codec, worst in (("flac", "flac", 1e-7), ("ogg", "libvorbis", 1e-4), ("opus", "libopus", 1e-3),
                                     ("mp3", "libmp3lame", 1e-4), ("aiff", "pcm_s16be", 1e-7),
                                     ("w64", "pcm_s24le", 1e-7), ("caf", "pcm_s24be", 1e-7)):
            with self.subTest(ending):
                source = self.folder / f"in.{ending}"
                ffmpeg("-i", self.input, "-c:a", codec, source)
                for name, content in ((source, None), ("-", source.read_bytes())):
                    raw = self.pipe(content, name, "-o", "-", "--format", "raw")
                    found = numpy.frombuffer(raw, "<f4").reshape(-1, 2)
                    self.assertEqual(len(found), len(self.samples))
                    self.assert_near(decode(source, 2), found, worst, ending)

    def test_a_pipe_gives_what_a_file_gives(self):
        for form in ("wav16", "wav24", "wav32f", "raw"):
            with self.subTest(form):
                self.succeed("convert", self.input, "-o", self.output, "--format", form)
                piped = self.pipe(self.input.read_bytes(), "-", "-o", "-", "--format", form)
                self.assertEqual(piped, self.output.read_bytes())

    @needs("sox")
    @needs("ffmpeg")
    def test_others_pipes_are_understood(self):
        expected = (self.samples / 32768).astype("<f4").tobytes()
        for writer in (["sox", self.input, "-t", "wav", "-"],
                       ["ffmpeg", "-loglevel", "error", "-i", self.input, "-f", "wav", "-"]):
            with self.subTest(writer[0]):
                made = subprocess.run(writer, capture_output=True, check=True).stdout
                self.assertEqual(self.pipe(made, "-", "-o", "-", "--format", "raw"), expected)
        raw = self.pipe(self.input.read_bytes(), "-", "-o", "-", "--format", "wav16")
        seen = subprocess.run(["sox", "-t", "wav", "-", "-t", "f32", "-"], input=raw, capture_output=True, check=True)
        self.assertEqual(seen.stdout, expected)

    @needs("ffmpeg")
    def test_a_flac_pipe_is_a_flac_file(self):
        self.output.write_bytes(self.pipe(self.input.read_bytes(), "-", "-o", "-", "--format", "flac"))
        numpy.testing.assert_array_equal(decode(self.output, 2), (self.samples / 32768).astype("f4"))
        self.succeed("convert", self.output, "-o", self.folder / "again.wav", "--no-dither")
        numpy.testing.assert_array_equal(read_wav(self.folder / "again.wav")[1], self.samples)

    def test_raw_samples_need_a_shape(self):
        raw = self.folder / "in.f32"
        raw.write_bytes((self.samples / 32768).astype("<f4").tobytes())
        self.assertIn("channels", self.fail_with(WRONG_USE, "convert", raw, "-o", self.output, "--format", "wav16"))
        self.succeed("convert", raw, "--raw-channels", 2, "--raw-rate", RATE, "-o", self.output, "--format", "wav16",
                     "--no-dither")
        numpy.testing.assert_array_equal(read_wav(self.output)[1], self.samples)

    def test_channels_are_mixed_and_copied(self):
        mono = self.folder / "mono.wav"
        self.succeed("convert", self.input, "-o", mono, "--format", "wav32f", "--channels", 1)
        expected = (self.samples / 32768).mean(axis=1)
        numpy.testing.assert_allclose(read_wav(mono)[1], expected, atol=1e-7)
        self.succeed("convert", mono, "-o", self.output, "--format", "wav32f", "--channels", 3)
        numpy.testing.assert_allclose(read_wav(self.output)[1], numpy.stack([expected] * 3, axis=1), atol=1e-7)
        message = self.fail_with(WRONG_USE, "convert", self.input, "-o", self.output, "--channels", 3)
        self.assertIn("2 channels", message)

    def test_clipping_is_said(self):
        write_wav(self.input, 3 * tone(), numpy.float32)
        result = self.succeed("convert", self.input, "-o", self.folder / "out.wav")
        self.assertIn("clipped", result.stderr)

    def test_odd_inputs_are_fine(self):
        for name, samples, kind in (("one sample", tone()[:1], numpy.int16), ("eight bits", tone(), numpy.uint8),
                                    ("64 channels", tone(channels=64), numpy.int16)):
            with self.subTest(name):
                write_wav(self.input, samples, kind)
                self.succeed("convert", self.input, "-o", self.output, "--format", "wav32f")
                self.assertEqual(len(read_wav(self.output)[1]), len(samples))
        samples = tone().astype("f4")
        samples[::7] = numpy.nan
        write_wav(self.input, samples, numpy.float32)
        result = self.succeed("convert", self.input, "-o", self.output, "--format", "wav32f")
        self.assertIn("not finite", result.stderr)
        self.assertTrue(numpy.isfinite(read_wav(self.output)[1]).all())

    def test_bad_inputs_are_one_sentence_and_leave_nothing(self):
        whole = self.input.read_bytes()
        rate_at = whole.index(b"fmt ") + 12
        for name, content in (("empty", b""), ("torn", whole[:len(whole) // 2]), ("text", b"Dear reader, good day."),
                              ("header only", whole[:20]), ("rate 0", whole[:rate_at] + bytes(4) + whole[rate_at + 4:]),
                              ("10 MHz", whole[:rate_at] + (10**7).to_bytes(4, "little") + whole[rate_at + 4:])):
            with self.subTest(name):
                self.input.write_bytes(content)
                message = self.fail_with(BAD_FILE, "convert", self.input, "-o", self.folder / "out.wav")
                self.assertIn(str(self.input), message)
                self.assert_nothing_written()
                self.pipe(content, "-", "-o", self.folder / "out.wav", status=BAD_FILE)
                self.assert_nothing_written()

    def test_what_cannot_be_opened_is_named(self):
        self.assertIn("absent.wav", self.fail_with(BAD_FILE, "convert", "absent.wav", "-o", "out.wav"))
        self.assertIn("absent/out.wav", self.fail_with(BAD_FILE, "convert", self.input, "-o", "absent/out.wav"))
        self.assertIn("'mp4'", self.fail_with(WRONG_USE, "convert", self.input, "-o", "out", "--format", "mp4"))
        self.assertIn("out.mp4", self.fail_with(WRONG_USE, "convert", self.input, "-o", "out.mp4"))
        self.assert_nothing_written()

    def test_a_full_disk_is_one_sentence_and_leaves_nothing(self):
        write_wav(self.input, numpy.random.default_rng(1).uniform(-1, 1, (RATE, 2)))
        for form in ("wav16", "flac", "ogg", "raw"):
            with self.subTest(form):
                self.assertIn("No space left", self.fail_with(BAD_FILE, "convert", self.input, "-o", "/dev/full",
                                                              "--format", form))
                result = subprocess.run(
                    [PROGRAM, "convert", self.input, "-o", self.output, "--format", form], capture_output=True,
                    text=True, timeout=60, check=False,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000)))
                self.assertEqual(result.returncode, BAD_FILE, result.stderr)
                self.assert_sentence(result.stderr)
                self.assertIn("File too large", result.stderr)
                self.assert_nothing_written()

    def test_a_signal_leaves_nothing_under_the_name(self):
        write_wav(self.input, tone(seconds=10))
        out = self.folder / "out.wav"
        out.write_text("old")
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number), subprocess.Popen([PROGRAM, "convert", "-", "-o", out], stdin=subprocess.PIPE,
                                                        stderr=subprocess.PIPE, stdout=subprocess.PIPE) as program:
                program.stdin.write(self.input.read_bytes()[:5000])
                program.stdin.flush()
                self.wait_for(lambda: list(self.folder.glob("out.wav.unfinished-*")))
                program.send_signal(number)
                self.assertEqual(program.wait(timeout=30), INTERRUPTED)
                self.assert_sentence(program.stderr.read().decode())
                self.assertEqual([file.name for file in self.folder.glob("out*")], ["out.wav"])
                self.assertEqual(out.read_text(), "old")

    def test_a_signal_is_seen_while_nobody_reads_the_output(self):
        write_wav(self.input, tone(seconds=10))
        with subprocess.Popen([PROGRAM, "convert", self.input, "-o", "-", "--format", "raw"], stderr=subprocess.PIPE,
                              stdout=subprocess.PIPE) as program:
            program.stdout.read(4)
            program.send_signal(signal.SIGINT)
            self.assertEqual(program.wait(timeout=30), INTERRUPTED)

    def test_the_input_may_be_the_output(self):
        self.succeed("convert", self.input, "-o", self.input, "--format", "wav24")
        with wave.open(str(self.input)) as file:
            self.assertEqual((file.getsampwidth(), file.getnframes()), (3, len(self.samples)))

    def test_no_progress_outside_a_terminal_and_a_bar_inside(self):
        self.assertEqual(self.succeed("convert", self.input, "-o", self.output, "--format", "flac").stderr, "")
        write_wav(self.input, tone(seconds=240))
        shown = self.seen_on_a_terminal("convert", self.input, "-o", self.output, "--format", "flac")
        self.assertIn(b"converting [", shown)
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown[-80:])

    def wait_for(self, condition, seconds=30):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, "it did not happen")
            time.sleep(0.01)


class LargeFile(ProgramTest):
    def test_past_four_gibibytes_wav_is_rf64(self):
        # 3 h 30 min of 8 channels of silence in a hole; the header tells the length before the first sample.
        frames, channels = 140_000_000, 8
        source = self.folder / "in.raw"
        with open(source, "wb") as file:
            file.truncate(frames * channels * 4)
        raw = ("--raw-channels", channels, "--raw-rate", 11025)
        with subprocess.Popen([PROGRAM, "convert", source, *map(str, raw), "-o", "-", "--format", "wav32f"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
            head = program.stdout.read(112)
            program.stdout.close()
            program.wait(timeout=60)
        self.assertEqual((head[:4], head[8:16]), (b"RF64", b"WAVEds64"))
        self.assertEqual(int.from_bytes(head[28:36], "little"), frames * channels * 4)
        self.assertEqual(int.from_bytes(head[36:44], "little"), frames)
