# SPDX-License-Identifier: Apache-2.0
"""`ringwave tune` and the routing table that it leaves."""
import json
import os
import signal
import subprocess

from program import BAD_FILE, PROGRAM, ROOT, WRONG_USE, ProgramTest

FOREIGN = {"format": "ringwave routing table", "machine": "another machine", "measurements": []}


class Tune(ProgramTest):
    """One tuning serves every test: it takes a while."""

    @classmethod
    def setUpClass(cls):
        cls.tuned = None

    def setUp(self):
        super().setUp()
        if type(self).tuned is None:
            self.succeed("tune", "--device", "cpu")
            type(self).tuned = self.routing_table.read_bytes()
        else:
            self.write_routing_table(type(self).tuned)

    def test_leaves_a_whole_table_and_nothing_else(self):
        table = json.loads(self.routing_table.read_text())
        self.assertEqual({row["op"] for row in table["measurements"]} & {"gain", "biquad"}, {"gain", "biquad"})
        self.assertTrue(all(row["seconds"] > 0 for row in table["measurements"]))
        self.assertEqual([path.name for path in self.routing_table.parent.iterdir()], ["routing.json"])

    def test_measures_every_way_of_what_is_live(self):
        measured = {}
        for row in json.loads(self.routing_table.read_text())["measurements"]:
            measured.setdefault(row["op"], set()).add((row["batch"], row["size"]))
        for processor, batches in (("live_biquad", (2,)), ("live_convolver", (2,)), ("live_stations", (1, 10))):
            for way in ("ring", "graph", "launch"):
                self.assertEqual(measured.get(f"{processor}/{way}"),
                                 {(batch, size) for batch in batches for size in (16, 64, 128, 480)}, f"{processor}/{way}")
        self.assertIn("stations", self.succeed("tune", "--explain", "live_stations/ring").stdout)

    def test_explain_prints_the_measured_curves(self):
        text = self.succeed("tune", "--explain", "biquad").stdout
        rows = [row for row in json.loads(self.routing_table.read_text())["measurements"] if row["op"] == "biquad"]
        for size in {row["size"] for row in rows}:
            self.assertRegex(text, rf"\b{size}\b")
        self.assertIn("cpu", text)

    def test_a_table_that_cannot_be_written_leaves_the_old_one(self):
        blocked = self.folder / "file"
        blocked.write_text("in the way")
        result = self.run_program("tune", "--device", "cpu", XDG_CACHE_HOME=str(blocked))
        self.assertEqual(result.returncode, BAD_FILE, result.stderr)
        self.assertIn(str(blocked), result.stderr)
        self.assertEqual(blocked.read_text(), "in the way")


class Ended(ProgramTest):
    """A tuning that does not come to its end keeps what it measured."""

    def tune_a_little(self):
        """However slow the machine is, the first points that it has time for; what it said."""
        for budget in (1, 2, 4, 8, 16, 32, 64):
            said = self.succeed("tune", "--device", "cpu", "--budget", budget).stdout
            if "nothing was measured" not in said:
                self.assertIn(f"the budget of {budget} s is over", said)
                return said
        raise AssertionError(said)

    def points(self):
        if not self.routing_table.exists():
            return set()
        return {(row["op"], row["batch"], row["size"]) for row in json.loads(self.routing_table.read_text())["measurements"]}

    def start(self):
        """In a pipe, and past its first line of progress."""
        program = subprocess.Popen([PROGRAM, "tune", "--device", "cpu"], env=self.settings(), cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(program.kill)
        self.assertRegex(program.stderr.readline(), r"^measuring \S+: 1 of \d+ points, about \d+:\d\d:\d\d left$")
        return program

    def test_a_pipe_sees_that_it_goes_on(self):
        program = self.start()
        self.assertRegex(program.stderr.readline(), r"^measuring \S+: \d+ of \d+ points")
        program.terminate()
        program.communicate(timeout=60)

    def test_a_signal_keeps_what_was_measured(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                self.routing_table.unlink(missing_ok=True)
                program = self.start()
                program.send_signal(number)
                stdout, stderr = program.communicate(timeout=60)
                self.assertEqual((program.returncode, stdout), (128 + number, ""))
                said = stderr.splitlines()[-1]
                self.assertRegex(said, r"stopped by a signal: \d+ of \d+ points were measured and are kept in ")
                self.assertEqual(int(said.split(": ")[2].split()[0]), len(self.points()))
                self.assertEqual([path.name for path in self.routing_table.parent.iterdir()], ["routing.json"])

    def test_a_budget_ends_it_well_and_the_next_goes_on_with_the_rest(self):
        for _ in range(2):
            before = self.points()
            self.assertRegex(self.tune_a_little(), r"points were measured and are kept in .*another 'ringwave tune' goes on")
            self.assertLess(before, self.points())
        self.fail_with(WRONG_USE, "tune", "--budget", "0")
        self.fail_with(WRONG_USE, "tune", "--budget", "nan")

    def test_what_other_devices_took_stays(self):
        self.tune_a_little()
        table = json.loads(self.routing_table.read_text())
        other = {"op": "gain", "device": "cuda:9", "size": 64, "batch": 1, "seconds": 0.5}
        table["measurements"].append(other)
        self.write_routing_table(json.dumps(table))
        self.tune_a_little()
        self.assertIn(other, json.loads(self.routing_table.read_text())["measurements"])

    def test_a_pipe_as_its_table_is_refused_and_not_waited_for(self):
        os.mkfifo(self.folder / "pipe")
        self.assertIn("pipe", self.fail_with(BAD_FILE, "tune", "--table", self.folder / "pipe"))
        self.assertIn("pipe", self.fail_with(BAD_FILE, "tune", "--explain", "gain", "--table", self.folder / "pipe"))


class Explain(ProgramTest):
    def test_unknown_op_is_wrong_use_and_names_those_there_are(self):
        sentence = self.fail_with(WRONG_USE, "tune", "--explain", "nonsense")
        for word in ("nonsense", "gain", "biquad"):
            self.assertIn(word, sentence)

    def test_without_a_table_says_what_to_do(self):
        self.assertIn("'ringwave tune'", self.fail_with(BAD_FILE, "tune", "--explain", "gain"))


class BadTables(ProgramTest):
    """A table that is torn or foreign is not used, and one sentence says so."""

    def version(self):
        return (ROOT / "CMakeLists.txt").read_text().split("VERSION ", 2)[2].split()[0]

    def assert_refused(self, text, word):
        self.write_routing_table(text)
        written = self.routing_table.read_bytes()
        sentence = self.fail_with(BAD_FILE, "tune", "--explain", "gain")
        hints = [line for line in self.succeed("devices").stdout.splitlines() if line.startswith("hint:")]
        self.assertEqual(len(hints), 1, hints)
        for text in (sentence, hints[0]):
            self.assertIn(str(self.routing_table), text)
            self.assertIn(word, text)
        self.assertEqual(self.routing_table.read_bytes(), written, "the file is left as it was")

    def test_torn(self):
        self.assert_refused('{"format": "ringwave routing table", "vers', "whole JSON")

    def test_empty(self):
        self.assert_refused("", "whole JSON")

    def test_bytes_that_are_no_text(self):
        self.assert_refused(bytes(range(256)), "whole JSON")

    def test_another_format(self):
        self.assert_refused('{"format": "shopping list"}', "not a routing table")

    def test_another_version(self):
        self.assert_refused(json.dumps({**FOREIGN, "version": "0.0.1"}), "0.0.1")

    def test_another_machine(self):
        self.assert_refused(json.dumps({**FOREIGN, "version": self.version()}), "another machine")

    def test_a_value_out_of_range(self):
        row = {"op": "gain", "device": "cpu", "size": -1, "batch": 1, "seconds": 1}
        self.assert_refused(json.dumps({**FOREIGN, "version": self.version(), "measurements": [row]}), "size")

