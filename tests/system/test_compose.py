# SPDX-License-Identifier: Apache-2.0
"""`ringwave compose`, whose files another reader of MIDI files opens."""
import json

import mido

from program import BAD_FILE, WRONG_USE, ProgramTest

DORIAN = {(2 + step) % 12 for step in (0, 2, 3, 5, 7, 9, 10)}  # of D
PERCUSSION = 9


class Compose(ProgramTest):
    def setUp(self):
        super().setUp()
        self.output = self.folder / "out.mid"

    def compose(self, *arguments):
        self.succeed("compose", "-o", self.output, *arguments)
        return mido.MidiFile(self.output)

    def test_another_reader_finds_the_piece(self):
        song = self.compose("--preset", "focus", "--seed", 3, "--bars", 32)
        self.assertEqual((song.type, song.ticks_per_beat), (1, 960))
        self.assertEqual({track.name for track in song.tracks[1:]},
                         {"pads", "melody", "bass", "bells", "kicks", "swells", "hats"})
        self.assertEqual([message.tempo for message in song.tracks[0] if message.type == "set_tempo"], [1_000_000])
        self.assertAlmostEqual(song.length, 32 * 4, delta=8)  # what rings at the end is whole
        sounding, notes, inside = {}, 0, 0
        for message in mido.merge_tracks(song.tracks):
            if message.type not in ("note_on", "note_off"):
                continue
            key = (message.channel, message.note)
            sounding[key] = sounding.get(key, 0) + (1 if message.type == "note_on" else -1)
            self.assertGreaterEqual(sounding[key], 0)
            if message.type == "note_on" and message.channel != PERCUSSION:
                notes += 1
                inside += message.note % 12 in DORIAN
        self.assertEqual(set(sounding.values()), {0}, "what was begun is ended")
        self.assertGreater(notes, 100)
        self.assertGreaterEqual(inside, 0.95 * notes)

    def test_the_same_seed_is_the_same_to_the_byte_and_another_is_another(self):
        def composed(*arguments):
            self.compose(*arguments)
            return self.output.read_bytes()
        first = composed("--seed", 5)
        self.assertEqual(first, composed("--seed", 5))
        self.assertNotEqual(first, composed("--seed", 6))
        self.assertEqual(self.run_bytes("compose", "--seed", 5, "-o", "-"), first)

    def test_more_bars_begin_with_the_same(self):
        def notes(bars):
            song = self.compose("--bars", bars)
            tick, found = 0, []
            for message in mido.merge_tracks(song.tracks):
                tick += message.time
                if message.type == "note_on" and tick < 16 * 3840:
                    found.append((tick, message.channel, message.note, message.velocity))
            return found
        self.assertEqual(notes(16), notes(40))

    def test_options_change_the_preset(self):
        found = json.loads(self.succeed("compose", "--key", "Bb", "--mode", "lydian", "--bpm", 90, "--intensity", 1,
                                        "--layers", "pads,bass", "--bars", 8, "-o", self.output, "--json").stdout)
        self.assertEqual((found["key"], found["mode"], found["bpm"], found["intensity"]), ("Bb", "lydian", 90, 1))
        self.assertEqual(set(found["notes"]), {"pads", "bass"})
        self.assertEqual({track.name for track in mido.MidiFile(self.output).tracks[1:]}, {"pads", "bass"})

    def test_presets_of_ones_own(self):
        preset = self.folder / "night.toml"
        preset.write_text('key = "E"\nmode = "phrygian"\nbpm = 44\nlayers = ["pads"]\n')
        found = json.loads(self.succeed("compose", "--preset", preset, "-o", self.output, "--json").stdout)
        self.assertEqual((found["preset"], found["key"], found["bpm"]), ("night", "E", 44))
        preset.write_text('key = "E"\nbpm = 400\n')
        sentence = self.fail_with(BAD_FILE, "compose", "--preset", preset, "-o", self.output)
        self.assertIn("night.toml:2: bpm is 400; use 40 to 120", sentence)

    def test_wrong_use_is_told_and_leaves_the_old_file_alone(self):
        self.output.write_text("old")
        for arguments in (("--preset", "party"), ("--key", "H"), ("--mode", "sad"), ("--bpm", "500"),
                          ("--intensity", "2"), ("--layers", "drums"), ("--bars", "0"), ("--bars", "1000000"),
                          ("--seed", "x")):
            self.fail_with(WRONG_USE, "compose", *arguments, "-o", self.output)
        self.fail_with(WRONG_USE, "compose")
        self.fail_with(WRONG_USE, "compose", "-o", "-", "--json")
        self.fail_with(BAD_FILE, "compose", "-o", self.folder / "none/out.mid")
        self.fail_with(BAD_FILE, "compose", "--preset", self.folder / "none.toml", "-o", self.output)
        self.assertEqual(self.output.read_text(), "old")
