# SPDX-License-Identifier: Apache-2.0
"""Finds the programs of a HeCBench checkout, and builds them with make and nvcc."""

import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess

BUILD_SECONDS = 300
MANAGED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "managed.h")
# Words of a Makefile that name a library which not every toolkit and machine has.
FURTHER = re.compile(
    r"-l(cublas|cufft|cusparse|cusolver|curand|cudnn|nccl|mpi|gsl|boost|hdf5|cutensor|nvjpeg|npp|opencv|gdal|nvml|nvidia-ml|fftw|tbb)|mpicc|mpicxx"
)


class Source:
    """A folder of the checkout: what its Makefile says of the program and of its run."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "Makefile"), errors="replace") as lines:
            self.text = lines.read().replace("\\\n", " ")

    def variable(self, name):
        found = re.search(rf"^{name}\s*[:?]?=\s*(.*)$", self.text, re.MULTILINE)
        return found.group(1).split("#")[0].strip() if found else ""

    def needs_further_libraries(self):
        return bool(FURTHER.search(self.text))

    def program(self):
        return self.variable("program") or "main"

    def arguments(self):
        """The words after the program in the recipe of 'run', or None where it is more than that."""
        found = re.search(r"^run\s*:.*\n((?:\t.*\n?)+)", self.text, re.MULTILINE)
        if not found:
            return []
        recipe = found.group(1).strip().splitlines()[0].strip().lstrip("@-")
        recipe = re.sub(r"\$[({](\w+)[)}]", lambda m: self.variable(m.group(1)), recipe)
        words = shlex.split(recipe)
        at = next((i for i, word in enumerate(words) if word.endswith("./" + self.program())), None)
        simple = at is not None and not set("|<>;&$`") & set(recipe)
        return words[at + 1 :] if simple else None


def find(checkout):
    """The sources by the name of their program, without '-cuda'."""
    top = os.path.join(checkout, "src")
    if not os.path.isdir(top):
        raise SystemExit(f"hecbench: {checkout} is no checkout of HeCBench: it has no folder src")
    found = {}
    for name in sorted(os.listdir(top)):
        folder = os.path.join(top, name)
        if name.endswith("-cuda") and os.path.exists(os.path.join(folder, "Makefile")):
            source = Source(folder)
            if not source.needs_further_libraries() and source.arguments() is not None:
                found[name.removesuffix("-cuda")] = source
    return found


def build_all(sources, built, arch, jobs, managed=False):
    """Builds what is not built yet; what does not build leaves BUILT/NAME.log."""
    os.makedirs(built, exist_ok=True)
    environment = dict(os.environ, NVCC_PREPEND_FLAGS=f"-include {MANAGED}") if managed else None
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        done = list(pool.map(lambda name: _build(sources[name], os.path.join(built, name), arch, environment), sources))
    failed = [name for name, ok in zip(sources, done) if not ok]
    print(f"{len(done) - len(failed)} of {len(done)} programs are built; not: {', '.join(failed) or 'none'}", flush=True)


def _build(source, to, arch, environment):
    if os.path.exists(os.path.join(to, "main")):
        return True
    words = ["make", "-s", "-C", source.folder, f"ARCH={arch}", "CUDA_ARCH=" + arch, "-B", source.program()]
    with open(to + ".log", "wb") as log:
        try:
            status = subprocess.run(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=BUILD_SECONDS, env=environment
            ).returncode
        except subprocess.TimeoutExpired:
            status = None
    made = os.path.join(source.folder, source.program())
    if status != 0 or not os.path.exists(made):
        return False
    os.makedirs(to, exist_ok=True)
    shutil.copy(made, os.path.join(to, "main"))
    return True
