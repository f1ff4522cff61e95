// SPDX-License-Identifier: Apache-2.0
// Constant memory and variables of the device: written and read by their symbols and at their addresses.
#include "runtime.h"

#include <vector>

enum { TERMS = 8, THREADS = 128 };

__constant__ int coefficients[TERMS];
__device__ int offset = 7;
__device__ unsigned evaluations;
__device__ int table[THREADS];

__global__ void polynomials() {
    int value = 0;
    for (int i = TERMS - 1; i >= 0; i--)
        value = value * static_cast<int>(threadIdx.x) + coefficients[i];
    table[threadIdx.x] = value + offset;
    atomicAdd(&evaluations, 1u);
}

static size_t wrong_values(const int *with, int plus) {
    int values[THREADS];
    CHECK(cudaMemcpyFromSymbol(values, table, sizeof values));
    size_t wrong = 0;
    for (int thread = 0; thread < THREADS; thread++) {
        int expected = 0;
        for (int i = TERMS - 1; i >= 0; i--)
            expected = static_cast<int>(static_cast<unsigned>(expected) * thread + with[i]);
        wrong += values[thread] != expected + plus;
    }
    return wrong;
}

int main() {
    int host[TERMS] = {3, 1, 4, 1, 5, 9, 2, 6};
    CHECK(cudaMemcpyToSymbol(coefficients, host, sizeof host));
    polynomials<<<1, THREADS>>>();
    CHECK(cudaGetLastError());
    size_t wrong = wrong_values(host, 7);

    host[2] = -100;
    CHECK(cudaMemcpyToSymbol(coefficients, &host[2], sizeof(int), 2 * sizeof(int)));
    void *address;
    size_t size = 0;
    int other = -9;
    CHECK(cudaGetSymbolAddress(&address, offset));
    CHECK(cudaGetSymbolSize(&size, table));
    CHECK(cudaMemcpy(address, &other, sizeof other, cudaMemcpyHostToDevice));
    polynomials<<<1, THREADS>>>();
    CHECK(cudaGetLastError());
    wrong += wrong_values(host, -9) + (size != sizeof(int) * THREADS);

    unsigned count = 0;
    CHECK(cudaMemcpyFromSymbol(&count, evaluations, sizeof count));
    wrong += count != 2 * THREADS;
    return verdict("symbols", device_name().text, "constant memory and variables of the device", wrong);
}
