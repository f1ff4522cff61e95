/* SPDX-License-Identifier: Apache-2.0
 * The common part of programs of several cases: they print "ok" after each, and end at the first
 * failure.
 */
#ifndef OUTBOARD_CASE_H
#define OUTBOARD_CASE_H

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void must(CUresult result, const char *what) {
    if (result != 0) {
        fprintf(stderr, "%s: %d\n", what, (int)result);
        exit(1);
    }
}
#define MUST(call) must(call, #call)

static inline void check(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "not so: %s\n", what);
        exit(1);
    }
}
#define CHECK(condition) check(condition, #condition)

/* CUDA_MEMCPY2D */
typedef struct rectangle {
    struct {
        size_t x, y;
        int type;
        const void *host;
        CUdeviceptr device;
        void *array;
        size_t pitch;
    } source, destination;
    size_t width, height;
} rectangle;

typedef struct test_case {
    const char *name;
    void (*run)(void);
} test_case;

/* Of this process: freed memory leaves none. */
static inline long mappings(void) {
    long lines = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    for (int c = fgetc(maps); c != EOF; c = fgetc(maps))
        lines += c == '\n';
    fclose(maps);
    return lines;
}

static inline const test_case *find_case(const test_case *cases, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, cases[i].name) == 0)
            return &cases[i];
    return NULL;
}

/* The main function: runs the cases that the command line names one after the other, each prepared.
 */
static inline int run_case(const test_case *cases, size_t count, void (*prepare)(void), int argc,
                           char **argv) {
    for (int i = 1; i < argc; i++) {
        const test_case *one = find_case(cases, count, argv[i]);
        if (one == NULL)
            break;
        prepare();
        one->run();
        puts("ok");
        fflush(stdout);
        if (i == argc - 1)
            return 0;
    }
    fprintf(stderr, "usage: %s CASE...\n", argv[0]);
    return 2;
}

#endif
