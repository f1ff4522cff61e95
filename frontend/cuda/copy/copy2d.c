/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of rectangles (CUDA_MEMCPY2D). Inside the device they travel as one call; between program
 * and device as rows, of which as many go together as lie close enough.
 */
#include "copy/copy.h"

#include <stdlib.h>

/* Reading what lies between two rows costs less than one more round trip, up to so many bytes. */
enum { CLOSE = 64 << 10 };

/* So many bytes of rows go in one call: as many as a driver takes at once. */
enum { TAKEN = 64 << 10 };

_Static_assert(sizeof(flat_copy) == 128, "the vendor's layout");

/* One side of a copy, its corner worked out. */
typedef struct corner {
    uint64_t address;
    uint64_t pitch;
    bool on_device;
} corner;

static CUresult find_corner(const flat_side *from, uint64_t width, uint64_t height, corner *to) {
    if (from->type < MEMORY_HOST || from->type > MEMORY_UNIFIED ||
        (height > 1 && from->pitch < width + from->x))
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t base = from->type == MEMORY_HOST ? (uint64_t)(uintptr_t)from->host : from->device;
    to->on_device = !is_host_side(from->type, base);
    to->pitch = from->pitch != 0 ? from->pitch : width;
    to->address = base + from->y * from->pitch + from->x;
    return base != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static uint8_t *row(const corner *c, uint64_t at) {
    return (uint8_t *)(uintptr_t)(c->address + at * c->pitch);
}

static bool is_one_piece(const corner *from, const corner *to, uint64_t width, uint64_t height) {
    return height == 1 || (from->pitch == width && to->pitch == width);
}

/* Memory that may not be a device's is an error at once, and so that copy waits for its answer. */
static uint32_t doubt(const corner *of, uint64_t width, uint64_t height) {
    return cuda_doubt(of->address, of->pitch * (height - 1) + width);
}

/* ---- program to device ----------------------------------------------------------------------- */

/* Rows that touch on the device are one run of bytes. */
static CUresult send_packed(const corner *to, uint64_t at, const uint8_t *packed, uint64_t width,
                            uint64_t rows, CUstream stream, uint32_t flags) {
    CUdeviceptr first = to->address + at * to->pitch;
    if (to->pitch == width)
        return remote_cuMemcpyHtoDAsync_v2(first, packed, rows * width, stream, flags);
    return remote_outboardRowsWrite(first, to->pitch, width, rows, packed, rows * width, stream,
                                    flags);
}

/* As many rows in a call as have room. */
static CUresult upload_packed(const corner *from, const corner *to, uint64_t width, uint64_t height,
                              uint64_t room, CUstream stream, uint32_t flags) {
    uint64_t rows = room / width < height ? room / width : height;
    uint8_t *packed = malloc(rows * width);
    CUresult result = packed != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    for (uint64_t at = 0; at < height && result == CUDA_SUCCESS; at += rows) {
        uint64_t now = height - at < rows ? height - at : rows;
        for (uint64_t i = 0; i < now; i++)
            memcpy(packed + i * width, row(from, at + i), width);
        result = send_packed(to, at, packed, width, now, stream, flags);
    }
    free(packed);
    return result;
}

static CUresult upload_rows(const corner *from, const corner *to, uint64_t width, uint64_t height,
                            CUstream stream, uint32_t flags) {
    CUresult result = CUDA_SUCCESS;
    for (uint64_t at = 0; at < height && result == CUDA_SUCCESS; at++)
        result = remote_cuMemcpyHtoDAsync_v2(to->address + at * to->pitch, row(from, at), width,
                                             stream, flags);
    return result;
}

static CUresult upload(const corner *from, const corner *to, uint64_t width, uint64_t height,
                       CUstream stream, uint32_t flags) {
    if (is_one_piece(from, to, width, height)) {
        transfer t = transfer_of(to->address, row(from, 0), width * height, stream, flags);
        return transfer_up_later(&t);
    }
    CUresult result = transfer_settle(row(from, 0), stream, flags);
    if (result != CUDA_SUCCESS)
        return result;
    flags |= doubt(to, width, height);
    if (to->pitch == width && width <= OB_CHUNK)
        return upload_packed(from, to, width, height, OB_CHUNK, stream, flags);
    if (width <= TAKEN / 2)
        return upload_packed(from, to, width, height, TAKEN, stream, flags);
    return upload_rows(from, to, width, height, stream, flags);
}

/* ---- device to program ----------------------------------------------------------------------- */

/* Reads rows with what lies between them, and drops that. */
static CUresult download_spans(const corner *from, const corner *to, uint64_t width,
                               uint64_t height, CUstream stream, uint32_t flags) {
    uint64_t rows = OB_CHUNK / from->pitch > 0 ? OB_CHUNK / from->pitch : 1;
    uint8_t *span = malloc(rows * from->pitch);
    CUresult result = span != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    for (uint64_t at = 0; at < height && result == CUDA_SUCCESS; at += rows) {
        uint64_t now = height - at < rows ? height - at : rows;
        transfer t = transfer_of(from->address + at * from->pitch, span,
                                 (now - 1) * from->pitch + width, stream, flags);
        result = transfer_down(&t);
        for (uint64_t i = 0; i < now && result == CUDA_SUCCESS; i++)
            memcpy(row(to, at + i), span + i * from->pitch, width);
    }
    free(span);
    return result;
}

static CUresult download_rows(const corner *from, const corner *to, uint64_t width, uint64_t height,
                              CUstream stream, uint32_t flags) {
    CUresult result = CUDA_SUCCESS;
    for (uint64_t at = 0; at < height && result == CUDA_SUCCESS; at++)
        result = remote_cuMemcpyDtoHAsync_v2(row(to, at), from->address + at * from->pitch, width,
                                             stream, flags);
    return result;
}

static CUresult download(const corner *from, const corner *to, uint64_t width, uint64_t height,
                         CUstream stream, uint32_t flags) {
    if (is_one_piece(from, to, width, height)) {
        transfer t = transfer_of(from->address, row(to, 0), width * height, stream, flags);
        return transfer_down_later(&t);
    }
    if (from->pitch - width <= CLOSE)
        return download_spans(from, to, width, height, stream, flags);
    return download_rows(from, to, width, height, stream, flags);
}

/* ---- inside the program ---------------------------------------------------------------------- */

static CUresult copy_here(const corner *from, const corner *to, uint64_t width, uint64_t height,
                          CUstream stream, uint32_t flags) {
    CUresult result = remote_cuStreamSynchronize(stream, flags);
    for (uint64_t at = 0; at < height && result == CUDA_SUCCESS; at++)
        memmove(row(to, at), row(from, at), width);
    return result;
}

/* ---- as boxes: from and to arrays, and in captures ------------------------------------------- */

static CUresult copy_as_box(const flat_copy *asked, CUstream stream, uint32_t flags) {
    const flat_side *from = &asked->source, *to = &asked->destination;
    CUDA_MEMCPY3D box = {
        .sourceX = from->x,
        .sourceY = from->y,
        .sourceType = from->type,
        .sourceHost = (uintptr_t)from->host,
        .sourceDevice = from->device,
        .sourceArray = from->array,
        .sourcePitch = from->pitch,
        .sourceHeight = from->y + asked->height,
        .destinationX = to->x,
        .destinationY = to->y,
        .destinationType = to->type,
        .destinationHost = (uintptr_t)to->host,
        .destinationDevice = to->device,
        .destinationArray = to->array,
        .destinationPitch = to->pitch,
        .destinationHeight = to->y + asked->height,
        .width = asked->width,
        .height = asked->height,
        .depth = 1,
    };
    return box_copy(&box, stream, flags);
}

/* ---- the functions --------------------------------------------------------------------------- */

static CUresult copy(const flat_copy *asked, CUstream stream, uint32_t flags) {
    corner from, to;
    CUresult result = context_ready();
    if (result == CUDA_SUCCESS && asked == NULL)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS || asked->width == 0 || asked->height == 0)
        return result;
    if (asked->source.type == MEMORY_ARRAY || asked->destination.type == MEMORY_ARRAY)
        return copy_as_box(asked, stream, flags);
    result = find_corner(&asked->source, asked->width, asked->height, &from);
    if (result == CUDA_SUCCESS)
        result = find_corner(&asked->destination, asked->width, asked->height, &to);
    if (result != CUDA_SUCCESS)
        return result;
    bool captures = false;
    if (from.on_device != to.on_device)
        result = capture_find(stream, flags, &captures);
    if (result != CUDA_SUCCESS || captures)
        return result != CUDA_SUCCESS ? result : copy_as_box(asked, stream, flags);
    if (from.on_device && to.on_device)
        return remote_outboardMemcpy2D(to.address, to.pitch, from.address, from.pitch, asked->width,
                                       asked->height, stream,
                                       flags | doubt(&to, asked->width, asked->height) |
                                           doubt(&from, asked->width, asked->height));
    if (to.on_device)
        return upload(&from, &to, asked->width, asked->height, stream, flags);
    return (from.on_device ? download : copy_here)(&from, &to, asked->width, asked->height, stream,
                                                   flags);
}

/* The source has been read when this returns, and so the copy need not be waited for: its errors
 * come late, as those of any copy may. */
CUresult cuMemcpy2D_v2(const void *asked) { return copy(asked, NULL, 0); }
CUresult cuMemcpy2D_v2_ptds(const void *asked) { return copy(asked, NULL, OB_PER_THREAD); }
CUresult cuMemcpy2DUnaligned_v2(const void *asked) { return copy(asked, NULL, 0); }
CUresult cuMemcpy2DUnaligned_v2_ptds(const void *asked) { return copy(asked, NULL, OB_PER_THREAD); }
CUresult cuMemcpy2DAsync_v2(const void *asked, CUstream stream) {
    return copy(asked, stream, cuda_order(stream));
}
CUresult cuMemcpy2DAsync_v2_ptsz(const void *asked, CUstream stream) {
    return copy(asked, stream, OB_PER_THREAD | cuda_order(stream));
}
