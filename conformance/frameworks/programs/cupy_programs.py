# SPDX-License-Identifier: Apache-2.0
"""CuPy: its libraries, kernels of a program's own, streams, graphs and pools."""

from program import Area, NotHere, package

cupy = package("cupy")
area = Area(("cupy", "cupyx.scipy.sparse.linalg"), lambda _: cupy.cuda.Device().synchronize())


def _normal(*shape):
    return cupy.random.RandomState(1).standard_normal(shape)


@area.program(tolerance=1e-7)
def linalg(run):
    a = _normal(48, 48)
    p = a @ a.T + 48 * cupy.eye(48)
    l = cupy.linalg

    def step():
        q, r = l.qr(a)
        u, s, v = l.svd(a)
        return q @ r, s, (u * s) @ v, l.cholesky(p), l.eigvalsh(p), l.inv(p), l.solve(p, a[:, :5])

    run.result(*step(), l.det(p / 48), l.norm(a), l.pinv(a[:, :9]), l.lstsq(a[:, :9], a[:, 9], rcond=None)[0], l.matrix_power(a, 3), l.matrix_rank(a))
    run.result(l.slogdet(p)[1], l.tensorsolve(p.reshape(6, 8, 48), a[:6, :8]))
    run.time(step)


@area.program(tolerance=1e-9)
def fft(run):
    x = _normal(16, 1000)
    f = cupy.fft

    def step():
        return f.ifft(f.fft(x)).real, f.irfft(f.rfft(x)), f.fft2(x)

    run.result(*step(), f.fftn(x.reshape(4, 4, 1000)), f.hfft(f.rfft(x)))
    run.time(step)


@area.program(tolerance=1e-6)
def raw_kernel(run):
    kernel = cupy.RawKernel(
        """
        extern "C" __global__ void wave(const float *x, float *y, int n) {
            __shared__ float part[128];
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            part[threadIdx.x] = i < n ? sinf(x[i]) : 0;
            __syncthreads();
            if (i < n) y[i] = part[threadIdx.x] + part[(threadIdx.x + 1) % 128];
        }""",
        "wave",
    )
    x = cupy.linspace(0, 10, 10_000, dtype=cupy.float32)
    y = cupy.empty_like(x)

    def step():
        kernel((79,), (128,), (x, y, cupy.int32(10_000)))

    step()
    run.result(y)
    run.time(step)


@area.program()
def raw_module_with_a_constant(run):
    module = cupy.RawModule(
        code="""
        __constant__ int factors[4];
        template <typename T> __global__ void scale(T *x, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) x[i] *= factors[i % 4];
        }""",
        options=("--std=c++17",),
        name_expressions=("scale<int>", "scale<double>"),
    )
    module.get_global("factors")
    factors = cupy.ndarray(4, cupy.int32, module.get_global("factors"))
    factors[...] = cupy.arange(1, 5, dtype=cupy.int32)
    x, y = cupy.arange(1000, dtype=cupy.int32), cupy.arange(1000, dtype=cupy.float64)
    module.get_function("scale<int>")((8,), (128,), (x, 1000))
    module.get_function("scale<double>")((8,), (128,), (y, 1000))
    run.result(x, y)
    run.time(lambda: module.get_function("scale<int>")((8,), (128,), (x, 1000)))


@area.program()
def module_of_nvcc(run):
    import shutil

    if not shutil.which("nvcc"):
        raise NotHere("needs nvcc")
    code = 'extern "C" __global__ void twice(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }'
    twice = cupy.RawModule(code=code, backend="nvcc").get_function("twice")
    x = cupy.arange(1000, dtype=cupy.float32)
    twice((8,), (128,), (x, cupy.int32(1000)))
    run.result(x)
    run.time(lambda: twice((8,), (128,), (x, cupy.int32(1000))))


@area.program(tolerance=1e-6)
def kernels_from_expressions(run):
    square = cupy.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "square")
    norm = cupy.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
    x, y = _normal(50_000), _normal(50_000) + 1
    fused = cupy.fuse()(lambda a, b: cupy.exp(-a * a) + b)

    def step():
        return square(x, y), norm(x), fused(x, y)

    run.result(*step())
    run.time(step)


@area.program(tolerance=1e-9)
def streams_and_events(run):
    x = _normal(512, 512)
    streams = [cupy.cuda.Stream(non_blocking=True) for _ in range(4)]
    cupy.cuda.Device().synchronize()

    def step():
        parts, events = [], []
        for i, stream in enumerate(streams):
            with stream:
                parts.append((x * i).sum(0))
                events.append(stream.record())
        for event in events:
            cupy.cuda.get_current_stream().wait_event(event)
        return cupy.stack(parts)

    run.result(step())
    run.time(step)


@area.program(tolerance=1e-9)
def graph(run):
    x, y = _normal(1000), cupy.empty(1000)
    stream = cupy.cuda.Stream(non_blocking=True)
    cupy.multiply(x, 2, out=y)
    cupy.cuda.Device().synchronize()
    with stream:
        stream.begin_capture()
        for _ in range(10):
            cupy.multiply(x, 2, out=y)
            cupy.add(y, 1, out=y)
        made = stream.end_capture()
    x *= 3
    cupy.cuda.Device().synchronize()
    made.launch(stream)
    stream.synchronize()
    run.result(y)
    run.time(lambda: made.launch(stream))


@area.program(tolerance=1e-9)
def managed_pool(run):
    pool = cupy.cuda.MemoryPool(cupy.cuda.malloc_managed)
    with cupy.cuda.using_allocator(pool.malloc):
        x = cupy.arange(100_000, dtype=cupy.float64)
        run.result(x.sum(), (x * 2)[-1], pool.used_bytes() >= 800_000)
        run.time(lambda: x * 2)


@area.program(tolerance=1e-9)
def asynchronous_pool(run):
    pool = cupy.cuda.MemoryAsyncPool()
    with cupy.cuda.using_allocator(pool.malloc):
        x = cupy.arange(100_000, dtype=cupy.float64)
        run.result(x.sum(), (x * 2)[-1])
        run.time(lambda: x * 2)


@area.program(tolerance=1e-6)
def sparse(run):
    sparse = package("cupyx.scipy.sparse")
    linalg = package("cupyx.scipy.sparse.linalg")
    n = 200
    m = sparse.diags([cupy.full(n - 1, -1.0), cupy.full(n, 4.0), cupy.full(n - 1, -1.0)], [-1, 0, 1], format="csr")
    right = cupy.linspace(0, 1, n)

    def step():
        return m @ right, linalg.spsolve(m, right), linalg.cg(m, right)[0]

    run.result(*step(), linalg.eigsh(m, k=4, return_eigenvectors=False), linalg.svds(m, k=3, return_singular_vectors=False), (m @ m).toarray(), m.T.tocsr().data)
    run.result(linalg.gmres(m, right)[0], linalg.norm(m), linalg.lsqr(m, right)[0])
    run.time(step)


@area.program()
def sorting_and_sets(run):
    x = (_normal(20_000) * 100).astype(cupy.int64)

    def step():
        return cupy.sort(x), cupy.argsort(x), cupy.unique(x), cupy.cumsum(x), cupy.bincount(x - x.min()), cupy.partition(x, 50)[:50].sum()

    run.result(*step(), cupy.searchsorted(cupy.sort(x), x[:20]), cupy.lexsort(cupy.stack([x, -x])))
    run.time(step)


@area.program()
def random_generators(run):
    r = cupy.random.default_rng(5)
    run.result(r.random(1000), r.standard_normal(1000), r.integers(0, 100, 1000), r.gamma(2.0, size=100))
    old = cupy.random.RandomState(3)
    run.result(old.rand(1000), old.permutation(100), old.poisson(3, 100))
    run.time(lambda: r.random(1000))


@area.program(tolerance=1e-7)
def images_and_signals(run):
    image, x = package("cupyx.scipy.ndimage"), _normal(64, 64)

    def step():
        return image.gaussian_filter(x, 2), image.rotate(x, 30), image.label(x > 0.5)[0], image.median_filter(x, 3)

    run.result(*step(), package("cupyx.scipy.signal").convolve2d(x, x[:5, :5]), package("cupyx.scipy.special").gammaln(cupy.abs(x) + 1))
    run.time(step)


@area.program()
def pinned_and_mapped_memory(run):
    import numpy

    memory = cupy.cuda.alloc_pinned_memory(8000)
    host = numpy.frombuffer(memory, numpy.float64, 1000)
    host[...] = numpy.arange(1000)
    x = cupy.empty(1000)

    def step():
        x.set(host)
        return x.get()

    run.result(step())
    run.time(step)
