/* SPDX-License-Identifier: Apache-2.0
 * The common part of programs of several cases: they end at the first failure, else print "ok".
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

/* The main function: runs the case that the command line names, prepared. */
static inline int run_case(const test_case *cases, size_t count, void (*prepare)(void), int argc, char **argv) {
    for (size_t i = 0; argc == 2 && i < count; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            prepare();
            cases[i].run();
            puts("ok");
            return 0;
        }
    fprintf(stderr, "usage: %s CASE\n", argv[0]);
    return 2;
}

#endif
