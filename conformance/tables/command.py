# SPDX-License-Identifier: Apache-2.0
"""The options that the launchers share, and how a run of a table goes."""

import argparse
import concurrent.futures
import fnmatch
import os
import sys
import threading

from tables import document, machine, records, turns
from tables.backend import MODES, Backend
from tables.turns import Budget, Turns


def parser(description, name):
    made = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--list", action="store_true", help="print the names of the programs")
    made.add_argument("--only", action="append", metavar="PATTERN", help="programs to run, as 'torch_*'")
    made.add_argument("--skip", action="append", default=[], metavar="PATTERN", help="programs to leave out")
    made.add_argument("--budget", type=float, metavar="SECONDS", help="end in time, and say what was not run")
    made.add_argument("--limit", type=float, default=60, metavar="SECONDS", help="of one run (default 60)")
    made.add_argument("--out", metavar="FOLDER", help="where results go (default $OUT, else the current folder)")
    made.add_argument("--device", default="nvidia", help="what the backend serves (default nvidia)")
    made.add_argument("--reference", metavar="URI", help="a backend in the place of the native driver")
    made.add_argument("--outboard", metavar="PROGRAM", help="the outboard command (default: of these sources)")
    made.add_argument("--commit", help="the commit of what runs (default: of these sources)")
    made.add_argument("--once", action="store_true", help="no more turns for programs with an odd ratio")
    made.add_argument(
        "--merge",
        nargs="+",
        metavar="JSONL",
        help=f"run nothing: fold results into docs/conformance/{name}.md, failures with their reasons, "
        "or with those in reasons.txt",
    )
    return made


def wanted(names, options):
    only = options.only or ["*"]
    return [
        name
        for name in names
        if any(fnmatch.fnmatch(name, pattern) for pattern in only)
        and not any(fnmatch.fnmatch(name, pattern) for pattern in options.skip)
    ]


class Table:
    """A table's files: NAME.jsonl (rows), NAME.md (the table) and NAME.stderr (ends of failures)."""

    def __init__(self, name, root, options):
        self.name = name
        self.root = root
        self.options = options
        self.here = os.path.join(root, "conformance", name)
        self.outboard = options.outboard or os.path.join(root, "outboard")
        self.folder = options.out or os.environ.get("OUT") or "."
        self._writing = threading.Lock()

    def path(self, ending):
        os.makedirs(self.folder, exist_ok=True)
        return os.path.join(self.folder, f"{self.name}.{ending}")

    def reasons(self):
        return document.read_reasons(os.path.join(self.here, "reasons.txt"))

    def merge(self, head):
        """Folds rows into the document of this table."""
        path = os.path.join(self.options.out or os.path.join(self.root, "docs", "conformance"), f"{self.name}.md")
        rows = {}
        for file in self.options.merge:
            if not os.path.exists(file):
                raise SystemExit(f"{self.name}: no such file: {file}")
            rows |= records.read(file)
        old = ""
        if os.path.exists(path):
            with open(path) as lines:
                old = lines.read()
        with open(path, "w") as lines:
            lines.write(document.merged(old, head, rows, self.reasons()))
        print(f"{path}: {len(rows)} rows")

    def run(self, names, cases, at_once=1):
        """Runs the programs that have no row yet; cases(backend) makes them, by name, and closes.
        Where several run at once, none is timed."""
        budget = Budget(self.options.budget)
        rows = records.read(self.path("jsonl"))
        facts = machine.facts(self.root, self.options.commit)
        backend = Backend(self.outboard, self.options.device, self.options.reference)
        try:
            with cases(backend) as made:
                missing = self._rows(names, made, budget, rows, facts, at_once)
                odd = self._odd(names, made, budget, rows)
        finally:
            with open(self.path("backend.log"), "w") as log:
                log.write(backend.said()[-200_000:])
            backend.close()
        return self._end(rows, missing, odd, facts)

    def _rows(self, names, made, budget, rows, facts, at_once):
        """The names that the budget left."""
        order = Turns(budget, self.options.limit)

        def first(name):
            row = None if budget.spent() else order.first(made[name])
            if row is None:
                return False
            rows[name] = {"program": name, **facts, **(row if at_once == 1 else turns.untimed(row))}
            self._keep(rows[name])
            return True

        wanted_ones = [name for name in names if name not in rows]
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            return [name for name, ran in zip(wanted_ones, pool.map(first, wanted_ones)) if not ran]

    def _odd(self, names, made, budget, rows):
        """More turns for the programs whose ratio is odd; the names that the budget left."""
        left = []
        order = Turns(budget, self.options.limit)
        for name in names:
            row = rows.get(name)
            if self.options.once or row is None or not turns.odd(row) or len(_turns(row)) > 1:
                continue
            if order.again(made[name], row):
                self._keep(row)
            else:
                left.append(name)
        return left

    def _keep(self, row):
        states = (row["modes"].get(mode, {}).get("status", "-") for mode in MODES)
        found = (turns.ratio(row, mode) for mode in MODES[1:])
        with self._writing:
            records.append(self.path("jsonl"), row)
            print(row["program"], *states, *("-" if r is None else f"{r:.2f}" for r in found), flush=True)

    def _end(self, rows, missing, odd, facts):
        said = document.summary(rows)
        if missing:
            said += f"\nNot run, as the budget ended: {', '.join(missing)}.\n"
        if odd:
            said += f"\nTo be run three times, as their ratio is odd: {', '.join(odd)}.\n"
        with open(self.path("md"), "w") as lines:
            lines.write(
                f"{facts['card']}, driver {facts['driver']}, commit {facts['commit']}, {facts['date']}\n\n"
                f"{said}\n{document.table(rows, self.reasons())}"
            )
        print(said, flush=True)
        return 3 if missing else 0


def _turns(row):
    return row["modes"]["native"]["turns"]


def keep_end(path, name, mode, text):
    """Adds the end of what a failed program said on standard error."""
    with open(path, "a") as lines:
        lines.write(f"== {name} {mode}\n{text[-2500:]}\n")


def main(run):
    try:
        sys.exit(run())
    except KeyboardInterrupt:
        sys.exit(130)
