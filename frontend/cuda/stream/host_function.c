/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the program in streams. They are counted, because a copy's source is read when the
 * copy is posted: it waits where a function that has not run yet may write it.
 */
#include "stream/stream.h"

#include <stdlib.h>

typedef struct host_function {
    void (*function)(void *);
    void *user_data;
} host_function;

static _Atomic uint64_t outstanding;
static _Atomic bool captured;   /* graphs have functions: any launch may run them */

static void run(void *user_data) {
    host_function *one = user_data;
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
    host_function *one = malloc(sizeof *one);
    if (one == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *one = (host_function){function, user_data};
    atomic_fetch_add(&outstanding, 1);
    result = remote_cuLaunchHostFunc(stream, run, one, flags);
    if (ob_callback_refused(&ob_cuda, result, run, one)) {
        atomic_fetch_sub(&outstanding, 1);
        free(one);
    }
    return result;
}

CUresult cuLaunchHostFunc(CUstream stream, void (*function)(void *), void *user_data) {
    return launch(stream, function, user_data, 0);
}
CUresult cuLaunchHostFunc_ptsz(CUstream stream, void (*function)(void *), void *user_data) {
    return launch(stream, function, user_data, OB_PER_THREAD);
}

CUresult host_functions_settle(CUstream stream, uint32_t flags) {
    return atomic_load(&outstanding) == 0 && !atomic_load(&captured)
               ? CUDA_SUCCESS
               : remote_cuStreamSynchronize(stream, flags);
}
