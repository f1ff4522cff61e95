// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

// Each block counts in its own shared memory and adds what it found to the result, which starts as zeros.
template <unsigned Bins>
static __device__ void histogram(const unsigned char *data, unsigned count, unsigned *result) {
    __shared__ unsigned counts[Bins];
    for (unsigned bin = threadIdx.x; bin < Bins; bin += blockDim.x)
        counts[bin] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[data[i] / (256 / Bins)], 1u);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < Bins; bin += blockDim.x)
        atomicAdd(&result[bin], counts[bin]);
}

extern "C" __global__ void histogram64(const unsigned char *data, unsigned count, unsigned *result) {
    histogram<64>(data, count, result);
}

extern "C" __global__ void histogram256(const unsigned char *data, unsigned count, unsigned *result) {
    histogram<256>(data, count, result);
}
