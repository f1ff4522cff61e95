/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams: their contexts.
 */
#include "stream/stream.h"

static CUresult context_of(CUstream stream, CUcontext *context, void **green_context,
                           uint32_t flags) {
    CUgreenCtx green = NULL;
    CUcontext unused;
    CUresult result = remote_cuStreamGetCtx(stream, context != NULL ? context : &unused, flags);
    if (result == CUDA_SUCCESS && green_context != NULL)
        result = remote_cuStreamGetGreenCtx(stream, &green, flags);
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        result = CUDA_SUCCESS; /* then no stream can have one */
    if (result == CUDA_SUCCESS && green_context != NULL)
        *green_context = green;
    return result;
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, void **green_context) {
    return context_of(stream, context, green_context, 0);
}
CUresult cuStreamGetCtx_v2_ptsz(CUstream stream, CUcontext *context, void **green_context) {
    return context_of(stream, context, green_context, OB_PER_THREAD);
}
