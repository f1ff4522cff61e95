/* SPDX-License-Identifier: Apache-2.0
 * Copies of padded planes, between the program and the device, and back. usage: planes CASE
 */
#include "case.h"

#include <stdint.h>

enum { HOST = 1, DEVICE = 2, WIDTH = 1000, HEIGHT = 600, PITCH = 1024 };

static void prepare(void) {
    CUcontext primary;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
}

static rectangle up(const uint8_t *from, CUdeviceptr to, size_t width, size_t height) {
    return (rectangle){.source = {.type = HOST, .host = from, .pitch = width},
                       .destination = {.type = DEVICE, .device = to, .pitch = PITCH},
                       .width = width,
                       .height = height};
}

/* What lies between the rows stays as it is. */
static void padded(void) {
    static uint8_t from[WIDTH * HEIGHT], to[PITCH * HEIGHT];
    CUdeviceptr plane;
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)(i % 251);
    MUST(cuMemAlloc_v2(&plane, sizeof to));
    MUST(cuMemsetD8_v2(plane, 0xee, sizeof to));
    rectangle copy = up(from, plane, WIDTH, HEIGHT);
    MUST(cuMemcpy2D_v2(&copy));
    MUST(cuMemcpyDtoH_v2(to, plane, sizeof to));
    for (size_t y = 0; y < HEIGHT; y++) {
        CHECK(memcmp(to + y * PITCH, from + y * WIDTH, WIDTH) == 0);
        for (size_t x = WIDTH; x < PITCH; x++)
            CHECK(to[y * PITCH + x] == 0xee);
    }
}

/* Rows are taken at the call, though the stream does not get there before the program goes on. */
static void taken(void) {
    static uint8_t from[WIDTH * 10], to[PITCH * 10];
    CUdeviceptr plane, word;
    CUstream stream;
    uint32_t one = 1;
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuMemAlloc_v2(&plane, sizeof to));
    MUST(cuMemAlloc_v2(&word, 4));
    MUST(cuMemsetD32_v2(word, 0, 1));
    MUST(cuCtxSynchronize());
    memset(from, 7, sizeof from);
    MUST(cuStreamWaitValue32_v2(stream, word, 1, 0));
    rectangle copy = up(from, plane, WIDTH, 10);
    MUST(cuMemcpy2DAsync_v2(&copy, stream));
    memset(from, 9, sizeof from);
    MUST(cuMemcpyHtoD_v2(word, &one, sizeof one));
    MUST(cuStreamSynchronize(stream));
    MUST(cuMemcpyDtoH_v2(to, plane, sizeof to));
    for (size_t y = 0; y < 10; y++)
        CHECK(to[y * PITCH] == 7 && to[y * PITCH + WIDTH - 1] == 7);
}

static const test_case cases[] = {{"padded", padded}, {"taken", taken}};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
