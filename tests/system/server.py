# SPDX-License-Identifier: Apache-2.0
"""`ringwave serve` as a test needs it: started, asked, ended, killed."""
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time

from program import PROGRAM, ProgramTest

SECONDS = 20  # that anything may take


def read_all(client):
    """What comes over a bare connection until its end."""
    got = b""
    try:
        while piece := client.recv(65536):
            got += piece
    except ConnectionResetError:
        pass
    return got


class Reply:
    """An answer: its status, its headers, its body."""

    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """Of an error."""
        return self.json["error"]["code"]


class Server:
    """A server of our own at a port of its own, which it has again when it is started again. It is asked by who owns
    what was made through it, unless another secret is named, or none: ''."""

    def __init__(self, folder, *arguments, environment, launcher=()):
        self.folder = pathlib.Path(folder)
        self.data = self.folder / "data"
        self.arguments = [*map(str, arguments)]
        self.environment = environment
        self.launcher = launcher
        self.port = 0
        self.secrets = {}  # by the path of what was made
        self.start()

    def start(self):
        command = [*self.launcher, str(PROGRAM), "serve", "--port", str(self.port), "--data", str(self.data), *self.arguments]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on http://"):
            self.process.wait(timeout=SECONDS)
            raise AssertionError(f"the server does not listen: {line}{self.log()}")
        self.port = int(line.rsplit(":", 1)[1])

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def log(self):
        return (self.folder / "log").read_text()

    def end(self, number=signal.SIGTERM):
        """Its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(timeout=SECONDS)
        self.process.stdout.close()
        return code

    def ask(self, method, path, body=None, secret=None, **headers):
        """One request on a connection of its own; `body` is sent as JSON unless it is text or bytes."""
        secret = self.secrets.get(path, "") if secret is None else secret
        if secret:
            headers["X_Ringwave_Secret"] = secret
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            reply = Reply(connection.getresponse())
            self.remember(path, reply)
            return reply
        finally:
            connection.close()

    def remember(self, path, reply):
        """The secret of what was made."""
        if reply.status == 201 and "secret" in reply.json:
            self.secrets[f"{path}/{reply.json.get('id', reply.json.get('name'))}"] = reply.json["secret"]

    @property
    def admin_token(self):
        return (self.data / "admin-token").read_text().strip()

    def get(self, path, **headers):
        return self.ask("GET", path, **headers)

    def post(self, path, body=None, **headers):
        return self.ask("POST", path, body, **headers)

    def remove(self, station):
        """Deletes a station, which is what its creation answered."""
        return self.ask("DELETE", f"/api/stations/{station['id']}")

    def metric(self, name):
        """The value of a line of /metrics."""
        for line in self.get("/metrics").body.decode().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[-1])
        raise AssertionError(f"there is no metric {name}")

    def socket(self, data=b""):
        """A bare connection that has sent this."""
        made = socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS)
        made.sendall(data)
        return made

    def listen(self, station, codec="opus", secret=None, **options):
        """A WebSocket, for `async with`."""
        import websockets  # tools/bench-server runs where there is Python alone
        secret = self.secrets.get(f"/api/stations/{station}", "") if secret is None else secret
        if secret:
            options["extra_headers"] = {"X-Ringwave-Secret": secret}
        return websockets.connect(f"ws://127.0.0.1:{self.port}/ws/stations/{station}?codec={codec}",
                                  max_size=None, close_timeout=SECONDS, **options)


class ServerTest(ProgramTest):
    """A test with a server; those of a class share one, unless they start another."""

    ARGUMENTS = ("--drain-seconds", "1", "--linger-seconds", "1")

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="ringwave-server-")
        cls.addClassCleanup(folder.cleanup)
        cls.server = Server(folder.name, *cls.ARGUMENTS, environment=cls.environment(folder.name))
        cls.addClassCleanup(cls.end_well, cls.server)

    @staticmethod
    def environment(folder):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("RINGWAVE_", "NOTIFY_", "WATCHDOG_"))}
        return {**kept, "HOME": str(folder), "XDG_CACHE_HOME": str(folder) + "/cache"}

    def start_server(self, *arguments, launcher=(), **environment):
        """Another server, for this test; `launcher` is a command that starts it."""
        self.server = Server(self.folder, *self.ARGUMENTS, *arguments, launcher=launcher,
                             environment={**self.environment(self.folder), **environment})
        self.addCleanup(self.end_well, self.server)
        return self.server

    @staticmethod
    def end_well(server):
        if (code := server.end()) not in (0, -signal.SIGKILL):
            raise AssertionError(f"the server ended with {code}: {server.log()}")

    def new_station(self, **wish):
        reply = self.server.post("/api/stations", wish)
        self.assertEqual(reply.status, 201, reply.body)
        return reply.json

    def assert_refused(self, reply, status, code):
        """The answer is an error of that kind, told in a sentence."""
        self.assertEqual((reply.status, reply.code), (status, code), reply.body)
        self.assertGreater(len(reply.json["error"]["message"].split()), 3)

    def wait_until(self, is_so, what):
        end = time.monotonic() + SECONDS
        while not is_so():
            self.assertLess(time.monotonic(), end, f"in vain: {what}")
            time.sleep(0.05)
