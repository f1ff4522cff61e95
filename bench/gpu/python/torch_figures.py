# SPDX-License-Identifier: Apache-2.0
"""Measures PyTorch: torch_figures.py FIGURE...; figures are those of figures.tsv. A figure that cannot be measured is a note why."""

import statistics
import sys
import time

import say

WARM_UP = 5
TOKENS = 100


def step_ms(step, count):
    """The median of steps, each with the wait for its end, milliseconds."""
    import torch

    for _ in range(WARM_UP):
        step()
    torch.cuda.synchronize()
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        step()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times)


def tokens_per_second(decode):
    import torch

    decode(10)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    decode(TOKENS)
    torch.cuda.synchronize()
    return TOKENS / (time.perf_counter() - begin)


def start_seconds():
    import workloads

    begin = time.perf_counter()
    workloads.start()
    return time.perf_counter() - begin


def measured(name):
    import workloads

    if name == "cuda_start":
        return start_seconds()
    work = getattr(workloads, name)()
    if name == "gpt2_decode":
        return tokens_per_second(work)
    if name.startswith("pinned"):
        return workloads.PINNED_BYTES / step_ms(work, 10) / 1e6
    return step_ms(work, 20 if name.endswith("train") else 30)


def main(names):
    failed = False
    # Any figure but the first would find CUDA started, so cuda_start runs first.
    for name in sorted(names, key=lambda name: name != "cuda_start"):
        try:
            say.figure(name, measured(name))
        except ImportError as error:
            say.note(name, f"not run: {error}")
        except Exception as error:
            failed = True
            say.note(name, "failed: " + str(error).strip().splitlines()[0])
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
