# SPDX-License-Identifier: Apache-2.0
"""A server that may have few files open, and many who come: those it has room for are served, the others are told, and its
own files are written.
"""
import time

from player import Player
from server import ServerTest

LIMIT = 64
ALLOWED = ("prlimit", f"--nofile={LIMIT}:{LIMIT}")


class Descriptors(ServerTest):
    def saved(self):
        """When; nothing where they have not been."""
        path = self.server.data / "stations.json"
        return path.stat().st_mtime_ns if path.exists() else None

    def test_are_kept_for_the_server_however_many_come(self):
        self.start_server("--threads", "2", launcher=ALLOWED)
        station = self.new_station()["id"]
        with Player(self.server.port, f"{station}.mp3", room=65536) as player:
            player.read_on()
            self.wait_until(self.saved, "the stations are saved")
            crowd = [self.server.socket() for _ in range(150)]
            for client in crowd:
                client.setblocking(False)
            try:
                saved, rounds = self.saved(), 0
                end = time.monotonic() + 5  # idle connections are cut after ten
                while time.monotonic() < end:
                    self.assert_refused(self.server.get("/health"), 503, "limit_reached")
                    rounds += 1
                self.assertGreater(rounds, 0)
                self.wait_until(lambda: self.saved() != saved, "the stations are saved again")
                told = sum(self.was_told(client) for client in crowd)
            finally:
                for client in crowd:
                    client.close()
            self.assertGreater(told, 150 - LIMIT)
            self.assertLess(told, 150, "there is room for some")
            self.wait_until(lambda: self.server.get("/health").status == 200, "room again")
            self.assertTrue(player.thread.is_alive(), "who listens is not disturbed")
            self.assertEqual(self.server.end(), 0)
        log = self.server.log()
        self.assertNotIn("could not be saved", log)
        self.assertNotIn("Too many open files", log)
        self.assertEqual(log.count("the system allows so few open files"), 1, log)

    def test_a_file_that_is_sent_takes_one_as_well(self):
        self.start_server("--threads", "2", launcher=ALLOWED)
        job = self.server.post("/api/render", {"format": "wav", "seconds": 0.5}).json["id"]
        self.wait_until(lambda: self.server.get(f"/api/render/{job}").json["state"] == "done", "it is rendered")
        crowd = []
        try:
            while not self.is_full():
                crowd.append(self.server.socket())
            crowd.pop().close()
            self.wait_until(lambda: self.is_told_of_files(f"/api/render/{job}/file"), "room for a connection alone")
            crowd.pop().close()
            self.wait_until(lambda: self.server.get(f"/api/render/{job}/file").status == 200, "there is room for both")
        finally:
            for client in crowd:
                client.close()

    def is_full(self):
        """For long enough that no place is still to be given back."""
        for _ in range(5):
            if self.server.get("/health").status == 200:
                return False
            time.sleep(0.2)
        return True

    def is_told_of_files(self, path):
        """That too many are being sent, and not that there are too many connections."""
        reply = self.server.get(path)
        self.assert_refused(reply, 503, "limit_reached")
        return "files" in reply.json["error"]["message"]

    @staticmethod
    def was_told(client):
        """That there is no room."""
        try:
            return b" 503 " in client.recv(4096)
        except BlockingIOError:
            return False

    def test_that_are_too_few_for_anybody_are_told_at_the_start(self):
        with self.assertRaisesRegex(AssertionError, "raise the limit with `ulimit -n`"):
            self.start_server(launcher=("prlimit", "--nofile=34:34"))
