/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about streams that are answered here. Nobody captures as long as graphs are not implemented: starting a
 * capture is refused.
 */
#include "driver.h"

enum { CAPTURE_NONE = 0 };      /* CUstreamCaptureStatus */
enum { CAPTURE_MODES = 3 };     /* CUstreamCaptureMode: global, thread-local, relaxed */

static bool is_stream(CUstream stream) {
    uint64_t handle = (uint64_t)(uintptr_t)stream;
    return handle <= 2 || ob_handle_plausible(handle, 1u << OB_CUDA_STREAM);
}

CUresult cuStreamIsCapturing(CUstream stream, int *status) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (status == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_stream(stream))
        return CUDA_ERROR_INVALID_HANDLE;
    *status = CAPTURE_NONE;
    return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing_ptsz(CUstream stream, int *status) { return cuStreamIsCapturing(stream, status); }

/* Where nobody captures, only the status is written. */
CUresult cuStreamGetCaptureInfo(CUstream stream, int *status, unsigned long long *id) {
    (void)id;
    return cuStreamIsCapturing(stream, status);
}

CUresult cuStreamGetCaptureInfo_ptsz(CUstream stream, int *status, unsigned long long *id) { return cuStreamGetCaptureInfo(stream, status, id); }

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, int *status, unsigned long long *id, void **graph, const void **dependencies, size_t *count) {
    (void)graph, (void)dependencies, (void)count;
    return cuStreamGetCaptureInfo(stream, status, id);
}

CUresult cuStreamGetCaptureInfo_v2_ptsz(CUstream stream, int *status, unsigned long long *id, void **graph, const void **dependencies, size_t *count) {
    return cuStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, int *status, unsigned long long *id, void **graph, const void **dependencies, const void **edges, size_t *count) {
    (void)edges;
    return cuStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}

CUresult cuStreamGetCaptureInfo_v3_ptsz(CUstream stream, int *status, unsigned long long *id, void **graph, const void **dependencies, const void **edges, size_t *count) {
    return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}

CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
    static _Thread_local int mine;
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (mode == NULL || *mode < 0 || *mode >= CAPTURE_MODES)
        return CUDA_ERROR_INVALID_VALUE;
    int before = mine;
    mine = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}

static CUresult context_of(CUstream stream, CUcontext *context, void **green_context, uint32_t flags) {
    CUresult result = context == NULL ? CUDA_ERROR_INVALID_VALUE : remote_cuStreamGetCtx(stream, context, flags);
    if (result == CUDA_SUCCESS && green_context != NULL)
        *green_context = NULL;
    return result;
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, void **green_context) { return context_of(stream, context, green_context, 0); }
CUresult cuStreamGetCtx_v2_ptsz(CUstream stream, CUcontext *context, void **green_context) { return context_of(stream, context, green_context, OB_PER_THREAD); }
