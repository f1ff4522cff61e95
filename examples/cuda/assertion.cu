// SPDX-License-Identifier: Apache-2.0
// An assertion that holds, and one that fails: the launch's error, the line on standard error, and that the context stays failed.
#include "runtime.h"

#include "capture.h"

#include <cassert>

__global__ void expect_below(const int *values, int limit) {
    assert(values[threadIdx.x] < limit);
}

int main() {
    int values[64];
    for (int i = 0; i < 64; i++)
        values[i] = i;
    int *device_values = device_copy(values, 64);
    DeviceName device = device_name();
    expect_below<<<1, 64>>>(device_values, 64);
    CHECK(cudaDeviceSynchronize());

    Capture capture(STDERR_FILENO);
    expect_below<<<1, 64>>>(device_values, 63);
    cudaError_t result = cudaDeviceSynchronize();
    cudaError_t later = cudaMemcpy(values, device_values, sizeof values, cudaMemcpyDeviceToHost);
    std::string text = capture.text();
    size_t wrong = (result != cudaErrorAssert) + (later != cudaErrorAssert);
    wrong += text.find("assertion.cu:10: ") == std::string::npos;
    wrong += text.find("block: [0,0,0], thread: [63,0,0] Assertion `values[threadIdx.x] < limit` failed.") == std::string::npos;
    if (wrong > 0)
        fprintf(stderr, "%s, then %s: %s", cudaGetErrorName(result), cudaGetErrorName(later), text.c_str());
    return verdict("assertion", device.text, "one that holds and one that fails", wrong);
}
