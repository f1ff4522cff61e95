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
        unusual & UNUSUAL_CAPTURES ? prohibited(entry, (CUstream)(uintptr_t)stream) : CUDA_SUCCESS;
    return result != CUDA_SUCCESS ? result : without_context(need);
}
