# SPDX-License-Identifier: Apache-2.0
"""`ringwave play` on a JACK server without a sound card, which jack_rec listens to."""
import os
import pathlib
import re
import signal
import subprocess
import time

import mido
import numpy
import scipy.signal

from audio import needs, read_wav
from program import BAD_FILE, NO_DEVICE, OK, PROGRAM, WRONG_USE, ProgramTest

PLAYED = re.compile(r"played (\d+):(\d\d):(\d\d), (\d+) frames at (\d+) Hz, (\d+) underruns?, (\d+) xruns?\n")


class Server:
    """A server of our own, whose threads need no right to be real-time ones."""

    def __init__(self, name, *options, rate=48000):
        self.name = f"ringwave-test-{os.getpid()}-{name}"
        self.options = ["-d", "dummy", "-r", str(rate), "-p", "128", *options]
        self.start()

    def start(self):
        self.process = subprocess.Popen(["jackd", "-n", self.name, "--no-realtime", *self.options],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(["jack_wait", "-s", self.name, "-w", "-t", "10"], capture_output=True, check=True)

    def end(self):
        if self.process.poll() == -signal.SIGKILL:
            self.start()  # only one of the same name gives its place back, of the eight that a machine has
        self.process.terminate()
        self.process.wait(timeout=10)
        for left in pathlib.Path("/dev/shm").glob(f"jack*{self.name}*"):  # by one that was killed
            left.unlink(missing_ok=True)


@needs("jackd")
class Play(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.shared = Server("shared")
        cls.addClassCleanup(cls.shared.end)

    def setUp(self):
        super().setUp()
        self.server = self.shared

    def start_server(self, name, *options, rate=48000):
        """Another server, for this test."""
        self.server = Server(name, *options, rate=rate)
        self.addCleanup(self.server.end)

    def settings(self, **environment):
        return super().settings(**{"JACK_DEFAULT_SERVER": self.server.name, **environment})

    def start_program(self, *arguments):
        """The program, once its ports are there."""
        program = subprocess.Popen([PROGRAM, "play", *map(str, arguments)], stdout=subprocess.PIPE, text=True,
                                   stderr=subprocess.PIPE, env=self.settings(), cwd=self.folder)
        self.addCleanup(program.communicate)
        self.addCleanup(program.kill)
        end = time.monotonic() + 10
        while "ringwave:right" not in self.connections() and time.monotonic() < end:
            time.sleep(0.05)
        return program

    def connections(self):
        return subprocess.run(["jack_lsp", "-s", self.server.name, "-c"], capture_output=True, text=True, check=False).stdout

    def frames_of(self, stdout):
        found = PLAYED.fullmatch(stdout)
        self.assertIsNotNone(found, stdout)
        return int(found[4])

    @staticmethod
    def lies_within(stretch, whole):
        """True where a stretch is a part of the whole, but for the rounding and the dither of 16 bits."""
        if abs(stretch).max() < 300:
            return False
        likeness = scipy.signal.correlate(whole, stretch, mode="valid", method="fft")[:, 0]
        energies = scipy.signal.correlate(whole ** 2, numpy.ones_like(stretch), mode="valid", method="fft")[:, 0]
        place = numpy.argmin(energies - 2 * likeness)
        return abs(whole[place:place + len(stretch)] - stretch).max() <= 3

    def test_it_plays_as_long_as_was_asked_for(self):
        self.start_server("44100", rate=44100)
        begun = time.monotonic()
        result = self.succeed("play", "--preset", "focus", "--seed", 7, "--seconds", 1.5, "--device", "cpu")
        self.assertEqual(result.stderr, "")
        self.assertEqual(self.frames_of(result.stdout), 66150)
        self.assertIn("at 44100 Hz", result.stdout)
        self.assertGreater(time.monotonic() - begun, 1.5)

    def test_it_is_connected_and_what_render_writes_is_heard(self):
        program = self.start_program("--preset", "bright", "--seed", 3)
        time.sleep(0.5)
        self.assertIn("system:playback_1\n   ringwave:left\nsystem:playback_2\n   ringwave:right\n", self.connections())
        subprocess.run(["jack_rec", "-f", "heard.wav", "-d", "1", "-b", "16", "ringwave:left", "ringwave:right"],
                       env=self.settings(), cwd=self.folder, capture_output=True, timeout=20, check=True)
        rate, heard = read_wav(self.folder / "heard.wav")
        self.assertEqual(rate, 48000)
        self.succeed("render", "--preset", "bright", "--seed", 3, "--seconds", 10, "-o", "rendered.wav")
        rendered = read_wav(self.folder / "rendered.wav")[1].astype(float)
        # A busy machine may make jack_rec miss a period now and then: a stretch without one is enough.
        stretches = [heard[first:first + 4800].astype(float) for first in range(0, len(heard) - 4800, 4800)]
        self.assertTrue(any(self.lies_within(stretch, rendered) for stretch in stretches))
        program.terminate()
        self.assertEqual(program.wait(timeout=10), OK)

    def test_a_midi_file_ends_when_it_has_died_away(self):
        song = mido.MidiFile(ticks_per_beat=480)
        song.tracks.append(mido.MidiTrack([mido.Message("note_on", note=36, channel=9, velocity=100),
                                           mido.Message("note_off", note=36, channel=9, time=240)]))
        song.save(self.folder / "in.mid")
        frames = self.frames_of(self.succeed("play", "in.mid").stdout)
        self.assertGreater(frames, 0.25 * 48000)
        self.assertLess(frames, 8 * 48000)

    def test_a_signal_fades_out_and_ends_well(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                program = self.start_program()
                time.sleep(0.5)
                begun = time.monotonic()
                program.send_signal(number)
                stdout, stderr = program.communicate(timeout=10)
                self.assertEqual((program.returncode, stderr), (OK, ""))
                self.assertLess(time.monotonic() - begun, 3)
                self.assertGreater(self.frames_of(stdout), 0.5 * 48000)

    def test_a_server_that_goes_away_is_told(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number):
                self.start_server(f"mortal-{number}")
                program = self.start_program()
                self.server.process.send_signal(number)
                stdout, stderr = program.communicate(timeout=10)
                self.assertEqual((program.returncode, stdout), (NO_DEVICE, ""))
                self.assert_sentence(stderr)
                self.assertIn("went away", stderr)

    def test_where_no_server_is_it_says_what_to_do(self):
        said = self.fail_with(NO_DEVICE, "play", "--seconds", 1, JACK_DEFAULT_SERVER="ringwave-none")
        for word in ("JACK", "PipeWire", "jackd -d alsa", "ringwave render"):
            self.assertIn(word, said)

    def test_a_rate_that_cannot_be_rendered_is_told(self):
        self.start_server("4000", rate=4000)
        self.assertIn("4000 Hz", self.fail_with(NO_DEVICE, "play", "--seconds", 1))

    def test_without_playback_ports_it_plays_and_says_so(self):
        self.start_server("deaf", "-P", "0")
        result = self.succeed("play", "--seconds", 0.2)
        self.assert_sentence(result.stderr)
        self.assertIn("ringwave:left", result.stderr)
        self.assertEqual(self.frames_of(result.stdout), 9600)

    def test_the_state_is_for_a_terminal(self):
        shown = self.seen_on_a_terminal("play", "--seconds", 0.6)
        self.assertRegex(shown.decode(), r"playing 0:00:00, \d+ voices?, \d+ underruns?, \d+ xruns?")
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown[-80:])

    def test_wrong_use_and_bad_files_are_told(self):
        for status, arguments, said in ((WRONG_USE, ("--seconds", 0), "0 seconds"),
                                        (WRONG_USE, ("--preset", "party"), "party"),
                                        (WRONG_USE, ("--loudness", 3), "--loudness"),
                                        (WRONG_USE, ("in.mid", "--seed", 3), "--seed"),
                                        (BAD_FILE, ("none.mid",), "none.mid"),
                                        (BAD_FILE, ("--patch", "none.toml"), "none.toml")):
            with self.subTest(arguments):
                self.assertIn(said, self.fail_with(status, "play", *arguments))
