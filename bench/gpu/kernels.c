/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU part of three programs whose data is on the device already: launches in a row and the
 * wait for the last, milliseconds of one.
 * usage: kernels histogram|matrixMul|scalarProd PERCENT
 * Sizes and repetitions are those of NVIDIA's samples of the same names; PERCENT scales the
 * repetitions, 100 for a GPU.
 */
#include "../../examples/cuda/kernels/matrixMul.h"
#include "../../examples/cuda/kernels/scalarProd.h"
#include "figure.h"

#include <string.h>

EMBED(histogram_image, KERNELS "/histogram.ptx");
EMBED(matrix_image, KERNELS "/matrixMul.ptx");
EMBED(scalar_image, KERNELS "/scalarProd.ptx");

typedef struct work {
    CUfunction function;
    unsigned columns, rows, width, height;
    void **parameters;
} work;

static void launch(const work *w) {
    CHECK(cuLaunchKernel(w->function, w->columns, w->rows, 1, w->width, w->height, 1, 0, NULL,
                         w->parameters, NULL));
}

static void measure(const char *name, const work *w, long repetitions) {
    launch(w);
    CHECK(cuCtxSynchronize());
    int64_t start = clock_ns();
    for (long i = 0; i < repetitions; i++)
        launch(w);
    CHECK(cuCtxSynchronize());
    print_figure(name, since_us(start) / 1e3 / (double)repetitions);
}

static long scaled(long repetitions, long percent) {
    long count = repetitions * percent / 100;
    return count > 1 ? count : 1;
}

/* Numbers in [0, 1) on the device, and a copy of them for the check. */
static CUdeviceptr device_floats(float *host, size_t count, uint32_t seed) {
    fill_floats(host, count, seed);
    return device_copy(host, count * sizeof *host);
}

static size_t histogram(long percent) {
    enum { BYTES = 64 << 20, BINS = 256, BLOCKS = 240, THREADS = 192, REPETITIONS = 16 };
    unsigned char *data = allocate(BYTES);
    unsigned bins[BINS], count = BYTES;
    fill_bytes(data, BYTES, 5);
    device gpu = open_device(histogram_image);
    CUdeviceptr input = device_copy(data, BYTES), result = device_memory(sizeof bins);
    void *parameters[] = {&input, &count, &result};
    work w = {kernel(&gpu, "histogram256"), BLOCKS, 1, THREADS, 1, parameters};
    measure("histogram", &w, scaled(REPETITIONS, percent));
    CHECK(cuMemsetD32_v2(result, 0, BINS));
    launch(&w);
    CHECK(cuMemcpyDtoH_v2(bins, result, sizeof bins));
    return wrong_bins(data, BYTES, bins, BINS);
}

static size_t matrix_mul(long percent) {
    enum { ROWS = 320, INNER = 320, COLUMNS = 640, REPETITIONS = 300 };
    static float a[ROWS * INNER], b[INNER * COLUMNS], product[ROWS * COLUMNS];
    device gpu = open_device(matrix_image);
    CUdeviceptr left = device_floats(a, ROWS * INNER, 3),
                right = device_floats(b, INNER * COLUMNS, 4),
                result = device_memory(sizeof product);
    int inner = INNER, columns = COLUMNS;
    void *parameters[] = {&left, &right, &result, &inner, &columns};
    work w = {kernel(&gpu, "matrixMul"), COLUMNS / TILE, ROWS / TILE, TILE, TILE, parameters};
    measure("matrixMul", &w, scaled(REPETITIONS, percent));
    CHECK(cuMemcpyDtoH_v2(product, result, sizeof product));
    return wrong_products(a, b, product, ROWS, INNER, COLUMNS);
}

static size_t scalar_prod(long percent) {
    enum { VECTORS = 256, ELEMENTS = 4096, REPETITIONS = 100 };
    static float a[VECTORS * ELEMENTS], b[VECTORS * ELEMENTS], products[VECTORS];
    device gpu = open_device(scalar_image);
    CUdeviceptr left = device_floats(a, VECTORS * ELEMENTS, 6),
                right = device_floats(b, VECTORS * ELEMENTS, 7),
                result = device_memory(sizeof products);
    int elements = ELEMENTS;
    void *parameters[] = {&left, &right, &result, &elements};
    work w = {kernel(&gpu, "scalarProd"), VECTORS, 1, SCALAR_PROD_THREADS, 1, parameters};
    measure("scalarProd", &w, scaled(REPETITIONS, percent));
    CHECK(cuMemcpyDtoH_v2(products, result, sizeof products));
    return wrong_scalar_products(a, b, products, VECTORS, ELEMENTS);
}

int main(int argc, char **argv) {
    static const named_program programs[] = {
        {"histogram", histogram}, {"matrixMul", matrix_mul}, {"scalarProd", scalar_prod}};
    return run_named(programs, sizeof programs / sizeof *programs,
                     "kernels histogram|matrixMul|scalarProd PERCENT", argc, argv);
}
