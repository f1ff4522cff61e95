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

/* The beginning of a module: its kernel adds a number to words of memory of any kind. */
#define ADD_KERNEL                                                                                 \
    ".version 6.3\n.target sm_75\n.address_size 64\n"                                              \
    ".visible .entry add(.param .u64 to, .param .u32 count, .param .u32 what)\n"                   \
    "{\n.reg .b64 %rd<5>;\n.reg .b32 %r<8>;\n.reg .pred %p;\n"                                     \
    "ld.param.u64 %rd1, [to];\nld.param.u32 %r1, [count];\n"                                       \
    "ld.param.u32 %r2, [what];\n"                                                                  \
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\n"                                              \
    "mov.u32 %r5, %tid.x;\nmad.lo.u32 %r6, %r3, %r4, %r5;\n"                                       \
    "setp.ge.u32 %p, %r6, %r1;\n@%p bra DONE;\n"                                                   \
    "mul.wide.u32 %rd2, %r6, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"                                      \
    "ld.u32 %r7, [%rd3];\nadd.u32 %r7, %r7, %r2;\nst.u32 [%rd3], %r7;\n"                           \
    "DONE:\nret;\n}\n"

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
