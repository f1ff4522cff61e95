/* SPDX-License-Identifier: Apache-2.0
 * The same computations on the CPU, which the programs compare with: each returns how many results
 * are wrong. */
#ifndef REFERENCES_H
#define REFERENCES_H

#include "check.h"

static inline size_t wrong_sums(const float *a, const float *b, const float *sum, size_t count) {
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += sum[i] != a[i] + b[i];
    return wrong;
}

/* a is rows × inner, b is inner × columns, both row by row. */
static inline size_t wrong_products(const float *a, const float *b, const float *product, int rows,
                                    int inner, int columns) {
    size_t wrong = 0;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            double expected = 0;
            for (int i = 0; i < inner; i++)
                expected += (double)a[row * inner + i] * (double)b[i * columns + column];
            wrong += !nearly((double)product[row * columns + column], expected);
        }
    return wrong;
}

/* Bins are equal stretches of the values of a byte; bins is a power of two up to 256. */
static inline size_t wrong_bins(const unsigned char *data, size_t count,
                                const unsigned int *histogram, unsigned int bins) {
    unsigned int expected[256] = {0};
    for (size_t i = 0; i < count; i++)
        expected[data[i] / (256 / bins)]++;
    size_t wrong = 0;
    for (unsigned int i = 0; i < bins; i++)
        wrong += histogram[i] != expected[i];
    return wrong;
}

/* The vectors lie one after another. */
static inline size_t wrong_scalar_products(const float *a, const float *b, const float *products,
                                           int vectors, int elements) {
    size_t wrong = 0;
    for (int vector = 0; vector < vectors; vector++) {
        double expected = 0;
        for (int i = vector * elements; i < (vector + 1) * elements; i++)
            expected += (double)a[i] * (double)b[i];
        wrong += !nearly((double)products[vector], expected);
    }
    return wrong;
}

#endif
