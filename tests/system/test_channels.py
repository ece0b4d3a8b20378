# SPDX-License-Identifier: Apache-2.0
"""Which channel is which in every format, against ffmpeg and opusdec: a pitch of its own in each."""
import json
import subprocess

import numpy

from audio import RATE, decode, ffmpeg, needs, read_wav, write_wav
from program import ProgramTest

LAYOUTS = (None, "mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1")
# Low enough for a channel of low frequencies, which lossy codecs leave nothing else; a whole number of times a second.
PITCHES = [40 + 10 * channel for channel in range(8)]
LEVELS = [1, .9, .8, .7, .6, .5, .4, .3]
CODECS = {"wav": ("pcm_s24le",), "flac": ("flac",), "ogg": ("libvorbis",), "opus": ("libopus", "-mapping_family", "-1"),
          "aiff": ("pcm_s16be",), "au": ("pcm_s16be",), "caf": ("pcm_s16le",), "w64": ("pcm_s16le",)}


def chord(channels, seconds=2):
    time = numpy.arange(seconds * RATE) / RATE
    return numpy.stack([0.5 * LEVELS[c] * numpy.sin(2 * numpy.pi * PITCHES[c] * time) for c in range(channels)], axis=1)


def pitches(samples):
    """The pitch of every channel, from a second in the middle."""
    middle = samples[RATE // 2:RATE // 2 + RATE]
    return list(abs(numpy.fft.rfft(middle, axis=0))[30:200].argmax(axis=0) + 30)


@needs("ffmpeg")
class Channels(ProgramTest):
    def setUp(self):
        super().setUp()
        self.raw = self.folder / "in.f32"

    def write_raw(self, channels):
        self.raw.write_bytes(chord(channels).astype("<f4").tobytes())
        return ["-f", "f32le", "-ar", RATE, "-ac", channels, "-channel_layout", LAYOUTS[channels], "-i", self.raw]

    def layout(self, path):
        said = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=channel_layout", "-of", "json", path],
                              capture_output=True, text=True, check=True).stdout
        return json.loads(said)["streams"][0].get("channel_layout", "unknown")

    def test_what_is_written_is_what_ffmpeg_reads(self):
        for channels in range(1, 9):
            self.write_raw(channels)
            for ending in ("wav", "flac", "ogg", "opus"):
                with self.subTest(ending, channels=channels):
                    out = self.folder / f"out.{ending}"
                    self.succeed("convert", self.raw, "--raw-channels", channels, "-o", out)
                    self.assertEqual(pitches(decode(out, channels)), PITCHES[:channels])
                    if channels > 2:  # FLAC's five and six are called "(side)" by newer ffmpegs
                        self.assertEqual(self.layout(out).removesuffix("(side)"), LAYOUTS[channels])

    def test_what_ffmpeg_writes_is_read_as_ffmpeg_reads_it(self):
        out = self.folder / "out.wav"
        for channels in range(1, 9):
            source = self.write_raw(channels)
            for ending, codec in CODECS.items():
                with self.subTest(ending, channels=channels):
                    made = self.folder / f"made.{ending}"
                    ffmpeg(*source, "-c:a", *codec, made)
                    self.succeed("convert", made, "-o", out, "--format", "wav32f")
                    # ffmpeg's own Opus encoder has five and seven channels in an order of its own.
                    own = channels in (5, 7) and ending == "opus"
                    expected = pitches(decode(made, channels)) if own else PITCHES[:channels]
                    self.assertEqual(pitches(decode(out, channels)), expected)
        for channels in (1, 2):
            made = self.folder / "made.mp3"
            ffmpeg(*self.write_raw(channels), made)
            self.succeed("convert", made, "-o", out)
            self.assertEqual(pitches(decode(out, channels)), PITCHES[:channels])

    @needs("opusdec")
    def test_an_opus_file_of_any_width_is_what_opusdec_reads(self):
        for channels in range(1, 9):
            with self.subTest(channels):
                self.write_raw(channels)
                out = self.folder / "out.opus"
                self.succeed("convert", self.raw, "--raw-channels", channels, "-o", out)
                subprocess.run(["opusdec", "--quiet", "--float", out, self.folder / "back.wav"], check=True,
                               capture_output=True)
                self.assertEqual(pitches(decode(self.folder / "back.wav", channels)), PITCHES[:channels])

    def test_levels_and_loudness_of_five_point_one_come_back(self):
        source = self.folder / "in.wav"
        write_wav(source, chord(6), numpy.float32)
        expected = json.loads(self.succeed("loudness", source, "--json").stdout)["integrated_lufs"]
        for ending in ("ogg", "opus"):
            with self.subTest(ending):
                out, back = self.folder / f"out.{ending}", self.folder / "back.wav"
                self.succeed("convert", source, "-o", out)
                self.succeed("convert", out, "-o", back, "--format", "wav32f")
                middle = read_wav(back)[1][RATE // 2:RATE // 2 + RATE]
                levels = 2 * numpy.sqrt(2 * numpy.mean(numpy.square(middle, dtype="f8"), axis=0))
                sounding = [0, 1, 2, 4, 5]  # of the low frequencies Vorbis keeps the pitch, not just the level
                numpy.testing.assert_allclose(levels[sounding], numpy.array(LEVELS)[sounding], atol=0.05)
                found = json.loads(self.succeed("loudness", out, "--json").stdout)["integrated_lufs"]
                self.assertAlmostEqual(found, expected, delta=0.3)

    def test_which_speakers_goes_along(self):
        source = self.folder / "in.wav"
        self.write_raw(6)
        ffmpeg("-f", "f32le", "-ar", RATE, "-ac", 6, "-channel_layout", "5.1(side)", "-i", self.raw, source)
        self.assertEqual(self.layout(source), "5.1(side)")
        self.succeed("convert", source, "-o", self.folder / "a.flac")
        self.succeed("convert", self.folder / "a.flac", "-o", self.folder / "a.wav")
        self.succeed("filter", self.folder / "a.wav", "--highpass", 20, "-o", self.folder / "b.wav")
        for name in ("a.flac", "a.wav", "b.wav"):
            self.assertEqual(self.layout(self.folder / name), "5.1(side)", name)
        ffmpeg("-f", "f32le", "-ar", RATE, "-ac", 4, "-channel_layout", "3.1", "-i", self.raw, source)
        self.succeed("convert", source, "-o", self.folder / "b.flac")
        self.assertEqual(self.layout(self.folder / "b.flac"), "3.1")
        self.assertIn("loudspeakers", self.succeed("convert", source, "-o", self.folder / "b.ogg").stderr)
