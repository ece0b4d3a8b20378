# SPDX-License-Identifier: Apache-2.0
"""`--trace F` on every command."""
import json

from program import BAD_FILE, ProgramTest


class Trace(ProgramTest):
    def test_every_command_writes_a_trace(self):
        for command in (("devices",), ("bench", "--list"), ("tune", "--explain", "gain")):
            with self.subTest(command):
                trace = self.folder / "trace.json"
                trace.unlink(missing_ok=True)
                self.run_program(*command, "--trace", trace)
                self.assertIn("traceEvents", json.loads(trace.read_text()))

    def test_the_spans_of_an_op_are_in_it(self):
        trace = self.folder / "trace.json"
        self.succeed("bench", "gain", "--quick", "--device", "cpu", "--trace", trace)
        spans = [event for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "X"]
        self.assertIn("gain", {span["name"] for span in spans})
        self.assertTrue(all(span["dur"] >= 0 and span["ts"] >= 0 for span in spans))

    def test_a_trace_that_cannot_be_written_is_a_bad_file(self):
        place = self.folder / "absent/trace.json"
        result = self.run_program("devices", "--trace", place)
        self.assertEqual(result.returncode, BAD_FILE)
        self.assertIn(str(place), result.stderr)
