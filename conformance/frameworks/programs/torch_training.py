# SPDX-License-Identifier: Apache-2.0
"""PyTorch: training steps of small networks."""

from program import Area, package

torch = package("torch")
area = Area(("torch", "torchvision"), lambda _: torch.cuda.synchronize())


def _train(run, model, optimizer, loss, steps=5):
    """The losses of a few steps, then the time of one more."""

    def step():
        optimizer.zero_grad(set_to_none=True)
        now = loss()
        now.backward()
        optimizer.step()
        return now.detach()

    run.result(torch.stack([step() for _ in range(steps)]).float())
    run.time(step)


def _layers(*layers):
    return torch.nn.Sequential(*layers).cuda()


@area.program(tolerance=2e-2)
def convnet(run):
    torch.manual_seed(1)
    import torchvision

    model = torchvision.models.resnet18(num_classes=10).cuda()
    x, y = torch.randn(16, 3, 64, 64, device="cuda"), torch.arange(16, device="cuda") % 10
    optimizer = torch.optim.SGD(model.parameters(), 0.01, momentum=0.9)
    _train(run, model, optimizer, lambda: torch.nn.functional.cross_entropy(model(x), y))


@area.program(tolerance=1e-3)
def transformer(run):
    torch.manual_seed(2)
    layer = torch.nn.TransformerEncoderLayer(256, 8, 512, dropout=0.0, batch_first=True)
    model = torch.nn.TransformerEncoder(layer, 3).cuda()
    x = torch.randn(8, 64, 256, device="cuda")
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
    _train(run, model, optimizer, lambda: (model(x) - x).square().mean())


@area.program(tolerance=1e-4)
def mlp_fused_adam(run):
    torch.manual_seed(3)
    nn = torch.nn
    model = _layers(nn.Linear(256, 512), nn.GELU(), nn.LayerNorm(512), nn.Linear(512, 10))
    x, y = torch.randn(512, 256, device="cuda"), torch.arange(512, device="cuda") % 10
    optimizer = torch.optim.Adam(model.parameters(), 1e-3, fused=True)
    _train(run, model, optimizer, lambda: nn.functional.cross_entropy(model(x), y))


@area.program(tolerance=1e-4)
def mlp_loss_read_each_step(run):
    torch.manual_seed(4)
    nn = torch.nn
    model = _layers(nn.Linear(128, 256), nn.ReLU(), nn.BatchNorm1d(256), nn.Linear(256, 1))
    x, y = torch.randn(256, 128, device="cuda"), torch.randn(256, 1, device="cuda")
    optimizer = torch.optim.SGD(model.parameters(), 1e-2)

    def step():
        optimizer.zero_grad()
        loss = (model(x) - y).square().mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.item()

    run.result(*[step() for _ in range(5)])
    run.time(step)


@area.program(tolerance=2e-2)
def amp_half_with_scaler(run):
    torch.manual_seed(5)
    nn = torch.nn
    model = _layers(
        nn.Conv2d(3, 32, 3, 2, 1), nn.ReLU(), nn.Conv2d(32, 64, 3, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(4096, 10)
    )
    x, y = torch.randn(32, 3, 32, 32, device="cuda"), torch.arange(32, device="cuda") % 10
    optimizer, scaler = torch.optim.SGD(model.parameters(), 0.01), torch.amp.GradScaler("cuda", init_scale=1024)

    def step():
        optimizer.zero_grad()
        with torch.autocast("cuda", torch.float16):
            loss = nn.functional.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        return loss.detach()

    run.result(torch.stack([step() for _ in range(5)]), scaler.get_scale())
    run.time(step)


@area.program(tolerance=3e-2)
def amp_bfloat16(run):
    torch.manual_seed(6)
    model = torch.nn.TransformerEncoderLayer(256, 4, 512, dropout=0.0, batch_first=True).cuda()
    x = torch.randn(8, 128, 256, device="cuda")
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4)

    def loss():
        with torch.autocast("cuda", torch.bfloat16):
            return (model(x) - x).square().mean()

    _train(run, model, optimizer, loss)


@area.program(tolerance=1e-3)
def checkpointed_layers(run):
    torch.manual_seed(7)
    from torch.utils.checkpoint import checkpoint

    nn = torch.nn
    model = nn.ModuleList(nn.Sequential(nn.Linear(512, 512), nn.Dropout(0.1), nn.Tanh()) for _ in range(6)).cuda()
    x = torch.randn(256, 512, device="cuda")
    optimizer = torch.optim.RMSprop(model.parameters(), 1e-4)

    def loss():
        y = x
        for layer in model:
            y = checkpoint(layer, y, use_reentrant=False)
        return y.square().mean()

    _train(run, model, optimizer, loss)


@area.program(tolerance=1e-3)
def lstm(run):
    torch.manual_seed(8)
    model = torch.nn.LSTM(64, 128, 2, batch_first=True, bidirectional=True).cuda()
    x = torch.randn(32, 50, 64, device="cuda")
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    _train(run, model, optimizer, lambda: model(x)[0].square().mean())


@area.program(tolerance=1e-3)
def gru_of_packed_sequences(run):
    torch.manual_seed(9)
    rnn = torch.nn.utils.rnn
    model = torch.nn.GRU(32, 64).cuda()
    x = rnn.pack_padded_sequence(torch.randn(40, 16, 32, device="cuda"), torch.arange(40, 24, -1))
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    _train(run, model, optimizer, lambda: model(x)[0].data.square().mean())


@area.program(tolerance=1e-2)
def conv3d(run):
    torch.manual_seed(10)
    nn = torch.nn
    model = _layers(nn.Conv3d(2, 16, 3, padding=1), nn.ReLU(), nn.MaxPool3d(2), nn.ConvTranspose3d(16, 2, 2, 2))
    x = torch.randn(4, 2, 16, 32, 32, device="cuda")
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    _train(run, model, optimizer, lambda: (model(x) - x).square().mean())


@area.program(tolerance=1e-2)
def grouped_and_dilated_conv(run):
    torch.manual_seed(11)
    nn = torch.nn
    model = _layers(
        nn.Conv2d(32, 32, 3, padding=1, groups=32), nn.SiLU(), nn.Conv2d(32, 64, 1), nn.Conv2d(64, 32, 3, padding=2, dilation=2, groups=4)
    )
    x = torch.randn(16, 32, 32, 32, device="cuda")
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    _train(run, model, optimizer, lambda: (model(x) - x).square().mean())


@area.program(tolerance=1e-3)
def embedding_bag(run):
    torch.manual_seed(12)
    model = torch.nn.EmbeddingBag(10_000, 64, mode="mean").cuda()
    words = torch.randint(0, 10_000, (4096,), device="cuda")
    starts = torch.arange(0, 4096, 16, device="cuda")
    optimizer = torch.optim.Adagrad(model.parameters(), 0.1)
    _train(run, model, optimizer, lambda: model(words, starts).square().mean())


@area.program(tolerance=2e-2)
def diffusion_unet(run):
    torch.manual_seed(13)
    from _networks import UNet

    model = UNet(3, 32).cuda()
    clean, noise = torch.randn(8, 3, 32, 32, device="cuda"), torch.randn(8, 3, 32, 32, device="cuda")
    at = torch.rand(8, device="cuda")
    mixed = clean * (1 - at)[:, None, None, None] + noise * at[:, None, None, None]
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
    _train(run, model, optimizer, lambda: (model(mixed, at) - noise).square().mean())


@area.program(tolerance=1e-3)
def second_derivatives(run):
    torch.manual_seed(14)
    nn = torch.nn
    model = _layers(nn.Linear(64, 128), nn.Tanh(), nn.Linear(128, 1))
    x = torch.randn(128, 64, device="cuda", requires_grad=True)

    def step():
        slope = torch.autograd.grad(model(x).sum(), x, create_graph=True)[0]
        loss = (slope.norm(dim=1) - 1).square().mean()
        return torch.autograd.grad(loss, list(model.parameters())[0])[0]

    run.result(step(), torch.func.vmap(torch.func.hessian(lambda v: model(v).sum()))(x.detach()[:4]))
    run.time(step)
