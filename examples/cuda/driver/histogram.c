/* SPDX-License-Identifier: Apache-2.0
 * Counts bytes in 64 and in 256 bins. */
#include "driver.h"

EMBED(image, KERNELS "/histogram.ptx");

enum { COUNT = 1 << 20, BLOCKS = 32, THREADS = 128 };

static size_t wrong(const device *gpu, const char *name, CUdeviceptr data,
                    const unsigned char *host, unsigned bins) {
    unsigned result[256], count = COUNT;
    size_t bytes = bins * sizeof *result;
    CUdeviceptr histogram = device_memory(bytes);
    void *parameters[] = {&data, &count, &histogram};
    CHECK(cuMemsetD32_v2(histogram, 0, bins));
    CHECK(
        cuLaunchKernel(kernel(gpu, name), BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, parameters, NULL));
    CHECK(cuMemcpyDtoH_v2(result, histogram, bytes));
    CHECK(cuMemFree_v2(histogram));
    return wrong_bins(host, COUNT, result, bins);
}

int main(void) {
    unsigned char *data = allocate(COUNT);
    fill_bytes(data, COUNT, 5);

    device gpu = open_device(image);
    CUdeviceptr device_data = device_copy(data, COUNT);
    size_t wrong_of_64 = wrong(&gpu, "histogram64", device_data, data, 64);
    size_t wrong_of_256 = wrong(&gpu, "histogram256", device_data, data, 256);
    CHECK(cuMemFree_v2(device_data));
    close_device(&gpu);

    free(data);
    return verdict("histogram", gpu.name, "1048576 bytes in 64 and in 256 bins",
                   wrong_of_64 + wrong_of_256);
}
