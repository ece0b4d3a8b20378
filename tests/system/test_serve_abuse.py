# SPDX-License-Identifier: Apache-2.0
"""Those who mean no good, beside those who only listen: who may do what, how much, and how slowly."""
import asyncio
import socket
import time

import websockets

from server import SECONDS, ServerTest, read_all
from test_serve_websocket import next_frames

TOKEN = "0123456789abcdef"
UPGRADE = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}


class Access(ServerTest):
    ARGUMENTS = (*ServerTest.ARGUMENTS, "--tokens", f"{TOKEN},another-token-of-mine",
                 "--allowed-origins", "https://radio.example")

    def test_wants_a_token_for_all_but_the_page_and_the_health(self):
        for path in ("/", "/health"):
            self.assertEqual(self.server.get(path).status, 200)
        for path in ("/api/stations", "/api/status", "/metrics", "/api/openapi.json", "/stream/x.mp3", "/ws/stations/x"):
            for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"},
                            {"Authorization": f"Bearer {TOKEN}x"}, {"Authorization": "Bearer "}):
                reply = self.server.get(path, **headers)
                self.assert_refused(reply, 401, "unauthorized")
                self.assertEqual(reply.headers["WWW-Authenticate"], "Bearer")
        self.assertEqual(self.server.get("/api/status", Authorization=f"Bearer {TOKEN}").status, 200)
        self.assertEqual(self.server.get("/api/status?token=another-token-of-mine").status, 200)

    def test_other_pages_may_not_change_anything(self):
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        own = f"http://127.0.0.1:{self.server.port}"
        for origin, status in ((own, 201), ("https://radio.example", 201), ("https://evil.example", 403), ("null", 403),
                               ("http://127.0.0.1:1", 403), ("https://radio.example.evil.example", 403)):
            with self.subTest(origin=origin):
                self.assertEqual(self.server.post("/api/stations", Origin=origin, **bearer).status, status)
        self.assertEqual(self.server.get("/api/stations", Origin="https://evil.example", **bearer).status, 200)

    def test_names_that_are_not_its_own_are_refused(self):
        """A page could have its own name lead to this machine, and would then be of the same origin."""
        for host, status in (("localhost", 200), ("[::1]:80", 200), ("radio.example", 200), ("evil.example", 403)):
            self.assertEqual(self.server.get("/health", Host=host).status, status, host)


class Limits(ServerTest):
    ARGUMENTS = (*ServerTest.ARGUMENTS, "--limit-loopback", "--requests-per-second", "5",
                 "--max-connections-per-address", "20", "--max-body-bytes", "2000")

    def setUp(self):
        super().setUp()
        time.sleep(1)  # so that there are requests to spend

    def test_too_many_requests_are_refused(self):
        replies = [self.server.get("/health") for _ in range(80)]
        self.assertEqual(replies[-1].status, 429)
        self.assert_refused(replies[-1], 429, "rate_limited")
        time.sleep(1.5)
        self.assertEqual(self.server.get("/health").status, 200)

    def test_too_many_connections_are_refused(self):
        clients = [self.server.socket() for _ in range(25)]
        time.sleep(0.2)
        self.assertIn(b"limit_reached", read_all(clients[-1]))
        for client in clients:
            client.close()
        self.wait_until(lambda: b"200 OK" in read_all(self.server.socket(b"GET /health HTTP/1.0\r\n\r\n")), "room again")


class Sizes(ServerTest):
    def test_a_body_of_100_mb_is_not_read(self):
        with self.server.socket(b"POST /api/stations HTTP/1.1\r\nHost: localhost\r\nContent-Length: 104857600\r\n\r\n") as client:
            self.assertIn(b" 413 ", client.recv(65536))
            try:
                for _ in range(100):
                    client.sendall(b"x" * 1048576)
            except (BrokenPipeError, ConnectionResetError):
                pass
        self.assertLess(self.server.get("/api/status").json["resident_bytes"], 200e6)

    def test_a_chunked_body_is_as_limited(self):
        chunk = b"4000\r\n" + b"x" * 0x4000 + b"\r\n"
        with self.server.socket(b"POST /api/stations HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" +
                                chunk * 5) as client:
            self.assertIn(b" 413 ", read_all(client))

    def test_heads_and_addresses_are_limited(self):
        with self.server.socket(b"GET / HTTP/1.1\r\nX: " + b"x" * 9000 + b"\r\n\r\n") as client:
            self.assertIn(b" 431 ", read_all(client))
        self.assert_refused(self.server.get("/" + "x" * 3000), 414, "too_large")

    def test_what_is_no_http_is_answered_and_cut(self):
        for data in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20, b"GET /\r\n\r\n", b"NONSENSE\r\n\r\n",
                     b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                     b"GET / HTTP/1.1\r\n: x\r\n\r\n", b"\r\n" * 100, b"\0" * 500):
            with self.server.socket(data + b"\r\n\r\n") as client, self.subTest(data=data[:40]):
                client.shutdown(socket.SHUT_WR)
                got = read_all(client)
                self.assertTrue(got == b"" or b" 400 " in got or b" 505 " in got, got)

    def test_several_requests_in_one_packet_are_answered_in_order(self):
        with self.server.socket(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                b"GET /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") as client:
            got = read_all(client)
        self.assertLess(got.index(b" 200 OK"), got.index(b" 404 "))

    def test_unknown_methods_are_told_what_there_is(self):
        reply = self.server.ask("PUT", "/api/stations")
        self.assert_refused(reply, 405, "unsupported")
        self.assertEqual(reply.headers["Allow"], "GET, HEAD, POST")
        self.assertEqual(self.server.ask("DELETE", "/").status, 405)


class Slowness(ServerTest):
    def test_is_cut_and_the_music_goes_on(self):
        """Slow heads, slow bodies, players that read nothing, and clients that send garbage, beside a good listener."""
        async def listen(station, seconds):
            async with self.server.listen(station) as good:
                return await next_frames(good, 50 * seconds)

        station = self.new_station()["id"]
        heads = [self.server.socket(b"GET / HTTP/1.1\r\nHost: loc") for _ in range(50)]
        silent = [self.server.socket() for _ in range(20)]
        deaf = [self.server.socket(f"GET /stream/{station}.wav HTTP/1.0\r\n\r\n".encode()) for _ in range(20)]
        for client in deaf:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for _ in range(50):
            self.server.socket(b"\xff" * 100).close()
        frames = asyncio.run(listen(station, 14))
        self.assertEqual([frame[3] for frame in frames], list(range(frames[0][3], frames[0][3] + len(frames))))
        for client in heads:
            self.assertIn(b" 408 ", read_all(client))
        for client in silent:
            self.assertEqual(read_all(client), b"")
        self.wait_until(lambda: self.server.get(f"/api/stations/{station}").json["listeners"] == 0, "the deaf are gone")
        self.assertGreaterEqual(self.server.get("/api/status").json["dropped_listeners"], 20)
        for client in heads + silent + deaf:
            client.close()

    def test_who_comes_and_goes_leaves_nothing_behind(self):
        async def come_and_go(station):
            for _ in range(30):
                sockets = await asyncio.gather(*(self.server.listen(station) for _ in range(5)))
                for one in sockets[::2]:
                    one.transport.abort()
                for one in sockets[1::2]:
                    await one.close()

        station = self.new_station()["id"]
        asyncio.run(come_and_go(station))
        self.wait_until(lambda: self.server.metric("ringwave_listeners") == 0, "no listener")
        self.wait_until(lambda: self.server.metric("ringwave_connections") <= 1, "no connection")

    def test_a_websocket_with_another_origin_is_refused_by_a_browser_s_rules(self):
        station = self.new_station()["id"]

        async def connect():
            async with self.server.listen(station, origin="https://evil.example"):
                pass

        with self.assertRaises(websockets.InvalidStatusCode) as refused:
            asyncio.run(asyncio.wait_for(connect(), SECONDS))
        self.assertEqual(refused.exception.status_code, 403)
