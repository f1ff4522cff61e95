/* SPDX-License-Identifier: Apache-2.0
 * Computes as much as it is let: kernels of so many steps each, as fast as they go. Prints how many
 * are done whenever a line comes in, the first time as soon as the first ones are; ends with its
 * standard input. The first error ends it: prints it, exits with 3.
 * usage: share STEPS | share calibrate MICROSECONDS (prints how many steps a kernel of that time
 *        has, where nobody else computes)
 */
#include <cuda.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Each step needs the one before. */
static const char SPIN[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                           ".visible .entry spin(.param .u64 to, .param .u32 steps)\n"
                           "{\n.reg .pred %p<2>;\n.reg .b64 %rd<2>;\n.reg .b32 %r<4>;\n"
                           "ld.param.u64 %rd1, [to];\nld.param.u32 %r1, [steps];\nmov.u32 %r2, 1;\n"
                           "mov.u32 %r3, 0;\n"
                           "next:\nmad.lo.u32 %r2, %r2, 1664525, 1013904223;\n"
                           "add.u32 %r3, %r3, 1;\n"
                           "setp.lt.u32 %p1, %r3, %r1;\n@%p1 bra next;\n"
                           "cvta.to.global.u64 %rd1, %rd1;\nst.global.u32 [%rd1], %r2;\nret;\n}\n";

enum { GROUP = 8, ROUNDS = 5, FIRST_STEPS = 1 << 16 };

static CUfunction spin;
static CUdeviceptr memory;
static CUstream stream;

static void must(CUresult result, const char *what) {
    if (result != 0) {
        printf("error %d %s\n", (int)result, what);
        exit(3);
    }
}
#define MUST(call) must(call, #call)

static void prepare(void) {
    CUcontext context;
    CUmodule module;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
    MUST(cuModuleLoadData(&module, SPIN));
    MUST(cuModuleGetFunction(&spin, module, "spin"));
    MUST(cuMemAlloc_v2(&memory, sizeof(uint32_t)));
    MUST(cuStreamCreate(&stream, 1));
}

static void launch(uint32_t steps) {
    void *parameters[] = {&memory, &steps};
    MUST(cuLaunchKernel(spin, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
}

static void launch_group(uint32_t steps, CUevent end) {
    for (int i = 0; i < GROUP; i++)
        launch(steps);
    MUST(cuEventRecord(end, stream));
}

static double now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static double time_us(uint32_t steps) {
    double start = now_us();
    for (int i = 0; i < GROUP; i++)
        launch(steps);
    MUST(cuStreamSynchronize(stream));
    return (now_us() - start) / GROUP;
}

static uint32_t calibrate(double wanted_us) {
    double steps = FIRST_STEPS;
    for (int i = 0; i < ROUNDS; i++)
        steps = steps * wanted_us / time_us((uint32_t)steps) + 1;
    return (uint32_t)steps;
}

/* Whether a line has come, -1 at the end. */
static int asked(void) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    char line[64];
    if (poll(&in, 1, 0) <= 0)
        return 0;
    return read(STDIN_FILENO, line, sizeof line) > 0 ? 1 : -1;
}

static void compute(uint32_t steps) {
    CUevent ends[2];
    MUST(cuEventCreate(&ends[0], 2));
    MUST(cuEventCreate(&ends[1], 2));
    launch_group(steps, ends[0]);
    for (long groups = 1, what = 0; what >= 0; groups++) {
        launch_group(steps, ends[groups % 2]);
        MUST(cuEventSynchronize(ends[(groups - 1) % 2]));
        what = asked();
        if (what > 0) {
            printf("%ld\n", groups * GROUP);
            fflush(stdout);
        }
    }
}

int main(int count, char **arguments) {
    if (count == 3 && strcmp(arguments[1], "calibrate") == 0) {
        prepare();
        printf("%u\n", calibrate(atof(arguments[2])));
    } else if (count == 2) {
        prepare();
        compute((uint32_t)strtoul(arguments[1], NULL, 10));
    } else {
        return 2;
    }
    return 0;
}
