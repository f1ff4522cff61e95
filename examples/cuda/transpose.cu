// SPDX-License-Identifier: Apache-2.0
// Turns rows into columns: element by element, and by tiles in shared memory that are padded against bank conflicts.
#include "runtime.h"

#include <vector>

enum { TILE = 32, ROWS = 8 };

__global__ void transpose_elements(const float *from, float *to, int rows, int columns) {
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (column < columns && row + i < rows)
            to[column * rows + row + i] = from[(row + i) * columns + column];
}

__global__ void transpose_tiles(const float *from, float *to, int rows, int columns) {
    __shared__ float tile[TILE][TILE + 1];
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (column < columns && row + i < rows)
            tile[threadIdx.y + i][threadIdx.x] = from[(row + i) * columns + column];
    __syncthreads();
    column = blockIdx.y * TILE + threadIdx.x;
    row = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (column < rows && row + i < columns)
            to[(row + i) * rows + column] = tile[threadIdx.x][threadIdx.y + i];
}

static size_t wrong_elements(const float *from, const float *to, int rows, int columns) {
    size_t wrong = 0;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            wrong += to[column * rows + row] != from[row * columns + column];
    return wrong;
}

int main() {
    const int rows = 517, columns = 1003, count = rows * columns;
    std::vector<float> from(count), by_elements(count), by_tiles(count);
    fill_floats(from.data(), count, 11);

    float *device_from = device_copy(from.data(), count);
    float *device_elements = device_memory<float>(count), *device_tiles = device_memory<float>(count);
    dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE), block(TILE, ROWS);
    transpose_elements<<<grid, block>>>(device_from, device_elements, rows, columns);
    transpose_tiles<<<grid, block>>>(device_from, device_tiles, rows, columns);
    copy_back(by_elements.data(), device_elements, count);
    copy_back(by_tiles.data(), device_tiles, count);
    CHECK(cudaFree(device_from));
    CHECK(cudaFree(device_elements));
    CHECK(cudaFree(device_tiles));

    return verdict("transpose", device_name().text, "517 x 1003 floats by elements and by tiles",
                   wrong_elements(from.data(), by_elements.data(), rows, columns) +
                       wrong_elements(from.data(), by_tiles.data(), rows, columns));
}
