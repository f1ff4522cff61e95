// SPDX-License-Identifier: Apache-2.0
// Counts the devices and names them.
#include "runtime.h"

int main() {
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    printf("deviceCount: %d\n", count);
    for (int device = 0; device < count; device++) {
        cudaDeviceProp properties;
        CHECK(cudaGetDeviceProperties(&properties, device));
        printf("device %d: %s, compute capability %d.%d, %zu MiB\n", device, properties.name, properties.major, properties.minor,
               properties.totalGlobalMem >> 20);
    }
    return count > 0 ? 0 : 1;
}
