# SPDX-License-Identifier: Apache-2.0
"""What JAX's profiler shows of the device: functions that are compiled, loops, copies."""

import collections
import glob
import json
import os
import re
import sys
import tempfile

# Kernels are chosen by rules, and not by how long they take now.
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_gpu_autotune_level=0"

import jax
import jax.numpy as jnp
import numpy


@jax.jit
def layer(x, w):
    return jax.nn.gelu(x @ w).sum(axis=1)


@jax.jit
def walk(x):
    return jax.lax.fori_loop(0, 5, lambda _, y: jnp.sin(y) * 1.5, x)


@jax.jit
def sorted_sum(x):
    return jnp.cumsum(jnp.sort(x))[-1]


def work():
    key = jax.random.key(1)
    x = jax.random.normal(key, (256, 128))
    w = jax.random.normal(key, (128, 64))
    jax.grad(lambda a: layer(a, w).mean())(x).block_until_ready()
    walk(x).block_until_ready()
    sorted_sum(x.ravel()).block_until_ready()
    there = jax.device_put(numpy.arange(100_000, dtype=numpy.float32))
    numpy.asarray(there + 1)


def trace():
    folder = tempfile.mkdtemp()
    with jax.profiler.trace(folder):
        work()
    path, = glob.glob(folder + "/**/*.xplane.pb", recursive=True)
    return jax.profiler.ProfileData.from_file(path)


def counted(rows):
    return dict(sorted(collections.Counter(map(str, rows)).items()))


def devices(data):
    for plane in data.planes:
        if plane.name.startswith("/device:GPU"):
            for line in plane.lines:
                for event in line.events:
                    yield line.name, event, dict(event.stats)


def summary(data):
    kernels, copies, others, nanoseconds = [], [], [], 0
    for line, event, facts in devices(data):
        if "kernel_details" in facts:
            kernels.append((event.name, facts["kernel_details"], facts.get("hlo_op", ""),
                            facts.get("hlo_module", "")))
            nanoseconds += event.duration_ns
        elif "memcpy_details" in facts:
            copies.append((event.name, facts["memcpy_details"], facts.get("hlo_op", "")))
        else:
            # The name of a stream's line has its number, and lists what it does in any order.
            others.append((re.sub(r"^Stream.*", "Stream", line), event.name, *sorted(facts)))
    streams = {line for line, _, _ in devices(data) if line.startswith("Stream")}
    return {
        "kernels": counted(kernels),
        "copies": counted(copies),
        "others": counted(others),
        "streams": len(streams),
        "microseconds": nanoseconds / 1e3,
    }


def main():
    work()
    trace()  # the first session of a process has what starting takes
    with open(sys.argv[1], "w") as file:
        json.dump(summary(trace()), file, indent=1)


if __name__ == "__main__":
    main()
