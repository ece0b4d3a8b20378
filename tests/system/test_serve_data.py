# SPDX-License-Identifier: Apache-2.0
"""What a server does with its data folder: a full disk, files of others, links and pipes in its place."""
import os
import pathlib
import resource
import signal
import subprocess
import tempfile

from program import BAD_FILE, OK
from server import ServerTest

ROOM = 2048  # bytes that a file may have: fewer than a few stations take


def limit_files(server, most):
    """From now on no file of the server grows past `most` bytes: as on a full disk, a write fails, and it needs no root."""
    hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, hard))


class FullDisk(ServerTest):
    def fill(self, server, stations=20):
        for number in range(stations):
            self.new_station(id=f"station-{number}")
        self.wait_until(lambda: server.metric("ringwave_save_failing") == 1, "a save that fails")

    def assert_kept_after_a_crash(self, server, stations=20):
        self.wait_until(lambda: server.metric("ringwave_save_failing") == 0, "a save that works")
        server.end(signal.SIGKILL)
        server.start()
        self.assertEqual(len(server.get("/api/stations").json["stations"]), stations)

    def test_what_could_not_be_saved_is_saved_when_there_is_room_again(self):
        server = self.start_server()
        limit_files(server, ROOM)
        self.fill(server)
        health = server.get("/health")
        self.assertEqual((health.status, health.json), (200, {"status": "degraded", "saves_stations": False}))
        failures = server.metric("ringwave_save_failures_total")
        self.wait_until(lambda: server.metric("ringwave_save_failures_total") > failures, "another try")
        self.assertEqual(sorted(path.name for path in server.data.iterdir() if "unfinished" in path.name), [])
        self.assertEqual(server.log().count("could not be saved"), 1, server.log())
        limit_files(server, resource.RLIM_INFINITY)
        self.assert_kept_after_a_crash(server)
        self.assertEqual(server.log().count("are saved again"), 1, server.log())
        self.assertEqual(server.get("/health").json, {"status": "ok"})

    def test_a_disk_that_is_really_full(self):
        if os.geteuid() != 0:
            self.skipTest("only root can mount a small disk")
        disk = tempfile.mkdtemp(prefix="ringwave-disk-")
        self.addCleanup(os.rmdir, disk)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "ringwave-test", disk], capture_output=True,
                                 text=True, check=False)
        if mounted.returncode != 0:
            self.skipTest(f"no small disk can be mounted here: {mounted.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "--lazy", disk], check=True)
        (self.folder / "data").symlink_to(disk)
        server = self.start_server()
        ballast = pathlib.Path(disk) / "ballast"
        with open(ballast, "wb", buffering=0) as file, self.assertRaises(OSError):
            while True:
                file.write(bytes(512))
        self.fill(server)
        self.assertIn("No space left on device", server.log())
        ballast.unlink()
        self.assert_kept_after_a_crash(server)
        server.end()


class Foreign(ServerTest):
    """What is not the server's own stays as it is."""

    def render(self, server):
        job = server.post("/api/render", {"format": "wav", "seconds": 1}).json["id"]
        self.wait_until(lambda: server.get(f"/api/render/{job}").json["state"] == "done", "the file")
        return job

    def test_a_start_removes_the_files_it_rendered_and_no_others(self):
        server = self.start_server()
        job = self.render(server)
        renders = server.data / "renders"
        made = renders / f"{job}.wav"
        self.assertTrue(made.exists())
        for name in ("thesis.wav", "0123456789abcdefghjk.wav", "notes.unfinished-1"):
            (renders / name).write_text("theirs")
        victim = self.folder / "victim"
        victim.write_text("theirs")
        (renders / "link.wav").symlink_to(victim)
        server.end(signal.SIGKILL)
        server.start()
        self.assertEqual(sorted(path.name for path in renders.iterdir() if path.name != ".list"),
                         ["0123456789abcdefghjk.wav", "link.wav", "notes.unfinished-1", "thesis.wav"])
        self.assertEqual(victim.read_text(), "theirs")
        self.assertIn("did not make, 4; they stay", server.log())

    def test_a_link_in_place_of_the_folder_of_renders_is_refused(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "thesis.wav").write_text("theirs")
        data = self.folder / "data"
        data.mkdir(mode=0o700)
        (data / "renders").symlink_to(elsewhere)
        said = self.fail_with(BAD_FILE, "serve", "--port", "0", "--data", data)
        self.assertIn("renders is a link", said)
        self.assertEqual((elsewhere / "thesis.wav").read_text(), "theirs")

    def test_pipes_in_place_of_its_files_are_not_waited_for(self):
        data = self.folder / "data"
        (data / "presets").mkdir(parents=True)
        for name in ("stations.json", "presets/mine.toml", "presets/yours.toml"):
            os.mkfifo(data / name)
        server = self.start_server()
        self.assertEqual(server.get("/api/stations").json, {"stations": []})
        self.assertEqual(server.log().count("it is a pipe or a device"), 3, server.log())
        self.fail_with(BAD_FILE, "serve", "--check", "--config", data / "presets/mine.toml")

    def test_its_files_are_for_its_owner_alone_and_no_link_is_written_through(self):
        data = self.folder / "data"
        (data / "presets").mkdir(parents=True)
        victim = self.folder / "victim"
        victim.write_text("theirs")
        (data / "presets/mine.toml").symlink_to(victim)
        server = self.start_server()
        self.new_station(id="kept")
        self.assertEqual(server.post("/api/presets", {"name": "mine", "settings": {}}).status, 201)
        self.render(server)
        server.end()
        self.assertEqual(victim.read_text(), "theirs")
        for name in ("stations.json", "presets/mine.toml", "lock", "renders/.list"):
            self.assertEqual((data / name).lstat().st_mode & 0o777, 0o600, name)
        self.assertEqual((data / "renders").stat().st_mode & 0o777, 0o700)

    def test_a_lock_that_is_a_link_is_refused(self):
        data = self.folder / "data"
        data.mkdir(mode=0o700)
        (data / "lock").symlink_to(self.folder / "victim")
        self.fail_with(BAD_FILE, "serve", "--port", "0", "--data", data)
        self.assertFalse((self.folder / "victim").exists())


class HangUp(ServerTest):
    def test_a_terminal_that_is_closed_drains_it(self):
        self.assertEqual(self.start_server().end(signal.SIGHUP), OK)

    def test_what_nohup_wishes_is_kept(self):
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGHUP, before)
        server = self.start_server()
        server.process.send_signal(signal.SIGHUP)
        self.assertEqual(server.get("/health").json, {"status": "ok"})
        self.assertEqual(server.end(), OK)
