# SPDX-License-Identifier: Apache-2.0
"""A CUDA graph of PyTorch, replayed with new input."""

import _check


def check():
    import torch

    x = torch.zeros(1024, device="cuda")
    weights = torch.full((1024,), 2.0, device="cuda")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        (x * weights + 1).sum()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        total = (x * weights + 1).sum()
    for value in (1.0, 5.0):
        x.fill_(value)
        graph.replay()
        _check.near(total, 1024 * (2 * value + 1))


_check.run(check)
