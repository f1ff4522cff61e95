# SPDX-License-Identifier: Apache-2.0
"""NCCL: one process with two GPUs."""

import _check


def check():
    import torch
    import torch.cuda.nccl

    if torch.cuda.device_count() < 2:
        raise _check.NotHere("needs two GPUs")
    parts = [torch.full((1 << 20,), float(i + 1), device=f"cuda:{i}") for i in range(2)]
    torch.cuda.nccl.all_reduce(parts)
    for part in parts:
        _check.near(part.mean(), 3)


_check.run(check)
