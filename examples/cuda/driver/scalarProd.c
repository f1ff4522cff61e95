/* SPDX-License-Identifier: Apache-2.0
 * Multiplies pairs of vectors, a block a pair. */
#include "../kernels/scalarProd.h"
#include "driver.h"

EMBED(image, KERNELS "/scalarProd.ptx");

enum { VECTORS = 64, ELEMENTS = 4096 };

int main(void) {
    size_t bytes = sizeof(float[VECTORS * ELEMENTS]), bytes_of_products = sizeof(float[VECTORS]);
    float *a = allocate(bytes), *b = allocate(bytes), *products = allocate(bytes_of_products);
    fill_floats(a, VECTORS * ELEMENTS, 6);
    fill_floats(b, VECTORS * ELEMENTS, 7);

    device gpu = open_device(image);
    CUdeviceptr device_a = device_copy(a, bytes), device_b = device_copy(b, bytes),
                device_products = device_memory(bytes_of_products);
    int elements = ELEMENTS;
    void *parameters[] = {&device_a, &device_b, &device_products, &elements};
    CHECK(cuLaunchKernel(kernel(&gpu, "scalarProd"), VECTORS, 1, 1, SCALAR_PROD_THREADS, 1, 1, 0,
                         NULL, parameters, NULL));
    CHECK(cuMemcpyDtoH_v2(products, device_products, bytes_of_products));
    CHECK(cuMemFree_v2(device_a));
    CHECK(cuMemFree_v2(device_b));
    CHECK(cuMemFree_v2(device_products));
    close_device(&gpu);

    int status = verdict("scalarProd", gpu.name, "64 pairs of 4096 elements",
                         wrong_scalar_products(a, b, products, VECTORS, ELEMENTS));
    free(a);
    free(b);
    free(products);
    return status;
}
