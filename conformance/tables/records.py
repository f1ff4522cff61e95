# SPDX-License-Identifier: Apache-2.0
"""Rows in a file of JSON lines: a row is on the disk as soon as its program ended."""

import json
import os


def read(path):
    """The rows of a file, the last of each program; a line that was cut off counts as absent."""
    rows = {}
    if os.path.exists(path):
        with open(path, errors="replace") as lines:
            for line in lines:
                row = _row(line)
                if row:
                    rows[row["program"]] = row
    return rows


def _row(line):
    try:
        row = json.loads(line)
    except ValueError:
        return None
    whole = isinstance(row, dict) and isinstance(row.get("program"), str)
    return row if whole and isinstance(row.get("modes"), dict) else None


def append(path, row):
    """Adds a row on a line of its own, also after a line that was cut off."""
    with open(path, "ab+") as lines:
        end = lines.seek(0, os.SEEK_END)
        cut = False
        if end:
            lines.seek(end - 1)
            cut = lines.read(1) != b"\n"
        lines.write((b"\n" if cut else b"") + json.dumps(row).encode() + b"\n")
