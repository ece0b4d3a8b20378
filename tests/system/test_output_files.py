# SPDX-License-Identifier: Apache-2.0
"""How every command writes a file: whole, under the right name, and for the right people."""
import os
import subprocess

from audio import tone, write_wav
from program import BAD_FILE, ProgramTest


class OutputFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.input = self.folder / "in.wav"
        write_wav(self.input, tone())

    def test_a_link_under_the_name_of_its_temporary_file_is_no_way_in(self):
        """Names that follow from the process's number could be prepared; 2000 numbers are the next for a while."""
        victim = self.folder / "victim"
        victim.write_text("theirs")
        next_number = subprocess.run(["sh", "-c", "echo $$"], capture_output=True, check=True).stdout
        for number in range(int(next_number), int(next_number) + 2000):
            (self.folder / f"out.wav.unfinished-{number}-0").symlink_to(victim)
        self.succeed("convert", self.input, "-o", self.folder / "out.wav")
        self.assertEqual(victim.read_text(), "theirs")

    def test_the_output_keeps_the_mode_of_the_file_that_it_replaces(self):
        out = self.folder / "out.wav"
        for mode in (0o600, 0o640, 0o666):
            with self.subTest(oct(mode)):
                out.write_text("old")
                out.chmod(mode)
                self.succeed("convert", self.input, "-o", out)
                self.assertEqual(out.stat().st_mode & 0o777, mode)

    def test_an_output_that_is_a_link_goes_to_the_file_behind_it(self):
        (self.folder / "far").mkdir()
        link = self.folder / "link.wav"
        link.symlink_to("far/out.wav")
        self.succeed("convert", self.input, "-o", link)
        self.succeed("convert", self.input, "-o", link)
        self.assertTrue(link.is_symlink())
        self.assertEqual([path.name for path in (self.folder / "far").iterdir()], ["out.wav"])

    def test_a_link_of_a_stranger_in_a_shared_folder_is_not_followed(self):
        if os.geteuid() != 0:
            self.skipTest("only root can make a stranger's link")
        shared = self.folder / "shared"
        shared.mkdir()
        shared.chmod(0o1777)
        victim = self.folder / "victim"
        victim.write_text("theirs")
        (shared / "out.wav").symlink_to(victim)
        os.chown(shared / "out.wav", 1234, 1234, follow_symlinks=False)
        self.assertIn("another user", self.fail_with(BAD_FILE, "convert", self.input, "-o", shared / "out.wav"))
        self.assertEqual(victim.read_text(), "theirs")

    def test_a_device_is_not_replaced_by_results(self):
        null = self.folder / "null"
        if os.geteuid() != 0:
            self.skipTest("only root can make a device")
        try:
            os.mknod(null, 0o20666, os.makedev(1, 3))
        except PermissionError:
            self.skipTest("no device can be made here")
        self.fail_with(BAD_FILE, "bench", "gain", "--quick", "--json", null)
        self.assertEqual(self.run_program("loudness", self.input, "--trace", null).returncode, BAD_FILE)
        self.assertTrue(null.is_char_device())
