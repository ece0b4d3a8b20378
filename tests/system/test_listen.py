# SPDX-License-Identifier: Apache-2.0
"""`ringwave listen` and `ringwave load` with a server of their own."""
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import threading
import time

import numpy

import test_play
from audio import decode, needs, read_wav
from program import BAD_FILE, CHECK_FAILED, NO_DEVICE, OK, PROGRAM, WRONG_USE
from server import ServerTest


class FickleProxy:
    """Passes connections on to a port and, when told to, cuts those that are open."""

    def __init__(self, port):
        self.target = port
        self.pairs = []
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                near = self.server.accept()[0]
                pair = (near, socket.create_connection(("127.0.0.1", self.target)))
                self.pairs.append(pair)
                threading.Thread(target=self.pass_on, args=pair, daemon=True).start()

    @staticmethod
    def pass_on(near, far):
        with contextlib.suppress(OSError, ValueError):
            while True:
                for ready in select.select([near, far], [], [])[0]:
                    data = ready.recv(65536)
                    if not data:
                        return
                    (far if ready is near else near).sendall(data)

    def cut(self):
        for near, far in self.pairs:
            for end in (near, far):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
        self.pairs.clear()

    def close(self):
        self.server.close()
        self.cut()


class ClientTest(ServerTest):
    def url(self, port=None):
        return f"http://127.0.0.1:{port or self.server.port}"

    def listen(self, *arguments, **environment):
        return self.succeed("listen", self.url(), *arguments, **environment)

    def stations(self):
        return {station["id"] for station in self.server.get("/api/stations").json["stations"]}

    def summary(self, *arguments):
        return json.loads(self.listen("--json", *arguments).stdout)

    def start_program(self, *arguments):
        program = subprocess.Popen([str(PROGRAM), *map(str, arguments)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=self.settings(), cwd=self.folder)
        self.addCleanup(program.communicate)
        self.addCleanup(program.kill)
        return program


class Listen(ClientTest):
    def test_it_records_as_long_as_was_asked_for(self):
        for codec, name in (("pcm", "out.wav"), ("opus", "out.flac"), ("opus", "out.opus")):
            with self.subTest(codec=codec, name=name):
                summary = self.summary("--preset", "focus", "--seed", 7, "--codec", codec, "--seconds", 2, "-o", name,
                                       "--check")
                self.assertEqual((summary["lost"], summary["repeated"], summary["damaged"]), (0, 0, 0))
                self.assertEqual((summary["codec"], summary["seconds"], summary["reconnects"]), (codec, 2, 0))
                self.assertGreaterEqual(summary["frames"], 100)
                samples = decode(self.folder / name, 2)
                self.assertEqual(len(samples), 96000)
                self.assertGreater(abs(samples).max(), 0.001)

    def test_pcm_is_what_the_station_plays(self):
        station = self.new_station(preset="bright", seed=3)["id"]
        programs = [self.start_program("listen", self.url(), "--station", station, "--codec", "pcm", "--seconds", 3,
                                       "-o", name, "--check") for name in ("one.wav", "other.wav")]
        for program in programs:
            self.assertEqual(program.wait(timeout=30), OK)
        one, other = (read_wav(self.folder / name)[1] for name in ("one.wav", "other.wav"))
        # Both are in the same music, not at the same place of it; both are whole frames of 20 ms.
        offsets = range(-100, 101)
        cut = {offset: (one[max(0, 960 * offset):], other[max(0, -960 * offset):]) for offset in offsets}
        best = min(numpy.abs(a[:len(b)].astype(int) - b[:len(a)]).max() for a, b in cut.values() if len(a) > 48000)
        self.assertLessEqual(best, 2)  # but for the dither of each file

    def test_a_station_that_was_made_goes_at_the_end_and_at_an_interrupt(self):
        before = self.stations()
        self.listen("--seconds", 0.5)
        self.assertEqual(self.stations(), before)
        program = self.start_program("listen", self.url(), "-o", "out.wav")
        self.wait_until(lambda: len(self.stations()) > len(before), "a station")
        self.wait_until(lambda: self.server.get("/api/status").json["listeners"] > 0, "a listener")
        program.send_signal(signal.SIGINT)
        self.assertEqual(program.wait(timeout=30), OK)
        self.assertEqual(self.stations(), before)

    def test_a_station_that_was_named_stays(self):
        station = self.new_station()["id"]
        self.listen("--station", station, "--seconds", 0.5)
        self.assertIn(station, self.stations())

    def test_a_station_of_a_server_with_tokens_goes_too(self):
        server = self.start_server("--tokens", "0123456789abcdef")
        self.succeed("listen", f"http://127.0.0.1:{server.port}", "--token", "0123456789abcdef", "--seconds", 0.5)
        self.assertEqual(server.get("/api/stations?token=0123456789abcdef").json, {"stations": []})

    def test_standard_output_may_be_the_file(self):
        result = subprocess.run([str(PROGRAM), "listen", self.url(), "--seconds", "0.5", "-o", "-", "--format", "raw"],
                                env=self.settings(), cwd=self.folder, capture_output=True, timeout=60, check=True)
        self.assertEqual(len(result.stdout), 24000 * 8)
        self.assertIn(b"heard", result.stderr)

    def test_ctrl_c_ends_it_with_a_whole_file(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                program = self.start_program("listen", self.url(), "-o", "out.wav")
                time.sleep(1.5)
                self.assertFalse((self.folder / "out.wav").exists())
                program.send_signal(number)
                stdout, stderr = program.communicate(timeout=10)
                self.assertEqual((program.returncode, stderr), (OK, ""))
                self.assertRegex(stdout, r"heard 0:00:0\d of station \w+: \d+ frames, 0 lost, 0 repeated")
                self.assertGreater(len(read_wav(self.folder / "out.wav")[1]), 24000)
                (self.folder / "out.wav").unlink()

    def test_a_connection_that_is_lost_is_made_again_and_nothing_is_missing(self):
        proxy = FickleProxy(self.server.port)
        self.addCleanup(proxy.close)
        station = self.new_station(seed=5)["id"]
        program = self.start_program("listen", self.url(proxy.port), "--station", station, "--seconds", 5, "--json",
                                     "-o", "out.wav", "--check")
        time.sleep(2)
        proxy.cut()
        time.sleep(1)
        proxy.cut()
        stdout, stderr = program.communicate(timeout=30)
        summary = json.loads(stdout)
        self.assertEqual((program.returncode, summary["lost"], summary["reconnects"]), (OK, 0, 2), stderr)
        self.assertEqual(stderr.count("trying again"), 2)
        self.assertEqual(len(read_wav(self.folder / "out.wav")[1]), 5 * 48000)

    def test_it_does_not_come_back_where_that_is_not_wanted(self):
        proxy = FickleProxy(self.server.port)
        self.addCleanup(proxy.close)
        program = self.start_program("listen", self.url(proxy.port), "--no-reconnect", "-o", "out.wav")
        time.sleep(2)
        proxy.cut()
        stderr = program.communicate(timeout=30)[1]
        self.assertEqual(program.returncode, NO_DEVICE)
        self.assert_sentence(stderr)
        self.assertGreater(len(read_wav(self.folder / "out.wav")[1]), 24000)  # what was heard is kept

    def test_a_server_that_goes_is_told(self):
        self.start_server()
        program = self.start_program("listen", self.url(), "--seconds", 60)
        time.sleep(1)
        self.server.end()
        time.sleep(0.5)
        program.send_signal(signal.SIGINT)
        stdout, stderr = program.communicate(timeout=15)
        self.assertEqual(program.returncode, OK, stderr)
        self.assertIn("heard", stdout)
        self.assertIn("the connection was lost", stderr)

    def test_the_state_is_for_a_terminal(self):
        shown = self.seen_on_a_terminal("listen", self.url(), "--seconds", 1)
        self.assertRegex(shown.decode(), r"listening 0:00:0\d, \d\.\d\d s in hand, 0 lost, \d+\.\d ms late, ")
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown[-80:])

    def test_bad_use_gets_a_sentence_and_leaves_no_file(self):
        station = self.new_station()["id"]
        for status, arguments, said in (
                (WRONG_USE, (self.url() + f"/stream/{station}.mp3",), "any player"),
                (WRONG_USE, ("https://127.0.0.1",), "TLS"),
                (WRONG_USE, ("http://127.0.0.1:x",), "port"),
                (WRONG_USE, (self.url(), "--station", "none"), "none"),
                (WRONG_USE, (self.url(), "--station", "../x"), "1 to 32"),
                (WRONG_USE, (self.url(), "--station", station, "--seed", 3), "--seed"),
                (WRONG_USE, (self.url(), "--preset", "party"), "party"),
                (WRONG_USE, (self.url(), "--codec", "mp3"), "opus or pcm"),
                (WRONG_USE, (self.url(), "--seconds", -1), "-1 seconds"),
                (WRONG_USE, (self.url(), "-o", "out.xyz"), "out.xyz"),
                (BAD_FILE, (self.url(), "-o", "none/out.wav"), "none/out.wav"),
                (NO_DEVICE, ("http://127.0.0.1:1",), "ringwave serve")):
            with self.subTest(arguments):
                recording = () if "-o" in arguments else ("-o", "left.wav")
                self.assertIn(said, self.fail_with(status, "listen", *arguments, *recording))
                self.assertEqual([name for name in os.listdir(self.folder) if "wav" in name], [])

    def test_what_is_no_server_of_ours_is_told(self):
        with socket.create_server(("127.0.0.1", 0)) as stranger:
            def answer():
                with stranger.accept()[0] as visitor:
                    visitor.recv(4096)
                    visitor.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            threading.Thread(target=answer, daemon=True).start()
            said = self.fail_with(NO_DEVICE, "listen", self.url(stranger.getsockname()[1]))
            self.assertIn("no server of Ringwave's", said)

    def test_a_token_is_shown_where_one_is_wanted(self):
        token = "0123456789abcdef0123456789abcdef"
        self.start_server("--tokens", token)
        said = self.fail_with(WRONG_USE, "listen", self.url(), "--seconds", 0.5)
        self.assertNotIn("HTTP status", said)
        self.listen("--seconds", 0.5, "--token", token)
        self.listen("--seconds", 0.5, RINGWAVE_TOKEN=token)


@needs("jackd")
class ListenOnADevice(ClientTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.jack = test_play.Server("listen")
        cls.addClassCleanup(cls.jack.end)
        cls.other_rate = test_play.Server("listen-44100", rate=44100)
        cls.addClassCleanup(cls.other_rate.end)

    def test_it_plays_at_any_rate(self):
        for jack in (self.jack, self.other_rate):
            with self.subTest(jack.name):
                result = self.listen("--play", "--seconds", 2, "--json", JACK_DEFAULT_SERVER=jack.name)
                summary = json.loads(result.stdout)
                self.assertEqual((summary["lost"], summary["seconds"]), (0, 2))

    def test_where_no_audio_server_is_it_says_so(self):
        self.fail_with(NO_DEVICE, "listen", self.url(), "--play", JACK_DEFAULT_SERVER="ringwave-none")


class Load(ClientTest):
    def report(self, *arguments):
        self.succeed("load", self.url(), "--check", "--json", "report.json", *arguments)
        return json.loads((self.folder / "report.json").read_text())

    def test_listeners_of_stations_that_it_makes_and_removes(self):
        before = len(self.server.get("/api/stations").json["stations"])
        report = self.report("--listeners", 40, "--stations", 2, "--seconds", 3, "--pid", self.server.process.pid)
        self.assertEqual(report["listeners"], {"asked": 40, "joined": 40, "held": 40, "refused": 0})
        self.assertEqual((report["lost"], report["repeated"], report["stations"]), (0, 0, 2))
        self.assertAlmostEqual(report["frames_per_second"], 40 * 50, delta=200)
        self.assertLess(report["lateness_ms"]["p50"], 20)
        self.assertGreater(report["server"]["cpu_seconds"], 0)
        self.assertGreater(report["server"]["threads"], 0)
        self.assertEqual(len(self.server.get("/api/stations").json["stations"]), before)

    def test_stations_that_it_made_go_at_an_interrupt(self):
        before = self.stations()
        program = self.start_program("load", self.url(), "--listeners", 4, "--stations", 2, "--seconds", 60)
        self.wait_until(lambda: self.server.get("/api/status").json["listeners"] >= 4, "listeners")
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=30)
        self.assertEqual(self.stations(), before)

    def test_plain_streams(self):
        station = self.new_station()["id"]
        report = self.report("--listeners", 5, "--station", station, "--format", "http-opus", "--seconds", 3)
        self.assertEqual((report["lost"], report["repeated"]), (0, 0))
        self.assertGreater(report["lateness_ms"]["frames"], 5)
        report = self.report("--listeners", 5, "--http-path", f"/stream/{station}.mp3", "--format", "http-mp3",
                             "--seconds", 2)
        self.assertEqual((report["frames"], report["lateness_ms"]), (0, None))
        self.assertGreater(report["bytes_per_second"], 5 * 10000)

    def test_the_good_ones_lose_nothing_beside_the_bad(self):
        report = self.report("--listeners", 20, "--seconds", 6, "--silent", 10, "--garbage", 10, "--reconnecting", 5,
                             "--churn", 10)
        self.assertEqual(report["lost"], 0)
        self.assertEqual(report["others"]["silent"], 10)
        self.assertGreater(report["others"]["garbage"], 10)
        self.assertGreater(report["others"]["reconnects"], 10)
        self.assertGreater(report["others"]["churned"], 5)

    def test_a_server_that_dies_is_seen(self):
        self.start_server()
        program = self.start_program("load", self.url(), "--listeners", 5, "--seconds", 60, "--check")
        time.sleep(5)
        self.server.end(signal.SIGKILL)
        stdout, stderr = program.communicate(timeout=20)
        self.assertEqual(program.returncode, CHECK_FAILED, stderr)
        self.assertIn("0 of 5 held", stdout)

    def test_bad_use_gets_a_sentence(self):
        for status, arguments, said in ((WRONG_USE, ("http://192.0.2.1",), "--allow-remote"),
                                        (WRONG_USE, (self.url(), "--listeners", 900000), "ulimit -n"),
                                        (WRONG_USE, (self.url(), "--format", "carrier-pigeon"), "http-opus"),
                                        (WRONG_USE, (self.url(), "--http-path", "/x"), "--format"),
                                        (WRONG_USE, (self.url(), "--station", "a b"), "1 to 32"),
                                        (WRONG_USE, (self.url(), "--pid", 99999999), "99999999"),
                                        (NO_DEVICE, (self.url(), "--station", "none", "--listeners", 2), "404"),
                                        (NO_DEVICE, ("http://127.0.0.1:1",), "ringwave serve")):
            with self.subTest(arguments):
                self.assertIn(said, self.fail_with(status, "load", *arguments))
