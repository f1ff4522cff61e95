# SPDX-License-Identifier: Apache-2.0
"""JAX: transformations, loops under jit, factorisations."""

from program import Area, NotHere, package

jax = package("jax")
jnp = package("jax.numpy")
lax = package("jax.lax")
area = Area(("jax", "jax.numpy", "jax.scipy.linalg"), lambda value: jax.block_until_ready(value))


def _normal(seed, *shape):
    return jax.random.normal(jax.random.key(seed), shape)


def _positive(size=64):
    a = _normal(0, size, size)
    return a @ a.T + size * jnp.eye(size)


def _compiled(run, function, *arguments):
    """Four calls, as XLA records a command buffer at the first and updates it later."""
    compiled = jax.jit(function)
    for _ in range(4):
        value = compiled(*[argument + 0 for argument in arguments])
    run.result(*jax.tree_util.tree_leaves(value))
    run.time(lambda: compiled(*arguments))


@area.program(tolerance=1e-3)
def jit_of_products(run):
    _compiled(run, lambda a, b: jnp.tanh(a @ b).sum(0), _normal(1, 512, 512), _normal(2, 512, 512))


@area.program(tolerance=1e-3)
def gradient_of_a_network(run):
    def loss(weights, x):
        for w in weights:
            x = jnp.tanh(x @ w)
        return jnp.mean(x**2)

    weights = jnp.stack([_normal(i, 128, 128) / 11 for i in range(4)])
    _compiled(run, jax.value_and_grad(loss), weights, _normal(9, 64, 128))


@area.program(tolerance=1e-3)
def vmap_of_solve(run):
    _compiled(run, jax.vmap(jnp.linalg.solve), jnp.stack([_positive(32)] * 8), _normal(3, 8, 32, 2))


@area.program(tolerance=1e-3)
def jacobians(run):
    _compiled(run, jax.jacfwd(jax.jacrev(lambda x: jnp.sum(jnp.sin(x) ** 3) + jnp.prod(x[:4]))), _normal(4, 32))


@area.program(tolerance=1e-3)
def scan(run):
    a = _normal(0, 64, 64) / 8

    def step(c, i):
        c = jnp.tanh(a @ c + i)
        return c, c.sum()

    _compiled(run, lambda x: lax.scan(step, x, jnp.arange(20.0)), _normal(1, 64))


@area.program(tolerance=1e-3)
def while_loop_on_data(run):
    _compiled(run, lambda x: lax.while_loop(lambda v: v.sum() > 1.0, lambda v: v * 0.9, x), jnp.linspace(0.1, 1.0, 64))


@area.program(tolerance=1e-3)
def cond_and_switch(run):
    def work(x):
        first = lax.cond(x.sum() > 0, lambda v: jnp.sin(v), lambda v: v * 2, x)
        return first, lax.switch((x.sum() * 0 + 1).astype(int), [lambda v: v + 1, lambda v: v * 3, lambda v: v], x)

    _compiled(run, work, jnp.linspace(0.1, 1.0, 64))


@area.program(tolerance=1e-3)
def gradient_of_scan(run):
    a = _normal(0, 32, 32) / 8
    _compiled(run, jax.grad(lambda x: lax.scan(lambda c, i: (jnp.tanh(a @ c + i), c.sum()), x, jnp.arange(10.0))[0].sum()), _normal(1, 32))


@area.program(tolerance=1e-3)
def eigh(run):
    def work(m):
        values, vectors = jnp.linalg.eigh(m)
        return values, vectors @ jnp.diag(values) @ vectors.T

    _compiled(run, work, _positive())


@area.program(tolerance=1e-3)
def factorisations(run):
    linalg = jax.scipy.linalg

    def work(m):
        q, r = jnp.linalg.qr(m)
        u, s, v = jnp.linalg.svd(m)
        c = linalg.cholesky(m, lower=True)
        return q @ r, s, (u * s) @ v, c, linalg.cho_solve((c, True), m[:, 0]), linalg.lu(m)[2], linalg.solve_triangular(c, m[:, 1], lower=True)

    _compiled(run, work, _positive())


@area.program(tolerance=1e-2)
def functions_of_matrices(run):
    def work(m):
        m = m / 200
        linalg = jax.scipy.linalg
        return linalg.expm(m), jnp.linalg.inv(m), jnp.linalg.slogdet(m)[1], jnp.linalg.lstsq(m, m[:, 0])[0], jnp.linalg.pinv(m), linalg.toeplitz(m[0])

    _compiled(run, work, _positive(32))


@area.program(tolerance=1e-3)
def fft_and_convolution(run):
    def work(x, kernel):
        y = lax.conv_general_dilated(x, kernel, (1, 1), "SAME")
        return jnp.abs(jnp.fft.fft2(x)), jnp.fft.irfft(jnp.fft.rfft(x)), y

    _compiled(run, work, _normal(1, 4, 3, 32, 32), _normal(2, 8, 3, 3, 3))


@area.program()
def sort_and_segments(run):
    def work(x):
        at = jnp.argsort(x)
        return jnp.sort(x), at, lax.top_k(x, 10)[0], jax.ops.segment_max(x, at % 10, 10), jnp.searchsorted(jnp.sort(x), x[:9])

    _compiled(run, work, _normal(1, 5000))


@area.program(tolerance=1e-5)
def random_numbers(run):
    def work(x):
        keys = jax.random.split(jax.random.key(7), 5)
        r = jax.random
        return r.uniform(keys[0], (1000,)) + x, r.gamma(keys[1], 2.0, (100,)), r.permutation(keys[2], 100), r.categorical(keys[3], x[:10], shape=(50,)), r.bits(keys[4], (10,))

    _compiled(run, work, jnp.zeros(1000))


@area.program(tolerance=1e-4)
def pmap_of_one(run):
    mapped = jax.pmap(lambda x: lax.psum(jnp.sin(x), "i"), axis_name="i")
    x = _normal(1, 1, 1000)
    run.result(mapped(x))
    run.time(lambda: mapped(x))


@area.program(tolerance=1e-4)
def sharded_over_one(run):
    mesh = jax.make_mesh((1,), ("x",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))
    x = jax.device_put(_normal(1, 64, 64), sharding)
    work = jax.jit(lambda v: (v @ v.T).sum(0))
    run.result(work(x))
    run.time(lambda: work(x))


@area.program(tolerance=1e-5)
def pallas_kernel(run):
    try:
        from jax.experimental import pallas
    except ImportError as error:
        raise NotHere(f"no Pallas: {error}")

    def kernel(x, y, out):
        out[...] = x[...] * 2 + y[...]

    work = jax.jit(
        pallas.pallas_call(
            kernel,
            out_shape=jax.ShapeDtypeStruct((1024,), jnp.float32),
            grid=(8,),
            in_specs=[pallas.BlockSpec((128,), lambda i: (i,))] * 2,
            out_specs=pallas.BlockSpec((128,), lambda i: (i,)),
        )
    )
    x, y = _normal(1, 1024), _normal(2, 1024)
    run.result(work(x, y))
    run.time(lambda: work(x, y))


@area.program(tolerance=1e-4)
def callback_to_the_host(run):
    import numpy

    def work(x):
        shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
        return jax.pure_callback(lambda v: numpy.asarray(v) * 2, shape, x).sum()

    _compiled(run, work, _normal(1, 100))


@area.program(tolerance=1e-4)
def attention(run):
    q = _normal(1, 2, 64, 4, 32)
    _compiled(run, lambda x: jax.nn.dot_product_attention(x, x, x, is_causal=True), q)


@area.program(tolerance=1e-3)
def flax_training(run):
    import optax
    from flax import linen

    class Net(linen.Module):
        @linen.compact
        def __call__(self, x):
            x = linen.relu(linen.Conv(16, (3, 3))(x))
            return linen.Dense(10)(x.reshape(x.shape[0], -1))

    x, y = _normal(1, 16, 16, 16, 3), jnp.arange(16) % 10
    net, optimizer = Net(), optax.adam(1e-3)
    weights = net.init(jax.random.key(0), x)
    state = optimizer.init(weights)

    def loss(w):
        return optax.softmax_cross_entropy_with_integer_labels(net.apply(w, x), y).mean()

    @jax.jit
    def step(w, s):
        value, slope = jax.value_and_grad(loss)(w)
        change, s = optimizer.update(slope, s)
        return optax.apply_updates(w, change), s, value

    values = []
    for _ in range(5):
        weights, state, value = step(weights, state)
        values.append(value)
    run.result(jnp.stack(values))
    run.time(lambda: step(weights, state))


@area.program(tolerance=1e-3)
def ode_of_diffrax(run):
    import diffrax

    def solve(y):
        term = diffrax.ODETerm(lambda t, v, args: jnp.stack([v[1], (1 - v[0] ** 2) * v[1] - v[0]]))
        return diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 5.0, 0.1, y, stepsize_controller=diffrax.PIDController(rtol=1e-4, atol=1e-5)).ys

    _compiled(run, solve, jnp.array([1.0, 0.5]))
