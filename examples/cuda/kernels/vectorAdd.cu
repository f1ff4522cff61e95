// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

extern "C" __global__ void vectorAdd(const float *a, const float *b, float *sum, int count) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < count)
        sum[i] = a[i] + b[i];
}
