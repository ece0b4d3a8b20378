# SPDX-License-Identifier: Apache-2.0
"""`ringwave ring`: kernels of other processes, the handlers there are, and the benches. No test asserts a time."""
import json
import os
import pty
import select
import signal
import subprocess
import termios
import time

from program import BAD_FILE, OK, PROGRAM, WRONG_USE, ProgramTest

SECONDS = 60  # that anything may take
NOTHING = "no running process shows a ring kernel"


class RingTest(ProgramTest):
    """A test with boards of its own."""

    def setUp(self):
        super().setUp()
        (self.folder / "runtime").mkdir(mode=0o700)
        self.boards = self.folder / "runtime/ringwave"

    def settings(self, **environment):
        return super().settings(XDG_RUNTIME_DIR=str(self.folder / "runtime"), **environment)


class Ring(RingTest):
    def test_handlers_are_named_with_where_they_run(self):
        lines = self.succeed("ring", "handlers").stdout.splitlines()
        self.assertIn("handler", lines[0])
        self.assertTrue(any(line.startswith("echo") and "cpu" in line for line in lines[1:]), lines)

    def test_every_answer_of_a_bench_is_the_right_one(self):
        results = self.folder / "ring.json"
        self.succeed("ring", "bench", "--quick", "--device", "cpu", "--json", results)
        cases = {case["name"]: case for case in json.loads(results.read_text())["cases"]}
        for name in ("round-trip", "round-trips", "stream", "priority", "enqueue", "launch", "terminate"):
            self.assertTrue(cases[f"ring_kernel/{name}/cpu"]["ok"], name)
        self.assertEqual(list(self.boards.iterdir()), [], "what it showed is gone with it")

    def test_another_action_is_wrong_use(self):
        for words in (("ring", "nonsense"), ("ring",)):
            self.assertIn("'ringwave ring --help'", self.fail_with(WRONG_USE, *words), words)
        self.assertIn("nonsense", self.fail_with(WRONG_USE, "ring", "nonsense"))
        self.assertIn("'ringwave ring list --help'", self.fail_with(WRONG_USE, "ring", "list", "--device", "cpu"))
        for options in (("--interval", "0"), ("--interval", "nan"), ("--interval", "often"), ("--count", "-1")):
            self.fail_with(WRONG_USE, "ring", "top", *options)

    def test_a_file_that_cannot_be_written_is_said_before_measuring(self):
        place = self.folder / "absent/ring.json"
        self.assertIn(str(place), self.fail_with(BAD_FILE, "ring", "bench", "--json", place))

    def test_the_user_may_show_nothing(self):
        self.succeed("ring", "bench", "--quick", "--device", "cpu", RINGWAVE_RING_BOARD="0")
        self.assertFalse(self.boards.exists())

    def test_without_kernels_one_sentence_says_so(self):
        for command in (("list",), ("top", "--count", "1"), ("top", "--count", "3", "--interval", "0.1")):
            shown = self.succeed("ring", *command)
            self.assert_sentence(shown.stdout)
            self.assertIn(NOTHING, shown.stdout)
            self.assertEqual(shown.stderr, "")
        self.assertEqual(json.loads(self.succeed("ring", "list", "--json").stdout)["kernels"], [])


class OtherProcess(RingTest):
    """What is seen of the kernels of a bench."""

    def setUp(self):
        super().setUp()
        self.bench = subprocess.Popen([str(PROGRAM), "ring", "bench", "--device", "cpu"], env=self.settings(),
                                      cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.bench.wait)
        self.addCleanup(self.bench.kill)
        self.board = self.boards / str(self.bench.pid)

    def kernels(self):
        return json.loads(self.succeed("ring", "list", "--json").stdout)["kernels"]

    def hold(self):
        """Stops the bench where it has kernels, so that what is seen of them stays; returns it."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and self.bench.poll() is None:
            self.bench.send_signal(signal.SIGSTOP)
            if (kernels := self.kernels()) and kernels[0]["processed"] > 0:
                return kernels
            self.bench.send_signal(signal.SIGCONT)
            time.sleep(0.02)
        raise AssertionError("the bench shows no kernel")

    def on_a_terminal(self, *arguments):
        """The program on a terminal of its own: its process and the terminal's other end."""
        process, terminal = pty.fork()
        if process == 0:
            os.execve(str(PROGRAM), [str(PROGRAM), *arguments], self.settings())
        self.addCleanup(os.close, terminal)
        return process, terminal

    def read_until(self, terminal, wanted):
        """What the terminal shows until this is there; to its end where `wanted` is None."""
        shown = b""
        end = time.monotonic() + SECONDS
        while wanted is None or wanted not in shown:
            if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"in vain: {wanted}, after {shown}")
            try:
                shown += os.read(terminal, 4096)
            except OSError:  # the other end is closed
                break
        return shown

    def test_list_shows_its_kernels(self):
        kernel = self.hold()[0]
        self.assertEqual((kernel["process"], kernel["program"], kernel["handler"], kernel["device"]),
                         (self.bench.pid, PROGRAM.name, "echo", "cpu"))
        self.assertIn(kernel["state"], ("created", "launched", "active", "paused", "terminating"))
        self.assertEqual((kernel["errors"], kernel["last_error"], kernel["restarts"]), (0, "", 0))
        title, row, *_ = self.succeed("ring", "list").stdout.splitlines()
        self.assertEqual(title.split(),
                         ["process", "kernel", "handler", "device", "state", "inbox", "processed", "errors"])
        for part in (f"{self.bench.pid} {PROGRAM.name}", kernel["kernel"], kernel["state"], str(kernel["processed"])):
            self.assertIn(part, row)

    def test_top_writes_rows_where_there_is_no_terminal(self):
        kernels = self.hold()
        lines = self.succeed("ring", "top", "--count", "3", "--interval", "0.1").stdout.splitlines()
        self.assertIn("msg/s", lines[0])
        self.assertEqual(len(lines), 1 + 3 * len(kernels))
        self.assertTrue(all(line.startswith(f"{self.bench.pid} ") for line in lines[1:]), lines)
        self.assertNotIn("\033", "".join(lines))

    def test_top_tells_how_many_messages_a_second_until_ctrl_c(self):
        with subprocess.Popen([str(PROGRAM), "ring", "top", "--interval", "0.1", "--count", str(10 * SECONDS)],
                              env=self.settings(), stdout=subprocess.PIPE, text=True) as top:
            self.addCleanup(top.kill)
            for line in top.stdout:
                row = line.split()
                if row[0] == str(self.bench.pid) and row[row.index("cpu") + 2] not in ("-", "0"):
                    break
            else:
                self.fail("the bench handled no message")
            top.send_signal(signal.SIGINT)
            top.stdout.read()
            self.assertEqual(top.wait(timeout=SECONDS), OK)

    def test_top_fills_a_terminal_until_q_or_ctrl_c(self):
        self.hold()
        for key in (b"q", b"\x03"):
            process, terminal = self.on_a_terminal("ring", "top", "--interval", "0.1")
            shown = self.read_until(terminal, f"{self.bench.pid} ".encode())
            self.assertIn(b"\033[H\033[2J", shown)
            self.assertFalse(termios.tcgetattr(terminal)[3] & termios.ECHO, "keys are not shown")
            os.write(terminal, key)
            self.read_until(terminal, None)
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), OK)
            self.assertTrue(termios.tcgetattr(terminal)[3] & termios.ECHO, "the terminal is as it was")

    def test_what_a_killed_one_left_is_removed(self):
        self.hold()
        self.bench.kill()
        self.bench.wait()
        self.assertTrue(self.board.exists())
        self.assertIn(NOTHING, self.succeed("ring", "list").stdout)
        self.assertFalse(self.board.exists())

    def test_a_torn_board_is_named_and_passed_over(self):
        self.hold()
        whole = self.board.read_bytes()
        for content, fault in ((whole[:-1], "torn"), (whole[:40], "no board"), (b"", "no board"),
                               (b"x" * len(whole), "no board"), (whole[:8] + b"\xff" + whole[9:], "another version"),
                               (whole + bytes(2 << 20), "more than")):
            self.board.write_bytes(content)
            for command in ("list", "top"):
                shown = self.succeed("ring", command, *(("--count", "2", "--interval", "0.1") if command == "top" else ()))
                self.assert_sentence(shown.stderr)
                self.assertIn(str(self.board), shown.stderr)
                self.assertIn(fault, shown.stderr)
                self.assertIn(NOTHING, shown.stdout)

    def test_a_name_cannot_steer_the_terminal(self):
        name = self.hold()[0]["kernel"].encode()
        self.board.write_bytes(self.board.read_bytes().replace(name, b"\033[2J\xff\xc2"[:len(name)]))
        for command in (("list",), ("top", "--count", "1")):
            shown = subprocess.run([str(PROGRAM), "ring", *command], env=self.settings(), capture_output=True, check=True)
            self.assertIn(b"?[2J", shown.stdout)
            self.assertNotIn(b"\033", shown.stdout)
        self.assertTrue(self.kernels()[0]["kernel"].startswith("\033[2J"))

    def test_a_folder_that_others_may_enter_is_refused(self):
        self.hold()
        self.boards.chmod(0o755)
        for command in ("list", "top"):
            told = self.fail_with(BAD_FILE, "ring", command)
            self.assertIn(str(self.boards), told)
            self.assertIn("nobody else", told)
