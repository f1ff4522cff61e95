/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in the order of streams, and its pools.
 */
#include "memory/memory.h"

/* ---- memory ------------------------------------------------------------------------------------------------------------- */

/* In a capture it is a graph's. */
static CUresult keep(CUresult result, CUdeviceptr address, uint64_t bytes, CUstream stream, uint32_t flags, CUdeviceptr *pointer) {
    bool captures;
    if (result == CUDA_SUCCESS)
        result = capture_find(stream, flags, &captures);
    if (result != CUDA_SUCCESS)
        return result;
    result = captures ? memory_remember_of_graph(address, bytes) : memory_remember(address, bytes);
    if (result == CUDA_SUCCESS)
        *pointer = address;
    else
        remote_cuMemFreeAsync(address, stream, flags);
    return result;
}

static CUresult allocate(CUdeviceptr *pointer, uint64_t bytes, CUstream stream, uint32_t flags) {
    CUdeviceptr address = 0;
    CUresult result = context_ready();
    if (result == CUDA_SUCCESS && (pointer == NULL || bytes == 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = remote_cuMemAllocAsync(&address, bytes, stream, flags);
    return keep(result, address, bytes, stream, flags, pointer);
}

CUresult cuMemAllocAsync(CUdeviceptr *pointer, uint64_t bytes, CUstream stream) { return allocate(pointer, bytes, stream, 0); }
CUresult cuMemAllocAsync_ptsz(CUdeviceptr *pointer, uint64_t bytes, CUstream stream) { return allocate(pointer, bytes, stream, OB_PER_THREAD); }

static CUresult allocate_from(CUdeviceptr *pointer, uint64_t bytes, CUmemoryPool pool, CUstream stream, uint32_t flags) {
    CUdeviceptr address = 0;
    CUresult result = context_ready();
    if (result == CUDA_SUCCESS && (pointer == NULL || bytes == 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = remote_cuMemAllocFromPoolAsync(&address, bytes, pool, stream, flags);
    return keep(result, address, bytes, stream, flags, pointer);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *pointer, uint64_t bytes, CUmemoryPool pool, CUstream stream) {
    return allocate_from(pointer, bytes, pool, stream, 0);
}

CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr *pointer, uint64_t bytes, CUmemoryPool pool, CUstream stream) {
    return allocate_from(pointer, bytes, pool, stream, OB_PER_THREAD);
}

/* An address that was not handed out may be an error: that call waits for its answer. */
static CUresult end(CUdeviceptr pointer, CUstream stream, uint32_t flags) {
    range forgotten;
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (managed_contains(pointer, 1))
        return CUDA_ERROR_INVALID_VALUE;
    bool known = memory_forget(pointer, &forgotten);
    return remote_cuMemFreeAsync(pointer, stream, known ? flags : flags | OB_ANSWER);
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) { return end(pointer, stream, 0); }
CUresult cuMemFreeAsync_ptsz(CUdeviceptr pointer, CUstream stream) { return end(pointer, stream, OB_PER_THREAD); }

/* ---- pools --------------------------------------------------------------------------------------------------------------- */

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
    CUmemPoolProps there;
    CUmemoryPool made = NULL;
    CUresult result = pool == NULL || properties == NULL ? CUDA_ERROR_INVALID_VALUE : driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    there = *properties;
    result = CUmemPoolProps_there(&there);
    if (result == CUDA_SUCCESS && properties->handleTypes != 0)
        result = descriptor_type(properties->handleTypes);
    if (result == CUDA_SUCCESS)
        result = remote_cuMemPoolCreate(&made, &there, 0);
    if (result == CUDA_SUCCESS)
        *pool = made;
    return result;
}


CUresult cuMemPoolExportToShareableHandle(void *handle, CUmemoryPool pool, int type, uint64_t flags) {
    share_ticket made;
    CUresult result = handle == NULL ? CUDA_ERROR_INVALID_VALUE : descriptor_type(type);
    descriptors_sweep();
    if (result == CUDA_SUCCESS)
        result = remote_cuMemPoolExportToShareableHandle(made.bytes, pool, type, flags, 0);
    return result == CUDA_SUCCESS ? descriptor_hand_out(&made, handle) : result;
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, const void *handle, int type, uint64_t flags) {
    share_ticket given;
    CUmemoryPool made = NULL;
    CUresult result = pool == NULL ? CUDA_ERROR_INVALID_VALUE : descriptor_type(type);
    if (result == CUDA_SUCCESS)
        result = descriptor_read(handle, &given);
    if (result == CUDA_SUCCESS)
        result = remote_cuMemPoolImportFromShareableHandle(&made, given.bytes, type, flags, 0);
    if (result == CUDA_SUCCESS)
        *pool = made;
    return result;
}

/* CUmemPool_attribute: the first three are an int, the others a long. */
enum { LAST_INT_ATTRIBUTE = 3 };

static size_t width(int attribute) { return attribute <= LAST_INT_ATTRIBUTE ? sizeof(int) : sizeof(uint64_t); }

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, const uint64_t *value) {
    uint64_t word = 0;
    if (value == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&word, value, width(attribute));
    return remote_cuMemPoolSetAttribute(pool, attribute, &word, 0);
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, uint64_t *value) {
    uint64_t word = 0;
    CUresult result = value == NULL ? CUDA_ERROR_INVALID_VALUE : remote_cuMemPoolGetAttribute(pool, attribute, &word, 0);
    if (result == CUDA_SUCCESS)
        memcpy(value, &word, width(attribute));
    return result;
}

