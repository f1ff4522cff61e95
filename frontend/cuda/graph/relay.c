/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies, in graphs, between a device and memory that only the program has. Such a copy is a graph
 * of its own: the device copies from or to a staging buffer, which is memory of the backend. Bytes
 * to the device are brought to the staging buffer when the graph is launched, as the vendor's
 * driver reads them then; bytes from it are fetched by a function of the graph, which runs here.
 * The driver tells when no graph, no executable and no launch has the copy any more.
 */
#include "graph/graph.h"

#include <pthread.h>
#include <stdlib.h>

/* CU_USER_OBJECT_NO_DESTRUCTOR_SYNC, CU_GRAPH_USER_OBJECT_MOVE */
enum { OWNED_ASYNCHRONOUSLY = 1, MOVED = 1 };

typedef struct relay {
    CUDA_MEMCPY3D asked;
    bool up;                                    /* to the device */
    box_side here;                              /* the program's side */
    staging *staging;
    /* launches that bring its bytes, and a thread that makes it; under the lock, as all that
     * follows */
    int users;
    bool over;                                  /* nobody else has it any more */
    bool launched;                              /* its bytes were brought for a launch … */
    CUstream stream;                            /* … in this stream … */
    bool own_stream;                            /* … which is not the same for every thread */
} relay;

typedef struct relay_node {
    struct relay_node *next;
    CUgraphNode node;
    CUgraph graph;
    relay *is;
    bool within;                                /* the node is a graph that has it */
} relay_node;

/* A copy that each launch of an executable brings; only copies to the device. */
typedef struct relay_use {
    struct relay_use *next;
    CUgraphExec executable;
    /* the node of the executable's own graph that it is within, or is */
    CUgraphNode node, under;
    relay *is;
} relay_use;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static relay_node *nodes;
static relay_use *uses;
static _Atomic bool some_used;                  /* there have been uses */

/* ---- bytes between the program and a staging buffer, where they lie close together ----------- */

static uint64_t bytes_of(const relay *r) {
    return r->asked.width * r->asked.height * r->asked.depth;
}

static uint8_t *row(const relay *r, uint64_t y, uint64_t z) {
    const box_side *side = &r->here;
    return (uint8_t *)(uintptr_t)side->host +
           ((side->z + z) * side->height + side->y + y) * side->pitch + side->x;
}

static bool is_one_piece(const relay *r) {
    const CUDA_MEMCPY3D *copy = &r->asked;
    bool rows_touch = copy->height == 1 || r->here.pitch == copy->width;
    return rows_touch &&
           (copy->depth == 1 || (r->here.pitch == copy->width && r->here.height == copy->height));
}

static void pack(const relay *r, uint8_t *packed, bool up) {
    const CUDA_MEMCPY3D *copy = &r->asked;
    for (uint64_t z = 0; z < copy->depth; z++)
        for (uint64_t y = 0; y < copy->height; y++, packed += copy->width)
            memcpy(up ? packed : row(r, y, z), up ? row(r, y, z) : packed, copy->width);
}

static CUresult store(const relay *r, const uint8_t *from) {
    CUresult result = CUDA_SUCCESS;
    for (uint64_t at = 0, bytes = bytes_of(r); at < bytes && result == CUDA_SUCCESS; at += OB_CHUNK)
        result = remote_outboardStagingStore(r->staging->address + at, from + at,
                                             bytes - at < OB_CHUNK ? bytes - at : OB_CHUNK, 0);
    return result;
}

static CUresult load(const relay *r, uint8_t *to) {
    CUresult result = CUDA_SUCCESS;
    for (uint64_t at = 0, bytes = bytes_of(r); at < bytes && result == CUDA_SUCCESS; at += OB_CHUNK)
        result = remote_outboardStagingLoad(to + at, r->staging->address + at,
                                            bytes - at < OB_CHUNK ? bytes - at : OB_CHUNK, 0);
    return result;
}

static CUresult bring(const relay *r) {
    if (is_one_piece(r))
        return store(r, row(r, 0, 0));
    uint8_t *packed = malloc(bytes_of(r));
    if (packed == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pack(r, packed, true);
    CUresult result = store(r, packed);
    free(packed);
    return result;
}

/* The function of the graph. It waits for no device, and so it may call. A failure here means that
 * the session is lost, and the program's next call says so. */
static void fetch(void *argument) {
    const relay *r = argument;
    uint8_t *packed = is_one_piece(r) ? NULL : malloc(bytes_of(r));
    ob_callback_may_call();
    if (is_one_piece(r))
        load(r, row(r, 0, 0));
    else if (packed != NULL && load(r, packed) == CUDA_SUCCESS)
        pack(r, packed, false);
    free(packed);
}

/* ---- relays ---------------------------------------------------------------------------------- */

/* Under the lock, as those that follow: of a relay; or all of a node, or of those that are within
 * it. */
static void forget_nodes(const relay *of, CUgraphNode node) {
    for (relay_node **at = &nodes; *at != NULL;) {
        relay_node *one = *at;
        bool meant = one->node == node || nested_under(one->graph, node);
        if (one->is == of || (of == NULL && meant)) {
            *at = one->next;
            free(one);
        } else {
            at = &one->next;
        }
    }
}

/* Of a relay; or of an executable, and there of one node or of all. */
static void forget_uses(const relay *of, CUgraphExec executable, CUgraphNode node) {
    for (relay_use **at = &uses; *at != NULL;) {
        relay_use *one = *at;
        bool meant = node == NULL || one->node == node || one->under == node;
        if (one->is == of || (of == NULL && one->executable == executable && meant)) {
            *at = one->next;
            free(one);
        } else {
            at = &one->next;
        }
    }
}

static void unmake(relay *r) {
    staging_put_back(r->staging);
    free(r);
}

/* Under the lock: whether nobody has it any more, and then no list does. */
static bool is_unused(const relay *r) {
    bool unused = r->over && r->users == 0;
    if (unused) {
        forget_nodes(r, NULL);
        forget_uses(r, NULL, NULL);
    }
    return unused;
}

/* By the driver, once nobody has it any more; a backend may say so at any time. */
static void end(void *argument) {
    relay *r = argument;
    ob_callback_forget(fetch, r);
    pthread_mutex_lock(&lock);
    r->over = true;
    bool unused = is_unused(r);
    pthread_mutex_unlock(&lock);
    if (unused)
        unmake(r);
}

static void let_go(relay *r) {
    pthread_mutex_lock(&lock);
    r->users--;
    bool unused = is_unused(r);
    pthread_mutex_unlock(&lock);
    if (unused)
        unmake(r);
}

/* No graph will have it: it ends with the caller. */
static void disown(relay *r) {
    pthread_mutex_lock(&lock);
    r->over = true;
    pthread_mutex_unlock(&lock);
}

/* The caller lets it go, and it stays until then. */
static CUresult make(const CUDA_MEMCPY3D *copy, relay **made) {
    relay *r = malloc(sizeof *r);
    if (r == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *r = (relay){.asked = *copy, .users = 1};
    r->up = graph_copy_is_ours(copy, SOURCE, &r->here);
    if (!r->up)
        graph_copy_is_ours(copy, DESTINATION, &r->here);
    CUresult result = staging_take(bytes_of(r), &r->staging);
    if (result != CUDA_SUCCESS) {
        free(r);
        return result;
    }
    *made = r;
    return CUDA_SUCCESS;
}

/* The copy between the device and the staging buffer. */
static CUresult copy_of_staging(const relay *r, CUDA_MEMCPY3D *copy) {
    box_side side = {.type = MEMORY_HOST,
                     .host = (const void *)(uintptr_t)r->staging->address,
                     .pitch = r->asked.width,
                     .height = r->asked.height};
    *copy = r->asked;
    graph_copy_put(copy, r->up ? SOURCE : DESTINATION, &side);
    return graph_copy_place(copy, r->up ? DESTINATION : SOURCE);
}

static CUresult fill_graph(const relay *r, CUgraph graph, CUcontext context) {
    CUgraphNode first = NULL, second = NULL;
    CUDA_MEMCPY3D copy;
    CUresult result = copy_of_staging(r, &copy);
    if (result == CUDA_SUCCESS)
        result = remote_cuGraphAddMemcpyNode(&first, graph, NULL, 0, &copy, context, 0);
    if (result != CUDA_SUCCESS || r->up)
        return result;
    host_functions_captured();
    return remote_outboardGraphAddHostNode(&second, graph, &first, 1, fetch, (void *)(uintptr_t)r,
                                           0);
}

/* From here on it is the graph's, too. */
static CUresult give(relay *r, CUgraph graph) {
    CUuserObject object = NULL;
    CUresult result = remote_cuUserObjectCreate(&object, r, end, 1, OWNED_ASYNCHRONOUSLY, 0);
    if (result != CUDA_SUCCESS) {
        if (ob_callback_refused(&ob_cuda, result, end, r))
            disown(r);
        return result;
    }
    result = remote_cuGraphRetainUserObject(graph, object, 1, MOVED, 0);
    if (result != CUDA_SUCCESS)
        remote_cuUserObjectRelease(object, 1, 0);
    return result;
}

static CUresult fill_and_give(relay *r, CUgraph graph, CUcontext context) {
    CUresult result = give(r, graph);
    return result == CUDA_SUCCESS ? fill_graph(r, graph, context) : result;
}

/* A graph that is one copy, which the caller lets go. */
static CUresult make_graph(const CUDA_MEMCPY3D *copy, CUcontext context, CUgraph *graph,
                           relay **kept) {
    *graph = NULL;
    CUresult result = remote_cuGraphCreate(graph, 0, 0);
    if (result != CUDA_SUCCESS)
        return result;
    result = make(copy, kept);
    if (result == CUDA_SUCCESS && (result = fill_and_give(*kept, *graph, context)) != CUDA_SUCCESS)
        let_go(*kept);
    if (result != CUDA_SUCCESS)
        remote_cuGraphDestroy(*graph, 0);
    return result;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Under the lock. */
static bool keep_node(CUgraphNode node, CUgraph graph, relay *is, bool within) {
    relay_node *one = malloc(sizeof *one);
    if (one == NULL)
        return false;
    *one = (relay_node){nodes, node, graph, is, within};
    nodes = one;
    return true;
}

/* Under the lock. */
static bool keep_use(CUgraphExec executable, CUgraphNode node, CUgraphNode under, relay *is) {
    relay_use *one = is->up ? malloc(sizeof *one) : NULL;
    if (one == NULL)
        return !is->up;
    *one = (relay_use){uses, executable, node, under, is};
    uses = one;
    atomic_store(&some_used, true);
    return true;
}

static relay_node *find(CUgraphNode node) {
    relay_node *one = nodes;
    while (one != NULL && (one->node != node || one->within))
        one = one->next;
    return one;
}

bool relay_find(CUgraphNode node, CUDA_MEMCPY3D *copy) {
    pthread_mutex_lock(&lock);
    const relay_node *found = find(node);
    if (found != NULL && copy != NULL)
        *copy = found->is->asked;
    pthread_mutex_unlock(&lock);
    return found != NULL;
}

CUresult relay_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                   uint64_t count, const CUDA_MEMCPY3D *copy, CUcontext context) {
    CUgraph alone;
    relay *r;
    if (nested_without_owner(graph))
        return CUDA_ERROR_NOT_SUPPORTED;
    CUresult result = make_graph(copy, context, &alone, &r);
    if (result != CUDA_SUCCESS)
        return result;
    result = remote_cuGraphAddChildGraphNode(node, graph, dependencies, count, alone, 0);
    pthread_mutex_lock(&lock);
    if (result == CUDA_SUCCESS && !keep_node(*node, graph, r, false))
        result = CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_unlock(&lock);
    let_go(r);
    remote_cuGraphDestroy(alone, 0);
    return result;
}

/* Whether a copy goes in the direction that a node has, from or to the program. */
static bool goes_like(CUgraphNode node, const CUDA_MEMCPY3D *copy) {
    box_side unused;
    pthread_mutex_lock(&lock);
    const relay_node *found = find(node);
    bool known = found != NULL, up = known && found->is->up;
    pthread_mutex_unlock(&lock);
    return known && graph_copy_is_ours(copy, up ? SOURCE : DESTINATION, &unused);
}

/* Under the lock. */
static CUgraphNode under_of(CUgraphExec executable, CUgraphNode node) {
    const relay_use *one = uses;
    while (one != NULL && (one->executable != executable || one->node != node))
        one = one->next;
    return one != NULL ? one->under : node;
}

/* In the place of what a node of an executable used. */
static CUresult use_instead(CUgraphExec executable, CUgraphNode node, relay *r) {
    pthread_mutex_lock(&lock);
    CUgraphNode under = under_of(executable, node);
    forget_uses(NULL, executable, node);
    bool kept = keep_use(executable, node, under, r);
    pthread_mutex_unlock(&lock);
    return kept ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* One of an executable stays a copy in the direction that it has. */
CUresult relay_change_executable(CUgraphExec executable, CUgraphNode node,
                                 const CUDA_MEMCPY3D *copy, CUcontext context) {
    CUgraph alone;
    relay *r;
    CUresult result = goes_like(node, copy) ? make_graph(copy, context, &alone, &r)
                                            : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    result = remote_cuGraphExecChildGraphNodeSetParams(executable, node, alone, 0);
    if (result == CUDA_SUCCESS)
        result = use_instead(executable, node, r);
    let_go(r);
    remote_cuGraphDestroy(alone, 0);
    return result;
}

/* One of a graph does too: there is a function in one direction only. */
static CUresult change_nodes(CUgraph graph, const relay *r) {
    CUgraphNode both[2] = {NULL, NULL};
    CUDA_MEMCPY3D copy;
    uint64_t count = sizeof both / sizeof both[0];
    CUresult result = copy_of_staging(r, &copy);
    if (result == CUDA_SUCCESS)
        result = remote_cuGraphGetNodes(graph, both, &count, 0);
    for (uint64_t i = 0; i < count && result == CUDA_SUCCESS; i++) {
        int type = 0;
        result = remote_cuGraphNodeGetType(both[i], &type, 0);
        if (result == CUDA_SUCCESS)
            result =
                type == NODE_HOST
                    ? remote_outboardGraphHostNodeSetParams(both[i], fetch, (void *)(uintptr_t)r, 0)
                    : remote_cuGraphMemcpyNodeSetParams(both[i], &copy, 0);
    }
    return result;
}

static void renew(CUgraphNode node, relay *is) {
    pthread_mutex_lock(&lock);
    relay_node *found = find(node);
    if (found != NULL)
        found->is = is;
    pthread_mutex_unlock(&lock);
}

static CUresult give_instead(CUgraphNode node, CUgraph graph, relay *r) {
    CUresult result = give(r, graph);
    if (result == CUDA_SUCCESS)
        result = change_nodes(graph, r);
    if (result == CUDA_SUCCESS)
        renew(node, r);
    return result;
}

/* The node's earlier copy goes with its graph. */
CUresult relay_change(CUgraphNode node, const CUDA_MEMCPY3D *copy) {
    CUgraph graph;
    relay *r = NULL;
    CUresult result = goes_like(node, copy) ? remote_cuGraphChildGraphNodeGetGraph(node, &graph, 0)
                                            : CUDA_ERROR_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS)
        result = make(copy, &r);
    if (result != CUDA_SUCCESS)
        return result;
    result = give_instead(node, graph, r);
    let_go(r);
    return result;
}

void relay_node_ended(CUgraphNode node) {
    pthread_mutex_lock(&lock);
    forget_nodes(NULL, node);
    pthread_mutex_unlock(&lock);
}

/* Under the lock, which keeps the nodes: nothing that is asked for waits for a function. */
static bool keep_clone(const relay_node *of, CUgraph graph, CUgraph clone) {
    CUgraphNode node, around = of->graph == graph ? NULL : nested_node(of->graph, graph);
    return remote_cuGraphNodeFindInClone(&node, around != NULL ? around : of->node, clone, 0) ==
               CUDA_SUCCESS &&
           keep_node(node, clone, of->is, around != NULL || of->within);
}

CUresult relay_cloned(CUgraph graph, CUgraph clone) {
    bool kept = true;
    pthread_mutex_lock(&lock);
    for (const relay_node *one = nodes; one != NULL && kept; one = one->next)
        if (nested_in(one->graph, graph))
            kept = keep_clone(one, graph, clone);
    pthread_mutex_unlock(&lock);
    return kept ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult relay_embedded(CUgraphNode node, CUgraph in, CUgraph child) {
    bool kept = true;
    pthread_mutex_lock(&lock);
    for (const relay_node *one = nodes; one != NULL && kept; one = one->next)
        if (nested_in(one->graph, child))
            kept = keep_node(node, in, one->is, true);
    pthread_mutex_unlock(&lock);
    return kept ? nested_own(node, in) : CUDA_ERROR_OUT_OF_MEMORY;
}

/* ---- executables ----------------------------------------------------------------------------- */

/* Under the lock. `under` is the node that all of them are within, NULL where they are the graph's
 * own. */
static bool use_one(CUgraphExec executable, const relay_node *one, CUgraph graph,
                    CUgraphNode under) {
    CUgraphNode around = one->graph == graph ? one->node : nested_node(one->graph, graph);
    return keep_use(executable, one->node, under != NULL ? under : around, one->is);
}

static bool use_all(CUgraphExec executable, CUgraph graph, CUgraphNode under) {
    bool kept = true;
    for (const relay_node *one = nodes; one != NULL && kept; one = one->next)
        if (nested_in(one->graph, graph))
            kept = use_one(executable, one, graph, under);
    return kept;
}

static CUresult use_now(CUgraphExec executable, CUgraph graph, CUgraphNode under) {
    pthread_mutex_lock(&lock);
    forget_uses(NULL, executable, under);
    bool kept = use_all(executable, graph, under);
    pthread_mutex_unlock(&lock);
    return kept ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult relay_executable(CUgraphExec executable, CUgraph graph) {
    return use_now(executable, graph, NULL);
}

CUresult relay_executable_child(CUgraphExec executable, CUgraphNode node, CUgraph child) {
    return use_now(executable, child, node);
}

void relay_executable_ended(CUgraphExec executable) {
    pthread_mutex_lock(&lock);
    forget_uses(NULL, executable, NULL);
    pthread_mutex_unlock(&lock);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* The one at an index of what an executable uses, NULL past the last; it stays until it is let go.
 */
static relay *hold(CUgraphExec executable, int index) {
    pthread_mutex_lock(&lock);
    const relay_use *one = uses;
    while (one != NULL && (one->executable != executable || index-- > 0))
        one = one->next;
    relay *held = one != NULL ? one->is : NULL;
    if (held != NULL)
        held->users++;
    pthread_mutex_unlock(&lock);
    return held;
}

/* Waits for the launch that the staging buffer was last filled for. */
static CUresult await_last(relay *r, CUstream unused, uint32_t flags) {
    CUresult result = CUDA_ERROR_INVALID_HANDLE;
    (void)unused;
    (void)flags;
    if (!r->launched)
        return CUDA_SUCCESS;
    if (!r->own_stream)
        result = remote_cuStreamSynchronize(r->stream, cuda_order(r->stream));
    return result == CUDA_ERROR_INVALID_HANDLE ? remote_cuCtxSynchronize(0) : result;
}

static CUresult bring_for(relay *r, CUstream stream, uint32_t flags) {
    r->launched = true;
    r->stream = stream;
    r->own_stream = (uintptr_t)stream <= 2 || flags != 0;
    return bring(r);
}

static CUresult with_each(CUgraphExec executable, CUresult (*work)(relay *, CUstream, uint32_t),
                          CUstream stream, uint32_t flags) {
    CUresult result = CUDA_SUCCESS;
    relay *r;
    for (int i = 0; result == CUDA_SUCCESS && (r = hold(executable, i)) != NULL; i++) {
        result = work(r, stream, flags);
        let_go(r);
    }
    return result;
}

/* First all are waited for: a wait for a stream is one round trip as long as nothing is sent after
 * it. */
static CUresult bring_all(CUgraphExec executable, CUstream stream, uint32_t flags) {
    CUresult result = with_each(executable, await_last, stream, flags);
    return result == CUDA_SUCCESS ? with_each(executable, bring_for, stream, flags) : result;
}

bool relay_brings(CUgraphExec executable) {
    if (!atomic_load_explicit(&some_used, memory_order_relaxed))
        return false;
    relay *first = hold(executable, 0);
    if (first != NULL)
        let_go(first);
    return first != NULL;
}

/* One at a time: bytes brought for one launch stay until that has been asked for. To be captured it
 * is refused, as by the vendor's driver (seen with 580). */
CUresult relay_launch(CUgraphExec executable, CUstream stream, uint32_t flags) {
    static pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER;
    bool captures;
    CUresult result = capture_find(stream, flags & OB_PER_THREAD, &captures);
    if (result != CUDA_SUCCESS || captures)
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    pthread_mutex_lock(&launching);
    result = bring_all(executable, stream, flags & OB_PER_THREAD);
    if (result == CUDA_SUCCESS)
        result = remote_cuGraphLaunch(executable, stream, flags);
    pthread_mutex_unlock(&launching);
    return result;
}
