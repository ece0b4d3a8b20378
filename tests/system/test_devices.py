# SPDX-License-Identifier: Apache-2.0
"""`ringwave devices`, and how a device is chosen."""
import json
import re
import shutil
import subprocess
import sys
import unittest

from audio import tone, write_wav
from program import NO_DEVICE, PROGRAM, WRONG_USE, ProgramTest


class Devices(ProgramTest):
    def test_text_names_the_cpu(self):
        self.assertRegex(self.succeed("devices").stdout, r"(?m)^\s*cpu\b")

    def test_text_says_in_one_sentence_why_there_is_no_gpu(self):
        absent = self.folder / "absent.so"
        text = self.succeed("devices", RINGWAVE_CUDA_MODULE=str(absent)).stdout
        reasons = [line for line in text.splitlines() if line.startswith("no GPU:")]
        self.assertEqual(len(reasons), 1, text)
        self.assertIn(str(absent), reasons[0])

    def test_json_has_the_cpu_first_with_its_profile(self):
        devices = json.loads(self.succeed("devices", "--json").stdout)["devices"]
        self.assertEqual(devices[0]["device"], "cpu")
        self.assertGreater(devices[0]["cores"], 0)
        self.assertGreater(devices[0]["memory_bytes"], devices[0]["free_bytes"])
        self.assertGreater(devices[0]["memory_gbs"], 0)

    def test_json_says_why_exactly_where_a_gpu_has_no_window(self):
        for device in json.loads(self.succeed("devices", "--json").stdout)["devices"][1:]:
            self.assertEqual(device["window"], not device.get("why_no_window"), device)

    @unittest.skipUnless(shutil.which("jq"), "jq is not installed")
    def test_json_passes_through_jq(self):
        text = self.succeed("devices", "--json").stdout
        jq = subprocess.run(["jq", "-r", ".devices[0].device"], input=text, capture_output=True, text=True, check=False)
        self.assertEqual((jq.returncode, jq.stdout), (0, "cpu\n"), jq.stderr)

    def test_json_stays_json_when_there_is_something_to_say(self):
        self.write_routing_table("torn")
        json.loads(self.succeed("devices", "--json", RINGWAVE_CUDA_MODULE="/nowhere.so").stdout)


class ChoiceOfDevice(ProgramTest):
    """A device that cannot be used ends the command before it has done anything."""

    def test_every_spelling_of_a_device_that_is_there(self):
        for name in ("cpu", "auto"):
            with self.subTest(name):
                self.succeed("bench", "--list", "--device", name)
                self.succeed("bench", "--list", RINGWAVE_DEVICE=name)

    def test_unknown_device_is_wrong_use_and_named(self):
        for name in ("gpu", "cuda:", "cuda:-1", "cuda:x", "CPU", "cuda:99999999999999999999"):
            with self.subTest(name):
                self.assertIn(f"'{name}'", self.fail_with(WRONG_USE, "bench", "--list", "--device", name))

    def test_unknown_device_in_the_environment_names_the_variable(self):
        sentence = self.fail_with(WRONG_USE, "bench", "--list", RINGWAVE_DEVICE="gpu")
        self.assertIn("RINGWAVE_DEVICE", sentence)
        self.assertIn("'gpu'", sentence)

    def test_the_flag_wins_over_the_environment(self):
        self.succeed("bench", "--list", "--device", "cpu", RINGWAVE_DEVICE="gpu")

    def test_cuda_where_there_is_none_says_why(self):
        absent = str(self.folder / "absent.so")
        self.assertIn(absent, self.fail_with(NO_DEVICE, "bench", "--list", "--device", "cuda", RINGWAVE_CUDA_MODULE=absent))
        self.assertIn(absent, self.fail_with(NO_DEVICE, "bench", "--list", RINGWAVE_DEVICE="cuda:0", RINGWAVE_CUDA_MODULE=absent))

    def test_a_gpu_beyond_the_last(self):
        self.assertIn("cuda:63", self.fail_with(NO_DEVICE, "bench", "--list", "--device", "cuda:63"))


class EveryCommand(ProgramTest):
    """Whatever has --device refuses one that is none, whether the command computes on a device or not."""

    # Where a command has no more to do than this, it does it; what is needed besides stands behind the name.
    NEEDED = {"convert": ("in.wav", "-o", "out.wav"), "loudness": ("in.wav",), "spectrogram": ("in.wav", "-o", "out.png"),
              "convolve": ("in.wav", "--ir", "in.wav", "-o", "out.wav"),
              "filter": ("in.wav", "--lowpass", "900", "-o", "out.wav"),
              "eq": ("in.wav", "--bands", "2", "--gains-db", "1,2", "-o", "out.wav"),
              "resample": ("in.wav", "--rate", "44100", "-o", "out.wav"), "compose": ("-o", "out.mid"),
              "render": ("--seconds", "0.1", "-o", "out.wav"), "listen": ("http://127.0.0.1:1",)}

    def setUp(self):
        super().setUp()
        write_wav(self.folder / "in.wav", tone())

    def commands(self):
        """All that have --device, as the manual lists them."""
        sections = re.split(r"(?m)^#{3,4} `ringwave (.+)`$", self.succeed("docs").stdout)[1:]
        found = [name for name, text in zip(sections[::2], sections[1::2]) if "`--device NAME`" in text]
        self.assertGreater(len(found), 15)
        return [(*name.split(), *self.NEEDED.get(name, ())) for name in found] + [("docs",)]

    def assert_refused(self, status, *arguments):
        message = self.fail_with(status, *arguments)
        self.assertIn(f"'{arguments[-1]}'", message)
        self.assertEqual(list(self.folder.glob("out*")), [])

    def test_refuses_a_name_that_is_no_device(self):
        for command in self.commands():
            for name in ("nonsense", "gpu", ""):
                with self.subTest(command, name=name):
                    self.assert_refused(WRONG_USE, *command, "--device", name)

    def test_refuses_a_gpu_that_is_not_there(self):
        for command in self.commands():
            with self.subTest(command):
                self.assert_refused(NO_DEVICE, *command, "--device", "cuda:63")


class ForeignModules(ProgramTest):
    """A module that does not fit is passed over with its reason; the program works on."""

    def assert_passed_over(self, module):
        result = self.succeed("devices", RINGWAVE_CUDA_MODULE=str(module))
        self.assertRegex(result.stdout, r"(?m)^\s*cpu\b")
        self.assertRegex(result.stdout, r"(?m)^no GPU: .*module")
        listed = json.loads(self.succeed("devices", "--json", RINGWAVE_CUDA_MODULE=str(module)).stdout)
        self.assertEqual([device["device"] for device in listed["devices"]], ["cpu"])
        self.assertIn(str(module), listed["why_no_gpu"])

    def test_absent(self):
        self.assert_passed_over(self.folder / "absent.so")

    def test_no_elf(self):
        module = self.folder / "text.so"
        module.write_text("this is no shared object\n")
        self.assert_passed_over(module)

    def test_empty(self):
        module = self.folder / "empty.so"
        module.touch()
        self.assert_passed_over(module)

    def test_a_folder(self):
        self.assert_passed_over(self.folder)

    def test_a_library_that_is_no_module(self):
        found = subprocess.run(["ldd", sys.executable], capture_output=True, text=True, check=False).stdout
        library = next(line.split("=> ")[1].split()[0] for line in found.splitlines() if "libm.so" in line or "libc.so" in line)
        self.assert_passed_over(library)

    def test_a_module_of_another_version_is_named_with_both_versions(self):
        module = built_module("other_version")
        self.assert_passed_over(module)
        reason = self.fail_with(NO_DEVICE, "devices", "--device", "cuda", RINGWAVE_CUDA_MODULE=str(module))
        self.assertIn("0.0.0-other", reason)
        self.assertIn(self.succeed("--version").stdout.split()[1], reason)


class SecondDevice(ProgramTest):
    """A module that fits, with the CPU in disguise: what a GPU changes, seen on a machine without one."""

    def setUp(self):
        super().setUp()
        self.module = {"RINGWAVE_CUDA_MODULE": str(built_module("device"))}

    def test_is_listed_after_the_cpu(self):
        listed = json.loads(self.succeed("devices", "--json", **self.module).stdout)
        self.assertEqual([device["device"] for device in listed["devices"]], ["cpu", "cuda:0"])
        self.assertNotIn("why_no_gpu", listed)

    def test_is_found_by_both_names_and_alone(self):
        for name in ("cuda", "cuda:0"):
            listed = json.loads(self.succeed("devices", "--json", "--device", name, **self.module).stdout)
            self.assertEqual([device["device"] for device in listed["devices"]], ["cuda:0"])

    def test_one_beyond_the_last_names_the_last(self):
        reason = self.fail_with(NO_DEVICE, "devices", "--device", "cuda:2", RINGWAVE_TEST_DEVICES="2", **self.module)
        self.assertIn("cuda:1", reason)

    def test_a_window_into_its_memory_is_told(self):
        self.assertRegex(self.succeed("devices", **self.module).stdout, r"(?m)^ +the host has a window into its memory$")
        listed = json.loads(self.succeed("devices", "--json", **self.module).stdout)["devices"]
        self.assertEqual([device.get("window") for device in listed], [None, True])
        self.assertNotIn("why_no_window", listed[1])

    def test_where_there_is_no_window_the_reason_is_told(self):
        reason = {"RINGWAVE_TEST_NO_WINDOW": "the test asks for none"}
        text = self.succeed("devices", **self.module, **reason).stdout
        self.assertRegex(text, r"(?m)^ +no window into its memory: the test asks for none$")
        listed = json.loads(self.succeed("devices", "--json", "--device", "cuda", **self.module, **reason).stdout)["devices"]
        self.assertEqual([(device["window"], device["why_no_window"]) for device in listed], [(False, "the test asks for none")])

    def test_without_a_table_the_user_is_told_to_measure(self):
        self.assertRegex(self.succeed("devices", **self.module).stdout, r"(?m)^hint: .*'ringwave tune'")


def built_module(name):
    """A module that the build made for tests."""
    module = PROGRAM.parent.parent / f"lib/libtest_{name}_module.so"
    if not module.exists():
        raise unittest.SkipTest(f"{module} was not built")
    return module
