# SPDX-License-Identifier: Apache-2.0
"""What Triton's profiler (Proton) counts of kernels in scopes."""

import json
import os
import sys
import tempfile

import torch
import triton
import triton.language as tl
import triton.profiler as proton


@triton.jit
def add(x, y, to, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < count
    tl.store(to + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


def work():
    x = torch.ones(10_000, device="cuda")
    to = torch.empty_like(x)
    with proton.scope("outer"):
        for _ in range(3):
            add[(triton.cdiv(10_000, 256),)](x, x, to, 10_000, BLOCK=256)
        with proton.scope("inner"):
            (to * 2).sum()
    torch.cuda.synchronize()


def paths(node, above=()):
    here = (*above, node["frame"]["name"])
    count = node["metrics"].get("count", 0)
    if count:
        yield "/".join(here), count
    for child in node["children"]:
        yield from paths(child, here)


def main():
    add.warmup(torch.float32, torch.float32, torch.float32, 10_000, BLOCK=256, grid=(1,))
    path = os.path.join(tempfile.mkdtemp(), "proton")
    proton.start(path, backend="cupti")
    work()
    proton.finalize()
    with open(path + ".hatchet") as file:
        tree = json.load(file)
    with open(sys.argv[1], "w") as file:
        json.dump({"counts": dict(sorted(paths(tree[0])))}, file, indent=1)


if __name__ == "__main__":
    main()
