// SPDX-License-Identifier: Apache-2.0
// A cooperative launch: all blocks of the grid meet between the steps of a prefix sum over the whole array.
#include "runtime.h"

#include <cooperative_groups.h>
#include <vector>

enum { COUNT = 20000, THREADS = 128 };

/* Hillis and Steele: in step s each element adds the one 2^s before it. */
__global__ void scan_together(unsigned *values, unsigned *others, unsigned count) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (unsigned distance = 1; distance < count; distance *= 2) {
        for (unsigned i = grid.thread_rank(); i < count; i += grid.size())
            others[i] = values[i] + (i >= distance ? values[i - distance] : 0);
        grid.sync();
        unsigned *swapped = values;
        values = others;
        others = swapped;
    }
    if (count > 1 && values != others)
        for (unsigned i = grid.thread_rank(); i < count; i += grid.size())
            others[i] = values[i];
}

static size_t wrong_sums(const unsigned *input, const unsigned *sums) {
    size_t wrong = 0;
    unsigned sum = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        sum += input[i];
        wrong += sums[i] != sum;
    }
    return wrong;
}

static int blocks_at_once() {
    int each = 0, multiprocessors = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, scan_together, THREADS, 0));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    return each * multiprocessors;
}

static cudaError_t launch(int blocks, unsigned *values, unsigned *others) {
    unsigned count = COUNT;
    void *parameters[] = {&values, &others, &count};
    return cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(scan_together), dim3(blocks), dim3(THREADS), parameters, 0, nullptr);
}

int main() {
    int possible = 0;
    CHECK(cudaDeviceGetAttribute(&possible, cudaDevAttrCooperativeLaunch, 0));
    if (!possible) {
        printf("cooperative: the device has no cooperative launches here\n");
        return UNSUPPORTED;
    }
    std::vector<unsigned> input(COUNT), sums(COUNT);
    unsigned seed = 80;
    for (unsigned &value : input)
        value = next_random(&seed);
    size_t wrong = 0;
    int most = blocks_at_once();
    unsigned *values = device_memory<unsigned>(COUNT), *others = device_memory<unsigned>(COUNT);
    for (int blocks : {1, 2, most / 2, most}) {
        CHECK(cudaMemcpy(values, input.data(), COUNT * sizeof(unsigned), cudaMemcpyHostToDevice));
        CHECK(launch(blocks, values, others));
        copy_back(sums.data(), values, COUNT);
        wrong += wrong_sums(input.data(), sums.data());
    }
    wrong += launch(most + 1, values, others) != cudaErrorCooperativeLaunchTooLarge;
    if (cudaGetLastError() != cudaErrorCooperativeLaunchTooLarge)
        wrong++;
    CHECK(cudaFree(values));
    CHECK(cudaFree(others));
    return verdict("cooperative", device_name().text, "prefix sums of 20000 elements by grids that meet", wrong);
}
