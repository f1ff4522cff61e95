/* SPDX-License-Identifier: Apache-2.0
 *
 * Captures of streams. Whether a stream captures is asked of the backend only while there are
 * captures; elsewhere the answer is known here.
 */
#include "stream/stream.h"

#include <stdlib.h>

enum { CAPTURE_NONE = 0, CAPTURE_ACTIVE = 1, CAPTURE_INVALIDATED = 2 }; /* CUstreamCaptureStatus */
enum { GLOBAL = 0, THREAD_LOCAL = 1, RELAXED = 2, CAPTURE_MODES = 3 }; /* CUstreamCaptureMode */

/* Begun and not ended. */
static _Atomic int captures_begun;

/* Of each what prohibits calls; the backend captures in relaxed mode. */
typedef struct capture {
    struct capture *next;
    CUstream stream;
    CUcontext context;
    pthread_t thread;
    int mode;
    bool blocking;   /* the legacy stream waits for its stream */
    bool into_given; /* a graph that the program has; it stays whatever becomes of this */
    bool invalidated;
} capture;

static pthread_mutex_t captures_lock = PTHREAD_MUTEX_INITIALIZER;
static capture *first;

/* The thread's own: see cuThreadExchangeStreamCaptureMode. */
static _Thread_local int thread_mode;

/* ---- beginning and ending -------------------------------------------------------------------- */

static bool is_stream(CUstream stream) {
    uint64_t handle = (uint64_t)(uintptr_t)stream;
    return handle <= 2 || ob_handle_plausible(handle, 1u << OB_CUDA_STREAM);
}

static CUstream shown(CUstream stream, uint32_t flags) {
    enum { THREADS_OWN = 2 };
    return stream == NULL && flags & OB_PER_THREAD ? (CUstream)THREADS_OWN : stream;
}

/* A stream that has ended is no more captured, and so are all of a context that has. */
static bool is_there(const capture *one) {
    return is_stream(one->stream) && context_usable(one->context) == CUDA_SUCCESS;
}

/* What is to be known of a capture. It is asked before that begins: a question about a stream that
 * captures may end the capture. The stream may be of another context than the current one, and a
 * thread without a context may capture it too. */
static capture foresee(CUstream stream, int mode, bool into_given, uint32_t flags) {
    enum { NON_BLOCKING = 1 };
    int made_with = NON_BLOCKING;
    uint32_t order = flags | cuda_order(stream);
    capture one = {.stream = shown(stream, flags),
                   .context = context_current(),
                   .thread = pthread_self(),
                   .mode = mode,
                   .into_given = into_given};
    bool captures = false;
    if (capture_find(stream, flags, &captures) != CUDA_SUCCESS || captures)
        return one;
    if (one.context == NULL || contexts_are_several())
        remote_cuStreamGetCtx(stream, &one.context, order);
    remote_cuStreamGetFlags(stream, &made_with, order);
    one.blocking = (made_with & NON_BLOCKING) == 0;
    return one;
}

static CUresult count_begun(CUresult result, const capture *begun) {
    if (result != CUDA_SUCCESS)
        return result;
    atomic_fetch_add(&captures_begun, 1);
    capture *one = malloc(sizeof *one);
    if (one == NULL)
        return CUDA_SUCCESS; /* it prohibits nothing */
    *one = *begun;
    pthread_mutex_lock(&captures_lock);
    one->next = first;
    first = one;
    unusual_begins(UNUSUAL_CAPTURES);
    pthread_mutex_unlock(&captures_lock);
    return CUDA_SUCCESS;
}

/* Drops it, and those of streams that have ended; returns what it was. */
static capture forget(CUstream stream) {
    capture was = {.stream = NULL};
    pthread_mutex_lock(&captures_lock);
    for (capture **at = &first; *at != NULL;) {
        capture *one = *at;
        if (one->stream != stream && is_there(one)) {
            at = &one->next;
            continue;
        }
        if (one->stream == stream)
            was = *one;
        *at = one->next;
        free(one);
    }
    if (first == NULL)
        unusual_ends(UNUSUAL_CAPTURES);
    pthread_mutex_unlock(&captures_lock);
    return was;
}

/* ---- what they prohibit ---------------------------------------------------------------------- */

typedef bool prohibits(const capture *one, const void *about);

static bool is_any(prohibits *does, const void *about) {
    bool found = false;
    pthread_mutex_lock(&captures_lock);
    for (const capture *one = first; one != NULL && !found; one = one->next)
        found = does(one, about);
    pthread_mutex_unlock(&captures_lock);
    return found;
}

static CUresult invalidate(prohibits *does, const void *about, CUresult error) {
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&captures_lock);
    for (capture *one = first; one != NULL; one = one->next)
        if (is_there(one) && does(one, about)) {
            one->invalidated = true;
            result = error;
        }
    pthread_mutex_unlock(&captures_lock);
    return result;
}

static CUresult prohibited_by(prohibits *does, const void *about) {
    return invalidate(does, about, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
}

static bool prohibits_unsafe(const capture *one, const void *nothing) {
    (void)nothing;
    if (thread_mode == RELAXED || one->mode == RELAXED)
        return false;
    return pthread_equal(one->thread, pthread_self()) ||
           (thread_mode == GLOBAL && one->mode == GLOBAL);
}

static bool prohibits_waiting(const capture *one, const void *nothing) {
    (void)nothing;
    return one->context == context_current();
}

static bool prohibits_legacy(const capture *one, const void *nothing) {
    (void)nothing;
    return one->blocking && one->context == context_current();
}

static bool is_of(const capture *one, const void *stream) { return one->stream == stream; }

CUresult capture_prohibits_unsafe(void) { return prohibited_by(prohibits_unsafe, NULL); }
CUresult capture_prohibits_waiting(void) { return prohibited_by(prohibits_waiting, NULL); }
CUresult capture_prohibits_legacy(void) {
    return invalidate(prohibits_legacy, NULL, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
}
CUresult capture_prohibits_in(CUstream stream) { return prohibited_by(is_of, stream); }

void cuda_ends_capture(const void *stream) {
    invalidate(is_of, stream, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

static bool has_failed(const capture *one, const void *stream) {
    return is_of(one, stream) && one->invalidated;
}

bool capture_has_failed(CUstream stream) { return is_any(has_failed, stream); }

CUresult capture_prohibits_elsewhere(CUstream stream) {
    return is_any(is_of, stream) ? CUDA_SUCCESS : capture_prohibits_unsafe();
}

/* ---- beginning and ending, as programs ask for it -------------------------------------------- */

static bool is_mode(int mode) { return mode >= 0 && mode < CAPTURE_MODES; }

static CUresult begin(CUstream stream, int mode, uint32_t flags) {
    CUresult result = context_ready();
    if (result == CUDA_SUCCESS && !is_mode(mode))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    capture one = foresee(stream, mode, false, flags);
    return count_begun(remote_cuStreamBeginCapture_v2(stream, mode, flags), &one);
}

CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) { return begin(stream, mode, 0); }
CUresult cuStreamBeginCapture_v2_ptsz(CUstream stream, int mode) {
    return begin(stream, mode, OB_PER_THREAD);
}

static CUresult begin_to_graph(CUstream stream, CUgraph graph, const CUgraphNode *dependencies,
                               const CUgraphEdgeData *edges, uint64_t count, int mode,
                               uint32_t flags) {
    CUresult result = context_ready();
    if (result == CUDA_SUCCESS && !is_mode(mode))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    capture one = foresee(stream, mode, true, flags);
    return count_begun(remote_cuStreamBeginCaptureToGraph(stream, graph, dependencies, edges, count,
                                                          mode, flags),
                       &one);
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                     const CUgraphNode *dependencies, const CUgraphEdgeData *edges,
                                     uint64_t count, int mode) {
    return begin_to_graph(stream, graph, dependencies, edges, count, mode, 0);
}

CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream stream, CUgraph graph,
                                          const CUgraphNode *dependencies,
                                          const CUgraphEdgeData *edges, uint64_t count, int mode) {
    return begin_to_graph(stream, graph, dependencies, edges, count, mode, OB_PER_THREAD);
}

/* A capture that an error has ended is over too. */
static bool is_over(CUresult result) {
    return result == CUDA_SUCCESS || result == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED ||
           result == CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
}

/* Why a capture that has ended well in the backend gives no graph. Only one in relaxed mode ends in
 * any thread (CUDA Driver API, cuStreamEndCapture). */
static CUresult spoilt(const capture *was) {
    if (was->invalidated)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    bool others = was->stream != NULL && !pthread_equal(was->thread, pthread_self());
    return others && was->mode != RELAXED ? CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD : CUDA_SUCCESS;
}

/* After a capture into an existing graph the program need not ask for the graph. */
static CUresult end(CUstream stream, CUgraph *graph, uint32_t flags) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (graph != NULL)
        *graph = NULL;
    CUgraph made = NULL;
    result = remote_cuStreamEndCapture(stream, &made, flags);
    if (!is_over(result))
        return result;
    atomic_fetch_sub(&captures_begun, 1);
    capture was = forget(shown(stream, flags));
    CUresult why = spoilt(&was);
    if (why != CUDA_SUCCESS && result == CUDA_SUCCESS) {
        if (!was.into_given)
            remote_cuGraphDestroy(made, 0);
        return why;
    }
    if (graph != NULL)
        *graph = made;
    return result;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) { return end(stream, graph, 0); }
CUresult cuStreamEndCapture_ptsz(CUstream stream, CUgraph *graph) {
    return end(stream, graph, OB_PER_THREAD);
}

CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (mode == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    int before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}

/* ---- questions ------------------------------------------------------------------------------- */

static CUresult status_of(CUstream stream, int *status, uint32_t flags) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (status == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_stream(stream))
        return CUDA_ERROR_INVALID_HANDLE;
    *status = CAPTURE_NONE;
    if (atomic_load(&captures_begun) == 0)
        return CUDA_SUCCESS;
    result = remote_cuStreamIsCapturing(stream, status, flags);
    if (result == CUDA_SUCCESS && *status == CAPTURE_ACTIVE &&
        capture_has_failed(shown(stream, flags)))
        *status = CAPTURE_INVALIDATED;
    return result;
}

CUresult cuStreamIsCapturing(CUstream stream, int *status) { return status_of(stream, status, 0); }
CUresult cuStreamIsCapturing_ptsz(CUstream stream, int *status) {
    return status_of(stream, status, OB_PER_THREAD);
}

CUresult capture_find(CUstream stream, uint32_t flags, bool *captures) {
    int status = CAPTURE_NONE;
    CUresult result = atomic_load(&captures_begun) > 0 ? status_of(stream, &status, flags)
                                                       : CUDA_SUCCESS;
    *captures = status != CAPTURE_NONE;
    return result;
}

CUresult capture_forbids(CUstream stream, uint32_t flags) {
    bool captures;
    CUresult result = capture_find(stream, flags, &captures);
    return result == CUDA_SUCCESS && captures ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : result;
}

/* A stream that does not capture is noticed before the lists are looked at. */
static CUresult update(CUstream stream, const CUgraphNode *dependencies,
                       const CUgraphEdgeData *edges, uint64_t count, int what, uint32_t flags) {
    bool captures;
    CUresult result = capture_find(stream, flags, &captures);
    if (result == CUDA_SUCCESS && !captures)
        result = CUDA_ERROR_ILLEGAL_STATE;
    return result == CUDA_SUCCESS ? remote_cuStreamUpdateCaptureDependencies_v2(
                                        stream, dependencies, edges, count, what, flags)
                                  : result;
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, const CUgraphNode *dependencies,
                                              const CUgraphEdgeData *edges, uint64_t count,
                                              int flags) {
    return update(stream, dependencies, edges, count, flags, 0);
}

CUresult cuStreamUpdateCaptureDependencies_v2_ptsz(CUstream stream,
                                                   const CUgraphNode *dependencies,
                                                   const CUgraphEdgeData *edges, uint64_t count,
                                                   int flags) {
    return update(stream, dependencies, edges, count, flags, OB_PER_THREAD);
}

enum { DEPENDENCIES = 1024 };

/* With room for one too many. */
typedef struct capture_info {
    uint64_t id, count;
    CUgraph graph;
    CUgraphNode dependencies[DEPENDENCIES + 1];
    CUgraphEdgeData edges[DEPENDENCIES + 1];
} capture_info;

/* The lists are the driver's; they live until the thread asks again. */
static ob_own_memory latest = {.bytes = sizeof(capture_info)};

static bool is_plain(const CUgraphEdgeData *edge) {
    static const CUgraphEdgeData plain;
    return memcmp(edge, &plain, sizeof plain) == 0;
}

static bool are_plain(const capture_info *info) {
    for (uint64_t i = 0; i < info->count; i++)
        if (!is_plain(&info->edges[i]))
            return false;
    return true;
}

/* Where the stream does not capture, only the status is written. */
static CUresult ask(CUstream stream, int *status, uint32_t flags, capture_info **captures) {
    CUresult result = status_of(stream, status, flags);
    *captures = NULL;
    if (result != CUDA_SUCCESS || *status == CAPTURE_NONE)
        return result;
    capture_info *info = *captures = ob_own(&latest);
    if (info == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    info->count = DEPENDENCIES + 1;
    result = remote_outboardStreamGetCaptureInfo(stream, status, &info->id, &info->graph,
                                                 info->dependencies, info->edges, &info->count,
                                                 flags);
    return result == CUDA_SUCCESS && info->count > DEPENDENCIES ? CUDA_ERROR_OUT_OF_MEMORY : result;
}

CUresult capture_locate(CUstream stream, uint32_t flags, capture_point *at) {
    int status;
    capture_info *found;
    CUresult result = ask(stream, &status, flags, &found);
    if (result == CUDA_SUCCESS && (found == NULL || status != CAPTURE_ACTIVE))
        result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (result == CUDA_SUCCESS)
        *at = (capture_point){found->graph, found->dependencies,
                              are_plain(found) ? NULL : found->edges, found->count};
    return result;
}

static CUresult info(CUstream stream, int *status, unsigned long long *id, CUgraph *graph,
                     const CUgraphNode **dependencies, const CUgraphEdgeData **edges, size_t *count,
                     uint32_t flags) {
    capture_info *found;
    CUresult result = ask(stream, status, flags, &found);
    if (result != CUDA_SUCCESS || found == NULL)
        return result;
    if (edges == NULL && dependencies != NULL && !are_plain(found))
        return CUDA_ERROR_LOSSY_QUERY;
    if (id != NULL)
        *id = found->id;
    if (graph != NULL)
        *graph = found->graph;
    if (dependencies != NULL)
        *dependencies = found->dependencies;
    if (edges != NULL)
        *edges = found->edges;
    if (count != NULL)
        *count = found->count;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, int *status, unsigned long long *id,
                                   CUgraph *graph, const CUgraphNode **dependencies,
                                   const CUgraphEdgeData **edges, size_t *count) {
    return info(stream, status, id, graph, dependencies, edges, count, 0);
}

CUresult cuStreamGetCaptureInfo_v3_ptsz(CUstream stream, int *status, unsigned long long *id,
                                        CUgraph *graph, const CUgraphNode **dependencies,
                                        const CUgraphEdgeData **edges, size_t *count) {
    return info(stream, status, id, graph, dependencies, edges, count, OB_PER_THREAD);
}
