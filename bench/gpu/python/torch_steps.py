# SPDX-License-Identifier: Apache-2.0
"""Does so many steps of some work, for a report of its calls: torch_steps.py WORK STEPS; the work cuda_start is a start alone."""

import sys


def main(name, steps):
    import workloads

    workloads.start()
    if name == "cuda_start":
        return
    work = getattr(workloads, name)()
    if name == "gpt2_decode":
        work(steps)
    else:
        for _ in range(steps):
            work()
    workloads.torch.cuda.synchronize()


if __name__ == "__main__":
    try:
        main(sys.argv[1], int(sys.argv[2]))
    except ImportError as error:
        sys.exit(f"not run: {error}")
