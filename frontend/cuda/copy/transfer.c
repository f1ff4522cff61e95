/* SPDX-License-Identifier: Apache-2.0
 *
 * The way of bytes between program and device. Memory that the backend shares is only named: the
 * backend copies from it, or into it. Large copies of other memory go through a shared staging
 * area, in chunks, of which each side copies one while the other side copies the next. All else is
 * sent.
 */
#include "copy/copy.h"
#include "base/clock.h"

#include <pthread.h>
#include <sys/mman.h>

enum {
    CHUNK = 1 << 20,
    CHUNKS = 4,
    AREAS = 8,              /* so many threads copy at a time; others send */
    /* bytes before the first chunk; the word of each says that it is done with, and how it went */
    WORDS = 4096,
    LEAST = 64 << 10,       /* what is smaller is sent sooner than staged */
    LOOKS = 5000,          /* before a call is made that waits until what is posted is done */
};

typedef struct area {
    pthread_mutex_t lock;
    bool tried;
    uint8_t *base;          /* NULL where the backend shares nothing */
} area;

static area areas[AREAS] = {[0 ... AREAS - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};

static uint64_t number(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

static CUresult settle(CUresult result, CUstream stream, uint32_t flags) {
    return result == CUDA_SUCCESS ? remote_cuStreamSynchronize(stream, flags) : result;
}

static bool is_of_device(CUdeviceptr address, uint64_t bytes) {
    range known;
    return range_find(&device_ranges, address, &known) &&
           bytes <= known.base + known.bytes - address;
}

/* An address that may be wrong is an error at once, and so that copy waits for its answer. */
static uint32_t answered_if_doubtful(CUdeviceptr address, uint64_t bytes) {
    return is_of_device(address, bytes) ? 0 : OB_ANSWER;
}

/* ---- staging --------------------------------------------------------------------------------- */

static CUresult map_area(area *a) {
    CUdeviceptr unused;
    shared_piece piece;
    CUresult result = shared_map(WORDS + (uint64_t)CHUNKS * CHUNK, 0, &piece, &unused);
    a->tried = result == CUDA_SUCCESS;
    a->base = piece.memory;
    if (piece.memory != NULL)
        madvise(piece.memory, WORDS + (size_t)CHUNKS * CHUNK, MADV_DONTFORK);
    return result;
}

/* A free area, locked; *taken is NULL if there is none. An error is one of an earlier call. */
static CUresult take_area(uint64_t bytes, area **taken) {
    CUresult result = CUDA_SUCCESS;
    *taken = NULL;
    if (bytes < LEAST || !ob_passes())
        return result;
    for (int i = 0; i < AREAS && *taken == NULL && result == CUDA_SUCCESS; i++) {
        area *a = &areas[i];
        if (pthread_mutex_trylock(&a->lock) != 0)
            continue;
        if (!a->tried)
            result = map_area(a);
        if (a->base != NULL)
            *taken = a;
        else
            pthread_mutex_unlock(&a->lock);
    }
    return result;
}

static uint8_t *chunk(const area *a, uint64_t index) {
    return a->base + WORDS + index % CHUNKS * CHUNK;
}

static _Atomic uint64_t *word(const area *a, uint64_t index) {
    return (_Atomic uint64_t *)(void *)(a->base + index % CHUNKS * 64);
}

static uint64_t begin(const area *a, uint64_t index) {
    atomic_store_explicit(word(a, index), 0, memory_order_relaxed);
    return number(word(a, index));
}

/* For a chunk that could not be posted: nobody else says that it is done with. */
static void give_up(const area *a, uint64_t index, CUresult result) {
    atomic_store_explicit(word(a, index), (uint64_t)result + 1, memory_order_relaxed);
}

static bool is_done(const area *a, uint64_t index) {
    return atomic_load_explicit(word(a, index), memory_order_acquire) != 0;
}

/* An answered call of the lane: calls posted before it are done when it returns. */
static CUresult await_posted(void) {
    int least, greatest;
    return remote_cuCtxGetStreamPriorityRange(&least, &greatest, 0);
}

/* Waits for a chunk that was posted; returns the copy's result. */
static CUresult await(const area *a, uint64_t index) {
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < LOOKS && !is_done(a, index); i++)
        relax();
    if (!is_done(a, index))
        result = await_posted();
    /* of an earlier call of the lane, which is told once, or the backend is lost */
    if (result != CUDA_SUCCESS)
        return result;
    return is_done(a, index)
               ? (CUresult)(atomic_load_explicit(word(a, index), memory_order_relaxed) - 1)
               : CUDA_ERROR_UNKNOWN;
}

static CUresult post(const area *a, const ob_parts *p, CUdeviceptr device, CUstream stream,
                     uint32_t flags) {
    CUdeviceptr there = device + p->index * CHUNK;
    uint64_t here = number(chunk(a, p->index)), told = begin(a, p->index);
    CUresult sent = p->from != NULL
                        ? remote_outboardCopyFromHost(there, here, p->count, stream, told, flags)
                        : remote_outboardCopyToHost(here, there, p->count, stream, told, flags);
    if (sent != CUDA_SUCCESS)
        give_up(a, p->index, sent);
    return sent;
}

static CUresult stage(const area *a, const void *from, void *to, CUdeviceptr device,
                      uint64_t bytes, CUstream stream, uint32_t flags) {
    ob_parts p = {.bytes = bytes,
                  .part = CHUNK,
                  .places = chunk(a, 0),
                  .window = CHUNKS,
                  .from = from,
                  .to = to};
    while (ob_parts_next(&p))
        ob_parts_done(&p, p.starts ? post(a, &p, device, stream, flags) : await(a, p.index));
    CUresult result = (CUresult)p.result;
    return result == CUDA_SUCCESS && cuda_work_is_watched() ? cuda_work_seen() : result;
}

/* ---- bulk data ------------------------------------------------------------------------------- */

typedef struct bulk_copy {
    bool up;
    CUdeviceptr device;
    uint64_t bytes;
    CUstream stream;
    uint32_t flags;
} bulk_copy;

static int32_t bulk_move(void *with, uint64_t transfer) {
    const bulk_copy *c = with;
    return c->up ? remote_outboardBulkUp(c->device, c->bytes, c->stream, transfer, c->flags)
                 : remote_outboardBulkDown(c->device, c->bytes, c->stream, transfer, c->flags);
}

static void bulk_drop(void *with, uint64_t transfer) {
    remote_outboardBulkDrop(transfer, ((const bulk_copy *)with)->flags);
}

/* Returns whether the copy went that way; a call that has all of it reports wrong addresses. */
static bool bulk(bool up, CUdeviceptr device, void *host, uint64_t bytes, CUstream stream,
                 uint32_t flags, CUresult *result) {
    static const ob_bulk_calls calls = {&ob_cuda, bulk_move, bulk_drop};
    bulk_copy copy = {up, device, bytes, stream, flags};
    return is_of_device(device, bytes) && ob_bulk(up, host, bytes, &calls, &copy, result);
}

static bool bulk_up(CUdeviceptr to, const void *from, uint64_t bytes, CUstream stream,
                    uint32_t flags, CUresult *result) {
    return bulk(true, to, (void *)(uintptr_t)from, bytes, stream, flags, result);
}

/* ---- the copies ------------------------------------------------------------------------------ */

/* A call without a stream cannot say whose default stream it means. */
static CUresult send_up(CUdeviceptr to, const void *from, uint64_t bytes, uint32_t flags) {
    if ((flags & OB_PER_THREAD) == 0)
        return remote_cuMemcpyHtoD_v2(to, from, bytes, flags);
    return from == NULL && bytes > 0
               ? CUDA_ERROR_INVALID_VALUE
               : remote_cuMemcpyHtoDAsync_v2(to, from, bytes, NULL, flags | OB_ANSWER);
}

static bool is_managed(const void *pointer, uint64_t bytes) {
    return bytes > 0 && managed_contains(number(pointer), bytes);
}

static CUresult capture_up(CUdeviceptr to, const void *from, uint64_t bytes, CUstream stream,
                           uint32_t flags) {
    CUDA_MEMCPY3D copy = {
        .sourceType = MEMORY_HOST,
        .sourceHost = number(from),
        .sourcePitch = bytes,
        .sourceHeight = 1,
        .destinationType = MEMORY_DEVICE,
        .destinationDevice = to,
        .destinationPitch = bytes,
        .destinationHeight = 1,
        .width = bytes,
        .height = 1,
        .depth = 1,
    };
    return graph_copy_capture(&copy, stream, flags);
}

static CUresult capture_down(void *to, CUdeviceptr from, uint64_t bytes, CUstream stream,
                             uint32_t flags) {
    CUDA_MEMCPY3D copy = {
        .sourceType = MEMORY_DEVICE,
        .sourceDevice = from,
        .sourcePitch = bytes,
        .sourceHeight = 1,
        .destinationType = MEMORY_HOST,
        .destinationHost = number(to),
        .destinationPitch = bytes,
        .destinationHeight = 1,
        .width = bytes,
        .height = 1,
        .depth = 1,
    };
    return graph_copy_capture(&copy, stream, flags);
}

CUresult transfer_up(CUdeviceptr to, const void *from, uint64_t bytes, CUstream stream,
                     uint32_t flags) {
    if (host_is_shared(from, bytes) || is_managed(from, bytes))
        return settle(transfer_up_later(to, from, bytes, stream, flags), stream, flags);
    CUresult result = host_functions_settle(stream, flags);
    if (result != CUDA_SUCCESS)
        return result;
    area *a = NULL;
    result = from != NULL ? take_area(bytes, &a) : CUDA_SUCCESS;
    if (result != CUDA_SUCCESS)
        return result;
    if (a == NULL && bulk_up(to, from, bytes, stream, flags, &result))
        return settle(result, stream, flags);
    if (a == NULL)
        return send_up(to, from, bytes, flags);
    result = stage(a, from, NULL, to, bytes, stream, flags);
    pthread_mutex_unlock(&a->lock);
    return result;
}

CUresult transfer_up_later(CUdeviceptr to, const void *from, uint64_t bytes, CUstream stream,
                           uint32_t flags) {
    uint32_t answered = flags | answered_if_doubtful(to, bytes);
    if (is_managed(from, bytes))
        return remote_cuMemcpyDtoDAsync_v2(to, number(from), bytes, stream, answered);
    if (bytes > 0 && host_is_shared(from, bytes))
        return remote_outboardCopyFromHost(to, number(from), bytes, stream, 0, answered);
    bool captures;
    CUresult result = capture_find(stream, flags, &captures);
    if (result != CUDA_SUCCESS || captures)
        return result != CUDA_SUCCESS ? result : capture_up(to, from, bytes, stream, flags);
    /* The source is read now. The stream has to finish its own writes there first: copies to such
     * memory have arrived when they return, so only functions of the program are left. */
    result = host_functions_settle(stream, flags);
    if (result != CUDA_SUCCESS)
        return result;
    if (from == NULL && bytes > 0)
        return CUDA_ERROR_INVALID_VALUE;
    return bulk_up(to, from, bytes, stream, flags, &result)
               ? result
               : remote_cuMemcpyHtoDAsync_v2(to, from, bytes, stream, answered);
}

CUresult transfer_settle(const void *from, CUstream stream, uint32_t flags) {
    return host_is_shared(from, 1) ? remote_cuStreamSynchronize(stream, flags)
                                   : host_functions_settle(stream, flags);
}

/* Returns when the bytes are there; so is then all that the stream had before. */
static CUresult fetch(void *to, CUdeviceptr from, uint64_t bytes, CUstream stream, uint32_t flags) {
    area *a = NULL;
    CUresult result = to != NULL ? take_area(bytes, &a) : CUDA_SUCCESS;
    if (result != CUDA_SUCCESS)
        return result;
    if (a == NULL && bulk(false, from, to, bytes, stream, flags, &result))
        return result;
    if (a == NULL)
        return remote_cuMemcpyDtoHAsync_v2(to, from, bytes, stream, flags);
    result = stage(a, NULL, to, from, bytes, stream, flags);
    pthread_mutex_unlock(&a->lock);
    return result;
}

CUresult transfer_down(void *to, CUdeviceptr from, uint64_t bytes, CUstream stream,
                       uint32_t flags) {
    if (bytes > 0 && (host_is_shared(to, bytes) || is_managed(to, bytes)))
        return settle(transfer_down_later(to, from, bytes, stream, flags), stream, flags);
    CUresult result = fetch(to, from, bytes, stream, flags);
    if (result == CUDA_SUCCESS)
        settled_cuStreamSynchronize(stream, flags);
    return result;
}

CUresult transfer_down_later(void *to, CUdeviceptr from, uint64_t bytes, CUstream stream,
                             uint32_t flags) {
    if (is_managed(to, bytes))
        return remote_cuMemcpyDtoDAsync_v2(number(to), from, bytes, stream,
                                           flags | answered_if_doubtful(from, bytes));
    if (bytes > 0 && host_is_shared(to, bytes))
        return remote_outboardCopyToHost(number(to), from, bytes, stream, 0,
                                         flags | answered_if_doubtful(from, bytes));
    bool captures;
    CUresult result = capture_find(stream, flags, &captures);
    if (result != CUDA_SUCCESS || captures)
        return result != CUDA_SUCCESS ? result : capture_down(to, from, bytes, stream, flags);
    return transfer_down(to, from, bytes, stream, flags);
}
