# SPDX-License-Identifier: Apache-2.0
"""Clients that create stations, listen at random speeds in random formats, delete, and are sent away by a server that
ends: what they do comes from a seed. Whoever runs them learns whether the server answered throughout, and whether one of
its threads ran on without a sleep.
"""
import http.client
import pathlib
import random
import socket
import threading
import time

from server import SECONDS

ENDINGS = ("wav", "flac", "mp3", "opus")
CODECS = ("pcm", "opus")
UPGRADE = ("Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n")
PIECE_SECONDS = 0.05  # between two reads of a slow client


class Client(threading.Thread):
    """One who comes, listens for a while in some way, goes, and comes back, until it is told to stop."""

    def __init__(self, churn, number):
        super().__init__(daemon=True)
        self.churn = churn
        self.random = random.Random(f"{churn.seed}/{number}")

    def run(self):
        while not self.churn.is_over.is_set():
            try:
                self.visit()
            except (OSError, http.client.HTTPException):  # the server ends, and is started again
                self.churn.count("cut")
                time.sleep(0.1)

    def visit(self):
        station = self.churn.station(self.random)
        if station is None:
            return
        connection = socket.socket()
        try:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.random.choice((2048, 16384, 262144)))
            connection.settimeout(0.5)
            connection.connect(("127.0.0.1", self.churn.server.port))
            connection.sendall(self.request(station["id"]))
            self.listen(connection)
            self.churn.count("visits")
        finally:
            connection.close()
        if self.random.random() < 0.3:
            self.churn.delete(station)

    def request(self, station):
        if self.random.random() < 0.4:
            codec = self.random.choice(CODECS)
            return f"GET /ws/stations/{station}?codec={codec} HTTP/1.1\r\nHost: localhost\r\n{UPGRADE}\r\n".encode()
        return f"GET /stream/{station}.{self.random.choice(ENDINGS)} HTTP/1.0\r\n\r\n".encode()

    def listen(self, connection):
        """Reads for a while, fast, slowly or with pauses. Where others delete its station, it may read to the end."""
        end = time.monotonic() + self.random.uniform(0.5, 9)
        pace = self.random.choice(("fast", "slow", "pausing", "paused"))
        speed = self.random.uniform(2e3, 300e3)
        if pace == "paused":
            self.pause(end - 0.3)
        while time.monotonic() < end and not self.churn.is_over.is_set():
            try:
                if not connection.recv(max(1, int(speed * PIECE_SECONDS)) if pace == "slow" else 65536):
                    return
            except TimeoutError:  # nothing is played
                continue
            if pace == "slow":
                time.sleep(PIECE_SECONDS)
            elif pace == "pausing" and self.random.random() < 0.02:
                self.pause(time.monotonic() + self.random.uniform(1, 6))

    def pause(self, until):
        self.churn.is_over.wait(max(0, until - time.monotonic()))


class ThreadUse:
    """What the threads of the network do with their time. One that is busy sleeps again and again, since it is soon done
    with what has come; one that goes round for nothing uses a second of CPU time without a sleep, however long that second
    takes on a machine that others use, too.
    """

    LEAST_SLEEPS = 20  # in a second of CPU time

    def __init__(self, pid):
        self.pid = pid
        self.begun = {}  # by thread: CPU seconds and sleeps, when a second of CPU time began
        self.first = {}  # and when it was seen first
        self.most_ms_between_sleeps = 0.0  # of CPU time, on average since it was seen first
        self.spinning = []

    def look(self):
        for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            if (task / "comm").read_text().strip() != "network":
                continue
            used = int((task / "schedstat").read_text().split()[0]) / 1e9
            status = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines())
            sleeps = int(status["voluntary_ctxt_switches"])
            first_used, first_sleeps = self.first.setdefault(task.name, (used, sleeps))
            if sleeps > first_sleeps:
                self.most_ms_between_sleeps = max(self.most_ms_between_sleeps,
                                                  1000 * (used - first_used) / (sleeps - first_sleeps))
            begun, sleeps_then = self.begun.setdefault(task.name, (used, sleeps))
            if used - begun < 1:
                continue
            self.begun[task.name] = used, sleeps
            if sleeps - sleeps_then < self.LEAST_SLEEPS:
                self.spinning.append(f"thread {task.name} used {used - begun:.1f} s of CPU time and slept "
                                     f"{sleeps - sleeps_then} times")


class Churn:
    """Many clients of one server, which is ended in their midst and started again now and then."""

    ROUND_SECONDS = 20  # between two ends of the server

    def __init__(self, server, clients, seed):
        self.server = server
        self.seed = seed
        self.is_over = threading.Event()
        self.lock = threading.Lock()
        self.stations = []
        self.counts = {"visits": 0, "cut": 0, "created": 0, "deleted": 0, "health": 0, "ends": 0}
        self.faults = []
        self.most_seconds_of_an_end = 0.0
        self.most_cpu_ms_between_sleeps = 0.0
        self.clients = [Client(self, number) for number in range(clients)]

    def run(self, seconds):
        """What is wrong, a sentence each."""
        end = time.monotonic() + seconds
        for client in self.clients:
            client.start()
        try:
            while not self.faults and time.monotonic() < end:
                self.go_round(min(end, time.monotonic() + self.ROUND_SECONDS))
        finally:
            self.is_over.set()
        for client in self.clients:
            client.join(SECONDS)
        return self.faults

    def go_round(self, end):
        """Looks and asks until then; ends the server, and starts it again."""
        use = ThreadUse(self.server.process.pid)
        while not self.faults and time.monotonic() < end:
            use.look()
            self.ask_for_health()
            self.faults += use.spinning
            time.sleep(0.25)
        self.most_cpu_ms_between_sleeps = max(self.most_cpu_ms_between_sleeps, use.most_ms_between_sleeps)
        begun = time.monotonic()
        try:
            if (code := self.server.end()) != 0:
                self.faults.append(f"the server ended with {code}")
        except Exception as error:  # it does not end
            self.faults.append(f"after SIGTERM: {error}")
            self.server.process.kill()
            self.server.process.wait()
            return
        self.most_seconds_of_an_end = max(self.most_seconds_of_an_end, time.monotonic() - begun)
        self.count("ends")
        self.server.start()

    def ask_for_health(self):
        try:
            reply = self.server.get("/health")
            if (reply.status, reply.json) != (200, {"status": "ok"}):
                self.faults.append(f"/health says {reply.status} {reply.body}")
            self.count("health")
        except (OSError, http.client.HTTPException) as error:
            self.faults.append(f"/health does not answer: {error}")

    def station(self, chance):
        """One that there is, or a new one; nothing where the server takes no more."""
        with self.lock:
            if self.stations and chance.random() < 0.7:
                return chance.choice(self.stations)
        reply = self.server.post("/api/stations", {"seed": chance.randrange(1000)})
        if reply.status != 201:
            return None
        with self.lock:
            self.stations.append(reply.json)
        self.count("created")
        return reply.json

    def delete(self, station):
        with self.lock:
            if station not in self.stations:
                return
            self.stations.remove(station)
        self.server.remove(station)
        self.count("deleted")

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    def report(self):
        return {"seed": self.seed, "clients": len(self.clients), **self.counts, "faults": self.faults,
                "most_seconds_of_an_end": self.most_seconds_of_an_end,
                "most_cpu_ms_between_sleeps": self.most_cpu_ms_between_sleeps}
