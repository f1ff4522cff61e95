# SPDX-License-Identifier: Apache-2.0
"""JAX programs whose XLA programs use command buffers; one line each: name, checksum, milliseconds of the second call."""
import os
import sys
import time

# XLA_COND=1 puts while loops and conditionals into command buffers too (conditional nodes of
# graphs). (No command-buffer flag is set otherwise: the defaults of the jaxlib in use are what
# people run.)
if os.environ.get("XLA_COND") == "1":
    os.environ["XLA_FLAGS"] = (
        os.environ.get("XLA_FLAGS", "")
        + " --xla_gpu_enable_command_buffer=FUSION,CUBLAS,CUBLASLT,CUDNN,CUSTOM_CALL,CONDITIONAL,WHILE,DYNAMIC_SLICE_FUSION"
        + " --xla_gpu_graph_min_graph_size=1"
    )

import jax
import jax.numpy as jnp
from jax import lax

key = jax.random.PRNGKey(0)
a = jax.random.normal(key, (64, 64), dtype=jnp.float32)
spd = a @ a.T + 64 * jnp.eye(64, dtype=jnp.float32)
sym = (a + a.T) / 2
x = jnp.linspace(0.1, 1.0, 64, dtype=jnp.float32)


def scan(x):
    def step(c, i):
        c = jnp.tanh(a @ c + i)
        return c, c.sum()

    return lax.scan(step, x, jnp.arange(20, dtype=jnp.float32))


def nested_scan(x):
    def outer(c, i):
        def inner(d, j):
            d = jnp.sin(d * j + 0.1)
            return d, d[0]

        c, got = lax.scan(inner, c + i, jnp.arange(5, dtype=jnp.float32))
        return c, got.sum()

    return lax.scan(outer, x, jnp.arange(6, dtype=jnp.float32))


def while_loop(x):
    return lax.while_loop(lambda s: s[1] < 30, lambda s: (jnp.cos(a @ s[0] * 0.1), s[1] + 1), (x, 0))


def while_on_data(x):
    return lax.while_loop(lambda v: v.sum() > 1.0, lambda v: v * 0.9, x)


def fori_loop(x):
    return lax.fori_loop(0, 25, lambda i, v: jnp.sin(a @ v * 0.1 + i), x)


def cond(x):
    return lax.cond(x.sum() > 0, lambda v: a @ v, lambda v: v * 2, x), lax.cond(x.sum() < 0, lambda v: a @ v, lambda v: v * 2, x)


def switch(x):
    return [lax.switch((x.sum() * 0).astype(int) + i, [lambda v: v + 1, lambda v: v * 2, lambda v: jnp.sin(v)], x) for i in range(3)]


def loop_of_cholesky(m):
    return lax.fori_loop(0, 5, lambda i, v: jnp.linalg.cholesky(v) @ jnp.linalg.cholesky(v).T + jnp.eye(64), m)


def scan_of_solve(m):
    def step(c, i):
        c = jnp.linalg.solve(m + i * jnp.eye(64), c)
        return c / jnp.linalg.norm(c), c.sum()

    return lax.scan(step, x, jnp.arange(5, dtype=jnp.float32))


def gradient_of_scan(x):
    return jax.grad(lambda v: scan(v)[0].sum())(x)


programs = [
    ("scan", scan, (x,)),
    ("nested_scan", nested_scan, (x,)),
    ("while_loop", while_loop, (x,)),
    ("while_on_data", while_on_data, (x,)),
    ("fori_loop", fori_loop, (x,)),
    ("cond", cond, (x,)),
    ("switch", switch, (x,)),
    ("eigh", lambda m: jnp.abs(jnp.linalg.eigh(m)[1]).sum() + jnp.linalg.eigh(m)[0], (sym,)),
    ("cholesky", jnp.linalg.cholesky, (spd,)),
    ("qr", lambda m: jnp.abs(jnp.linalg.qr(m)[1]), (a,)),
    ("svd", lambda m: jnp.linalg.svd(m, compute_uv=False), (a,)),
    ("lstsq", lambda m, v: jnp.linalg.lstsq(m, v)[0], (spd, x)),
    ("solve", jnp.linalg.solve, (spd, x)),
    ("inv", jnp.linalg.inv, (spd,)),
    ("slogdet", lambda m: jnp.linalg.slogdet(m)[1], (spd,)),
    ("loop_of_cholesky", loop_of_cholesky, (spd,)),
    ("scan_of_solve", scan_of_solve, (spd,)),
    ("gradient_of_scan", gradient_of_scan, (x,)),
    ("vmap_cholesky", jax.vmap(jnp.linalg.cholesky), (jnp.stack([spd, spd + 1]),)),
    ("sort", lambda v: jnp.sort(v.ravel())[::7], (a,)),
    ("fft", lambda v: jnp.abs(jnp.fft.fft(v)), (a,)),
]


def checksum(value):
    leaves = jax.tree_util.tree_leaves(value)
    return sum(float(jnp.sum(jnp.abs(leaf.astype(jnp.float32)))) for leaf in leaves)


wanted = sys.argv[1:]
print("jax", jax.__version__, jax.devices()[0])
failed = 0
for name, program, arguments in programs:
    if wanted and name not in wanted:
        continue
    try:
        compiled = jax.jit(program)
        sums, took = [], 0.0
        # XLA records a command buffer at the first call, and updates it when buffers change.
        for call in range(4):
            begin = time.perf_counter()
            value = jax.block_until_ready(compiled(*[argument + 0 for argument in arguments]))
            took = time.perf_counter() - begin
            sums.append(checksum(value))
        same = max(sums) - min(sums) <= 1e-5 * max(1.0, abs(sums[0]))
        failed += not same
        print(f"{name} {sums[0]:.5g}{'' if same else ' DIFFERS ' + str(sums)} {took * 1e3:.2f} ms", flush=True)
    except Exception as e:
        failed += 1
        print(f"{name} FAILED {type(e).__name__}: {' '.join(str(e).split())[:300]}", flush=True)
print("failed", failed)
