# SPDX-License-Identifier: Apache-2.0
"""The program under test, in a home of its own: no user's cache or setting reaches it."""
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(os.environ.get("RINGWAVE_PROGRAM", ROOT / "build/bin/ringwave"))

# The exit codes that apps/cli/exit_code.hpp promises; one that a signal stopped has 128 and its number.
OK, CHECK_FAILED, WRONG_USE, NO_DEVICE, BAD_FILE, INTERRUPTED = 0, 1, 2, 3, 4, 130


class ProgramTest(unittest.TestCase):
    """A test that runs the program. Every test has an empty folder, where also the cache is."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="ringwave-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.routing_table = self.folder / "cache/ringwave/routing.json"

    def settings(self, **environment):
        """The program's environment, with these settings added."""
        settings = {**os.environ, "HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache")}
        for name in ("RINGWAVE_DEVICE", "RINGWAVE_CUDA_MODULE", "RINGWAVE_BENCH_SLOW", "RINGWAVE_RING_BOARD"):
            settings.pop(name, None)
        return {**settings, **environment}

    def run_program(self, *arguments, seconds=300, **environment):
        return subprocess.run([str(PROGRAM), *map(str, arguments)], env=self.settings(**environment), cwd=self.folder,
                              capture_output=True, text=True, timeout=seconds, check=False)

    def run_bytes(self, *arguments):
        """What the program writes to standard output, where that is no text; it ends well."""
        return subprocess.run([str(PROGRAM), *map(str, arguments)], env=self.settings(), cwd=self.folder,
                              capture_output=True, timeout=300, check=True).stdout

    def succeed(self, *arguments, **environment):
        result = self.run_program(*arguments, **environment)
        self.assertEqual(result.returncode, OK, f"{arguments}: {result.stderr}")
        return result

    def fail_with(self, status, *arguments, **environment):
        """The program ends with that status, one sentence on stderr and nothing on stdout; returns the sentence."""
        result = self.run_program(*arguments, **environment)
        self.assertEqual(result.returncode, status, f"{arguments}: {result.stdout}{result.stderr}")
        self.assert_sentence(result.stderr)
        self.assertEqual(result.stdout, "")
        return result.stderr

    def seen_on_a_terminal(self, *arguments, slowly=None):
        """What the program shows on stderr where that is a terminal; it ends well. What comes `slowly`, on its standard
        input, takes half a second: however fast the machine is, that is longer than it waits before it shows anything.
        """
        terminal, stderr = os.openpty()
        with subprocess.Popen([str(PROGRAM), *map(str, arguments)], stderr=stderr, stdout=subprocess.DEVNULL,
                              stdin=None if slowly is None else subprocess.PIPE, env=self.settings(),
                              cwd=self.folder) as program:
            os.close(stderr)
            shown = b""
            if slowly is not None:
                threading.Thread(target=self.feed, args=(program.stdin, slowly)).start()
            try:
                while piece := os.read(terminal, 4096):
                    shown += piece
            except OSError:  # the other end is closed
                pass
            self.assertEqual(program.wait(timeout=60), OK)
        os.close(terminal)
        return shown

    @staticmethod
    def feed(file, content):
        pieces = 20
        size = len(content) // pieces + 1
        with file:
            for begin in range(0, len(content), size):
                file.write(content[begin:begin + size])
                file.flush()
                time.sleep(0.5 / pieces)

    def assert_sentence(self, text):
        self.assertEqual(len(text.splitlines()), 1, f"one line was expected: {text!r}")
        self.assertGreater(len(text.split()), 3, f"a sentence was expected: {text!r}")

    def write_routing_table(self, text):
        self.routing_table.parent.mkdir(parents=True, exist_ok=True)
        self.routing_table.write_bytes(text if isinstance(text, bytes) else text.encode())
