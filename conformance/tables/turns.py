# SPDX-License-Identifier: Apache-2.0
"""Which program runs when: one after the other, in each mode, and again where a ratio is odd."""

import statistics
import time

from tables.backend import MODES, NATIVE
from tables.outcome import DIFFERS, STOPPED

LEAST, MOST = 0.9, 1.1
TURNS = 3


class Budget:
    """Seconds that a whole table may take; without a number, no end."""

    def __init__(self, seconds):
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self):
        return float("inf") if self._end is None else self._end - time.monotonic()

    def spent(self):
        return self.left() <= 0


class Turns:
    """Runs cases. A case has a name, and run(mode, limit) and compare(expected, actual)."""

    def __init__(self, budget, limit):
        self._budget = budget
        self._limit = limit

    def first(self, case):
        """The row of a case after one run in each mode, or None if the budget did not reach."""
        native = self._run(case, NATIVE)
        if native is None:
            return None
        outcomes = {NATIVE: native}
        for mode in MODES[1:]:
            if native.passed():
                outcomes[mode] = self._run(case, mode)
                if outcomes[mode] is None:
                    return None
        return {"modes": {mode: self._entry(case, native, outcomes[mode]) for mode in outcomes}}

    def _entry(self, case, native, outcome):
        status, reason = outcome.status, outcome.reason
        if outcome.passed() and outcome is not native:
            why = case.compare(native.result, outcome.result)
            status, reason = (DIFFERS, why) if why else (status, reason)
        entry = {"status": status, "process": outcome.process, "turns": [outcome.seconds]}
        return entry | ({"reason": reason} if reason else {})

    def again(self, case, row):
        """Adds two more turns to a row; False if the budget did not reach."""
        for _ in range(TURNS - 1):
            took = {}
            for mode in row["modes"]:
                outcome = self._run(case, mode)
                if outcome is None:
                    return False
                if not outcome.passed():
                    row["modes"][mode] |= {"status": outcome.status, "reason": outcome.reason}
                    return True
                took[mode] = outcome.seconds
            for mode, seconds in took.items():
                row["modes"][mode]["turns"].append(seconds)
        return True

    def _run(self, case, mode):
        """An outcome; None where not the case but the budget ended it, or would not let it start."""
        left = self._budget.left()
        if left <= 0:
            return None
        outcome = case.run(mode, min(self._limit, left))
        return None if outcome.status == STOPPED and left < self._limit else outcome


def ratio(row, mode):
    """How many times native's time a mode took, the median of its turns; None if not measured."""
    native, other = (row["modes"].get(m, {}).get("turns", []) for m in (NATIVE, mode))
    pairs = [(a, b) for a, b in zip(native, other) if a and b]
    return statistics.median(b / a for a, b in pairs) if pairs else None


def untimed(row):
    """A row of a program that ran beside others, which made its times meaningless."""
    return row | {"modes": {mode: entry | {"turns": []} for mode, entry in row["modes"].items()}}


def odd(row):
    """Whether a row that passed everywhere has a ratio that more turns must confirm."""
    if any(entry["status"] != "passed" for entry in row["modes"].values()):
        return False
    found = [ratio(row, mode) for mode in MODES[1:]]
    return any(r is not None and not LEAST <= r <= MOST for r in found)
