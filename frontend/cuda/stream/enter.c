/* SPDX-License-Identifier: Apache-2.0
 *
 * What hinders a call, whatever its arguments are: what a driver looks at first, in its order.
 * Which function needs what stands in cuda/entries.tsv.
 */
#include "stream/stream.h"

/* It needs an initialised driver, and is called in a forked child or by a stream. */
static CUresult guarded(uint32_t need, CUresult result) {
    return need == OB_ENTRY_QUIET ? CUDA_ERROR_INVALID_VALUE : result;
}

static CUresult prohibited(uint32_t entry, CUstream stream) {
    switch (entry & OB_ENTRY_CAPTURE) {
    case OB_ENTRY_UNSAFE: return capture_prohibits_unsafe();
    case OB_ENTRY_ELSEWHERE: return capture_prohibits_elsewhere(stream);
    case OB_ENTRY_STREAM: return capture_prohibits_in(stream);
    case OB_ENTRY_BOTH: {
        CUresult result = capture_prohibits_unsafe();
        return result != CUDA_SUCCESS ? result : capture_prohibits_in(stream);
    }
    case OB_ENTRY_WAITING: return capture_prohibits_waiting();
    default: return CUDA_SUCCESS;
    }
}

static CUresult without_context(uint32_t need) {
    if (need < OB_ENTRY_CONTEXT)
        return CUDA_SUCCESS;
    CUcontext current = context_current();
    return current == NULL || (need == OB_ENTRY_OLDER && !context_is_older(current))
               ? CUDA_ERROR_INVALID_CONTEXT
               : CUDA_SUCCESS;
}

/* The current context's lasting error, which the backend knows. */
static CUresult lost(void) {
    CUcontext current = context_current();
    uint64_t unused;
    if (current == NULL || !ob_lane_lost(context_lane(current)))
        return CUDA_SUCCESS;
    context_show_lane();
    CUresult result = remote_cuCtxGetLimit(&unused, 0, OB_ANSWER);
    if (result == CUDA_SUCCESS)
        ob_lane_found(context_lane(current));
    return ob_lane_lost(context_lane(current)) ? result : CUDA_SUCCESS;
}

int32_t cuda_enter(uint32_t entry, const void *stream) {
    uint32_t need = entry & OB_ENTRY_NEED;
    uint32_t unusual = atomic_load_explicit(&cuda_unusual, memory_order_relaxed);
    if (unusual == 0)
        return without_context(need);
    if (unusual & UNUSUAL_END)
        return (entry & OB_ENTRY_CAPTURE) == OB_ENTRY_ENDING ? CUDA_SUCCESS
                                                            : CUDA_ERROR_DEINITIALIZED;
    if (ob_forked())
        return need != 0 ? guarded(need, CUDA_ERROR_NOT_INITIALIZED) : CUDA_SUCCESS;
    if (unusual & UNUSUAL_BEFORE)
        return (int32_t)(entry & OB_ENTRY_BEFORE);
    if (need != 0 && unusual & UNUSUAL_CALLBACKS && ob_callback_runs_here())
        return guarded(need, CUDA_ERROR_NOT_PERMITTED);
    CUresult result =
        entry & OB_ENTRY_LOST && unusual & OB_UNUSUAL_LOST ? lost() : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS && unusual & UNUSUAL_CAPTURES)
        result = prohibited(entry, (CUstream)(uintptr_t)stream);
    return result != CUDA_SUCCESS ? result : without_context(need);
}
