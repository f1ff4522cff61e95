# SPDX-License-Identifier: Apache-2.0
"""PyTorch: torch.distributed with one rank."""

import tempfile

from program import Area, package

torch = package("torch")
area = Area(("torch", "torchvision"), lambda _: torch.cuda.synchronize())


def _group(backend):
    torch.cuda.set_device(0)
    file = tempfile.NamedTemporaryFile(delete=False).name
    torch.distributed.init_process_group(backend, init_method=f"file://{file}", rank=0, world_size=1)


def _collectives(run, device):
    d = torch.distributed
    x = torch.arange(1 << 16, dtype=torch.float32, device=device)
    y, into = torch.empty_like(x), [torch.empty_like(x)]

    def step():
        d.all_reduce(x)
        d.broadcast(x, 0)
        d.all_gather(into, x)
        y.copy_(into[0])
        return y

    run.result(step())
    d.barrier()
    run.time(step)
    d.destroy_process_group()


@area.program()
def nccl_collectives(run):
    _group("nccl")
    _collectives(run, "cuda")


@area.program()
def gloo_collectives(run):
    _group("gloo")
    _collectives(run, "cuda")


def _network():
    torch.manual_seed(1)
    nn = torch.nn
    return nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 10)).cuda()


def _train(run, model):
    x, y = torch.randn(64, 256, device="cuda"), torch.arange(64, device="cuda") % 10
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)

    def step():
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    run.result(torch.stack([step() for _ in range(5)]))
    run.time(step)
    torch.distributed.destroy_process_group()


@area.program(tolerance=1e-4)
def data_parallel(run):
    _group("nccl")
    _train(run, torch.nn.parallel.DistributedDataParallel(_network(), device_ids=[0]))


@area.program(tolerance=1e-4)
def fsdp_of_one(run):
    from torch.distributed.fsdp import fully_shard

    _group("nccl")
    model = _network()
    for layer in model:
        if any(True for _ in layer.parameters()):
            fully_shard(layer)
    _train(run, fully_shard(model))
