// SPDX-License-Identifier: Apache-2.0
// Adds two vectors in page-locked memory of the program, which the kernel reads and writes where it is; ends with status 77 where kernels cannot.
#include "runtime.h"

#include "kernels/vectorAdd.cu"

enum { COUNT = 50000, THREADS = 256, ROUNDS = 3 };

static bool supported() {
    int yes = 0;
    CHECK(cudaDeviceGetAttribute(&yes, cudaDevAttrCanMapHostMemory, 0));
    return yes != 0;
}

static float *mapped_memory() {
    void *memory;
    CHECK(cudaHostAlloc(&memory, COUNT * sizeof(float), cudaHostAllocMapped));
    return static_cast<float *>(memory);
}

static float *on_device(float *memory) {
    void *pointer;
    CHECK(cudaHostGetDevicePointer(&pointer, memory, 0));
    return static_cast<float *>(pointer);
}

/* Without mapped memory, asking for it is refused. */
static int refusal() {
    void *pointer;
    if (cudaHostGetDevicePointer(&pointer, mapped_memory(), 0) != cudaErrorNotSupported)
        return verdict("mapped", device_name().text, "there is mapped memory where the device has none", 1);
    printf("mapped: kernels cannot use the program's memory here\n");
    return UNSUPPORTED;
}

int main() {
    if (!supported())
        return refusal();
    float *a = mapped_memory(), *b = mapped_memory(), *sum = mapped_memory();
    size_t wrong = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill_floats(a, COUNT, 2 * round + 1);
        fill_floats(b, COUNT, 2 * round + 2);
        vectorAdd<<<(COUNT + THREADS - 1) / THREADS, THREADS>>>(on_device(a), on_device(b), on_device(sum), COUNT);
        CHECK(cudaDeviceSynchronize());
        wrong += wrong_sums(a, b, sum, COUNT);
    }
    CHECK(cudaFreeHost(a));
    CHECK(cudaFreeHost(b));
    CHECK(cudaFreeHost(sum));
    return verdict("mapped", device_name().text, "3 rounds of 50000 elements in memory of the program", wrong);
}
