/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of boxes (CUDA_MEMCPY3D), and several copies in one call. Inside the device a box travels
 * as one call; between program and device it goes layer by layer.
 */
#include "copy/copy.h"

typedef box_side side;

_Static_assert(sizeof(side) == 88 && offsetof(CUDA_MEMCPY3D, destinationX) == sizeof(side),
               "the vendor's layout");

static CUresult check(const side *one, uint64_t width, uint64_t height, uint64_t depth) {
    if (one->type < MEMORY_HOST || one->type > MEMORY_UNIFIED)
        return CUDA_ERROR_INVALID_VALUE;
    if (one->type == MEMORY_ARRAY)
        return CUDA_SUCCESS;
    bool possible = (height <= 1 && depth <= 1) || one->pitch >= one->x + width;
    return possible && (depth <= 1 || one->height >= one->y + height) ? CUDA_SUCCESS
                                                                      : CUDA_ERROR_INVALID_VALUE;
}

static bool of_host(const side *one) {
    return one->type == MEMORY_HOST || is_host_side(one->type, one->device);
}

static flat_side slice(const side *one, uint64_t at) {
    uint64_t skipped = (one->z + at) * one->height * one->pitch;
    return (flat_side){
        .x = one->x, .y = one->y, .type = one->type,
        .host = (const uint8_t *)one->host + (one->type == MEMORY_HOST ? skipped : 0),
        .device = one->device + (one->type == MEMORY_HOST ? 0 : skipped),
        .pitch = one->pitch,
    };
}

static CUresult copy_layers(const CUDA_MEMCPY3D *box, const side *from, const side *to,
                            CUstream stream, uint32_t flags) {
    if (from->type == MEMORY_ARRAY || to->type == MEMORY_ARRAY)
        return array_copy(box, from, to, stream, flags);
    CUresult result = CUDA_SUCCESS;
    for (uint64_t at = 0; at < box->depth && result == CUDA_SUCCESS; at++) {
        flat_copy one = {slice(from, at), slice(to, at), box->width, box->height};
        result = flags != 0 ? cuMemcpy2DAsync_v2_ptsz(&one, stream)
                            : cuMemcpy2DAsync_v2(&one, stream);
    }
    return result;
}

CUresult box_copy(const CUDA_MEMCPY3D *box, CUstream stream, uint32_t flags) {
    side from, to;
    CUresult result = box == NULL ? CUDA_ERROR_INVALID_VALUE : context_ready();
    if (result != CUDA_SUCCESS || box->width == 0 || box->height == 0 || box->depth == 0)
        return result;
    memcpy(&from, box, sizeof from);
    memcpy(&to, (const uint8_t *)box + sizeof from, sizeof to);
    result = check(&from, box->width, box->height, box->depth);
    if (result == CUDA_SUCCESS)
        result = check(&to, box->width, box->height, box->depth);
    if (result != CUDA_SUCCESS)
        return result;
    if (!of_host(&from) && !of_host(&to))
        /* the backend alone knows how large an array is */
        return remote_outboardMemcpy3D(box, stream, flags | cuda_order(stream) | OB_ANSWER);
    bool captures;
    result = capture_find(stream, flags, &captures);
    if (result != CUDA_SUCCESS || captures)
        return result != CUDA_SUCCESS ? result : graph_copy_capture(box, stream, flags);
    return copy_layers(box, &from, &to, stream, flags);
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *box) { return box_copy(box, NULL, 0); }
CUresult cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D *box) { return box_copy(box, NULL, OB_PER_THREAD); }
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *box, CUstream stream) {
    return box_copy(box, stream, 0);
}
CUresult cuMemcpy3DAsync_v2_ptsz(const CUDA_MEMCPY3D *box, CUstream stream) {
    return box_copy(box, stream, OB_PER_THREAD);
}

/* All devices are in one address space, and so the contexts say nothing that the addresses do not.
 */
static CUresult copy_peer(const CUDA_MEMCPY3D *box, CUstream stream, uint32_t flags) {
    if (box == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMCPY3D plain = *box;
    plain.sourceContext = plain.destinationContext = 0;
    return box_copy(&plain, stream, flags);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D *box) { return copy_peer(box, NULL, 0); }
CUresult cuMemcpy3DPeer_ptds(const CUDA_MEMCPY3D *box) {
    return copy_peer(box, NULL, OB_PER_THREAD);
}
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D *box, CUstream stream) {
    return copy_peer(box, stream, 0);
}
CUresult cuMemcpy3DPeerAsync_ptsz(const CUDA_MEMCPY3D *box, CUstream stream) {
    return copy_peer(box, stream, OB_PER_THREAD);
}

/* ---- several copies -------------------------------------------------------------------------- */

typedef struct batch {
    CUdeviceptr *destinations, *sources;
    size_t *sizes, count;
    const void *attributes;
    const size_t *attribute_indexes;
    size_t attribute_count;
    CUstream stream;
    uint32_t flags;
} batch;

/* Attributes only advise, but there have to be some, and no more than copies. */
static bool has_attributes(const batch *b) {
    return b->attributes != NULL && b->attribute_indexes != NULL && b->attribute_count > 0 &&
           b->attribute_count <= b->count;
}

/* The driver looks at all of them before it does any. */
static bool are_whole(const batch *b) {
    for (size_t i = 0; i < b->count; i++)
        if (b->destinations[i] == 0 || b->sources[i] == 0 || b->sizes[i] == 0)
            return false;
    return true;
}

/* Copies of a batch may run in any order, and so in this one. The legacy default stream takes no
 * batch. */
static CUresult copy_all(const batch *b, size_t *failed) {
    bool complete = b->destinations != NULL && b->sources != NULL && b->sizes != NULL &&
                    b->count > 0 && has_attributes(b) && (uintptr_t)b->stream > 1 &&
                    context_current() != NULL && are_whole(b);
    CUresult result = complete ? capture_forbids(b->stream, b->flags) : CUDA_ERROR_INVALID_VALUE;
    if (failed != NULL)
        *failed = SIZE_MAX;
    for (size_t i = 0; i < b->count && result == CUDA_SUCCESS; i++) {
        result = b->flags != 0
                     ? cuMemcpyAsync_ptsz(b->destinations[i], b->sources[i], b->sizes[i], b->stream)
                     : cuMemcpyAsync(b->destinations[i], b->sources[i], b->sizes[i], b->stream);
        if (result != CUDA_SUCCESS && failed != NULL)
            *failed = i;
    }
    return result;
}

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *destinations, CUdeviceptr *sources, size_t *sizes,
                               size_t count, void *attributes, size_t *attribute_indexes,
                               size_t attribute_count, CUstream stream) {
    return copy_all(&(batch){destinations, sources, sizes, count, attributes, attribute_indexes,
                             attribute_count, stream, 0},
                    NULL);
}

CUresult cuMemcpyBatchAsync_v2_ptsz(CUdeviceptr *destinations, CUdeviceptr *sources, size_t *sizes,
                                    size_t count, void *attributes, size_t *attribute_indexes,
                                    size_t attribute_count, CUstream stream) {
    return copy_all(&(batch){destinations, sources, sizes, count, attributes, attribute_indexes,
                             attribute_count, stream, OB_PER_THREAD},
                    NULL);
}

CUresult cuMemcpyBatchAsync(CUdeviceptr *destinations, CUdeviceptr *sources, size_t *sizes,
                            size_t count, void *attributes, size_t *attribute_indexes,
                            size_t attribute_count, size_t *failed, CUstream stream) {
    return copy_all(&(batch){destinations, sources, sizes, count, attributes, attribute_indexes,
                             attribute_count, stream, 0},
                    failed);
}

CUresult cuMemcpyBatchAsync_ptsz(CUdeviceptr *destinations, CUdeviceptr *sources, size_t *sizes,
                                 size_t count, void *attributes, size_t *attribute_indexes,
                                 size_t attribute_count, size_t *failed, CUstream stream) {
    return copy_all(&(batch){destinations, sources, sizes, count, attributes, attribute_indexes,
                             attribute_count, stream, OB_PER_THREAD},
                    failed);
}
