/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between the program and arrays: an array has no addresses, so its boxes travel as packed
 * rows, as many in a call as fit.
 */
#include "copy/copy.h"

#include <stdlib.h>

/* A piece of a copy: the part of the box that goes in one call, in bytes, rows and layers. */
typedef struct piece {
    uint64_t x, y, z, width, height, depth;
} piece;

static uint64_t least(uint64_t one, uint64_t other) { return one < other ? one : other; }

/* The piece that begins there: several layers only if all of them go whole, several rows likewise.
 */
static piece piece_at(const CUDA_MEMCPY3D *box, uint64_t x, uint64_t y, uint64_t z) {
    piece p = {x, y, z, least(box->width - x, OB_CHUNK), 1, 1};
    if (box->width <= OB_CHUNK)
        p.height = least(box->height - y, OB_CHUNK / box->width);
    if (p.width == box->width && p.height == box->height)
        p.depth = least(box->depth - z, OB_CHUNK / (box->width * box->height));
    return p;
}

/* The piece behind one; false if that was the last. */
static bool advance(const CUDA_MEMCPY3D *box, piece *p) {
    uint64_t x = p->x + p->width, y = p->y, z = p->z;
    if (x == box->width) {
        x = 0;
        y += p->height;
    }
    if (y == box->height) {
        y = 0;
        z += p->depth;
    }
    if (z == box->depth)
        return false;
    *p = piece_at(box, x, y, z);
    return true;
}

static uint8_t *row(const box_side *host, const piece *p, uint64_t y, uint64_t z) {
    uint64_t rows = (host->z + p->z + z) * host->height + host->y + p->y + y;
    uintptr_t base = host->type == MEMORY_HOST ? (uintptr_t)host->host : (uintptr_t)host->device;
    return (uint8_t *)(base + rows * host->pitch + host->x + p->x);
}

static CUresult write_piece(const box_side *from, const box_side *to, const piece *p,
                            uint8_t *packed, CUstream stream, uint32_t flags) {
    uint8_t *at = packed;
    for (uint64_t z = 0; z < p->depth; z++)
        for (uint64_t y = 0; y < p->height; y++, at += p->width)
            memcpy(at, row(from, p, y, z), p->width);
    return remote_outboardArrayWrite(to->array, to->x + p->x, to->y + p->y, to->z + p->z, p->width,
                                     p->height, p->depth, packed, p->width * p->height * p->depth,
                                     stream, flags);
}

static CUresult read_piece(const box_side *from, const box_side *to, const piece *p,
                           uint8_t *packed, CUstream stream, uint32_t flags) {
    CUresult result = remote_outboardArrayRead(packed, p->width * p->height * p->depth, from->array,
                                               from->x + p->x, from->y + p->y, from->z + p->z,
                                               p->width, p->height, p->depth, stream, flags);
    const uint8_t *at = packed;
    for (uint64_t z = 0; z < p->depth && result == CUDA_SUCCESS; z++)
        for (uint64_t y = 0; y < p->height; y++, at += p->width)
            memcpy(row(to, p, y, z), at, p->width);
    return result;
}

/* Packed rows have no pitch that could be wrong. */
static box_side tight(const box_side *host, const CUDA_MEMCPY3D *box) {
    box_side side = *host;
    if (box->height == 1 && side.pitch == 0)
        side.pitch = box->width;
    return side;
}

CUresult array_copy(const CUDA_MEMCPY3D *box, const box_side *from, const box_side *to,
                    CUstream stream, uint32_t flags) {
    bool up = to->type == MEMORY_ARRAY;
    box_side host = tight(up ? from : to, box);
    piece p = piece_at(box, 0, 0, 0);
    CUresult result = row(&host, &p, 0, 0) == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS && up)
        result = transfer_settle(row(&host, &p, 0, 0), stream, flags);
    if (result != CUDA_SUCCESS)
        return result;
    uint8_t *packed = malloc(p.width * p.height * p.depth);
    if (packed == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    do
        result = up ? write_piece(&host, to, &p, packed, stream, flags)
                    : read_piece(from, &host, &p, packed, stream, flags);
    while (result == CUDA_SUCCESS && advance(box, &p));
    free(packed);
    return result;
}

/* ---- rows of arrays -------------------------------------------------------------------------- */

/* Bytes of a component, by CUarray_format; 0 of those that are no single numbers. */
static uint64_t component(uint32_t format) {
    switch (format) {
    case 0x01: case 0x08: return 1;
    case 0x02: case 0x09: case 0x10: return 2;
    case 0x03: case 0x0a: case 0x20: return 4;
    default: return 0;
    }
}

/* Of the array that the thread asked about last: it does not change, and no other array gets its
 * handle. */
static _Thread_local struct {
    CUarray array;
    uint64_t bytes;
} latest_row;

/* The bytes of a row of an array; 0 where that is no size. */
static CUresult row_bytes(CUarray array, uint64_t *bytes) {
    CUDA_ARRAY3D_DESCRIPTOR known;
    CUresult result = CUDA_SUCCESS;
    if (array == NULL || latest_row.array != array) {
        result = remote_cuArray3DGetDescriptor_v2(&known, array, 0);
        if (result != CUDA_SUCCESS)
            return result;
        latest_row.array = array;
        latest_row.bytes = known.width * component(known.format) * known.channels;
    }
    *bytes = latest_row.bytes;
    return result;
}

/* Whether the array has such a row: no more than that is read from the program. */
static CUresult holds(CUarray array, uint64_t offset, const void *source, uint64_t bytes) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS || bytes == 0)
        return result;
    uint64_t row;
    result = source == NULL ? CUDA_ERROR_INVALID_VALUE : row_bytes(array, &row);
    if (result != CUDA_SUCCESS)
        return result;
    return row == 0 || (offset <= row && bytes <= row - offset) ? CUDA_SUCCESS
                                                                : CUDA_ERROR_INVALID_VALUE;
}

static CUresult write_row(CUarray array, size_t offset, const void *source, size_t bytes,
                          CUstream stream, uint32_t flags) {
    CUDA_MEMCPY3D box = {.sourceType = MEMORY_HOST,
                         .sourceHost = (uintptr_t)source,
                         .sourcePitch = bytes,
                         .destinationX = offset,
                         .destinationType = MEMORY_ARRAY,
                         .destinationArray = array,
                         .width = bytes,
                         .height = 1,
                         .depth = 1};
    CUresult result = holds(array, offset, source, bytes);
    return result == CUDA_SUCCESS ? box_copy(&box, stream, flags) : result;
}

static CUresult read_row(void *destination, CUarray array, size_t offset, size_t bytes,
                         CUstream stream, uint32_t flags) {
    CUDA_MEMCPY3D box = {.sourceX = offset,
                         .sourceType = MEMORY_ARRAY,
                         .sourceArray = array,
                         .destinationType = MEMORY_HOST,
                         .destinationHost = (uintptr_t)destination,
                         .destinationPitch = bytes,
                         .width = bytes,
                         .height = 1,
                         .depth = 1};
    return destination == NULL && bytes > 0 ? CUDA_ERROR_INVALID_VALUE
                                            : box_copy(&box, stream, flags);
}

static CUresult write_now(CUarray array, size_t offset, const void *source, size_t bytes,
                          uint32_t flags) {
    CUresult result = holds(array, offset, source, bytes);
    return result == CUDA_SUCCESS ? remote_cuMemcpyHtoA_v2(array, offset, source, bytes, flags)
                                  : result;
}

CUresult cuMemcpyHtoA_v2(CUarray array, size_t offset, const void *source, size_t bytes) {
    return write_now(array, offset, source, bytes, 0);
}

CUresult cuMemcpyHtoA_v2_ptds(CUarray array, size_t offset, const void *source, size_t bytes) {
    return write_now(array, offset, source, bytes, OB_PER_THREAD);
}

CUresult cuMemcpyHtoAAsync_v2(CUarray array, size_t offset, const void *source, size_t bytes,
                              CUstream stream) {
    return write_row(array, offset, source, bytes, stream, 0);
}

CUresult cuMemcpyHtoAAsync_v2_ptsz(CUarray array, size_t offset, const void *source, size_t bytes,
                                   CUstream stream) {
    return write_row(array, offset, source, bytes, stream, OB_PER_THREAD);
}

CUresult cuMemcpyAtoHAsync_v2(void *destination, CUarray array, size_t offset, size_t bytes,
                              CUstream stream) {
    return read_row(destination, array, offset, bytes, stream, 0);
}

CUresult cuMemcpyAtoHAsync_v2_ptsz(void *destination, CUarray array, size_t offset, size_t bytes,
                                   CUstream stream) {
    return read_row(destination, array, offset, bytes, stream, OB_PER_THREAD);
}
