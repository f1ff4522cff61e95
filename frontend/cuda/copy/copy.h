/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills: lines, rectangles and boxes, between memory of any kind.
 */
#ifndef OUTBOARD_CUDA_COPY_H
#define OUTBOARD_CUDA_COPY_H

#include "graph/graph.h"

#pragma GCC visibility push(hidden)

/* ---- copy2d.c -------------------------------------------------------------------------------- */

/* One side of CUDA_MEMCPY2D. */
typedef struct flat_side {
    uint64_t x, y;
    int type;
    const void *host;
    CUdeviceptr device;
    void *array;
    uint64_t pitch;
} flat_side;

/* CUDA_MEMCPY2D */
typedef struct flat_copy {
    flat_side source, destination;
    uint64_t width, height;
} flat_copy;

/* ---- copy3d.c -------------------------------------------------------------------------------- */

CUresult box_copy(const CUDA_MEMCPY3D *box, CUstream stream, uint32_t flags);

/* ---- array.c --------------------------------------------------------------------------------- */

/* A copy between an array and memory of the program. */
CUresult array_copy(const CUDA_MEMCPY3D *box, const box_side *from, const box_side *to,
                    CUstream stream, uint32_t flags);

/* ---- transfer.c: copies between program and device ------------------------------------------- */

typedef struct transfer {
    CUdeviceptr device;
    void *host;                 /* that of one to a device is only read */
    uint64_t bytes;
    CUstream stream;
    uint32_t flags;
    memory_kind there, here;    /* what the memory at device and host is */
} transfer;

/* One whose memory is looked at now. */
transfer transfer_of(CUdeviceptr device, const void *host, uint64_t bytes, CUstream stream,
                     uint32_t flags);
CUresult transfer_up(const transfer *t);
CUresult transfer_down(const transfer *t);
/* They may return before the copy is done: where the memory is shared. */
CUresult transfer_up_later(const transfer *t);
CUresult transfer_down_later(const transfer *t);
/* Waits for what the stream may still write to memory that is about to be read here. */
CUresult transfer_settle(const void *from, CUstream stream, uint32_t flags);

#pragma GCC visibility pop

#endif
