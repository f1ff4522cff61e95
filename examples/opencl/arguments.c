/* SPDX-License-Identifier: Apache-2.0
 * Sets arguments of a kernel again and again: the same, others, wrong ones between right ones,
 * those of a copy of it; each start must have what was set last. And moves between buffers without
 * a wait, with the times of the last command. */
#include "device.h"

enum {
    COUNT = 64,
    ROUNDS = 20,
    CL_INVALID_ARG_INDEX = -49,
    CL_INVALID_ARG_SIZE = -51,
    CL_INVALID_VALUE = -30
};

/* OpenCL specification 3.0, section 5.14. */
enum {
    CL_PROFILING_COMMAND_QUEUED = 0x1280,
    CL_PROFILING_COMMAND_START = 0x1282,
    CL_PROFILING_COMMAND_END = 0x1283
};

static const char source[] = "kernel void put(global long *to, global const long *from, long by, "
                             "int times, local long *shared) {"
                             "    size_t i = get_global_id(0);"
                             "    shared[get_local_id(0)] = by * times;"
                             "    barrier(CLK_LOCAL_MEM_FENCE);"
                             "    to[i] = (from ? from[i] : 0) + shared[get_local_id(0)];"
                             "}";

typedef struct {
    cl_program program;
    cl_kernel put;
    cl_mem a, b;
} work;

static void set(cl_kernel kernel, cl_mem to, cl_mem from, long by, int times) {
    CHECK(clSetKernelArg(kernel, 0, sizeof to, &to));
    CHECK(clSetKernelArg(kernel, 1, sizeof from, &from));
    CHECK(clSetKernelArg(kernel, 2, sizeof by, &by));
    CHECK(clSetKernelArg(kernel, 3, sizeof times, &times));
    CHECK(clSetKernelArg(kernel, 4, COUNT * sizeof(long), NULL));
}

static size_t is(const device *gpu, cl_mem memory, long value) {
    long values[COUNT];
    size_t wrong = 0;
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 1, 0, sizeof values, values, 0, NULL, NULL));
    for (int i = 0; i < COUNT; i++)
        wrong += values[i] != value;
    if (wrong > 0)
        fprintf(stderr, "%ld and not %ld\n", values[0], value);
    return wrong;
}

/* Each round adds to what the one before has put into the other buffer; every third one adds 0. */
static size_t rounds(const device *gpu, work *w) {
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        cl_mem to = i % 2 == 0 ? w->a : w->b, from = i == 0 ? NULL : i % 2 == 0 ? w->b : w->a;
        set(w->put, to, from, i % 3, i);
        start(gpu, w->put, COUNT, NULL);
        sum += (long)(i % 3) * i;
    }
    return is(gpu, w->b, sum);
}

/* A call that fails does not spoil arguments that were set before. */
static size_t wrong_ones(const device *gpu, work *w) {
    const long by = 5;
    set(w->put, w->a, NULL, by, 1);
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(w->put, 2, 1, &by));
    EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArg(w->put, 5, sizeof by, &by));
    CHECK(clSetKernelArg(w->put, 2, sizeof by, &by));
    start(gpu, w->put, COUNT, NULL);
    return is(gpu, w->a, by);
}

/* An argument that is set for one of them is not set for the other. */
static size_t copies(const device *gpu, work *w) {
    const long zero = 0;
    cl_kernel copy;
    cl_mem zeros = buffer(gpu, COUNT * sizeof zero);
    CHECK(clEnqueueFillBuffer(gpu->queue, zeros, &zero, sizeof zero, 0, COUNT * sizeof zero, 0,
                              NULL, NULL));
    set(w->put, w->a, zeros, 2, 3);
    MAKE(copy, clCloneKernel(w->put, MADE));
    set(copy, w->b, zeros, 2, 4);
    set(w->put, w->a, zeros, 2, 3);
    start(gpu, w->put, COUNT, NULL);
    start(gpu, copy, COUNT, NULL);
    CHECK(clReleaseKernel(copy));
    size_t wrong = is(gpu, w->a, 6) + is(gpu, w->b, 8);
    CHECK(clReleaseMemObject(zeros));
    return wrong;
}

/* A buffer that ends, and another one in its place. */
static size_t another(const device *gpu, work *w) {
    size_t wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        cl_mem once = buffer(gpu, COUNT * sizeof(long));
        set(w->put, once, NULL, i, 1);
        start(gpu, w->put, COUNT, NULL);
        wrong += is(gpu, once, i);
        CHECK(clReleaseMemObject(once));
    }
    return wrong;
}

static uint64_t when(cl_event event, int what) {
    uint64_t nanoseconds;
    CHECK(clGetEventProfilingInfo(event, what, sizeof nanoseconds, &nanoseconds, NULL));
    return nanoseconds;
}

static size_t moves(const device *gpu, work *w) {
    long values[COUNT], there[COUNT];
    size_t wrong = 0;
    for (long i = 0; i < ROUNDS; i++) {
        cl_event event;
        for (int at = 0; at < COUNT; at++)
            values[at] = i;
        CHECK(clEnqueueWriteBuffer(gpu->queue, w->a, 0, 0, sizeof values, values, 0, NULL, NULL));
        CHECK(clEnqueueCopyBuffer(gpu->queue, w->a, w->b, 0, 0, sizeof values, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(gpu->queue, w->b, 0, 0, sizeof there, there, 0, NULL, &event));
        CHECK(clWaitForEvents(1, &event));
        wrong +=
            there[0] != i || there[COUNT - 1] != i ||
            when(event, CL_PROFILING_COMMAND_QUEUED) > when(event, CL_PROFILING_COMMAND_START) ||
            when(event, CL_PROFILING_COMMAND_START) > when(event, CL_PROFILING_COMMAND_END);
        EXPECT(CL_INVALID_VALUE,
               clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 4, values, NULL));
        CHECK(clReleaseEvent(event));
    }
    EXPECT(CL_INVALID_VALUE,
           clEnqueueCopyBuffer(gpu->queue, w->a, w->b, 0, 8, sizeof values, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueWriteBuffer(gpu->queue, w->a, 0, 8, sizeof values, values, 0, NULL, NULL));
    return wrong;
}

int main(void) {
    device gpu = open_device();
    work w = {.program = build(&gpu, source, NULL),
              .a = buffer(&gpu, COUNT * sizeof(long)),
              .b = buffer(&gpu, COUNT * sizeof(long))};
    MAKE(w.put, clCreateKernel(w.program, "put", MADE));
    size_t wrong = rounds(&gpu, &w) + wrong_ones(&gpu, &w) + copies(&gpu, &w) + another(&gpu, &w) +
                   moves(&gpu, &w);
    CHECK(clReleaseKernel(w.put));
    CHECK(clReleaseProgram(w.program));
    CHECK(clReleaseMemObject(w.a));
    CHECK(clReleaseMemObject(w.b));
    close_device(&gpu);
    return verdict("arguments", gpu.name, "arguments", wrong);
}
