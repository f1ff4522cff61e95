/* SPDX-License-Identifier: Apache-2.0
 *
 * Primary contexts: one a device, shared by everything in the process.
 */
#include "context/context.h"

#include <pthread.h>

/* Programs ask before each launch, and only this process can change it: as it is at first, and as the backend said it last. */
typedef struct primary_state {
    bool unknown;
    int flags, active;
} primary_state;

static primary_state states[DEVICE_LIMIT];
static _Atomic int retains[DEVICE_LIMIT];  /* by this process */
static pthread_mutex_t states_lock = PTHREAD_MUTEX_INITIALIZER;

static void forget_state(int there) {
    pthread_mutex_lock(&states_lock);
    states[there].unknown = true;
    pthread_mutex_unlock(&states_lock);
}

static void note_active(int there) {
    pthread_mutex_lock(&states_lock);
    states[there].active = 1;
    pthread_mutex_unlock(&states_lock);
}

static CUresult find_state(int there, primary_state *state) {
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&states_lock);
    if (states[there].unknown) {
        result = remote_cuDevicePrimaryCtxGetState(there, &states[there].flags, &states[there].active, 0);
        states[there].unknown = result != CUDA_SUCCESS;
    }
    *state = states[there];
    pthread_mutex_unlock(&states_lock);
    return result;
}

CUresult cuDevicePrimaryCtxGetState(int device, int *flags, int *active) {
    int there;
    primary_state state;
    CUresult result = device_translate(device, &there);
    if (result == CUDA_SUCCESS && (flags == NULL || active == NULL))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = find_state(there, &state);
    if (result != CUDA_SUCCESS)
        return result;
    *flags = state.flags;
    *active = state.active;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(int device, int flags) {
    int there;
    CUresult result = device_translate(device, &there);
    if (result != CUDA_SUCCESS)
        return result;
    result = remote_cuDevicePrimaryCtxSetFlags_v2(there, flags, 0);
    if (result == CUDA_SUCCESS)
        context_waits_as(flags);
    forget_state(there);
    return result;
}

CUresult cuDevicePrimaryCtxSetFlags(int device, int flags) { return cuDevicePrimaryCtxSetFlags_v2(device, flags); }

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, int device) {
    int there;
    CUresult result = device_translate(device, &there);
    if (result != CUDA_SUCCESS)
        return result;
    if (context == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUcontext primary = context_primary_there(there);
    result = remote_cuDevicePrimaryCtxRetain(&primary, there, 0);
    if (result != CUDA_SUCCESS)
        return result;
    atomic_fetch_add(&retains[there], 1);
    note_active(there);
    *context = primary;
    return CUDA_SUCCESS;
}

/* In the lane of the context, behind everything that was posted there. */
static CUresult in_lane(CUcontext context, int32_t (*call)(int there, uint32_t flags), int there, uint32_t flags) {
    ob_self()->lane = context_lane(context);
    CUresult result = call(there, flags);
    context_show_lane();
    forget_state(there);
    return result;
}

CUresult cuDevicePrimaryCtxRelease_v2(int device) {
    int there;
    CUresult result = device_translate(device, &there);
    if (result != CUDA_SUCCESS)
        return result;
    CUcontext primary = context_primary_there(there);
    int before = atomic_load(&retains[there]);
    while (before > 0 && !atomic_compare_exchange_weak(&retains[there], &before, before - 1))
        ;
    if (before <= 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (before == 1)
        context_end(primary);
    result = in_lane(primary, remote_cuDevicePrimaryCtxRelease_v2, there, before == 1 ? OB_LAST : 0);
    if (result != CUDA_SUCCESS)
        atomic_fetch_add(&retains[there], 1);
    return result;
}

CUresult cuDevicePrimaryCtxRelease(int device) { return cuDevicePrimaryCtxRelease_v2(device); }

CUresult cuDevicePrimaryCtxReset_v2(int device) {
    int there;
    CUresult result = device_translate(device, &there);
    if (result != CUDA_SUCCESS)
        return result;
    CUcontext primary = context_primary_there(there);
    context_end(primary);
    return in_lane(primary, remote_cuDevicePrimaryCtxReset_v2, there, OB_LAST);
}

CUresult cuDevicePrimaryCtxReset(int device) { return cuDevicePrimaryCtxReset_v2(device); }
