# SPDX-License-Identifier: Apache-2.0
"""`ringwave bench`: what it lists, measures, keeps and compares. No test asserts a time."""
import json

from program import BAD_FILE, CHECK_FAILED, WRONG_USE, ProgramTest


class Bench(ProgramTest):
    def test_list_names_both_ops(self):
        text = self.succeed("bench", "--list").stdout
        for word in ("gain", "biquad"):
            self.assertIn(word, text)

    def test_a_filter_that_matches_nothing_is_wrong_use(self):
        self.assertIn("nonsense", self.fail_with(WRONG_USE, "bench", "nonsense"))

    def test_a_threshold_that_is_no_number_is_wrong_use(self):
        result = self.run_program("bench", "gain", "--threshold", "much")
        self.assertEqual(result.returncode, WRONG_USE)

    def test_a_file_that_cannot_be_written_is_said_before_measuring(self):
        place = self.folder / "absent/results.json"
        self.assertIn(str(place), self.fail_with(BAD_FILE, "bench", "gain", "--json", place))

    def test_a_comparison_with_nothing_is_a_bad_file(self):
        absent = self.folder / "absent.json"
        self.assertIn(str(absent), self.fail_with(BAD_FILE, "bench", "gain", "--compare", absent))

    def test_a_comparison_with_a_torn_file_is_a_bad_file(self):
        torn = self.folder / "torn.json"
        torn.write_text('{"machine": {')
        self.assertIn(str(torn), self.fail_with(BAD_FILE, "bench", "gain", "--compare", torn))


class Peers(ProgramTest):
    def test_round_trips_to_a_gpu_stand_beside_a_bare_mailbox(self):
        results = self.folder / "results.json"
        self.succeed("bench", "ring_kernel/round-trip/", "--quick", "--json", results)
        for case in json.loads(results.read_text())["cases"]:
            with self.subTest(case["name"]):
                self.assertTrue(case["ok"], case)
                names = [] if case["device"] == "cpu" else ["bare mailbox, a word each way"]
                self.assertEqual([peer["name"] for peer in case["peers"] if peer["ok"]], names, case["notes"])


class Comparison(ProgramTest):
    """Results are kept, compare well with themselves, and a slowed op is found."""

    def test_from_measuring_to_finding_a_regression(self):
        results = self.folder / "results.json"
        self.succeed("bench", "gain", "--quick", "--device", "cpu", "--json", results)
        kept = json.loads(results.read_text())
        self.assertGreater(len(kept["cases"]), 0)
        for case in kept["cases"]:
            self.assertTrue(case["ok"], case)
            self.assertLessEqual(case["median_ns"], case["max_ns"])
            self.assertGreaterEqual(case["samples"], 5)

        compared = self.succeed("bench", "gain", "--quick", "--device", "cpu", "--compare", results, "--threshold", "300")
        self.assertIn(kept["cases"][0]["name"], compared.stdout)

        slowed = self.run_program("bench", "gain", "--quick", "--device", "cpu", "--compare", results, "--threshold", "300",
                                  RINGWAVE_BENCH_SLOW="gain:20")
        self.assertEqual(slowed.returncode, CHECK_FAILED, slowed.stdout + slowed.stderr)
