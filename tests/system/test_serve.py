# SPDX-License-Identifier: Apache-2.0
"""The life of `ringwave serve`: its settings, its start, its end, and what it knows again afterwards."""
import asyncio
import json
import os
import signal
import socket
import time

from program import BAD_FILE, NO_DEVICE, OK, WRONG_USE
from server import ServerTest
from test_serve_websocket import next_closing, next_frames, next_text


class Settings(ServerTest):
    def test_check_says_what_it_would_do_and_serves_nothing(self):
        shown = self.succeed("serve", "--check", "--port", "0", "--data", self.folder / "data").stdout
        self.assertIn("would listen at 127.0.0.1", shown)
        self.assertIn("max_stations = 1000", shown)
        self.assertIn("  GET /api/stations/{id}\n", shown)

    def test_the_file_the_environment_and_flags_go_before_each_other(self):
        path = self.folder / "server.toml"
        path.write_text('max_stations = 10\nmax_playing = 10\nlinger_seconds = 10\ntokens = ["0123456789abcdef"]\n')
        shown = self.succeed("serve", "--check", "--port", "0", "--config", path, "--max-stations", "30",
                             RINGWAVE_MAX_STATIONS="20", RINGWAVE_MAX_PLAYING="20").stdout
        for line in ("max_stations = 30", "max_playing = 20", "linger_seconds = 10", "tokens = 1 that are not shown"):
            self.assertIn(f"  {line}\n", shown)
        self.assertIn(str(self.folder / ".local/state/ringwave"), shown)

    def test_faults_are_named_by_where_they_stand(self):
        path = self.folder / "server.toml"
        for text, named in (("port = 1\nmax_statoins = 1", "server.toml:2: max_statoins"),
                            ("port = 99999", "server.toml:1: port is 99999"), ("port = 1.5", "server.toml:1: port"),
                            ("tokens = 1", "server.toml:1: tokens"), ("port = ", "server.toml:1"),
                            ("trust_proxy = 1", "server.toml:1: trust_proxy")):
            path.write_text(text)
            self.assertIn(named, self.fail_with(BAD_FILE, "serve", "--check", "--config", path))
        self.assertIn("missing.toml", self.fail_with(BAD_FILE, "serve", "--check", "--config", "missing.toml"))
        for name, value in (("PORT", "http"), ("MAX_PLAYING", "0"), ("DRAIN_SECONDS", "nan"), ("TRUST_PROXY", "yes")):
            told = self.fail_with(WRONG_USE, "serve", "--check", **{f"RINGWAVE_{name}": value})
            self.assertIn(f"RINGWAVE_{name}", told)
        for flag, value in (("--port", "-1"), ("--max-body-bytes", "1e99"), ("--host", "example.org"),
                            ("--tokens", "short"), ("--allowed-origins", "radio.example"), ("--log-level", "loud")):
            self.fail_with(WRONG_USE, "serve", "--check", "--data", self.folder / "data", flag, value)
        self.assertIn("cuda", self.fail_with(NO_DEVICE, "serve", "--check", "--port", "0", "--device", "cuda:99"))

    def test_what_it_needs_must_be_there(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            for flags in ((), ("--check",)):
                told = self.fail_with(WRONG_USE, "serve", "--port", port, *flags)
                self.assertIn(f"port {port} of 127.0.0.1", told)
        (self.folder / "file").write_text("")
        self.fail_with(BAD_FILE, "serve", "--check", "--port", "0", "--data", self.folder / "file")
        self.fail_with(BAD_FILE, "serve", "--check", "--port", "0", "--web-folder", self.folder / "none")
        server = self.start_server()
        told = self.fail_with(BAD_FILE, "serve", "--port", "0", "--data", server.folder / "data")
        self.assertIn("another server", told)


class Status(ServerTest):
    def test_tells_what_it_does(self):
        async def listen():
            async with self.server.listen(self.new_station()["id"]) as one:
                await next_frames(one, 50)
                return self.server.get("/api/status").json

        status = asyncio.run(listen())
        self.assertEqual((status["state"], status["listeners"], status["playing"], status["block_ms"]), ("ok", 1, 1, 20))
        self.assertGreater(status["bytes_sent"], 50 * 100)
        self.assertGreater(status["render_ms"]["max"], 0)
        self.assertEqual(self.server.get("/health").json, {"status": "ok"})

    def test_metrics_are_prometheus_s(self):
        text = self.server.get("/metrics").body.decode()
        for name in ("render_seconds", "encode_seconds", "lateness_seconds", "buffer_depth_seconds", "jitter_seconds"):
            self.assertIn(f"# TYPE ringwave_{name} histogram", text)
        for name in ("deadline_misses", "underruns", "skipped_frames", "dropped_listeners", "sent_bytes", "refusals"):
            self.assertIn(f"# TYPE ringwave_{name}_total counter", text)
        for name in ("listeners", "stations", "connections", "resident_bytes", "uptime_seconds"):
            self.assertIn(f"# TYPE ringwave_{name} gauge", text)
        before = self.server.metric('ringwave_refusals_total{code="not_found"}')
        self.server.get("/nothing")
        self.assertEqual(self.server.metric('ringwave_refusals_total{code="not_found"}'), before + 1)


class End(ServerTest):
    ARGUMENTS = ("--linger-seconds", "1")

    def test_drains_on_a_signal(self):
        async def listen(server, station):
            async with server.listen(station, "pcm") as one:
                await next_frames(one, 20)
                os.kill(server.process.pid, signal.SIGTERM)
                shutdown = await next_text(one, "shutdown")
                self.assertEqual(shutdown["drain_seconds"], 2)
                self.assertEqual((server.get("/health").status, server.get("/health").json["status"]), (503, "draining"))
                self.assert_refused(server.post("/api/stations"), 503, "overloaded")
                frames = await next_frames(one, 20)
                self.assertEqual([frame[3] for frame in frames], list(range(frames[0][3], frames[0][3] + 20)))
                self.assertEqual(await next_closing(one), 1001)

        server = self.start_server("--drain-seconds", "2")
        asyncio.run(listen(server, self.new_station()["id"]))
        self.assertEqual(server.end(), OK)

    def test_is_soon_where_nobody_listens_and_at_once_at_a_second_signal(self):
        server = self.start_server("--drain-seconds", "60")
        self.assertEqual(server.end(signal.SIGINT), OK)
        server.start()
        station = self.new_station()["id"]
        with server.socket(f"GET /stream/{station}.mp3 HTTP/1.0\r\n\r\n".encode()) as player:
            player.recv(1000)
            server.process.terminate()
            self.wait_until(lambda: server.get("/health").status == 503, "draining")
            self.assertEqual(server.end(), OK)

    def test_a_killed_one_knows_its_stations_again(self):
        async def play(server, station):
            async with server.listen(station, "pcm") as one:
                return await next_frames(one, 150)

        server = self.start_server()
        made = self.new_station(id="night", preset="sleep", seed=77)
        before = asyncio.run(play(server, "night"))
        stood = server.get("/api/stations/night").json["sample_time"]
        time.sleep(1.5)
        server.end(signal.SIGKILL)
        server.start()
        again = server.get("/api/stations/night").json
        self.assertEqual((again["seed"], again["preset"], again["settings"]), (77, "sleep", made["settings"]))
        self.assertGreater(again["sample_time"], stood - 48000)
        after = asyncio.run(play(server, "night"))
        self.assertEqual(after[0][4], again["sample_time"])
        self.assertGreater(after[0][4], before[0][4])

    def test_a_state_that_is_damaged_is_put_aside(self):
        (self.folder / "data").mkdir()
        (self.folder / "data/stations.json").write_text("{torn")
        server = self.start_server()
        self.assertEqual(server.get("/api/stations").json, {"stations": []})
        self.assertIn("stations.json", server.log())
        self.assertTrue(any(path.read_text() == "{torn" for path in (self.folder / "data").iterdir() if path.is_file()))

    def test_stations_are_stored_as_json_for_the_owner_alone(self):
        server = self.start_server()
        self.new_station(id="kept")
        server.end()
        self.assertIn("kept", json.dumps(json.loads((self.folder / "data/stations.json").read_text())))
        self.assertEqual((self.folder / "data").stat().st_mode & 0o077, 0)
