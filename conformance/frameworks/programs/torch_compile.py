# SPDX-License-Identifier: Apache-2.0
"""PyTorch: torch.compile in each mode. The kernels are Triton's, compiled in the client."""

from program import Area, package

torch = package("torch")
area = Area(("torch", "torch._inductor.compile_fx", "torch._dynamo"), lambda _: torch.cuda.synchronize())


def _compiled(run, mode):
    torch.manual_seed(1)
    nn = torch.nn
    torch._inductor.config.compile_threads = 1
    model = nn.Sequential(nn.Linear(256, 512), nn.GELU(), nn.LayerNorm(512), nn.Linear(512, 256)).cuda().eval()
    x = torch.randn(256, 256, device="cuda")
    fast = torch.compile(model, mode=mode)
    with torch.no_grad():
        for _ in range(3):
            y = fast(x).clone()
        run.result(y)
        run.time(lambda: fast(x))


@area.program(tolerance=1e-3)
def default(run):
    _compiled(run, "default")


@area.program(tolerance=1e-3)
def reduce_overhead(run):
    _compiled(run, "reduce-overhead")


@area.program(tolerance=1e-3, alone=True)
def max_autotune(run):
    _compiled(run, "max-autotune")


@area.program(tolerance=1e-3)
def training(run):
    torch.manual_seed(2)
    nn = torch.nn
    torch._inductor.config.compile_threads = 1
    model = nn.Sequential(nn.Linear(128, 256), nn.SiLU(), nn.Linear(256, 10)).cuda()
    x, y = torch.randn(128, 128, device="cuda"), torch.arange(128, device="cuda") % 10
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    loss_of = torch.compile(lambda a, b: nn.functional.cross_entropy(model(a), b))

    def step():
        optimizer.zero_grad()
        loss = loss_of(x, y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    run.result(torch.stack([step() for _ in range(4)]))
    run.time(step)


@area.program(tolerance=1e-4)
def dynamic_shapes_and_reductions(run):
    torch._inductor.config.compile_threads = 1
    fast = torch.compile(lambda v: torch.softmax(v * 2 + 1, -1).cumsum(-1).sum(0), dynamic=True)
    torch.manual_seed(3)
    for rows in (16, 48, 100):
        run.result(fast(torch.randn(rows, 200, device="cuda")))
    x = torch.randn(64, 200, device="cuda")
    run.time(lambda: fast(x))
