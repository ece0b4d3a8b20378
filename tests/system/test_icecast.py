# SPDX-License-Identifier: Apache-2.0
"""A station is pushed to a real Icecast, and heard there."""
import subprocess
import time

import icecast
from server import ServerTest


class Push(ServerTest):
    """`ringwave serve --icecast`."""

    @classmethod
    def setUpClass(cls):
        """Each test has a server of its own."""

    def setUp(self):
        super().setUp()
        self.icecast = icecast.Icecast(self.folder)
        self.addCleanup(self.icecast.close)

    def wait_for(self, mount):
        for _ in range(300):
            if mount in self.icecast.mounts():
                return
            time.sleep(0.1)
        self.fail(f"Icecast has no {mount}")

    def heard_seconds(self, mount, seconds):
        """What ffmpeg decodes of the mount; it complains of nothing."""
        result = subprocess.run(
            ["ffmpeg", "-v", "error", "-t", str(seconds), "-i", f"{self.icecast.url}{mount}", "-f", "s16le", "-ac", "2",
             "-ar", "48000", "-"], capture_output=True, timeout=120, check=False)
        self.assertEqual(result.stderr.decode(), "")
        self.assertTrue(any(result.stdout), "it is silent")
        return len(result.stdout) / 4 / 48000

    def test_a_station_is_heard_at_icecast(self):
        for mount in ("/night.opus", "/night.mp3"):
            with self.subTest(mount):
                server = self.start_server("--icecast", self.icecast.address(mount), "--icecast-station", "night")
                self.wait_for(mount)
                self.assertAlmostEqual(self.heard_seconds(mount, 3), 3, delta=0.2)
                self.assertEqual(server.get("/api/stations/night").json["listeners"], 1)
                server.end()

    def test_it_comes_back_when_icecast_does(self):
        port = self.icecast.port
        self.start_server("--icecast", self.icecast.address("/night.opus"), "--icecast-station", "night")
        self.wait_for("/night.opus")
        self.icecast.close()
        self.icecast = icecast.Icecast(self.folder / "again", port=port)
        self.addCleanup(self.icecast.close)
        self.wait_for("/night.opus")
        self.assertGreater(self.heard_seconds("/night.opus", 2), 1.5)
