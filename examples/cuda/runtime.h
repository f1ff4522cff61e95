/* SPDX-License-Identifier: Apache-2.0
 * The common part of the runtime-API programs. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include "references.h"

#include <cuda_runtime.h>

#define CHECK(CALL) check((CALL), #CALL, __FILE__, __LINE__)

static inline void check(cudaError_t result, const char *call, const char *file, int line) {
    if (result == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s (%d)\n", file, line, call, cudaGetErrorName(result),
            (int)result);
    exit(1);
}

struct DeviceName {
    char text[256];
};

static inline DeviceName device_name() {
    cudaDeviceProp properties;
    DeviceName name;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    snprintf(name.text, sizeof name.text, "%s", properties.name);
    return name;
}

template <typename T>
static T *device_memory(size_t count) {
    void *memory;
    CHECK(cudaMalloc(&memory, count * sizeof(T)));
    return static_cast<T *>(memory);
}

template <typename T>
static T *device_copy(const T *host, size_t count) {
    T *memory = device_memory<T>(count);
    CHECK(cudaMemcpy(memory, host, count * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

template <typename T>
static void copy_back(T *host, const T *device, size_t count) {
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
}

#endif
