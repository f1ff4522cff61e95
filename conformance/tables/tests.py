# SPDX-License-Identifier: Apache-2.0
"""Tests of the tables, run by TablesTest: python3 -B -m unittest tables.tests"""

import json
import os
import tempfile
import unittest

from tables import compare, document, records, turns
from tables.outcome import FAILED, PASSED, STOPPED, Outcome
from tables.turns import Budget, Turns


class Scripted:
    """A case whose outcomes are given, by mode."""

    def __init__(self, **outcomes):
        self.outcomes = {mode: list(found) for mode, found in outcomes.items()}
        self.ran = []

    def run(self, mode, limit):
        self.ran.append(mode)
        return self.outcomes[mode].pop(0)

    def compare(self, expected, actual):
        return compare.numbers(expected, actual, 0.01)


def passed(seconds, result=(1.0,)):
    return Outcome(PASSED, list(result), seconds, seconds + 1)


def row(name, native=1.0, shm=1.0, status="passed", reason=None):
    modes = {"native": {"status": "passed", "turns": [native]}, "shm": {"status": status, "turns": [shm]}}
    if reason:
        modes["shm"]["reason"] = reason
    facts = {"card": "Card", "driver": "1", "commit": "abc", "date": "2026-01-01"}
    return {"program": name, "modes": modes | {"tcp": {"status": "passed", "turns": [shm]}}, **facts}


class CompareTest(unittest.TestCase):
    def test_numbers_agree_within_the_tolerance(self):
        self.assertIsNone(compare.numbers([100.0, 0.0], [100.5, 0.005], 0.01))
        self.assertIn("102.0", compare.numbers([100.0], [102.0], 0.01))
        self.assertIn("1 numbers", compare.numbers([1.0, 2.0], [1.0], 0.01))

    def test_nothing_equals_not_a_number(self):
        self.assertIsNotNone(compare.numbers([float("nan")], [float("nan")], 1.0))

    def test_lines_about_time_are_left_out(self):
        one = "Average kernel execution time: 3.5 (us)\nchecksum 1.0000\nPASS\n12 GB/s\n"
        other = "Average kernel execution time: 4.1 (us)\nchecksum 1.0001\nPASS\n9 GB/s\n"
        self.assertIsNone(compare.texts(one, other, 1e-3))
        self.assertIsNotNone(compare.texts(one, other.replace("PASS", "FAIL"), 1e-3))
        self.assertIsNotNone(compare.texts(one, other.replace("1.0001", "1.1"), 1e-3))
        self.assertIsNotNone(compare.texts(one, "PASS\n", 1e-3))

    def test_iterations_and_generated_values_are_compared(self):
        self.assertIsNotNone(compare.texts("generated 3 after 5 iterations", "generated 4 after 5 iterations", 0))

    def test_times_are_summed_in_seconds(self):
        self.assertAlmostEqual(0.0035, compare.stated_seconds("a: 3 ms\nb (us): 500\nsum 7"))
        self.assertIsNone(compare.stated_seconds("sum 7"))


class TurnsTest(unittest.TestCase):
    def test_other_modes_are_not_run_where_native_fails(self):
        case = Scripted(native=[Outcome(FAILED, reason="why")])
        made = Turns(Budget(None), 60).first(case)
        self.assertEqual(["native"], case.ran)
        self.assertEqual("why", made["modes"]["native"]["reason"])

    def test_other_numbers_are_no_pass(self):
        case = Scripted(native=[passed(1)], shm=[passed(1, [2.0])], tcp=[passed(1)])
        made = Turns(Budget(None), 60).first(case)
        self.assertEqual(["passed", "differs", "passed"], [entry["status"] for entry in made["modes"].values()])

    def test_an_odd_ratio_gets_three_turns_of_which_the_median_counts(self):
        case = Scripted(
            native=[passed(1), passed(1), passed(1)], shm=[passed(5), passed(1), passed(1.2)], tcp=[passed(1), passed(1), passed(1)]
        )
        order = Turns(Budget(None), 60)
        made = order.first(case)
        self.assertTrue(turns.odd(made))
        self.assertTrue(order.again(case, made))
        self.assertEqual(1.2, turns.ratio(made, "shm"))
        self.assertEqual(["native", "shm", "tcp"] * 3, case.ran)

    def test_a_program_beside_others_has_no_ratio(self):
        case = Scripted(native=[passed(1)], shm=[passed(5)], tcp=[passed(1)])
        made = turns.untimed(Turns(Budget(None), 60).first(case))
        self.assertIsNone(turns.ratio(made, "shm"))
        self.assertFalse(turns.odd(made))

    def test_a_program_that_the_budget_stops_has_no_row(self):
        case = Scripted(native=[passed(1)], shm=[Outcome(STOPPED)])
        self.assertIsNone(Turns(Budget(5), 60).first(case))
        self.assertIsNone(Turns(Budget(0), 60).first(case))
        self.assertIsNotNone(Turns(Budget(None), 60).first(Scripted(native=[Outcome(STOPPED)])))


class RecordsTest(unittest.TestCase):
    def test_a_line_that_was_cut_off_costs_only_its_row(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows")
            records.append(path, row("a"))
            with open(path, "a") as lines:
                lines.write('{"program": "b", "mo')
            records.append(path, row("c"))
            self.assertEqual(["a", "c"], sorted(records.read(path)))
            with open(path, "a") as lines:
                lines.write(json.dumps({"program": "d"}) + "\n[]\n")
            self.assertEqual(["a", "c"], sorted(records.read(path)))


class DocumentTest(unittest.TestCase):
    def test_rows_accumulate_and_a_later_one_replaces(self):
        text = document.merged("", "# Head\n\nText.\n", {"a": row("a"), "b": row("b")}, {})
        text = document.merged(text, "unused", {"b": row("b", shm=2.0), "c": row("c")}, {})
        self.assertTrue(text.startswith("# Head\n\nText.\n"))
        self.assertEqual(1, text.count("| b |"))
        self.assertIn("| b | passed | passed | passed | 2.00 | 2.00 | Card | abc | 2026-01-01 |", text)
        self.assertIn("| a | passed |", text)
        self.assertIn("3 programs, of which 3 pass natively", text)
        self.assertEqual(text, document.merged(text, "unused", {}, {}))

    def test_what_a_person_wrote_around_the_rows_stays(self):
        text = document.merged("", "# Head\n", {"a": row("a")}, {}).replace("# Head", "# Head\n\nBefore.") + "\nAfter.\n"
        text = document.merged(text, "unused", {"b": row("b")}, {})
        self.assertIn("Before.", text)
        self.assertTrue(text.endswith("\nAfter.\n"))

    def test_a_failure_has_its_reason_or_the_one_that_a_person_wrote(self):
        rows = {"a": row("a", status="failed", reason="x | y\nz"), "b": row("b", status="failed", reason="q")}
        text = document.merged("", "# Head\n", rows, {"b": "profilers cannot attach"})
        self.assertIn("| x \\| y z |", text)
        self.assertIn("| profilers cannot attach |", text)
        self.assertNotIn("| q |", text)
        again = document.merged(text, "", {}, {})
        self.assertEqual(text, again)
        self.assertIn("0 of them pass over shm", again)

    def test_reasons_are_lines_of_a_program_and_a_colon(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "reasons.txt")
            with open(path, "w") as lines:
                lines.write("# torch/x: no\ntorch/y: a reason: long\n\n")
            self.assertEqual({"torch/y": "a reason: long"}, document.read_reasons(path))
        self.assertEqual({}, document.read_reasons(path))


if __name__ == "__main__":
    unittest.main()
