// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"
#include "matrixMul.h"

// a is rows × inner, b is inner × columns, row by row; every edge is a multiple of TILE.
extern "C" __global__ void matrixMul(const float *a, const float *b, float *product, int inner, int columns) {
    __shared__ float tileOfA[TILE][TILE];
    __shared__ float tileOfB[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < inner; tile += TILE) {
        tileOfA[threadIdx.y][threadIdx.x] = a[row * inner + tile + threadIdx.x];
        tileOfB[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * columns + column];
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += tileOfA[threadIdx.y][i] * tileOfB[i][threadIdx.x];
        __syncthreads();
    }
    product[row * columns + column] = sum;
}
