/* SPDX-License-Identifier: Apache-2.0
 * Two contexts with functions for errors; in one a buffer is asked for that is too large for any
 * device. Its function alone is told, and of nothing else: much is written before, for which the
 * backend may have wanted more than it got.
 */
#include <device.h>
#include <stdatomic.h>
#include <unistd.h>

enum { PATIENCE_MS = 120000, BYTES = 16 << 20, TIMES = 6, UNASKED = 1000 };

static const uint64_t too_large = 1ULL << 60;
static _Atomic int told;

static void on_error(const char *text, const void *information, size_t bytes, void *data) {
    (void)information, (void)bytes;
    if (strcmp(text, "no buffer of 1152921504606846976 bytes") != 0) {
        fprintf(stderr, "told \"%s\"\n", text);
        told += UNASKED;
    } else {
        told += *(int *)data;
    }
}

static cl_context watched(device *on, int *number) {
    cl_context made;
    MAKE(made, clCreateContext(NULL, 1, &on->id, on_error, number, MADE));
    return made;
}

static void write_much(device *on, cl_context context) {
    static unsigned char bytes[BYTES];
    cl_command_queue queue;
    cl_mem memory;
    MAKE(queue, clCreateCommandQueue(context, on->id, 0, MADE));
    MAKE(memory, clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, MADE));
    for (int i = 0; i < TIMES; i++)
        CHECK(clEnqueueWriteBuffer(queue, memory, 1, 0, BYTES, bytes, 0, NULL, NULL));
    CHECK(clReleaseMemObject(memory));
    CHECK(clReleaseCommandQueue(queue));
}

int main(void) {
    device on = open_device();
    int one = 1, hundred = 100;
    cl_context first = watched(&on, &one), second = watched(&on, &hundred);
    write_much(&on, first);
    for (int i = 0; i < 2; i++)
        EXPECT_NONE(-61, clCreateBuffer(first, CL_MEM_READ_WRITE, too_large, NULL, MADE));
    for (int i = 0; i < PATIENCE_MS && told < 2; i++)
        usleep(1000);
    CHECK(clReleaseContext(first));
    CHECK(clReleaseContext(second));
    close_device(&on);
    return verdict("contextErrors", on.name, "functions of contexts are told of errors", told != 2);
}
