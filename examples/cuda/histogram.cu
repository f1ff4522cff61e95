// SPDX-License-Identifier: Apache-2.0
// Counts bytes in 64 and in 256 bins.
#include "runtime.h"

#include "kernels/histogram.cu"

#include <vector>

int main() {
    const unsigned count = 1 << 20, blocks = 32, threads = 128;
    std::vector<unsigned char> data(count);
    std::vector<unsigned> of_64(64), of_256(256);
    fill_bytes(data.data(), count, 5);

    unsigned char *device_data = device_copy(data.data(), count);
    unsigned *device_64 = device_memory<unsigned>(64), *device_256 = device_memory<unsigned>(256);
    CHECK(cudaMemset(device_64, 0, 64 * sizeof(unsigned)));
    CHECK(cudaMemset(device_256, 0, 256 * sizeof(unsigned)));
    histogram64<<<blocks, threads>>>(device_data, count, device_64);
    histogram256<<<blocks, threads>>>(device_data, count, device_256);
    copy_back(of_64.data(), device_64, 64);
    copy_back(of_256.data(), device_256, 256);
    CHECK(cudaFree(device_data));
    CHECK(cudaFree(device_64));
    CHECK(cudaFree(device_256));

    return verdict("histogram", device_name().text, "1048576 bytes in 64 and in 256 bins",
                   wrong_bins(data.data(), count, of_64.data(), 64) + wrong_bins(data.data(), count, of_256.data(), 256));
}
