/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast copies are, beside memcpy of as many bytes in the same run:
 * usage: copies MEGABYTES ROUNDS
 */
#include "check.h"
#include "measure.h"

#include "cuda.h"

#include <string.h>

typedef struct buffers {
    uint8_t *host, *other;
    void *pinned;
    CUdeviceptr device;
    size_t bytes;
} buffers;

static void copy_memory(const buffers *b) { memcpy(b->other, b->host, b->bytes); }
static void copy_up(const buffers *b) {
    check(cuMemcpyHtoD_v2(b->device, b->host, b->bytes), "cuMemcpyHtoD");
}
static void copy_down(const buffers *b) {
    check(cuMemcpyDtoH_v2(b->other, b->device, b->bytes), "cuMemcpyDtoH");
}
static void copy_pinned_up(const buffers *b) {
    check(cuMemcpyHtoD_v2(b->device, b->pinned, b->bytes), "cuMemcpyHtoD");
}
static void copy_pinned_down(const buffers *b) {
    check(cuMemcpyDtoH_v2(b->pinned, b->device, b->bytes), "cuMemcpyDtoH");
}

static const struct way {
    const char *name;
    void (*copy)(const buffers *);
} ways[] = {
    {"memcpy", copy_memory},
    {"to the device", copy_up},
    {"from the device", copy_down},
    {"to the device, page-locked", copy_pinned_up},
    {"from the device, page-locked", copy_pinned_down},
};

enum { WAYS = sizeof ways / sizeof *ways };

static void open_buffers(buffers *b, size_t bytes) {
    CUcontext context;
    check(cuInit(0), "cuInit");
    check(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    *b = (buffers){.host = malloc(bytes), .other = malloc(bytes), .bytes = bytes};
    check(cuMemAlloc_v2(&b->device, bytes), "cuMemAlloc");
    check(cuMemAllocHost_v2(&b->pinned, bytes), "cuMemAllocHost");
    memset(b->host, 1, bytes);
    memset(b->other, 2, bytes);
    memset(b->pinned, 3, bytes);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: copies MEGABYTES ROUNDS\n");
        return 2;
    }
    buffers b;
    open_buffers(&b, (size_t)number(argv[1]) << 20);
    long rounds = number(argv[2]);
    int64_t *took[WAYS];
    for (int way = 0; way < WAYS; way++)
        took[way] = calloc((size_t)rounds, sizeof *took[way]);
    /* The ways alternate, so that what else the machine does meets them all; the first round warms
     * up. */
    for (long round = -1; round < rounds; round++)
        for (int way = 0; way < WAYS; way++) {
            int64_t start = clock_ns();
            ways[way].copy(&b);
            if (round >= 0)
                took[way][round] = clock_ns() - start;
        }
    for (int way = 0; way < WAYS; way++) {
        qsort(took[way], (size_t)rounds, sizeof *took[way], by_value);
        printf("{\"what\":\"%s\",\"gb_s\":%.2f}\n", ways[way].name,
               (double)b.bytes / (double)took[way][rounds / 2]);
    }
    return memcmp(b.host, b.other, b.bytes) != 0;
}
