/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the program in streams. They are counted, because a copy's source is read when the
 * copy is posted: it waits where a function that has not run yet may write it.
 */
#include "stream/stream.h"

#include <stdlib.h>

typedef void stream_callback(CUstream stream, CUresult status, void *user_data);

typedef struct host_function {
    void (*function)(void *);
    stream_callback *callback;      /* the older form, which has the stream and a status */
    CUstream stream;
    void *user_data;
} host_function;

static _Atomic uint64_t outstanding;
static _Atomic bool captured;   /* graphs have functions: any launch may run them */

static void run(void *user_data) {
    host_function *one = user_data;
    if (one->callback != NULL)
        one->callback(one->stream, (CUresult)ob_callback_status(), one->user_data);
    else
        one->function(one->user_data);
    free(one);
    atomic_fetch_sub(&outstanding, 1);
}

static CUresult capture(CUstream stream, void (*function)(void *), void *user_data,
                        uint32_t flags) {
    CUresult result = remote_outboardCaptureHostFunc(stream, function, user_data, flags);
    if (result == CUDA_SUCCESS)
        host_functions_captured();
    return result;
}

void host_functions_captured(void) { atomic_store(&captured, true); }

typedef int32_t posting(CUstream stream, void (*function)(void *), void *user_data,
                        uint32_t flags);

static CUresult post(host_function what, posting *call, uint32_t flags) {
    host_function *one = malloc(sizeof *one);
    if (one == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *one = what;
    atomic_fetch_add(&outstanding, 1);
    CUresult result = call(what.stream, run, one, flags);
    if (ob_callback_refused(&ob_cuda, result, run, one)) {
        atomic_fetch_sub(&outstanding, 1);
        free(one);
    }
    return result;
}

static CUresult launch(CUstream stream, void (*function)(void *), void *user_data, uint32_t flags) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (function == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    bool captures;
    result = capture_find(stream, flags, &captures);
    if (result != CUDA_SUCCESS || captures)
        return result != CUDA_SUCCESS ? result : capture(stream, function, user_data, flags);
    return post((host_function){.function = function, .stream = stream, .user_data = user_data},
                remote_cuLaunchHostFunc, flags);
}

CUresult cuLaunchHostFunc(CUstream stream, void (*function)(void *), void *user_data) {
    return launch(stream, function, user_data, 0);
}
CUresult cuLaunchHostFunc_ptsz(CUstream stream, void (*function)(void *), void *user_data) {
    return launch(stream, function, user_data, OB_PER_THREAD);
}

/* It may not be captured: CUDA Driver API, "cuStreamAddCallback". */
static CUresult add_callback(CUstream stream, stream_callback *callback, void *user_data,
                             unsigned int unused, uint32_t flags) {
    CUresult result = callback == NULL || unused != 0 ? CUDA_ERROR_INVALID_VALUE
                                                      : capture_forbids(stream, flags);
    if (result == CUDA_SUCCESS)
        result = context_ready();
    return result == CUDA_SUCCESS
               ? post((host_function){.callback = callback, .stream = stream,
                                      .user_data = user_data},
                      remote_outboardAddCallback, flags)
               : result;
}

CUresult cuStreamAddCallback(CUstream stream, stream_callback *callback, void *user_data,
                             unsigned int flags) {
    return add_callback(stream, callback, user_data, flags, 0);
}
CUresult cuStreamAddCallback_ptsz(CUstream stream, stream_callback *callback, void *user_data,
                                  unsigned int flags) {
    return add_callback(stream, callback, user_data, flags, OB_PER_THREAD);
}

CUresult host_functions_settle(CUstream stream, uint32_t flags) {
    return atomic_load(&outstanding) == 0 && !atomic_load(&captured)
               ? CUDA_SUCCESS
               : remote_cuStreamSynchronize(stream, flags);
}
