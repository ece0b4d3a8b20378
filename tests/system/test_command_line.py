# SPDX-License-Identifier: Apache-2.0
"""What every command has in common: help, version, wrong words."""
import re
import signal
import subprocess

from program import OK, PROGRAM, ROOT, WRONG_USE, ProgramTest

COMMANDS = ("devices", "tune", "bench", "convert", "loudness", "convolve", "filter", "eq")


class CommandLine(ProgramTest):
    def test_version_is_that_of_the_project(self):
        project = re.search(r"VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text().split("project(", 1)[1])
        self.assertIn(project.group(1), self.succeed("--version").stdout)

    def test_help_names_every_command(self):
        text = self.succeed("--help").stdout
        for command in COMMANDS:
            self.assertRegex(text, rf"(?m)^\s+{command}\b")

    def test_every_command_has_help(self):
        for command in COMMANDS:
            with self.subTest(command):
                text = self.succeed(command, "--help").stdout
                for word in (command, "--device", "--trace"):
                    self.assertIn(word, text)

    def test_the_reference_page_names_every_command_and_exit_code(self):
        page = self.succeed("docs").stdout
        for word in (*COMMANDS, "--device", "--trace", "RINGWAVE_DEVICE", "70"):
            self.assertIn(word, page)

    def test_unknown_flag_is_wrong_use_and_named(self):
        for arguments in (("--nonsense",), ("devices", "--nonsense"), ("bench", "--nonsense")):
            with self.subTest(arguments):
                result = self.run_program(*arguments)
                self.assertEqual(result.returncode, WRONG_USE)
                self.assertIn("--nonsense", result.stderr)

    def test_unknown_command_is_wrong_use_and_named(self):
        result = self.run_program("nonsense")
        self.assertEqual(result.returncode, WRONG_USE)
        self.assertIn("nonsense", result.stderr)

    def test_no_command_is_wrong_use_and_says_where_to_look(self):
        self.assertIn("--help", self.fail_with(WRONG_USE))

    def test_a_reader_that_leaves_early_does_no_harm(self):
        with subprocess.Popen([PROGRAM, "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            program.stdout.close()
            self.assertEqual(program.stderr.read(), b"")
            self.assertIn(program.wait(timeout=30), (OK, -signal.SIGPIPE))
