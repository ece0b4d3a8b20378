# SPDX-License-Identifier: Apache-2.0
"""`ringwave render`, whose files scipy, ffmpeg and mido look at."""
import os
import pathlib
import signal
import subprocess
import time
import unittest

import mido
import numpy
import scipy.signal

from audio import decode, error_db, needs, read_wav
from program import BAD_FILE, INTERRUPTED, OK, PROGRAM, WRONG_USE, ProgramTest
from test_spectrogram import decode_png

OPENMSX = pathlib.Path("/usr/share/games/openttd/baseset/openmsx")
RATE = 16000  # is enough, and is quick


class Render(ProgramTest):
    def setUp(self):
        super().setUp()
        self.output = self.folder / "out.wav"

    def render(self, *arguments, seconds=3, rate=RATE):
        """The samples, from -1 to 1, of a piece of so many seconds."""
        self.succeed("render", "--seconds", seconds, "--rate", rate, "--format", "wav32f", "-o", self.output,
                     *arguments)
        found_rate, samples = read_wav(self.output)
        self.assertEqual(found_rate, rate)
        self.assertEqual(samples.shape[1], 2)
        return samples

    def write_midi(self, *messages, name="in.mid"):
        song = mido.MidiFile(ticks_per_beat=480)
        song.tracks.append(mido.MidiTrack(messages))
        song.save(self.folder / name)
        return self.folder / name

    def note(self, key=69, ticks=960, **options):
        """A beat is half a second, and 480 ticks."""
        return (mido.Message("note_on", note=key, velocity=100, **options),
                mido.Message("note_off", note=key, time=ticks, **options))

    def loudness(self, path):
        """By another meter."""
        text = subprocess.run(["ffmpeg", "-nostdin", "-i", path, "-af", "ebur128", "-f", "null", "-"],
                              capture_output=True, text=True, check=True).stderr
        return float(text.rpartition("I:")[2].split()[0])

    def assert_nothing_left(self, *kept):
        self.assertEqual({file.name for file in self.folder.iterdir()} - {"cache"}, set(kept))

    def test_it_has_the_length_that_was_asked_for_and_begins_at_once(self):
        for seconds, rate in ((1, 48000), (0.7, 44100), (0.00001, 8000)):
            samples = self.render("--layers", "kicks", seconds=seconds, rate=rate)
            self.assertEqual(len(samples), max(1, round(seconds * rate)))
        # An A at the first frame is heard within a few milliseconds, not after the renderer's latency.
        song = self.write_midi(mido.Message("program_change", program=0), *self.note())
        self.succeed("render", song, "-o", self.output, "--rate", 48000)
        _, samples = read_wav(self.output)
        loud = numpy.flatnonzero(abs(samples[:, 0].astype(float)) > 100)
        self.assertLess(loud[0], 100)

    def test_blocks_of_every_size_give_the_same_file(self):
        song = self.write_midi(*self.note(40, 300), mido.Message("pitchwheel", pitch=4000), *self.note(67, 1),
                               *self.note(69, 0), *self.note(42, 7, channel=9), *self.note(76, 500))
        for what in (("--preset", "bright", "--seed", 3, "--seconds", 2), (song,),
                     ("--preset", "focus", "--seconds", 1, "--loudness", -20)):
            for name in ("out.wav", "out.flac"):
                found = set()
                for block in (1, 64, 480, 4096):
                    self.succeed("render", *what, "--rate", RATE, "--block", block, "-o", name)
                    found.add((self.folder / name).read_bytes())
                self.assertEqual(len(found), 1, (what, name))

    def test_the_same_seed_is_the_same_and_another_is_another(self):
        first = self.render("--seed", 5)
        numpy.testing.assert_array_equal(first, self.render("--seed", 5))
        self.assertTrue((first != self.render("--seed", 6)).any())
        # More seconds begin with the same, up to where the first ones were faded out.
        early = RATE * 29 // 10
        numpy.testing.assert_array_equal(first[:early], self.render("--seed", 5, seconds=4)[:early])
        self.assertLess(abs(first[-1]).max(), 1e-3)

    @needs("ffmpeg")
    def test_formats_hold_the_same_music(self):
        expected = self.render()
        for name, worst_db in (("out.flac", -100), ("out.ogg", -12), ("out.mp3", -12)):
            self.succeed("render", "--seconds", 3, "--rate", RATE, "-o", name)
            self.assertLess(error_db(decode(self.folder / name, 2), expected), worst_db)
        raw = self.run_bytes("render", "--seconds", 3, "--rate", RATE, "-o", "-", "--format", "raw")
        numpy.testing.assert_array_equal(numpy.frombuffer(raw, "<f4").reshape(-1, 2), expected)

    @needs("ffmpeg")
    def test_an_opus_file_holds_the_same_music(self):
        expected = self.render(rate=48000)  # what ffmpeg makes of Opus at any rate
        self.succeed("render", "--seconds", 3, "--rate", 48000, "-o", "out.opus")
        self.assertLess(error_db(decode(self.folder / "out.opus", 2), expected), -12)
        self.assertAlmostEqual(self.loudness(self.folder / "out.opus"), self.loudness(self.output), delta=0.2)

    def test_a_rate_that_the_format_cannot_hold_is_said_before_the_rendering(self):
        for name, rate, said in (("out.opus", 44100, "24000 or 48000 Hz"), ("out.mp3", 96000, "44100 or 48000 Hz")):
            # So many seconds take longer than the tests wait for a program.
            message = self.fail_with(WRONG_USE, "render", "--seconds", 80000, "--rate", rate, "-o", name)
            self.assertIn(f"{rate} Hz", message)
            self.assertIn(said, message)
            self.assert_nothing_left()

    @needs("ffmpeg")
    def test_loudness_is_what_was_asked_for(self):
        song = self.write_midi(*self.note(40), *self.note(67), *self.note(69), *self.note(76))
        for what in (("--preset", "sleep", "--seconds", 8), ("--preset", "bright", "--seconds", 8), (song,)):
            for lufs in (-30, -23):
                result = self.succeed("render", *what, "--rate", RATE, "--loudness", lufs, "-o", self.output)
                self.assertEqual(result.stderr, "")
                self.assertAlmostEqual(self.loudness(self.output), lufs, delta=0.5, msg=what)

    @needs("ffmpeg")
    def test_ten_minutes_come_to_the_usual_loudness_and_sound_throughout(self):
        samples = self.render("--preset", "focus", "--seed", 5, seconds=600)
        self.assertAlmostEqual(self.loudness(self.output), -16, delta=1)
        self.assertLess(20 * numpy.log10(abs(samples).max()), -1)
        self.assertLess(abs(samples.mean(axis=0)).max(), 1e-3, "a constant part")
        # A bar lasts four seconds, and whatever ends in one rings on.
        tenths = numpy.sqrt((samples[:RATE * 600].reshape(6000, -1) ** 2).mean(axis=1))
        silent = "".join("s" if level < 1e-3 else " " for level in tenths)
        self.assertLess(max(map(len, silent.split(" "))), 40)
        # Left and right differ, but not by a turn.
        self.assertGreater(numpy.corrcoef(samples.T)[0, 1], 0.2)
        self.assertLess(numpy.corrcoef(samples.T)[0, 1], 0.99)

    def test_a_loudness_that_the_ceiling_forbids_is_told(self):
        result = self.succeed("render", "--seconds", 3, "--preset", "bright", "--loudness", 0, "-o", self.output)
        self.assert_sentence(result.stderr)
        self.assertIn("where 0 were asked for", result.stderr)
        _, samples = read_wav(self.output)
        points = scipy.signal.resample_poly(samples / 32768, 4, 1, axis=0)
        self.assertLess(20 * numpy.log10(abs(points).max()), -0.9)

    def test_the_stems_are_the_mix_but_for_its_gain(self):
        song = self.write_midi(mido.Message("program_change", program=90), *self.note(60), *self.note(36, channel=9),
                               mido.Message("pitchwheel", pitch=4000), *self.note(67))
        layers = ("--layers", "pads,melody,kicks", "--seed", 7)
        for what, seconds, names in ((layers, 5, {"pads", "melody", "kicks"}), ((song,), 3, {"pad", "kick"})):
            stems = self.folder / f"stems-{len(names)}"
            mix = self.render(*what, "--stems", stems, "--loudness", -35, seconds=seconds).astype(float)
            self.assertEqual({file.stem for file in stems.iterdir()}, names)
            total = sum(read_wav(file)[1].astype(float) for file in stems.iterdir())
            gain = numpy.sum(mix * total) / numpy.sum(total * total)
            self.assertLess(error_db(gain * total, mix), -80, what)

    def test_layers_without_a_note_have_no_stem(self):
        self.render("--layers", "melody,pads", "--stems", "one", seconds=0.1)
        self.assertEqual([file.name for file in (self.folder / "one").iterdir()], ["pads.wav"])

    def test_many_seeds_at_once_are_the_same_as_one_by_one(self):
        self.succeed("render", "--seconds", 2, "--rate", RATE, "--seed", 8, "--count", 3, "-o", self.output)
        self.assert_nothing_left("out-8.wav", "out-9.wav", "out-10.wav")
        for seed in (8, 9, 10):
            self.succeed("render", "--seconds", 2, "--rate", RATE, "--seed", seed, "-o", self.output)
            self.assertEqual(self.output.read_bytes(), (self.folder / f"out-{seed}.wav").read_bytes())

    def test_a_patch_plays_the_melody_or_all_but_the_percussion(self):
        patch = self.folder / "own.toml"
        patch.write_text('[vco1]\nwave = "sine"\nlevel = 1\n[filter]\nhz = 20000\n')
        pads, melody = (("--layers", layer, "--seed", 7) for layer in ("pads", "melody"))
        numpy.testing.assert_array_equal(self.render(*pads), self.render(*pads, "--patch", patch))
        self.assertTrue((self.render(*melody) != self.render(*melody, "--patch", patch)).any())
        drum, tone = self.write_midi(*self.note(36, channel=9)), self.write_midi(*self.note(), name="tone.mid")
        numpy.testing.assert_array_equal(self.render(drum), self.render(drum, "--patch", patch))
        samples = self.render(tone, "--patch", patch, seconds=1)[:, 0]
        spectrum = abs(numpy.fft.rfft(samples * numpy.hanning(len(samples))))
        self.assertAlmostEqual(spectrum.argmax() * RATE / len(samples), 440, delta=3)
        self.assertLess(20 * numpy.log10(spectrum[860:].max() / spectrum.max()), -40, "a sine has no overtones")

    def test_the_picture_shows_notes_above_their_sound(self):
        song = self.write_midi(*self.note(48, 480), *self.note(72, 480))
        self.succeed("render", song, "-o", self.output, "--rate", RATE, "--picture", "out.png")
        pixels = decode_png((self.folder / "out.png").read_bytes()).astype(int)
        self.assertEqual(pixels.shape, (960, 1280, 3))
        roll = pixels[46:402, 90:1154]
        coloured = roll.max(axis=2) - roll.min(axis=2) > 60
        rows, columns = numpy.nonzero(coloured)
        low, high = rows[columns < columns.min() + 5], rows[columns > columns.max() - 5]
        self.assertLess(high.max(), low.min(), "the higher note stands higher")
        self.assertLess(columns.min(), 3)
        background = pixels[0, 0]
        for name, part in (("title", pixels[5:40, 88:400]), ("keys", pixels[46:402, :80]),
                           ("parts", pixels[46:402, 1170:]), ("frequencies", pixels[450:910, :80]),
                           ("times", pixels[925:, 80:])):
            self.assertTrue((part != background).any(), name)

    @unittest.skipUnless(OPENMSX.is_dir(), "openttd-openmsx is not installed")
    def test_every_midi_file_of_openmsx(self):
        songs = sorted(OPENMSX.glob("*.mid"))
        self.assertGreater(len(songs), 20)
        for song in songs:
            with self.subTest(song.name):
                result = self.succeed("render", song, "--rate", 8000, "-o", self.output)
                self.assertEqual(result.stderr, "")
                _, samples = read_wav(self.output)
                expected = mido.MidiFile(song, clip=True).length
                self.assertGreater(len(samples) / 8000, expected - 0.1)
                self.assertLess(len(samples) / 8000, expected + 15)
                self.assertGreater(abs(samples.astype(float)).max(), 3000)
                self.assertLess(abs(samples[-200:].astype(float)).max(), 40, "it has died away")

    def test_a_longer_piece_takes_no_more_memory(self):
        def most_kib(seconds):
            with subprocess.Popen([PROGRAM, "render", "--seconds", str(seconds), "--rate", "8000", "-o", self.output],
                                  stdout=subprocess.DEVNULL, env=self.settings()) as program:
                _, status, usage = os.wait4(program.pid, 0)
                program.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(program.returncode, OK)
            return usage.ru_maxrss
        self.assertLess(most_kib(300), most_kib(10) + 4096)

    def test_bad_files_are_told_and_leave_nothing(self):
        song = self.write_midi(*self.note())
        whole = song.read_bytes()
        for name, content in (("none", None), ("torn", whole[:len(whole) // 2]), ("empty", b""),
                              ("text", b"Dear reader")):
            song.unlink(missing_ok=True)
            if content is not None:
                song.write_bytes(content)
            self.assertIn("in.mid", self.fail_with(BAD_FILE, "render", song, "-o", self.output), name)
        self.write_midi(mido.Message("program_change", program=1))
        self.assertIn("no notes", self.fail_with(BAD_FILE, "render", song, "-o", self.output))
        patch = self.folder / "own.toml"
        patch.write_text("[filter]\nherz = 3\n")
        piece = ("render", "--seconds", 1, "-o", self.output)
        self.assertIn("own.toml:2", self.fail_with(BAD_FILE, *piece, "--patch", patch))
        self.assertIn("none.toml", self.fail_with(BAD_FILE, *piece, "--patch", "none.toml"))
        self.assertIn("none", self.fail_with(BAD_FILE, *piece, "--stems", "none/stems"))
        self.assertIn("own.toml", self.fail_with(BAD_FILE, *piece, "--stems", patch))
        self.assertIn("none", self.fail_with(BAD_FILE, *piece, "--stems", "stems", "--picture", "none/out.png"))
        self.assertIn("none", self.fail_with(BAD_FILE, "render", "--seconds", 1, "-o", "none/out.wav"))
        self.assertIn("No space left", self.fail_with(BAD_FILE, "render", "--seconds", 1, "-o", "/dev/full", "--format",
                                                      "raw"))
        self.assert_nothing_left("in.mid", "own.toml")

    def test_wrong_use_is_told_and_leaves_nothing(self):
        song = self.write_midi(*self.note())
        piece = ("--seconds", 1, "-o", self.output)
        for arguments, said in ((("--seconds", 0, "-o", self.output), "0 seconds"),
                                (("--seconds", "nan", "-o", self.output), "seconds"),
                                (("--seconds", -1, "-o", self.output), "-1 seconds"),
                                (("--seconds", 1e9, "-o", self.output), "86400"), (("-o", self.output), "--seconds"),
                                (("--seconds", 1), "--output"), ((*piece, "--preset", "party"), "party"),
                                ((*piece, "--block", 0), "--block"), ((*piece, "--block", 4097), "--block"),
                                ((*piece, "--rate", 7999), "--rate"), ((*piece, "--loudness", 3), "--loudness"),
                                ((*piece, "--count", 0), "--count"), ((*piece, "--device", "tpu"), "tpu"),
                                ((*piece, "--picture", "out.wav"), ".png"),
                                ((*piece, "--count", 2, "--stems", "stems"), "--stems"),
                                ((*piece, "--count", 2, "--picture", "out.png"), "--picture"),
                                (("--seconds", 1, "-o", "-", "--count", 2, "--format", "raw"), "standard output"),
                                (("--seconds", 1, "-o", "out.mp4"), "out.mp4"),
                                (("--seconds", 1, "-o", "stems/pads.wav", "--stems", "stems"), "pads.wav"),
                                ((song, "-o", self.output, "--seed", 3), "--seed"),
                                ((song, "-o", self.output, "--count", 3), "--count")):
            with self.subTest(arguments):
                if "stems/pads.wav" in arguments:
                    (self.folder / "stems").mkdir()
                self.assertIn(said, self.fail_with(WRONG_USE, "render", *arguments))
        (self.folder / "stems").rmdir()
        self.assert_nothing_left("in.mid")

    def test_a_signal_leaves_nothing(self):
        self.output.write_text("old")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number), subprocess.Popen([PROGRAM, "render", "--seconds", "86400", "-o", self.output,
                                                         "--stems", "stems", "--picture", "out.png"],
                                                        stderr=subprocess.PIPE, cwd=self.folder,
                                                        env=self.settings()) as program:
                end = time.monotonic() + 30
                while not list(self.folder.glob("out.png.unfinished-*")) and time.monotonic() < end:
                    time.sleep(0.01)
                time.sleep(0.1)
                program.send_signal(number)
                self.assertEqual(program.wait(timeout=30), 128 + number)
                self.assert_sentence(program.stderr.read().decode())
                self.assert_nothing_left("out.wav")
                self.assertEqual(self.output.read_text(), "old")

    def test_progress_is_for_a_terminal(self):
        # Long enough for a fast machine: what is done at once shows nothing.
        arguments = ("render", "--seconds", 60, "--rate", RATE, "-o", self.output, "--loudness", -20)
        self.assertEqual(self.succeed(*arguments).stderr, "")
        shown = self.seen_on_a_terminal(*arguments)
        for task in (b"measuring [", b"rendering ["):
            self.assertIn(task, shown)
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown[-80:])
