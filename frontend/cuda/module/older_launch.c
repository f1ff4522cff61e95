/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of the time before cuLaunchKernel: block, shared memory and parameters are set one by
 * one and stay with the function.
 */
#include "module/module.h"

#include <pthread.h>

/* CU_LAUNCH_PARAM_… */
#define BUFFER_POINTER ((void *)1)
#define BUFFER_SIZE ((void *)2)

typedef struct setup {
    unsigned int block[3], shared_bytes;
    size_t size;                        /* of the parameters */
    uint8_t parameters[PARAMETER_LIMIT];
} setup;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what is in the table */
static known_table setups;

/* The settings of a function; at first, one thread without parameters. */
static CUresult find(CUfunction function, setup **found) {
    static const setup fresh = {.block = {1, 1, 1}};
    uint64_t handle = (uint64_t)(uintptr_t)function;
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (!ob_handle_plausible(handle, 1u << OB_CUDA_FUNCTION | 1u << OB_CUDA_KERNEL))
        return CUDA_ERROR_INVALID_HANDLE;
    const void *known = known_find(&setups, handle);
    *found =
        (setup *)(uintptr_t)(known != NULL ? known
                                           : known_keep(&setups, handle, &fresh, sizeof fresh));
    return *found != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
    setup *s;
    CUresult result = find(function, &s);
    if (result == CUDA_SUCCESS && (x <= 0 || y <= 0 || z <= 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    s->block[0] = (unsigned int)x;
    s->block[1] = (unsigned int)y;
    s->block[2] = (unsigned int)z;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes) {
    setup *s;
    CUresult result = find(function, &s);
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    s->shared_bytes = bytes;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* ---- parameters ------------------------------------------------------------------------------ */

CUresult cuParamSetSize(CUfunction function, unsigned int bytes) {
    setup *s;
    CUresult result = find(function, &s);
    if (result == CUDA_SUCCESS && bytes > PARAMETER_LIMIT)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    s->size = bytes;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult cuParamSetv(CUfunction function, int offset, void *from, unsigned int bytes) {
    setup *s;
    CUresult result = find(function, &s);
    if (result == CUDA_SUCCESS && (from == NULL || offset < 0 || bytes > PARAMETER_LIMIT ||
                                   (unsigned int)offset > PARAMETER_LIMIT - bytes))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    memcpy(s->parameters + offset, from, bytes);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned int value) {
    return cuParamSetv(function, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction function, int offset, float value) {
    return cuParamSetv(function, offset, &value, sizeof value);
}

/* ---- launches -------------------------------------------------------------------------------- */

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
    static ob_own_memory copies = {.bytes = sizeof(setup)};
    setup *s, *now = ob_own(&copies);
    const FunctionFacts *facts;
    CUresult result = find(function, &s);
    if (result == CUDA_SUCCESS && (width <= 0 || height <= 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && now == NULL)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS)
        result = launch_facts(function, &facts);
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    *now = *s;
    pthread_mutex_unlock(&lock);
    size_t whole = facts->parameterBytes > 0 ? (size_t)facts->parameterBytes : 0;
    if (now->size < whole && whole <= PARAMETER_LIMIT)
        now->size = whole; /* what has not been set is zero */
    void *extra[] = {BUFFER_POINTER, now->parameters, BUFFER_SIZE, &now->size, NULL};
    return cuLaunchKernel(function, (unsigned int)width, (unsigned int)height, 1, now->block[0],
                          now->block[1], now->block[2], now->shared_bytes, stream, NULL, extra);
}

CUresult cuLaunchGrid(CUfunction function, int width, int height) {
    return cuLaunchGridAsync(function, width, height, NULL);
}
CUresult cuLaunch(CUfunction function) { return cuLaunchGrid(function, 1, 1); }
