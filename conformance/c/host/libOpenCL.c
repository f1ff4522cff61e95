/* SPDX-License-Identifier: Apache-2.0
 * This machine's libOpenCL.so.1, but that a context's function is told of each buffer that cannot
 * be made: PoCL tells them of nothing. With OPENCL_HOST_IS_GPU=1 a device says that it is a GPU
 * with memory of its own; with OPENCL_HOST_IS_GPU=refusing it makes no buffer of memory that is
 * there. With OPENCL_HOST_UUID a device tells the UUID that is its 16 characters: PoCL of old tells
 * none. All other functions jump to the machine's. HOST is its path; symbols.h has OTHER(NAME) for
 * each of them.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OTHER(NAME) \
    __attribute__((visibility("hidden"))) void *host_##NAME; \
    __asm__(".globl " #NAME "\n.type " #NAME ", @function\n" #NAME ": jmp *host_" #NAME "(%rip)\n");
#include "symbols.h"
#undef OTHER

typedef void notify(const char *, const void *, size_t, void *);

enum { CONTEXTS = 16 };

/* OpenCL specification 3.0, appendix C. */
enum {
    DEVICE_TYPE = 0x1000,
    DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
    DEVICE_UUID = 0x106A,
    UUID_BYTES = 16,
    TYPE_GPU = 4,
    USE_HOST_PTR = 8,
    OUT_OF_RESOURCES = -5,
    INVALID_VALUE = -30
};

static struct {
    void *context;
    notify *tell;
    void *data;
} watched[CONTEXTS];
static int contexts;

static void *(*host_create_context)(const intptr_t *, uint32_t, void *const *, notify *, void *,
                                    int32_t *);
static int32_t (*host_device_info)(void *, uint32_t, size_t, void *, size_t *);
static void *(*host_create_buffer)(void *, uint64_t, size_t, void *, int32_t *);

__attribute__((constructor)) static void load(void) {
    void *host = dlopen(HOST, RTLD_NOW | RTLD_LOCAL);
    if (host == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return;
    }
#define OTHER(NAME) host_##NAME = dlsym(host, #NAME);
#include "symbols.h"
    *(void **)&host_create_context = dlsym(host, "clCreateContext");
    *(void **)&host_device_info = dlsym(host, "clGetDeviceInfo");
    *(void **)&host_create_buffer = dlsym(host, "clCreateBuffer");
}

void *clCreateContext(const intptr_t *properties, uint32_t count, void *const *devices,
                      notify *tell, void *data, int32_t *result) {
    void *made = host_create_context(properties, count, devices, NULL, NULL, result);
    if (made != NULL && tell != NULL && contexts < CONTEXTS) {
        watched[contexts].context = made;
        watched[contexts].tell = tell;
        watched[contexts++].data = data;
    }
    return made;
}

/* The extension cl_khr_device_uuid. */
static int32_t tell_uuid(const char *uuid, size_t size, void *value, size_t *size_ret) {
    if (strlen(uuid) != UUID_BYTES || (value != NULL && size < UUID_BYTES))
        return INVALID_VALUE;
    if (value != NULL)
        memcpy(value, uuid, UUID_BYTES);
    if (size_ret != NULL)
        *size_ret = UUID_BYTES;
    return 0;
}

int32_t clGetDeviceInfo(void *device, uint32_t name, size_t size, void *value, size_t *size_ret) {
    const char *uuid = getenv("OPENCL_HOST_UUID");
    if (name == DEVICE_UUID && uuid != NULL)
        return tell_uuid(uuid, size, value, size_ret);
    int32_t result = host_device_info(device, name, size, value, size_ret);
    if (result != 0 || value == NULL || getenv("OPENCL_HOST_IS_GPU") == NULL)
        return result;
    if (name == DEVICE_TYPE)
        *(uint64_t *)value = TYPE_GPU;
    if (name == DEVICE_HOST_UNIFIED_MEMORY)
        *(uint32_t *)value = 0;
    return result;
}

static void *make_buffer(void *context, uint64_t flags, size_t size, void *from, int32_t *result) {
    const char *set = getenv("OPENCL_HOST_IS_GPU");
    if (set == NULL || strcmp(set, "refusing") != 0 || (flags & USE_HOST_PTR) == 0)
        return host_create_buffer(context, flags, size, from, result);
    *result = OUT_OF_RESOURCES;
    return NULL;
}

void *clCreateBuffer(void *context, uint64_t flags, size_t size, void *from, int32_t *result) {
    char text[64];
    void *made = make_buffer(context, flags, size, from, result);
    snprintf(text, sizeof text, "no buffer of %zu bytes", size);
    for (int i = 0; made == NULL && i < contexts; i++)
        if (watched[i].context == context)
            watched[i].tell(text, text, sizeof text, watched[i].data);
    return made;
}
