/* SPDX-License-Identifier: Apache-2.0
 *
 * Green contexts: contexts are known here by their devices.
 */
#include "context/context.h"

static known_table devices_of, contexts_of;

CUresult cuGreenCtxCreate(CUgreenCtx *context, CUdevResourceDesc description, int device,
                          int flags) {
    int backend_ordinal;
    CUgreenCtx made = NULL;
    CUresult result = device_translate(device, &backend_ordinal);
    if (result == CUDA_SUCCESS && context == NULL)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = remote_cuGreenCtxCreate(&made, description, backend_ordinal, flags, 0);
    if (result != CUDA_SUCCESS)
        return result;
    if (known_keep(&devices_of, (uint64_t)(uintptr_t)made, &device, sizeof device) == NULL) {
        remote_cuGreenCtxDestroy(made, 0);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    primary_retained(backend_ordinal);
    *context = made;
    return CUDA_SUCCESS;
}

/* The last user of a primary context ends it. */
CUresult cuGreenCtxDestroy(CUgreenCtx context) {
    const int *device = known_find(&devices_of, (uint64_t)(uintptr_t)context);
    int backend_ordinal;
    CUresult result = device != NULL ? device_translate(*device, &backend_ordinal)
                                     : CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (result != CUDA_SUCCESS)
        return result;
    CUcontext primary = context_primary_of_backend(backend_ordinal);
    const CUcontext *own = known_find(&contexts_of, (uint64_t)(uintptr_t)context);
    bool last = primary_released(backend_ordinal);
    if (last)
        context_end(primary);
    ob_self()->lane = context_lane(primary);
    result = remote_cuGreenCtxDestroy(context, last ? OB_LAST : 0);
    context_show_lane();
    if (result != CUDA_SUCCESS)
        primary_retained(backend_ordinal);
    else if (own != NULL)
        context_destroyed(*own);
    return result;
}

/* The same context each time. */
CUresult cuCtxFromGreenCtx(CUcontext *context, CUgreenCtx green) {
    uint64_t handle = (uint64_t)(uintptr_t)green;
    const int *device = known_find(&devices_of, handle);
    const CUcontext *known = known_find(&contexts_of, handle);
    if (context == NULL || device == NULL)
        return context == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    CUcontext made = known != NULL ? *known : NULL;
    CUresult result = made != NULL ? CUDA_SUCCESS : remote_cuCtxFromGreenCtx(&made, green, 0);
    if (result == CUDA_SUCCESS && known == NULL &&
        (!context_enter(made, *device) ||
         known_keep(&contexts_of, handle, &made, sizeof made) == NULL))
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS)
        *context = made;
    return result;
}
