/* SPDX-License-Identifier: Apache-2.0
 * Clock, gaps and medians of the benchmark programs. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static inline int64_t clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Sleeps between two samples, so that a benchmark sees what a program with pauses sees. */
static inline void pause_us(long gap) {
    if (gap > 0) {
        struct timespec t = {gap / 1000000, gap % 1000000 * 1000};
        nanosleep(&t, NULL);
    }
}

static inline double cpu_seconds(int who) {
    struct rusage usage;
    getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static inline int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the samples and prints one line of JSON: microseconds, and CPU seconds of this process. */
static inline void report(const char *what, long gap, int64_t *samples, long count, double cpu) {
    qsort(samples, (size_t)count, sizeof *samples, by_value);
    printf("{\"what\":\"%s\",\"gap_us\":%ld,\"count\":%ld,\"p50_us\":%.2f,\"p99_us\":%.2f,\"cpu_"
           "s\":%.3f}\n",
           what, gap, count, (double)samples[count / 2] / 1e3,
           (double)samples[count * 99 / 100] / 1e3, cpu);
    fflush(stdout);
}

static inline long number(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < 0) {
        fprintf(stderr, "not a number: %s\n", text);
        exit(2);
    }
    return value;
}

#endif
