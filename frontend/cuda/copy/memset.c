/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills in one dimension. A device fills page-locked memory too; where the backend has none of it
 * the program does that itself, behind the stream's earlier work. The forms without a stream return
 * before the fill is done, but not where the program would see that (CUDA's "API synchronization
 * behavior": asynchronous "except when the target memory is pinned host memory").
 */
#include "copy/copy.h"

static bool is_here(CUdeviceptr to, uint64_t width, uint64_t count) {
    return count <= UINT64_MAX / width && host_is_private(to, count * width);
}

static CUresult fill_here(CUdeviceptr to, const void *value, uint64_t width, uint64_t count,
                          CUstream stream, uint32_t flags) {
    if (to % width != 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = remote_cuStreamSynchronize(stream, flags);
    uint8_t *bytes = (uint8_t *)(uintptr_t)to;
    for (uint64_t i = 0; result == CUDA_SUCCESS && i < count; i++)
        memcpy(bytes + i * width, value, width);
    return result;
}

bool cuda_fill(CUdeviceptr to, const void *value, uint64_t width, uint64_t count,
               const void *stream, uint32_t flags, int32_t *result) {
    bool here = is_here(to, width, count);
    if (here)
        *result = fill_here(to, value, width, count, (CUstream)(uintptr_t)stream, flags);
    return here;
}

CUresult cuda_filled(CUdeviceptr to, uint64_t bytes, uint32_t flags) {
    return memory_ask(to, bytes).watched ? remote_cuStreamSynchronize(NULL, flags) : CUDA_SUCCESS;
}
