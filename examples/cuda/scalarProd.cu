// SPDX-License-Identifier: Apache-2.0
// Multiplies pairs of vectors, a block a pair.
#include "runtime.h"

#include "kernels/scalarProd.cu"

#include <vector>

int main() {
    const int vectors = 64, elements = 4096;
    std::vector<float> a(vectors * elements), b(vectors * elements), products(vectors);
    fill_floats(a.data(), a.size(), 6);
    fill_floats(b.data(), b.size(), 7);

    float *device_a = device_copy(a.data(), a.size()), *device_b = device_copy(b.data(), b.size());
    float *device_products = device_memory<float>(vectors);
    scalarProd<<<vectors, SCALAR_PROD_THREADS>>>(device_a, device_b, device_products, elements);
    copy_back(products.data(), device_products, vectors);
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_products));

    return verdict("scalarProd", device_name().text, "64 pairs of 4096 elements",
                   wrong_scalar_products(a.data(), b.data(), products.data(), vectors, elements));
}
