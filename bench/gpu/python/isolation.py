# SPDX-License-Identifier: Apache-2.0
"""Clients beside each other: one of them is killed every second, the others go on and are right.

usage: isolation.py [SECONDS [CLIENTS]]

Runs 'steady' beside this script: copies, launches and comparisons until its input ends. A killed client is replaced at once.
The memory that the GPU's own tool says is used is looked at before the first, after each kill, and after the last.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import say

STEADY = pathlib.Path(__file__).with_name("steady")
GONE_SECONDS = 10


def used_mebibytes():
    # The machine's own library, not ours.
    own = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    query = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
    return int(subprocess.run(query, env=own, check=True, capture_output=True, text=True).stdout.split()[0])


class Client:
    def __init__(self):
        self.output = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([STEADY], stdin=subprocess.PIPE, stdout=self.output, stderr=subprocess.STDOUT)

    def await_round(self):
        while os.fstat(self.output.fileno()).st_size == 0:
            if self.process.poll() is not None:
                raise SystemExit(f"isolation: a client ended with {self.process.returncode} as it started")
            time.sleep(0.01)

    def kill(self):
        self.process.kill()
        self.process.communicate()
        self.output.close()

    def finish(self):
        self.process.communicate(timeout=60)
        self.output.seek(0)
        said = self.output.read().splitlines()
        if self.process.returncode != 0 or said[-1] != "ok" or any(line != "round" for line in said[:-1]):
            raise SystemExit(f"isolation: a client that was left alone ended with {self.process.returncode}: {said[-3:]}")
        return len(said) - 1


def falls_to(limit):
    end = time.monotonic() + GONE_SECONDS
    while (used := used_mebibytes()) > limit and time.monotonic() < end:
        time.sleep(0.02)
    return used


def main(seconds=120, number=10):
    before = used_mebibytes()
    clients = [Client() for _ in range(number)]
    for client in clients:
        client.await_round()
    all_run = used_mebibytes()
    one = (all_run - before) // number
    chance, killed, late = random.Random(20), 0, 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(1)
        # The last one is never killed, so that one lives through all.
        victim = chance.randrange(number - 1)
        clients[victim].kill()
        late += falls_to(all_run - one // 2) > all_run - one // 2
        clients[victim] = Client()
        clients[victim].await_round()
        killed += 1
    rounds = [client.finish() for client in clients]
    after = falls_to(before)
    say.note(
        "isolation",
        f"{number} clients, {killed} killed, the others right to the end ({min(rounds)} to {max(rounds)} rounds each); "
        f"MiB used before {before}, by all {all_run}, memory of a killed one not back within {GONE_SECONDS} s: {late} times, after {after}",
    )
    if late or after > before:
        raise SystemExit("isolation: memory has not come back")


main(*map(int, sys.argv[1:3]))
