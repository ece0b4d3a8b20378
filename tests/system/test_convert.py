# SPDX-License-Identifier: Apache-2.0
"""`ringwave convert`, against scipy, ffmpeg, sox and the wave module."""
import os
import resource
import signal
import subprocess
import time
import wave

import numpy

from audio import RATE, decode, error_db, ffmpeg, needs, noise, read_wav, tone, write_wav
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

    def depth(self, path):
        said = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,bits_per_raw_sample", "-of",
                               "csv=p=0", path], capture_output=True, text=True, check=True).stdout.strip()
        codec, bits = said.split(",")
        return {"pcm_s16le": "16", "pcm_s24le": "24", "pcm_f32le": "float"}.get(codec, bits)

    @needs("ffmpeg")
    def test_the_depth_of_the_source_stays_where_the_target_holds_it(self):
        for codec, ending, in_wav, in_flac in (("pcm_u8", "wav", "16", "16"), ("pcm_s16le", "wav", "16", "16"),
                                               ("pcm_s24le", "wav", "24", "24"), ("pcm_s32le", "wav", "float", "24"),
                                               ("pcm_f32le", "wav", "float", "24"), ("pcm_f64le", "wav", "float", "24"),
                                               ("pcm_s24be", "aiff", "24", "24"), ("pcm_s16be", "au", "16", "16"),
                                               ("libmp3lame", "mp3", "16", "24")):
            source = self.folder / f"source.{ending}"
            ffmpeg("-i", self.input, "-c:a", codec, source)
            for target, expected in (("wav", in_wav), ("flac", in_flac)):
                with self.subTest(codec, target=target):
                    out = self.folder / f"out.{target}"
                    self.succeed("convert", source, "-o", out)
                    self.assertEqual(self.depth(out), expected)

    @needs("ffmpeg")
    def test_24_bits_come_out_of_flac_as_they_went_in(self):
        samples = numpy.random.default_rng(2).integers(-2**23, 2**23, (5000, 2))
        raw = b"".join(int(value).to_bytes(3, "little", signed=True) for value in samples.flat)
        (self.folder / "in.s24").write_bytes(raw)
        flac, wav = self.folder / "a.flac", self.folder / "a.wav"
        ffmpeg("-f", "s24le", "-ar", RATE, "-ac", 2, "-i", self.folder / "in.s24", "-c:a", "flac", "-sample_fmt", "s32",
               flac)
        self.succeed("convert", flac, "-o", wav)
        self.succeed("convert", wav, "-o", flac)
        for path in (flac, wav):
            self.assertEqual(ffmpeg("-i", path, "-f", "s24le", "-").stdout, raw)

    @needs("ffmpeg")
    def test_what_is_asked_for_goes_before_the_depth_of_the_source(self):
        source, out = self.folder / "in.flac", self.folder / "out.wav"
        ffmpeg("-f", "lavfi", "-i", "sine=duration=0.5", "-c:a", "flac", "-sample_fmt", "s32", source)
        self.assertEqual(self.depth(source), "24")
        for form, bits in (("wav16", "16"), ("wav24", "24"), ("wav32f", "float"), ("flac16", "16"), ("flac", "24")):
            self.succeed("convert", source, "-o", out, "--format", form)
            self.assertEqual(self.depth(out), bits, form)
        self.succeed("filter", self.input, "--highpass", 50, "-o", out)
        self.assertEqual(self.depth(out), "float", "an effect goes beyond full scale")

    @needs("file")
    def test_a_wav_file_begins_with_its_format(self):
        for source, given in ((self.input, None), ("-", self.input.read_bytes())):
            out = self.folder / "out.wav"
            subprocess.run([PROGRAM, "convert", source, "-o", out], input=given, check=True, capture_output=True)
            self.assertEqual(out.read_bytes()[12:16], b"fmt ")
            said = subprocess.run(["file", "--brief", out], capture_output=True, text=True, check=True).stdout
            self.assertIn("Microsoft PCM, 16 bit, stereo 48000 Hz", said)

    @needs("flac")
    def test_flac_takes_our_wav_files_without_a_warning(self):
        out = self.folder / "out.wav"
        self.succeed("convert", self.input, "-o", out)
        subprocess.run(["flac", "--silent", "--warnings-as-errors", out, "-o", self.folder / "by.flac"], check=True,
                       capture_output=True)

    @needs("ffmpeg")
    def test_every_output_is_what_ffmpeg_reads(self):
        samples = tone()
        write_wav(self.input, samples, numpy.float32)
        # Half a step and the dither of 16 bits; half a step of 24; the loss of Vorbis, Opus and MP3.
        for form, worst in (("wav16", 1.6 / 32768), ("wav24", 1e-7), ("wav32f", 1e-7), ("flac", 1e-7),
                            ("flac16", 1.6 / 32768), ("ogg", 0.05), ("opus", 0.05), ("mp3", 0.05)):
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

    @needs("ffmpeg")
    def test_opus_and_mp3_hold_sine_and_noise_at_every_rate(self):
        for form, rates in (("opus", (8000, 12000, 16000, 24000, 48000)),
                            ("mp3", (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000))):
            for rate in rates:
                for channels in (1, 2):
                    with self.subTest(form, rate=rate, channels=channels):
                        samples = tone(2.345, channels, 0.4, rate)
                        samples = samples + noise(len(samples), channels, amplitude=0.01)
                        write_wav(self.input, samples, numpy.float32, rate)
                        result = self.succeed("convert", self.input, "-o", self.output, "--format", form)
                        self.assertEqual(result.stderr, "")
                        # Of Opus, ffmpeg always makes 48 kHz.
                        self.assert_same_sound(decode(self.output, channels), RATE if form == "opus" else rate,
                                               samples, rate)

    def assert_same_sound(self, found, found_rate, expected, rate):
        """Length, level and the pitch of every channel."""
        self.assertEqual(len(found), len(expected) * found_rate // rate)
        level_db = 10 * numpy.log10(numpy.mean(found ** 2, axis=0) / numpy.mean(expected ** 2, axis=0))
        self.assertLess(abs(level_db).max(), 0.5)
        window = numpy.hanning(len(found))[:, None]
        peaks = abs(numpy.fft.rfft(found * window, axis=0)).argmax(axis=0) * found_rate / len(found)
        numpy.testing.assert_allclose(peaks, 440 + 110 * numpy.arange(found.shape[1]), atol=found_rate / len(found))

    @needs("opusinfo")
    def test_an_opus_file_is_whole_for_opusinfo(self):
        for frames in (1, 648, 649, 20000, RATE * 3):
            write_wav(self.input, tone(5)[:frames])
            self.succeed("convert", self.input, "-o", self.folder / "out.opus")
            said = subprocess.run(["opusinfo", self.folder / "out.opus"], capture_output=True, text=True, check=True)
            self.assertNotIn("WARNING", said.stdout + said.stderr)
            self.assertIn("Logical stream 1 ended", said.stdout)

    @needs("ffmpeg")
    def test_opus_and_mp3_go_through_a_pipe(self):
        content = self.input.read_bytes()
        for form, first in (("opus", 0), ("mp3", 1152 + 1105)):
            with self.subTest(form):
                self.output.write_bytes(self.pipe(content, "-", "-o", "-", "--format", form))
                found = decode(self.output, 2)
                # The tag with the length of an MP3 cannot be written into a pipe: the frame that it would be in is
                # silence, and so is what the encoder is late by; and the last frame is a whole one.
                self.assertGreaterEqual(len(found), len(self.samples) + first)
                self.assertLess(len(found), len(self.samples) + first + (2 * 1152 if first else 1))
                self.assertLess(abs(found[:max(0, first - 500)]).max(initial=0), 0.01)
                found = found[first:first + len(self.samples)]
                self.assertLess(error_db(found, self.samples / 32768), -25)

    def test_a_rate_that_a_format_cannot_hold_is_one_sentence_and_leaves_nothing(self):
        for form, rate, channels, said in (("opus", 44100, 2, "24000 or 48000 Hz"), ("mp3", 96000, 2, "or 48000 Hz"),
                                           ("mp3", 48000, 3, "1 or 2 channels"), ("flac", 48000, 9, "1 to 8 channels"),
                                           ("ogg", 384000, 1, "200000 Hz")):
            with self.subTest(form, rate=rate, channels=channels):
                write_wav(self.input, tone(0.1, channels, rate=rate), rate=rate)
                message = self.fail_with(WRONG_USE, "convert", self.input, "-o", self.folder / f"out.{form}")
                self.assertIn(f"{channels} channels at {rate} Hz", message)
                self.assertIn(said, message)
                self.assertIn("write wav16", message)
                self.assert_nothing_written()

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
        result = self.succeed("convert", self.input, "-o", self.folder / "out.wav", "--format", "wav16")
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
        write_wav(self.input, numpy.random.default_rng(1).uniform(-1, 1, (2 * RATE, 2)))
        for form in ("wav16", "flac", "ogg", "opus", "mp3", "raw"):
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
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number), subprocess.Popen([PROGRAM, "convert", "-", "-o", out], stdin=subprocess.PIPE,
                                                        stderr=subprocess.PIPE, stdout=subprocess.PIPE) as program:
                program.stdin.write(self.input.read_bytes()[:5000])
                program.stdin.flush()
                self.wait_for(lambda: list(self.folder.glob("out.wav.unfinished-*")))
                program.send_signal(number)
                self.assertEqual(program.wait(timeout=30), 128 + number)
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
