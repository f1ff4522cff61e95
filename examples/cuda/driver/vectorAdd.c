/* SPDX-License-Identifier: Apache-2.0
 * Adds two vectors; where it is told so, many times, with a pause between.
 * usage: vectorAdd [TIMES [SECONDS]] */
#include "driver.h"

#include <unistd.h>

EMBED(image, KERNELS "/vectorAdd.ptx");

enum { THREADS = 256 };

int main(int argc, char **argv) {
    int times = argc > 1 ? atoi(argv[1]) : 1;
    double seconds = argc > 2 ? atof(argv[2]) : 0;
    int count = 50000;
    size_t bytes = (size_t)count * sizeof(float);
    float *a = allocate(bytes), *b = allocate(bytes), *sum = allocate(bytes);
    fill_floats(a, (size_t)count, 1);
    fill_floats(b, (size_t)count, 2);

    device gpu = open_device(image);
    CUdeviceptr device_a = device_copy(a, bytes), device_b = device_copy(b, bytes),
                device_sum = device_memory(bytes);
    void *parameters[] = {&device_a, &device_b, &device_sum, &count};
    unsigned blocks = (unsigned)(count + THREADS - 1) / THREADS;
    for (int i = 0; i < times; i++) {
        if (i > 0)
            usleep((useconds_t)(seconds * 1e6));
        CHECK(cuLaunchKernel(kernel(&gpu, "vectorAdd"), blocks, 1, 1, THREADS, 1, 1, 0, NULL,
                             parameters, NULL));
        CHECK(cuMemcpyDtoH_v2(sum, device_sum, bytes));
    }
    CHECK(cuMemFree_v2(device_a));
    CHECK(cuMemFree_v2(device_b));
    CHECK(cuMemFree_v2(device_sum));
    close_device(&gpu);

    int status =
        verdict("vectorAdd", gpu.name, "50000 elements", wrong_sums(a, b, sum, (size_t)count));
    free(a);
    free(b);
    free(sum);
    return status;
}
