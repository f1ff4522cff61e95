// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"
#include "scalarProd.h"

// A block computes one pair's product: a sum a thread, then a tree in shared memory.
extern "C" __global__ void scalarProd(const float *a, const float *b, float *products, int elements) {
    __shared__ float sums[SCALAR_PROD_THREADS];
    int first = blockIdx.x * elements;
    float sum = 0;
    for (int i = threadIdx.x; i < elements; i += SCALAR_PROD_THREADS)
        sum += a[first + i] * b[first + i];
    sums[threadIdx.x] = sum;
    for (unsigned half = SCALAR_PROD_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        products[blockIdx.x] = sums[0];
}
