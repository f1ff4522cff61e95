/* SPDX-License-Identifier: Apache-2.0
 * How the programs here say what they measured: a line of JSON a figure. */
#ifndef FIGURE_H
#define FIGURE_H

#include "../../examples/cuda/driver/driver.h"
#include "../c/measure.h"

static inline void print_figure(const char *name, double value) {
    printf("{\"figure\":\"%s\",\"value\":%.5g}\n", name, value);
    fflush(stdout);
}

/* Sorts the samples; the one that PERCENT of all do not exceed, in microseconds. */
static inline double percentile(int64_t *samples, long count, int percent) {
    qsort(samples, (size_t)count, sizeof *samples, by_value);
    return (double)samples[count * percent / 100] / 1e3;
}

static inline double since_us(int64_t start) { return (double)(clock_ns() - start) / 1e3; }

#endif
