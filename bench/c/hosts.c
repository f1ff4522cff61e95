/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures calls to a device, and copies from one device to another, each for so many seconds.
 * usage: hosts calls DEVICE PAUSE_US SECONDS | hosts copies FROM TO MEGABYTES SECONDS
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include "measure.h"

#include "cuda.h"

#include <string.h>

enum { MOST = 1000000, LEAST = 3 };

/* The virtual machines on the way compile meanwhile. */
#define WARM_UP_NS 2000000000LL

static CUcontext enter(long device) {
    CUcontext context;
    check(cuDevicePrimaryCtxRetain(&context, (int)device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    return context;
}

/* Does next to nothing in any driver, so that the way there and back is what is measured. */
static void call(void) {
    int least, greatest;
    check(cuCtxGetStreamPriorityRange(&least, &greatest), "cuCtxGetStreamPriorityRange");
}

typedef struct {
    CUcontext context;
    CUdeviceptr memory;
} side;

static side from, to;
static size_t bytes;

static side open_side(long device, unsigned char value) {
    side s = {.context = enter(device)};
    check(cuMemAlloc_v2(&s.memory, bytes), "cuMemAlloc");
    check(cuMemsetD8_v2(s.memory, value, bytes), "cuMemsetD8");
    return s;
}

/* Returns when the bytes are there. */
static void copy(void) {
    check(cuMemcpyPeer(to.memory, to.context, from.memory, from.context, bytes), "cuMemcpyPeer");
    check(cuCtxSynchronize(), "cuCtxSynchronize");
}

/* The last byte is that of the other side. */
static void check_copy(unsigned char value) {
    unsigned char last;
    check(cuCtxSetCurrent(to.context), "cuCtxSetCurrent");
    check(cuMemcpyDtoH_v2(&last, to.memory + bytes - 1, 1), "cuMemcpyDtoH");
    check(last != value, "the bytes did not arrive");
}

static long repeat(void (*work)(void), long pause, int64_t until, int64_t *samples) {
    long count = 0;
    while (count < LEAST || (count < MOST && clock_ns() < until)) {
        pause_us(pause);
        int64_t start = clock_ns();
        work();
        samples[count++] = clock_ns() - start;
    }
    return count;
}

static void measure(const char *what, void (*work)(void), long pause, int64_t warm_up,
                    long seconds) {
    int64_t *samples = calloc(MOST, sizeof *samples);
    repeat(work, 0, clock_ns() + warm_up, samples);
    long count = repeat(work, pause, clock_ns() + seconds * 1000000000LL, samples);
    report(what, pause, samples, count, cpu_seconds(RUSAGE_SELF));
    free(samples);
}

int main(int argc, char **argv) {
    check(cuInit(0), "cuInit");
    if (argc == 5 && strcmp(argv[1], "calls") == 0) {
        enter(number(argv[2]));
        measure("calls", call, number(argv[3]), WARM_UP_NS, number(argv[4]));
    } else if (argc == 6 && strcmp(argv[1], "copies") == 0) {
        bytes = (size_t)number(argv[4]) << 20;
        from = open_side(number(argv[2]), 1);
        to = open_side(number(argv[3]), 2);
        measure("copies", copy, 0, 0, number(argv[5]));
        check_copy(1);
    } else {
        fprintf(stderr, "usage: hosts calls DEVICE PAUSE_US SECONDS | hosts copies FROM TO "
                        "MEGABYTES SECONDS\n");
        return 2;
    }
    return 0;
}
