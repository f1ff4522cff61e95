# SPDX-License-Identifier: Apache-2.0
"""The Markdown table of rows, and its copy in a document, where rows of several runs accumulate."""

import math
import os
import re

from tables.backend import MODES, NATIVE
from tables.turns import ratio

HEAD = ["program", "natively", "shm", "TCP", "shm / native", "TCP / native", "card", "commit", "date", "reason"]
_BEGIN, _END = "<!-- rows: written by 'run merge' -->", "<!-- end of rows -->"


def read_reasons(path):
    """Reasons that a person wrote, 'PROGRAM: reason' a line; '#' begins a comment."""
    reasons = {}
    if os.path.exists(path):
        with open(path) as lines:
            for line in lines:
                name, colon, reason = line.partition(": ")
                if colon and not line.startswith("#"):
                    reasons[name.strip()] = reason.strip()
    return reasons


def table(rows, reasons):
    """A table of the rows, sorted by their program."""
    lines = [_line(HEAD), _line(["---"] * len(HEAD))]
    return "\n".join(lines + [_line(_cells(rows[name], reasons)) for name in sorted(rows)]) + "\n"


def summary(rows):
    """How many pass, and the geometric mean of the ratios."""
    native = [row for row in rows.values() if _status(row, NATIVE) == "passed"]
    absent = sum(_status(row, NATIVE) == "absent" for row in rows.values())
    parts = [f"{len(rows)} programs: {len(native)} pass natively, {absent} are not installed"]
    for mode in MODES[1:]:
        passed = [row for row in native if _status(row, mode) == "passed"]
        ratios = [r for r in (ratio(row, mode) for row in passed) if r]
        part = f"over {mode} {len(passed)} of the {len(native)} pass"
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            part += f", and the geometric mean of {len(ratios)} ratios is {mean:.3f}"
        parts.append(part)
    return "; ".join(parts) + ".\n"


def merged(document, head, rows, reasons):
    """The document with the rows in it: a row replaces an earlier one of the same program."""
    old = _rows_of(document)
    new = {name: _line(_cells(rows[name], reasons)) for name in rows}
    all_rows = old | new
    body = [_line(HEAD), _line(["---"] * len(HEAD)), *(all_rows[name] for name in sorted(all_rows))]
    text = f"{_BEGIN}\n\n{_counts(all_rows)}\n\n" + "\n".join(body) + f"\n\n{_END}"
    if _BEGIN in document and _END in document:
        before, rest = document.split(_BEGIN, 1)
        return before + text + rest.split(_END, 1)[1]
    return (document or head).rstrip("\n") + "\n\n" + text + "\n"


def _rows_of(document):
    if _BEGIN not in document or _END not in document:
        return {}
    lines = document.split(_BEGIN, 1)[1].split(_END, 1)[0].splitlines()
    rows = [line for line in lines if line.startswith("| ")][2:]
    return {re.split(r"(?<!\\)\|", line)[1].strip(): line for line in rows}


def _counts(lines):
    """What the document's own lines say, as rows of earlier runs are only there."""
    cells = [[c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines.values()]
    native = [row for row in cells if row[1] == "passed"]
    parts = [f"{len(cells)} programs, of which {len(native)} pass natively"]
    for name, status, at in (("shm", 2, 4), ("TCP", 3, 5)):
        passed = [row for row in native if row[status] == "passed"]
        ratios = [float(row[at].split()[0]) for row in passed if row[at] not in ("", "-")]
        part = f"{len(passed)} of them pass over {name}"
        if ratios:
            mean = math.exp(sum(math.log(max(r, 0.01)) for r in ratios) / len(ratios))
            part += f" (geometric mean of the ratios {mean:.3f})"
        parts.append(part)
    return ", ".join(parts) + "."


def _status(row, mode):
    return row["modes"].get(mode, {}).get("status", "not run")


def _cells(row, reasons):
    states = [_status(row, mode) for mode in MODES]
    ratios = [_ratio_cell(row, mode) for mode in MODES[1:]]
    return [row["program"], *states, *ratios, *(row.get(f, "") for f in ("card", "commit", "date")), _reason(row, reasons)]


def _ratio_cell(row, mode):
    found = ratio(row, mode) if _status(row, mode) == "passed" else None
    turns = len(row["modes"].get(mode, {}).get("turns", []))
    return "-" if found is None else f"{found:.2f}" + (f" of {turns}" if turns > 1 else "")


def _reason(row, reasons):
    if row["program"] in reasons:
        return reasons[row["program"]]
    for mode in MODES:
        if row["modes"].get(mode, {}).get("reason"):
            return row["modes"][mode]["reason"]
    return ""


def _line(cells):
    return "| " + " | ".join(" ".join(str(c).split()).replace("|", "\\|") for c in cells) + " |"
