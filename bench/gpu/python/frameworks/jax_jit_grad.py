# SPDX-License-Identifier: Apache-2.0
"""JAX: a gradient, compiled."""

import _check


def check():
    import jax
    import jax.numpy as jnp

    if jax.default_backend() != "gpu":
        raise AssertionError(f"JAX took the {jax.default_backend()}")
    slope = jax.jit(jax.grad(lambda x: jnp.sum(x**3)))
    _check.near(jnp.sum(slope(jnp.arange(10.0))), 3 * 285)
    matrix = jnp.ones((512, 512))
    _check.near(jnp.sum(jax.jit(jnp.matmul)(matrix, matrix)), 512**3)


_check.run(check)
