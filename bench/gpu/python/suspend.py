# SPDX-License-Identifier: Apache-2.0
"""Suspends a training ten times: it ends as the one that was not suspended, bit for bit.

usage: suspend.py [--outboard COMMAND] [--device SPEC] [--elsewhere] [--steps N] [--program COMMAND] [--seed N] [--pad MIB]

Starts a backend of its own, asks for a lease, and runs the training twice on it: once undisturbed, then suspended ten times at seeded moments, every second time
in the middle of its work. The other times it is between two steps, as a program whose user thinks: then the GPU's memory is looked at, and it is resumed by its own
next call, or by the command. Prints a line each, then whether both trainings are equal. The program writes a line to standard output before each pause, "step N",
and reads a line after it: --program names another program that does so. With --elsewhere, where there are several GPUs, another lease has the program's GPU whenever it
is to be resumed between two steps: it goes on on another one.
"""

import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time

SUSPENSIONS = 10
# The most that the training goes on from one suspension to the next: three steps ahead, then one
# between steps or four within.
MOST_STEPS = 3 * SUSPENSIONS + 5 * SUSPENSIONS // 2


def train(steps, pad):
    """The program: a small network whose every step depends on all before."""
    os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
    import hashlib

    import torch

    torch.manual_seed(1)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.backends.cudnn.benchmark = False
    layers = []
    for _ in range(4):
        layers += [torch.nn.Conv2d(16 if layers else 3, 16, 3, padding=1), torch.nn.BatchNorm2d(16), torch.nn.ReLU()]
    model = torch.nn.Sequential(*layers, torch.nn.Flatten(), torch.nn.Linear(16 * 32 * 32, 10)).cuda().train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    weight = torch.randn(pad << 18, device="cuda") if pad else None
    paced = True
    for step in range(1, steps + 1):
        print("step", step, flush=True)
        paced = paced and sys.stdin.readline() != ""
        images = torch.randn(64, 3, 32, 32, device="cuda")
        labels = torch.randint(0, 10, (64,), device="cuda")
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        if weight is not None:
            weight.mul_(1.0001)
        torch.cuda.synchronize()
        if step % 4 == 0:
            print("loss", loss.item().hex(), flush=True)
    hashed = hashlib.sha256()
    for tensor in [*model.parameters()] + ([weight] if weight is not None else []):
        hashed.update(tensor.detach().cpu().numpy().tobytes())
    print("end", hashed.hexdigest(), flush=True)


def used_mebibytes():
    """Of each GPU, as the machine's own tool has it; None where there is none."""
    own = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    query = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
    try:
        said = subprocess.run(query, env=own, check=True, capture_output=True, text=True).stdout
        return [int(line) for line in said.split()]
    except (OSError, subprocess.CalledProcessError):
        return None


class Backend:
    def __init__(self, outboard, device, folder):
        self.outboard = outboard
        self.endpoint = f"unix:{folder}/backend.sock"
        self.log = open(folder / "log", "w+")
        command = [*outboard, "serve", "--device", device, "--listen", self.endpoint, "--state", str(folder / "state")]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if " at " not in line:
            raise SystemExit(f"suspend: the backend does not serve: {line} {self.said()}")
        print(line.strip())

    def command(self, *words):
        ended = subprocess.run([*self.outboard, *words, "--on", self.endpoint], capture_output=True, text=True)
        if ended.returncode != 0:
            raise SystemExit(f"suspend: {' '.join(words)}: {ended.stderr.strip()}\n{self.said()}")
        return ended.stdout.strip(), ended.stderr.strip()

    def lease(self):
        return re.search(r"lease ([0-9a-f]+) is granted", self.command("lease", "--for", "1h")[1]).group(1)

    def gpus(self, lease):
        return json.loads(self.command("leases", "--json", lease)[0])[0]["uuids"]

    def take_gpu_of(self, lease):
        """Another lease that has what a suspended one had; the others that came on the way are released."""
        wanted = self.gpus(lease)
        leases = [self.lease()]
        while self.gpus(leases[-1]) != wanted:
            leases.append(self.lease())
        for other in leases[:-1]:
            self.command("release", other)
        return leases[-1]

    def said(self):
        self.log.flush()
        return pathlib.Path(self.log.name).read_text()

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Program:
    """The program on the lease; a thread reads what it says."""

    def __init__(self, backend, lease, command):
        words = [*backend.outboard, "run", "--on", backend.endpoint, "--lease", lease, *command]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = []
        self.changed = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line.strip())
                self.changed.notify_all()
        with self.changed:
            self.lines.append("over")
            self.changed.notify_all()

    def await_line(self, start, seconds=600):
        with self.changed:
            if not self.changed.wait_for(lambda: "over" in self.lines or start in self.lines, seconds):
                raise SystemExit(f"suspend: the program hangs after {self.lines[-3:]}")
            if start not in self.lines:
                raise SystemExit(f"suspend: the program ended after {self.lines[-3:]}")

    def let(self, steps):
        self.process.stdin.write("\n" * steps)
        self.process.stdin.flush()

    def finish(self):
        self.process.stdin.close()
        self.process.wait()
        with self.changed:
            self.changed.wait_for(lambda: "over" in self.lines, 60)
            lines = [line for line in self.lines if line.split()[0] in ("loss", "end")]
        if self.process.returncode != 0 or not lines or not lines[-1].startswith("end"):
            raise SystemExit(f"suspend: the program failed with {self.process.returncode}: {self.lines[-5:]}")
        return lines


def between_steps(backend, lease, program, step, by_command, elsewhere):
    """The program waits for a line after having said that it is at a step."""
    time.sleep(0.2)
    before = used_mebibytes()
    begin = time.monotonic()
    backend.command("suspend", lease)
    suspended = time.monotonic() - begin
    during = used_mebibytes()
    taker = backend.take_gpu_of(lease) if elsewhere else None
    begin = time.monotonic()
    if by_command:
        backend.command("resume", lease)
    program.let(1)
    program.await_line(f"step {step + 1}")
    resumed = time.monotonic() - begin
    after = used_mebibytes()
    if taker is not None:
        backend.command("release", taker)
    how = "by command" if by_command else "by its call"
    print(f"at step {step}, waiting: suspended {suspended:.2f} s, resumed {how} {resumed:.2f} s; MiB {before} -> {during} -> {after}", flush=True)
    return step + 1


def within_steps(backend, lease, program, step, random_):
    """The program works on while it is suspended, and so is resumed at once."""
    program.let(4)
    time.sleep(random_.random() * 0.05)
    begin = time.monotonic()
    backend.command("suspend", lease)
    program.await_line(f"step {step + 4}")
    print(f"at step {step}, working: suspended and resumed, and four steps, {time.monotonic() - begin:.2f} s", flush=True)
    return step + 4


def disturbed(backend, lease, program, arguments):
    random_ = random.Random(arguments.seed)
    step = 1
    for number in range(SUSPENSIONS):
        ahead = random_.randint(1, 3)
        program.let(ahead)
        step += ahead
        program.await_line(f"step {step}")
        if number % 2:
            step = within_steps(backend, lease, program, step, random_)
        else:
            step = between_steps(backend, lease, program, step, number % 4 == 0, arguments.elsewhere)
    return program.finish()


def main(arguments):
    here = pathlib.Path(__file__).resolve()
    command = arguments.program.split() if arguments.program else [sys.executable, str(here), "--train", "--pad", str(arguments.pad)]
    outboard = [arguments.outboard or str(here.parents[3] / "bin" / "outboard")]
    with tempfile.TemporaryDirectory(prefix="outboard-suspend") as folder:
        backend = Backend(outboard, arguments.device, pathlib.Path(folder))
        try:
            lease = backend.lease()
            command += [str(arguments.steps)] if arguments.program else ["--steps", str(arguments.steps)]
            plain = Program(backend, lease, command).finish()
            other = disturbed(backend, lease, Program(backend, lease, command), arguments)
        finally:
            backend.stop()
            print("\n".join(line for line in backend.said().splitlines() if "suspended" in line or "resumed" in line or "WARN" in line))
    print("undisturbed:", plain[-1], "\nsuspended:  ", other[-1])
    equal = plain == other
    print(f"{SUSPENSIONS} suspensions:", "equal bit for bit" if equal else "NOT equal")
    return 0 if equal else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--outboard", help="the command; that of the server's tarball without it")
    parser.add_argument("--device", default="nvidia")
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--elsewhere", action="store_true", help="take the program's GPU before it is resumed")
    parser.add_argument("--program", help="what to run instead of the training; the number of steps is its argument")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pad", type=int, default=1024, help="further MiB on the GPU that each step changes")
    parser.add_argument("--train", action="store_true", help="be the program")
    given = parser.parse_args()
    if not given.train and given.steps <= MOST_STEPS:
        parser.error(f"--steps must be more than {MOST_STEPS}: {SUSPENSIONS} suspensions may need that many")
    if given.train:
        train(given.steps, given.pad)
    else:
        sys.exit(main(given))
