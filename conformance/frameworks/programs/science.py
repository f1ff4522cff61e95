# SPDX-License-Identifier: Apache-2.0
"""Programs of scientists: Gaussian processes, differential equations, graph networks."""

from program import Area, package

torch = package("torch")
area = Area(("torch", "gpytorch", "torch_geometric.nn", "torchdiffeq"), lambda _: torch.cuda.synchronize())


def _points(count=200):
    torch.manual_seed(1)
    x = torch.linspace(0, 1, count, device="cuda", dtype=torch.float64)
    return x, torch.sin(12 * x) + 0.1 * torch.randn(count, device="cuda", dtype=torch.float64)


@area.program(tolerance=1e-6)
def gaussian_process(run):
    x, y = _points()
    scale = torch.tensor([-2.0, 0.0, -3.0], device="cuda", dtype=torch.float64, requires_grad=True)

    def loss():
        length, signal, noise = scale.exp()
        k = signal * torch.exp(-((x[:, None] - x) ** 2) / (2 * length**2)) + noise * torch.eye(len(x), device="cuda")
        c = torch.linalg.cholesky(k)
        return 0.5 * y @ torch.cholesky_solve(y[:, None], c).squeeze() + c.diagonal().log().sum()

    def step():
        value = loss()
        return value.detach(), torch.autograd.grad(value, scale)[0]

    run.result(*step())
    run.time(step)


@area.program(tolerance=1e-3)
def gpytorch_training(run):
    import gpytorch

    x, y = _points()

    class Model(gpytorch.models.ExactGP):
        def __init__(self, likelihood):
            super().__init__(x, y, likelihood)
            self.mean = gpytorch.means.ConstantMean()
            self.cover = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())

        def forward(self, at):
            return gpytorch.distributions.MultivariateNormal(self.mean(at), self.cover(at))

    likelihood = gpytorch.likelihoods.GaussianLikelihood().cuda().double()
    model = Model(likelihood).cuda().double().train()
    optimizer = torch.optim.Adam(model.parameters(), 0.1)
    marginal = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)

    def step():
        optimizer.zero_grad()
        loss = -marginal(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    run.result(torch.stack([step() for _ in range(5)]))
    run.time(step)


def _flow(t, v):
    return torch.stack((v[:, 1], (1 - v[:, 0] ** 2) * v[:, 1] - v[:, 0]), 1)


@area.program(tolerance=1e-6)
def runge_kutta(run):
    start = torch.stack(_points(256), 1)

    def step():
        v, h = start, 0.05
        for i in range(40):
            a = _flow(i * h, v)
            b = _flow(i * h + h / 2, v + a * h / 2)
            c = _flow(i * h + h / 2, v + b * h / 2)
            v = v + h / 6 * (a + 2 * b + 2 * c + _flow(i * h + h, v + c * h))
        return v

    run.result(step())
    run.time(step)


@area.program(tolerance=1e-5)
def torchdiffeq_adaptive(run):
    from torchdiffeq import odeint

    start, at = torch.stack(_points(64), 1), torch.linspace(0, 2, 5, device="cuda", dtype=torch.float64)

    def step():
        return odeint(_flow, start, at, rtol=1e-5, atol=1e-6)

    run.result(step())
    run.time(step)


def _edges(nodes=500, edges=4000):
    torch.manual_seed(2)
    return torch.randint(0, nodes, (2, edges), device="cuda"), torch.randn(nodes, 32, device="cuda")


@area.program(tolerance=1e-3)
def graph_network_of_scatters(run):
    (a, b), x = _edges()
    first, second = torch.nn.Linear(64, 64).cuda(), torch.nn.Linear(64, 8).cuda()
    optimizer = torch.optim.Adam([*first.parameters(), *second.parameters()], 1e-3)

    def layer(net, v):
        gathered = torch.zeros_like(v).index_add(0, b, v[a])
        return net(torch.cat((v, gathered), 1))

    def step():
        optimizer.zero_grad()
        y = torch.relu(layer(first, x))
        loss = layer(second, y[:, :32]).square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    run.result(torch.stack([step() for _ in range(4)]))
    run.time(step)


@area.program(tolerance=1e-3)
def graph_network_of_pyg(run):
    from torch_geometric.nn import GATConv, GCNConv, global_mean_pool

    edges, x = _edges()
    first, second = GCNConv(32, 64).cuda(), GATConv(64, 8, heads=2).cuda()
    group = torch.arange(500, device="cuda") // 50

    def step():
        y = global_mean_pool(second(torch.relu(first(x, edges)), edges), group)
        return y.detach(), torch.autograd.grad(y.square().mean(), first.lin.weight)[0]

    run.result(*step())
    run.time(step)


@area.program(tolerance=1e-4)
def molecular_dynamics(run):
    torch.manual_seed(3)
    place = torch.cartesian_prod(*[torch.arange(6, device="cuda", dtype=torch.float64)] * 3) * 1.2
    start = place + 0.01 * torch.randn_like(place)

    def force(x):
        d = x[:, None] - x
        r2 = d.square().sum(-1) + torch.eye(len(x), device="cuda") * 1e9
        return (d * (48 * r2**-7 - 24 * r2**-4)[..., None]).sum(1)

    def step():
        x, v = start, torch.zeros_like(start)
        for _ in range(20):
            v = v + 0.001 * force(x)
            x = x + 0.001 * v
        return x, v

    run.result(*step())
    run.time(step)


@area.program(tolerance=1e-3)
def spectrogram_and_speech_features(run):
    import torchaudio

    torch.manual_seed(4)
    x = torch.randn(2, 16_000, device="cuda")
    mel = torchaudio.transforms.MelSpectrogram(16_000, 400, n_mels=40).cuda()
    run.result(mel(x), torchaudio.functional.resample(x, 16_000, 8_000))
    run.time(lambda: mel(x))
