// SPDX-License-Identifier: Apache-2.0
// Sorts numbers by a bitonic network: short distances in shared memory, long ones a launch each.
#include "runtime.h"

#include <algorithm>
#include <vector>

enum { THREADS = 256, PART = 2 * THREADS };

static __device__ void order(unsigned &low, unsigned &high, bool ascending) {
    if ((low > high) == ascending) {
        unsigned value = low;
        low = high;
        high = value;
    }
}

/* The lower of the two places that a thread compares, `distance` apart. */
static __device__ unsigned lower(unsigned thread, unsigned distance) {
    return 2 * thread - (thread & (distance - 1));
}

/* All distances of the runs from `first` to `last` that fit into a block's part. */
__global__ void sort_parts(unsigned *values, unsigned first, unsigned last) {
    __shared__ unsigned part[PART];
    unsigned base = blockIdx.x * PART, thread = threadIdx.x;
    part[thread] = values[base + thread];
    part[thread + THREADS] = values[base + thread + THREADS];
    for (unsigned run = first; run <= last; run *= 2)
        for (unsigned distance = run > PART ? THREADS : run / 2; distance > 0; distance /= 2) {
            unsigned i = lower(thread, distance);
            __syncthreads();
            order(part[i], part[i + distance], ((base + i) & run) == 0);
        }
    __syncthreads();
    values[base + thread] = part[thread];
    values[base + thread + THREADS] = part[thread + THREADS];
}

__global__ void sort_pairs(unsigned *values, unsigned run, unsigned distance) {
    unsigned i = lower(blockIdx.x * blockDim.x + threadIdx.x, distance);
    order(values[i], values[i + distance], (i & run) == 0);
}

static void sort(unsigned *values, unsigned count) {
    unsigned blocks = count / PART;
    sort_parts<<<blocks, THREADS>>>(values, 2, PART);
    for (unsigned run = 2 * PART; run <= count; run *= 2) {
        for (unsigned distance = run / 2; distance > THREADS; distance /= 2)
            sort_pairs<<<blocks, THREADS>>>(values, run, distance);
        sort_parts<<<blocks, THREADS>>>(values, run, run);
    }
}

int main() {
    const unsigned count = 1 << 16;
    std::vector<unsigned> values(count), results(count);
    unsigned seed = 12;
    for (unsigned &value : values)
        value = next_random(&seed);

    unsigned *device_values = device_copy(values.data(), count);
    sort(device_values, count);
    copy_back(results.data(), device_values, count);
    CHECK(cudaFree(device_values));

    std::sort(values.begin(), values.end());
    size_t wrong = 0;
    for (unsigned i = 0; i < count; i++)
        wrong += results[i] != values[i];
    return verdict("bitonicSort", device_name().text, "65536 numbers", wrong);
}
