// SPDX-License-Identifier: Apache-2.0
// Adds two vectors.
#include "runtime.h"

#include "kernels/vectorAdd.cu"

#include <vector>

int main() {
    const int count = 50000, threads = 256;
    std::vector<float> a(count), b(count), sum(count);
    fill_floats(a.data(), count, 1);
    fill_floats(b.data(), count, 2);

    float *device_a = device_copy(a.data(), count), *device_b = device_copy(b.data(), count), *device_sum = device_memory<float>(count);
    vectorAdd<<<(count + threads - 1) / threads, threads>>>(device_a, device_b, device_sum, count);
    copy_back(sum.data(), device_sum, count);
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_sum));

    return verdict("vectorAdd", device_name().text, "50000 elements", wrong_sums(a.data(), b.data(), sum.data(), count));
}
