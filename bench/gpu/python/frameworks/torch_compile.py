# SPDX-License-Identifier: Apache-2.0
"""torch.compile: Triton makes the kernels, in the client."""

import _check


def check():
    import torch

    def wave(x):
        return (torch.sin(x) ** 2 + torch.cos(x) ** 2).sum()

    x = torch.linspace(0, 10, 100_000, device="cuda")
    _check.near(torch.compile(wave)(x), 100_000)


_check.run(check)
