/* SPDX-License-Identifier: Apache-2.0
 * How the programs here say what they measured: a line of JSON a figure. */
#ifndef FIGURE_H
#define FIGURE_H

#include "../../examples/cuda/driver/driver.h"
#include "../c/measure.h"

#include <string.h>

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

/* One of several programs of a command; returns how many of its results are wrong. */
typedef struct named_program {
    const char *name;
    size_t (*run)(long amount);
} named_program;

/* Runs the one that the arguments name, 'NAME AMOUNT'; returns the exit status. */
static inline int run_named(const named_program *programs, size_t count, const char *usage,
                            int argc, char **argv) {
    for (size_t i = 0; argc == 3 && i < count; i++)
        if (strcmp(argv[1], programs[i].name) == 0) {
            size_t wrong = programs[i].run(number(argv[2]));
            if (wrong != 0)
                fprintf(stderr, "%s: %zu results are wrong\n", argv[1], wrong);
            return wrong != 0;
        }
    fprintf(stderr, "usage: %s\n", usage);
    return 2;
}

#endif
