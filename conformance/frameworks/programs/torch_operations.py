# SPDX-License-Identifier: Apache-2.0
"""PyTorch: indexing, sorting, random numbers, sparse and quantised matrices."""

from program import Area, NotHere, package

torch = package("torch")
area = Area(("torch", "torchvision"), lambda _: torch.cuda.synchronize())


def _numbers(*shape):
    torch.manual_seed(1)
    return torch.randn(*shape, device="cuda")


@area.program(tolerance=1e-4)
def scatter_and_index(run):
    x, at = _numbers(4096, 16), torch.arange(4096, device="cuda") * 7 % 100

    def step():
        zeros = torch.zeros(100, 16, device="cuda")
        return (
            zeros.index_add(0, at, x),
            zeros.scatter_reduce(0, at[:, None].expand_as(x), x, "amax"),
            x[at],
            x[x[:, 0] > 0].sum(0),
            x.gather(1, (at[:, None] % 16)),
            zeros.index_put((at[:100],), x[:100], accumulate=True),
        )

    run.result(*step())
    run.time(step)


@area.program()
def unique_sort_and_topk(run):
    x = (_numbers(100_000) * 1000).long()

    def step():
        values, counts = torch.unique(x, return_counts=True)
        return values, counts, x.sort()[0], x.topk(100)[0], x.argsort(stable=True), x.kthvalue(500)[0], x.median(), x.mode()[0]

    run.result(*step(), torch.unique_consecutive(x[:1000] // 500), torch.searchsorted(x.sort()[0], x[:100]))
    run.time(step)


@area.program()
def random_generators(run):
    def step():
        g = torch.Generator("cuda").manual_seed(42)
        x = torch.empty(10_000, device="cuda")
        return [
            torch.randn(10_000, device="cuda", generator=g),
            torch.randperm(5000, device="cuda", generator=g),
            torch.multinomial(torch.ones(100, device="cuda"), 50, generator=g),
            torch.bernoulli(torch.full((1000,), 0.3, device="cuda"), generator=g),
            x.exponential_(generator=g).clone(),
            x.cauchy_(generator=g).clone(),
            torch.poisson(torch.full((1000,), 4.0, device="cuda"), generator=g),
        ]

    run.result(*step())
    state = torch.cuda.get_rng_state()
    first = torch.rand(10, device="cuda")
    torch.cuda.set_rng_state(state)
    run.result(first - torch.rand(10, device="cuda"))
    torch.manual_seed(3)
    run.result(torch.distributions.Gamma(torch.ones(500, device="cuda") * 2, 1.0).sample())
    run.time(step)


@area.program(tolerance=1e-4)
def scans_and_reductions(run):
    x = _numbers(200, 1000)

    def step():
        return x.cumsum(1), x.cumprod(0)[:5], x.logcumsumexp(1), x.std(0), x.var(), x.logsumexp(0), x.amax(1), x.argmax(1), x.norm(), x.prod(1)[:3]

    run.result(*step(), torch.histc(x, 50), torch.bincount((x.abs() * 10).long().ravel()), x.quantile(0.3, dim=1), x.count_nonzero())
    run.time(step)


@area.program(tolerance=1e-3)
def products(run):
    x, y = _numbers(8, 64, 48), _numbers(8, 48, 32)

    def step():
        return x @ y, torch.einsum("bij,bjk,bil->kl", x, y, x), torch.baddbmm(x @ y, x, y), torch.nn.functional.bilinear(x[0], x[0], _numbers(5, 48, 48))

    run.result(*step(), torch.cdist(x, x), torch.tensordot(x, y, ([2], [1])), torch.kron(x[0, :4, :4], y[0, :4, :4]))
    run.time(step)


@area.program(tolerance=1e-4)
def images(run):
    f, x = torch.nn.functional, _numbers(4, 3, 32, 32)

    def step():
        grid = f.affine_grid(torch.tensor([[[0.8, 0.2, 0], [-0.2, 0.8, 0.1]]], device="cuda").expand(4, 2, 3), x.shape, align_corners=False)
        return (
            f.interpolate(x, scale_factor=1.7, mode="bicubic"),
            f.grid_sample(x, grid, align_corners=False),
            f.adaptive_avg_pool2d(x, 5),
            f.max_pool2d(x, 3, return_indices=True)[1],
            f.pixel_shuffle(_numbers(2, 12, 8, 8), 2),
            f.unfold(x, 3),
            f.fold(f.unfold(x, 3), (32, 32), 3),
        )

    run.result(*step())
    run.time(step)


@area.program(tolerance=1e-4)
def detection(run):
    import torchvision

    boxes = _numbers(500, 4).abs()
    boxes[:, 2:] += boxes[:, :2] + 0.5
    scores, features = _numbers(500), _numbers(1, 8, 32, 32)
    ops = torchvision.ops

    def step():
        return ops.nms(boxes, scores, 0.3), ops.roi_align(features, [boxes * 4], 7), ops.box_iou(boxes, boxes)

    run.result(*step())
    run.time(step)


@area.program(tolerance=1e-3)
def losses(run):
    f, x = torch.nn.functional, _numbers(50, 8, 20)
    target = torch.randint(1, 20, (8, 10), device="cuda")

    def step():
        log = x.log_softmax(2).requires_grad_()
        length, other = torch.full((8,), 50, device="cuda"), torch.full((8,), 10, device="cuda")
        ctc = f.ctc_loss(log, target, length, other)
        return ctc.detach(), torch.autograd.grad(ctc, log)[0], f.kl_div(x, x.softmax(2)), f.huber_loss(x, x * 0), f.cosine_similarity(x, x + 1)

    run.result(*step())
    run.time(step)


@area.program(tolerance=1e-4)
def sparse_matrices(run):
    dense = _numbers(512, 512) * (_numbers(512, 512) > 1)
    right = _numbers(512, 32)
    coo, csr = dense.to_sparse(), dense.to_sparse_csr()

    def step():
        return torch.sparse.mm(coo, right), csr @ right, torch.sparse.sum(coo, 0).to_dense()

    run.result(*step(), (coo + coo).coalesce().values(), torch.sparse.softmax(coo, 1).to_dense(), (csr @ csr).to_dense())
    run.result(torch.sparse.sampled_addmm(csr, right, right.mT.contiguous()).values(), coo.coalesce().indices())
    run.time(step)


@area.program(tolerance=1e-2)
def two_of_four_sparse(run):
    from torch.sparse import to_sparse_semi_structured

    weight = _numbers(256, 256).half()
    weight[:, 0::4] = weight[:, 1::4] = 0
    packed, x = to_sparse_semi_structured(weight), _numbers(256, 128).half()
    run.result(packed @ x)
    run.time(lambda: packed @ x)


@area.program()
def int8_products(run):
    a, b = (_numbers(128, 256) * 20).to(torch.int8), (_numbers(256, 64) * 20).to(torch.int8)
    run.result(torch._int_mm(a, b))
    run.time(lambda: torch._int_mm(a, b))


@area.program(tolerance=1e-3)
def dynamic_int8_layer(run):
    weight, x = _numbers(256, 512), _numbers(64, 512)
    scale = weight.abs().amax(1, keepdim=True) / 127
    whole = (weight / scale).round().to(torch.int8)

    def step():
        by = x.abs().amax(1, keepdim=True) / 127
        return torch._int_mm((x / by).round().to(torch.int8), whole.mT.contiguous()).float() * by * scale.mT

    run.result(step())
    run.time(step)


@area.program(tolerance=1e-3)
def quantisation_aware(run):
    q = torch.ao.quantization
    torch.manual_seed(2)
    model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 8)).train()
    model.qconfig = q.get_default_qat_qconfig("fbgemm")
    model = q.prepare_qat(model).cuda()
    x = _numbers(32, 64)

    def step():
        model.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        return loss.detach(), model[0].weight.grad

    run.result(*step(), *step())
    run.time(step)


@area.program(tolerance=1e-2)
def float8_products(run):
    if torch.cuda.get_device_capability() < (8, 9):
        raise NotHere("needs a device with float8")
    a, b = _numbers(128, 256).to(torch.float8_e4m3fn), _numbers(64, 256).to(torch.float8_e4m3fn).t()
    one = torch.ones((), device="cuda")
    run.result(torch._scaled_mm(a, b, one, one, out_dtype=torch.bfloat16))
    run.time(lambda: torch._scaled_mm(a, b, one, one, out_dtype=torch.bfloat16))


@area.program()
def whole_numbers_and_masks(run):
    x = torch.arange(10_000, device="cuda")

    def step():
        return (
            torch.where(x % 3 == 0, x, -x),
            (x ^ 12345) << 2,
            torch.gcd(x, torch.tensor(360, device="cuda")),
            x.masked_fill(x > 500, 7),
            torch.nonzero(x % 97 == 0),
            x.masked_select(x % 11 == 3),
            torch.cartesian_prod(x[:20], x[:20]),
            x.roll(3).flip(0).view(100, 100).tril(),
        )

    run.result(*step())
    run.time(step)


@area.program(tolerance=1e-5)
def special_functions(run):
    x = _numbers(50_000).abs() + 0.1
    s = torch.special

    def step():
        return s.gammaln(x), s.digamma(x), s.erfinv(x.clamp(max=0.9)), s.i0(x), s.bessel_j0(x), s.zeta(x + 1.1, x), s.ndtri(x.clamp(max=0.9))

    run.result(*step())
    run.time(step)


@area.program()
def jagged_tensors(run):
    parts = [torch.arange(n, dtype=torch.float32, device="cuda").view(n, 1).expand(n, 8).contiguous() for n in (3, 7, 1)]
    nested = torch.nested.nested_tensor(parts, layout=torch.jagged)
    run.result((nested * 2).values(), torch.nested.to_padded_tensor(nested, 0.0))
    run.time(lambda: nested * 2)
