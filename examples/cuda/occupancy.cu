// SPDX-License-Identifier: Apache-2.0
// The device's and its kernels' own figures, and their consequences for launches.
#include "runtime.h"

#include <algorithm>
#include <vector>

enum { LIMIT = 128, STATIC_BYTES = 1024 };

__global__ void __launch_bounds__(LIMIT) limited(int *values) {
    __shared__ int part[STATIC_BYTES / sizeof(int)];
    part[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}

__global__ void square(int *values, int count) {
    extern __shared__ int part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < count ? values[i] : 0;
    if (i < count)
        values[i] = part[threadIdx.x] * part[threadIdx.x];
}

static int attribute(cudaDeviceAttr which) {
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

static size_t wrong_of_device() {
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    size_t available = 0, total = 0;
    CHECK(cudaMemGetInfo(&available, &total));
    return (attribute(cudaDevAttrWarpSize) != 32) + (properties.warpSize != 32) +
           (attribute(cudaDevAttrMaxThreadsPerBlock) != properties.maxThreadsPerBlock) +
           (attribute(cudaDevAttrMultiProcessorCount) != properties.multiProcessorCount) +
           (attribute(cudaDevAttrComputeCapabilityMajor) != properties.major) + (properties.multiProcessorCount < 1) +
           (attribute(cudaDevAttrMaxSharedMemoryPerBlock) != static_cast<int>(properties.sharedMemPerBlock)) +
           (available > total) + (total != properties.totalGlobalMem);
}

static size_t wrong_of_kernel() {
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, limited));
    size_t wrong = (attributes.sharedSizeBytes != STATIC_BYTES) + (attributes.maxThreadsPerBlock != LIMIT) + (attributes.numRegs < 1) +
                   (attributes.localSizeBytes != 0) + (attributes.constSizeBytes != 0);
    int values[LIMIT] = {0}, *device_values = device_copy(values, LIMIT);
    limited<<<1, LIMIT>>>(device_values);
    CHECK(cudaGetLastError());
    limited<<<1, 2 * LIMIT>>>(device_values);
    wrong += cudaGetLastError() == cudaSuccess;
    CHECK(cudaFree(device_values));
    return wrong;
}

/* As many blocks as are said to fit must not need more threads or shared memory than a multiprocessor has. */
static size_t wrong_of_blocks() {
    const int threads_of_all = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    const int shared_of_all = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    size_t wrong = 0;
    int before = 1 << 30;
    for (int threads = 32; threads <= 1024; threads *= 2) {
        int blocks = 0;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, square, threads, threads * sizeof(int)));
        wrong += blocks < 1 || blocks > before || blocks * threads > threads_of_all;
        wrong += blocks * threads * static_cast<int>(sizeof(int)) > shared_of_all;
        before = blocks;
    }
    int few = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, square, 32, 40000));
    return wrong + (few < 1 || few * 40000 > shared_of_all);
}

/* The suggested launch does its work. */
static size_t wrong_of_launch() {
    int grid = 0, block = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, square, [](int threads) { return threads * sizeof(int); }));
    const int count = 5000;
    std::vector<int> values(count);
    for (int i = 0; i < count; i++)
        values[i] = i;
    int *device_values = device_copy(values.data(), count);
    square<<<(count + block - 1) / block, block, block * sizeof(int)>>>(device_values, count);
    copy_back(values.data(), device_values, count);
    CHECK(cudaFree(device_values));
    size_t wrong = (grid < attribute(cudaDevAttrMultiProcessorCount)) + (block < 32 || block % 32 != 0);
    for (int i = 0; i < count; i++)
        wrong += values[i] != i * i;
    return wrong;
}

int main() {
    size_t wrong = wrong_of_device() + wrong_of_kernel() + wrong_of_blocks() + wrong_of_launch();
    return verdict("occupancy", device_name().text, "attributes of device and kernels", wrong);
}
