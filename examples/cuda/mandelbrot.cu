// SPDX-License-Identifier: Apache-2.0
// Counts, for each point of the plane, the steps until it leaves the circle of radius two.
#include "runtime.h"

#include <vector>

enum { WIDTH = 320, HEIGHT = 200, MOST = 256 };

/* Each operation rounds by itself, so that host and device agree to the last step. */
static __host__ __device__ float product(float a, float b) {
#ifdef __CUDA_ARCH__
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

static __host__ __device__ unsigned char steps(int column, int row) {
    float real = product(column - 230, 0.009f), imaginary = product(row - HEIGHT / 2, 0.012f);
    float x = 0, y = 0;
    int count = 0;
    for (; count < MOST - 1; count++) {
        float xx = product(x, x), yy = product(y, y), xy = product(x, y);
        if (xx + yy > 4)
            break;
        x = xx - yy + real;
        y = xy + xy + imaginary;
    }
    return static_cast<unsigned char>(count);
}

__global__ void mandelbrot(unsigned char *image) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < WIDTH && row < HEIGHT)
        image[row * WIDTH + column] = steps(column, row);
}

int main() {
    std::vector<unsigned char> image(WIDTH * HEIGHT);
    unsigned char *device_image = device_memory<unsigned char>(image.size());
    dim3 block(16, 16), grid((WIDTH + 15) / 16, (HEIGHT + 15) / 16);
    mandelbrot<<<grid, block>>>(device_image);
    copy_back(image.data(), device_image, image.size());
    CHECK(cudaFree(device_image));

    size_t wrong = 0;
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++)
            wrong += image[row * WIDTH + column] != steps(column, row);
    return verdict("mandelbrot", device_name().text, "320 x 200 points", wrong);
}
