// SPDX-License-Identifier: Apache-2.0
// Adds up numbers from the first to each: within warps by shuffles, within blocks in shared memory, then over the blocks' sums.
#include "runtime.h"

#include <vector>

enum { WARP = 32, THREADS = 256, WHOLE_WARP = -1 };

static __device__ unsigned scan_of_warp(unsigned value) {
    for (int distance = 1; distance < WARP; distance *= 2) {
        unsigned below = __shfl_up_sync(WHOLE_WARP, value, distance);
        if (static_cast<int>(threadIdx.x % WARP) >= distance)
            value += below;
    }
    return value;
}

__global__ void scan_blocks(unsigned *values, unsigned count, unsigned *sums) {
    __shared__ unsigned of_warps[THREADS / WARP];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / WARP;
    unsigned value = scan_of_warp(i < count ? values[i] : 0);
    if (threadIdx.x % WARP == WARP - 1)
        of_warps[warp] = value;
    __syncthreads();
    if (warp == 0) {
        unsigned sum = scan_of_warp(threadIdx.x < THREADS / WARP ? of_warps[threadIdx.x] : 0);
        if (threadIdx.x < THREADS / WARP)
            of_warps[threadIdx.x] = sum;
    }
    __syncthreads();
    if (warp > 0)
        value += of_warps[warp - 1];
    if (i < count)
        values[i] = value;
    if (threadIdx.x == THREADS - 1)
        sums[blockIdx.x] = value;
}

__global__ void add_sums(unsigned *values, unsigned count, const unsigned *sums) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && blockIdx.x > 0)
        values[i] += sums[blockIdx.x - 1];
}

static void scan(unsigned *values, unsigned count) {
    unsigned blocks = (count + THREADS - 1) / THREADS;
    unsigned *sums = device_memory<unsigned>(blocks);
    scan_blocks<<<blocks, THREADS>>>(values, count, sums);
    if (blocks > 1) {
        scan(sums, blocks);
        add_sums<<<blocks, THREADS>>>(values, count, sums);
    }
    CHECK(cudaFree(sums));
}

int main() {
    const unsigned count = 1000003;
    std::vector<unsigned> values(count), results(count);
    unsigned seed = 10;
    for (unsigned &value : values)
        value = next_random(&seed);

    unsigned *device_values = device_copy(values.data(), count);
    scan(device_values, count);
    copy_back(results.data(), device_values, count);
    CHECK(cudaFree(device_values));

    size_t wrong = 0;
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++) {
        sum += values[i];
        wrong += results[i] != sum;
    }
    return verdict("scan", device_name().text, "1000003 numbers", wrong);
}
