# SPDX-License-Identifier: Apache-2.0
"""The scripts that guard the tree find what they are made to find."""
import json
import pathlib
import subprocess
import tempfile
import unittest

from program import ROOT


def run_tool(name, *arguments):
    return subprocess.run([ROOT / "tools" / name, *arguments], capture_output=True, text=True, check=False)


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="ringwave-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, path, text):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


class Layers(FolderTest):
    def assert_found(self, path, include, found):
        self.write(path, f"#pragma once\n#include {include}\n")
        result = run_tool("check-layers", self.folder)
        self.assertEqual(result.returncode, 1 if found else 0, result.stdout)
        self.assertEqual(result.stdout.startswith(f"{path}:2: "), found, result.stdout)

    def test_core_sees_only_core(self):
        self.assert_found("ringwave/core/a.hpp", '"ringwave/core/error.hpp"', False)
        self.assert_found("ringwave/core/a.hpp", '"ringwave/dsp/gain.hpp"', True)

    def test_music_never_sees_audio(self):
        self.assert_found("ringwave/music/a.cpp", '"ringwave/backend/router.hpp"', True)

    def test_cuda_headers_stay_on_the_cuda_side(self):
        self.assert_found("ringwave/dsp/a_cuda.cu", "<cuda_runtime.h>", False)
        self.assert_found("ringwave/dsp/a_cpu.cpp", "<cuda_runtime.h>", True)

    def test_the_library_does_not_see_the_apps(self):
        self.assert_found("ringwave/dsp/a.cpp", '"apps/cli/commands.hpp"', True)

    def test_backends_see_every_op(self):
        self.assert_found("ringwave/backend/cpu/ops.cpp", '"ringwave/dsp/gain.hpp"', False)
        self.assert_found("ringwave/backend/router.cpp", '"ringwave/dsp/gain.hpp"', True)


class Sum(FolderTest):
    def sum(self, **programs):
        for name, (status, log, results) in programs.items():
            self.write(f"{name}.status", f"{status}\n")
            self.write(f"{name}.log", log)
            if results is not None:
                tests = [{"name": str(i), "status": "RUN", "result": "COMPLETED", **r} for i, r in enumerate(results)]
                self.write(f"{name}.json", json.dumps({"testsuites": [{"name": "S", "testsuite": tests}]}))
        result = run_tool("sum-tests", self.folder)
        return result.returncode, result.stdout.splitlines()[-1]

    def test_adds_up(self):
        self.assertEqual(self.sum(a=(0, "", [{}, {}]), b=(0, "", None)), (0, "3 passed, 0 failed"))

    def test_a_failed_test_is_counted_once(self):
        failed = {"failures": [{"failure": "first"}, {"failure": "second"}]}
        self.assertEqual(self.sum(a=(1, "", [{}, failed])), (1, "1 passed, 1 failed"))

    def test_a_crash_is_a_failure_and_keeps_what_passed(self):
        log = "[ RUN      ] S.0\n[       OK ] S.0 (0 ms)\n[ RUN      ] S.1\n"
        self.assertEqual(self.sum(a=(139, log, None)), (1, "1 passed, 1 failed"))

    def test_a_bad_end_after_good_tests_is_a_failure(self):
        self.assertEqual(self.sum(a=(23, "leak", [{}])), (1, "1 passed, 1 failed"))

    def test_skipped_tests_are_told_apart(self):
        self.assertEqual(self.sum(a=(0, "", [{}, {"result": "SKIPPED"}])), (0, "1 passed, 0 failed, 1 skipped"))

    def test_a_program_may_skip_itself(self):
        self.assertEqual(self.sum(a=(0, "skipped: no GPU\n", None), b=(0, "", None)), (0, "1 passed, 0 failed, 1 skipped"))

    def test_nothing_at_all_is_no_success(self):
        self.assertEqual(self.sum(), (1, "0 passed, 0 failed"))


class Dev(unittest.TestCase):
    def test_an_unknown_verb_prints_the_list(self):
        result = subprocess.run([ROOT / "dev", "nonsense"], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("'nonsense'", result.stderr)
        for verb in ("setup", "build", "test", "run", "bench", "check", "package"):
            self.assertRegex(result.stderr, rf"(?m)^  {verb} ")
