# SPDX-License-Identifier: Apache-2.0
"""`ringwave ring`: the handlers there are, and the benches of ring kernels. No test asserts a time."""
import json

from program import BAD_FILE, WRONG_USE, ProgramTest


class Ring(ProgramTest):
    def test_list_names_the_handlers_and_where_they_run(self):
        lines = self.succeed("ring", "list").stdout.splitlines()
        self.assertIn("handler", lines[0])
        self.assertTrue(any(line.startswith("echo") and "cpu" in line for line in lines[1:]), lines)

    def test_every_answer_of_a_bench_is_the_right_one(self):
        results = self.folder / "ring.json"
        self.succeed("ring", "bench", "--quick", "--device", "cpu", "--json", results)
        cases = {case["name"]: case for case in json.loads(results.read_text())["cases"]}
        for name in ("round-trip", "round-trips", "stream", "priority", "enqueue", "launch", "terminate"):
            self.assertTrue(cases[f"ring_kernel/{name}/cpu"]["ok"], name)

    def test_another_action_is_wrong_use(self):
        self.assertIn("nonsense", self.fail_with(WRONG_USE, "ring", "nonsense"))
        self.assertEqual(self.run_program("ring").returncode, WRONG_USE)

    def test_a_file_that_cannot_be_written_is_said_before_measuring(self):
        place = self.folder / "absent/ring.json"
        self.assertIn(str(place), self.fail_with(BAD_FILE, "ring", "bench", "--json", place))
