# SPDX-License-Identifier: Apache-2.0
"""CuPy: cuFFT there and back."""

import _check


def check():
    import cupy

    x = cupy.sin(cupy.linspace(0, 100, 1 << 16))
    back = cupy.fft.ifft(cupy.fft.fft(x)).real
    _check.near(cupy.abs(back - x).max(), 0, 1e-9)


_check.run(check)
