# SPDX-License-Identifier: Apache-2.0
"""HTTP to the letter, over bare connections: where a request ends, and whose answer is whose."""
import datetime
import email.utils
import re
import socket

from server import ServerTest, read_all

HOST = b"Host: localhost\r\n"
INNER = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"


def statuses(got):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", got)]


class WireTest(ServerTest):
    def exchange(self, data):
        """All that comes back for these bytes, after which nothing more is sent."""
        with self.server.socket(data) as client:
            client.shutdown(socket.SHUT_WR)
            return read_all(client)

    def assert_last_of_its_connection(self, data, status):
        """The request is refused, what follows it on the connection is not run, and the server closes first."""
        with self.subTest(data=data[:200]), self.server.socket(data + INNER) as client:
            got = read_all(client)
            self.assertEqual(statuses(got), [status], got)
            self.assertIn(b"\r\nConnection: close\r\n", got)
            self.assertIn(b'"error"', got)


class Smuggling(WireTest):
    def post(self, fields, body=b"", version=b"1.1"):
        return b"POST /api/stations HTTP/" + version + b"\r\n" + HOST + fields + b"\r\n" + body

    def test_a_coding_other_than_chunked_is_not_taken_for_no_body(self):
        for coding in (b"xchunked", b"gzip", b"identity", b"chunked, identity", b"gzip, chunked", b"chunked, chunked",
                       b'"chunked"', b"chunked;a=b", b"", b"chunked\r\nTransfer-Encoding: identity",
                       b"identity\r\nTransfer-Encoding: chunked", b"chunked\r\nTransfer-Encoding: chunked"):
            self.assert_last_of_its_connection(self.post(b"Transfer-Encoding: " + coding + b"\r\n"), 501)

    def test_a_body_of_two_lengths_is_refused(self):
        length = b"Content-Length: 2\r\n"
        for fields in (length + b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: chunked\r\n" + length,
                       length + length, length + b"Content-Length: 3\r\n", b"Content-Length: 2, 2\r\n",
                       b"Content-Length: +2\r\n", b"Content-Length: 0x2\r\n", b"Content-Length: -2\r\n",
                       b"Content-Length:\r\n", b"Content-Length: 2 2\r\n", b"Content-Length : 2\r\n"):
            self.assert_last_of_its_connection(self.post(fields, b"{}"), 400)
        self.assert_last_of_its_connection(self.post(b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\n", b"1.0"), 400)
        self.assert_last_of_its_connection(self.post(b"Content-Length: 18446744073709551616\r\n"), 400)
        self.assert_last_of_its_connection(self.post(b"Content-Length: 18446744073709551615\r\n"), 413)

    def test_lines_that_readers_take_for_different_ones_are_refused(self):
        for fields in (b"X: a\r\n Content-Length: 5\r\n", b"X: a\r\n\tb\r\n", b"X: a\nY: b\r\n", b"X: a\rY: b\r\n",
                       b"X: a\0b\r\n", b"X : a\r\n", b"X\r\n", HOST, b"X: \x1b[2J\r\n"):
            self.assert_last_of_its_connection(self.post(fields), 400)
        self.assert_last_of_its_connection(b"GET /health HTTP/1.1\r\n\r\n", 400)
        self.assert_last_of_its_connection(b"GET /health HTTP/1.1\r\nHost: a b\r\n\r\n", 400)
        self.assert_last_of_its_connection(b"GET /health HTTP/2.0\r\n" + HOST + b"\r\n", 505)

    def test_chunks_are_read_strictly(self):
        coded = b"Transfer-Encoding: chunked\r\n"
        self.assertEqual(statuses(self.exchange(self.post(coded, b"2;a=b;c=\"d\"\r\n{}\r\n000\r\n\r\n"))), [201])
        for body in (b"+2\r\n{}\r\n0\r\n\r\n", b"0x2\r\n{}\r\n0\r\n\r\n", b"-2\r\n", b" 2\r\n{}\r\n0\r\n\r\n",
                     b"2\n{}\n0\n\n", b"2\r\n{}0\r\n\r\n", b"2\r\n{}XX0\r\n\r\n", b"ffffffffffffffff1\r\n",
                     b"2;a=\"\n\"\r\n{}\r\n0\r\n\r\n", b"2;\n=b\r\n{}\r\n0\r\n\r\n",
                     b"0\r\nContent-Length: 5\r\n\r\n", b"0\r\nTransfer-Encoding: gzip\r\n\r\n"):
            self.assert_last_of_its_connection(self.post(coded, body), 400)
        for body in (b"ffffffffffffffff\r\n", b"10001\r\n"):
            self.assert_last_of_its_connection(self.post(coded, body), 413)
        extended = b"".join(b"1;" + b"x" * 1000 + b"\r\n \r\n" for _ in range(10))
        self.assert_last_of_its_connection(self.post(coded, extended), 400)

    def test_a_stream_takes_no_body(self):
        station = self.new_station()["id"]
        for path in (f"/stream/{station}.mp3", f"/ws/stations/{station}"):
            upgrade = (b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                       b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n") if path.startswith("/ws") else b""
            self.assert_last_of_its_connection(b"GET " + path.encode() + b" HTTP/1.1\r\n" + HOST + upgrade +
                                               b"Content-Length: 500\r\n\r\n", 400)


class Standard(WireTest):
    def test_an_empty_line_before_a_request_is_passed_over(self):
        again = b"GET /health HTTP/1.1\r\n" + HOST + b"\r\n"
        self.assertEqual(statuses(self.exchange(b"\r\n" + again + b"\r\n" + again)), [200, 200])
        self.assertEqual(self.exchange(b"\r\n"), b"")

    def test_an_absolute_address_counts_more_than_host(self):
        for target, host, status in ((b"http://localhost/health", b"evil.example", 200), (b"http://localhost", b"x", 200),
                                     (b"http://evil.example/health", b"localhost", 403),
                                     (b"ftp://localhost/health", b"localhost", 400), (b"*", b"localhost", 400)):
            got = self.exchange(b"GET " + target + b" HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
            self.assertEqual(statuses(got)[:1], [status], got)

    def test_every_answer_has_its_date(self):
        station = self.new_station()["id"]
        for request in (b"GET /health", b"GET /none", b"HEAD /health", b"DELETE /health",
                        f"HEAD /stream/{station}.mp3".encode(), b"GET /%zz", b"GET /?" + b"x" * 3000):
            got = self.exchange(request + b" HTTP/1.1\r\n" + HOST + b"\r\n")
            said = email.utils.parsedate_to_datetime(re.search(rb"\r\nDate: ([^\r]+ GMT)\r\n", got)[1].decode())
            self.assertLess(abs(datetime.datetime.now(datetime.timezone.utc) - said), datetime.timedelta(minutes=2))

    def test_a_long_address_is_told_from_a_long_head(self):
        for path in (b"/" + b"x" * 2048, b"/" + b"x" * 20000):
            self.assertEqual(statuses(self.exchange(b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n")), [414])
        self.assertEqual(statuses(self.exchange(b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"x" * 20000)), [431])

    def test_methods_are_known_or_not(self):
        for method, status in (("PUT", 405), ("TRACE", 405), ("OPTIONS", 405), ("BREW", 501), ("get", 501)):
            reply = self.server.ask(method, "/api/stations")
            self.assert_refused(reply, status, "unsupported")
            self.assertEqual(reply.headers["Allow"], "GET, HEAD, POST")
        self.assertEqual(statuses(self.exchange(b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n")), [405])

    def test_head_has_the_length_of_the_body_that_it_lacks(self):
        for path in ("/", "/health", "/none", "/api/presets", "/metrics", "/api/stations/none", "/ws/stations/none"):
            with self.subTest(path=path):
                reply, whole = self.server.ask("HEAD", path), self.server.get(path)
                self.assertEqual((reply.status, reply.body), (whole.status, b""))
                if path != "/metrics":  # which counts this very request
                    self.assertEqual(reply.headers["Content-Length"], whole.headers["Content-Length"])


class Order(WireTest):
    """An answer is made from its own request alone."""

    def test_what_cannot_be_read_after_a_head_is_answered_in_full(self):
        for bad in (b"NONSENSE\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET /%zz HTTP/1.1\r\n" + HOST + b"\r\n"):
            with self.server.socket(b"HEAD /health HTTP/1.1\r\n" + HOST + b"\r\n" + bad) as client:
                client.shutdown(socket.SHUT_WR)
                first, second = read_all(client).split(b"HTTP/1.1 400 ")
            self.assertTrue(first.endswith(b"\r\n\r\n"), first)
            head, body = second.split(b"\r\n\r\n", 1)
            self.assertEqual(int(re.search(rb"Content-Length: (\d+)", head)[1]), len(body))
            self.assertIn(b'"error"', body)

    def test_requests_of_all_kinds_are_answered_in_turn(self):
        """Bodies, none, heads, refusals: each leaves the connection where the next request begins."""
        requests = ((b"HEAD / HTTP/1.1\r\n" + HOST + b"\r\n", 200),
                    (b"GET /%zz HTTP/1.1\r\n" + HOST + b"\r\n", 400),
                    (b"POST /api/presets HTTP/1.1\r\n" + HOST + b"Content-Length: 2\r\n\r\n{}", 400),
                    (b"POST /api/stations HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n"
                     b"2\r\n{}\r\n0\r\nX-Trailer: y\r\nConnection: close\r\n\r\n", 201),
                    (b"HEAD /none HTTP/1.1\r\n" + HOST + b"\r\n", 404),
                    (b"GET /none HTTP/1.1\r\n" + HOST + b"If-None-Match: x\r\n\r\n", 404),
                    (b"GET /health HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\n\r\nabc", 200),
                    (b"GET /health HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n", 200))
        got = self.exchange(b"".join(request for request, _ in requests))
        self.assertEqual(statuses(got), [status for _, status in requests], got)

    def test_nothing_that_was_asked_is_a_field_of_the_answer(self):
        for target in (b"/%0d%0aX-Injected:%20y", b"/api/stations/%0d%0aX-Injected:%20y", b"/stream/%0aX-Injected:y.mp3",
                       b"/a%00b", b"/%c0%ae%c0%ae/etc/passwd", b"/../../etc/passwd", b"/%2e%2e/%2e%2e/etc/passwd"):
            got = self.exchange(b"GET " + target + b" HTTP/1.1\r\n" + HOST + b"\r\n")
            self.assertIn(statuses(got), ([400], [404]))
            self.assertNotIn(b"\nX-Injected", got)
        for wish in ({"id": "a\r\nX-Injected: y"}, {"preset": "a\r\nX-Injected: y"}):
            reply = self.server.post("/api/stations", wish)
            self.assertEqual((reply.status, reply.headers["X-Injected"]), (400, None))
