# SPDX-License-Identifier: Apache-2.0
"""What was built and what is shipped keeps a fault of memory, or a server that was taken over, from going far."""
import re
import subprocess
import unittest

from audio import needs
from program import PROGRAM, ROOT

LIBRARIES = PROGRAM.resolve().parent.parent / "lib"


def readelf(*arguments):
    return subprocess.run(["readelf", "--wide", *map(str, arguments)], capture_output=True, text=True, check=True).stdout


@needs("readelf")
class Binaries(unittest.TestCase):
    def built(self):
        """The program, its library and, where it was built, the CUDA module."""
        module = LIBRARIES / "libringwave_cuda.so"
        return [PROGRAM, LIBRARIES / "libringwave.so", *([module] if module.exists() else [])]

    def test_the_stack_is_guarded(self):
        for path in self.built():
            with self.subTest(path.name):
                self.assertIn("__stack_chk_fail", readelf("--dyn-syms", path))

    def test_the_c_library_checks_sizes(self):
        for path in self.built():
            with self.subTest(path.name):
                if "cuda" not in path.name:  # its host code copies through the driver
                    self.assertRegex(readelf("--dyn-syms", path), r"__(mem|str|v?sn?printf|f?printf|f?read)\w*_chk@")

    def test_tables_of_the_linker_are_read_only_before_it_begins(self):
        for path in self.built():
            with self.subTest(path.name):
                self.assertRegex(readelf("--dynamic", path), r"FLAGS_1.*\bNOW\b")
                self.assertIn("GNU_RELRO", readelf("--segments", path))

    def test_no_stack_is_code(self):
        for path in self.built():
            with self.subTest(path.name):
                self.assertRegex(readelf("--segments", path), r"GNU_STACK\s.*\sRW\s")

    def test_the_program_lies_anywhere(self):
        self.assertRegex(readelf("--dynamic", PROGRAM), r"FLAGS_1.*\bPIE\b")


class Unit(unittest.TestCase):
    @needs("systemd-analyze")
    def test_systemd_finds_little_that_the_server_may_do(self):
        unit = ROOT / "apps/server/deploy/ringwave.service"
        result = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--threshold=25", "--no-pager", unit],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        exposure = float(re.search(r"exposure level for \S+: ([\d.]+)", result.stdout).group(1))
        self.assertLessEqual(exposure, 2.5)
