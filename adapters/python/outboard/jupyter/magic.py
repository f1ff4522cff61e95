# SPDX-License-Identifier: Apache-2.0
"""``%gpu`` in a notebook: what the kernel has leased, and for how long."""

import os
from typing import Any

from .. import _lease
from .._api import ApiError, seconds_left


def load_ipython_extension(shell: Any) -> None:
    shell.register_magic_function(gpu, "line", "gpu")


def gpu(line: str) -> None:
    """Tells which GPUs this kernel has, and until when."""
    print(status())


def status() -> str:
    number = os.environ.get("OUTBOARD_LEASE")
    if not number:
        return "this kernel has no lease"
    try:
        found = _lease.server().find(number)
    except (ApiError, ValueError) as error:
        return "lease %s: %s" % (number, error)
    memory = int(found["memory"])
    parts = [
        "lease %s is %s" % (number, found["state"]),
        "%d x %s" % (found["gpus"], found["model"]),
        "memory %.1f GiB each" % (memory / (1 << 30)) if memory else "memory by share",
        "share %g" % found["share"],
        "%d s left, renewed while the kernel runs" % max(0, seconds_left(found) or 0),
    ]
    return ", ".join(parts)
