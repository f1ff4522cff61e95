/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts that a program creates itself.
 */
#include "context/context.h"

static CUresult keep_created(CUcontext created, int device) {
    CUresult result = context_enter(created, device) ? context_push(created)
                                                     : CUDA_ERROR_OUT_OF_MEMORY;
    if (result != CUDA_SUCCESS)
        remote_cuCtxDestroy_v2(created, 0);
    return result;
}

CUresult cuCtxCreate_v2(CUcontext *context, int flags, int device) {
    int backend_ordinal;
    CUcontext created = NULL;
    CUresult result = device_translate(device, &backend_ordinal);
    if (result == CUDA_SUCCESS && context == NULL)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = remote_cuCtxCreate_v2(&created, flags, backend_ordinal, 0);
    if (result == CUDA_SUCCESS)
        result = keep_created(created, device);
    if (result != CUDA_SUCCESS)
        return result;
    context_waits_as(flags);
    *context = created;
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *context, int flags, int device) {
    CUresult result = cuCtxCreate_v2(context, flags, device);
    if (result == CUDA_SUCCESS)
        context_note_older(*context);
    return result;
}

CUresult cuCtxCreate_v3(CUcontext *context, void *affinities, int affinity_count,
                        unsigned int flags, int device) {
    if (affinity_count > 0)
        return affinities != NULL ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
    return cuCtxCreate_v2(context, (int)flags, device);
}

/* CUctxCreateParams */
typedef struct create_parameters {
    const void *affinities;
    int affinity_count;
    const void *graphics;
} create_parameters;

CUresult cuCtxCreate_v4(CUcontext *context, const void *parameters, unsigned int flags,
                        int device) {
    const create_parameters *asked = parameters;
    if (asked != NULL &&
        ((asked->affinities != NULL && asked->affinity_count > 0) || asked->graphics != NULL))
        return CUDA_ERROR_NOT_SUPPORTED;
    return cuCtxCreate_v2(context, (int)flags, device);
}

/* Popped from this thread's stack where it is on top; elsewhere it stays and can no longer be used.
 */
CUresult cuCtxDestroy_v2(CUcontext context) {
    CUresult result = driver_ready();
    if (result == CUDA_SUCCESS)
        result = context_usable(context);
    if (result == CUDA_SUCCESS && context_is_primary(context))
        result = CUDA_ERROR_INVALID_CONTEXT;
    if (result != CUDA_SUCCESS)
        return result;
    context_end(context);
    context_destroyed(context);
    ob_self()->lane = context_lane(context);
    result = remote_cuCtxDestroy_v2(context, OB_LAST);
    if (context_current() == context)
        context_pop();
    else
        context_show_lane();
    return result;
}

CUresult cuCtxDestroy(CUcontext context) { return cuCtxDestroy_v2(context); }
