# SPDX-License-Identifier: Apache-2.0
"""What torch.profiler shows in each of two processes that train together on one device."""

import json
import os
import sys
import tempfile

import torch
import torch.distributed as distributed
import torch.multiprocessing as processes

import torch_trace


def rank(number, folder):
    distributed.init_process_group("gloo", init_method="file://%s/meeting" % folder,
                                   rank=number, world_size=2)
    torch.manual_seed(1)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(64, 32).cuda())
    batch = torch.randn(16, 64, device="cuda")

    def work():
        model.zero_grad(set_to_none=True)
        model(batch).square().mean().backward()
        torch.cuda.synchronize()

    for _ in range(3):
        work()
    torch_trace.trace(work)
    summary = torch_trace.summary(torch_trace.trace(work))
    with open(os.path.join(folder, "rank%d" % number), "w") as file:
        json.dump(summary, file)
    distributed.barrier()
    distributed.destroy_process_group()


def main():
    folder = tempfile.mkdtemp()
    processes.spawn(rank, (folder,), nprocs=2)
    both = {}
    for number in range(2):
        with open(os.path.join(folder, "rank%d" % number)) as file:
            for key, value in json.load(file).items():
                # How often a thread looks whether work is done is a matter of time.
                if key in ("kernels", "copies", "fills", "before their calls"):
                    both["%s of %d" % (key, number)] = value
    with open(sys.argv[1], "w") as file:
        json.dump(both, file, indent=1)


if __name__ == "__main__":
    main()
