# SPDX-License-Identifier: Apache-2.0
"""Numba: kernels written in Python."""

from program import Area, package

numpy = package("_numpy_of_numba")
area = Area(("_numpy_of_numba", "numba.cuda"), lambda _: package("numba.cuda").synchronize())


@area.program()
def kernel(run):
    from numba import cuda

    @cuda.jit
    def double(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] = i * 2 + 1

    x = cuda.to_device(numpy.zeros(10_000, numpy.float32))

    def step():
        double[79, 128](x)

    step()
    run.result(x)
    run.time(step)


@area.program(tolerance=1e-5)
def product_in_shared_memory(run):
    from numba import cuda, float32

    @cuda.jit
    def product(a, b, c):
        left, right = cuda.shared.array((16, 16), float32), cuda.shared.array((16, 16), float32)
        i, j = cuda.grid(2)
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        total = float32(0)
        for k in range(a.shape[1] // 16):
            left[x, y], right[x, y] = a[i, y + k * 16], b[x + k * 16, j]
            cuda.syncthreads()
            for n in range(16):
                total += left[x, n] * right[n, y]
            cuda.syncthreads()
        c[i, j] = total

    a = numpy.sin(numpy.arange(128 * 128, dtype=numpy.float32)).reshape(128, 128)
    x, y, out = cuda.to_device(a), cuda.to_device(a.T.copy()), cuda.device_array((128, 128), numpy.float32)

    def step():
        product[(8, 8), (16, 16)](x, y, out)

    step()
    run.result(out)
    run.time(step)


@area.program()
def atomics(run):
    from numba import cuda

    @cuda.jit
    def histogram(x, counts):
        i = cuda.grid(1)
        if i < x.size:
            cuda.atomic.add(counts, x[i] % 64, 1)
            cuda.atomic.max(counts, 64, x[i])

    x, counts = cuda.to_device(numpy.arange(10_000, dtype=numpy.int32)), cuda.to_device(numpy.zeros(65, numpy.int32))
    histogram[40, 256](x, counts)
    run.result(counts)
    run.time(lambda: histogram[40, 256](x, counts))


@area.program(tolerance=1e-9)
def reduction_and_ufunc(run):
    from numba import cuda, vectorize

    total = cuda.reduce(lambda a, b: a + b)

    @vectorize(["float64(float64, float64)"], target="cuda")
    def mix(a, b):
        return a * 2 + b

    x = cuda.to_device(numpy.linspace(0, 1, 10_000))
    run.result(total(x), mix(x, x))
    run.time(lambda: total(x))


@area.program()
def streams_and_pinned_arrays(run):
    from numba import cuda

    @cuda.jit
    def plus(x, by):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += by

    streams = [cuda.stream() for _ in range(4)]
    host = [cuda.pinned_array(1000, numpy.float32) for _ in streams]
    for i, h in enumerate(host):
        h[:] = i

    def step():
        for i, (stream, h) in enumerate(zip(streams, host)):
            x = cuda.to_device(h, stream=stream)
            plus[8, 128, stream](x, 1)
            x.copy_to_host(h, stream=stream)
        cuda.synchronize()

    step()
    run.result(*[h.copy() for h in host])
    run.time(step)


@area.program()
def managed_arrays(run):
    from numba import cuda

    @cuda.jit
    def plus(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] += 1

    x = cuda.managed_array(1000, numpy.float32)
    x[:] = numpy.arange(1000)
    plus[8, 128](x)
    cuda.synchronize()
    run.result(x.copy())
    run.time(lambda: plus[8, 128](x))


@area.program()
def random_numbers_and_cooperative_groups(run):
    from numba import cuda
    from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

    @cuda.jit
    def pi(states, out):
        i = cuda.grid(1)
        inside = 0
        for _ in range(100):
            x, y = xoroshiro128p_uniform_float32(states, i), xoroshiro128p_uniform_float32(states, i)
            if x * x + y * y <= 1:
                inside += 1
        out[i] = inside
        cuda.cg.this_grid().sync()

    states, out = create_xoroshiro128p_states(1024, 1), cuda.device_array(1024, numpy.int32)
    pi[8, 128](states, out)
    run.result(out)
    run.time(lambda: pi[8, 128](states, out))
