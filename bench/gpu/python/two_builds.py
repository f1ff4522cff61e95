# SPDX-License-Identifier: Apache-2.0
"""Compares two builds of Outboard in turns.

usage: two_builds.py OLD NEW [TURNS [DEVICE]]

OLD and NEW are folders of servers' tarballs. Both serve DEVICE (default nvidia, as serve --device
has it) over shared memory and TCP. For each figure the median and the range of either build are
printed. The programs are those of NEW; PyTorch's run under this interpreter.
"""

import collections
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

FIGURES = ["resnet_infer", "gpt2_decode", "graph_replay", "pinned_up", "pinned_down"]
START_SECONDS = 60


class Build:
    def __init__(self, name, folder, sockets, device):
        self.name = name
        self._outboard = os.path.join(folder, "bin", "outboard")
        self._socket = os.path.join(sockets, name + ".sock")
        self._port = 7301 + len(os.listdir(sockets))
        words = ["serve", "--device", device, "--listen", "unix:" + self._socket, "--listen", self.endpoint("tcp")]
        with open(os.path.join(sockets, name + ".log"), "w") as log:
            self._server = subprocess.Popen([self._outboard, *words], stdout=log, stderr=log)

    def endpoint(self, medium):
        return f"unix:{self._socket}" if medium == "shm" else f"tcp://127.0.0.1:{self._port}"

    def await_start(self):
        end = time.monotonic() + START_SECONDS
        while not os.path.exists(self._socket):
            if time.monotonic() > end or self._server.poll() is not None:
                raise SystemExit(f"two_builds: the {self.name} build does not serve: see its log beside {self._socket}")
            time.sleep(0.2)

    def figures(self, medium, words):
        """What a program says through this build."""
        run = [self._outboard, "run", "--on", self.endpoint(medium), "--", *words]
        said = subprocess.run(run, capture_output=True, text=True, timeout=120)
        if said.returncode != 0:
            print(f"{self.name} over {medium}: {' '.join(words)}: {said.stderr[-300:]}", file=sys.stderr)
        lines = [json.loads(line) for line in said.stdout.splitlines() if line.startswith("{")]
        return [(line["figure"], line["value"]) for line in lines if "value" in line]

    def end(self):
        self._server.terminate()
        self._server.wait()


def programs(build):
    folder = os.path.join(build, "lib", "bench", "gpu")
    micro = os.path.join(folder, "micro")
    torch = [sys.executable, os.path.join(folder, "torch_figures.py"), *FIGURES]
    return [[micro, "calls", "100"], [micro, "copies", "256"], torch]


def measure(builds, programs, turns):
    found = collections.defaultdict(list)
    for turn in range(turns):
        for words in programs:
            order = [(build, medium) for medium in ("shm", "tcp") for build in builds]
            for build, medium in reversed(order) if turn % 2 else order:
                for figure, value in build.figures(medium, words):
                    found[figure, medium, build.name].append(value)
    return found


def row(values):
    return f"{statistics.median(values):.4g} ({min(values):.4g}-{max(values):.4g})"


def print_table(found):
    print("| figure | over | old | new | new / old |\n| --- | --- | --- | --- | --- |")
    for figure, medium in sorted({key[:2] for key in found}):
        old, new = (found[figure, medium, name] for name in ("old", "new"))
        if old and new:
            ratio = statistics.median(new) / statistics.median(old)
            print(f"| {figure} | {medium} | {row(old)} | {row(new)} | {ratio:.2f} |")


def main(old, new, turns=5, device="nvidia"):
    with tempfile.TemporaryDirectory() as sockets:
        builds = [Build("old", old, sockets, device), Build("new", new, sockets, device)]
        try:
            for build in builds:
                build.await_start()
            print_table(measure(builds, programs(new), int(turns)))
        finally:
            for build in builds:
                build.end()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
