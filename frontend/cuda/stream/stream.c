/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams: their contexts, and functions of the program in the older form.
 */
#include "stream/stream.h"

#include <stdlib.h>

static CUresult context_of(CUstream stream, CUcontext *context, void **green_context,
                           uint32_t flags) {
    CUgreenCtx green = NULL;
    CUresult result = context == NULL ? CUDA_ERROR_INVALID_VALUE
                                      : remote_cuStreamGetCtx(stream, context, flags);
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

/* ---- functions of the program, in the older form --------------------------------------------- */

typedef void stream_callback(CUstream stream, CUresult status, void *user_data);

typedef struct waiting_callback {
    stream_callback *callback;
    CUstream stream;
    void *user_data;
} waiting_callback;

static void run(void *user_data) {
    waiting_callback *one = user_data;
    one->callback(one->stream, CUDA_SUCCESS, one->user_data);
    free(one);
}

/* It may not be captured: CUDA Driver API, "cuStreamAddCallback". */
static CUresult add_callback(CUstream stream, stream_callback *callback, void *user_data,
                             unsigned int unused, uint32_t flags) {
    CUresult result = callback == NULL || unused != 0 ? CUDA_ERROR_INVALID_VALUE
                                                      : capture_forbids(stream, flags);
    if (result != CUDA_SUCCESS)
        return result;
    waiting_callback *one = malloc(sizeof *one);
    if (one == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *one = (waiting_callback){callback, stream, user_data};
    result = flags != 0 ? cuLaunchHostFunc_ptsz(stream, run, one)
                        : cuLaunchHostFunc(stream, run, one);
    if (ob_callback_refused(&ob_cuda, result, run, one))
        free(one);
    return result;
}

CUresult cuStreamAddCallback(CUstream stream, stream_callback *callback, void *user_data,
                             unsigned int flags) {
    return add_callback(stream, callback, user_data, flags, 0);
}

CUresult cuStreamAddCallback_ptsz(CUstream stream, stream_callback *callback, void *user_data,
                                  unsigned int flags) {
    return add_callback(stream, callback, user_data, flags, OB_PER_THREAD);
}
