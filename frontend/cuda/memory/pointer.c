/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers questions about an address: CUDA Driver API, "Unified Addressing". Behaviour for memory
 * that CUDA does not know was measured on a real driver: one question is an invalid value, several
 * are answered with nothing.
 */
#include "memory/memory.h"

/* CUpointer_attribute */
enum {
    CONTEXT = 1,
    MEMORY_TYPE = 2,
    DEVICE_POINTER = 3,
    HOST_POINTER = 4,
    SYNC_MEMOPS = 6,
    BUFFER_ID = 7,
    IS_MANAGED = 8,
    DEVICE_ORDINAL = 9,
    IS_LEGACY_IPC_CAPABLE = 10,
    RANGE_START = 11,
    RANGE_SIZE = 12,
    MAPPED = 13,
    ALLOWED_HANDLE_TYPES = 14,
    IS_RDMA_CAPABLE = 15,
    ACCESS_FLAGS = 16,
    MEMPOOL_HANDLE = 17,
    MAPPING_SIZE = 18,
    MAPPING_BASE = 19,
    MEMORY_BLOCK_ID = 20,
    IS_DECOMPRESS_CAPABLE = 21,
};

enum { NOTHING = 0, HOST_MEMORY = 1, DEVICE_MEMORY = 2 }; /* CUmemorytype */
enum { READ_WRITE = 3, NO_DEVICE = -2 };

typedef struct target {
    uint64_t address;
    int type;
    range known;
} target;

static target look_up(uint64_t address) {
    target found = {.address = address};
    /* First those of the program: the device has some of them too. */
    if (range_find(&host_ranges, address, &found.known))
        found.type = HOST_MEMORY;
    else if (range_find(&device_ranges, address, &found.known))
        found.type = DEVICE_MEMORY;
    else
        found.known.ordinal = NO_DEVICE;
    return found;
}

/* Width of an attribute in bytes, 0 if there is no such attribute. Booleans are as wide as an int:
 * the runtime reads them so. */
static int width(int attribute) {
    switch (attribute) {
    case CONTEXT:
    case DEVICE_POINTER:
    case HOST_POINTER:
    case BUFFER_ID:
    case RANGE_START:
    case RANGE_SIZE:
    case ALLOWED_HANDLE_TYPES:
    case MEMPOOL_HANDLE:
    case MAPPING_SIZE:
    case MAPPING_BASE:
    case MEMORY_BLOCK_ID:
        return 8;
    case MEMORY_TYPE:
    case DEVICE_ORDINAL:
    case ACCESS_FLAGS:
    case SYNC_MEMOPS:
    case IS_MANAGED:
    case IS_LEGACY_IPC_CAPABLE:
    case MAPPED: case IS_RDMA_CAPABLE: case IS_DECOMPRESS_CAPABLE:
        return 4;
    default:
        return 0;
    }
}

/* Where devices find it, 0 if they cannot. */
static uint64_t for_devices(const target *t) {
    if (t->type == HOST_MEMORY && t->known.device != 0)
        return t->known.device + (t->address - t->known.base);
    return t->type == DEVICE_MEMORY ? t->address : 0;
}

static int64_t value_of(const target *t, int attribute) {
    switch (attribute) {
    case CONTEXT:
        return (int64_t)(intptr_t)t->known.context;
    case MEMORY_TYPE:
        return t->type;
    case DEVICE_POINTER:
        return (int64_t)for_devices(t);
    case HOST_POINTER:
        return t->type == HOST_MEMORY || t->known.managed ? (int64_t)t->address : 0;
    case IS_MANAGED:
        return t->known.managed;
    case BUFFER_ID: case MEMORY_BLOCK_ID:
        return (int64_t)t->known.serial;
    case DEVICE_ORDINAL:
        return t->known.ordinal;
    case RANGE_START: case MAPPING_BASE:
        return (int64_t)t->known.base;
    case RANGE_SIZE: case MAPPING_SIZE:
        return (int64_t)t->known.bytes;
    case MAPPED:
        return for_devices(t) != 0;
    case ACCESS_FLAGS:
        return for_devices(t) != 0 ? READ_WRITE : 0;
    case SYNC_MEMOPS:
        return t->type == DEVICE_MEMORY;
    default:
        return 0;
    }
}

static CUresult answer(const target *t, int attribute, void *data) {
    int bytes = width(attribute);
    if (bytes == 0 || data == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    int64_t value = value_of(t, attribute);
    memcpy(data, &value, (size_t)bytes);
    return CUDA_SUCCESS;
}

/* An address that the device, or the host, cannot use has no value there. */
static bool absent(const target *t, int attribute) {
    return t->type == NOTHING || (attribute == DEVICE_POINTER && for_devices(t) == 0) ||
           (attribute == HOST_POINTER && t->type == DEVICE_MEMORY && !t->known.managed);
}

CUresult cuPointerGetAttribute(void *data, int attribute, CUdeviceptr pointer) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    target t = look_up(pointer);
    return absent(&t, attribute) ? CUDA_ERROR_INVALID_VALUE : answer(&t, attribute, data);
}

CUresult cuPointerGetAttributes(unsigned int count, int *attributes, void **data,
                                CUdeviceptr pointer) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (count == 0 || attributes == NULL || data == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    target t = look_up(pointer);
    for (unsigned int i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = answer(&t, attributes[i], data[i]);
    return result;
}
