# SPDX-License-Identifier: Apache-2.0
"""Runs the programs: processes that have imported packages fork for them, or new ones start."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

import program
from tables import compare
from tables.backend import MODES, NATIVE
from tables.command import keep_end
from tables.outcome import ABSENT, FAILED, PASSED, STOPPED, Outcome, last_line

HERE = os.path.dirname(os.path.abspath(__file__))
START_SECONDS = 90
# A fork that hangs costs less than a program's limit: the new process after it has all of that.
PART_OF_LIMIT = 1 / 3
# JAX would take most of the device, which the native process and the worker share; NVLink's
# multicast can take a shared server out of service; the rest keeps results from run to run.
VARIABLES = {
    "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
    "NCCL_NVLS_ENABLE": "0",
    "CUBLAS_WORKSPACE_CONFIG": ":4096:8",
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "PYTHONDONTWRITEBYTECODE": "1",
}


class Forks:
    """The cases by their name, and their processes, which end with the 'with' statement."""

    def __init__(self, backend, names, errors):
        self._backend = backend
        self._errors = errors
        self._names = names
        self._folder = tempfile.TemporaryDirectory(prefix="outboard-frameworks")
        self._zygotes = {}

    def __enter__(self):
        found = program.programs()
        packages = {found[name].area.preload for name in self._names if not found[name].alone}
        for one in sorted(packages):
            for mode in MODES:
                self._zygotes[one, mode] = self._zygote(one, mode)
        end = time.monotonic() + START_SECONDS
        for zygote in self._zygotes.values():
            zygote.await_ready(end)
        return {name: Case(self, name, found[name]) for name in self._names}

    def __exit__(self, *_):
        for zygote in self._zygotes.values():
            zygote.hang_up()
        for zygote in self._zygotes.values():
            zygote.close()
        self._folder.cleanup()

    def _zygote(self, packages, mode):
        words = self._words("zygote.py", ",".join(packages))
        return Zygote(*self._backend.command(mode, words, self._variables(mode)))

    def _words(self, file, argument):
        return [sys.executable, os.path.join(HERE, file), argument]

    def _variables(self, mode):
        """Caches of compiled kernels are a mode's own, so that each compiles for itself."""
        made = dict(VARIABLES)
        for name in ("CUDA_CACHE_PATH", "TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "CUPY_CACHE_DIR"):
            made[name] = os.path.join(self._folder.name, mode, name)
        return made

    def file(self, name):
        return os.path.join(self._folder.name, name)

    def fork(self, name, packages, mode, limit):
        """A run in a fork; None where there is no process that forks. Packages with which a native
        fork hangs are used in new processes from then on."""
        zygote = self._zygotes.get((packages, mode))
        if zygote is None or not zygote.alive():
            return None
        ran = zygote.run(name, self.file("out"), self.file("err"), limit * PART_OF_LIMIT)
        if mode == NATIVE and ran and ran[0] is None:
            for one in MODES:
                self._zygotes.pop((packages, one)).close()
        return ran

    def new(self, name, mode, limit):
        words, environment = self._backend.command(mode, self._words("program.py", name), self._variables(mode))
        begin = time.perf_counter()
        with open(self.file("out"), "wb") as out, open(self.file("err"), "wb") as err:
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment, start_new_session=True
            )
            try:
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                _end_group(process)
        return status, time.perf_counter() - begin

    def failed(self, name, mode, said):
        keep_end(self._errors, name, mode, said)


class Case:
    """A program of the table."""

    def __init__(self, forks, name, found):
        self.name = name
        self._forks = forks
        self._program = found
        self._forks_well = not found.alone

    def compare(self, expected, actual):
        return compare.numbers(expected, actual, self._program.tolerance)

    def run(self, mode, limit):
        return self._outcome(mode, *(self._fork(mode, limit) or self._forks.new(self.name, mode, limit)))

    def _fork(self, mode, limit):
        """What a fork came to if it did not fail; where it fails natively, no other is tried."""
        packages = self._program.area.preload
        ran = self._forks.fork(self.name, packages, mode, limit) if self._forks_well else None
        if ran is None or ran[0] in (0, program.ABSENT):
            return ran
        self._forks_well = mode != NATIVE
        return None

    def _outcome(self, mode, status, seconds):
        out, err = (_text(self._forks.file(name)) for name in ("out", "err"))
        if status == 0:
            return self._ended(mode, out, seconds)
        if status == program.ABSENT:
            return Outcome(ABSENT, process=seconds, reason=last_line(err))
        self._forks.failed(self.name, mode, err)
        if status is None:
            return Outcome(STOPPED, process=seconds, reason=f"did not end within {seconds:.0f} s")
        ended = f"signal {-status}: " if status < 0 else ""
        return Outcome(FAILED, process=seconds, reason=ended + last_line(err))

    def _ended(self, mode, out, seconds):
        result = re.search(r"^RESULT (.+)$", out, re.MULTILINE)
        took = re.search(r"^TIME (\S+)$", out, re.MULTILINE)
        if not result:
            return Outcome(FAILED, process=seconds, reason="no result")
        numbers = [float(number) for number in result.group(1).split()]
        if any(number != number for number in numbers):
            return Outcome(FAILED, result=numbers, process=seconds, reason="not a number")
        return Outcome(PASSED, numbers, float(took.group(1)) if took else None, seconds)


class Zygote:
    """A process that forks; see zygote.py."""

    def __init__(self, words, environment):
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, start_new_session=True
        )

    def await_ready(self, end):
        """Waits until the packages are imported; a process that takes too long ends."""
        left = max(0, end - time.monotonic())
        if not select.select([self._process.stdout], [], [], left)[0]:
            self._process.kill()
        if not self._process.stdout.readline():
            self._process.wait()

    def alive(self):
        return self._process.poll() is None

    def run(self, name, out, err, limit):
        request = {"program": name, "out": out, "err": err, "limit": limit}
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer:
            self._process.wait()
            return None
        said = json.loads(answer)
        return said["status"], said["seconds"]

    def hang_up(self):
        """Lets the process end."""
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass

    def close(self):
        self.hang_up()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            pass
        _end_group(self._process)
        self._process.stdout.close()


def _end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def _text(path):
    if not os.path.exists(path):
        return ""
    with open(path, errors="replace") as lines:
        return lines.read()
