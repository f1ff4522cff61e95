# SPDX-License-Identifier: Apache-2.0
"""How the scripts here end: with one line that says what ran, or why it did not; who fails shows its trace and a status."""

import os
import sys

# JAX would take most of the device's memory, and NVLink's multicast can take a shared server out of
# service.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("NCCL_NVLS_ENABLE", "0")


class NotHere(Exception):
    """This machine has not what the check needs."""


def near(actual, expected, tolerance=1e-4):
    """Fails unless two numbers agree but for rounding."""
    actual, expected = float(actual), float(expected)
    if not abs(actual - expected) <= tolerance * max(1.0, abs(expected)):
        raise AssertionError(f"{actual} where {expected} was expected")


def run(check):
    try:
        check()
        print("ok")
    except ModuleNotFoundError as error:
        print(f"not installed: {error.name}")
    except NotHere as error:
        print(f"not run: {error}")
    sys.stdout.flush()
