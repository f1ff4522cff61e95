/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory: ranges that the backend hands out are reserved in the program's address space and
 * remembered.
 */
#include "memory/memory.h"

CUresult memory_remember(CUdeviceptr address, uint64_t bytes) {
    if (!ob_reserve(address, bytes)) {
        ob_warn("device memory at 0x%llx (%llu bytes) lies where the program has memory of its own",
                address, (unsigned long long)bytes);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return range_add(&device_ranges, (range){.base = address, .bytes = bytes})
               ? CUDA_SUCCESS
               : CUDA_ERROR_OUT_OF_MEMORY;
}

static _Atomic bool graphs_have_memory;

bool memory_is_in_graphs(void) {
    return atomic_load_explicit(&graphs_have_memory, memory_order_relaxed);
}

CUresult memory_remember_of_graph(CUdeviceptr address, uint64_t bytes) {
    atomic_store(&graphs_have_memory, true);
    CUresult result = memory_remember(address, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    return range_add(&device_ranges, (range){.base = address, .bytes = bytes, .of_graph = true})
               ? CUDA_SUCCESS
               : CUDA_ERROR_OUT_OF_MEMORY;
}

bool memory_forget(CUdeviceptr address, range *forgotten) {
    range known;
    bool of_graph = range_find(&device_ranges, address, &known) && known.of_graph;
    return !of_graph && range_take(&device_ranges, address, forgotten);
}

void memory_put_back(range forgotten) { range_add(&device_ranges, forgotten); }

/* ---- for generated symbols ------------------------------------------------------------------- */

static CUresult size_of(CUdeviceptr address, uint64_t *bytes) {
    CUdeviceptr base;
    return remote_cuMemGetAddressRange_v2(&base, bytes, address, 0);
}

int32_t cuda_reserve(CUdeviceptr address, uint64_t bytes) {
    CUresult result = bytes == 0 ? size_of(address, &bytes) : CUDA_SUCCESS;
    return result == CUDA_SUCCESS ? memory_remember(address, bytes) : result;
}

/* In a capture it is a graph's. */
int32_t cuda_reserve_in(CUdeviceptr address, uint64_t bytes, const void *stream, uint32_t flags) {
    bool captures;
    CUresult result = capture_find((CUstream)(uintptr_t)stream, flags, &captures);
    if (result != CUDA_SUCCESS)
        return result;
    return captures ? memory_remember_of_graph(address, bytes) : memory_remember(address, bytes);
}

typedef struct released {
    range forgotten;
    bool known;
} released;

_Static_assert(sizeof(released) <= sizeof(cuda_released), "generated code has room for it");

int32_t cuda_forget_range(CUdeviceptr address, cuda_released *kept, uint32_t *flags) {
    released one = {0};
    if (managed_contains(address, 1))
        return CUDA_ERROR_INVALID_VALUE;
    one.known = memory_forget(address, &one.forgotten);
    if (!one.known || unusual_is(UNUSUAL_CAPTURES))
        *flags |= OB_ANSWER;
    memcpy(kept, &one, sizeof one);
    return CUDA_SUCCESS;
}

void cuda_restore_range(const cuda_released *kept) {
    released one;
    memcpy(&one, kept, sizeof one);
    if (one.known)
        memory_put_back(one.forgotten);
}

/* ---- memory of a context --------------------------------------------------------------------- */

/* Forgotten first: as soon as it is free another thread may be given the same address. */
static CUresult free_memory(CUdeviceptr pointer) {
    range forgotten;
    if (managed_contains(pointer, 1))
        return managed_free(pointer);
    bool known = memory_forget(pointer, &forgotten);
    CUresult result = remote_cuMemFree_v2(
        pointer, known && forgotten.context != context_current() ? OB_ORDERED : 0);
    if (result != CUDA_SUCCESS && known)
        memory_put_back(forgotten);
    return result;
}

CUresult cuMemFree_v2(CUdeviceptr pointer) {
    range known = {0};
    if (pointer == 0)
        return context_current() != NULL ? context_ready() : driver_ready();
    range_find(&device_ranges, pointer, &known);
    CUresult result = context_for_ending(known.context);
    if (result == CUDA_SUCCESS)
        result = free_memory(pointer);
    context_show_lane();
    return result;
}

CUresult cuMemGetInfo_v2(uint64_t *free, uint64_t *total) {
    descriptors_sweep();
    return remote_cuMemGetInfo_v2(free, total, 0);
}

/* A driver knows managed memory as the host's. */
CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, uint64_t *bytes, CUdeviceptr pointer) {
    range known;
    bool here = (range_find(&device_ranges, pointer, &known) && known.managed) ||
                (range_find(&host_ranges, pointer, &known) && !known.shared);
    if (!here)
        return remote_cuMemGetAddressRange_v2(base, bytes, pointer, 0);
    if (base != NULL)
        *base = known.base;
    if (bytes != NULL)
        *bytes = known.bytes;
    return CUDA_SUCCESS;
}

/* ---- variables ------------------------------------------------------------------------------- */

/* A variable, found for the first time: reserved and remembered, or given to the program if that is
 * to use it. */
static CUresult take_variable(const variable *found, const void *owner) {
    range known;
    bool adopted;
    if (found->bytes == 0 || (range_find(&device_ranges, found->address, &known) &&
                              known.base == found->address && known.bytes == found->bytes))
        return CUDA_SUCCESS;
    CUresult result = managed_adopt(found, owner, &adopted);
    return result != CUDA_SUCCESS || adopted ? result
                                             : memory_remember(found->address, found->bytes);
}

/* Either output may be null. */
static CUresult hand_out(const variable *found, const void *owner, CUdeviceptr *pointer,
                         uint64_t *bytes) {
    CUresult result = take_variable(found, owner);
    if (result == CUDA_SUCCESS && pointer != NULL)
        *pointer = found->address;
    if (result == CUDA_SUCCESS && bytes != NULL)
        *bytes = found->bytes;
    return result;
}

/* An older backend tells of a variable by itself, after its address. */
static CUresult ask_sharing(variable *found) {
    return device_has_managed(managed_ordinal())
               ? remote_outboardManagedVariable(&found->sharing, found->address, 0)
               : CUDA_SUCCESS;
}

static CUresult find_in_module(variable *found, CUmodule module, const char *name) {
    CUresult result = remote_outboardModuleVariable(&found->address, &found->bytes, &found->sharing,
                                                    module, name, 0);
    if (result != CUDA_ERROR_NOT_SUPPORTED)
        return result;
    result = remote_cuModuleGetGlobal_v2(&found->address, &found->bytes, module, name, 0);
    return result == CUDA_SUCCESS ? ask_sharing(found) : result;
}

static CUresult find_in_library(variable *found, CUlibrary library, const char *name,
                                bool managed) {
    found->of_library = true;
    CUresult result = remote_outboardLibraryVariable(&found->address, &found->bytes,
                                                     &found->sharing, library, name, managed, 0);
    if (result != CUDA_ERROR_NOT_SUPPORTED)
        return result;
    result = (managed ? remote_cuLibraryGetManaged : remote_cuLibraryGetGlobal)(
        &found->address, &found->bytes, library, name, 0);
    return result == CUDA_SUCCESS ? ask_sharing(found) : result;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *pointer, uint64_t *bytes, CUmodule module,
                              const char *name) {
    variable found = {0};
    CUresult result = name == NULL ? CUDA_ERROR_INVALID_VALUE
                                   : find_in_module(&found, module, name);
    return result != CUDA_SUCCESS ? result : hand_out(&found, module, pointer, bytes);
}

CUresult cuLibraryGetGlobal(CUdeviceptr *pointer, uint64_t *bytes, CUlibrary library,
                            const char *name) {
    variable found = {0};
    CUresult result = name == NULL ? CUDA_ERROR_INVALID_VALUE
                                   : find_in_library(&found, library, name, false);
    return result != CUDA_SUCCESS ? result : hand_out(&found, library, pointer, bytes);
}

static CUresult refuse_managed_variable(void) {
    static atomic_flag said = ATOMIC_FLAG_INIT;
    return unshared_refuse(&said, "a __managed__ variable", "use a __device__ variable and copy");
}

/* An address that only the device could use is none. */
CUresult cuLibraryGetManaged(CUdeviceptr *pointer, uint64_t *bytes, CUlibrary library,
                             const char *name) {
    variable found = {0};
    CUresult result = name == NULL ? CUDA_ERROR_INVALID_VALUE
                                   : find_in_library(&found, library, name, true);
    if (result == CUDA_SUCCESS)
        result = take_variable(&found, library);
    if (result == CUDA_SUCCESS && !managed_contains(found.address, 1))
        result = refuse_managed_variable();
    return result != CUDA_SUCCESS ? result : hand_out(&found, library, pointer, bytes);
}
