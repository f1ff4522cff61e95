// SPDX-License-Identifier: Apache-2.0
// Multiplies matrices of half-precision numbers with the functions of CUDA for matrix units, a warp a tile; sums are single precision.
#include "runtime.h"

#include <mma.h>
#include <vector>

enum { SIZE = 96, TILE = 16, WARPS = 4, LANES = 32 };

using namespace nvcuda;

__global__ void multiply(const half *a, const half *b, float *c, int size) {
    int row = blockIdx.y * TILE, column = (blockIdx.x * WARPS + threadIdx.x / LANES) * TILE;
    if (column >= size)
        return;
    wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < size; k += TILE) {
        wmma::load_matrix_sync(left, a + row * size + k, size);
        wmma::load_matrix_sync(right, b + column * size + k, size);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * size + column, sum, size, wmma::mem_row_major);
}

/* Small integers: halves hold them, and every sum is exact. */
static std::vector<half> integers(unsigned seed) {
    std::vector<half> values(SIZE * SIZE);
    for (half &value : values)
        value = __float2half(static_cast<float>(static_cast<int>(next_random(&seed) >> 8) % 8));
    return values;
}

int main() {
    std::vector<half> a = integers(1), b = integers(2);
    std::vector<float> c(SIZE * SIZE);
    half *there_a = device_copy(a.data(), a.size()), *there_b = device_copy(b.data(), b.size());
    float *there_c = device_memory<float>(c.size());
    multiply<<<dim3((SIZE / TILE + WARPS - 1) / WARPS, SIZE / TILE), WARPS * LANES>>>(there_a, there_b, there_c, SIZE);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c.data(), there_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    size_t wrong = 0;
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++) {
            float expected = 0;
            for (int k = 0; k < SIZE; k++)
                expected += __half2float(a[row * SIZE + k]) * __half2float(b[column * SIZE + k]);
            wrong += c[row * SIZE + column] != expected;
        }
    CHECK(cudaFree(there_a));
    CHECK(cudaFree(there_b));
    CHECK(cudaFree(there_c));
    return verdict("matrixUnits", device_name().text, "a product of 96 by 96, by warps", wrong);
}
