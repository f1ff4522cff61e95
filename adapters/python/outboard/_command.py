# SPDX-License-Identifier: Apache-2.0
"""A program with a lease: ``python -m outboard lease --gpus 1 -- PROGRAM``.

The lease is the program's: it is given back when that has ended, however it ends. Signals that ask
for an end go to the program, and the status is the program's.
"""

import argparse
import signal
import subprocess
import sys
from typing import List

from . import _lease
from ._api import ApiError
from ._client import ClientError

CANNOT_BE_RUN = 126
NOT_FOUND = 127
PASSED_ON = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of all commands that ask for a lease."""
    parser.add_argument("--gpus", type=int, default=1, help="how many; 1 if not said")
    parser.add_argument("--memory", default="0", help="of each, as 20GiB; its share if not said")
    parser.add_argument("--share", type=float, default=1.0, help="how much of each, as 0.5")
    parser.add_argument("--model", default="", help="only GPUs with this in their name")
    parser.add_argument("--arch", default="", help="only GPUs of this generation")


def main(words: List[str]) -> None:
    """Runs the program that the words name, and exits as it does."""
    parser = argparse.ArgumentParser(
        prog="python -m outboard lease", description="Runs a program on leased GPUs."
    )
    add_options(parser)
    parser.add_argument("--wait", type=float, help="seconds after which the request is given up")
    parser.add_argument("program", nargs="+", metavar="-- PROGRAM [ARGUMENT]...")
    options = vars(parser.parse_args(words))
    program = options.pop("program")
    try:
        with _lease.lease(here=False, **options) as lease:
            sys.stderr.write("outboard: lease %s, %d x %s\n" % (lease.id, lease.gpus, lease.model))
            status = run(program, lease)
    except (ApiError, ClientError, _lease.LeaseLost, TimeoutError, ValueError) as error:
        sys.exit("outboard: %s" % error)
    sys.exit(status)


def run(program: List[str], lease: "_lease.Lease") -> int:
    """Starts the program and waits for its end; returns a shell's status of it."""
    numbers = [getattr(signal, name) for name in PASSED_ON]
    # A signal that comes before there is a program waits for it.
    signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        child = subprocess.Popen(
            program,
            env=lease.environment(),
            preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers),
        )
    except OSError as error:
        sys.stderr.write("outboard: %s: %s\n" % (program[0], error.strerror))
        return NOT_FOUND if isinstance(error, FileNotFoundError) else CANNOT_BE_RUN
    for number in numbers:
        signal.signal(number, lambda which, frame: child.send_signal(which))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)
    status = child.wait()
    return 128 - status if status < 0 else status
