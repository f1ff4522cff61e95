/* SPDX-License-Identifier: Apache-2.0
 * Wrong arguments have the codes of the specification. */
#include "device.h"

static void objects(const device *gpu) {
    cl_platform_id platform;
    int info;
    EXPECT(-30, clGetPlatformIDs(0, NULL, NULL));
    EXPECT(-30, clGetPlatformIDs(0, &platform, NULL));
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    EXPECT(-30, clGetPlatformInfo(platform, 0x7777, 0, NULL, NULL));
    EXPECT(-30, clGetDeviceInfo(gpu->id, CL_DEVICE_NAME, 1, &info, NULL));
    EXPECT(-30, clGetContextInfo(gpu->context, 0x7777, 0, NULL, NULL));
    EXPECT(-1, clGetDeviceIDs(platform, 1 << 3, 1, (cl_device_id[1]){0}, NULL));
    EXPECT_NONE(-30, clCreateContext(NULL, 0, NULL, NULL, NULL, MADE));
    EXPECT_NONE(-33, clCreateCommandQueue(gpu->context, NULL, 0, MADE));
    EXPECT_NONE(-34, clCreateBuffer(NULL, CL_MEM_READ_WRITE, 16, NULL, MADE));
}

static void memory(const device *gpu) {
    char bytes[16];
    cl_mem made = buffer(gpu, sizeof bytes);
    EXPECT_NONE(-61, clCreateBuffer(gpu->context, CL_MEM_READ_WRITE, 0, NULL, MADE));
    EXPECT_NONE(-37, clCreateBuffer(gpu->context, CL_MEM_READ_WRITE, 16, bytes, MADE));
    EXPECT_NONE(-37, clCreateBuffer(gpu->context, CL_MEM_COPY_HOST_PTR, 16, NULL, MADE));
    EXPECT(-30, clEnqueueReadBuffer(gpu->queue, made, 1, 8, sizeof bytes, bytes, 0, NULL, NULL));
    EXPECT(-30, clEnqueueReadBuffer(gpu->queue, made, 0, 8, sizeof bytes, bytes, 0, NULL, NULL));
    EXPECT(-30, clEnqueueWriteBuffer(gpu->queue, made, 1, 8, sizeof bytes, bytes, 0, NULL, NULL));
    EXPECT(-30, clEnqueueReadBuffer(gpu->queue, made, 1, 0, SIZE_MAX, bytes, 0, NULL, NULL));
    EXPECT(-30, clEnqueueWriteBuffer(gpu->queue, made, 1, 0, SIZE_MAX, bytes, 0, NULL, NULL));
    EXPECT(-30, clEnqueueWriteBuffer(gpu->queue, made, 1, 0, sizeof bytes, NULL, 0, NULL, NULL));
    EXPECT(-57, clEnqueueWriteBuffer(gpu->queue, made, 1, 0, sizeof bytes, bytes, 1, NULL, NULL));
    EXPECT(-36, clEnqueueWriteBuffer(NULL, made, 1, 0, sizeof bytes, bytes, 0, NULL, NULL));
    EXPECT(-30, clEnqueueUnmapMemObject(gpu->queue, made, bytes, 0, NULL, NULL));
    EXPECT_NONE(-30,
                clEnqueueMapBuffer(gpu->queue, made, 1, CL_MAP_READ, 8, 16, 0, NULL, NULL, MADE));
    CHECK(clReleaseMemObject(made));
}

static void on_end(cl_program program, void *data) {
    (void)program;
    (void)data;
}

static void kernels(const device *gpu) {
    cl_program program =
        build(gpu, "kernel void f(global int *o, int v) { o[get_global_id(0)] = v; }", NULL);
    cl_kernel kernel;
    const uint64_t items = 16;
    int value = 1;
    EXPECT_NONE(-46, clCreateKernel(program, "g", MADE));
    /* Devices of version 3.0 run nothing at a program's end. */
    EXPECT(-59, clSetProgramReleaseCallback(program, on_end, NULL));
    MAKE(kernel, clCreateKernel(program, "f", MADE));
    EXPECT(-49, clSetKernelArg(kernel, 2, sizeof value, &value));
    EXPECT(-51, clSetKernelArg(kernel, 1, 2, &value));
    EXPECT(-52, clEnqueueNDRangeKernel(gpu->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    cl_mem out = buffer(gpu, 64);
    CHECK(clSetKernelArg(kernel, 0, sizeof out, &out));
    CHECK(clSetKernelArg(kernel, 1, sizeof value, &value));
    EXPECT(-53, clEnqueueNDRangeKernel(gpu->queue, kernel, 4, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT(-54, clEnqueueNDRangeKernel(gpu->queue, kernel, 1, NULL, &items, (uint64_t[]){1 << 20},
                                       0, NULL, NULL));
    CHECK(clFinish(gpu->queue));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
}

static void events(const device *gpu) {
    cl_event event;
    EXPECT(-30, clWaitForEvents(0, NULL));
    MAKE(event, clCreateUserEvent(gpu->context, MADE));
    EXPECT(-30, clSetUserEventStatus(event, 1));
    CHECK(clSetUserEventStatus(event, -5));
    EXPECT(-14, clWaitForEvents(1, &event));
    EXPECT(-59, clSetUserEventStatus(event, 0));
    CHECK(clReleaseEvent(event));
}

int main(void) {
    device gpu = open_device();
    objects(&gpu);
    memory(&gpu);
    kernels(&gpu);
    events(&gpu);
    close_device(&gpu);
    return verdict("errors", gpu.name, "wrong arguments have their codes", 0);
}
