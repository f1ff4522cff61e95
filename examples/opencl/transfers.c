/* SPDX-License-Identifier: Apache-2.0
 * Moves data in every way that buffers have, and compares it with what it should be. */
#include "device.h"

enum { BYTES = 3 << 20, WIDTH = 64, HEIGHT = 48, DEPTH = 5, SLICE = WIDTH * HEIGHT };

/* OpenCL specification 3.0, appendix C. */
enum { CL_MEM_FLAGS = 0x1101, CL_MEM_HOST_PTR = 0x1103 };

static unsigned char data[BYTES], back[BYTES], expected[BYTES];

static size_t differ(const char *what, const void *one, const void *other, size_t bytes) {
    if (memcmp(one, other, bytes) == 0)
        return 0;
    fprintf(stderr, "%s differs\n", what);
    return 1;
}

static void fill(void) {
    unsigned state = 7;
    for (size_t i = 0; i < BYTES; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = (unsigned char)(state >> 24);
    }
}

/* Data of a read without waiting are there once the program has waited, in whatever way. */
static size_t without_waiting(const device *gpu, cl_mem memory) {
    size_t wrong = 0;
    cl_event event;
    int status = 1;
    CHECK(clEnqueueWriteBuffer(gpu->queue, memory, 0, 0, BYTES, data, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 0, 0, BYTES, back, 0, NULL, NULL));
    CHECK(clFinish(gpu->queue));
    wrong += differ("after clFinish", data, back, BYTES);
    memset(back, 0, BYTES);
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 0, 100, 1000, back, 0, NULL, &event));
    CHECK(clWaitForEvents(1, &event));
    CHECK(clReleaseEvent(event));
    wrong += differ("after clWaitForEvents", data + 100, back, 1000);
    memset(back, 0, BYTES);
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 0, 5, BYTES - 5, back, 0, NULL, &event));
    CHECK(clFlush(gpu->queue));
    while (status > CL_COMPLETE)
        CHECK(clGetEventInfo(event, CL_EVENT_STATUS, sizeof status, &status, NULL));
    CHECK(clReleaseEvent(event));
    wrong += differ("after polling", data + 5, back, BYTES - 5);
    /* A read that waits comes after one that does not, in a queue in order. */
    memset(back, 0, BYTES);
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 0, 0, BYTES - 1, back, 0, NULL, NULL));
    CHECK(
        clEnqueueReadBuffer(gpu->queue, memory, 1, BYTES - 1, 1, back + BYTES - 1, 0, NULL, NULL));
    return wrong + differ("after a read that waits", data, back, BYTES);
}

static size_t first_content(const device *gpu) {
    cl_mem made;
    memset(back, 0, BYTES);
    MAKE(made,
         clCreateBuffer(gpu->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES, data, MADE));
    CHECK(clEnqueueReadBuffer(gpu->queue, made, 1, 0, BYTES, back, 0, NULL, NULL));
    CHECK(clReleaseMemObject(made));
    return differ("what a buffer is made of", data, back, BYTES);
}

static uint64_t about(cl_mem memory, int name) {
    uint64_t answer = 0;
    CHECK(clGetMemObjectInfo(memory, name, sizeof answer, &answer, NULL));
    return answer;
}

/* However its memory came to be, a buffer and a part of it say of themselves what the program has
 * said. */
static size_t answers(const device *gpu) {
    cl_buffer_region region = {4096, 8192};
    cl_mem whole, part;
    MAKE(whole,
         clCreateBuffer(gpu->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES, data, MADE));
    MAKE(part, clCreateSubBuffer(whole, CL_MEM_READ_ONLY, 0x1220, &region, MADE));
    size_t wrong = (about(whole, CL_MEM_FLAGS) != (CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR)) +
                   (about(whole, CL_MEM_HOST_PTR) != 0) +
                   (about(part, CL_MEM_FLAGS) != (CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR)) +
                   (about(part, CL_MEM_HOST_PTR) != 0);
    CHECK(clReleaseMemObject(part));
    CHECK(clReleaseMemObject(whole));
    return wrong;
}

/* A kernel's writes are where the memory is mapped, and the other way round. */
static size_t with_a_kernel(const device *gpu) {
    const char *source = "kernel void next(global uchar *bytes) { bytes[get_global_id(0)]++; }";
    cl_program program = build(gpu, source, "");
    cl_mem memory = buffer(gpu, BYTES);
    cl_kernel kernel;
    unsigned char *at;
    size_t wrong = 0;
    MAKE(kernel, clCreateKernel(program, "next", MADE));
    CHECK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    MAKE(at, clEnqueueMapBuffer(gpu->queue, memory, 1, CL_MAP_WRITE_INVALIDATE, 0, BYTES, 0, NULL,
                                NULL, MADE));
    memcpy(at, data, BYTES);
    CHECK(clEnqueueUnmapMemObject(gpu->queue, memory, at, 0, NULL, NULL));
    start(gpu, kernel, BYTES, NULL);
    MAKE(at, clEnqueueMapBuffer(gpu->queue, memory, 1, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, MADE));
    for (size_t i = 0; i < BYTES; i++)
        wrong += at[i] != (unsigned char)(data[i] + 1);
    CHECK(clEnqueueUnmapMemObject(gpu->queue, memory, at, 0, NULL, NULL));
    CHECK(clFinish(gpu->queue));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseMemObject(memory));
    return wrong;
}

/* Data too large for one call, to a place where they do not fit. */
static size_t too_large(const device *gpu, cl_mem memory) {
    EXPECT(-30, clEnqueueWriteBuffer(gpu->queue, memory, 1, 1, BYTES, data, 0, NULL, NULL));
    EXPECT(-30, clEnqueueWriteBuffer(gpu->queue, memory, 0, 1, BYTES, data, 0, NULL, NULL));
    EXPECT_NONE(-34,
                clCreateBuffer(NULL, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES, data, MADE));
    return 0;
}

static size_t boxes(const device *gpu, cl_mem memory) {
    const uint64_t region[] = {20, 10, 3}, from[] = {7, 11, 1}, to[] = {30, 2, 0};
    memset(back, 0, BYTES);
    memset(expected, 0, BYTES);
    CHECK(clEnqueueWriteBuffer(gpu->queue, memory, 1, 0, BYTES, data, 0, NULL, NULL));
    CHECK(clEnqueueReadBufferRect(gpu->queue, memory, 1, from, to, region, WIDTH, SLICE, WIDTH,
                                  SLICE, back, 0, NULL, NULL));
    for (uint64_t z = 0; z < region[2]; z++)
        for (uint64_t y = 0; y < region[1]; y++)
            memcpy(expected + (z + to[2]) * SLICE + (y + to[1]) * WIDTH + to[0],
                   data + (z + from[2]) * SLICE + (y + from[1]) * WIDTH + from[0], region[0]);
    size_t wrong = differ("a box that was read", expected, back, DEPTH * SLICE);
    CHECK(clEnqueueWriteBufferRect(gpu->queue, memory, 0, to, from, region, WIDTH, SLICE, WIDTH,
                                   SLICE, data, 0, NULL, NULL));
    memcpy(expected, data, BYTES);
    for (uint64_t z = 0; z < region[2]; z++)
        for (uint64_t y = 0; y < region[1]; y++)
            memcpy(expected + (z + to[2]) * SLICE + (y + to[1]) * WIDTH + to[0],
                   data + (z + from[2]) * SLICE + (y + from[1]) * WIDTH + from[0], region[0]);
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 1, 0, BYTES, back, 0, NULL, NULL));
    return wrong + differ("a box that was written", expected, back, BYTES);
}

/* Rows of half a buffer, to where nothing but them may change. */
static size_t large_boxes(const device *gpu, cl_mem memory) {
    enum { PITCH = 2048, ROWS = BYTES / PITCH };
    const uint64_t region[] = {PITCH / 2, ROWS, 1}, from[] = {PITCH / 4, 0, 0},
                   to[] = {PITCH / 2, 0, 0}, far[] = {0, 1, 0};
    memset(back, 0, BYTES);
    memset(expected, 0, BYTES);
    CHECK(clEnqueueWriteBuffer(gpu->queue, memory, 1, 0, BYTES, data, 0, NULL, NULL));
    CHECK(clEnqueueReadBufferRect(gpu->queue, memory, 1, from, to, region, PITCH, 0, PITCH, 0, back,
                                  0, NULL, NULL));
    for (uint64_t y = 0; y < ROWS; y++)
        memcpy(expected + y * PITCH + to[0], data + y * PITCH + from[0], region[0]);
    size_t wrong = differ("a large box that was read", expected, back, BYTES);
    CHECK(clEnqueueWriteBufferRect(gpu->queue, memory, 1, to, from, region, PITCH, 0, PITCH, 0,
                                   data, 0, NULL, NULL));
    memcpy(expected, data, BYTES);
    for (uint64_t y = 0; y < ROWS; y++)
        memcpy(expected + y * PITCH + to[0], data + y * PITCH + from[0], region[0]);
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 1, 0, BYTES, back, 0, NULL, NULL));
    EXPECT(-30, clEnqueueReadBufferRect(gpu->queue, memory, 1, far, from, region, PITCH, 0, PITCH,
                                        0, back, 0, NULL, NULL));
    return wrong + differ("a large box that was written", expected, back, BYTES);
}

static size_t on_the_device(const device *gpu, cl_mem memory) {
    const unsigned pattern = 0xDEADBEEF;
    cl_mem other = buffer(gpu, BYTES), part;
    cl_buffer_region region = {4096, 8192};
    CHECK(clEnqueueWriteBuffer(gpu->queue, memory, 1, 0, BYTES, data, 0, NULL, NULL));
    CHECK(clEnqueueCopyBuffer(gpu->queue, memory, other, 0, 0, BYTES, 0, NULL, NULL));
    MAKE(part, clCreateSubBuffer(other, CL_MEM_READ_WRITE, 0x1220, &region, MADE));
    CHECK(clEnqueueFillBuffer(gpu->queue, part, &pattern, sizeof pattern, 16, 32, 0, NULL, NULL));
    CHECK(clEnqueueMigrateMemObjects(gpu->queue, 1, &part, 0, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(gpu->queue, other, 1, 0, BYTES, back, 0, NULL, NULL));
    memcpy(expected, data, BYTES);
    for (int i = 0; i < 8; i++)
        memcpy(expected + region.origin + 16 + 4 * i, &pattern, sizeof pattern);
    CHECK(clReleaseMemObject(other));
    CHECK(clReleaseMemObject(part));
    return differ("a copy with a part that was filled", expected, back, BYTES);
}

static size_t mapped(const device *gpu, cl_mem memory) {
    unsigned char *at;
    cl_event event;
    CHECK(clEnqueueWriteBuffer(gpu->queue, memory, 1, 0, BYTES, data, 0, NULL, NULL));
    MAKE(at, clEnqueueMapBuffer(gpu->queue, memory, 1, CL_MAP_READ | CL_MAP_WRITE, 1000, 5000, 0,
                                NULL, NULL, MADE));
    size_t wrong = differ("what is mapped", data + 1000, at, 5000);
    memset(at, 0x5A, 100);
    CHECK(clEnqueueUnmapMemObject(gpu->queue, memory, at, 0, NULL, NULL));
    MAKE(at, clEnqueueMapBuffer(gpu->queue, memory, 0, CL_MAP_WRITE_INVALIDATE, 0, 1000, 0, NULL,
                                &event, MADE));
    CHECK(clWaitForEvents(1, &event));
    CHECK(clReleaseEvent(event));
    memset(at, 0xA5, 1000);
    CHECK(clEnqueueUnmapMemObject(gpu->queue, memory, at, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 1, 0, BYTES, back, 0, NULL, NULL));
    memcpy(expected, data, BYTES);
    memset(expected, 0xA5, 1000);
    memset(expected + 1000, 0x5A, 100);
    wrong += differ("what was written to a mapping", expected, back, BYTES);
    /* A mapping that ends before anybody has waited for it changes nothing. */
    MAKE(at, clEnqueueMapBuffer(gpu->queue, memory, 0, CL_MAP_READ | CL_MAP_WRITE, 10, 5000, 0,
                                NULL, NULL, MADE));
    CHECK(clEnqueueUnmapMemObject(gpu->queue, memory, at, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 1, 0, BYTES, back, 0, NULL, NULL));
    return wrong + differ("a mapping that nobody waited for", expected, back, BYTES);
}

/* An object of the program's own memory is mapped there. */
static size_t own_memory(const device *gpu) {
    static unsigned char own[8192] __attribute__((aligned(4096)));
    cl_mem memory;
    unsigned char *at;
    const unsigned char pattern = 3;
    MAKE(memory, clCreateBuffer(gpu->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof own,
                                own, MADE));
    CHECK(clEnqueueFillBuffer(gpu->queue, memory, &pattern, 1, 0, sizeof own, 0, NULL, NULL));
    MAKE(at, clEnqueueMapBuffer(gpu->queue, memory, 1, CL_MAP_READ, 256, 512, 0, NULL, NULL, MADE));
    size_t wrong = at != own + 256;
    for (int i = 0; i < 512; i++)
        wrong += at[i] != pattern;
    CHECK(clEnqueueUnmapMemObject(gpu->queue, memory, at, 0, NULL, NULL));
    CHECK(clFinish(gpu->queue));
    CHECK(clReleaseMemObject(memory));
    return wrong;
}

/* A program that may only write may write a part of the mapped memory; the rest stays. Nobody maps
 * what may not be used so. */
static size_t host_access(const device *gpu) {
    enum { WRITE_ONLY = 1 << 7, READ_ONLY = 1 << 8, NO_ACCESS = 1 << 9, SIZE = 4096 };
    cl_mem written, copy = buffer(gpu, SIZE), closed;
    unsigned char *at;
    MAKE(written,
         clCreateBuffer(gpu->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR | WRITE_ONLY, SIZE,
                        data, MADE));
    EXPECT_NONE(
        -59, clEnqueueMapBuffer(gpu->queue, written, 1, CL_MAP_READ, 0, SIZE, 0, NULL, NULL, MADE));
    MAKE(at,
         clEnqueueMapBuffer(gpu->queue, written, 1, CL_MAP_WRITE, 100, 1000, 0, NULL, NULL, MADE));
    memset(at, 0x5A, 10);
    CHECK(clEnqueueUnmapMemObject(gpu->queue, written, at, 0, NULL, NULL));
    CHECK(clEnqueueCopyBuffer(gpu->queue, written, copy, 0, 0, SIZE, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(gpu->queue, copy, 1, 0, SIZE, back, 0, NULL, NULL));
    memcpy(expected, data, SIZE);
    memset(expected + 100, 0x5A, 10);
    CHECK(clReleaseMemObject(written));
    MAKE(closed, clCreateBuffer(gpu->context, CL_MEM_READ_WRITE | READ_ONLY, SIZE, NULL, MADE));
    EXPECT_NONE(
        -59, clEnqueueMapBuffer(gpu->queue, closed, 1, CL_MAP_WRITE, 0, SIZE, 0, NULL, NULL, MADE));
    CHECK(clReleaseMemObject(closed));
    MAKE(closed, clCreateBuffer(gpu->context, CL_MEM_READ_WRITE | NO_ACCESS, SIZE, NULL, MADE));
    EXPECT_NONE(-59, clEnqueueMapBuffer(gpu->queue, closed, 1, CL_MAP_WRITE_INVALIDATE, 0, SIZE, 0,
                                        NULL, NULL, MADE));
    CHECK(clReleaseMemObject(closed));
    CHECK(clReleaseMemObject(copy));
    return differ("what was only written", expected, back, SIZE);
}

int main(void) {
    fill();
    device gpu = open_device();
    cl_mem memory = buffer(&gpu, BYTES);
    size_t wrong = without_waiting(&gpu, memory) + first_content(&gpu) + answers(&gpu) +
                   with_a_kernel(&gpu) + too_large(&gpu, memory) + boxes(&gpu, memory) +
                   large_boxes(&gpu, memory) + on_the_device(&gpu, memory) + mapped(&gpu, memory) +
                   own_memory(&gpu) + host_access(&gpu);
    CHECK(clReleaseMemObject(memory));
    close_device(&gpu);
    return verdict("transfers", gpu.name, "buffers read, written, copied, filled and mapped",
                   wrong);
}
