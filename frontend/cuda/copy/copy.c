/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies in one dimension; of some the direction is found out from the addresses.
 */
#include "copy/copy.h"

static bool on_device(uint64_t address) {
    range known;
    return range_find(&device_ranges, address, &known);
}

static void *host(CUdeviceptr address) { return (void *)(uintptr_t)address; }

/* The backend refuses a copy that leaves the device's memory. One of many pages is refused here,
 * before the program's memory is touched, which need not be that long. */
static bool leaves_memory(CUdeviceptr address, uint64_t bytes) {
    enum { CHECKED = 64 << 10 };
    return bytes > CHECKED && range_ends_within(&device_ranges, address, bytes);
}

/* Inside the program: behind the stream's earlier work, which may write there. */
static CUresult copy_here(CUdeviceptr destination, CUdeviceptr source, size_t bytes,
                          CUstream stream, uint32_t flags) {
    CUresult result = remote_cuStreamSynchronize(stream, flags);
    if (result == CUDA_SUCCESS)
        memmove(host(destination), host(source), bytes);
    return result;
}

static CUresult copy(CUdeviceptr destination, CUdeviceptr source, size_t bytes, uint32_t flags) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS || bytes == 0)
        return result;
    if (leaves_memory(destination, bytes) || leaves_memory(source, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (on_device(destination))
        return on_device(source)
                   ? remote_cuMemcpyDtoDAsync_v2(destination, source, bytes, NULL, flags)
                   : transfer_up(destination, host(source), bytes, NULL, flags);
    return on_device(source) ? transfer_down(host(destination), source, bytes, NULL, flags)
                             : copy_here(destination, source, bytes, NULL, flags);
}

CUresult cuMemcpy(CUdeviceptr destination, CUdeviceptr source, size_t bytes) {
    return copy(destination, source, bytes, 0);
}
CUresult cuMemcpy_ptds(CUdeviceptr destination, CUdeviceptr source, size_t bytes) {
    return copy(destination, source, bytes, OB_PER_THREAD);
}

/* ---- for generated symbols ------------------------------------------------------------------- */

int32_t cuda_copy_up(CUdeviceptr to, const void *from, uint64_t bytes, const void *stream,
                     bool later, uint32_t flags) {
    CUstream in = (CUstream)(uintptr_t)stream;
    if (leaves_memory(to, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    flags |= cuda_order(stream);
    if (from != NULL && host_is_private(to, bytes))
        return copy_here(to, (CUdeviceptr)(uintptr_t)from, bytes, in, flags);
    return (later ? transfer_up_later : transfer_up)(to, from, bytes, in, flags);
}

int32_t cuda_copy_down(void *to, CUdeviceptr from, uint64_t bytes, const void *stream, bool later,
                       uint32_t flags) {
    CUstream in = (CUstream)(uintptr_t)stream;
    if (leaves_memory(from, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    flags |= cuda_order(stream);
    if (to != NULL && host_is_private(from, bytes))
        return copy_here((CUdeviceptr)(uintptr_t)to, from, bytes, in, flags);
    return (later ? transfer_down_later : transfer_down)(to, from, bytes, in, flags);
}

/* ---- in the order of a stream ---------------------------------------------------------------- */

static CUresult copy_async(CUdeviceptr destination, CUdeviceptr source, size_t bytes,
                           CUstream stream, uint32_t flags) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS || bytes == 0)
        return result;
    if (leaves_memory(destination, bytes) || leaves_memory(source, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    flags |= cuda_order(stream);
    if (on_device(destination))
        return on_device(source)
                   ? remote_cuMemcpyDtoDAsync_v2(destination, source, bytes, stream, flags)
                   : transfer_up_later(destination, host(source), bytes, stream, flags);
    return on_device(source) ? transfer_down_later(host(destination), source, bytes, stream, flags)
                             : copy_here(destination, source, bytes, stream, flags);
}

CUresult cuMemcpyAsync(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream) {
    return copy_async(destination, source, bytes, stream, 0);
}

CUresult cuMemcpyAsync_ptsz(CUdeviceptr destination, CUdeviceptr source, size_t bytes,
                            CUstream stream) {
    return copy_async(destination, source, bytes, stream, OB_PER_THREAD);
}
