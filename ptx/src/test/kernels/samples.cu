// SPDX-License-Identifier: Apache-2.0
#include "cuda.h"

#define ALL 0xffffffffu

// One sub-histogram of bytes for each thread in shared memory, then a sum over threads.
extern "C" __global__ void histogram64(unsigned *partial, const unsigned *data, unsigned count) {
  __shared__ unsigned char counts[64 * 64];
  unsigned *words = (unsigned *)counts;
  for (int i = 0; i < 16; i++) {
    words[threadIdx.x + i * 64] = 0;
  }
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    unsigned word = data[i];
    counts[threadIdx.x + ((word >> 2) & 63) * 64]++;
    counts[threadIdx.x + ((word >> 10) & 63) * 64]++;
    counts[threadIdx.x + ((word >> 18) & 63) * 64]++;
    counts[threadIdx.x + ((word >> 26) & 63) * 64]++;
  }
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < 64; i++) {
    sum += counts[threadIdx.x * 64 + ((i + threadIdx.x) & 63)];
  }
  partial[blockIdx.x * 64 + threadIdx.x] = sum;
}

extern "C" __global__ void histogram256(unsigned *bins, const unsigned *data, unsigned count) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    unsigned word = data[i];
    for (int shift = 0; shift < 32; shift += 8) {
      __nvvm_atom_add_gen_i((int *)&counts[(word >> shift) & 255], 1);
    }
  }
  __syncthreads();
  __nvvm_atom_add_gen_i((int *)&bins[threadIdx.x], counts[threadIdx.x]);
}

extern "C" __global__ void reduceShuffle(const float *in, float *out, int n) {
  __shared__ float warps[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    sum += in[i];
  }
  for (int d = 16; d > 0; d >>= 1) {
    sum += __nvvm_shfl_sync_down_f32(ALL, sum, d, 31);
  }
  unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (lane == 0) {
    warps[warp] = sum;
  }
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / 32 ? warps[lane] : 0;
    for (int d = 16; d > 0; d >>= 1) {
      sum += __nvvm_shfl_sync_bfly_f32(ALL, sum, d, 31);
    }
    if (lane == 0) {
      __nvvm_atom_add_gen_f(out, sum);
    }
  }
}

extern "C" __global__ void scalarProd(float *c, const float *a, const float *b, int vectors, int length) {
  __shared__ float sums[128];
  for (int v = blockIdx.x; v < vectors; v += gridDim.x) {
    float sum = 0;
    for (int i = threadIdx.x; i < length; i += blockDim.x) {
      sum += a[v * length + i] * b[v * length + i];
    }
    sums[threadIdx.x] = sum;
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      if (threadIdx.x < stride) {
        sums[threadIdx.x] += sums[threadIdx.x + stride];
      }
    }
    if (threadIdx.x == 0) {
      c[v] = sums[0];
    }
    __syncthreads();
  }
}

extern "C" __global__ void transpose(float *out, const float *in, int width, int height) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) {
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  }
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width) {
    out[y * height + x] = tile[threadIdx.x][threadIdx.y];
  }
}

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    y[i] = __builtin_fmaf(a, x[i], y[i]);
  }
}

struct Parameters {
  char tag;
  double weights[4];
  int index;
};

__attribute__((noinline)) __device__ int scaled(int x, double by) {
  return (int)(x * by);
}

extern "C" __global__ void parameters(int *out, Parameters p, short s) {
  int i = threadIdx.x;
  out[i] = scaled(i + s, p.weights[i & 3]) + p.tag + p.index;
}

extern __shared__ int dynamic[];

extern "C" __global__ void reverse(int *data) {
  int last = blockDim.x - 1;
  dynamic[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = dynamic[last - threadIdx.x];
}

extern "C" __global__ void localArray(int *out, const int *order, int n) {
  int values[32];
  for (int i = 0; i < n; i++) {
    values[order[i] & 31] = i * (int)threadIdx.x;
  }
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum = sum * 3 + values[i & 31];
  }
  out[threadIdx.x] = sum;
}

extern "C" __global__ void choose(int *out, const int *in) {
  int x = in[threadIdx.x], y;
  switch (x) {
    case 0: y = x + 17; break;
    case 1: y = out[threadIdx.x] * 3; break;
    case 2: y = x / (int)(threadIdx.x + 1) - 9; break;
    case 3: y = -(int)threadIdx.x; break;
    case 4: y = out[threadIdx.x] ^ 0x55; break;
    case 5: y = 1 << threadIdx.x; break;
    default: y = -1;
  }
  out[threadIdx.x] = y;
}

extern "C" __device__ int vprintf(const char *, void *);

extern "C" __global__ void print(int number, double real, const char *text) {
  struct {
    int number, negative;
    long wide;
    double real, again;
    const char *text;
    int letter;
    unsigned hex;
  } a = {number, -number, 1L << 40, real, real, text, 'x', 0xbeefu};
  vprintf("[%d|%5d|%ld|%f|%.3g|%s|%c|%#x|%%]\n", &a);
}
