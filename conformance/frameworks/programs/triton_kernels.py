# SPDX-License-Identifier: Apache-2.0
"""Triton: kernels of a program's own."""

from program import Area, package

torch = package("torch")
area = Area(("torch", "torchvision"), lambda _: torch.cuda.synchronize())


def _numbers(*shape):
    torch.manual_seed(1)
    return torch.randn(*shape, device="cuda")


@area.program()
def vector_add(run):
    from _triton import add

    x, y = _numbers(100_003), _numbers(100_003) * 2
    out = torch.empty_like(x)

    def step():
        add[(98,)](x, y, out, x.numel(), BLOCK=1024)

    step()
    run.result(out, (out - x - y).abs().max())
    run.time(step)


@area.program(tolerance=1e-6)
def softmax(run):
    from _triton import softmax as kernel

    x = _numbers(300, 700)
    out = torch.empty_like(x)

    def step():
        kernel[(300,)](x, out, 700, BLOCK=1024)

    step()
    run.result(out, out.sum(1))
    run.time(step)


@area.program(tolerance=1e-3)
def matrix_product(run):
    from _triton import product

    a, b = _numbers(256, 512).half(), _numbers(512, 256).half()
    out = torch.empty(256, 256, device="cuda")

    def step():
        product[(4, 4)](a, b, out, 256, 256, 512, M=64, N=64, K=32)

    step()
    run.result(out, (out - a.float() @ b.float()).abs().max())
    run.time(step)


@area.program()
def autotuned(run):
    from _triton import scaled

    x = _numbers(1 << 18)
    out = torch.empty_like(x)

    def step():
        scaled[lambda meta: ((x.numel() + meta["BLOCK"] - 1) // meta["BLOCK"],)](x, out, 3.0, x.numel())

    step()
    run.result(out)
    run.time(step)


@area.program()
def atomics_and_scan(run):
    from _triton import histogram, running_sum

    x = torch.arange(10_000, device="cuda", dtype=torch.int32)
    counts, sums = torch.zeros(64, device="cuda", dtype=torch.int32), torch.empty(1024, device="cuda", dtype=torch.int32)

    def step():
        histogram[(10,)](x, counts, x.numel(), BLOCK=1024)
        running_sum[(1,)](x, sums, BLOCK=1024)

    step()
    run.result(counts, sums)
    run.time(step)
