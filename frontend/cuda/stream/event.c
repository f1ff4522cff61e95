/* SPDX-License-Identifier: Apache-2.0
 *
 * Events that other processes share: when a recording returns, the others have to see it, and so it is answered.
 */
#include "stream/stream.h"

enum { INTERPROCESS = 4 }; /* CU_EVENT_INTERPROCESS */

static _Atomic bool any;
static known_table shared_events;

static uint64_t number(CUevent event) { return (uint64_t)(uintptr_t)event; }

static CUresult note(CUevent event) {
    bool yes = true;
    atomic_store(&any, true);
    return known_keep(&shared_events, number(event), &yes, sizeof yes) != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult hand_out(CUresult result, CUevent made, bool others, CUevent *event) {
    if (result == CUDA_SUCCESS && others)
        result = note(made);
    if (result == CUDA_SUCCESS)
        *event = made;
    return result;
}

CUresult cuEventCreate(CUevent *event, int flags) {
    CUevent made = NULL;
    if (event == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = remote_cuEventCreate(&made, flags, 0);
    return hand_out(result, made, (flags & INTERPROCESS) != 0, event);
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle name) {
    CUevent made = NULL;
    if (event == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = remote_cuIpcOpenEventHandle(&made, name, 0);
    return hand_out(result, made, true, event);
}

static bool is_shared(const void *handle) {
    return atomic_load_explicit(&any, memory_order_relaxed) && known_find(&shared_events, (uint64_t)(uintptr_t)handle) != NULL;
}

uint32_t cuda_note_lane(const void *handle) {
    order_note(handle);
    return is_shared(handle) ? OB_ANSWER : 0;
}
