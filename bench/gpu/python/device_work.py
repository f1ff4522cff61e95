# SPDX-License-Identifier: Apache-2.0
"""Repeats one kind of work of the device and prints how often a second it ended.

usage: device_work.py copy|fill|product BEGIN SECONDS

BEGIN is the second since 1970 at which the measurement starts, so that several programs start
together.
"""
import sys
import time

import torch

kind, begin, seconds = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
if kind == "product":
    left = torch.randn(4096, 4096, device="cuda")
    work = lambda: left @ left
else:
    source = torch.zeros(1 << 28, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    work = (lambda: target.copy_(source)) if kind == "copy" else source.zero_
for _ in range(5):
    work()
torch.cuda.synchronize()
time.sleep(max(0.0, begin - time.time()))
start, done = time.time(), 0
while time.time() - start < seconds:
    for _ in range(20):
        work()
    torch.cuda.synchronize()
    done += 20
print(f"{kind} {done / (time.time() - start):.1f}")
