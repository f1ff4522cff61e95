/* SPDX-License-Identifier: Apache-2.0
 * The common part of the programs: input that is the same in every run, and the one line that says
 * how it went. */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The exit status of a program whose device lacks what it shows. */
enum { UNSUPPORTED = 77 };

/* Marsaglia's xorshift32: good enough as input, and the same everywhere. */
static inline uint32_t next_random(uint32_t *state) {
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

static inline void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

/* Numbers in [0, 1). */
static inline void fill_floats(float *values, size_t count, uint32_t seed) {
    for (size_t i = 0; i < count; i++)
        values[i] = (float)(next_random(&seed) >> 8) / (float)(1 << 24);
}

static inline void fill_bytes(unsigned char *values, size_t count, uint32_t seed) {
    for (size_t i = 0; i < count; i++)
        values[i] = (unsigned char)(next_random(&seed) >> 16);
}

/* Whether two results agree but for rounding. */
static inline int nearly(double result, double expected) {
    double difference = result > expected ? result - expected : expected - result;
    double size = expected > 0 ? expected : -expected;
    return difference <= 1e-4 * (size > 1 ? size : 1);
}

/* Prints the result line; returns the program's exit status. */
static inline int verdict(const char *program, const char *device, const char *what, size_t wrong) {
    if (wrong == 0)
        printf("%s: PASSED on %s: %s\n", program, device, what);
    else
        printf("%s: FAILED on %s: %s, %zu wrong\n", program, device, what, wrong);
    return wrong != 0;
}

#endif
