// SPDX-License-Identifier: Apache-2.0
// Multiplies two matrices, tile by tile in shared memory.
#include "runtime.h"

#include "kernels/matrixMul.cu"

#include <vector>

int main() {
    const int rows = 160, inner = 320, columns = 192;
    std::vector<float> a(rows * inner), b(inner * columns), product(rows * columns);
    fill_floats(a.data(), a.size(), 3);
    fill_floats(b.data(), b.size(), 4);

    float *device_a = device_copy(a.data(), a.size()), *device_b = device_copy(b.data(), b.size());
    float *device_product = device_memory<float>(product.size());
    matrixMul<<<dim3(columns / TILE, rows / TILE), dim3(TILE, TILE)>>>(device_a, device_b, device_product, inner, columns);
    copy_back(product.data(), device_product, product.size());
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_product));

    return verdict("matrixMul", device_name().text, "160x320 by 320x192",
                   wrong_products(a.data(), b.data(), product.data(), rows, inner, columns));
}
