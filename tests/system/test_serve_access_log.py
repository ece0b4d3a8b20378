# SPDX-License-Identifier: Apache-2.0
"""What `ringwave serve --access-log` writes: each request, nobody's secret, and nothing that looks like something else."""
import json
import re
import socket

from program import OK, WRONG_USE
from server import SECONDS, ServerTest

TOKEN = "0123456789abcdef"
COMMON = re.compile(r'127\.0\.0\.1 - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\] "((?:[^"\\]|\\.)*)" (\d{3}) (\d+)')


class AccessLog(ServerTest):
    def lines_of(self, talk, *flags):
        """What stands on standard output when `talk` has talked to the server and it has ended."""
        server = self.start_server(*flags)
        talk(server)
        server.process.terminate()
        written = server.process.stdout.read()
        self.assertEqual(server.end(), OK)
        return written.splitlines()

    @staticmethod
    def send(server, data):
        with server.socket(data) as client:
            client.shutdown(socket.SHUT_WR)
            while client.recv(65536):
                pass

    def test_is_off_unless_it_is_wanted(self):
        self.assertEqual(self.lines_of(lambda server: server.get("/health")), [])
        self.assertIn("common", self.fail_with(WRONG_USE, "serve", "--check", "--access-log", "loud"))

    def test_has_a_line_for_each_request(self):
        def talk(server):
            self.assertEqual(server.get("/health").status, 200)
            self.assertEqual(server.ask("HEAD", "/none?x=1").status, 404)
            self.assertEqual(server.post("/api/stations", {"id": "night"}).status, 201)
            self.send(server, b"NONSENSE\r\n\r\n")
            with server.socket(b"GET /stream/night.mp3 HTTP/1.0\r\n\r\n") as player:
                player.recv(1000)

        found = [COMMON.fullmatch(line) for line in self.lines_of(talk, "--access-log", "common")]
        self.assertTrue(all(found))
        sizes = {(each[1], int(each[2])): int(each[3]) for each in found}  # threads have no order among them
        self.assertEqual(len(found), 5)
        self.assertEqual(set(sizes), {("GET /health HTTP/1.1", 200), ("HEAD /none?x=1 HTTP/1.1", 404), ("-", 400),
                                      ("POST /api/stations HTTP/1.1", 201), ("GET /stream/night.mp3 HTTP/1.0", 200)})
        self.assertEqual((sizes["GET /health HTTP/1.1", 200], sizes["HEAD /none?x=1 HTTP/1.1", 404]), (15, 0))
        self.assertGreater(sizes["GET /stream/night.mp3 HTTP/1.0", 200], 0)

    def test_shows_nothing_that_looks_like_something_else(self):
        odd = b"/a\"%20\\\xe2\x80\xae\xc2\x9b31m\xff?b"

        def talk(server):
            self.send(server, b"GET " + odd + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")

        line, = self.lines_of(talk, "--access-log", "common")
        self.assertIn(r'"GET /a\"%20\\\xe2\x80\xae\xc2\x9b31m\xff?b HTTP/1.1" 404', line)
        line, = self.lines_of(talk, "--access-log", "json")
        self.assertTrue(line.isascii() and line.isprintable())
        self.assertEqual((json.loads(line)["status"], json.loads(line)["method"]), (404, "GET"))

    def test_has_no_token_in_it(self):
        def talk(server):
            self.assertEqual(server.get(f"/api/presets?token={TOKEN}&x=y").status, 200)
            self.assertEqual(server.get(f"/api/presets?%74oken={TOKEN}").status, 401)
            self.assertEqual(server.get("/api/presets", Authorization=f"Bearer {TOKEN}").status, 200)

        for form in ("common", "json"):
            lines = self.lines_of(talk, "--access-log", form, "--tokens", TOKEN, "--log-level", "debug")
            self.assertEqual(len(lines), 3)
            self.assertIn("/api/presets?token=***&x=y", "".join(lines))
            self.assertNotIn(TOKEN, "".join(lines) + self.server.log())

    def test_whose_pipe_nobody_reads_stops_nothing(self):
        server = self.start_server("--access-log", "json")
        one = b"GET /none?" + b"x" * 2000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for _ in range(20):
            self.send(server, one * 50)
        self.assertEqual(server.get("/health").status, 200)
        self.wait_until(lambda: server.metric("ringwave_access_log_dropped_total") > 0, "lines are dropped")
        server.process.terminate()
        self.assertEqual(server.process.wait(timeout=SECONDS), OK)

    def test_whose_reader_has_gone_stops_nothing(self):
        server = self.start_server("--access-log", "common")
        server.process.stdout.close()
        for _ in range(3):
            self.assertEqual(server.get("/health").status, 200)
        self.wait_until(lambda: "the access log ends here" in server.log(), "it is told")
        self.assertEqual(server.get("/health").status, 200)
