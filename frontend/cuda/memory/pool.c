/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools of memory.
 */
#include "memory/memory.h"

enum { ALL_HANDLE_TYPES = 0xf }; /* CUmemAllocationHandleType */

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
