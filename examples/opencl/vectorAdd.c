/* SPDX-License-Identifier: Apache-2.0
 * Adds two vectors. */
#include "device.h"

enum { COUNT = 1 << 20 };

static const char source[] =
    "kernel void add(global const float *a, global const float *b, global float *c, uint count) {"
    "  size_t i = get_global_id(0);"
    "  if (i < count) c[i] = a[i] + b[i];"
    "}";

int main(void) {
    static float a[COUNT], b[COUNT], c[COUNT];
    unsigned count = COUNT;
    size_t wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        a[i] = (float)i;
        b[i] = (float)(3 * i % 1000);
    }
    device gpu = open_device();
    cl_mem in_a, in_b, out = buffer(&gpu, sizeof c);
    MAKE(in_a,
         clCreateBuffer(gpu.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof a, a, MADE));
    MAKE(in_b, clCreateBuffer(gpu.context, CL_MEM_READ_ONLY, sizeof b, NULL, MADE));
    CHECK(clEnqueueWriteBuffer(gpu.queue, in_b, 0, 0, sizeof b, b, 0, NULL, NULL));
    cl_program program = build(&gpu, source, "");
    cl_kernel add;
    MAKE(add, clCreateKernel(program, "add", MADE));
    CHECK(clSetKernelArg(add, 0, sizeof in_a, &in_a));
    CHECK(clSetKernelArg(add, 1, sizeof in_b, &in_b));
    CHECK(clSetKernelArg(add, 2, sizeof out, &out));
    CHECK(clSetKernelArg(add, 3, sizeof count, &count));
    start(&gpu, add, COUNT, NULL);
    CHECK(clEnqueueReadBuffer(gpu.queue, out, 1, 0, sizeof c, c, 0, NULL, NULL));
    for (int i = 0; i < COUNT; i++)
        wrong += c[i] != a[i] + b[i];
    CHECK(clReleaseMemObject(in_a));
    CHECK(clReleaseMemObject(in_b));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseKernel(add));
    CHECK(clReleaseProgram(program));
    close_device(&gpu);
    return verdict("vectorAdd", gpu.name, "1048576 sums", wrong);
}
