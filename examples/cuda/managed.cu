// SPDX-License-Identifier: Apache-2.0
// Adds two vectors in managed memory, which program and kernel use at the same addresses; ends with status 77 where there is none.
#include "runtime.h"

#include "kernels/vectorAdd.cu"

enum { COUNT = 50000, THREADS = 256, ROUNDS = 3 };

static float *managed_memory() {
    void *memory;
    CHECK(cudaMallocManaged(&memory, COUNT * sizeof(float)));
    return static_cast<float *>(memory);
}

static bool supported() {
    int yes = 0;
    CHECK(cudaDeviceGetAttribute(&yes, cudaDevAttrManagedMemory, 0));
    return yes != 0;
}

/* Without managed memory, every way to ask for it refuses. */
static int refusal() {
    void *memory;
    if (cudaMallocManaged(&memory, COUNT) != cudaErrorNotSupported)
        return verdict("managed", device_name().text, "there is managed memory where the device has none", 1);
    printf("managed: the device has no managed memory here\n");
    return UNSUPPORTED;
}

int main() {
    if (!supported())
        return refusal();
    float *a = managed_memory(), *b = managed_memory(), *sum = managed_memory();
    size_t wrong = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill_floats(a, COUNT, 2 * round + 1);
        fill_floats(b, COUNT, 2 * round + 2);
        vectorAdd<<<(COUNT + THREADS - 1) / THREADS, THREADS>>>(a, b, sum, COUNT);
        CHECK(cudaDeviceSynchronize());
        wrong += wrong_sums(a, b, sum, COUNT);
    }
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(sum));
    return verdict("managed", device_name().text, "3 rounds of 50000 elements in managed memory", wrong);
}
