# SPDX-License-Identifier: Apache-2.0
"""Programs with two GPUs: of one machine, or of two hosts that 'outboard serve --join' puts together."""

import os
import tempfile

from program import Area, NotHere, package

torch, cupy = package("torch"), package("cupy")


def _wait(_):
    for device in range(2):
        torch.cuda.synchronize(device)


area = Area(("torch",), _wait)


def _needs_two():
    if torch.cuda.device_count() < 2:
        raise NotHere("needs two GPUs")


class _Split:
    """A decoder whose first half of layers is on one device and the second on the other."""

    WIDTH, LAYERS, WORDS = 512, 8, 1000

    def __init__(self, devices):
        nn = torch.nn
        torch.manual_seed(1)
        self.embedding = nn.Embedding(self.WORDS, self.WIDTH)
        self.layers = [
            nn.TransformerEncoderLayer(self.WIDTH, 8, 2048, dropout=0.0, batch_first=True) for _ in range(self.LAYERS)
        ]
        self.head = nn.Linear(self.WIDTH, self.WORDS)
        self.embedding.to(devices[0])
        self.head.to(devices[1])
        for index, layer in enumerate(self.layers):
            layer.to(devices[index * 2 // self.LAYERS])
        self.devices = devices

    def logits(self, tokens):
        x = self.embedding(tokens.to(self.devices[0]))
        for layer in self.layers:
            x = layer(x.to(next(layer.parameters()).device))
        return self.head(x)

    def generate(self, tokens, count):
        with torch.no_grad():
            for _ in range(count):
                following = self.logits(tokens)[:, -1].argmax(-1, keepdim=True)
                tokens = torch.cat((tokens, following.to(tokens.device)), 1)
        return tokens


@area.program()
def model_split_over_both(run):
    """The tokens are those of the model on one device."""
    _needs_two()
    prompt = torch.arange(16, device="cuda:0").reshape(2, 8)
    tokens = _Split(("cuda:0", "cuda:1")).generate(prompt, 24)
    alone = _Split(("cuda:0", "cuda:0")).generate(prompt, 24)
    if not torch.equal(tokens, alone):
        raise AssertionError("the tokens of two devices are not those of one")
    run.result(tokens)
    split = _Split(("cuda:0", "cuda:1"))
    run.time(lambda: split.generate(prompt, 1))


@area.program(tolerance=1e-5)
def training_of_a_split_model(run):
    _needs_two()
    torch.manual_seed(2)
    first = torch.nn.Linear(256, 512).to("cuda:0")
    second = torch.nn.Linear(512, 10).to("cuda:1")
    x, y = torch.randn(64, 256, device="cuda:0"), (torch.arange(64) % 10).to("cuda:1")
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], 0.01)

    def step():
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(second(torch.relu(first(x)).to("cuda:1")), y)
        loss.backward()
        optimizer.step()
        return loss

    for _ in range(20):
        loss = step()
    run.result(loss)
    run.time(step)


@area.program()
def copies_between_devices(run):
    _needs_two()
    x = torch.arange(1 << 24, dtype=torch.float32, device="cuda:0")
    y = torch.empty_like(x, device="cuda:1")
    small, small_there = x[:256], y[:256]
    small_there.copy_(small)
    y.copy_(x, non_blocking=True)
    back = y.to("cuda:0") + 1
    run.result(back, small_there)
    run.time(lambda: y.copy_(x, non_blocking=True))


@area.program()
def events_between_devices(run):
    _needs_two()
    there, here = torch.cuda.Stream("cuda:1"), torch.cuda.Stream("cuda:0")
    x = torch.ones(1 << 20, device="cuda:0")
    y = torch.zeros(1 << 20, device="cuda:1")

    def step():
        with torch.cuda.stream(here):
            for _ in range(10):
                x.mul_(1.0001)
            done = here.record_event()
        with torch.cuda.stream(there):
            there.wait_event(done)
            y.add_(x.to("cuda:1", non_blocking=True))
        here.wait_stream(there)
        return y

    _wait(None)
    for _ in range(5):
        step()
    _wait(None)
    run.result(y)
    run.time(step)


@area.program()
def cupy_on_both(run):
    _needs_two()
    sums = []
    for device in range(2):
        with cupy.cuda.Device(device):
            x = cupy.arange(1 << 20, dtype=cupy.float64)
            sums.append(x.sum() * (device + 1))
    with cupy.cuda.Device(0):
        run.result(sums[0], cupy.asarray(sums[1]))


@area.program(tolerance=1e-5, alone=True)
def data_parallel(run):
    _needs_two()
    torch.manual_seed(3)
    network = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)).cuda()
    model = torch.nn.DataParallel(network, [0, 1])
    x = torch.randn(128, 256, device="cuda:0")
    loss = model(x).square().mean()
    loss.backward()
    run.result(loss, network[0].weight.grad)
    run.time(lambda: model(x))


def _rank(number, file, into):
    torch.cuda.set_device(number)
    torch.distributed.init_process_group("nccl", init_method=f"file://{file}", rank=number, world_size=2)
    x = torch.full((1 << 20,), float(number + 1), device="cuda")
    torch.distributed.all_reduce(x)
    if number == 0:
        torch.save(x.cpu(), into)
    torch.distributed.destroy_process_group()


@area.program(alone=True)
def nccl_of_two_processes(run):
    _needs_two()
    with tempfile.TemporaryDirectory() as folder:
        into = os.path.join(folder, "sum")
        torch.multiprocessing.spawn(_rank, (os.path.join(folder, "meeting"), into), nprocs=2)
        run.result(torch.load(into))
