/* SPDX-License-Identifier: Apache-2.0
 * The common part of the OpenCL programs. The header is emitted from the description of the
 * library; it has no names for numbers. */
#ifndef DEVICE_H
#define DEVICE_H

#include <opencl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OpenCL specification 3.0, appendix C. */
enum {
    CL_DEVICE_TYPE_ALL = -1,
    CL_DEVICE_NAME = 0x102B,
    CL_DEVICE_IMAGE_SUPPORT = 0x1016,
    CL_QUEUE_OUT_OF_ORDER = 1,
    CL_QUEUE_PROFILING = 2,
    CL_MEM_READ_WRITE = 1,
    CL_MEM_READ_ONLY = 4,
    CL_MEM_USE_HOST_PTR = 8,
    CL_MEM_COPY_HOST_PTR = 32,
    CL_MAP_READ = 1,
    CL_MAP_WRITE = 2,
    CL_MAP_WRITE_INVALIDATE = 4,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_EVENT_STATUS = 0x11D3,
    CL_COMPLETE = 0,
};

#define CHECK(CALL) check((CALL), #CALL, __FILE__, __LINE__)

static inline void check(int result, const char *call, const char *file, int line) {
    if (result == 0)
        return;
    fprintf(stderr, "%s:%d: %s: error %d\n", file, line, call, result);
    exit(1);
}

/* The result of a call that returns what it makes. */
static int made_result;
#define MADE (&made_result)
#define MAKE(OBJECT, CALL)                                                                         \
    do {                                                                                           \
        (OBJECT) = (CALL);                                                                         \
        check(made_result, #CALL, __FILE__, __LINE__);                                             \
    } while (0)

/* A call that is to fail with a code of the specification. */
static int wrong_codes;
static inline void expect(int result, int code, const char *call, int line) {
    if (result == code)
        return;
    fprintf(stderr, "line %d: %s: %d and not %d\n", line, call, result, code);
    wrong_codes++;
}
#define EXPECT(CODE, CALL) expect((CALL), (CODE), #CALL, __LINE__)
#define EXPECT_NONE(CODE, CALL)                                                                    \
    (made_result = 0, (void)(CALL), expect(made_result, (CODE), #CALL, __LINE__))

typedef struct {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    char name[256];
} device;

/* The first device of a platform. */
static inline device open_device_of(cl_platform_id platform) {
    device opened;
    CHECK(clGetDeviceIDs(platform, (uint64_t)CL_DEVICE_TYPE_ALL, 1, &opened.id, NULL));
    CHECK(clGetDeviceInfo(opened.id, CL_DEVICE_NAME, sizeof opened.name, opened.name, NULL));
    MAKE(opened.context, clCreateContext(NULL, 1, &opened.id, NULL, NULL, MADE));
    MAKE(opened.queue, clCreateCommandQueue(opened.context, opened.id, CL_QUEUE_PROFILING, MADE));
    return opened;
}

static inline device open_device(void) {
    cl_platform_id platform;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    return open_device_of(platform);
}

static inline void close_device(device *opened) {
    CHECK(clReleaseCommandQueue(opened->queue));
    CHECK(clReleaseContext(opened->context));
}

static inline cl_program build(const device *on, const char *source, const char *options) {
    cl_program program;
    MAKE(program, clCreateProgramWithSource(on->context, 1, &source, NULL, MADE));
    int result = clBuildProgram(program, 1, &on->id, options, NULL, NULL);
    if (result != 0) {
        char log[4096] = "";
        clGetProgramBuildInfo(program, on->id, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    CHECK(result);
    return program;
}

static inline cl_mem buffer(const device *on, uint64_t bytes) {
    cl_mem made;
    MAKE(made, clCreateBuffer(on->context, CL_MEM_READ_WRITE, bytes, NULL, MADE));
    return made;
}

static inline void start(const device *on, cl_kernel kernel, uint64_t items, cl_event *event) {
    CHECK(clEnqueueNDRangeKernel(on->queue, kernel, 1, NULL, &items, NULL, 0, NULL, event));
}

static inline int verdict(const char *program, const char *device, const char *what, size_t wrong) {
    wrong += (size_t)wrong_codes;
    printf("%s on %s: %s: %s\n", program, device, what, wrong == 0 ? "passed" : "FAILED");
    return wrong == 0 ? 0 : 1;
}

#endif
