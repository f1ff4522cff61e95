/* SPDX-License-Identifier: Apache-2.0
 *
 * Initialisation and devices: cuInit asks the backend once for everything constant, the rest is
 * answered from that.
 */
#include "device/device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* DeviceFacts: at the last index is what no attribute of the vendor's is, what images the device
 * takes. */
enum { ATTRIBUTES = sizeof((DeviceFacts *)0)->attributes / sizeof(int) - 1, IMAGES = ATTRIBUTES };

static gpu devices[DEVICE_LIMIT];
static int count;
static _Atomic bool initialised;
static _Atomic int version;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

CUresult driver_ready(void) {
    return atomic_load_explicit(&initialised, memory_order_acquire) && !ob_forked()
               ? CUDA_SUCCESS
               : CUDA_ERROR_NOT_INITIALIZED;
}

int device_count(void) { return count; }

const gpu *device_at(int ordinal) {
    return ordinal >= 0 && ordinal < count ? &devices[ordinal] : NULL;
}

int device_ordinal_of(int backend_ordinal) {
    int ordinal = 0;
    while (ordinal < count && devices[ordinal].ordinal != backend_ordinal)
        ordinal++;
    return ordinal < count ? ordinal : -1;
}

CUresult device_translate(int ordinal, int *backend_ordinal) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    const gpu *one = device_at(ordinal);
    if (one == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    *backend_ordinal = one->ordinal;
    return CUDA_SUCCESS;
}

/* ---- for generated symbols ------------------------------------------------------------------- */

int32_t cuda_driver_ready(void) { return driver_ready(); }

int32_t cuda_ordinal_for_backend(int ordinal, int *backend_ordinal) {
    return device_translate(ordinal, backend_ordinal);
}

int32_t cuda_ordinal_for_program(int backend_ordinal, int *ordinal) {
    int found = device_ordinal_of(backend_ordinal);
    if (found < 0)
        return CUDA_ERROR_INVALID_DEVICE;
    *ordinal = found;
    return CUDA_SUCCESS;
}

/* ---- cuInit ---------------------------------------------------------------------------------- */

/* The first answer says how many there are, and that the driver there is initialised. */
static CUresult fetch_devices(int *served) {
    CUresult result = CUDA_SUCCESS;
    *served = 1;
    for (int i = 0; i < *served && result == CUDA_SUCCESS; i++) {
        result = remote_outboardDeviceFacts(&devices[i].facts, i, 0);
        devices[i].ordinal = i;
        if (i == 0 && result == CUDA_SUCCESS)
            *served = devices[0].facts.devices < DEVICE_LIMIT ? devices[0].facts.devices
                                                              : DEVICE_LIMIT;
    }
    return result;
}

static launch_limits limits_of(int ordinal) {
    launch_limits limits = {
        .threads = (unsigned int)device_attribute(ordinal, ATTRIBUTE_MAX_THREADS_PER_BLOCK)};
    for (int i = 0; i < 3; i++) {
        limits.grid[i] = (unsigned int)device_attribute(ordinal, ATTRIBUTE_MAX_GRID_DIM_X + i);
        limits.block[i] = (unsigned int)device_attribute(ordinal, ATTRIBUTE_MAX_BLOCK_DIM_X + i);
    }
    int with_consent = device_attribute(ordinal, ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    limits.shared_bytes =
        (unsigned int)(with_consent > 0
                           ? with_consent
                           : device_attribute(ordinal, ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
    return limits;
}

static void forked(void) { unusual_begins(UNUSUAL_FORKED); }

/* Handlers that were registered before, and destructors, find a driver that is gone. */
static void process_ends(void) { unusual_begins(UNUSUAL_END); }

static CUresult initialise(void) {
    int served;
    debugger_say();
    CUresult result = fetch_devices(&served);
    if (result != CUDA_SUCCESS)
        return result;
    int visible = visible_devices(devices, served);
    if (visible == 0)
        return CUDA_ERROR_NO_DEVICE;
    count = visible;
    for (int i = 0; i < count; i++)
        devices[i].launch = limits_of(i);
    contexts_begin(served);
    pthread_atfork(NULL, NULL, forked);
    atexit(process_ends);
    atomic_store_explicit(&initialised, true, memory_order_release);
    unusual_ends(UNUSUAL_BEFORE);
    return CUDA_SUCCESS;
}

CUresult cuInit(int flags) {
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (ob_forked())
        return CUDA_ERROR_NOT_INITIALIZED;
    pthread_mutex_lock(&lock);
    CUresult result = initialised ? CUDA_SUCCESS : initialise();
    pthread_mutex_unlock(&lock);
    return result;
}

/* ---- version --------------------------------------------------------------------------------- */

int driver_version_known(void) {
    int known = atomic_load_explicit(&version, memory_order_relaxed);
    return known != 0 ? known : FRONTEND_VERSION;
}

/* A driver answers this without a device; so does a frontend without a backend: with its own level.
 */
CUresult cuDriverGetVersion(int *to) {
    int served = 0;
    if (to == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (atomic_load(&version) == 0 && remote_cuDriverGetVersion(&served, 0) == CUDA_SUCCESS)
        atomic_store(&version, served < FRONTEND_VERSION ? served : FRONTEND_VERSION);
    *to = driver_version_known();
    return CUDA_SUCCESS;
}

/* ---- questions about a device ---------------------------------------------------------------- */

static CUresult find(const gpu **one, const void *to, int ordinal) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (to == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *one = device_at(ordinal);
    return *one != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetCount(int *to) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (to == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *to = count;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(int *to, int ordinal) {
    const gpu *one;
    CUresult result = find(&one, to, ordinal);
    if (result == CUDA_SUCCESS)
        *to = ordinal;
    return result;
}

CUresult cuDeviceGetName(char *name, int length, int ordinal) {
    const gpu *one;
    CUresult result = find(&one, name, ordinal);
    if (result != CUDA_SUCCESS)
        return result;
    if (length <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    snprintf(name, (size_t)length, "%.255s", (const char *)one->facts.name);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(void *uuid, int ordinal) {
    const gpu *one;
    CUresult result = find(&one, uuid, ordinal);
    if (result == CUDA_SUCCESS)
        memcpy(uuid, one->facts.uuid, sizeof one->facts.uuid);
    return result;
}

CUresult cuDeviceTotalMem_v2(uint64_t *bytes, int ordinal) {
    const gpu *one;
    CUresult result = find(&one, bytes, ordinal);
    if (result == CUDA_SUCCESS)
        *bytes = one->facts.totalMemory;
    return result;
}

/* Whether this frontend hides an attribute of a device: functions that it refuses, and memory of
 * the program that kernels would have to reach across a connection. */
static bool withheld(int attribute) {
    static const uint8_t attributes[] = {
        88, 100, 101,                          /* pageable memory, and page tables of the host */
        /* memory that the program registers has the same address for kernels */
        91,
        98,                                    /* flushing writes of other PCI devices in streams */
        96,                                    /* one cooperative launch on several devices */
        /* handles of memory but for descriptors, multicast */
        104, 105, 110, 128, 132,
        112, 121,                              /* sparse arrays, deferred mapping */
        114,                                   /* semaphores of other libraries */
        142, 143, 144,                         /* pools that lie elsewhere */
        116, 117, 118, 124, 146,               /* access from other PCI devices */
        136, 137,                              /* decompression */
        141, 145,                              /* memory of the host as the device's own */
    };
    return memchr(attributes, attribute, sizeof attributes) != NULL;
}

static bool is_known(const gpu *one, int attribute) {
    return (one->facts.known[attribute / 64] >> (attribute & 63) & 1) != 0;
}

static bool knows(const gpu *one, int attribute) {
    return attribute > 0 && attribute < (int)ATTRIBUTES && is_known(one, attribute);
}

image_target device_target(int ordinal) {
    const gpu *one = device_at(ordinal);
    if (one == NULL || !is_known(one, IMAGES))
        return (image_target){0, TAKES_ANYTHING};
    const int *values = one->facts.attributes;
    /* Of a backend's numbers no sum is one that cannot be. */
    int architecture = (int)(10 * (unsigned int)values[ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] +
                             (unsigned int)values[ATTRIBUTE_COMPUTE_CAPABILITY_MINOR]);
    int takes = values[IMAGES];
    return (image_target){architecture,
                          takes == TAKES_BINARIES || takes == TAKES_TEXTS ? takes : TAKES_ANYTHING};
}

/* An older backend has not the calls by which pages travel: outboardPagesStore is the last of them.
 * The backend itself uses such memory as the device does. */
static bool has_pages(const gpu *one) {
    enum { PAGES_STORE = 642 };
    return one->facts.attributes[ATTRIBUTE_CONCURRENT_MANAGED_ACCESS] != 0 &&
           ob_backend_has(&ob_cuda, PAGES_STORE);
}

bool device_has_managed(int ordinal) {
    const gpu *one = device_at(ordinal);
    return one != NULL && one->facts.attributes[ATTRIBUTE_MANAGED_MEMORY] != 0 &&
           (device_shares_managed(ordinal) || has_pages(one));
}

bool device_shares_managed(int ordinal) {
    const gpu *one = device_at(ordinal);
    return one != NULL && ob_passes() && one->facts.attributes[ATTRIBUTE_MANAGED_MEMORY] != 0 &&
           one->facts.attributes[ATTRIBUTE_DIRECT_MANAGED_ACCESS] != 0 &&
           one->facts.attributes[ATTRIBUTE_SAME_HOST_POINTER] != 0;
}

/* Page-locked memory that kernels use is memory that both sides have at one address, or memory of
 * the device with pages here. */
static bool maps_host_memory(int ordinal) {
    const gpu *one = device_at(ordinal);
    return one->facts.attributes[ATTRIBUTE_MAPS_HOST_MEMORY] != 0 &&
           (ob_passes() || device_has_managed(ordinal));
}

int device_attribute(int ordinal, int attribute) {
    const gpu *one = device_at(ordinal);
    if (one == NULL || !knows(one, attribute) || withheld(attribute))
        return 0;
    if (attribute == ATTRIBUTE_MAPS_HOST_MEMORY)
        return maps_host_memory(ordinal);
    if (attribute == ATTRIBUTE_POOL_HANDLE_TYPES)
        return one->facts.attributes[attribute] & FILE_DESCRIPTOR;
    if (attribute == ATTRIBUTE_MANAGED_MEMORY)
        return device_has_managed(ordinal);
    return attribute == ATTRIBUTE_CONCURRENT_MANAGED_ACCESS ? device_shares_managed(ordinal)
                                                            : one->facts.attributes[attribute];
}

CUresult cuDeviceGetAttribute(int *value, int attribute, int ordinal) {
    const gpu *one;
    CUresult result = find(&one, value, ordinal);
    if (result != CUDA_SUCCESS)
        return result;
    if (!knows(one, attribute))
        return CUDA_ERROR_INVALID_VALUE;
    *value = device_attribute(ordinal, attribute);
    return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, int ordinal) {
    const gpu *one;
    CUresult result = find(&one, major == NULL ? NULL : minor, ordinal);
    if (result != CUDA_SUCCESS)
        return result;
    *major = device_attribute(ordinal, ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    *minor = device_attribute(ordinal, ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    return CUDA_SUCCESS;
}

/* CUdevprop: 14 numbers, in this order. */
CUresult cuDeviceGetProperties(void *properties, int ordinal) {
    static const uint8_t members[] = {
        ATTRIBUTE_MAX_THREADS_PER_BLOCK,
        ATTRIBUTE_MAX_BLOCK_DIM_X,
        ATTRIBUTE_MAX_BLOCK_DIM_X + 1,
        ATTRIBUTE_MAX_BLOCK_DIM_X + 2,
        ATTRIBUTE_MAX_GRID_DIM_X,
        ATTRIBUTE_MAX_GRID_DIM_X + 1,
        ATTRIBUTE_MAX_GRID_DIM_X + 2,
        ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK,
        ATTRIBUTE_TOTAL_CONSTANT_MEMORY,
        ATTRIBUTE_WARP_SIZE,
        ATTRIBUTE_MAX_PITCH,
        ATTRIBUTE_MAX_REGISTERS_PER_BLOCK,
        ATTRIBUTE_CLOCK_RATE,
        ATTRIBUTE_TEXTURE_ALIGNMENT,
    };
    const gpu *one;
    CUresult result = find(&one, properties, ordinal);
    for (size_t i = 0; result == CUDA_SUCCESS && i < sizeof members; i++)
        ((int *)properties)[i] = device_attribute(ordinal, members[i]);
    return result;
}
