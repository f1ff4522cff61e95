# SPDX-License-Identifier: Apache-2.0
"""Runs programs that were built, and compares what they print."""

import os
import signal
import subprocess
import tempfile
import time

from tables import compare
from tables.backend import NATIVE
from tables.command import keep_end
from tables.outcome import FAILED, PASSED, STOPPED, Outcome, last_line

MOST_OUTPUT = 4 << 20
# A program that ends sooner has made no context, as where its data are missing.
LEAST_SECONDS = 0.05


class Programs:
    """The cases by their name, for a 'with' statement."""

    def __init__(self, backend, sources, built, tolerance, errors):
        self._cases = {
            name: Case(backend, name, source, os.path.join(os.path.abspath(built), name, "main"), tolerance, errors)
            for name, source in sources.items()
        }

    def __enter__(self):
        return self._cases

    def __exit__(self, *_):
        pass


class Case:
    def __init__(self, backend, name, source, program, tolerance, errors):
        self.name = name
        self._backend = backend
        self._source = source
        self._program = program
        self._tolerance = tolerance
        self._errors = errors
        self._limit = 0
        self._steady = None

    def run(self, mode, limit):
        """In the folder of the source, as some read files that lie there."""
        self._limit = limit
        words, environment = self._backend.command(mode, [self._program, *self._source.arguments()])
        begin = time.perf_counter()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            status = _status(words, environment, self._source.folder, out, err, limit)
            seconds = time.perf_counter() - begin
            return self._outcome(mode, status, seconds, _text(out), _text(err))

    def _outcome(self, mode, status, seconds, out, err):
        if status == 0:
            return Outcome(PASSED, out, _measured(out, seconds), seconds)
        keep_end(self._errors, self.name, mode, err or out)
        if status is None:
            return Outcome(STOPPED, process=seconds, reason=f"did not end within {seconds:.0f} s")
        ended = f"signal {-status}: " if status < 0 else f"status {status}: "
        return Outcome(FAILED, process=seconds, reason=ended + last_line(err or out))

    def compare(self, expected, actual):
        why = compare.texts(expected, actual, self._tolerance)
        return why if why and self._is_steady(expected) else None

    def _is_steady(self, expected):
        """Whether another native run prints the same; it is made once, where something differs."""
        if self._steady is None:
            again = self.run(NATIVE, self._limit)
            self._steady = again.passed() and compare.texts(expected, again.result, self._tolerance) is None
        return self._steady


def _status(words, environment, folder, out, err, limit):
    """The status, or None where it was stopped at the limit; nothing of the program's is left."""
    process = subprocess.Popen(
        words, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment, start_new_session=True
    )
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def _measured(out, seconds):
    """The times that it prints, else that of its process; None where neither says anything."""
    return (compare.stated_seconds(out) or seconds) if seconds >= LEAST_SECONDS else None


def _text(file):
    file.seek(0)
    return file.read(MOST_OUTPUT).decode(errors="replace")
