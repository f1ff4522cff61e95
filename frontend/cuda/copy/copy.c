/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies in one dimension; of some the direction is found out from the addresses.
 */
#include "copy/copy.h"

static void *host(CUdeviceptr address) { return (void *)(uintptr_t)address; }

/* The backend refuses a copy that leaves the device's memory. One of many pages is refused here,
 * before the program's memory is touched, which need not be that long. */
static bool leaves_memory(const memory_kind *kind, uint64_t bytes) {
    enum { CHECKED = 64 << 10 };
    return bytes > CHECKED && kind->ends;
}

/* Inside the program: behind the stream's earlier work, which may write there. */
static CUresult copy_here(CUdeviceptr destination, CUdeviceptr source, size_t bytes,
                          CUstream stream, uint32_t flags) {
    CUresult result = remote_cuStreamSynchronize(stream, flags);
    if (result == CUDA_SUCCESS)
        memmove(host(destination), host(source), bytes);
    return result;
}

/* The ways of a copy between program and device. */
typedef CUresult transfer_way(const transfer *);

/* In whichever direction the addresses say. */
static CUresult copy(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream,
                     uint32_t flags, transfer_way *up, transfer_way *down) {
    memory_kind to = memory_ask(destination, bytes), from = memory_ask(source, bytes);
    if (leaves_memory(&to, bytes) || leaves_memory(&from, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (to.of_device && from.of_device)
        return remote_cuMemcpyDtoDAsync_v2(destination, source, bytes, stream,
                                           flags | (to.whole && from.whole ? 0 : OB_ANSWER));
    if (to.of_device)
        return up(&(transfer){destination, host(source), bytes, stream, flags, to, from});
    if (from.of_device)
        return down(&(transfer){source, host(destination), bytes, stream, flags, from, to});
    return copy_here(destination, source, bytes, stream, flags);
}

static CUresult copy_now(CUdeviceptr destination, CUdeviceptr source, size_t bytes,
                         uint32_t flags) {
    CUresult result = context_ready();
    return result != CUDA_SUCCESS || bytes == 0
               ? result
               : copy(destination, source, bytes, NULL, flags, transfer_up, transfer_down);
}

CUresult cuMemcpy(CUdeviceptr destination, CUdeviceptr source, size_t bytes) {
    return copy_now(destination, source, bytes, 0);
}
CUresult cuMemcpy_ptds(CUdeviceptr destination, CUdeviceptr source, size_t bytes) {
    return copy_now(destination, source, bytes, OB_PER_THREAD);
}

/* ---- for generated symbols ------------------------------------------------------------------- */

int32_t cuda_copy_up(CUdeviceptr to, const void *from, uint64_t bytes, const void *stream,
                     bool later, uint32_t flags) {
    CUstream in = (CUstream)(uintptr_t)stream;
    transfer t = transfer_of(to, from, bytes, in, flags);
    if (leaves_memory(&t.there, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    t.flags |= cuda_order(stream);
    if (from != NULL && t.there.kept)
        return copy_here(to, (CUdeviceptr)(uintptr_t)from, bytes, in, t.flags);
    return (later ? transfer_up_later : transfer_up)(&t);
}

int32_t cuda_copy_down(void *to, CUdeviceptr from, uint64_t bytes, const void *stream, bool later,
                       uint32_t flags) {
    CUstream in = (CUstream)(uintptr_t)stream;
    transfer t = transfer_of(from, to, bytes, in, flags);
    if (leaves_memory(&t.there, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    t.flags |= cuda_order(stream);
    if (to != NULL && t.there.kept)
        return copy_here((CUdeviceptr)(uintptr_t)to, from, bytes, in, t.flags);
    return (later ? transfer_down_later : transfer_down)(&t);
}

/* ---- in the order of a stream ---------------------------------------------------------------- */

static CUresult copy_async(CUdeviceptr destination, CUdeviceptr source, size_t bytes,
                           CUstream stream, uint32_t flags) {
    CUresult result = context_ready();
    return result != CUDA_SUCCESS || bytes == 0
               ? result
               : copy(destination, source, bytes, stream, flags | cuda_order(stream),
                      transfer_up_later, transfer_down_later);
}

CUresult cuMemcpyAsync(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream) {
    return copy_async(destination, source, bytes, stream, 0);
}

CUresult cuMemcpyAsync_ptsz(CUdeviceptr destination, CUdeviceptr source, size_t bytes,
                            CUstream stream) {
    return copy_async(destination, source, bytes, stream, OB_PER_THREAD);
}
