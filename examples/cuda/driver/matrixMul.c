/* SPDX-License-Identifier: Apache-2.0
 * Multiplies two matrices, tile by tile in shared memory. */
#include "../kernels/matrixMul.h"
#include "driver.h"

EMBED(image, KERNELS "/matrixMul.ptx");

enum { ROWS = 160, INNER = 320, COLUMNS = 192 };

int main(void) {
    size_t bytes_a = sizeof(float[ROWS * INNER]), bytes_b = sizeof(float[INNER * COLUMNS]),
           bytes = sizeof(float[ROWS * COLUMNS]);
    float *a = allocate(bytes_a), *b = allocate(bytes_b), *product = allocate(bytes);
    fill_floats(a, ROWS * INNER, 3);
    fill_floats(b, INNER * COLUMNS, 4);

    device gpu = open_device(image);
    CUdeviceptr device_a = device_copy(a, bytes_a), device_b = device_copy(b, bytes_b),
                device_product = device_memory(bytes);
    int inner = INNER, columns = COLUMNS;
    void *parameters[] = {&device_a, &device_b, &device_product, &inner, &columns};
    CHECK(cuLaunchKernel(kernel(&gpu, "matrixMul"), COLUMNS / TILE, ROWS / TILE, 1, TILE, TILE, 1,
                         0, NULL, parameters, NULL));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH_v2(product, device_product, bytes));
    CHECK(cuMemFree_v2(device_a));
    CHECK(cuMemFree_v2(device_b));
    CHECK(cuMemFree_v2(device_product));
    close_device(&gpu);

    int status = verdict("matrixMul", gpu.name, "160x320 by 320x192",
                         wrong_products(a, b, product, ROWS, INNER, COLUMNS));
    free(a);
    free(b);
    free(product);
    return status;
}
