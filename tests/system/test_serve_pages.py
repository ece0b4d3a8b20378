# SPDX-License-Identifier: Apache-2.0
"""From which web pages and by which names the server is used, and whom it counts behind a proxy."""
import socket
import subprocess

from program import WRONG_USE
from server import ServerTest

TOKEN = "0123456789abcdef"
CROSS = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "audio"}


class Names(ServerTest):
    ARGUMENTS = (*ServerTest.ARGUMENTS, "--host", "0.0.0.0", "--open", "--server-names", "music.example",
                 "--allowed-origins", "https://radio.example")

    def test_a_name_that_is_not_its_own_is_refused_at_every_address(self):
        own = socket.gethostname()
        for host, status in (("localhost", 200), ("127.0.0.1", 200), ("[::1]:80", 200), ("192.0.2.1:8080", 200),
                             (own, 200), (f"{own.split('.')[0]}.local", 200), ("Music.example:8080", 200),
                             ("radio.example", 200), ("evil.example", 403), (f"{own}.evil.example", 403),
                             ("localhost.evil.example:80", 403)):
            self.assertEqual(self.server.get("/health", Host=host).status, status, host)
            self.assertEqual(self.server.post("/api/stations", Host=host).status, 201 if status == 200 else 403, host)

    def test_a_web_socket_by_another_name_is_refused(self):
        """Where a name was made to lead here, page and server are of one origin, and only the name tells."""
        station = self.new_station()["id"]
        reply = self.server.get(f"/ws/stations/{station}", Host="evil.example", Origin="http://evil.example",
                                Sec_Fetch_Site="same-origin", Upgrade="websocket", Connection="Upgrade",
                                Sec_WebSocket_Version="13", Sec_WebSocket_Key="AAAAAAAAAAAAAAAAAAAAAA==")
        self.assert_refused(reply, 403, "forbidden")


class Open(ServerTest):
    def test_a_network_without_tokens_is_refused_unless_everyone_may(self):
        for host in ("0.0.0.0", "::", "192.0.2.1"):
            told = self.fail_with(WRONG_USE, "serve", "--check", "--port", "0", "--data", self.folder / "data", "--host", host)
            for word in (host, "tokens", "--open"):
                self.assertIn(word, told)
        for flags in (("--open",), ("--tokens", TOKEN)):
            self.succeed("serve", "--check", "--port", "0", "--data", self.folder / "data", "--host", "0.0.0.0", *flags)
        for name in ("radio.example:80", "http://radio.example", "a b", "[::1]"):
            self.fail_with(WRONG_USE, "serve", "--check", "--data", self.folder / "data", "--server-names", name)


class Sites(ServerTest):
    ARGUMENTS = (*ServerTest.ARGUMENTS, "--allowed-origins", "https://radio.example")

    def ask_head(self, path, **headers):
        return self.server.ask("HEAD", path, **headers)

    def test_what_another_site_embeds_starts_nothing(self):
        station = self.new_station()["id"]
        for path in (f"/stream/{station}.mp3", "/api/stations", "/metrics", "/", "/app.js"):
            for site in ("cross-site", "same-site"):
                reply = self.server.get(path, **{**CROSS, "Sec-Fetch-Site": site})
                self.assert_refused(reply, 403, "forbidden")
                self.assertEqual(reply.headers["Cross-Origin-Resource-Policy"], "same-origin")
        self.assertFalse(self.server.get(f"/api/stations/{station}").json["is_playing"])
        self.assertEqual(self.server.post("/api/stations", **CROSS).status, 403)
        self.assertEqual(self.server.get("/health", **CROSS).status, 200)

    def test_who_follows_a_link_and_who_is_no_browser_may(self):
        station = self.new_station()["id"]
        link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
        frame = {**link, "Sec-Fetch-Dest": "iframe"}
        for path in ("/", f"/stream/{station}.mp3"):
            for headers in ({}, link, {"Sec-Fetch-Site": "none"}, {"Sec-Fetch-Site": "same-origin"}):
                reply = self.ask_head(path, **headers)
                self.assertEqual(reply.status, 200, headers)
                self.assertEqual(reply.headers["Cross-Origin-Resource-Policy"], "same-origin")
            self.assertEqual(self.ask_head(path, **frame).status, 403)

    def test_an_allowed_page_may_embed_a_stream(self):
        station = self.new_station()["id"]
        for headers, status in (({"Origin": "https://radio.example"}, 200), ({"Referer": "https://radio.example/"}, 200),
                                ({"Referer": "https://radio.example/a/b?c"}, 200), ({"Referer": "http://radio.example/"}, 403),
                                ({"Referer": "https://radio.example.evil.example/"}, 403), ({}, 403),
                                ({"Origin": "null", "Referer": "https://radio.example/"}, 403)):
            reply = self.ask_head(f"/stream/{station}.mp3", **headers, **CROSS)
            self.assertEqual(reply.status, status, headers)
            self.assertEqual(reply.headers["Cross-Origin-Resource-Policy"], "cross-origin" if status == 200 else "same-origin")

    def test_an_origin_is_compared_with_its_scheme(self):
        port = self.server.port
        for origin, status in ((f"http://127.0.0.1:{port}", 201), (f"https://127.0.0.1:{port}", 403),
                               ("http://radio.example", 403), ("https://radio.example:443", 201)):
            self.assertEqual(self.server.post("/api/stations", Origin=origin).status, status, origin)

    def test_players_need_to_say_nothing(self):
        station = self.new_station()["id"]
        result = subprocess.run(["curl", "-s", "--max-time", "2", f"{self.server.url}/stream/{station}.mp3"],
                                capture_output=True, check=False)
        self.assertEqual(result.returncode, 28, "curl's time was over")
        self.assertGreater(len(result.stdout), 1000)


class Forwarded(ServerTest):
    """Whom a proxy on this machine speaks for."""

    ARGUMENTS = (*ServerTest.ARGUMENTS, "--trust-proxy", "--requests-per-second", "1", "--max-connections-per-address", "3")

    def spend(self, *lines, most=40):
        """How many requests are answered before one is refused."""
        head = "GET /health HTTP/1.1\r\nHost: localhost\r\n" + "".join(f"X-Forwarded-For: {line}\r\n" for line in lines)
        for count in range(most):
            with self.server.socket(head.encode() + b"Connection: close\r\n\r\n") as client:
                if b" 429 " in client.recv(65536):
                    return count
        return most

    def test_requests_are_counted_by_the_address_behind_it(self):
        self.assertEqual(self.spend(), 40)
        self.assertEqual(self.spend("127.0.0.1"), 40)
        self.assertLess(self.spend("9.9.9.1"), 40)
        self.assertLess(self.spend("1.1.1.1", "9.9.9.1"), 2)
        self.assertLess(self.spend("1.1.1.2, 9.9.9.1:4711"), 2)
        self.assertLess(self.spend("9.9.9.1", "127.0.0.1"), 2)
        self.assertLess(self.spend("[2001:db8::1]:4711"), 40)
        self.assertLess(self.spend("2001:db8::2"), 2)

    def test_an_address_that_cannot_be_read_is_not_this_machine(self):
        self.assertLess(self.spend("unknown"), 40)
        for text in ("\t", "", "_hidden", "127.0.0.1:x", "9.9.9.9, unknown"):
            self.assertLess(self.spend(text), 3, "all of these share what one may have")

    def test_streams_are_counted_by_the_address_behind_it(self):
        station = self.new_station()["id"]
        path = f"/stream/{station}.mp3"
        open_ones = [self.stream(path, "9.9.9.7:1000") for _ in range(3)]
        for client in open_ones:
            self.assertIn(b" 200 OK", client.recv(65536))
        for line in ("9.9.9.7", "8.8.8.8, 9.9.9.7:2"):
            with self.stream(path, line) as client:
                self.assertIn(b"limit_reached", client.recv(65536))
        with self.stream(path, "9.9.9.8") as client:
            self.assertIn(b" 200 OK", client.recv(65536))
        for client in open_ones:
            client.close()
        self.wait_until(lambda: self.may_listen(path), "a place again")

    def stream(self, path, line):
        return self.server.socket(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {line}\r\n\r\n".encode())

    def may_listen(self, path):
        with self.stream(path, "9.9.9.7") as client:
            return b" 200 OK" in client.recv(65536)

    def test_a_connection_of_the_proxy_is_nobodys_between_requests(self):
        idle = []
        for _ in range(6):
            idle.append(self.server.socket(b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 9.9.9.6\r\n\r\n"))
            self.assertIn(b" 200 OK", idle[-1].recv(65536))
        for client in idle:
            client.close()
