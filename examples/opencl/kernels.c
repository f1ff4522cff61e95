/* SPDX-License-Identifier: Apache-2.0
 * Makes kernels of the same functions again and again, as libraries do for each of their calls:
 * each has its own arguments, is wrong where the one before would have been, and follows the
 * program when that is built anew.
 */
#include "device.h"

#include <unistd.h>

enum {
    COUNT = 64,
    ROUNDS = 20,
    CL_INVALID_KERNEL_NAME = -46,
    CL_INVALID_ARG_INDEX = -49,
    CL_INVALID_ARG_SIZE = -51,
    CL_INVALID_KERNEL_ARGS = -52,
    CL_INVALID_WORK_GROUP_SIZE = -54,
    CL_INVALID_OPERATION = -59,
    CL_KERNEL_NUM_ARGS = 0x1191,
    CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,
    CL_KERNEL_COMPILE_WORK_GROUP_SIZE = 0x11B1,
    CL_KERNEL_LOCAL_MEM_SIZE = 0x11B2,
    GROUP = 8,
};

static const char source[] =
    "kernel void add(global TYPE *to, TYPE by) { to[get_global_id(0)] += by; }"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void twice(global TYPE *to) { "
    "to[get_global_id(0)] *= 2; }"
    "kernel void shares(global TYPE *to, local TYPE *shared) {"
    "    shared[get_local_id(0)] = to[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); "
    "to[get_global_id(0)] = shared[get_local_id(0)] + 1;"
    "}";

static void check_answers(const device *gpu, cl_kernel kernel, uint32_t arguments,
                          uint64_t compiled) {
    uint64_t groups[3] = {0}, most = 0;
    uint32_t count = 0;
    CHECK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    CHECK(clGetKernelWorkGroupInfo(kernel, gpu->id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                   sizeof groups, groups, NULL));
    CHECK(clGetKernelWorkGroupInfo(kernel, gpu->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most,
                                   NULL));
    wrong_codes += count != arguments || groups[0] != compiled || most == 0;
}

/* A product of two kernels that wait for each other, made for it alone. */
static void step(const device *gpu, cl_program program, cl_mem memory, int by) {
    const uint64_t items = COUNT, group = GROUP;
    cl_event added;
    cl_kernel add, twice;
    MAKE(add, clCreateKernel(program, "add", MADE));
    check_answers(gpu, add, 2, 0);
    EXPECT(CL_INVALID_KERNEL_ARGS,
           clEnqueueNDRangeKernel(gpu->queue, add, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK(clSetKernelArg(add, 0, sizeof memory, &memory));
    CHECK(clSetKernelArg(add, 1, sizeof by, &by));
    CHECK(clEnqueueNDRangeKernel(gpu->queue, add, 1, NULL, &items, NULL, 0, NULL, &added));
    CHECK(clReleaseKernel(add));
    MAKE(twice, clCreateKernel(program, "twice", MADE));
    check_answers(gpu, twice, 1, GROUP);
    CHECK(clSetKernelArg(twice, 0, sizeof memory, &memory));
    CHECK(clEnqueueNDRangeKernel(gpu->queue, twice, 1, NULL, &items, &group, 1, &added, NULL));
    CHECK(clReleaseKernel(twice));
    CHECK(clReleaseEvent(added));
}

static size_t steps(const device *gpu, cl_program program, cl_mem memory) {
    int values[COUNT] = {0}, wanted = 0;
    size_t wrong = 0;
    CHECK(clEnqueueWriteBuffer(gpu->queue, memory, 1, 0, sizeof values, values, 0, NULL, NULL));
    for (int i = 0; i < ROUNDS; i++) {
        step(gpu, program, memory, i);
        wanted = (wanted + i) * 2;
    }
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 1, 0, sizeof values, values, 0, NULL, NULL));
    for (int i = 0; i < COUNT; i++)
        wrong += values[i] != wanted;
    return wrong;
}

/* Known facts about a function do not make a wrong call right. */
static void wrong_ones(const device *gpu, cl_program program, cl_mem memory) {
    const uint64_t items = COUNT, group = 2 * GROUP;
    const int by = 1;
    cl_kernel add, twice;
    EXPECT_NONE(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "none", MADE));
    MAKE(add, clCreateKernel(program, "add", MADE));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(add, 1, 1, &by));
    EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArg(add, 2, sizeof by, &by));
    CHECK(clSetKernelArg(add, 1, sizeof by, &by));
    EXPECT(CL_INVALID_KERNEL_ARGS,
           clEnqueueNDRangeKernel(gpu->queue, add, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK(clReleaseKernel(add));
    MAKE(twice, clCreateKernel(program, "twice", MADE));
    CHECK(clSetKernelArg(twice, 0, sizeof memory, &memory));
    EXPECT(CL_INVALID_WORK_GROUP_SIZE,
           clEnqueueNDRangeKernel(gpu->queue, twice, 1, NULL, &items, &group, 0, NULL, NULL));
    CHECK(clReleaseKernel(twice));
}

/* Memory that work-items share is a kernel's own, of which each is asked; PoCL counts what the
 * function itself has only. */
static void shared_memory(const device *gpu, cl_program program) {
    uint64_t bytes[2];
    for (int i = 0; i < 2; i++) {
        cl_kernel shares;
        MAKE(shares, clCreateKernel(program, "shares", MADE));
        CHECK(clSetKernelArg(shares, 1, i == 0 ? 4096 : 1024, NULL));
        CHECK(clGetKernelWorkGroupInfo(shares, gpu->id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes[i],
                                       &bytes[i], NULL));
        CHECK(clReleaseKernel(shares));
    }
    wrong_codes += bytes[0] - bytes[1] != 4096 - 1024 && bytes[0] != bytes[1];
}

/* A device may hold the kernel of a command a moment after the command has ended; a program that
 * has kernels is not built. */
static void build_longs(const device *gpu, cl_program program) {
    int result, tries = 12000;
    while ((result = clBuildProgram(program, 1, &gpu->id, "-DTYPE=long", NULL, NULL)) ==
               CL_INVALID_OPERATION &&
           tries-- > 0)
        usleep(10000);
    CHECK(result);
}

/* Its functions have other arguments then. */
static void built_anew(const device *gpu, cl_program program, cl_mem memory) {
    const uint64_t items = COUNT / 2;
    const int four = 1;
    const long eight = 1;
    cl_kernel add;
    build_longs(gpu, program);
    MAKE(add, clCreateKernel(program, "add", MADE));
    CHECK(clSetKernelArg(add, 0, sizeof memory, &memory));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(add, 1, sizeof four, &four));
    CHECK(clSetKernelArg(add, 1, sizeof eight, &eight));
    CHECK(clEnqueueNDRangeKernel(gpu->queue, add, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK(clFinish(gpu->queue));
    CHECK(clReleaseKernel(add));
}

int main(void) {
    device gpu = open_device();
    cl_program program = build(&gpu, source, "-DTYPE=int");
    cl_mem memory = buffer(&gpu, COUNT * sizeof(int));
    size_t wrong = steps(&gpu, program, memory);
    wrong_ones(&gpu, program, memory);
    shared_memory(&gpu, program);
    built_anew(&gpu, program, memory);
    CHECK(clReleaseMemObject(memory));
    CHECK(clReleaseProgram(program));
    close_device(&gpu);
    return verdict("kernels", gpu.name, "kernels", wrong);
}
