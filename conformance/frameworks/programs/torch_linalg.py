# SPDX-License-Identifier: Apache-2.0
"""PyTorch: every public function of torch.linalg."""

from program import Area, package

torch = package("torch")
area = Area(("torch", "torchvision"), lambda _: torch.cuda.synchronize())


def _matrix(size=64, dtype="float64", batch=()):
    torch.manual_seed(size)
    return torch.randn(*batch, size, size, device="cuda", dtype=getattr(torch, dtype))


def _positive(*args, **named):
    a = _matrix(*args, **named)
    return a @ a.mT + a.shape[-1] * torch.eye(a.shape[-1], device="cuda", dtype=a.dtype)


@area.program(tolerance=1e-8)
def factorisations(run):
    a, p = _matrix(), _positive()
    symmetric = a + a.mT

    def step():
        q, r = torch.linalg.qr(a)
        l, lu_pivots = torch.linalg.lu_factor(a)
        ld, pivots, info = torch.linalg.ldl_factor_ex(symmetric)
        return r.abs(), (q @ r), l, lu_pivots, ld, torch.linalg.cholesky(p), torch.linalg.cholesky_ex(p)[0], *torch.linalg.lu(a)

    run.result(*step())
    run.result(torch.linalg.lu_factor_ex(a)[0], torch.linalg.ldl_factor(symmetric)[0])
    run.time(step)


@area.program(tolerance=1e-6)
def eigenvalues(run):
    a, p = _matrix(32), _positive(32)

    def step():
        values = torch.linalg.eig(a)[0]
        return values.abs().sort()[0], torch.linalg.eigh(p)[0], torch.linalg.eigvalsh(p)

    values, vectors = torch.linalg.eigh(p)
    run.result(*step(), torch.linalg.eigvals(a).real.sort()[0], vectors @ torch.diag(values) @ vectors.mT)
    run.time(step)


@area.program(tolerance=1e-7)
def singular_values(run):
    a, tall, many = _matrix(), _matrix()[:, :20].contiguous(), _matrix(16, batch=(8,))

    def step():
        u, s, v = torch.linalg.svd(a)
        return s, (u * s) @ v, torch.linalg.svdvals(many), torch.linalg.pinv(tall)

    run.result(*step(), torch.linalg.matrix_rank(a), torch.linalg.lstsq(tall, a).solution, torch.linalg.pinv(_positive(), hermitian=True))
    for driver in ("gesvd", "gesvdj", "gesvda"):
        run.result(torch.linalg.svdvals(a, driver=driver))
    run.time(step)


@area.program(tolerance=1e-8)
def solutions(run):
    a, p, many = _matrix(), _positive(), _positive(16, batch=(32,))
    rights = torch.randn(64, 5, device="cuda", dtype=torch.float64)

    def step():
        lu = torch.linalg.lu_factor(a)
        return (
            torch.linalg.solve(a, rights),
            torch.linalg.inv(many),
            torch.linalg.lu_solve(*lu, rights),
            torch.cholesky_solve(rights, torch.linalg.cholesky(p)),
            torch.linalg.solve_triangular(p.triu(), rights, upper=True),
        )

    run.result(*step())
    run.result(torch.linalg.det(a / 8), *torch.linalg.slogdet(p), torch.linalg.solve_ex(a, rights)[0], torch.linalg.inv_ex(a)[0])
    run.result(torch.linalg.ldl_solve(*torch.linalg.ldl_factor(p), rights), torch.cholesky_inverse(torch.linalg.cholesky(p)))
    run.time(step)


@area.program(tolerance=1e-7)
def functions_of_matrices(run):
    a = _matrix() / 32

    def step():
        return torch.linalg.matrix_exp(a), torch.linalg.matrix_power(a, 5), torch.linalg.multi_dot([a, a[:, :8], a[:8]])

    run.result(*step(), torch.linalg.matrix_norm(a), torch.linalg.matrix_norm(a, 2), torch.linalg.matrix_norm(a, "nuc"))
    run.result(torch.linalg.norm(a, 1), torch.linalg.vector_norm(a, 3), torch.linalg.cond(a), torch.linalg.cond(a, 1))
    run.result(torch.linalg.cross(a[:, :3], a[:, 3:6]), torch.linalg.vecdot(a, a), torch.linalg.diagonal(a), torch.linalg.vander(a[0, :6]))
    run.result(torch.linalg.matmul(a, a), torch.linalg.householder_product(a[:, :8], a[0, :8]))
    small = _matrix(24).reshape(4, 6, 8, 3)
    run.result(torch.linalg.tensorinv(small), torch.linalg.tensorsolve(small, a[:4, :6]))
    run.time(step)


@area.program(tolerance=1e-4)
def single_precision_and_complex(run):
    p, c = _positive(48, "float32"), _matrix(32, "complex128")

    def step():
        return torch.linalg.cholesky(p), torch.linalg.eigvalsh(c + c.mH), torch.linalg.solve(c, c[:, :3]), torch.linalg.svdvals(c)

    run.result(*step(), torch.linalg.eigvals(c).abs().sort()[0])
    run.time(step)


@area.program(tolerance=1e-6)
def gradients(run):
    p = _positive(32).requires_grad_()

    def step():
        value = torch.linalg.eigvalsh(p).log().sum() + torch.linalg.slogdet(p)[1] + torch.linalg.cholesky(p).sum() + torch.linalg.svdvals(p).sum()
        return torch.autograd.grad(value, p)[0]

    run.result(step())
    run.time(step)


@area.program(tolerance=1e-3)
def magma_and_other_backends(run):
    a = _positive(128, "float32")
    for name in ("cusolver", "magma", "default"):
        torch.backends.cuda.preferred_linalg_library(name)
        run.result(torch.linalg.eigvalsh(a), torch.linalg.inv(a))
    for name in ("cublas", "cublaslt"):
        torch.backends.cuda.preferred_blas_library(name)
        run.result(torch.nn.functional.linear(a, a, a[0]))
    run.time(lambda: torch.linalg.inv(a))
