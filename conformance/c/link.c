/* SPDX-License-Identifier: Apache-2.0
 * Prints what the way to the backend costs: a call's round trip, and copies of 64 bytes and of 16
 * MiB each way, the last ones also of page-locked memory.
 */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLS = 300, COPIES = 4, ENOUGH_SECONDS = 5 };

static const size_t LARGE = 16 << 20;

static void must(CUresult result, const char *what) {
    if (result != 0) {
        printf("error %d %s\n", (int)result, what);
        exit(3);
    }
}
#define MUST(call) must(call, #call)

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int ascending(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The middle one of many, in microseconds. */
static double round_trip(CUdeviceptr memory, void *small) {
    double each[CALLS];
    for (int i = 0; i < CALLS; i++) {
        double begin = now();
        MUST(cuMemcpyDtoH_v2(small, memory, 64));
        each[i] = (now() - begin) * 1e6;
    }
    qsort(each, CALLS, sizeof *each, ascending);
    return each[CALLS / 2];
}

typedef CUresult copy(CUdeviceptr memory, void *large);

static CUresult to_device(CUdeviceptr memory, void *large) {
    return cuMemcpyHtoD_v2(memory, large, LARGE);
}

static CUresult from_device(CUdeviceptr memory, void *large) {
    return cuMemcpyDtoH_v2(large, memory, LARGE);
}

/* In megabytes a second; a slow way has fewer copies. */
static double rate(copy *one, CUdeviceptr memory, void *large) {
    double begin = now();
    int copies = 0;
    do {
        MUST(one(memory, large));
        copies++;
    } while (copies < COPIES && now() - begin < ENOUGH_SECONDS);
    MUST(cuCtxSynchronize());
    return (double)copies * (double)LARGE / (now() - begin) / 1e6;
}

int main(void) {
    int device;
    CUcontext context;
    CUdeviceptr memory;
    void *locked;
    char small[64], *large = malloc(LARGE);
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuMemAlloc_v2(&memory, LARGE));
    for (size_t i = 0; i < LARGE; i++)
        large[i] = (char)(i * 31);
    MUST(cuMemcpyHtoD_v2(memory, large, LARGE));
    double trip = round_trip(memory, small);
    double up = rate(to_device, memory, large), down = rate(from_device, memory, large);
    for (size_t i = 0; i < LARGE; i++)
        if (large[i] != (char)(i * 31))
            must(1, "wrong bytes");
    MUST(cuMemAllocHost_v2(&locked, LARGE));
    memcpy(locked, large, LARGE);
    double locked_up = rate(to_device, memory, locked),
           locked_down = rate(from_device, memory, locked);
    if (memcmp(locked, large, LARGE) != 0)
        must(1, "wrong bytes in page-locked memory");
    printf("link: 64 bytes %.0f us, to the device %.1f MB/s, from it %.1f MB/s; page-locked %.1f "
           "and %.1f MB/s\n",
           trip, up, down, locked_up, locked_down);
    return 0;
}
