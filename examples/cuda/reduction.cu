// SPDX-License-Identifier: Apache-2.0
// Sums numbers: shuffles within a warp, shared memory between warps, one atomic addition a block.
#include "runtime.h"

#include <vector>

enum { WARP = 32, THREADS = 256, WHOLE_WARP = -1 };

static __device__ unsigned sum_of_warp(unsigned value) {
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_down_sync(WHOLE_WARP, value, distance);
    return value;
}

__global__ void reduce(const unsigned *values, unsigned count, unsigned *total) {
    __shared__ unsigned sums[THREADS / WARP];
    unsigned sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        sum += values[i];
    sum = sum_of_warp(sum);
    if (threadIdx.x % WARP == 0)
        sums[threadIdx.x / WARP] = sum;
    __syncthreads();
    if (threadIdx.x < WARP) {
        sum = sum_of_warp(threadIdx.x < THREADS / WARP ? sums[threadIdx.x] : 0);
        if (threadIdx.x == 0)
            atomicAdd(total, sum);
    }
}

int main() {
    const unsigned count = 1000003, blocks = 24;
    std::vector<unsigned> values(count);
    unsigned seed = 8, expected = 0, total = 0;
    for (unsigned &value : values)
        expected += value = next_random(&seed);

    unsigned *device_values = device_copy(values.data(), count), *device_total = device_copy(&total, 1);
    reduce<<<blocks, THREADS>>>(device_values, count, device_total);
    copy_back(&total, device_total, 1);
    CHECK(cudaFree(device_values));
    CHECK(cudaFree(device_total));

    return verdict("reduction", device_name().text, "1000003 numbers", total != expected);
}
