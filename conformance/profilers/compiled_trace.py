# SPDX-License-Identifier: Apache-2.0
"""What torch.profiler shows of a function that torch.compile has made kernels of."""

import json
import sys

import torch

import torch_trace


@torch.compile
def step(x, w):
    return torch.nn.functional.gelu(x @ w).softmax(dim=1).sum(dim=0)


def main():
    torch.manual_seed(1)
    x = torch.randn(256, 128, device="cuda")
    w = torch.randn(128, 64, device="cuda")

    def work():
        for _ in range(3):
            step(x, w)
        torch.cuda.synchronize()

    work()
    torch_trace.trace(work)
    with open(sys.argv[1], "w") as file:
        json.dump(torch_trace.summary(torch_trace.trace(work)), file, indent=1)


if __name__ == "__main__":
    main()
