# SPDX-License-Identifier: Apache-2.0
"""What the server says of itself when one of its threads hangs: to those who ask for /health, and to the service manager
that started it.
"""
import http.client
import os
import socket
import time

from player import Player
from server import SECONDS, Reply, ServerTest
from stopped_thread import StoppedThread, threads


class Watching(ServerTest):
    WATCHDOG_SECONDS = 10

    def setUp(self):
        super().setUp()
        self.connection = None  # to ask by, where that cannot be a new one
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(lambda: self.manager.close())
        self.manager.settimeout(SECONDS)

    def start_notifying_server(self, address):
        self.manager.bind(address.replace("@", "\0"))
        self.start_server("--threads", "2", NOTIFY_SOCKET=address,
                          WATCHDOG_USEC=str(1000000 * self.WATCHDOG_SECONDS))
        self.assertEqual(self.manager.recv(4096), b"READY=1")

    def wait_for(self, state):
        """The next time that it says this."""
        while self.manager.recv(4096) != state:
            pass

    def heard(self, seconds):
        """What it says from now on, as long."""
        self.manager.setblocking(False)
        try:
            while True:
                self.manager.recv(4096)
        except BlockingIOError:
            pass
        said, end = [], time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.manager.settimeout(left)
            try:
                said.append(self.manager.recv(4096))
            except TimeoutError:
                break
        self.manager.settimeout(SECONDS)
        return said

    def hanging(self):
        """What hangs, by /health; nothing where all is well."""
        connection = self.connection or http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=2)
        try:
            connection.request("GET", "/health")
            reply = Reply(connection.getresponse())
        except TimeoutError:
            return "no answer, for who asks the thread that hangs"
        finally:
            if connection is not self.connection:
                connection.close()
        self.assertIn((reply.status, reply.json["status"]), ((200, "ok"), (503, "stalled")))
        return ", ".join(reply.json.get("hanging", []))

    def network_threads(self):
        """Both, as soon as they have their names."""
        self.wait_until(lambda: len(threads(self.server.process.pid, "network")) == 2, "two threads of the network")
        return threads(self.server.process.pid, "network")

    def stopped(self, thread):
        try:
            return StoppedThread(thread)
        except PermissionError as error:
            return self.skipTest(f"this system does not let a test stop a thread: {error}")

    def assert_seen(self, thread, name):
        """Nothing is said to the manager while the thread hangs, and /health names it; then all is well again."""
        with self.stopped(thread):
            self.wait_until(lambda: self.hanging().startswith(name), f"/health says that {name} hangs")
            self.assertLessEqual(len(self.heard(4)), 1, "one may have been on its way")
            seen = self.hanging()
            self.assertTrue(seen.startswith(name), seen)
        self.wait_until(lambda: self.hanging() == "", "all is well again")
        self.wait_for(b"WATCHDOG=1")
        return seen

    def test_says_when_it_is_ready_and_that_it_lives_and_when_it_ends(self):
        for address in (str(self.folder / "notify"), f"@ringwave-test-{os.getpid()}"):
            with self.subTest(address=address):
                self.start_notifying_server(address)
                for _ in range(3):
                    self.wait_for(b"WATCHDOG=1")
                self.server.process.terminate()
                self.wait_for(b"STOPPING=1")
                self.assertEqual(self.server.end(), 0)
                self.manager.close()
                self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                self.manager.settimeout(SECONDS)

    def test_says_nothing_of_life_where_nobody_asks(self):
        self.manager.bind(str(self.folder / "notify"))
        self.start_server(NOTIFY_SOCKET=str(self.folder / "notify"))
        self.assertEqual(self.manager.recv(4096), b"READY=1")
        self.assertEqual(self.heard(3), [])

    def test_a_thread_of_the_network_that_hangs_is_seen_and_the_others_say_so(self):
        self.start_notifying_server(str(self.folder / "notify"))
        seen = [self.assert_seen(thread, "network") for thread in self.network_threads()]
        self.assertEqual(sorted(seen), ["network 1", "network 2"])

    def test_rendering_that_hangs_is_seen(self):
        self.start_notifying_server(str(self.folder / "notify"))
        with Player(self.server.port, f"{self.new_station()['id']}.mp3", room=65536) as player:
            player.read_on()
            (thread,) = threads(self.server.process.pid, "render")
            self.assert_seen(thread, "rendering")

    def test_the_server_ends_without_a_thread_that_hangs(self):
        self.start_notifying_server(str(self.folder / "notify"))
        with self.stopped(self.network_threads()[0]) as stopped:
            self.wait_until(lambda: self.hanging().startswith("network"), "/health says that it hangs")
            self.server.process.terminate()
            stopped.wait_until_gone()
        self.assertEqual(self.server.process.wait(SECONDS), 1)
        self.assertIn("ending without what hangs", self.server.log())
        self.server.start()  # for the others to see that nothing is in its way

    def test_the_thread_that_watches_is_watched(self):
        self.start_notifying_server(str(self.folder / "notify"))
        self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=SECONDS)
        self.addCleanup(self.connection.close)  # that thread lets nobody new in
        self.assertEqual(self.hanging(), "")
        self.assert_seen(self.server.process.pid, "control")

    def test_health_is_told_though_the_thread_that_makes_answers_hangs(self):
        self.start_notifying_server(str(self.folder / "notify"))
        self.wait_until(lambda: threads(self.server.process.pid, "answers"), "it has its name")
        (thread,) = threads(self.server.process.pid, "answers")
        with self.stopped(thread), self.server.socket(b"GET /api/presets HTTP/1.0\r\n\r\n") as waiting:
            self.assertEqual(self.hanging(), "")
            waiting.settimeout(1)
            with self.assertRaises(TimeoutError):
                waiting.recv(4096)
        with self.server.socket(b"GET /api/presets HTTP/1.0\r\n\r\n") as waiting:
            self.assertIn(b" 200 ", waiting.recv(4096))

    def test_an_address_that_is_none_is_refused(self):
        with self.assertRaisesRegex(AssertionError, "NOTIFY_SOCKET is 'nonsense'"):
            self.start_server(NOTIFY_SOCKET="nonsense")
