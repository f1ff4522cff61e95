/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers in memory that both sides have, for devices that use the host's memory. What the program reads, writes or maps it finds in place
 * once the device has been asked for it; nothing is copied on the way.
 */
#include "objects.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
    LEAST = 1 << 20,            /* passing memory costs more than the copies of smaller buffers */
    MOST_DEVICES = 16,
    READ_WRITE = 1 << 0,
    CL_MEM_USE_HOST_PTR = 1 << 3,
    HOST_ACCESS = 1 << 7 | 1 << 8 | 1 << 9,
    CL_MAP_READ = 1 << 0,
    CL_MAP_WRITE_INVALIDATE_REGION = 1 << 2,
    CL_CONTEXT_DEVICES = 0x1081,
    CL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
    CL_MEM_FLAGS = 0x1101,
    CL_MEM_HOST_PTR = 0x1103,
};

/* Remembered beside the answers that the specification has names for. */
#define SHARED 0xF0000003u

typedef struct region {
    unsigned char *at;
    uint64_t bytes;
} region;

static bool unified(cl_context context) {
    cl_device_id devices[MOST_DEVICES];
    size_t bytes = 0;
    if (clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, &bytes) != CL_SUCCESS)
        return false;
    for (size_t i = 0; i < bytes / sizeof *devices; i++) {
        uint32_t yes = 0;
        if (clGetDeviceInfo(devices[i], CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof yes, &yes, NULL) != CL_SUCCESS || yes == 0)
            return false;
    }
    return true;
}

typedef struct request {
    cl_context context;
    uint64_t flags, size;
    cl_mem *made;
} request;

static int make(void *data) {
    const request *r = data;
    return remote_outboardCreateSharedBuffer(r->context, r->flags, r->size, r->made, 0);
}

static void forget(void *memory, void *data) {
    region *its = data;
    (void)memory;
    munmap(its->at, its->bytes);
    free(its);
}

/* What the program asks about, it finds as if the memory were the device's alone. */
static void remember(object *made, uint64_t flags, const region *its) {
    const void *none = NULL;
    uint64_t given = flags == 0 ? READ_WRITE : flags;
    object_remember(made, SHARED, its, sizeof *its);
    object_remember(made, CL_MEM_FLAGS, &given, sizeof given);
    object_remember(made, CL_MEM_HOST_PTR, &none, sizeof none);
}

bool shared_make(cl_context context, uint64_t flags, uint64_t size, const void *host, cl_mem *made) {
    if (size < LEAST || (flags & (CL_MEM_USE_HOST_PTR | HOST_ACCESS)) != 0 || !ob_passes() || !unified(context))
        return false;
    region *its = malloc(sizeof *its);
    if (its == NULL)
        return false;
    *its = (region){pass_memory(size, make, &(request){context, flags, size, made}), size};
    if (its->at == NULL) {
        free(its);
        return false;
    }
    if (host != NULL)
        memcpy(its->at, host, size);
    remember((object *)*made, flags, its);
    object_on_end(*made, KIND_BIT(MEMORY), CL_INVALID_MEM_OBJECT, forget, its);
    return true;
}

unsigned char *shared_at(cl_mem buffer, uint64_t offset, uint64_t size) {
    object *o = object_at(buffer, KIND_BIT(MEMORY));
    region its;
    if (o == NULL || !object_recall(o, SHARED, &its, sizeof its) || size > its.bytes || offset > its.bytes - size)
        return NULL;
    return its.at + offset;
}

static int map(cl_command_queue queue, cl_mem buffer, uint64_t flags, uint64_t offset, uint64_t size, int waits, const cl_event *list) {
    awaited w;
    begin_wait(&w, 1, NULL);
    return after_write(remote_outboardMapShared(queue, buffer, flags, offset, size, waits, list, w.event, 0), &w);
}

int shared_read(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size, void *to, int waits, const cl_event *list) {
    int result = map(queue, buffer, CL_MAP_READ, offset, size, waits, list);
    if (result != CL_SUCCESS)
        return result;
    memcpy(to, shared_at(buffer, offset, size), size);
    return remote_outboardUnmapShared(queue, buffer, offset, 0, NULL, NULL, 0);
}

int shared_write(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size, const void *from, int waits, const cl_event *list) {
    int result = map(queue, buffer, CL_MAP_WRITE_INVALIDATE_REGION, offset, size, waits, list);
    if (result != CL_SUCCESS)
        return result;
    memcpy(shared_at(buffer, offset, size), from, size);
    awaited w;
    begin_wait(&w, 1, NULL);
    return after_write(remote_outboardUnmapShared(queue, buffer, offset, 0, NULL, w.event, 0), &w);
}
