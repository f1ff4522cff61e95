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
    case OB_ENTRY_LEGACY: return capture_prohibits_legacy();
    default: return CUDA_SUCCESS;
    }
}

int32_t cuda_older(void) {
    return context_is_older(context_current()) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult without_context(uint32_t need) {
    if (need < OB_ENTRY_CONTEXT)
        return CUDA_SUCCESS;
    if (context_current() == NULL)
        return CUDA_ERROR_INVALID_CONTEXT;
    return need == OB_ENTRY_OLDER ? cuda_older() : CUDA_SUCCESS;
}

/* A context that is current and not there is looked at where one is needed, and where its lasting
 * error is. */
static CUresult without_usable(uint32_t entry, uint32_t unusual) {
    CUcontext current = context_current();
    bool looks = (entry & OB_ENTRY_NEED) >= OB_ENTRY_CONTEXT || entry & OB_ENTRY_LOST;
    return unusual & UNUSUAL_CONTEXTS && looks && current != NULL ? context_usable(current)
                                                                  : CUDA_SUCCESS;
}

/* The default streams are those of the current context; and the legacy one, which waits for streams
 * that block, does so for none that captures. */
static CUresult without_stream(uint32_t entry, const void *stream, uint32_t unusual) {
    enum { LEGACY = 1, THREADS_OWN = 2 };
    uintptr_t named = (uintptr_t)stream;
    if (entry & OB_ENTRY_WORK && unusual & UNUSUAL_CAPTURES &&
        capture_has_failed((CUstream)(uintptr_t)stream))
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if ((entry & OB_ENTRY_STREAMED) == 0 || named > THREADS_OWN)
        return CUDA_SUCCESS;
    if (context_current() == NULL)
        return CUDA_ERROR_INVALID_CONTEXT;
    return unusual & UNUSUAL_CAPTURES && named <= LEGACY ? capture_prohibits_legacy()
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
    if (unusual == 0) {
        CUresult missing = without_stream(entry, stream, unusual);
        return missing != CUDA_SUCCESS ? missing : without_context(need);
    }
    if (unusual & UNUSUAL_END)
        return (entry & OB_ENTRY_CAPTURE) == OB_ENTRY_ENDING ? CUDA_SUCCESS
                                                            : CUDA_ERROR_DEINITIALIZED;
    if (ob_forked())
        return need != 0 ? guarded(need, CUDA_ERROR_NOT_INITIALIZED) : CUDA_SUCCESS;
    if (unusual & UNUSUAL_BEFORE)
        return (int32_t)(entry & OB_ENTRY_BEFORE);
    if (need != 0 && unusual & UNUSUAL_CALLBACKS && ob_callback_runs_here())
        return guarded(need, CUDA_ERROR_NOT_PERMITTED);
    if (unusual & UNUSUAL_KEPT && entry & OB_ENTRY_KEPT)
        unusual_give_back();
    CUresult result = without_stream(entry, stream, unusual);
    if (result == CUDA_SUCCESS)
        result = without_usable(entry, unusual);
    if (result == CUDA_SUCCESS && entry & OB_ENTRY_LOST && unusual & OB_UNUSUAL_LOST)
        result = lost();
    if (result == CUDA_SUCCESS && need >= OB_ENTRY_CONTEXT && context_current() == NULL)
        result = CUDA_ERROR_INVALID_CONTEXT;
    if (result == CUDA_SUCCESS && unusual & UNUSUAL_CAPTURES)
        result = prohibited(entry, (CUstream)(uintptr_t)stream);
    return result != CUDA_SUCCESS ? result : without_context(need);
}
