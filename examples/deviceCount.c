/* SPDX-License-Identifier: Apache-2.0
 * How many devices the CUDA runtime sees. */
#include <cuda_runtime_api.h>
#include <stdio.h>

int main(void) {
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
        fprintf(stderr, "cudaGetDeviceCount: %s\n", cudaGetErrorString(error));
        return 1;
    }
    printf("%d CUDA device(s)\n", count);
    return 0;
}
