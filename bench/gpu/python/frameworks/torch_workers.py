# SPDX-License-Identifier: Apache-2.0
"""torch.utils.data with workers that fork after the device is in use, and page-locked batches."""

import _check


def check():
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    total = torch.zeros(1, device="cuda")
    data = TensorDataset(torch.arange(1000, dtype=torch.float32))
    loader = DataLoader(data, batch_size=100, num_workers=2, multiprocessing_context="fork", pin_memory=True)
    for _ in range(2):
        for (batch,) in loader:
            total += batch.to("cuda", non_blocking=True).sum()
    _check.near(total, 2 * 999 * 500)


_check.run(check)
