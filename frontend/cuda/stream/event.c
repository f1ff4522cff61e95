/* SPDX-License-Identifier: Apache-2.0
 *
 * Events. Those of one process are made and ended by posted calls: libraries make some for each
 * step. When a recording of one that other processes share returns, the others have to see it, and
 * so calls about it are answered.
 */
#include "stream/stream.h"

enum { BLOCKING_SYNC = 1, DISABLE_TIMING = 2, INTERPROCESS = 4 }; /* CU_EVENT_... */

static _Atomic bool any;
static known_table shared_events;

static uint64_t number(CUevent event) { return (uint64_t)(uintptr_t)event; }

static CUresult note(CUevent event) {
    bool yes = true;
    atomic_store(&any, true);
    return known_keep(&shared_events, number(event), &yes, sizeof yes) != NULL
               ? CUDA_SUCCESS
               : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult hand_out(CUresult result, CUevent made, bool others, CUevent *event) {
    if (result == CUDA_SUCCESS && others)
        result = note(made);
    if (result != CUDA_SUCCESS)
        return result;
    order_note(made);
    *event = made;
    return CUDA_SUCCESS;
}

/* An event that others share takes no times. */
static bool are_flags(int flags) {
    return (flags & ~(BLOCKING_SYNC | DISABLE_TIMING | INTERPROCESS)) == 0 &&
           (flags & (DISABLE_TIMING | INTERPROCESS)) != INTERPROCESS;
}

CUresult cuEventCreate(CUevent *event, int flags) {
    bool others = (flags & INTERPROCESS) != 0;
    CUevent made = NULL;
    CUresult result = context_ready();
    if (result == CUDA_SUCCESS && (event == NULL || !are_flags(flags)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = remote_cuEventCreate(&made, flags, others ? OB_ANSWER : 0);
    if (result == CUDA_SUCCESS && made == NULL)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    return hand_out(result, made, others, event);
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle name) {
    CUevent made = NULL;
    if (event == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = remote_cuIpcOpenEventHandle(&made, name, 0);
    return hand_out(result, made, true, event);
}

static bool is_shared(const void *handle) {
    return atomic_load_explicit(&any, memory_order_relaxed) &&
           known_find(&shared_events, (uint64_t)(uintptr_t)handle) != NULL;
}

/* Flags ask for nodes, which there are in captures alone; and a capture waits for none but its own
 * events. */
uint32_t cuda_doubt_event(int flags) {
    return flags != 0 || unusual_is(UNUSUAL_CAPTURES) ? OB_ANSWER : 0;
}

/* The event may have been made in another lane, or recorded there. */
uint32_t cuda_note_lane(const void *handle) {
    uint32_t order = cuda_order(handle);
    order_note(handle);
    return order | (is_shared(handle) ? OB_ANSWER : 0);
}
