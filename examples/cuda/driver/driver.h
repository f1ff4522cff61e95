/* SPDX-License-Identifier: Apache-2.0
 * The common part of the driver-API programs. */
#ifndef DRIVER_H
#define DRIVER_H

#include "../references.h"

#include <cuda.h>

/* Puts a file into the program: NAME is then its bytes, ended by a zero. */
#define EMBED(NAME, FILE)                                                                          \
    __asm__(".pushsection .rodata\n.balign 8\n" #NAME ":\n.incbin \"" FILE                         \
            "\"\n.byte 0\n.popsection\n");                                                         \
    extern const char NAME[] __attribute__((visibility("hidden")))

#define CHECK(CALL) check((CALL), #CALL, __FILE__, __LINE__)

static inline void check(CUresult result, const char *call, const char *file, int line) {
    if (result == 0)
        return;
    const char *name = "?";
    cuGetErrorName(result, &name);
    fprintf(stderr, "%s:%d: %s: %s (%d)\n", file, line, call, name, (int)result);
    exit(1);
}

typedef struct {
    char name[256];
    CUcontext context;
    CUmodule module;
} device;

/* Opens the first device and loads an image there. */
static inline device open_device(const char *image) {
    device opened;
    int number;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&number, 0));
    CHECK(cuDeviceGetName(opened.name, sizeof opened.name, number));
    CHECK(cuDevicePrimaryCtxRetain(&opened.context, number));
    CHECK(cuCtxSetCurrent(opened.context));
    CHECK(cuModuleLoadData(&opened.module, image));
    return opened;
}

static inline void close_device(device *opened) {
    CHECK(cuModuleUnload(opened->module));
    CHECK(cuDevicePrimaryCtxRelease_v2(0));
}

static inline CUfunction kernel(const device *opened, const char *name) {
    CUfunction function;
    CHECK(cuModuleGetFunction(&function, opened->module, name));
    return function;
}

static inline CUdeviceptr device_memory(size_t bytes) {
    CUdeviceptr memory = 0;
    CHECK(cuMemAlloc_v2(&memory, bytes));
    return memory;
}

static inline CUdeviceptr device_copy(const void *host, size_t bytes) {
    CUdeviceptr memory = device_memory(bytes);
    CHECK(cuMemcpyHtoD_v2(memory, host, bytes));
    return memory;
}

#endif
