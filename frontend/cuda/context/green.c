/* SPDX-License-Identifier: Apache-2.0
 *
 * Green contexts: contexts are known here by their devices.
 */
#include "context/context.h"

static known_table devices_of;

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
    *context = made;
    return CUDA_SUCCESS;
}

static known_table contexts_of;

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
