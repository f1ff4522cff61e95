/* SPDX-License-Identifier: Apache-2.0
 * Makes a buffer for each of its steps that only the device sees, as libraries do for a matrix in
 * another order; then two of the same size that the program looks at.
 */
#include "device.h"

enum { COUNT = 512 << 10, STEPS = 10 };

static const char *const source = "kernel void twice(global const uint *from, global uint *to) { "
                                  "to[get_global_id(0)] = 2 * from[get_global_id(0)]; }"
                                  "kernel void plus(global const uint *from, global uint *to) { "
                                  "to[get_global_id(0)] += from[get_global_id(0)]; }";

static unsigned values[COUNT];

static void run(const device *gpu, cl_kernel kernel, cl_mem from, cl_mem to) {
    CHECK(clSetKernelArg(kernel, 0, sizeof from, &from));
    CHECK(clSetKernelArg(kernel, 1, sizeof to, &to));
    start(gpu, kernel, COUNT, NULL);
}

static size_t differences(const device *gpu, cl_mem memory, unsigned factor) {
    size_t wrong = 0;
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 1, 0, sizeof values, values, 0, NULL, NULL));
    for (unsigned i = 0; i < COUNT; i++)
        wrong += values[i] != i * factor;
    return wrong;
}

/* Three times as much, by a buffer that is gone before it has been filled. */
static void step(const device *gpu, cl_kernel twice, cl_kernel plus, cl_mem memory) {
    cl_mem doubled = buffer(gpu, sizeof values);
    run(gpu, twice, memory, doubled);
    run(gpu, plus, doubled, memory);
    CHECK(clReleaseMemObject(doubled));
}

static size_t looked_at(const device *gpu, cl_kernel twice, cl_mem memory, unsigned factor) {
    cl_mem doubled = buffer(gpu, sizeof values);
    run(gpu, twice, memory, doubled);
    size_t wrong = differences(gpu, doubled, 2 * factor);
    CHECK(clReleaseMemObject(doubled));
    return wrong;
}

int main(void) {
    cl_kernel twice, plus;
    size_t wrong = 0;
    device gpu = open_device();
    cl_program program = build(&gpu, source, "");
    MAKE(twice, clCreateKernel(program, "twice", MADE));
    MAKE(plus, clCreateKernel(program, "plus", MADE));
    cl_mem memory = buffer(&gpu, sizeof values);
    for (unsigned i = 0; i < COUNT; i++)
        values[i] = i;
    CHECK(clEnqueueWriteBuffer(gpu.queue, memory, 1, 0, sizeof values, values, 0, NULL, NULL));
    unsigned factor = 1;
    for (int i = 0; i < STEPS; i++, factor *= 3)
        step(&gpu, twice, plus, memory);
    for (int i = 0; i < 2; i++)
        wrong += looked_at(&gpu, twice, memory, factor);
    wrong += differences(&gpu, memory, factor);
    CHECK(clReleaseMemObject(memory));
    CHECK(clReleaseKernel(plus));
    CHECK(clReleaseKernel(twice));
    CHECK(clReleaseProgram(program));
    close_device(&gpu);
    return verdict("temporaries", gpu.name, "values", wrong);
}
