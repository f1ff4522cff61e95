/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures the cost of launches, waits, small copies and allocations for a program, and the speed
 * of large copies.
 * usage: micro calls PERCENT | micro copies MEGABYTES
 * PERCENT scales how often each is done; 100 for a GPU.
 */
#include "figure.h"

#include <string.h>

static const char IMAGE[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                            ".visible .entry nothing()\n{\nret;\n}\n"
                            ".visible .entry increment(.param .u64 counter)\n"
                            "{\n.reg .b64 %rd<3>;\n.reg .b32 %r<3>;\n"
                            "ld.param.u64 %rd1, [counter];\ncvta.to.global.u64 %rd2, %rd1;\n"
                            "ld.global.u32 %r1, [%rd2];\nadd.s32 %r2, %r1, 1;\n"
                            "st.global.u32 [%rd2], %r2;\nret;\n}\n";

/* A driver bounds how far a program may run ahead, so that longer bursts would measure the device.
 */
enum { BURST = 500, WARM_UP = 10, SMALL = 64, MIB = 1 << 20, REPETITIONS = 5 };

static CUfunction nothing, increment;
static CUdeviceptr memory;
static long percent_of_all;

static long times(long count) {
    long scaled = count * percent_of_all / 100;
    return scaled > 1 ? scaled : 1;
}

static void launch(void) { CHECK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL)); }

static void launch_and_wait(void) {
    launch();
    CHECK(cuCtxSynchronize());
}

static void wait_idle(void) { CHECK(cuStreamSynchronize(NULL)); }

static char small[SMALL];
static void copy_down(void) { CHECK(cuMemcpyHtoD_v2(memory, small, SMALL)); }
static void copy_up(void) { CHECK(cuMemcpyDtoH_v2(small, memory, SMALL)); }

static void allocate_and_free(void) { CHECK(cuMemFree_v2(device_memory(MIB))); }

/* The time of each call; a tenth as many go before and do not count. */
static int64_t *sample(void (*call)(void), long count) {
    int64_t *samples = allocate((size_t)count * sizeof *samples);
    for (long i = 0; i <= count / 10; i++)
        call();
    for (long i = 0; i < count; i++) {
        int64_t start = clock_ns();
        call();
        samples[i] = clock_ns() - start;
    }
    return samples;
}

static void measure_p50(const char *name, void (*call)(void), long count) {
    int64_t *samples = sample(call, count);
    print_figure(name, percentile(samples, count, 50));
    free(samples);
}

/* The cost of one of a burst; the wait that ends a burst is outside the measured stretch. */
static void burst(void) {
    for (int i = 0; i < BURST; i++)
        launch();
}

static void measure_bursts(long count) {
    int64_t *samples = allocate((size_t)count * sizeof *samples);
    for (long i = -WARM_UP; i < count; i++) {
        int64_t start = clock_ns();
        burst();
        if (i >= 0)
            samples[i] = (clock_ns() - start) / BURST;
        CHECK(cuCtxSynchronize());
    }
    print_figure("launch_caller", percentile(samples, count, 50));
    free(samples);
}

static void measure_throughput(long count) {
    int64_t start = clock_ns();
    for (long i = 0; i < count; i++)
        launch();
    CHECK(cuCtxSynchronize());
    print_figure("launch_row", since_us(start) / (double)count);
}

static void measure_waits(long count) {
    int64_t *samples = sample(launch_and_wait, count);
    print_figure("launch_wait_p50", percentile(samples, count, 50));
    print_figure("launch_wait_p99", percentile(samples, count, 99));
    free(samples);
}

/* Launches of one stream run one after another, or the count is wrong. */
static void check_order(long count) {
    unsigned counted = 0;
    void *parameters[] = {&memory};
    CHECK(cuMemsetD32_v2(memory, 0, 1));
    for (long i = 0; i < count; i++)
        CHECK(cuLaunchKernel(increment, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    CHECK(cuMemcpyDtoH_v2(&counted, memory, sizeof counted));
    if (counted != (unsigned)count) {
        fprintf(stderr, "%ld launches counted to %u\n", count, counted);
        exit(1);
    }
}

static void measure_calls(void) {
    measure_bursts(times(40));
    measure_throughput(times(20000));
    measure_waits(times(5000));
    measure_p50("idle_wait_p50", wait_idle, times(5000));
    measure_p50("copy_64_down_p50", copy_down, times(3000));
    measure_p50("copy_64_up_p50", copy_up, times(3000));
    measure_p50("malloc_free", allocate_and_free, times(1000));
    check_order(times(1000));
}

static void measure_copy(const char *name, void *host, size_t bytes, int down) {
    int64_t samples[REPETITIONS];
    for (int i = -1; i < REPETITIONS; i++) {
        int64_t start = clock_ns();
        CHECK(down ? cuMemcpyHtoD_v2(memory, host, bytes) : cuMemcpyDtoH_v2(host, memory, bytes));
        CHECK(cuCtxSynchronize());
        if (i >= 0)
            samples[i] = clock_ns() - start;
    }
    print_figure(name, (double)bytes / 1e3 / percentile(samples, REPETITIONS, 50));
}

static void measure_copies(size_t bytes) {
    void *pageable = allocate(bytes), *pinned;
    CHECK(cuMemAllocHost_v2(&pinned, bytes));
    memset(pageable, 1, bytes);
    memset(pinned, 2, bytes);
    memory = device_memory(bytes);
    measure_copy("copy_pageable_down", pageable, bytes, 1);
    measure_copy("copy_pageable_up", pageable, bytes, 0);
    measure_copy("copy_pinned_down", pinned, bytes, 1);
    measure_copy("copy_pinned_up", pinned, bytes, 0);
    CHECK(cuMemFreeHost(pinned));
    free(pageable);
}

int main(int argc, char **argv) {
    if (argc != 3 || (strcmp(argv[1], "calls") != 0 && strcmp(argv[1], "copies") != 0)) {
        fprintf(stderr, "usage: micro calls PERCENT | micro copies MEGABYTES\n");
        return 2;
    }
    device gpu = open_device(IMAGE);
    if (strcmp(argv[1], "copies") == 0) {
        measure_copies((size_t)number(argv[2]) * MIB);
    } else {
        nothing = kernel(&gpu, "nothing");
        increment = kernel(&gpu, "increment");
        memory = device_memory(MIB);
        percent_of_all = number(argv[2]);
        measure_calls();
    }
    CHECK(cuMemFree_v2(memory));
    close_device(&gpu);
    return 0;
}
