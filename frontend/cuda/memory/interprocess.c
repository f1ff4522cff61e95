/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of other processes.
 */
#include "memory/memory.h"

static CUresult size_of(CUdeviceptr address, uint64_t *bytes) {
    CUdeviceptr base;
    return remote_cuMemGetAddressRange_v2(&base, bytes, address, 0);
}

/* Remembers memory that has been opened. */
static CUresult keep(CUdeviceptr address) {
    uint64_t bytes = 0;
    CUresult result = size_of(address, &bytes);
    return result == CUDA_SUCCESS ? memory_remember(address, bytes) : result;
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *pointer, CUipcMemHandle name, int flags) {
    CUdeviceptr address = 0;
    CUresult result = context_ready();
    if (result == CUDA_SUCCESS && pointer == NULL)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = remote_cuIpcOpenMemHandle_v2(&address, name, flags, 0);
    if (result != CUDA_SUCCESS)
        return result;
    result = keep(address);
    if (result == CUDA_SUCCESS)
        *pointer = address;
    else
        remote_cuIpcCloseMemHandle(address, 0);
    return result;
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *pointer, CUipcMemHandle name, int flags) { return cuIpcOpenMemHandle_v2(pointer, name, flags); }

CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
    range forgotten;
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    bool known = memory_forget(pointer, &forgotten);
    result = remote_cuIpcCloseMemHandle(pointer, 0);
    if (result != CUDA_SUCCESS && known)
        memory_put_back(forgotten);
    return result;
}

CUresult cuMemPoolImportPointer(CUdeviceptr *pointer, CUmemoryPool pool, const void *data) {
    CUdeviceptr address = 0;
    CUresult result = context_ready();
    if (result == CUDA_SUCCESS && (pointer == NULL || data == NULL))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = remote_cuMemPoolImportPointer(&address, pool, data, 0);
    if (result != CUDA_SUCCESS)
        return result;
    result = keep(address);
    if (result == CUDA_SUCCESS)
        *pointer = address;
    else
        remote_cuMemFree_v2(address, 0);
    return result;
}
