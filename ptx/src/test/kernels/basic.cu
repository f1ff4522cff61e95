// SPDX-License-Identifier: Apache-2.0
#include "cuda.h"

extern "C" __global__ void vectorAdd(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

extern "C" __global__ void matrixMul(float *c, const float *a, const float *b, int n) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  unsigned x = threadIdx.x, y = threadIdx.y;
  unsigned row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int tile = 0; tile < n / 16; tile++) {
    as[y][x] = a[row * n + tile * 16 + x];
    bs[y][x] = b[(tile * 16 + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; k++) {
      sum += as[y][k] * bs[k][x];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}
