/* SPDX-License-Identifier: Apache-2.0
 * What OpenCL costs the program: an empty kernel that is enqueued and waited for, in microseconds (median), and writes and reads of 64 MB,
 * in GB/s (the best of some). Three numbers on a line. Built against any OpenCL; run directly and through Outboard.
 */
#include <device.h>
#include <stdint.h>
#include <time.h>

enum { TIMES = 2000, WARM = 500, COPIES = 10, BYTES = 64 << 20 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double finish_us(const device *on) {
    static double took[TIMES];
    cl_program program = build(on, "__kernel void nothing(void) {}", "");
    cl_kernel kernel;
    MAKE(kernel, clCreateKernel(program, "nothing", MADE));
    for (int i = -WARM; i < TIMES; i++) {
        double begin = now();
        start(on, kernel, 1, NULL);
        CHECK(clFinish(on->queue));
        took[i < 0 ? 0 : i] = now() - begin;
    }
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    qsort(took, TIMES, sizeof *took, by_size);
    return took[TIMES / 2] * 1e6;
}

int main(void) {
    device on = open_device();
    char *bytes = malloc(BYTES);
    cl_mem memory = buffer(&on, BYTES);
    double microseconds = finish_us(&on), write = 1e9, read = 1e9;
    memset(bytes, 1, BYTES);
    for (int i = 0; i < COPIES; i++) {
        double begin = now();
        CHECK(clEnqueueWriteBuffer(on.queue, memory, 1, 0, BYTES, bytes, 0, NULL, NULL));
        double between = now();
        CHECK(clEnqueueReadBuffer(on.queue, memory, 1, 0, BYTES, bytes, 0, NULL, NULL));
        double end = now();
        write = between - begin < write ? between - begin : write;
        read = end - between < read ? end - between : read;
    }
    printf("%.1f %.2f %.2f\n", microseconds, BYTES / write * 1e-9, BYTES / read * 1e-9);
    CHECK(clReleaseMemObject(memory));
    close_device(&on);
    free(bytes);
    return 0;
}
