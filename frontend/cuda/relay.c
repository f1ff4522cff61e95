/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies, in graphs, between a device and memory that only the program has. Such a copy is a graph of its own: the device copies from
 * or to a shadow, which is memory of the backend, and a function of the graph, which runs here, brings the bytes to the shadow before
 * that, or from it afterwards. The driver tells when no graph, no executable and no launch has the copy any more.
 */
#include "driver.h"

#include <pthread.h>
#include <stdlib.h>

enum { OWNED_ASYNCHRONOUSLY = 1, MOVED = 1 };   /* CU_USER_OBJECT_NO_DESTRUCTOR_SYNC, CU_GRAPH_USER_OBJECT_MOVE */
enum { SPARE_BYTES = 64 << 20 };                /* of shadows that are kept for the next copies */

typedef struct shadow {
    struct shadow *next;
    uint64_t address, bytes;
} shadow;

typedef struct relay {
    CUDA_MEMCPY3D asked;
    bool up;                                    /* to the device */
    box_side here;                              /* the program's side */
    shadow *shadow;
} relay;

typedef struct relay_node {
    struct relay_node *next;
    CUgraphNode node;
    CUgraph graph;
    const relay *is;
} relay_node;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static relay_node *nodes;
static shadow *spare;
static uint64_t spare_bytes;

/* ---- shadows ------------------------------------------------------------------------------------------------------- */

static void put_spare(shadow *s) {
    pthread_mutex_lock(&lock);
    s->next = spare;
    spare = s;
    spare_bytes += s->bytes;
    pthread_mutex_unlock(&lock);
}

/* The smallest that fits and is not far too large. */
static shadow *take_fitting(uint64_t bytes) {
    shadow **best = NULL;
    for (shadow **at = &spare; *at != NULL; at = &(*at)->next)
        if ((*at)->bytes >= bytes && (*at)->bytes / 2 <= bytes && (best == NULL || (*at)->bytes < (*best)->bytes))
            best = at;
    shadow *taken = best != NULL ? *best : NULL;
    if (taken != NULL) {
        *best = taken->next;
        spare_bytes -= taken->bytes;
    }
    return taken;
}

/* All of them, if they are too many to be kept. */
static shadow *take_surplus(void) {
    shadow *taken = spare_bytes > SPARE_BYTES ? spare : NULL;
    if (taken != NULL) {
        spare = NULL;
        spare_bytes = 0;
    }
    return taken;
}

static void end_shadows(shadow *s) {
    while (s != NULL) {
        shadow *next = s->next;
        remote_outboardShadowEnd(s->address, OB_ORDERED);
        free(s);
        s = next;
    }
}

static CUresult make_shadow(uint64_t bytes, shadow **made) {
    shadow *s = malloc(sizeof *s);
    if (s == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *s = (shadow){.bytes = bytes};
    CUresult result = remote_outboardShadowMake(&s->address, bytes, 0);
    if (result != CUDA_SUCCESS) {
        free(s);
        return result;
    }
    *made = s;
    return CUDA_SUCCESS;
}

static CUresult take_shadow(uint64_t bytes, shadow **taken) {
    pthread_mutex_lock(&lock);
    *taken = take_fitting(bytes);
    shadow *surplus = *taken == NULL ? take_surplus() : NULL;
    pthread_mutex_unlock(&lock);
    end_shadows(surplus);
    return *taken != NULL ? CUDA_SUCCESS : make_shadow(bytes, taken);
}

/* ---- bytes between the program and a shadow, where they lie close together ---------------------------------------------- */

static uint64_t bytes_of(const relay *r) { return r->asked.width * r->asked.height * r->asked.depth; }

static uint8_t *row(const relay *r, uint64_t y, uint64_t z) {
    const box_side *side = &r->here;
    return (uint8_t *)(uintptr_t)side->host + ((side->z + z) * side->height + side->y + y) * side->pitch + side->x;
}

static bool is_one_piece(const relay *r) {
    const CUDA_MEMCPY3D *copy = &r->asked;
    bool rows_touch = copy->height == 1 || r->here.pitch == copy->width;
    return rows_touch && (copy->depth == 1 || (r->here.pitch == copy->width && r->here.height == copy->height));
}

static void pack(const relay *r, uint8_t *packed, bool up) {
    const CUDA_MEMCPY3D *copy = &r->asked;
    for (uint64_t z = 0; z < copy->depth; z++)
        for (uint64_t y = 0; y < copy->height; y++, packed += copy->width)
            memcpy(up ? packed : row(r, y, z), up ? row(r, y, z) : packed, copy->width);
}

/* What fails here fails because the session is lost, as the program's next call says. */
static void store(const relay *r, const uint8_t *from) {
    CUresult result = CUDA_SUCCESS;
    for (uint64_t at = 0, bytes = bytes_of(r); at < bytes && result == CUDA_SUCCESS; at += OB_CHUNK)
        result = remote_outboardShadowStore(r->shadow->address + at, from + at, bytes - at < OB_CHUNK ? bytes - at : OB_CHUNK, 0);
}

static CUresult load(const relay *r, uint8_t *to) {
    CUresult result = CUDA_SUCCESS;
    for (uint64_t at = 0, bytes = bytes_of(r); at < bytes && result == CUDA_SUCCESS; at += OB_CHUNK)
        result = remote_outboardShadowLoad(to + at, r->shadow->address + at, bytes - at < OB_CHUNK ? bytes - at : OB_CHUNK, 0);
    return result;
}

static void store_packed(const relay *r, uint8_t *packed) {
    pack(r, packed, true);
    store(r, packed);
}

static void load_packed(const relay *r, uint8_t *packed) {
    if (load(r, packed) == CUDA_SUCCESS)
        pack(r, packed, false);
}

static void bring(const relay *r, uint8_t *close_together) {
    if (close_together != NULL)
        (r->up ? store_packed : load_packed)(r, close_together);
    else if (r->up)
        store(r, row(r, 0, 0));
    else
        load(r, row(r, 0, 0));
}

/* The function of the graph. It waits for no device, and so it may call. */
static void run(void *argument) {
    const relay *r = argument;
    uint8_t *packed = is_one_piece(r) ? NULL : malloc(bytes_of(r));
    ob_callback_may_call();
    if (packed != NULL || is_one_piece(r))
        bring(r, packed);
    free(packed);
}

/* ---- relays -------------------------------------------------------------------------------------------------------- */

static void forget_nodes(const relay *of) {
    pthread_mutex_lock(&lock);
    for (relay_node **at = &nodes; *at != NULL;) {
        relay_node *one = *at;
        if (one->is == of) {
            *at = one->next;
            free(one);
        } else {
            at = &one->next;
        }
    }
    pthread_mutex_unlock(&lock);
}

static void unmake(relay *r) {
    put_spare(r->shadow);
    free(r);
}

/* By the driver, once nobody has it any more. */
static void end(void *argument) {
    relay *r = argument;
    ob_callback_forget(run, r);
    forget_nodes(r);
    unmake(r);
}

static CUresult make(const CUDA_MEMCPY3D *copy, relay **made) {
    relay *r = malloc(sizeof *r);
    if (r == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *r = (relay){.asked = *copy};
    r->up = graph_copy_is_ours(copy, SOURCE, &r->here);
    if (!r->up)
        graph_copy_is_ours(copy, DESTINATION, &r->here);
    CUresult result = take_shadow(bytes_of(r), &r->shadow);
    if (result != CUDA_SUCCESS) {
        free(r);
        return result;
    }
    *made = r;
    return CUDA_SUCCESS;
}

/* What the device copies. */
static CUresult copy_of_shadow(const relay *r, CUDA_MEMCPY3D *copy) {
    box_side side = {.type = MEMORY_HOST, .host = (const void *)(uintptr_t)r->shadow->address, .pitch = r->asked.width, .height = r->asked.height};
    *copy = r->asked;
    graph_copy_put(copy, r->up ? SOURCE : DESTINATION, &side);
    return graph_copy_place(copy, r->up ? DESTINATION : SOURCE);
}

static CUresult fill_graph(const relay *r, CUgraph graph, CUcontext context) {
    CUgraphNode first = NULL, second = NULL;
    CUDA_MEMCPY3D copy;
    CUresult result = copy_of_shadow(r, &copy);
    if (result == CUDA_SUCCESS && r->up)
        result = remote_outboardGraphAddHostNode(&first, graph, NULL, 0, run, (void *)(uintptr_t)r, 0);
    if (result == CUDA_SUCCESS)
        result = remote_cuGraphAddMemcpyNode(r->up ? &second : &first, graph, r->up ? &first : NULL, r->up, &copy, context, 0);
    if (!r->up)
        host_functions_captured();
    if (result == CUDA_SUCCESS && !r->up)
        result = remote_outboardGraphAddHostNode(&second, graph, &first, 1, run, (void *)(uintptr_t)r, 0);
    return result;
}

/* From here on it is the graph's. */
static CUresult give(relay *r, CUgraph graph) {
    CUuserObject object = NULL;
    CUresult result = remote_cuUserObjectCreate(&object, r, end, 1, OWNED_ASYNCHRONOUSLY, 0);
    if (result != CUDA_SUCCESS) {
        unmake(r);
        return result;
    }
    result = remote_cuGraphRetainUserObject(graph, object, 1, MOVED, 0);
    if (result != CUDA_SUCCESS)
        remote_cuUserObjectRelease(object, 1, 0);
    return result;
}

/* A graph that is one copy; *kept is valid as long as the graph or a copy of it is. */
static CUresult make_graph(const CUDA_MEMCPY3D *copy, CUcontext context, CUgraph *graph, const relay **kept) {
    relay *r = NULL;
    *graph = NULL;
    CUresult result = remote_cuGraphCreate(graph, 0, 0);
    if (result != CUDA_SUCCESS)
        return result;
    result = make(copy, &r);
    if (result == CUDA_SUCCESS)
        result = give(r, *graph);
    if (result == CUDA_SUCCESS)
        result = fill_graph(r, *graph, context);
    if (result != CUDA_SUCCESS)
        remote_cuGraphDestroy(*graph, 0);
    *kept = r;
    return result;
}

/* ---- nodes --------------------------------------------------------------------------------------------------------- */

/* Without room its node is told to be a graph. */
static void keep_node(CUgraphNode node, CUgraph graph, const relay *is) {
    relay_node *one = malloc(sizeof *one);
    if (one == NULL)
        return;
    pthread_mutex_lock(&lock);
    *one = (relay_node){nodes, node, graph, is};
    nodes = one;
    pthread_mutex_unlock(&lock);
}

static relay_node *find(CUgraphNode node) {
    relay_node *one = nodes;
    while (one != NULL && one->node != node)
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

CUresult relay_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, uint64_t count, const CUDA_MEMCPY3D *copy,
                   CUcontext context) {
    CUgraph alone;
    const relay *r;
    CUresult result = make_graph(copy, context, &alone, &r);
    if (result != CUDA_SUCCESS)
        return result;
    result = remote_cuGraphAddChildGraphNode(node, graph, dependencies, count, alone, 0);
    if (result == CUDA_SUCCESS)
        keep_node(*node, graph, r);
    remote_cuGraphDestroy(alone, 0);
    return result;
}

static bool goes_up(const CUDA_MEMCPY3D *copy) {
    box_side unused;
    return graph_copy_is_ours(copy, SOURCE, &unused);
}

static bool goes_down(const CUDA_MEMCPY3D *copy) {
    box_side unused;
    return graph_copy_is_ours(copy, DESTINATION, &unused);
}

static bool node_goes_up(CUgraphNode node) {
    pthread_mutex_lock(&lock);
    bool up = find(node)->is->up;
    pthread_mutex_unlock(&lock);
    return up;
}

/* One of an executable stays a copy in the direction that it has, from or to the program. */
CUresult relay_change_executable(CUgraphExec executable, CUgraphNode node, const CUDA_MEMCPY3D *copy, CUcontext context) {
    CUgraph alone;
    const relay *r;
    bool same = node_goes_up(node) ? goes_up(copy) : goes_down(copy);
    CUresult result = same ? make_graph(copy, context, &alone, &r) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    result = remote_cuGraphExecChildGraphNodeSetParams(executable, node, alone, 0);
    remote_cuGraphDestroy(alone, 0);
    return result;
}

/* What a relay's graph consists of. */
typedef struct pair {
    CUgraph graph;
    CUgraphNode function, copy;
} pair;

static CUresult find_pair(CUgraphNode node, pair *to) {
    CUgraphNode both[2];
    uint64_t count = 2;
    int type = NODE_HOST;
    CUresult result = remote_cuGraphChildGraphNodeGetGraph(node, &to->graph, 0);
    if (result == CUDA_SUCCESS)
        result = remote_cuGraphGetNodes(to->graph, both, &count, 0);
    if (result == CUDA_SUCCESS)
        result = remote_cuGraphNodeGetType(both[0], &type, 0);
    to->function = both[type != NODE_HOST];
    to->copy = both[type == NODE_HOST];
    return result;
}

static CUresult turn(const pair *p, bool up) {
    const CUgraphNode *first = up ? &p->function : &p->copy, *last = up ? &p->copy : &p->function;
    CUresult result = remote_cuGraphRemoveDependencies_v2(p->graph, last, first, NULL, 1, 0);
    return result == CUDA_SUCCESS ? remote_cuGraphAddDependencies_v2(p->graph, first, last, NULL, 1, 0) : result;
}

static CUresult change_pair(const pair *p, const relay *r) {
    CUDA_MEMCPY3D copy;
    CUresult result = copy_of_shadow(r, &copy);
    if (result == CUDA_SUCCESS)
        result = remote_outboardGraphHostNodeSetParams(p->function, run, (void *)(uintptr_t)r, 0);
    return result == CUDA_SUCCESS ? remote_cuGraphMemcpyNodeSetParams(p->copy, &copy, 0) : result;
}

static void renew(CUgraphNode node, const relay *is) {
    pthread_mutex_lock(&lock);
    find(node)->is = is;
    pthread_mutex_unlock(&lock);
}

/* What the node had before goes with its graph. */
CUresult relay_change(CUgraphNode node, const CUDA_MEMCPY3D *copy) {
    pair p;
    relay *r = NULL;
    bool turns = node_goes_up(node) != goes_up(copy);
    CUresult result = goes_up(copy) != goes_down(copy) ? find_pair(node, &p) : CUDA_ERROR_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS)
        result = make(copy, &r);
    if (result == CUDA_SUCCESS)
        result = give(r, p.graph);
    if (result == CUDA_SUCCESS)
        result = change_pair(&p, r);
    if (result == CUDA_SUCCESS && turns)
        result = turn(&p, r->up);
    if (result == CUDA_SUCCESS)
        renew(node, r);
    return result;
}

/* Under the lock, which keeps the nodes: nothing that is asked for waits for a function. */
static void keep_clone(const relay_node *of, CUgraph clone) {
    CUgraphNode node;
    relay_node *one = malloc(sizeof *one);
    if (one != NULL && remote_cuGraphNodeFindInClone(&node, of->node, clone, 0) == CUDA_SUCCESS) {
        *one = (relay_node){nodes, node, clone, of->is};
        nodes = one;
    } else {
        free(one);
    }
}

void relay_cloned(CUgraph graph, CUgraph clone) {
    pthread_mutex_lock(&lock);
    for (const relay_node *one = nodes; one != NULL; one = one->next)
        if (one->graph == graph)
            keep_clone(one, clone);
    pthread_mutex_unlock(&lock);
}
