// SPDX-License-Identifier: Apache-2.0
// Estimates pi from random points of a square: how many of them are in the circle. Each thread has a sequence of its own.
#include "runtime.h"

#include <cmath>

enum { THREADS = 128, BLOCKS = 16, POINTS = 256 };

static __host__ __device__ unsigned next(unsigned &state) {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

/* Whole numbers, so that host and device count the same. */
static __host__ __device__ unsigned inside(unsigned thread) {
    unsigned state = (thread + 1) * 2654435761u, count = 0;
    for (int i = 0; i < POINTS; i++) {
        unsigned long long x = next(state) >> 1, y = next(state) >> 1;
        count += x * x + y * y < 1ull << 62;
    }
    return count;
}

__global__ void count_inside(unsigned long long *total) {
    __shared__ unsigned of_block;
    if (threadIdx.x == 0)
        of_block = 0;
    __syncthreads();
    atomicAdd(&of_block, inside(blockIdx.x * blockDim.x + threadIdx.x));
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(total, of_block);
}

int main() {
    unsigned long long total = 0, expected = 0;
    unsigned long long *device_total = device_copy(&total, 1);
    count_inside<<<BLOCKS, THREADS>>>(device_total);
    copy_back(&total, device_total, 1);
    CHECK(cudaFree(device_total));

    for (unsigned thread = 0; thread < BLOCKS * THREADS; thread++)
        expected += inside(thread);
    double pi = 4.0 * static_cast<double>(total) / (BLOCKS * THREADS * POINTS);
    size_t wrong = (total != expected) + !(std::fabs(pi - 3.14159265) < 0.01);
    return verdict("monteCarloPi", device_name().text, "524288 points", wrong);
}
