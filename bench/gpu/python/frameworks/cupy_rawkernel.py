# SPDX-License-Identifier: Apache-2.0
"""CuPy: a kernel in CUDA C++, compiled by NVRTC in the client."""

import _check

SOURCE = """
extern "C" __global__ void scale(float *x, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= by;
}
"""


def check():
    import cupy

    x = cupy.arange(1000, dtype=cupy.float32)
    cupy.RawKernel(SOURCE, "scale")((8,), (128,), (x, cupy.float32(3), cupy.int32(1000)))
    _check.near(x.sum(), 3 * 999 * 500)


_check.run(check)
