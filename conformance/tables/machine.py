# SPDX-License-Identifier: Apache-2.0
"""The facts of a run: card, driver, commit and date."""

import datetime
import os
import subprocess


def facts(root, commit=None):
    card, driver = _card()
    return {
        "card": card,
        "driver": driver,
        "commit": commit or os.environ.get("OUTBOARD_COMMIT") or _commit(root),
        "date": datetime.date.today().isoformat(),
    }


def _card():
    said = _said(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    card, _, driver = (said.splitlines() or [""])[0].partition(", ")
    return card or "no card", driver or "none"


def _commit(root):
    return _said(["git", "-C", root, "rev-parse", "--short=8", "HEAD"]) or "unknown"


def _said(words):
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
