# SPDX-License-Identifier: Apache-2.0
"""`ringwave spectrogram`: what a decoder of our own, and ffmpeg, see in its pictures, and what bad inputs say."""
import os
import resource
import signal
import struct
import subprocess
import time
import zlib

import numpy

from audio import RATE, needs, noise, tone, write_wav
from program import BAD_FILE, INTERRUPTED, OK, PROGRAM, WRONG_USE, ProgramTest


def unfiltered(kind, row, above):
    """A row of a PNG without its filter; three bytes are a pixel."""
    if kind == 0:
        return row
    if kind == 2:
        return (row + above) % 256
    out = numpy.zeros(len(row) + 3, int)
    above = numpy.concatenate([[0, 0, 0], above])
    for i in range(3, len(out)):
        left, up, corner = out[i - 3], above[i], above[i - 3]
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up) // 2
        else:
            guess = min((abs(up - corner), 0, left), (abs(left - corner), 1, up),
                        (abs(left + up - 2 * corner), 2, corner))[2]
        out[i] = (row[i - 3] + guess) % 256
    return out[3:]


def unpack_png(data):
    """The size of an RGB picture and its filtered rows, with every check sum compared."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise AssertionError("no PNG")
    at, packed, kinds = 8, b"", []
    while at < len(data):
        length, = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        if struct.unpack_from(">I", data, at + 8 + length)[0] != zlib.crc32(kind + body):
            raise AssertionError(f"the check sum of {kind} is wrong")
        kinds.append(kind)
        if kind == b"IHDR":
            width, height, *form = struct.unpack(">IIBBBBB", body)
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    if kinds[0] != b"IHDR" or kinds[-1] != b"IEND" or form != [8, 2, 0, 0, 0]:
        raise AssertionError(f"{kinds}, {form}")
    rows = numpy.frombuffer(zlib.decompress(packed), "u1").astype(int).reshape(height, 1 + 3 * width)
    return (width, height), rows


def decode_png(data):
    """The pixels of an RGB picture, (height, width, 3)."""
    (width, height), filtered = unpack_png(data)
    rows, above = [], numpy.zeros(3 * width, int)
    for line in filtered:
        above = unfiltered(line[0], line[1:], above)
        rows.append(above)
    return numpy.stack(rows).reshape(height, width, 3).astype("u1")


def lightness(pixels):
    """The luminance of sRGB."""
    x = pixels / 255
    linear = numpy.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


class Spectrogram(ProgramTest):
    def setUp(self):
        super().setUp()
        self.input = self.folder / "in.wav"
        self.output = self.folder / "out.png"

    def draw(self, *arguments):
        """The pixels of the input's picture."""
        self.succeed("spectrogram", self.input, "-o", self.output, *arguments)
        return decode_png(self.output.read_bytes())

    def draw_bare(self, *arguments):
        return self.draw("--bare", "--width", 60, "--height", 48, *arguments)

    def write_sine(self, hz=1000, amplitude=0.5, seconds=2):
        time_s = numpy.arange(int(seconds * RATE)) / RATE
        write_wav(self.input, amplitude * numpy.sin(2 * numpy.pi * hz * time_s), numpy.float32)

    def assert_nothing_written(self):
        self.assertEqual([file for file in self.folder.iterdir() if file.name.startswith("out")], [])

    def test_a_tone_is_the_brightest_pixel_of_its_columns(self):
        self.write_sine(1200)
        # Where 1200 Hz stands on each axis, of 48 rows.
        for scale, place in (("linear", 1200 / 24000), ("log", numpy.log(1200 / 20) / numpy.log(24000 / 20)),
                             ("mel", numpy.log(1 + 1200 / 700) / numpy.log(1 + 24000 / 700))):
            with self.subTest(scale):
                pixels = self.draw_bare("--scale", scale)
                self.assertEqual(pixels.shape, (48, 60, 3))
                rows = lightness(pixels)[:, 2:58].argmax(axis=0)
                self.assertTrue((abs(rows - (47 - int(48 * place))) <= 1).all(), rows)

    def test_a_level_has_its_colour(self):
        self.write_sine(1500, amplitude=0.1)
        # Grey from L* = 2 at -80 dB to 98 at 0 dB: -20 dB is three quarters of the way.
        row = self.draw_bare("--palette", "grey", "--floor-db", -80, "--scale", "linear")[:, 30]
        y = lightness(row).max()
        self.assertAlmostEqual(116 * numpy.cbrt(y) - 16, 2 + 96 * 0.75, delta=1)
        self.assertTrue((row[:, 0] == row[:, 1]).all(), "grey has no hue")

    def test_two_low_tones_are_two_lines(self):
        time_s = numpy.arange(4 * RATE) / RATE
        write_wav(self.input, sum(0.4 * numpy.sin(2 * numpy.pi * hz * time_s) for hz in (55, 62)), numpy.float32)
        for scale in ("log", "mel"):
            with self.subTest(scale):
                pixels = self.draw("--bare", "--width", 60, "--height", 2000, "--palette", "grey", "--scale", scale)
                bright = lightness(pixels)[:, 30]
                lines = numpy.flatnonzero(bright > lightness(numpy.full((1, 3), 200))[0])
                self.assertEqual(numpy.count_nonzero(numpy.diff(lines) > 1), 1, lines)
                places = 1 - (lines[[0, -1]] + 0.5) / 2000
                found = 20 * (24000 / 20) ** places if scale == "log" else 700 * numpy.expm1(places * numpy.log1p(24000 / 700))
                numpy.testing.assert_allclose(found, (62, 55), atol=2)

    @needs("ffmpeg")
    def test_ffmpeg_sees_the_same_pixels(self):
        write_wav(self.input, noise(RATE))
        for arguments in ((), ("--bare",), ("--channel", "all", "--palette", "lagoon")):
            with self.subTest(arguments):
                pixels = self.draw("--width", 333, "--height", 177, *arguments)
                seen = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", self.output, "-f", "rawvideo", "-pix_fmt",
                                       "rgb24", "-"], capture_output=True, check=True).stdout
                self.assertEqual(seen, pixels.tobytes())

    def test_the_picture_has_the_size_that_was_asked_for_and_its_axes(self):
        self.write_sine()
        pixels = self.draw("--width", 400, "--height", 240)
        self.assertEqual(pixels.shape, (240, 400, 3))
        background = pixels[0, 0]
        for name, part in (("title", pixels[5:18, 44:150]), ("frequencies", pixels[22:218, :36]),
                           ("times", pixels[228:, 40:]), ("levels", pixels[22:218, 366:])):
            self.assertTrue((part != background).any(), name)
        edges = {"left": pixels[:, 0], "right": pixels[:, -1], "top": pixels[0], "bottom": pixels[-1]}
        for name, edge in edges.items():
            self.assertTrue((edge == background).all(), f"text is cut off at the {name}")

    def test_channels(self):
        left, right = (numpy.sin(2 * numpy.pi * hz * numpy.arange(RATE) / RATE) for hz in (3250, 9250))
        write_wav(self.input, numpy.stack([left, right], axis=1))

        def rows(*arguments):
            bright = lightness(self.draw_bare("--scale", "linear", "--palette", "grey", *arguments))[:, 30]
            return [int(row) for row in numpy.flatnonzero(bright > 0.5)]

        self.assertEqual(rows("--channel", "mix"), [47 - 18, 47 - 6])
        self.assertEqual(rows("--channel", 1), [47 - 6])
        self.assertEqual(rows("--channel", 2), [47 - 18])
        self.assertEqual(rows("--channel", "all"), [23 - 3, 24 + 23 - 9])

    def test_a_pipe_gives_the_same_picture_as_a_file(self):
        write_wav(self.input, noise(3 * RATE))
        shape = ("--bare", "--width", "200", "--height", "100", "--palette", "grey")
        pixels = self.draw(*shape)
        # Without a header there is no length.
        raw = subprocess.run([PROGRAM, "convert", self.input, "-o", "-", "--format", "raw"], capture_output=True,
                             check=True).stdout
        piped = subprocess.run([PROGRAM, "spectrogram", "-", "--raw-channels", "2", "-o", "-", *shape], input=raw,
                               capture_output=True, check=True, env=self.settings())
        self.assertEqual(piped.stderr, b"")
        # Two processes may have two plans for a transform, whose last bits differ: one step of grey.
        self.assertLessEqual(abs(decode_png(piped.stdout).astype(int) - pixels).max(), 2)

    def test_a_long_input_takes_no_more_memory(self):
        # Two hours of silence in a hole, 690 MB of samples.
        with open(self.folder / "in.raw", "wb") as file:
            file.truncate(2 * 3600 * 24000 * 4)
        result = subprocess.run([PROGRAM, "spectrogram", self.folder / "in.raw", "--raw-channels", "1", "--raw-rate",
                                 "24000", "-o", self.output], capture_output=True, text=True, timeout=300,
                                check=False, env=self.settings(),
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (400 << 20, 400 << 20)))
        self.assertEqual(result.returncode, OK, result.stderr)

    def test_odd_inputs_make_a_picture(self):
        for name, samples in (("one sample", tone()[:1]), ("silence", 0 * tone()), ("64 channels", tone(channels=64)),
                              ("shorter than a transform", tone()[:100])):
            for arguments in ((), ("--channel", "all"), ("--bare", "--channel", "all")):
                with self.subTest(name, arguments=arguments):
                    write_wav(self.input, samples)
                    self.succeed("spectrogram", self.input, "-o", self.output, *arguments)
                    self.assertEqual(unpack_png(self.output.read_bytes())[0], (1280, 720))
        for rate in (1000, 768000):
            with self.subTest(rate):
                write_wav(self.input, tone(), rate=rate)
                self.succeed("spectrogram", self.input, "-o", self.output)

    def test_what_is_no_number_is_silence_and_said(self):
        samples = tone().astype("f4")
        samples[::7] = numpy.nan
        samples[3] = numpy.inf
        write_wav(self.input, samples, numpy.float32)
        result = self.succeed("spectrogram", self.input, "-o", self.output)
        self.assert_sentence(result.stderr)
        self.assertIn("not finite", result.stderr)
        write_wav(self.input, samples * numpy.nan, numpy.float32)
        pixels = self.draw_bare()
        self.assertTrue((pixels == pixels[0, 0]).all(), "nothing but NaN is silence")

    def test_bad_inputs_are_one_sentence_and_leave_nothing(self):
        write_wav(self.input, tone())
        whole = self.input.read_bytes()
        write_wav(self.input, tone()[:0])
        for name, content in (("no bytes", b""), ("no samples", self.input.read_bytes()),
                              ("text", b"Dear reader, good day."), ("torn", whole[:len(whole) // 2]),
                              ("header only", whole[:20])):
            with self.subTest(name):
                self.input.write_bytes(content)
                self.assertIn(str(self.input), self.fail_with(BAD_FILE, "spectrogram", self.input, "-o", self.output))
                self.assert_nothing_written()

    def test_wrong_options_are_one_sentence_and_leave_nothing(self):
        write_wav(self.input, tone())
        for arguments, said in ((("--scale", "bark"), "'bark'"), (("--window", "round"), "'round'"),
                                (("--palette", "rainbow"), "ember"), (("--channel", 3), "'3'"),
                                (("--channel", "left"), "'left'"), (("--channel", ""), "mix"),
                                (("--size", 15), "15"), (("--size", 1025), "1025"), (("--hop", 4096), "4096"),
                                (("--hop", 0), "--hop"), (("--width", 0), "--width"), (("--height", 99999), "--height"),
                                (("--width", 100), "100 x 720"), (("--floor-db", 0), "floor"),
                                (("--floor-db", "nan"), "floor"), (("--width", 16384, "--height", 16384), "pixels")):
            with self.subTest(arguments):
                message = self.fail_with(WRONG_USE, "spectrogram", self.input, "-o", self.output, *arguments)
                self.assertIn(said, message)
                self.assert_nothing_written()
        self.assertIn(".png", self.fail_with(WRONG_USE, "spectrogram", self.input, "-o", self.input))

    def test_what_cannot_be_written_is_said_before_the_work(self):
        write_wav(self.input, tone())
        self.assertIn("absent/out.png", self.fail_with(BAD_FILE, "spectrogram", self.input, "-o", "absent/out.png"))
        self.assertIn("No space left", self.fail_with(BAD_FILE, "spectrogram", self.input, "-o", "/dev/full"))
        result = subprocess.run([PROGRAM, "spectrogram", self.input, "-o", self.output], capture_output=True, text=True,
                                timeout=60, check=False, env=self.settings(),
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)))
        self.assertEqual(result.returncode, BAD_FILE, result.stderr)
        self.assert_sentence(result.stderr)
        self.assert_nothing_written()

    def test_a_signal_leaves_nothing_under_the_name(self):
        write_wav(self.input, tone())
        self.output.write_text("old")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number), subprocess.Popen([PROGRAM, "spectrogram", "-", "-o", self.output],
                                                        stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                                        stdout=subprocess.PIPE, env=self.settings()) as program:
                program.stdin.write(self.input.read_bytes()[:5000])
                program.stdin.flush()
                end = time.monotonic() + 30
                while not list(self.folder.glob("out.png.unfinished-*")) and time.monotonic() < end:
                    time.sleep(0.01)
                program.send_signal(number)
                self.assertEqual(program.wait(timeout=30), 128 + number)
                self.assert_sentence(program.stderr.read().decode())
                self.assertEqual([file.name for file in self.folder.glob("out*")], ["out.png"])
                self.assertEqual(self.output.read_text(), "old")

    def test_progress_is_for_a_terminal(self):
        write_wav(self.input, tone(seconds=20))
        self.assertEqual(self.succeed("spectrogram", self.input, "-o", self.output).stderr, "")
        shown = self.seen_on_a_terminal("spectrogram", "-", "-o", self.output, slowly=self.input.read_bytes())
        self.assertIn(b"drawing [", shown)
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown[-80:])
