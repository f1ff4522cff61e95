# SPDX-License-Identifier: Apache-2.0
"""Whether two results are the same: numbers within a tolerance, texts without their times."""

import math
import re

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?\b(?:nan|inf)\b", re.IGNORECASE)
_VALUE = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "usec": 1e-6, "ms": 1e-3, "msec": 1e-3, "msecs": 1e-3}
_UNITS |= {"s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0}
_UNIT = "(" + "|".join(sorted(_UNITS, key=len, reverse=True)) + ")"
# '3.5 ms', '3.5 (ms)', and '(ms): 3.5'
_TIME = re.compile(rf"{_VALUE}\s*[(\[]?{_UNIT}\b|\({_UNIT}\)\s*[:=]?\s*{_VALUE}", re.IGNORECASE)
_RATE = re.compile(
    r"\b(?:run)?times?\b|\btim(?:ing|er)|elapsed|duration|latency|throughput|bandwidth|\bspeed|\bperf|flop|\bcycles|\bclock|\brate"
    r"|[kmgt]?i?b(?:ytes)?/s|/\s*s(?:ec(?:ond)?)?\b|per\s+sec",
    re.IGNORECASE,
)


def numbers(expected, actual, tolerance):
    """Why two lists of numbers differ, or None; not-a-number equals nothing."""
    if len(expected) != len(actual):
        return f"{len(actual)} numbers where {len(expected)} were expected"
    for one, other in zip(expected, actual):
        if not (one == other or math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)):
            return f"{other!r} where {one!r} was expected"
    return None


def texts(expected, actual, tolerance):
    """Why two outputs differ but for lines about time, and numbers within a tolerance; or None."""
    left, right = untimed(expected), untimed(actual)
    if len(left) != len(right):
        return f"{len(right)} lines where {len(left)} were expected"
    for one, other in zip(left, right):
        if _words(one) != _words(other):
            return f"'{other[:80]}' where '{one[:80]}' was expected"
        why = numbers(_numbers(one), _numbers(other), tolerance)
        if why and one != other:
            return f"{why} in '{one[:80]}'"
    return None


def untimed(text):
    """The lines that state neither a time nor a rate."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not _RATE.search(line) and not _TIME.search(line)]


def stated_seconds(text):
    """The sum of the times that an output states, or None if it states none."""
    found = [(a or b, u or v) for a, u, v, b in _TIME.findall(text)]
    if not found:
        return None
    return sum(float(value) * _UNITS[unit.lower()] for value, unit in found)


def _words(line):
    return _NUMBER.sub("#", line).split()


def _numbers(line):
    return [float(number) for number in _NUMBER.findall(line)]
