/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills in one dimension. A device fills page-locked memory too; where the backend has none of it the program does that itself,
 * behind the stream's earlier work.
 */
#include "copy/copy.h"

typedef struct fill {
    CUdeviceptr to;
    uint64_t count, width;
    const void *value;
} fill;

static bool is_here(const fill *f) { return f->count <= UINT64_MAX / f->width && host_keeps(f->to, f->count * f->width); }

static CUresult fill_here(const fill *f, CUstream stream, uint32_t flags) {
    if (f->to % f->width != 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = remote_cuStreamSynchronize(stream, flags);
    uint8_t *to = (uint8_t *)(uintptr_t)f->to;
    for (uint64_t i = 0; result == CUDA_SUCCESS && i < f->count; i++)
        memcpy(to + i * f->width, f->value, f->width);
    return result;
}

#define FILLS(NAME, VALUE)                                                                                              \
    static CUresult NAME##_in_order(CUdeviceptr to, VALUE value, uint64_t count, CUstream stream, uint32_t flags) {       \
        fill f = {to, count, sizeof value, &value};                                                                       \
        return is_here(&f) ? fill_here(&f, stream, flags) : remote_##NAME##Async(to, value, count, stream, flags);        \
    }                                                                                                                     \
    CUresult NAME##Async(CUdeviceptr to, VALUE value, uint64_t count, CUstream stream) {                                  \
        return NAME##_in_order(to, value, count, stream, 0);                                                              \
    }                                                                                                                     \
    CUresult NAME##Async_ptsz(CUdeviceptr to, VALUE value, uint64_t count, CUstream stream) {                             \
        return NAME##_in_order(to, value, count, stream, OB_PER_THREAD);                                                  \
    }                                                                                                                     \
    CUresult NAME##_v2_ptds(CUdeviceptr to, VALUE value, uint64_t count) {                                                \
        return NAME##_in_order(to, value, count, NULL, OB_PER_THREAD);                                                    \
    }                                                                                                                     \
    CUresult NAME##_v2(CUdeviceptr to, VALUE value, uint64_t count) {                                                     \
        fill f = {to, count, sizeof value, &value};                                                                       \
        return is_here(&f) ? fill_here(&f, NULL, 0) : remote_##NAME##_v2(to, value, count, 0);                            \
    }

FILLS(cuMemsetD8, unsigned char)
FILLS(cuMemsetD16, unsigned short)
FILLS(cuMemsetD32, int)
