# SPDX-License-Identifier: Apache-2.0
"""Numba: a kernel in Python."""

import _check


def check():
    import numpy
    from numba import cuda

    @cuda.jit
    def double(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] *= 2

    x = cuda.to_device(numpy.arange(1000, dtype=numpy.float32))
    double[8, 128](x)
    _check.near(x.copy_to_host().sum(), 999 * 1000)


_check.run(check)
