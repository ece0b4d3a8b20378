# SPDX-License-Identifier: Apache-2.0
"""What every command has in common: help, version, wrong words."""
import re
import signal
import subprocess

from audio import tone, write_wav
from program import BAD_FILE, OK, PROGRAM, ROOT, WRONG_USE, ProgramTest

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

    def run_with_full_output(self, *arguments):
        with open("/dev/full", "wb") as full:
            return subprocess.run([PROGRAM, *arguments], env=self.settings(), cwd=self.folder, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=300, check=False)

    def test_what_cannot_be_printed_is_noticed(self):
        write_wav(self.folder / "in.wav", tone())
        for arguments in (("devices",), ("devices", "--json"), ("loudness", "in.wav"), ("loudness", "in.wav", "--json"),
                          ("convert", "in.wav", "-o", "out.flac"), ("bench", "--list"), ("ring", "list"), ("docs",),
                          ("ring", "handlers"), ("ring", "top"), ("compose", "-o", "out.mid"),
                          ("serve", "--check", "--port", "0"), ("--help",), ("convert", "--help"), ("--version",)):
            with self.subTest(arguments):
                result = self.run_with_full_output(*arguments)
                self.assertEqual(result.returncode, BAD_FILE, result.stderr)
                self.assert_sentence(result.stderr)
                self.assertIn("standard output cannot be written: ", result.stderr)

    def test_why_it_cannot_be_printed_is_said(self):
        write_wav(self.folder / "in.wav", tone())
        self.assertIn("No space left on device", self.run_with_full_output("loudness", "in.wav").stderr)

    def test_without_a_standard_output_no_file_gets_what_is_printed(self):
        write_wav(self.folder / "in.wav", tone())
        shown = subprocess.run(f"exec {PROGRAM} convert in.wav -o out.wav >&- 2>&-", shell=True, env=self.settings(),
                               cwd=self.folder, timeout=60, check=False)
        self.assertEqual(shown.returncode, BAD_FILE)
        self.succeed("convert", "in.wav", "-o", "whole.wav")
        self.assertEqual((self.folder / "out.wav").read_bytes(), (self.folder / "whole.wav").read_bytes())

    def test_a_reader_that_leaves_early_does_no_harm(self):
        with subprocess.Popen([PROGRAM, "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
            program.stdout.close()
            self.assertEqual(program.stderr.read(), b"")
            self.assertIn(program.wait(timeout=30), (OK, -signal.SIGPIPE))
