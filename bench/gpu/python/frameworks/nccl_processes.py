# SPDX-License-Identifier: Apache-2.0
"""NCCL: two ranks in two processes, a GPU each."""

import _check


def rank(number, file):
    import torch
    import torch.distributed as distributed

    torch.cuda.set_device(number)
    distributed.init_process_group("nccl", init_method=f"file://{file}", rank=number, world_size=2)
    x = torch.full((1 << 20,), float(number + 1), device="cuda")
    distributed.all_reduce(x)
    _check.near(x.mean(), 3)
    distributed.destroy_process_group()


def check():
    import os
    import tempfile

    import torch

    if torch.cuda.device_count() < 2:
        raise _check.NotHere("needs two GPUs")
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.spawn(rank, (os.path.join(folder, "meeting"),), nprocs=2)


if __name__ == "__main__":
    _check.run(check)
