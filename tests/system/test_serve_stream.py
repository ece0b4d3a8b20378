# SPDX-License-Identifier: Apache-2.0
"""Plain streams of `ringwave serve`, heard with ffmpeg, mpv and curl as players hear them."""
import contextlib
import subprocess

import numpy

from audio import RATE, decode, needs
from server import ServerTest

TYPES = {"opus": "audio/ogg", "mp3": "audio/mpeg", "flac": "audio/flac", "wav": "audio/wav"}

PLAYERS = {
    "ffmpeg": ["ffmpeg", "-nostdin", "-v", "error", "-i", "{url}", "-t", "60", "-c:a", "pcm_s16le", "{out}"],
    "mpv": ["mpv", "--no-config", "--msg-level=all=error", "--no-video", "--length=60", "--ao=pcm", "--ao-pcm-file={out}",
            "{url}"],
}


@needs("ffmpeg")
class Streams(ServerTest):
    def address(self, station, ending):
        return f"http://127.0.0.1:{self.server.port}/stream/{station}.{ending}"

    @needs("mpv")
    def test_of_every_format_players_hear_a_minute_without_a_fault(self):
        station = self.new_station(preset="bright", settings={"intensity": 1})["id"]
        with contextlib.ExitStack() as running:
            players = {}
            for ending in TYPES:
                for player, command in PLAYERS.items():
                    out = self.folder / f"{player}.{ending}.wav"
                    command = [word.format(url=self.address(station, ending), out=out) for word in command]
                    players[player, ending, out] = running.enter_context(
                        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
            for (player, ending, out), process in players.items():
                with self.subTest(player=player, ending=ending):
                    said = process.communicate(timeout=180)[0]
                    self.assertEqual((process.returncode, said), (0, ""))
                    samples = decode(out, 2)
                    # mpv ends with the packet in which the minute does: of FLAC and MP3, 24 ms; of Ogg, a page of 100 ms.
                    self.assertLess(abs(len(samples) - 60 * RATE), 0.1 * RATE if player == "mpv" else 1)
                    self.assertGreater(numpy.sqrt(numpy.mean(samples ** 2)), 0.01)

    def test_a_late_player_begins_with_some_seconds_at_once(self):
        station = self.new_station()["id"]
        request = f"GET /stream/{station}.wav HTTP/1.0\r\n\r\n".encode()
        mark = b"data\xff\xff\xff\xff"  # a chunk without an end

        def samples(player, count):
            """The first of them, after the head of HTTP and that of WAV."""
            got = b""
            while mark not in got or len(got) < got.index(mark) + len(mark) + count:
                got += player.recv(65536)
            return got[got.index(mark) + len(mark):]

        with self.server.socket(request) as first:
            before = samples(first, 3 * 48000 * 4)
            with self.server.socket(request) as second:
                self.assertTrue(samples(second, 4800)[:4800] in before, "it begins with what the first has heard already")

    def test_says_what_it_is(self):
        station = self.new_station()["id"]
        for ending, media_type in TYPES.items():
            head = self.server.ask("HEAD", f"/stream/{station}.{ending}")
            self.assertEqual((head.status, head.headers["Content-Type"].split(";")[0]), (200, media_type))
            self.assertEqual((head.headers["Cache-Control"], head.headers["Connection"]), ("no-store", "close"))
            self.assertNotIn("Content-Length", head.headers)
        self.assertFalse(self.server.get(f"/api/stations/{station}").json["is_playing"])

    def test_refuses_what_is_none(self):
        station = self.new_station()["id"]
        for path in (f"/stream/{station}.aac", f"/stream/{station}", "/stream/none.mp3", "/stream/.mp3"):
            self.assert_refused(self.server.get(path), 404, "not_found")

    def test_ends_when_its_station_does(self):
        station = self.new_station()["id"]
        with self.server.socket(f"GET /stream/{station}.mp3 HTTP/1.0\r\n\r\n".encode()) as player:
            player.recv(65536)
            self.server.ask("DELETE", f"/api/stations/{station}")
            while player.recv(65536):
                pass

    def test_only_as_many_stations_play_as_can(self):
        self.start_server("--max-playing", "1")
        stations = [self.new_station()["id"] for _ in range(2)]
        with self.server.socket(f"GET /stream/{stations[0]}.mp3 HTTP/1.0\r\n\r\n".encode()) as player:
            player.recv(65536)
            self.assert_refused(self.server.get(f"/stream/{stations[1]}.mp3"), 503, "overloaded")

    def test_only_as_many_stations_play_as_the_machine_is_fast_enough_for(self):
        self.start_server("--max-load", "0")
        stations = [self.new_station()["id"] for _ in range(2)]
        with self.server.socket(f"GET /stream/{stations[0]}.mp3 HTTP/1.0\r\n\r\n".encode()) as player:
            player.recv(65536)
            self.wait_until(lambda: self.server.get("/api/status").json["load"] > 0, "it renders")
            self.assert_refused(self.server.get(f"/stream/{stations[1]}.mp3"), 503, "overloaded")
            self.assertEqual(self.server.get("/api/status").json["playing"], 1)


class Titles(ServerTest):
    INTERVAL = 16000

    def read(self, player, size):
        got = b""
        while len(got) < size:
            piece = player.recv(size - len(got))
            self.assertTrue(piece)
            got += piece
        return got

    def test_stand_in_an_mp3_where_they_are_wanted(self):
        station = self.new_station(preset="sleep")["id"]
        request = f"GET /stream/{station}.mp3 HTTP/1.0\r\nIcy-MetaData: 1\r\n\r\n"
        with self.server.socket(request.encode()) as player:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += self.read(player, 1)
            self.assertIn(f"icy-metaint: {self.INTERVAL}\r\n".encode(), head)
            titles, sound = [], b""
            while len(titles) < 3:
                sound += self.read(player, self.INTERVAL)
                titles.append(self.read(player, 16 * self.read(player, 1)[0]).rstrip(b"\0").decode())
        self.assertEqual(titles, ["StreamTitle='Ringwave: sleep, E phrygian';", "", ""])
        path = self.folder / "sound.mp3"
        tag = 10 + int.from_bytes(sound[6:10], "big")  # of ID3, shorter than 128 bytes
        path.write_bytes(sound[:len(sound) - (len(sound) - tag) % 576])  # frames of 192 kbit/s
        decoded = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "null", "-"], capture_output=True, timeout=60)
        self.assertEqual(decoded.stderr, b"")

    def test_do_not_stand_where_nobody_asked(self):
        station = self.new_station()["id"]
        with self.server.socket(f"GET /stream/{station}.mp3 HTTP/1.0\r\n\r\n".encode()) as player:
            self.assertNotIn(b"icy-metaint", player.recv(4096))
