/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies in one dimension whose direction is found out from the addresses, and copies to the device in stream order.
 */
#include "driver.h"

static bool on_device(uint64_t address) {
    range known;
    return range_find(&device_ranges, address, &known);
}

static void *host(CUdeviceptr address) { return (void *)(uintptr_t)address; }

/* Inside the program: behind the stream's earlier work, which may write there. */
static CUresult copy_here(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream, uint32_t flags) {
    CUresult result = remote_cuStreamSynchronize(stream, flags);
    if (result == CUDA_SUCCESS)
        memmove(host(destination), host(source), bytes);
    return result;
}

static CUresult copy(CUdeviceptr destination, CUdeviceptr source, size_t bytes, uint32_t flags) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS || bytes == 0)
        return result;
    if (on_device(destination))
        return on_device(source) ? remote_cuMemcpyDtoD_v2(destination, source, bytes, flags)
                                 : remote_cuMemcpyHtoD_v2(destination, host(source), bytes, flags);
    return on_device(source) ? remote_cuMemcpyDtoH_v2(host(destination), source, bytes, flags)
                             : copy_here(destination, source, bytes, NULL, flags);
}

CUresult cuMemcpy(CUdeviceptr destination, CUdeviceptr source, size_t bytes) { return copy(destination, source, bytes, 0); }
CUresult cuMemcpy_ptds(CUdeviceptr destination, CUdeviceptr source, size_t bytes) { return copy(destination, source, bytes, OB_PER_THREAD); }

/* The source is read now. What the stream still writes there has to be done before: copies from the device have arrived when
 * they return, so only functions of the program are left. */
static CUresult upload(CUdeviceptr destination, const void *source, uint64_t bytes, CUstream stream, uint32_t flags) {
    CUresult result = host_functions_settle(stream, flags);
    return result != CUDA_SUCCESS ? result : remote_cuMemcpyHtoDAsync_v2(destination, source, bytes, stream, flags);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr destination, const void *source, uint64_t bytes, CUstream stream) {
    return upload(destination, source, bytes, stream, 0);
}

CUresult cuMemcpyHtoDAsync_v2_ptsz(CUdeviceptr destination, const void *source, uint64_t bytes, CUstream stream) {
    return upload(destination, source, bytes, stream, OB_PER_THREAD);
}

static CUresult copy_async(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream, uint32_t flags) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS || bytes == 0)
        return result;
    if (on_device(destination))
        return on_device(source) ? remote_cuMemcpyDtoDAsync_v2(destination, source, bytes, stream, flags)
                                 : upload(destination, host(source), bytes, stream, flags);
    return on_device(source) ? remote_cuMemcpyDtoHAsync_v2(host(destination), source, bytes, stream, flags)
                             : copy_here(destination, source, bytes, stream, flags);
}

CUresult cuMemcpyAsync(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream) {
    return copy_async(destination, source, bytes, stream, 0);
}

CUresult cuMemcpyAsync_ptsz(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream) {
    return copy_async(destination, source, bytes, stream, OB_PER_THREAD);
}
