# SPDX-License-Identifier: Apache-2.0
"""The example of apps/server/deploy/nginx.conf, with a real nginx: TLS outside, the server behind it."""
import asyncio
import http.client
import json
import re
import socket
import ssl
import subprocess
import time

import websockets

from icecast import free_port
from program import ROOT
from server import SECONDS, ServerTest


class BehindNginx(ServerTest):
    """What works without a proxy works through it."""

    ARGUMENTS = (*ServerTest.ARGUMENTS, "--trust-proxy", "--allowed-origins", "https://radio.example")

    def setUp(self):
        super().setUp()
        self.port = free_port()
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                        "/CN=radio.example", "-addext", "subjectAltName=DNS:radio.example", "-keyout", key, "-out",
                        certificate], check=True, capture_output=True)
        self.tls = ssl.create_default_context(cafile=certificate)
        example = (ROOT / "apps/server/deploy/nginx.conf").read_text()
        for old, new in ((r"server 127\.0\.0\.1:8080;", f"server 127.0.0.1:{self.server.port};"),
                         (r"listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;"),
                         (r"ssl_certificate .*;", f"ssl_certificate {certificate};"),
                         (r"ssl_certificate_key .*;", f"ssl_certificate_key {key};")):
            example, count = re.subn(old, new, example)
            self.assertEqual(count, 1, f"{old} stands in the example once")
        (self.folder / "example.conf").write_text(example)
        config = self.folder / "nginx.conf"
        config.write_text(f"""pid {self.folder}/pid; error_log {self.folder}/error.log; daemon off;
events {{}}
http {{ access_log off; client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/proxy;
  fastcgi_temp_path {self.folder}/fastcgi; uwsgi_temp_path {self.folder}/uwsgi; scgi_temp_path {self.folder}/scgi;
  include {self.folder}/example.conf; }}
""")
        nginx = subprocess.Popen(["/usr/sbin/nginx", "-e", self.folder / "error.log", "-c", config])
        self.addCleanup(nginx.wait)
        self.addCleanup(nginx.terminate)
        self.wait_until(self.answers, "nginx answers")

    def answers(self):
        try:
            return self.ask("GET", "/health")[0] == 200
        except OSError:
            return False

    def ask(self, method, path, body=None, origin="https://radio.example", **headers):
        """The status and the body of an answer."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS)
        connection = http.client.HTTPConnection("radio.example")
        connection.sock = self.tls.wrap_socket(plain, server_hostname="radio.example")
        try:
            connection.request(method, path, body, {"Host": "radio.example", "Origin": origin, **headers})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def test_the_page_and_stations_come_through(self):
        status, page = self.ask("GET", "/")
        self.assertEqual(status, 200)
        self.assertIn(b"<title>", page)
        status, station = self.ask("POST", "/api/stations", json.dumps({"seed": 5}))
        self.assertEqual(status, 201)
        self.assertEqual(json.loads(station)["seed"], 5)

    def test_sound_comes_through_a_web_socket(self):
        station = self.new_station()["id"]

        async def hear():
            async with websockets.connect(f"wss://radio.example/ws/stations/{station}?codec=opus",
                                          host="127.0.0.1", port=self.port, ssl=self.tls, server_hostname="radio.example",
                                          origin="https://radio.example") as listening:
                sequences = []
                while len(sequences) < 50:
                    message = await asyncio.wait_for(listening.recv(), SECONDS)
                    if isinstance(message, bytes):
                        sequences.append(int.from_bytes(message[4:8], "little"))
                return sequences

        sequences = asyncio.run(hear())
        self.assertEqual(sequences, list(range(sequences[0], sequences[0] + 50)))

    def test_a_stream_goes_out_as_it_comes(self):
        station = self.new_station()["id"]
        began = time.monotonic()
        result = subprocess.run(
            ["curl", "-s", "--cacert", self.folder / "certificate.pem", "--resolve",
             f"radio.example:{self.port}:127.0.0.1", "-H", "Host: radio.example", "--max-time", "3",
             f"https://radio.example:{self.port}/stream/{station}.mp3"], capture_output=True, check=False)
        seconds = time.monotonic() - began
        self.assertEqual(result.returncode, 28, "curl's time was over")
        # 192 kbit/s: what came is what was played, give or take what is on its way.
        self.assertGreater(len(result.stdout), (seconds - 1.5) * 24000)

    def test_who_comes_through_it_is_not_the_machine_itself(self):
        for path in ("/metrics", "/api/status", "/api/stations"):
            self.assertEqual(self.ask("GET", path)[0], 403)
            self.assertEqual(self.ask("GET", path, Authorization=f"Bearer {self.server.admin_token}")[0], 200)

    def test_one_address_has_so_many_streams_and_others_go_on(self):
        """For the server these come from this machine itself, which it does not hold to anything: nginx does."""
        station = self.new_station()["id"]
        request = f"GET /stream/{station}.mp3 HTTP/1.1\r\nHost: radio.example\r\n\r\n".encode()
        clients = [self.tls.wrap_socket(socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS),
                                        server_hostname="radio.example") for _ in range(70)]
        for client in clients:
            client.sendall(request)
        statuses = [client.recv(12) for client in clients]
        for client in clients:
            client.close()
        self.assertEqual((statuses.count(b"HTTP/1.1 200"), statuses.count(b"HTTP/1.1 503")), (64, 6))
        self.wait_until(self.answers, "there is room again")

    def test_what_a_client_says_of_its_address_is_not_passed_on(self):
        for said in ("127.0.0.1", "unknown", "9.9.9.9"):
            status, _ = self.ask("GET", "/api/status", **{"X-Forwarded-For": said})
            self.assertEqual(status, 403, "what came through a proxy is not this machine itself")

    def test_strangers_stay_outside(self):
        self.assertEqual(self.ask("POST", "/api/stations", "{}", origin="https://other.example")[0], 403)
