/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools of memory.
 */
#include "memory/memory.h"

enum { ALL_HANDLE_TYPES = 0xf }; /* CUmemAllocationHandleType */

/* ---- memory ---------------------------------------------------------------------------------- */

static CUresult allocate_there(pool_block *made, uint32_t flags) {
    return made->named
               ? remote_cuMemAllocFromPoolAsync(&made->pointer, made->bytes, made->pool,
                                                made->stream, flags)
               : remote_cuMemAllocAsync(&made->pointer, made->bytes, made->stream, flags);
}

/* The memory that is kept may be the memory that is missing. */
static CUresult allocate_new(pool_block *made, uint32_t flags) {
    CUresult result = allocate_there(made, flags);
    if (result == CUDA_ERROR_OUT_OF_MEMORY && unusual_is(UNUSUAL_KEPT)) {
        reuse_give_back();
        result = allocate_there(made, flags);
    }
    return result;
}

/* 0 where there is no range. */
static uint64_t serial_at(CUdeviceptr pointer) {
    range known;
    return range_find(&device_ranges, pointer, &known) && known.base == pointer ? known.serial : 0;
}

static CUresult allocate(CUdeviceptr *pointer, pool_block *made, uint32_t flags) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (pointer == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    made->context = context_current();
    if (!reuse_take(made))
        result = allocate_new(made, flags);
    if (result != CUDA_SUCCESS)
        return result;
    result = cuda_reserve_in(made->pointer, made->bytes, made->stream, flags);
    if (result != CUDA_SUCCESS) {
        remote_cuMemFreeAsync(made->pointer, made->stream, flags);
        return result;
    }
    made->serial = serial_at(made->pointer);
    reuse_note(made);
    *pointer = made->pointer;
    return CUDA_SUCCESS;
}

CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream) {
    return allocate(pointer, &(pool_block){.bytes = bytes, .stream = stream}, 0);
}
CUresult cuMemAllocAsync_ptsz(CUdeviceptr *pointer, size_t bytes, CUstream stream) {
    return allocate(pointer, &(pool_block){.bytes = bytes, .stream = stream}, OB_PER_THREAD);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *pointer, size_t bytes, CUmemoryPool pool,
                                 CUstream stream) {
    pool_block made = {.bytes = bytes, .named = true, .pool = pool, .stream = stream};
    return allocate(pointer, &made, 0);
}
CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr *pointer, size_t bytes, CUmemoryPool pool,
                                      CUstream stream) {
    pool_block made = {.bytes = bytes, .named = true, .pool = pool, .stream = stream};
    return allocate(pointer, &made, OB_PER_THREAD);
}

static CUresult free_in(CUdeviceptr pointer, CUstream stream, uint32_t flags) {
    cuda_released forgotten;
    uint64_t serial = serial_at(pointer);
    CUresult result = context_ready();
    if (result == CUDA_SUCCESS)
        result = cuda_forget_range(pointer, &forgotten, &flags);
    if (result != CUDA_SUCCESS || (serial != 0 && reuse_keep(serial, stream)))
        return result;
    if (unusual_is(UNUSUAL_KEPT) && (flags & OB_ANSWER) != 0)
        reuse_give_back(); /* it may be freed already */
    result = remote_cuMemFreeAsync(pointer, stream, flags);
    if (result != CUDA_SUCCESS)
        cuda_restore_range(&forgotten);
    return result;
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
    return free_in(pointer, stream, 0);
}
CUresult cuMemFreeAsync_ptsz(CUdeviceptr pointer, CUstream stream) {
    return free_in(pointer, stream, OB_PER_THREAD);
}

/* ---- pools ----------------------------------------------------------------------------------- */

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
    CUmemPoolProps there;
    CUmemoryPool made = NULL;
    CUresult result = pool == NULL || properties == NULL ? CUDA_ERROR_INVALID_VALUE
                                                         : driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    there = *properties;
    result = CUmemPoolProps_for_backend(&there);
    if (result == CUDA_SUCCESS && (properties->handleTypes & ~ALL_HANDLE_TYPES) != 0)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && properties->handleTypes != 0)
        result = descriptor_type(properties->handleTypes);
    if (result == CUDA_SUCCESS)
        result = remote_cuMemPoolCreate(&made, &there, 0);
    if (result == CUDA_SUCCESS)
        *pool = made;
    return result;
}

CUresult cuMemPoolExportToShareableHandle(void *handle, CUmemoryPool pool, int type,
                                          uint64_t flags) {
    share_ticket made;
    CUresult result = handle == NULL ? CUDA_ERROR_INVALID_VALUE : descriptor_made_as(type);
    descriptors_sweep();
    if (result == CUDA_SUCCESS)
        result = remote_cuMemPoolExportToShareableHandle(made.bytes, pool, type, flags, 0);
    return result == CUDA_SUCCESS ? descriptor_hand_out(&made, handle) : result;
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, const void *handle, int type,
                                            uint64_t flags) {
    share_ticket given;
    CUmemoryPool made = NULL;
    enum { WIN32_KMT = 4 }; /* pools have no such handles */
    CUresult result = pool == NULL || type == WIN32_KMT ? CUDA_ERROR_INVALID_VALUE
                                                        : descriptor_read_as(type);
    if (result == CUDA_SUCCESS)
        result = descriptor_read(handle, &given);
    if (result == CUDA_SUCCESS)
        result = remote_cuMemPoolImportFromShareableHandle(&made, given.bytes, type, flags, 0);
    if (result == CUDA_SUCCESS)
        *pool = made;
    return result;
}
