/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures the cost of calls for a program.
 * usage: calls plain GAP_US COUNT | calls wait COUNT | calls posted COUNT | calls launch COUNT |
 *        calls idle SECONDS
 * Built against the generated cuda.h; runs on the libcuda.so.1 that the loader finds. Between the
 * warm-up and the measurement, and before the end, it waits for a line on standard input, so that
 * its caller can read the backend's clocks meanwhile.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include "measure.h"

#include "cuda.h"

#include <string.h>
#include <unistd.h>

enum { WARM_UP = 20000, PAUSES = 100, BURST = 500 };

/* The virtual machine compiles beside the calls: over shared memory they are over before it is
 * done. */
#define WARM_UP_NS 1500000000LL

/* The backend prepares its next worker in the first seconds of a session. */
#define SETTLED_NS 7000000000LL

static void open_context(void) {
    CUcontext context;
    check(cuInit(0), "cuInit");
    check(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

static void await_line(void) {
    int c;
    do
        c = getchar();
    while (c != '\n' && c != EOF);
}

/* Waits for the sign to begin; the CPU seconds so far. */
static double begin(void) {
    printf("ready\n");
    fflush(stdout);
    await_line();
    return cpu_seconds(RUSAGE_SELF);
}

/* A call that does next to nothing in any driver, so that the way there and back is what is
 * measured. */
static void plain_call(void) {
    int least, greatest;
    check(cuCtxGetStreamPriorityRange(&least, &greatest), "cuCtxGetStreamPriorityRange");
}

static void warm_up(long gap) {
    int64_t start = clock_ns(), settled = gap > 0 ? start + SETTLED_NS : start;
    for (long i = 0; i < WARM_UP || clock_ns() < start + WARM_UP_NS; i++)
        plain_call();
    for (long i = 0; i < PAUSES || clock_ns() < settled; i++) {
        pause_us(gap);
        plain_call();
    }
}

static void plain(long gap, long count) {
    int64_t *samples = calloc((size_t)count + 1, sizeof *samples);
    warm_up(gap);
    double cpu = begin();
    for (long i = 0; i < count; i++) {
        pause_us(gap);
        int64_t start = clock_ns();
        plain_call();
        samples[i] = clock_ns() - start;
    }
    report("plain", gap, samples, count, cpu_seconds(RUSAGE_SELF) - cpu);
    free(samples);
}

/* A small fill and the wait for it: a call that may wait in the driver, after one that is posted.
 */
static void fill_and_wait(CUdeviceptr memory) {
    check(cuMemsetD32Async(memory, 1, 1, NULL), "cuMemsetD32Async");
    check(cuStreamSynchronize(NULL), "cuStreamSynchronize");
}

static void wait_for(long count) {
    CUdeviceptr memory;
    check(cuMemAlloc_v2(&memory, 4), "cuMemAlloc");
    int64_t *samples = calloc((size_t)count + 1, sizeof *samples);
    for (long i = 0; i < WARM_UP; i++)
        fill_and_wait(memory);
    double cpu = begin();
    for (long i = 0; i < count; i++) {
        int64_t start = clock_ns();
        fill_and_wait(memory);
        samples[i] = clock_ns() - start;
    }
    report("wait", 0, samples, count, cpu_seconds(RUSAGE_SELF) - cpu);
    free(samples);
}

static void record(void *event) { check(cuEventRecord(event, NULL), "cuEventRecord"); }

static CUdeviceptr memory_of_launches;

static void launch(void *function) {
    uint32_t one = 1;
    void *parameters[] = {&memory_of_launches, &one};
    check(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL), "cuLaunchKernel");
}

/* Mean nanoseconds of a posted call in a burst; the synchronise that ends it is outside the
 * measured stretch. */
static int64_t burst(void (*call)(void *), void *of) {
    int64_t start = clock_ns();
    for (int i = 0; i < BURST; i++)
        call(of);
    int64_t mean = (clock_ns() - start) / BURST;
    check(cuCtxSynchronize(), "cuCtxSynchronize");
    return mean;
}

static void bursts(const char *what, long count, void (*call)(void *), void *of) {
    int64_t *samples = calloc((size_t)count + 1, sizeof *samples);
    for (int i = 0; i < WARM_UP / BURST; i++)
        burst(call, of);
    double cpu = begin();
    for (long i = 0; i < count; i++)
        samples[i] = burst(call, of);
    report(what, 0, samples, count, cpu_seconds(RUSAGE_SELF) - cpu);
    free(samples);
}

static void posted(long count) {
    CUevent event;
    check(cuEventCreate(&event, 2), "cuEventCreate");
    bursts("posted", count, record, event);
}

/* As in JvmCalls. */
static const char kernel[] = ".version 6.3\n.target sm_52\n.address_size 64\n"
                             ".visible .entry nothing(.param .u64 to, .param .u32 count)\n{\nret;\n"
                             "}\n";

static void launches(long count) {
    CUmodule module;
    CUfunction function;
    check(cuModuleLoadData(&module, kernel), "cuModuleLoadData");
    check(cuModuleGetFunction(&function, module, "nothing"), "cuModuleGetFunction");
    check(cuMemAlloc_v2(&memory_of_launches, sizeof(int)), "cuMemAlloc");
    bursts("launch", count, launch, function);
}

static void idle(long seconds) {
    int64_t none[1] = {0};
    plain_call();
    double cpu = begin();
    sleep((unsigned)seconds);
    report("idle", 0, none, 1, cpu_seconds(RUSAGE_SELF) - cpu);
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "plain") == 0) {
        open_context();
        plain(number(argv[2]), number(argv[3]));
    } else if (argc == 3 && strcmp(argv[1], "wait") == 0) {
        open_context();
        wait_for(number(argv[2]));
    } else if (argc == 3 && strcmp(argv[1], "posted") == 0) {
        open_context();
        posted(number(argv[2]));
    } else if (argc == 3 && strcmp(argv[1], "launch") == 0) {
        open_context();
        launches(number(argv[2]));
    } else if (argc == 3 && strcmp(argv[1], "idle") == 0) {
        open_context();
        idle(number(argv[2]));
    } else {
        fprintf(stderr, "usage: calls plain GAP_US COUNT | calls wait COUNT | calls posted COUNT | "
                        "calls launch COUNT | calls idle SECONDS\n");
        return 2;
    }
    await_line();
    return 0;
}
