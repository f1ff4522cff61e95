/* SPDX-License-Identifier: Apache-2.0
 *
 * Primary contexts: one a device, shared by everything in the process.
 */
#include "context/context.h"

#include <pthread.h>

/* Programs ask before each launch, and only this process can change it: as it is at first, and as
 * the backend said it last. */
typedef struct primary_state {
    bool unknown;
    int flags, active;
} primary_state;

static primary_state states[DEVICE_LIMIT];
static _Atomic int retains[DEVICE_LIMIT];  /* by this process */
static pthread_mutex_t states_lock = PTHREAD_MUTEX_INITIALIZER;

static void forget_state(int backend_ordinal) {
    pthread_mutex_lock(&states_lock);
    states[backend_ordinal].unknown = true;
    pthread_mutex_unlock(&states_lock);
}

static void note_active(int backend_ordinal) {
    pthread_mutex_lock(&states_lock);
    states[backend_ordinal].active = 1;
    pthread_mutex_unlock(&states_lock);
}

static CUresult find_state(int backend_ordinal, primary_state *state) {
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&states_lock);
    if (states[backend_ordinal].unknown) {
        result = remote_cuDevicePrimaryCtxGetState(backend_ordinal, &states[backend_ordinal].flags,
                                                   &states[backend_ordinal].active, 0);
        states[backend_ordinal].unknown = result != CUDA_SUCCESS;
    }
    *state = states[backend_ordinal];
    pthread_mutex_unlock(&states_lock);
    return result;
}

CUresult cuDevicePrimaryCtxGetState(int device, int *flags, int *active) {
    int backend_ordinal;
    primary_state state;
    CUresult result = device_translate(device, &backend_ordinal);
    if (result == CUDA_SUCCESS && (flags == NULL || active == NULL))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = find_state(backend_ordinal, &state);
    if (result != CUDA_SUCCESS)
        return result;
    *flags = state.flags;
    *active = state.active;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(int device, int flags) {
    int backend_ordinal;
    CUresult result = device_translate(device, &backend_ordinal);
    if (result != CUDA_SUCCESS)
        return result;
    result = remote_cuDevicePrimaryCtxSetFlags_v2(backend_ordinal, flags, 0);
    if (result == CUDA_SUCCESS)
        context_waits_as(flags);
    forget_state(backend_ordinal);
    return result;
}

CUresult cuDevicePrimaryCtxSetFlags(int device, int flags) {
    return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, int device) {
    int backend_ordinal;
    CUresult result = device_translate(device, &backend_ordinal);
    if (result != CUDA_SUCCESS)
        return result;
    if (context == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUcontext primary = context_primary_of_backend(backend_ordinal);
    result = remote_cuDevicePrimaryCtxRetain(&primary, backend_ordinal, 0);
    if (result != CUDA_SUCCESS)
        return result;
    primary_retained(backend_ordinal);
    *context = primary;
    return CUDA_SUCCESS;
}

void primary_retained(int backend_ordinal) {
    atomic_fetch_add(&retains[backend_ordinal], 1);
    note_active(backend_ordinal);
}

bool primary_released(int backend_ordinal) {
    forget_state(backend_ordinal);
    return atomic_fetch_sub(&retains[backend_ordinal], 1) == 1;
}

/* In the lane of the context, behind everything that was posted there. */
static CUresult in_lane(CUcontext context, int32_t (*call)(int backend_ordinal, uint32_t flags),
                        int backend_ordinal, uint32_t flags) {
    ob_self()->lane = context_lane(context);
    CUresult result = call(backend_ordinal, flags);
    context_show_lane();
    forget_state(backend_ordinal);
    return result;
}

/* A driver takes some 60 ms to destroy a context. The runtime releases its own when the process
 * exits, and the session's end, which nobody waits for, destroys it too. A program that starts next
 * may need memory that is left, so that is waited for. */
static bool ends_with_the_session(CUcontext context) {
    return ob_process_ends() && !range_any_of(&device_ranges, context);
}

static CUresult release(int device) {
    int backend_ordinal;
    CUresult result = device_translate(device, &backend_ordinal);
    if (result != CUDA_SUCCESS)
        return result;
    CUcontext primary = context_primary_of_backend(backend_ordinal);
    int before = atomic_load(&retains[backend_ordinal]);
    while (before > 0 &&
           !atomic_compare_exchange_weak(&retains[backend_ordinal], &before, before - 1))
        ;
    if (before <= 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    bool for_good = before == 1 && ends_with_the_session(primary);
    if (before == 1)
        context_end(primary);
    if (for_good)
        return CUDA_SUCCESS;
    result = in_lane(primary, remote_cuDevicePrimaryCtxRelease_v2, backend_ordinal,
                     before == 1 ? OB_LAST : 0);
    if (result != CUDA_SUCCESS)
        atomic_fetch_add(&retains[backend_ordinal], 1);
    return result;
}

CUresult cuDevicePrimaryCtxRelease_v2(int device) {
    CUresult result = release(device);
    return unusual_is(UNUSUAL_END) ? CUDA_ERROR_DEINITIALIZED : result;
}

CUresult cuDevicePrimaryCtxRelease(int device) { return cuDevicePrimaryCtxRelease_v2(device); }

CUresult cuDevicePrimaryCtxReset_v2(int device) {
    int backend_ordinal;
    CUresult result = device_translate(device, &backend_ordinal);
    if (result != CUDA_SUCCESS)
        return result;
    CUcontext primary = context_primary_of_backend(backend_ordinal);
    context_end(primary);
    return in_lane(primary, remote_cuDevicePrimaryCtxReset_v2, backend_ordinal, OB_LAST);
}

CUresult cuDevicePrimaryCtxReset(int device) { return cuDevicePrimaryCtxReset_v2(device); }
