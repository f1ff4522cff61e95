# SPDX-License-Identifier: Apache-2.0
"""How a program of the table is written: it prepares its work, gives its results, and times a step.

It prints 'RESULT n...' (numbers that two runs must have in common but for a tolerance) and
'TIME seconds' (one step, after a warm-up). A package that is not there ends it with ABSENT.
"""

import importlib
import os
import statistics
import sys
import time
import traceback

ABSENT = 77
BATCHES = 5
BATCH_SECONDS = 0.04
WARM_UP = 3
MOST_STEPS = 200


class NotHere(Exception):
    """This machine lacks a thing that the program needs."""


class _Package:
    """A package that is imported at its first use, so that a list of programs needs none."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, attribute):
        return getattr(importlib.import_module(self._name), attribute)


def package(name):
    return _Package(name)


class Area:
    """The programs of one file: what a process may import before it forks, and how a step ends."""

    def __init__(self, preload, wait):
        self.preload = preload
        self.wait = wait
        self.programs = {}

    def program(self, tolerance=0.0, alone=False):
        """A decorator. Numbers agree within the tolerance, relative and absolute. A program that
        stands alone never runs in a process that was forked after the imports."""

        def register(work):
            self.programs[work.__name__] = Program(self, work, tolerance, alone)
            return work

        return register


class Program:
    def __init__(self, area, work, tolerance, alone):
        self.area = area
        self.work = work
        self.tolerance = tolerance
        self.alone = alone

    def run(self):
        """Prints what came of it; the status of the process."""
        try:
            run = Run(self.area.wait)
            self.work(run)
            run.say()
            return 0
        except ModuleNotFoundError as error:
            print(f"not installed here: {error.name}", file=sys.stderr)
            return ABSENT
        except NotHere as error:
            print(f"not here: {error}", file=sys.stderr)
            return ABSENT
        except Exception:
            traceback.print_exc()
            return 1


class Run:
    """One run of a program."""

    def __init__(self, wait):
        self._wait = wait
        self._numbers = []
        self._seconds = None

    def result(self, *values):
        """Numbers, or arrays of which three sums stand for all elements and their order."""
        for value in values:
            self._numbers += _summary(value)

    def time(self, step):
        """Takes the time of a step: the median of a few batches, each with a wait for its end."""
        for _ in range(WARM_UP):
            value = step()
        self._wait(value)
        begin = time.perf_counter()
        self._wait(step())
        one = max(time.perf_counter() - begin, 1e-6)
        steps = min(MOST_STEPS, max(1, round(BATCH_SECONDS / one)))
        self._seconds = statistics.median(self._batch(step, steps) for _ in range(BATCHES))

    def _batch(self, step, steps):
        begin = time.perf_counter()
        for _ in range(steps):
            value = step()
        self._wait(value)
        return (time.perf_counter() - begin) / steps

    def say(self):
        print("RESULT", *(repr(number) for number in self._numbers))
        if self._seconds is not None:
            print(f"TIME {self._seconds:.9f}")
        sys.stdout.flush()


def _summary(value):
    if isinstance(value, (bool, int, float)):
        return [float(value)]
    import numpy

    for move in ("detach", "cpu", "resolve_conj", "get", "copy_to_host"):
        if not isinstance(value, (numpy.ndarray, numpy.generic)) and hasattr(value, move):
            value = getattr(value, move)()
    if "bfloat16" in str(getattr(value, "dtype", "")):
        value = value.float() if hasattr(value, "float") else value.astype("float32")
    array = numpy.asarray(value)
    if numpy.iscomplexobj(array):
        return _summary(array.real.copy()) + _summary(array.imag.copy())
    flat = array.astype(numpy.float64).ravel()
    if flat.size <= 1:
        return [float(n) for n in flat]
    order = numpy.cos(numpy.arange(flat.size))
    return [float(flat.mean()), float(numpy.abs(flat).mean()), float((flat * order).mean())]


def areas():
    """The areas by their name, without the import of any framework."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    names = sorted(f[:-3] for f in os.listdir(folder) if f.endswith(".py") and f[0] != "_")
    return {name: importlib.import_module(name).area for name in names}


def programs():
    """The programs by their name, AREA/NAME."""
    return {
        f"{area_name}/{name}": program
        for area_name, area in areas().items()
        for name, program in area.programs.items()
    }


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import program as module

    sys.exit(module.programs()[sys.argv[1]].run())
