/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory without an address. It may be held several times; the handle ends with the last holder.
 */
#include "memory/memory.h"

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct holders {
    _Atomic int count;
} holders;

static known_table holders_of;

static holders *find_holders(CUmemGenericAllocationHandle allocation) {
    uint64_t handle = (uint64_t)(uintptr_t)allocation;
    const void *known = known_find(&holders_of, handle);
    if (known == NULL)
        known = known_keep(&holders_of, handle, &(holders){0}, sizeof(holders));
    return (holders *)(uintptr_t)known;
}

/* One more holder; without room nobody counts, and the first who gives it up ends it. */
static void hold(CUmemGenericAllocationHandle allocation) {
    holders *those = find_holders(allocation);
    if (those != NULL)
        atomic_fetch_add(&those->count, 1);
}

static CUresult translate(const CUmemAllocationProp *properties, CUmemAllocationProp *there) {
    if (properties == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *there = *properties;
    CUresult result = driver_ready();
    return result != CUDA_SUCCESS ? result : CUmemAllocationProp_for_backend(there);
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *allocation, uint64_t bytes,
                     const CUmemAllocationProp *properties, uint64_t flags) {
    CUmemAllocationProp there;
    CUmemGenericAllocationHandle made = NULL;
    CUresult result = allocation == NULL ? CUDA_ERROR_INVALID_VALUE : translate(properties, &there);
    /* Memory of the host would have to be the program's too. */
    if (result == CUDA_SUCCESS && there.location.type != ON_DEVICE)
        result = there.location.type > ON_DEVICE ? CUDA_ERROR_NOT_SUPPORTED
                                                 : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && there.handleTypes != 0)
        result = descriptor_type(there.handleTypes);
    descriptors_sweep();
    if (result == CUDA_SUCCESS)
        result = remote_cuMemCreate(&made, bytes, &there, flags, 0);
    if (result != CUDA_SUCCESS)
        return result;
    hold(made);
    *allocation = made;
    return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *allocation,
                                     CUdeviceptr pointer) {
    CUmemGenericAllocationHandle held = NULL;
    CUresult result = allocation == NULL ? CUDA_ERROR_INVALID_VALUE
                                         : remote_cuMemRetainAllocationHandle(&held, pointer, 0);
    if (result != CUDA_SUCCESS)
        return result;
    hold(held);
    *allocation = held;
    return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle allocation) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    descriptors_sweep();
    if (!ob_handle_plausible((uint64_t)(uintptr_t)allocation, 1u << OB_CUDA_ALLOCATION))
        return CUDA_ERROR_INVALID_VALUE;
    holders *those = find_holders(allocation);
    bool last = those == NULL || atomic_fetch_sub(&those->count, 1) <= 1;
    return last ? remote_cuMemRelease(allocation, 0) : remote_outboardMemRelease(allocation, 0);
}

/* ---- memory for other processes -------------------------------------------------------------- */

CUresult cuMemExportToShareableHandle(void *handle, CUmemGenericAllocationHandle allocation,
                                      int type, uint64_t flags) {
    share_ticket made;
    CUresult result = handle == NULL ? CUDA_ERROR_INVALID_VALUE : descriptor_made_as(type);
    descriptors_sweep();
    if (result == CUDA_SUCCESS)
        result = remote_cuMemExportToShareableHandle(made.bytes, allocation, type, flags, 0);
    return result == CUDA_SUCCESS ? descriptor_hand_out(&made, handle) : result;
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *allocation,
                                        const void *handle, int type) {
    share_ticket given;
    CUmemGenericAllocationHandle made = NULL;
    CUresult result = allocation == NULL ? CUDA_ERROR_INVALID_VALUE : descriptor_read_as(type);
    if (result == CUDA_SUCCESS)
        result = descriptor_read(handle, &given);
    if (result == CUDA_SUCCESS)
        result = remote_cuMemImportFromShareableHandle(&made, given.bytes, type, 0);
    if (result != CUDA_SUCCESS)
        return result;
    hold(made);
    *allocation = made;
    return CUDA_SUCCESS;
}
