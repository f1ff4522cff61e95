/* SPDX-License-Identifier: Apache-2.0
 * A list whose nodes point to each other, made by the program and walked by a kernel, in
 * coarse-grained shared virtual memory; and every command that such memory has. Passes where the
 * device has none. */
#include "device.h"

enum {
    CL_DEVICE_SVM_CAPABILITIES = 0x1053,
    COARSE = 1,
    NODES = 1000,
    EXEC_INFO_SVM_PTRS = 0x11B6,
    CL_MEM_USES_SVM_POINTER = 0x1109
};

typedef struct node {
    struct node *next;
    uint64_t value;
} node;

static const char *const source =
    "typedef struct node { __global struct node *next; ulong value; } node;\n"
    "__kernel void walk(__global node *first, __global ulong *sum) {\n"
    "  ulong all = 0;\n"
    "  for (__global node *at = first; at; at = at->next) { all += at->value; at->value *= 2; }\n"
    "  *sum = all;\n"
    "}\n";

static size_t differs(const char *what, uint64_t got, uint64_t expected) {
    if (got != expected)
        fprintf(stderr, "%s: %llx and not %llx\n", what, (unsigned long long)got,
                (unsigned long long)expected);
    return got != expected;
}

static volatile int freed;

static void free_all(cl_command_queue queue, unsigned int count, void **pointers, void *data) {
    (void)queue;
    for (unsigned int i = 0; i < count; i++)
        clSVMFree(data, pointers[i]);
    freed = (int)count;
}

/* A buffer is that memory, as far as the program has asked for it, and says so. */
static size_t buffer_of(device *on, uint64_t *number) {
    const uint64_t value = 43;
    uint64_t got = 0;
    int shared = 0;
    cl_mem whole;
    MAKE(whole, clCreateBuffer(on->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof *number,
                               number, MADE));
    CHECK(clEnqueueWriteBuffer(on->queue, whole, 1, 0, sizeof value, &value, 0, NULL, NULL));
    CHECK(clEnqueueSVMMemcpy(on->queue, 1, &got, number, sizeof got, 0, NULL, NULL));
    CHECK(clGetMemObjectInfo(whole, CL_MEM_USES_SVM_POINTER, sizeof shared, &shared, NULL));
    CHECK(clReleaseMemObject(whole));
    EXPECT_NONE(-61, clCreateBuffer(on->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                    2 * sizeof *number, number, MADE));
    return differs("what was written to the buffer", got, value) +
           differs("memory of a buffer", (uint64_t)shared, 1);
}

static size_t run(device *on) {
    cl_program program = build(on, source, "");
    cl_kernel kernel;
    cl_event event;
    uint64_t expected = 0, got = 0, again = 0;
    size_t wrong = 0;
    node *nodes = clSVMAlloc(on->context, CL_MEM_READ_WRITE, NODES * sizeof *nodes, 0);
    uint64_t *sum = clSVMAlloc(on->context, CL_MEM_READ_WRITE, sizeof *sum, 8);
    MAKE(kernel, clCreateKernel(program, "walk", MADE));
    if (nodes == NULL || sum == NULL)
        return 1;
    CHECK(clEnqueueSVMMap(on->queue, 1, CL_MAP_WRITE_INVALIDATE, nodes, NODES * sizeof *nodes, 0,
                          NULL, NULL));
    for (uint64_t i = 0; i < NODES; i++) {
        nodes[i] = (node){i + 1 < NODES ? &nodes[i + 1] : NULL, i * i};
        expected += i * i;
    }
    CHECK(clEnqueueSVMUnmap(on->queue, nodes, 0, NULL, NULL));
    CHECK(clSetKernelArgSVMPointer(kernel, 0, nodes));
    CHECK(clSetKernelArgSVMPointer(kernel, 1, sum));
    CHECK(clSetKernelExecInfo(kernel, EXEC_INFO_SVM_PTRS, sizeof nodes, &nodes));
    start(on, kernel, 1, NULL);
    CHECK(clEnqueueSVMMemcpy(on->queue, 1, &got, sum, sizeof got, 0, NULL, NULL));
    wrong += differs("the sum", got, expected);
    CHECK(clEnqueueSVMMap(on->queue, 0, CL_MAP_READ | CL_MAP_WRITE, nodes, NODES * sizeof *nodes, 0,
                          NULL, &event));
    CHECK(clWaitForEvents(1, &event));
    CHECK(clReleaseEvent(event));
    for (uint64_t i = 0; i < NODES; i++)
        again += nodes[i].value;
    wrong += differs("the doubled sum", again, 2 * expected);
    nodes[0].value = 7;
    CHECK(clEnqueueSVMUnmap(on->queue, nodes, 0, NULL, NULL));
    uint64_t pattern = 0x0123456789abcdef;
    CHECK(clEnqueueSVMMemFill(on->queue, sum, &pattern, sizeof pattern, sizeof pattern, 0, NULL,
                              NULL));
    CHECK(clEnqueueSVMMemcpy(on->queue, 0, &nodes[1].value, sum, sizeof *sum, 0, NULL, NULL));
    got = 41;
    CHECK(clEnqueueSVMMemcpy(on->queue, 0, sum, &got, sizeof got, 0, NULL, NULL));
    CHECK(clEnqueueSVMMap(on->queue, 1, CL_MAP_READ, nodes, 2 * sizeof *nodes, 0, NULL, NULL));
    CHECK(clEnqueueSVMMap(on->queue, 1, CL_MAP_READ, sum, sizeof *sum, 0, NULL, NULL));
    wrong += differs("what was written", nodes[0].value, 7) +
             differs("what was filled", nodes[1].value, pattern) +
             differs("what was copied", *sum, 41);
    CHECK(clEnqueueSVMUnmap(on->queue, sum, 0, NULL, NULL));
    CHECK(clEnqueueSVMUnmap(on->queue, nodes, 0, NULL, NULL));
    wrong += buffer_of(on, sum);
    EXPECT(-30, clEnqueueSVMMap(on->queue, 1, CL_MAP_READ, NULL, 8, 0, NULL, NULL));
    EXPECT(-36, clEnqueueSVMMap(NULL, 1, CL_MAP_READ, sum, 8, 0, NULL, NULL));
    wrong += differs("nothing", clSVMAlloc(on->context, CL_MEM_READ_WRITE, 0, 0) != NULL, 0);
    wrong += differs("three", clSVMAlloc(on->context, CL_MEM_READ_WRITE, 8, 3) != NULL, 0);
    CHECK(
        clEnqueueSVMFree(on->queue, 1, (void *[]){nodes}, free_all, on->context, 0, NULL, &event));
    CHECK(clWaitForEvents(1, &event));
    CHECK(clReleaseEvent(event));
    for (int i = 0; i < 1000 && !freed; i++)
        CHECK(clFinish(on->queue));
    clSVMFree(on->context, sum);
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    return wrong;
}

int main(void) {
    device on = open_device();
    uint64_t capabilities = 0;
    clGetDeviceInfo(on.id, CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities, &capabilities, NULL);
    size_t wrong = (capabilities & COARSE) != 0 ? run(&on) : 0;
    close_device(&on);
    return verdict("sharedMemory", on.name, "a list of 1000 nodes", wrong);
}
