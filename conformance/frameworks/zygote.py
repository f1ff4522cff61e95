# SPDX-License-Identifier: Apache-2.0
"""A process that imports packages once, and forks for each program: zygote.py PACKAGE,...

It must not start CUDA itself: each child does. It reads a request a line (JSON: program, out, err,
limit) and answers each with a line (JSON: status, seconds); the status is negative for a signal,
and null for a program that was stopped at its limit.
"""

import importlib
import json
import os
import select
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import program


def preload(packages):
    # Packages that ask whether there is a GPU ask NVML then, and leave CUDA alone.
    os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
    for name in packages.split(","):
        try:
            importlib.import_module(name)
        except Exception as error:
            print(f"zygote: {name}: {error}", file=sys.stderr, flush=True)
    del os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"]


def become(request):
    """The child: its own group, so that its limit ends its children too."""
    os.setsid()
    for descriptor, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, request["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        (2, request["err"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
    ):
        opened = os.open(path, flags, 0o644)
        os.dup2(opened, descriptor)
        os.close(opened)


def wait(child, limit):
    """The child's status, or None if it was stopped at the limit."""
    watched = os.pidfd_open(child)
    try:
        ended = select.select([watched], [], [], limit)[0]
        if not ended:
            os.kill(child, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return status if ended else None
    finally:
        os.close(watched)
        end_group(child)


def end_group(child):
    """Ends what a child has left behind."""
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        pass


def main(packages):
    programs = program.programs()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    preload(packages)
    print(json.dumps({"ready": True}), file=answers, flush=True)
    requests = os.fdopen(os.dup(0), "r")
    while True:
        line = requests.readline()
        if not line:
            return 0
        request = json.loads(line)
        begin = time.perf_counter()
        child = os.fork()
        if child == 0:
            requests.close()
            answers.close()
            become(request)
            return programs[request["program"]].run()
        status = wait(child, request["limit"])
        answer = {"status": status, "seconds": time.perf_counter() - begin}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
