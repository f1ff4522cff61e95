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

static CUresult settle(CUresult result, const transfer *t) {
    return result == CUDA_SUCCESS ? remote_cuStreamSynchronize(t->stream, t->flags) : result;
}

transfer transfer_of(CUdeviceptr device, const void *host, uint64_t bytes, CUstream stream,
                     uint32_t flags) {
    return (transfer){.device = device,
                      .host = (void *)(uintptr_t)host,
                      .bytes = bytes,
                      .stream = stream,
                      .flags = flags,
                      .there = memory_ask(device, bytes),
                      .here = memory_ask(number(host), bytes)};
}

/* An address that may be wrong is an error at once, and so that copy waits for its answer. */
static uint32_t answered_if_doubtful(const transfer *t) {
    return t->flags | (t->there.whole ? 0 : OB_ANSWER);
}

/* Memory of a device that a program gives as its own. CUDA leaves open what a copy in the wrong
 * direction does (Runtime API, cudaMemcpy); with unified addressing the address says where memory
 * is, and here it counts, as in cuMemcpy. */
static bool is_devices(const transfer *t) { return t->bytes > 0 && t->here.of_device; }

/* The backend has the program's memory, too: a call names it. */
static bool is_named(const transfer *t) {
    return is_devices(t) || (t->bytes > 0 && t->here.shared);
}

/* For a profiler: what the program calls its memory, whatever way the bytes go. */
static void note(const transfer *t) {
    if (!is_devices(t))
        ob_note_copy(t->here.shared || t->here.kept);
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

static CUresult post(const area *a, const ob_parts *p, const transfer *t) {
    CUdeviceptr there = t->device + p->index * CHUNK;
    uint64_t here = number(chunk(a, p->index)), told = begin(a, p->index);
    CUresult sent =
        p->from != NULL
            ? remote_outboardCopyFromHost(there, here, p->count, t->stream, told, t->flags)
            : remote_outboardCopyToHost(here, there, p->count, t->stream, told, t->flags);
    if (sent != CUDA_SUCCESS)
        give_up(a, p->index, sent);
    return sent;
}

static CUresult stage(area *a, bool up, const transfer *t) {
    ob_parts p = {.bytes = t->bytes,
                  .part = CHUNK,
                  .places = chunk(a, 0),
                  .window = CHUNKS,
                  .from = up ? t->host : NULL,
                  .to = up ? NULL : t->host};
    while (ob_parts_next(&p))
        ob_parts_done(&p, p.starts ? post(a, &p, t) : await(a, p.index));
    pthread_mutex_unlock(&a->lock);
    CUresult result = (CUresult)p.result;
    return result == CUDA_SUCCESS && cuda_work_is_watched() ? cuda_work_seen() : result;
}

/* ---- bulk data ------------------------------------------------------------------------------- */

static int32_t move_up(void *with, uint64_t number) {
    const transfer *t = with;
    return remote_outboardBulkUp(t->device, t->bytes, t->stream, number, t->flags);
}

static int32_t move_down(void *with, uint64_t number) {
    const transfer *t = with;
    return remote_outboardBulkDown(t->device, t->bytes, t->stream, number, t->flags);
}

static void drop(void *with, uint64_t number) {
    remote_outboardBulkDrop(number, ((const transfer *)with)->flags);
}

/* Returns whether the copy went that way; a call that has all of it reports wrong addresses. */
static bool bulk(bool up, const transfer *t, CUresult *result) {
    static const ob_bulk_calls ups = {&ob_cuda, move_up, drop}, downs = {&ob_cuda, move_down, drop};
    return t->there.whole && ob_bulk(up, t->host, t->bytes, up ? &ups : &downs,
                                     (void *)(uintptr_t)t, result);
}

/* ---- the copies ------------------------------------------------------------------------------ */

/* A call without a stream cannot say whose default stream it means. */
static CUresult send_up(const transfer *t) {
    if ((t->flags & OB_PER_THREAD) == 0)
        return remote_cuMemcpyHtoD_v2(t->device, t->host, t->bytes, t->flags);
    return t->host == NULL && t->bytes > 0
               ? CUDA_ERROR_INVALID_VALUE
               : remote_cuMemcpyHtoDAsync_v2(t->device, t->host, t->bytes, NULL,
                                             t->flags | OB_ANSWER);
}

static CUresult capture_up(const transfer *t) {
    if (t->bytes == 0)
        return CUDA_SUCCESS;
    CUDA_MEMCPY3D copy = {
        .sourceType = MEMORY_HOST,
        .sourceHost = number(t->host),
        .sourcePitch = t->bytes,
        .sourceHeight = 1,
        .destinationType = MEMORY_DEVICE,
        .destinationDevice = t->device,
        .destinationPitch = t->bytes,
        .destinationHeight = 1,
        .width = t->bytes,
        .height = 1,
        .depth = 1,
    };
    return graph_copy_capture(&copy, t->stream, t->flags);
}

static CUresult capture_down(const transfer *t) {
    if (t->bytes == 0)
        return CUDA_SUCCESS;
    CUDA_MEMCPY3D copy = {
        .sourceType = MEMORY_DEVICE,
        .sourceDevice = t->device,
        .sourcePitch = t->bytes,
        .sourceHeight = 1,
        .destinationType = MEMORY_HOST,
        .destinationHost = number(t->host),
        .destinationPitch = t->bytes,
        .destinationHeight = 1,
        .width = t->bytes,
        .height = 1,
        .depth = 1,
    };
    return graph_copy_capture(&copy, t->stream, t->flags);
}

CUresult transfer_up(const transfer *t) {
    note(t);
    if (is_named(t))
        return settle(transfer_up_later(t), t);
    CUresult result = host_functions_settle(t->stream, t->flags);
    if (result != CUDA_SUCCESS)
        return result;
    area *a = NULL;
    result = t->host != NULL ? take_area(t->bytes, &a) : CUDA_SUCCESS;
    if (result != CUDA_SUCCESS)
        return result;
    if (a != NULL)
        return stage(a, true, t);
    return bulk(true, t, &result) ? settle(result, t) : send_up(t);
}

CUresult transfer_up_later(const transfer *t) {
    uint32_t answered = answered_if_doubtful(t);
    note(t);
    uint64_t here = number(t->host);
    if (is_devices(t))
        return remote_cuMemcpyDtoDAsync_v2(t->device, here, t->bytes, t->stream, answered);
    if (is_named(t))
        return remote_outboardCopyFromHost(t->device, here, t->bytes, t->stream, 0, answered);
    bool captures;
    CUresult result = capture_find(t->stream, t->flags, &captures);
    if (result != CUDA_SUCCESS || captures)
        return result != CUDA_SUCCESS ? result : capture_up(t);
    /* The source is read now. The stream has to finish its own writes there first: copies to such
     * memory have arrived when they return, so only functions of the program are left. */
    result = host_functions_settle(t->stream, t->flags);
    if (result != CUDA_SUCCESS)
        return result;
    if (t->host == NULL && t->bytes > 0)
        return CUDA_ERROR_INVALID_VALUE;
    return bulk(true, t, &result)
               ? result
               : remote_cuMemcpyHtoDAsync_v2(t->device, t->host, t->bytes, t->stream, answered);
}

CUresult transfer_settle(const void *from, CUstream stream, uint32_t flags) {
    return host_is_shared(from, 1) ? remote_cuStreamSynchronize(stream, flags)
                                   : host_functions_settle(stream, flags);
}

/* Returns when the bytes are there; so is then all that the stream had before. */
static CUresult fetch(const transfer *t) {
    area *a = NULL;
    CUresult result = t->host != NULL ? take_area(t->bytes, &a) : CUDA_SUCCESS;
    if (result != CUDA_SUCCESS)
        return result;
    if (a != NULL)
        return stage(a, false, t);
    return bulk(false, t, &result)
               ? result
               : remote_cuMemcpyDtoHAsync_v2(t->host, t->device, t->bytes, t->stream, t->flags);
}

CUresult transfer_down(const transfer *t) {
    note(t);
    if (is_named(t))
        return settle(transfer_down_later(t), t);
    CUresult result = fetch(t);
    if (result == CUDA_SUCCESS)
        settled_cuStreamSynchronize(t->stream, t->flags);
    return result;
}

CUresult transfer_down_later(const transfer *t) {
    uint32_t answered = answered_if_doubtful(t);
    note(t);
    uint64_t here = number(t->host);
    if (is_devices(t))
        return remote_cuMemcpyDtoDAsync_v2(here, t->device, t->bytes, t->stream, answered);
    if (is_named(t))
        return remote_outboardCopyToHost(here, t->device, t->bytes, t->stream, 0, answered);
    bool captures;
    CUresult result = capture_find(t->stream, t->flags, &captures);
    if (result != CUDA_SUCCESS || captures)
        return result != CUDA_SUCCESS ? result : capture_down(t);
    return transfer_down(t);
}
