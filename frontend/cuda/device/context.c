/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts. Each thread's stack of contexts lives here; a frame says by its lane in which context
 * it is made. The lane is the index of the context's handle.
 *
 * The primary context of the backend's device d has the handle with index d + 1 and nothing else
 * but its kind, so that it can be handed out before it is retained, and is the same each time.
 */
#include "device/device.h"

enum {
    STACK_LIMIT = 64,
    INDEX_MASK = (1 << 20) - 1,
    KIND_SHIFT = 34,
    DESTROYED = -2,
};

typedef struct entry {
    _Atomic uint64_t handle;
    _Atomic bool older;         /* made by the form for addresses of 32 bits */
    _Atomic int ordinal;        /* the program's ordinal of the device, or DESTROYED */
} entry;

typedef struct stack {
    int depth;
    CUcontext contexts[STACK_LIMIT];
} stack;

/* By index of the handle. */
static entry entries[CONTEXT_LIMIT];
static int primaries;
static _Thread_local stack mine;
static _Atomic uint32_t first_lane;
static _Atomic bool several;
static _Atomic(CUcontext) latest;

static uint64_t number(CUcontext context) { return (uint64_t)(uintptr_t)context; }
uint32_t context_lane(CUcontext context) { return (uint32_t)number(context) & INDEX_MASK; }
CUcontext context_primary_of_backend(int backend_ordinal) {
    return (CUcontext)(uintptr_t)((uint64_t)OB_CUDA_CONTEXT << KIND_SHIFT |
                                  (uint64_t)(backend_ordinal + 1));
}

static entry *entry_of(CUcontext context) {
    uint32_t index = context_lane(context);
    return context != NULL && index < CONTEXT_LIMIT &&
                   atomic_load(&entries[index].handle) == number(context)
               ? &entries[index]
               : NULL;
}

CUcontext context_at(uint32_t index) {
    CUcontext context = (CUcontext)(uintptr_t)atomic_load(&entries[index].handle);
    return context != NULL && atomic_load(&entries[index].ordinal) != DESTROYED ? context : NULL;
}

bool context_is_primary(CUcontext context) { return context_lane(context) <= (uint32_t)primaries; }

bool context_enter(CUcontext context, int ordinal) {
    uint32_t index = context_lane(context);
    if (index >= CONTEXT_LIMIT)
        return false;
    atomic_store(&entries[index].older, false);
    atomic_store(&entries[index].ordinal, ordinal);
    atomic_store(&entries[index].handle, number(context));
    return true;
}

void contexts_begin(int backend_devices) {
    primaries = backend_devices;
    ob_handle_reserve(OB_CUDA_CONTEXT, (uint32_t)backend_devices);
    for (int backend_ordinal = 0; backend_ordinal < backend_devices; backend_ordinal++)
        context_enter(context_primary_of_backend(backend_ordinal),
                      device_ordinal_of(backend_ordinal));
}

void context_note_older(CUcontext context) {
    entry *one = entry_of(context);
    if (one != NULL)
        atomic_store(&one->older, true);
}

bool context_is_older(CUcontext context) {
    const entry *one = entry_of(context);
    return one != NULL && atomic_load(&one->older);
}

void context_waits_as(int flags) {
    enum { SCHEDULING = 7, BLOCKING_SYNC = 4 };     /* CUctx_flags */
    if ((flags & SCHEDULING) == BLOCKING_SYNC)
        ob_wait_asleep();
}

/* ---- the stack ------------------------------------------------------------------------------- */

CUcontext context_current(void) { return mine.depth > 0 ? mine.contexts[mine.depth - 1] : NULL; }

CUresult context_usable(CUcontext context) {
    const entry *one = entry_of(context);
    if (context == NULL)
        return CUDA_ERROR_INVALID_CONTEXT;
    return one == NULL || atomic_load(&one->ordinal) == DESTROYED ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                                                                  : CUDA_SUCCESS;
}

/* A call that needs no current context may still be about what one has: it is made in the lane of
 * the one that was current last, of whichever thread. */
static CUcontext borrowed(void) {
    CUcontext context = atomic_load_explicit(&latest, memory_order_relaxed);
    return context != NULL && context_usable(context) == CUDA_SUCCESS ? context : NULL;
}

void context_show_lane(void) {
    CUcontext current = context_current();
    ob_self()->lane = context_lane(entry_of(current) != NULL ? current : borrowed());
}

CUresult context_resolve(CUcontext context, CUcontext *resolved) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    *resolved = context != NULL ? context : context_current();
    return context_usable(*resolved);
}

void context_destroyed(CUcontext context) {
    entry *one = entry_of(context);
    if (one != NULL)
        atomic_store(&one->ordinal, DESTROYED);
    unusual_begins(UNUSUAL_CONTEXTS);
}

CUresult context_ready(void) {
    CUcontext current;
    CUresult result = context_current() != NULL ? context_resolve(NULL, &current) : driver_ready();
    if (result != CUDA_SUCCESS || context_current() != NULL)
        return result;
    context_show_lane();
    return borrowed() != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUcontext context_in_use(void) {
    CUcontext current = context_current();
    return current != NULL ? current : borrowed();
}

int32_t cuda_context_ready(void) { return context_ready(); }

CUresult context_for_ending(CUcontext owner) {
    CUresult result = context_current() != NULL ? context_ready() : context_resolve(owner, &owner);
    if (result == CUDA_SUCCESS && context_current() == NULL)
        ob_self()->lane = context_lane(owner);
    return result;
}

int context_device(CUcontext context) {
    const entry *one = entry_of(context);
    return one != NULL ? atomic_load(&one->ordinal) : -1;
}

CUcontext context_primary(int ordinal) {
    const gpu *one = device_at(ordinal);
    return one != NULL ? context_primary_of_backend(one->ordinal) : NULL;
}

bool contexts_are_several(void) { return atomic_load_explicit(&several, memory_order_relaxed); }

static void count(CUcontext context) {
    uint32_t first = 0, lane = context_lane(context);
    if (!atomic_compare_exchange_strong(&first_lane, &first, lane) && first != lane &&
        !contexts_are_several())
        atomic_store(&several, true);
}

CUresult context_push(CUcontext context) {
    if (mine.depth == STACK_LIMIT)
        return CUDA_ERROR_OUT_OF_MEMORY;
    mine.contexts[mine.depth++] = context;
    if (context_usable(context) == CUDA_SUCCESS) {
        atomic_store_explicit(&latest, context, memory_order_relaxed);
        count(context);
    } else {
        unusual_begins(UNUSUAL_CONTEXTS);
    }
    context_show_lane();
    return CUDA_SUCCESS;
}

void context_pop(void) {
    mine.depth--;
    context_show_lane();
}

CUresult cuCtxGetCurrent(CUcontext *context) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (context == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *context = context_current();
    return CUDA_SUCCESS;
}

/* Replaces the top; null pops it. What a driver is given need be no context: the calls that want
 * one say so. */
CUresult cuCtxSetCurrent(CUcontext context) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (mine.depth > 0)
        context_pop();
    return context != NULL ? context_push(context) : CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
    CUresult result = driver_ready();
    if (result == CUDA_SUCCESS && context == NULL)
        result = CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? context_push(context) : result;
}

CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxPushCurrent_v2(context); }

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (mine.depth == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (context != NULL)
        *context = context_current();
    context_pop();
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *context) { return cuCtxPopCurrent_v2(context); }

/* ---- questions ------------------------------------------------------------------------------- */

CUresult cuCtxGetDevice_v2(int *device, CUcontext context) {
    CUcontext resolved;
    CUresult result = context_resolve(context, &resolved);
    if (result != CUDA_SUCCESS)
        return result;
    if (device == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *device = context_device(resolved);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext context, uint64_t *id) {
    CUcontext resolved;
    CUresult result = context_resolve(context, &resolved);
    if (result != CUDA_SUCCESS)
        return result;
    if (id == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *id = number(resolved);
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize_v2(CUcontext context) {
    CUcontext resolved;
    CUresult result = context_resolve(context, &resolved);
    if (result != CUDA_SUCCESS)
        return result;
    ob_self()->lane = context_lane(resolved);
    result = remote_cuCtxSynchronize(0);
    context_show_lane();
    return result;
}
