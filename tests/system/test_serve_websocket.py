# SPDX-License-Identifier: Apache-2.0
"""The WebSocket of `ringwave serve`, by docs/protocol.md."""
import asyncio
import json
import struct

import websockets

from server import SECONDS, ServerTest

HEADER = struct.Struct("<BBHIQ")  # version, codec, flags, sequence, sample time
FRAMES = 960


async def next_text(socket, *types):
    """The next text message of one of these types; sound is passed over."""
    async def find():
        while True:
            message = await socket.recv()
            if isinstance(message, str) and (message := json.loads(message))["type"] in types:
                return message
    return await asyncio.wait_for(find(), SECONDS)


async def next_frames(socket, count):
    frames = []
    while len(frames) < count:
        message = await asyncio.wait_for(socket.recv(), SECONDS)
        if isinstance(message, bytes):
            frames.append((*HEADER.unpack(message[:HEADER.size]), message[HEADER.size:]))
    return frames


async def next_closing(socket):
    """The code by which the server closes."""
    try:
        while True:
            await asyncio.wait_for(socket.recv(), SECONDS)
    except websockets.ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 1006


class Sound(ServerTest):
    def test_comes_frame_by_frame(self):
        async def hear(codec, number):
            station = self.new_station()["id"]
            async with self.server.listen(station, codec) as socket:
                frames = await next_frames(socket, 60)
            self.assertEqual({frame[:2] for frame in frames}, {(1, number)})
            self.assertEqual([frame[3] for frame in frames], list(range(frames[0][3], frames[0][3] + 60)))
            self.assertEqual([frame[4] for frame in frames], [frames[0][4] + FRAMES * n for n in range(60)])
            self.assertEqual([frame[2] for frame in frames[1:]], [0] * 59)
            return [len(frame[5]) for frame in frames]

        self.assertEqual(set(asyncio.run(hear("pcm", 0))), {4 * FRAMES})
        sizes = asyncio.run(hear("opus", 1))
        self.assertLess(max(sizes), 1276)
        self.assertAlmostEqual(sum(sizes) / len(sizes), 96000 / 8 / 50, delta=150)

    def test_is_one_and_the_same_for_all(self):
        async def hear():
            station = self.new_station()["id"]
            async with self.server.listen(station) as first:
                heard = await next_frames(first, 50)
                async with self.server.listen(station) as second:
                    late = await next_frames(second, 20)
                    self.assertLess(late[0][3], heard[-1][3], "it begins with what was before")
                    frames = {frame[3]: frame[5] for frame in await next_frames(first, 60)}
                    both = [frame for frame in late + await next_frames(second, 30) if frame[3] in frames]
                    self.assertGreater(len(both), 20)
                    for frame in both:
                        self.assertEqual(frame[5], frames[frame[3]])

        asyncio.run(hear())

    def test_goes_on_where_it_was_after_a_pause(self):
        async def hear():
            station = self.new_station()["id"]
            async with self.server.listen(station, "pcm") as socket:
                before = (await next_frames(socket, 10))[-1]
            self.wait_until(lambda: not self.server.get(f"/api/stations/{station}").json["is_playing"], "sleep")
            stood = self.server.get(f"/api/stations/{station}").json["sample_time"]
            self.assertGreater(stood, before[4])
            async with self.server.listen(station, "pcm") as socket:
                after = (await next_frames(socket, 1))[0]
            self.assertEqual((after[2] & 1, after[4]), (1, stood))

        asyncio.run(hear())


class Words(ServerTest):
    def test_hello_is_first_and_a_phrase_follows(self):
        async def talk():
            station = self.new_station(preset="bright", seed=5)
            async with self.server.listen(station["id"]) as socket:
                hello = json.loads(await socket.recv())
                self.assertEqual((hello["type"], hello["protocol"], hello["codec"], hello["sample_rate"],
                                  hello["channels"], hello["frame_frames"], hello["target_seconds"]),
                                 ("hello", 1, "opus", 48000, 2, FRAMES, 0.5))
                self.assertEqual((hello["station"]["id"], hello["station"]["seed"]), (station["id"], 5))
                phrase = await next_text(socket, "phrase")
                self.assertLess(phrase["begins_at"], phrase["ends_at"])
                for begin, end, layer, pitch, velocity in phrase["notes"]:
                    self.assertLess(begin, end)
                    self.assertIn(layer, station["settings"]["layers"])
                    self.assertTrue(0 <= pitch <= 127 and 1 <= velocity <= 127)

        asyncio.run(talk())

    def test_settings_are_acknowledged_to_all(self):
        async def talk():
            station = self.new_station()["id"]
            async with self.server.listen(station) as one, self.server.listen(station) as other:
                await next_frames(one, 5)
                await one.send(json.dumps({"type": "settings", "bpm": 91, "mode": "minor_pentatonic"}))
                told = [await next_text(socket, "settings") for socket in (one, other)]
                for message in told:
                    self.assertEqual((message["settings"]["bpm"], message["settings"]["mode"]), (91, "minor_pentatonic"))
                    self.assertGreater(message["applies_at"], 0)
                await other.send(json.dumps({"type": "preset", "name": "sleep"}))
                self.assertEqual((await next_text(one, "settings"))["preset"], "sleep")
            self.assertEqual(self.server.get(f"/api/stations/{station}").json["preset"], "sleep")

        asyncio.run(talk())

    def test_a_ping_a_report_and_the_status_have_their_answers(self):
        async def talk():
            async with self.server.listen(self.new_station()["id"]) as socket:
                for identifier in (7, 1.5, "text"):
                    await socket.send(json.dumps({"type": "ping", "id": identifier}))
                    self.assertEqual((await next_text(socket, "pong"))["id"], identifier)
                await socket.send(json.dumps({"type": "buffer", "depth_seconds": 0.2, "jitter_ms": 80, "underruns": 3}))
                told = await next_text(socket, "buffer")
                self.assertEqual((told["tier"], told["target_seconds"]), ("normal", 1))
                status = await next_text(socket, "status")
                self.assertEqual((status["listeners"], status["skipped_frames"]), (1, 0))
                self.assertGreater(status["sent_frames"], 100)
            self.assertGreaterEqual(self.server.get("/api/status").json["underruns"], 3)

        asyncio.run(talk())

    def test_a_removed_station_says_goodbye(self):
        async def talk():
            station = self.new_station()["id"]
            async with self.server.listen(station) as socket:
                await next_frames(socket, 3)
                self.server.ask("DELETE", f"/api/stations/{station}")
                error = await next_text(socket, "error")
                self.assertEqual((error["code"], error["recoverable"]), ("gone", False))
                self.assertEqual(await next_closing(socket), 1000)

        asyncio.run(talk())


class Wrong(ServerTest):
    def test_messages_are_refused_and_the_music_goes_on(self):
        async def talk():
            async with self.server.listen(self.new_station()["id"]) as socket:
                for message, code in (("{", "bad_json"), ("[]", "wrong_type"), ('{"type": "dance"}', "unknown_type"),
                                      ('{"type": "settings", "bpm": 1}', "out_of_range"),
                                      ('{"type": "settings", "tempo": 60}', "unknown_member"),
                                      ('{"type": "settings", "mode": "bebop"}', "unknown_name"),
                                      ('{"type": "preset", "name": "none"}', "unknown_name"),
                                      ('{"type": "buffer", "depth_seconds": "x"}', "wrong_type")):
                    await socket.send(message)
                    error = await next_text(socket, "error")
                    self.assertEqual((error["code"], error["recoverable"]), (code, True), message)
                frames = await next_frames(socket, 20)
                self.assertEqual([frame[3] for frame in frames], list(range(frames[0][3], frames[0][3] + 20)))

        asyncio.run(talk())

    def closing(self, *messages):
        async def talk():
            async with self.server.listen(self.new_station()["id"]) as socket:
                await next_frames(socket, 1)
                try:
                    for message in messages:
                        await socket.send(message)
                except websockets.ConnectionClosed:
                    pass
                return await next_closing(socket)

        return asyncio.run(talk())

    def test_kinds_of_messages_end_the_connection(self):
        self.assertEqual(self.closing(b"binary"), 1003)
        self.assertEqual(self.closing("x" * 5000), 1009)
        self.assertEqual(self.closing(*['{"type": "ping", "id": 1}'] * 500), 1008)
        self.assertEqual(self.closing(*["nonsense"] * 500), 1008)

    def test_too_many_pings_end_the_connection(self):
        station = self.new_station()["id"]
        for frame in (b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x89\x82\0\0\0\0hi"):
            with self.upgraded(station) as client:
                client.sendall(frame * 500)
                self.assertEqual(self.closing_code(client), 1008)
        with self.upgraded(station) as client:
            client.sendall(b"\x89\x82\0\0\0\0hi" * 9 + b"\x89\x82\0\0\0\0ho")
            got = b""
            while b"\x8a\x02ho" not in got:  # of several at once only the last need be answered
                more = client.recv(65536)
                self.assertNotEqual(more, b"", "the server has closed")
                got += more
            self.assertNotIn(b"too many", got)

    def test_text_that_is_none_ends_the_connection(self):
        station = self.new_station()["id"]
        with self.upgraded(station) as client:
            client.sendall(b"\x81\x82\0\0\0\0\xff\xfe")
            self.assertEqual(self.closing_code(client), 1007)

    def test_half_a_frame_and_a_torn_connection_disturb_nobody(self):
        station = self.new_station()["id"]
        for torn in (b"\x81", b"\x81\xfe\xff", b"\xff\xff\xff\xff", b"\x81\x05hello", b"\x89\xff" + b"\xff" * 8):
            with self.upgraded(station) as client:
                client.sendall(torn)
        self.wait_until(lambda: self.server.get(f"/api/stations/{station}").json["listeners"] == 0, "all have left")

    def test_ways_to_ask_are_refused_before_there_is_a_socket(self):
        station = self.new_station()["id"]
        self.assert_refused(self.server.get(f"/ws/stations/{station}"), 426, "unsupported")
        upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                   "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
        self.assert_refused(self.server.get("/ws/stations/none", **upgrade), 404, "not_found")
        self.assert_refused(self.server.get(f"/ws/stations/{station}?codec=aac", **upgrade), 400, "unsupported")
        self.assert_refused(self.server.get(f"/ws/stations/{station}", Origin="https://evil.example", **upgrade),
                            403, "forbidden")

    def upgraded(self, station):
        client = self.server.socket(f"GET /ws/stations/{station}?codec=opus HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                                    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
        self.assertTrue(client.recv(12).startswith(b"HTTP/1.1 101"))
        return client

    @staticmethod
    def closing_code(client):
        """Of the close frame that stands at the end of what the server sends."""
        got = b""
        while piece := client.recv(65536):
            got += piece
        at = got.rindex(b"\x88")
        return int.from_bytes(got[at + 2:at + 4], "big")
