/* SPDX-License-Identifier: Apache-2.0
 *
 * What 'kernels' computes on a GPU, on one thread of the processor: milliseconds of one time.
 * usage: processor histogram|matrixMul|scalarProd REPETITIONS
 * Each program is the plain one that a compiler gets, in single precision, with rows of the second
 * matrix read in their order.
 */
#include "figure.h"

#include <string.h>

static size_t histogram(long repetitions) {
    enum { BYTES = 64 << 20, BINS = 256 };
    unsigned char *data = allocate(BYTES);
    unsigned bins[BINS];
    fill_bytes(data, BYTES, 5);
    int64_t start = clock_ns();
    for (long round = 0; round < repetitions; round++) {
        memset(bins, 0, sizeof bins);
        for (size_t i = 0; i < BYTES; i++)
            bins[data[i]]++;
    }
    print_figure("histogram", since_us(start) / 1e3 / (double)repetitions);
    return wrong_bins(data, BYTES, bins, BINS);
}

static void multiply(const float *a, const float *b, float *product, int rows, int inner,
                     int columns) {
    memset(product, 0, (size_t)rows * (size_t)columns * sizeof *product);
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < inner; i++)
            for (int column = 0; column < columns; column++)
                product[row * columns + column] += a[row * inner + i] * b[i * columns + column];
}

static size_t matrix_mul(long repetitions) {
    enum { ROWS = 320, INNER = 320, COLUMNS = 640 };
    static float a[ROWS * INNER], b[INNER * COLUMNS], product[ROWS * COLUMNS];
    fill_floats(a, ROWS * INNER, 3);
    fill_floats(b, INNER * COLUMNS, 4);
    int64_t start = clock_ns();
    for (long round = 0; round < repetitions; round++) {
        a[0] += (float)(round & 1); /* else one round would do for all */
        multiply(a, b, product, ROWS, INNER, COLUMNS);
    }
    print_figure("matrixMul", since_us(start) / 1e3 / (double)repetitions);
    return wrong_products(a, b, product, ROWS, INNER, COLUMNS);
}

static size_t scalar_prod(long repetitions) {
    enum { VECTORS = 256, ELEMENTS = 4096 };
    static float a[VECTORS * ELEMENTS], b[VECTORS * ELEMENTS], products[VECTORS];
    fill_floats(a, VECTORS * ELEMENTS, 6);
    fill_floats(b, VECTORS * ELEMENTS, 7);
    int64_t start = clock_ns();
    for (long round = 0; round < repetitions; round++) {
        a[0] += (float)(round & 1);
        for (int vector = 0; vector < VECTORS; vector++) {
            double sum = 0;
            for (int i = vector * ELEMENTS; i < (vector + 1) * ELEMENTS; i++)
                sum += (double)(a[i] * b[i]);
            products[vector] = (float)sum;
        }
    }
    print_figure("scalarProd", since_us(start) / 1e3 / (double)repetitions);
    return wrong_scalar_products(a, b, products, VECTORS, ELEMENTS);
}

int main(int argc, char **argv) {
    static const named_program programs[] = {
        {"histogram", histogram}, {"matrixMul", matrix_mul}, {"scalarProd", scalar_prod}};
    return run_named(programs, sizeof programs / sizeof *programs,
                     "processor histogram|matrixMul|scalarProd REPETITIONS", argc, argv);
}
