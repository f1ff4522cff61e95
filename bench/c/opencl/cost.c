/* SPDX-License-Identifier: Apache-2.0
 * What OpenCL costs the program: an empty kernel that is enqueued and waited for, in microseconds
 * (median), and writes and reads of 64 MB, in GB/s (the best of some). Three numbers on a line.
 * Built against any OpenCL; run directly and through Outboard.
 */
#include "../measure.h"

#include <device.h>

enum { TIMES = 2000, WARM = 500, COPIES = 10, BYTES = 64 << 20 };

static double finish_us(const device *on) {
    static int64_t took[TIMES];
    cl_program program = build(on, "__kernel void nothing(void) {}", "");
    cl_kernel kernel;
    MAKE(kernel, clCreateKernel(program, "nothing", MADE));
    for (int i = -WARM; i < TIMES; i++) {
        int64_t begin = clock_ns();
        start(on, kernel, 1, NULL);
        CHECK(clFinish(on->queue));
        took[i < 0 ? 0 : i] = clock_ns() - begin;
    }
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    qsort(took, TIMES, sizeof *took, by_value);
    return (double)took[TIMES / 2] / 1e3;
}

int main(void) {
    device on = open_device();
    char *bytes = malloc(BYTES);
    cl_mem memory = buffer(&on, BYTES);
    double microseconds = finish_us(&on);
    int64_t write = INT64_MAX, read = INT64_MAX;
    memset(bytes, 1, BYTES);
    for (int i = 0; i < COPIES; i++) {
        int64_t begin = clock_ns();
        CHECK(clEnqueueWriteBuffer(on.queue, memory, 1, 0, BYTES, bytes, 0, NULL, NULL));
        int64_t between = clock_ns();
        CHECK(clEnqueueReadBuffer(on.queue, memory, 1, 0, BYTES, bytes, 0, NULL, NULL));
        int64_t end = clock_ns();
        write = between - begin < write ? between - begin : write;
        read = end - between < read ? end - between : read;
    }
    printf("%.1f %.2f %.2f\n", microseconds, BYTES / (double)write, BYTES / (double)read);
    CHECK(clReleaseMemObject(memory));
    close_device(&on);
    free(bytes);
    return 0;
}
