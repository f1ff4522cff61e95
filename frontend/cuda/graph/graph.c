/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs: launches as nodes are packed as launches are.
 */
#include "graph/graph.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct host_node {
    void (*function)(void *);
    void *user_data;
} host_node;

/* CUDA_CONDITIONAL_NODE_PARAMS */
typedef struct conditional_node {
    uint64_t condition;
    int kind;
    unsigned int size;
    const CUgraph *bodies;      /* the driver's, as long as the node is there */
    CUcontext context;
} conditional_node;

/* CUDA_CHILD_GRAPH_NODE_PARAMS */
typedef struct child_node {
    CUgraph graph;
    int ownership;
} child_node;

/* CUgraphNodeParams */
typedef struct any_node {
    int type, reserved[3];
    union {
        uint64_t words[29];
        kernel_node kernel;
        struct {
            int flags, reserved;
            CUcontext context;
            CUDA_MEMCPY3D copy;
        } copy;
        struct {
            CUDA_MEMSET_NODE_PARAMS fill;
            CUcontext context;
        } fill;
        host_node host;
        child_node child;
        CUevent event;
        CUDA_MEM_ALLOC_NODE_PARAMS allocation;
        CUdeviceptr freed;
        CUDA_BATCH_MEM_OP_NODE_PARAMS batch;
        conditional_node conditional;
    } of;
    uint64_t reserved2;
} any_node;

_Static_assert(sizeof(kernel_node) == 72 && offsetof(kernel_node, kernel) == 56 &&
                   sizeof(any_node) == 256,
               "the vendor's layout");

/* ---- launches -------------------------------------------------------------------------------- */

typedef struct packed_node {
    ob_kernel_node launch;
    launch_bytes parameters;
} packed_node;

static CUresult pack(const kernel_node *node, bool first_version, packed_node *to) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (node == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    to->launch = (ob_kernel_node){
        .function = node->function != NULL || first_version ? node->function
                                                            : (CUfunction)node->kernel,
        .gridX = node->grid[0],
        .gridY = node->grid[1],
        .gridZ = node->grid[2],
        .blockX = node->block[0],
        .blockY = node->block[1],
        .blockZ = node->block[2],
        .sharedBytes = node->shared_bytes,
        .context = first_version ? NULL : node->context,
    };
    return launch_pack(to->launch.function, node->parameters, node->extra, &to->parameters);
}

static CUresult add_kernel(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                           uint64_t count, const kernel_node *launch, bool first_version) {
    packed_node p;
    CUgraphNode made = NULL;
    CUresult result = node == NULL ? CUDA_ERROR_INVALID_VALUE : pack(launch, first_version, &p);
    if (result == CUDA_SUCCESS)
        result = remote_outboardGraphAddKernelNode(&made, graph, dependencies, count, &p.launch,
                                                   p.parameters.bytes, (int)p.parameters.size, 0);
    if (result == CUDA_SUCCESS)
        *node = made;
    return result;
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              size_t count, const void *launch) {
    return add_kernel(node, graph, dependencies, count, launch, true);
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                 size_t count, const void *launch) {
    return add_kernel(node, graph, dependencies, count, launch, false);
}

static CUresult set_kernel(CUgraphNode node, const void *launch, bool first_version) {
    packed_node p;
    CUresult result = pack(launch, first_version, &p);
    return result != CUDA_SUCCESS
               ? result
               : remote_outboardGraphKernelNodeSetParams(node, &p.launch, p.parameters.bytes,
                                                         (int)p.parameters.size, 0);
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const void *launch) {
    return set_kernel(node, launch, true);
}
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const void *launch) {
    return set_kernel(node, launch, false);
}

static CUresult set_executable(CUgraphExec executable, CUgraphNode node, const void *launch,
                               bool first_version) {
    packed_node p;
    CUresult result = pack(launch, first_version, &p);
    if (result != CUDA_SUCCESS)
        return result;
    node_change change = change_of(executable, node, &p.launch, sizeof p.launch);
    uint32_t flags = change_flags(&change);
    return change_made(&change, flags,
                       remote_outboardGraphExecKernelNodeSetParams(executable, node, &p.launch,
                                                                   p.parameters.bytes,
                                                                   (int)p.parameters.size, flags));
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const void *launch) {
    return set_executable(executable, node, launch, true);
}
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node,
                                           const void *launch) {
    return set_executable(executable, node, launch, false);
}

/* A node's parameters as the driver reports them; they live until the thread asks again. */
typedef struct found_node {
    ob_kernel_node launch;
    uint8_t bytes[PARAMETER_LIMIT];
    void *pointers[sizeof((FunctionFacts *)0)->layout / sizeof(int) / 2];
} found_node;

static CUresult point(found_node *found) {
    const FunctionFacts *facts;
    CUresult result = launch_facts(found->launch.function, &facts);
    size_t most = sizeof found->pointers / sizeof found->pointers[0];
    for (int i = 0; result == CUDA_SUCCESS && i < facts->parameters && (size_t)i < most; i++) {
        launch_place place;
        if (!launch_place_of(facts, i, &place))
            return CUDA_ERROR_NOT_SUPPORTED;
        found->pointers[i] = found->bytes + place.offset;
    }
    return result;
}

static CUresult get_kernel(CUgraphNode node, kernel_node *launch, bool first_version) {
    static ob_own_memory latest = {.bytes = sizeof(found_node)};
    found_node *found = ob_own(&latest);
    CUresult result = driver_ready();
    if (result == CUDA_SUCCESS && launch == NULL)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && found == NULL)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result == CUDA_SUCCESS)
        result = remote_outboardGraphKernelNodeGetParams(node, &found->launch, found->bytes,
                                                         PARAMETER_LIMIT, 0);
    if (result == CUDA_SUCCESS)
        result = point(found);
    if (result != CUDA_SUCCESS)
        return result;
    const ob_kernel_node *one = &found->launch;
    kernel_node answer = {one->function,
                          {one->gridX, one->gridY, one->gridZ},
                          {one->blockX, one->blockY, one->blockZ},
                          one->sharedBytes,
                          one->parameterBytes > 0 ? found->pointers : NULL,
                          NULL,
                          NULL,
                          one->context};
    memcpy(launch, &answer, first_version ? offsetof(kernel_node, kernel) : sizeof answer);
    return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, void *launch) {
    return get_kernel(node, launch, true);
}
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, void *launch) {
    return get_kernel(node, launch, false);
}

/* ---- functions of the program ---------------------------------------------------------------- */

typedef struct kept_host {
    host_node *now;             /* under the lock */
} kept_host;

static pthread_mutex_t hosts_lock = PTHREAD_MUTEX_INITIALIZER;
static known_table hosts;

/* Keeps the function that a node calls, for later questions. Without room nobody is told. */
static void keep_host(CUgraphNode node, const host_node *host) {
    host_node *copy = malloc(sizeof *copy);
    if (copy == NULL)
        return;
    *copy = *host;
    kept_host entry = {copy};
    pthread_mutex_lock(&hosts_lock);
    const kept_host *kept = known_keep(&hosts, (uint64_t)(uintptr_t)node, &entry, sizeof entry);
    if (kept == NULL || kept->now != copy)
        free(copy);
    if (kept != NULL)
        *kept->now = *host;
    pthread_mutex_unlock(&hosts_lock);
}

CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                            size_t count, const void *asked) {
    const host_node *host = asked;
    CUgraphNode made = NULL;
    if (node == NULL || host == NULL || host->function == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = driver_ready();
    if (result == CUDA_SUCCESS)
        result = remote_outboardGraphAddHostNode(&made, graph, dependencies, count, host->function,
                                                 host->user_data, 0);
    if (result != CUDA_SUCCESS)
        return result;
    host_functions_captured();
    keep_host(made, host);
    *node = made;
    return CUDA_SUCCESS;
}

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const void *asked) {
    const host_node *host = asked;
    if (host == NULL || host->function == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = driver_ready();
    if (result == CUDA_SUCCESS)
        result = remote_outboardGraphHostNodeSetParams(node, host->function, host->user_data, 0);
    if (result == CUDA_SUCCESS)
        keep_host(node, host);
    return result;
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec executable, CUgraphNode node, const void *asked) {
    const host_node *host = asked;
    if (host == NULL || host->function == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = driver_ready();
    return result != CUDA_SUCCESS ? result
                                  : remote_outboardGraphExecHostNodeSetParams(
                                        executable, node, host->function, host->user_data, 0);
}

/* Of a node that was captured or cloned nobody here knows what it calls. */
CUresult cuGraphHostNodeGetParams(CUgraphNode node, void *asked) {
    int type = 0;
    if (asked == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = remote_cuGraphNodeGetType(node, &type, 0);
    if (result != CUDA_SUCCESS || type != NODE_HOST)
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    const kept_host *kept = known_find(&hosts, (uint64_t)(uintptr_t)node);
    if (kept == NULL)
        return CUDA_ERROR_NOT_SUPPORTED;
    pthread_mutex_lock(&hosts_lock);
    memcpy(asked, kept->now, sizeof *kept->now);
    pthread_mutex_unlock(&hosts_lock);
    return CUDA_SUCCESS;
}

/* ---- memory ---------------------------------------------------------------------------------- */

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                uint64_t count, CUDA_MEM_ALLOC_NODE_PARAMS *allocation) {
    if (node == NULL || allocation == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (allocation->accessCount != 0)
        return CUDA_ERROR_NOT_SUPPORTED;
    CUDA_MEM_ALLOC_NODE_PARAMS there = *allocation;
    CUgraphNode made = NULL;
    CUresult result = driver_ready();
    if (result == CUDA_SUCCESS)
        result = CUDA_MEM_ALLOC_NODE_PARAMS_for_backend(&there);
    there.access = 0;
    if (result == CUDA_SUCCESS)
        result = remote_cuGraphAddMemAllocNode(&made, graph, dependencies, count, &there, 0);
    if (result == CUDA_SUCCESS)
        result = memory_remember_of_graph(there.pointer, there.bytes);
    if (result != CUDA_SUCCESS)
        return result;
    allocation->pointer = there.pointer;
    *node = made;
    return CUDA_SUCCESS;
}

/* ---- conditions ------------------------------------------------------------------------------ */

enum { MOST_BODIES = 1024 };

static known_table bodies_of;

static CUresult add_conditional(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                size_t count, conditional_node *wanted) {
    static ob_own_memory rooms = {.bytes = MOST_BODIES * sizeof(CUgraph)};
    CUgraph *bodies = ob_own(&rooms);
    CUgraphNode made = NULL;
    if (wanted->size == 0 || wanted->size > MOST_BODIES)
        return CUDA_ERROR_INVALID_VALUE;
    if (bodies == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = remote_outboardGraphAddConditionalNode(
        &made, graph, dependencies, count, wanted->context, wanted->condition, wanted->kind, bodies,
        (int)wanted->size, 0);
    if (result != CUDA_SUCCESS)
        return result;
    wanted->bodies =
        known_keep(&bodies_of, (uint64_t)(uintptr_t)made, bodies, wanted->size * sizeof *bodies);
    result = wanted->bodies == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    for (unsigned int i = 0; i < wanted->size && result == CUDA_SUCCESS; i++)
        result = nested_keep(bodies[i], NULL, made);
    if (result != CUDA_SUCCESS) {
        remote_cuGraphDestroyNode(made, 0);
        return result;
    }
    *node = made;
    return CUDA_SUCCESS;
}

/* ---- graphs that are nodes ------------------------------------------------------------------- */

enum { CLONED, MOVED }; /* CUgraphChildGraphNodeOwnership */

static CUresult add_child(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                          size_t count, const child_node *child) {
    switch (child->ownership) {
    case CLONED:
        return cuGraphAddChildGraphNode(node, graph, dependencies, count, child->graph);
    case MOVED:
        return graph_move_child(node, graph, dependencies, count, child->graph);
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

/* ---- nodes of any kind ----------------------------------------------------------------------- */

static CUresult add_any(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                        size_t count, any_node *any) {
    switch (any->type) {
    case NODE_KERNEL:
        return cuGraphAddKernelNode_v2(node, graph, dependencies, count, &any->of.kernel);
    case NODE_MEMCPY:
        return cuGraphAddMemcpyNode(node, graph, dependencies, count, &any->of.copy.copy,
                                    any->of.copy.context);
    case NODE_MEMSET:
        return cuGraphAddMemsetNode(node, graph, dependencies, count, &any->of.fill.fill,
                                    any->of.fill.context);
    case NODE_HOST:
        return cuGraphAddHostNode(node, graph, dependencies, count, &any->of.host);
    case NODE_GRAPH:
        return add_child(node, graph, dependencies, count, &any->of.child);
    case NODE_EMPTY:
        return cuGraphAddEmptyNode(node, graph, dependencies, count);
    case NODE_WAIT_EVENT:
        return cuGraphAddEventWaitNode(node, graph, dependencies, count, any->of.event);
    case NODE_EVENT_RECORD:
        return cuGraphAddEventRecordNode(node, graph, dependencies, count, any->of.event);
    case NODE_MEM_ALLOC:
        return cuGraphAddMemAllocNode(node, graph, dependencies, count, &any->of.allocation);
    case NODE_MEM_FREE:
        return cuGraphAddMemFreeNode(node, graph, dependencies, count, any->of.freed);
    case NODE_BATCH:
        return cuGraphAddBatchMemOpNode(node, graph, dependencies, count, &any->of.batch);
    case NODE_CONDITIONAL:
        return add_conditional(node, graph, dependencies, count, &any->of.conditional);
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

CUresult cuGraphNodeSetParams(CUgraphNode node, void *parameters) {
    const any_node *any = parameters;
    if (any == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    switch (any->type) {
    case NODE_KERNEL:
        return cuGraphKernelNodeSetParams_v2(node, &any->of.kernel);
    case NODE_MEMCPY:
        return cuGraphMemcpyNodeSetParams(node, &any->of.copy.copy);
    case NODE_MEMSET:
        return cuGraphMemsetNodeSetParams(node, &any->of.fill.fill);
    case NODE_HOST:
        return cuGraphHostNodeSetParams(node, &any->of.host);
    case NODE_WAIT_EVENT:
        return cuGraphEventWaitNodeSetEvent(node, any->of.event);
    case NODE_EVENT_RECORD:
        return cuGraphEventRecordNodeSetEvent(node, any->of.event);
    case NODE_BATCH:
        return cuGraphBatchMemOpNodeSetParams(node, &any->of.batch);
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

CUresult cuGraphExecNodeSetParams(CUgraphExec executable, CUgraphNode node, void *parameters) {
    const any_node *any = parameters;
    if (any == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    switch (any->type) {
    case NODE_KERNEL:
        return cuGraphExecKernelNodeSetParams_v2(executable, node, &any->of.kernel);
    case NODE_MEMCPY:
        return cuGraphExecMemcpyNodeSetParams(executable, node, &any->of.copy.copy,
                                              any->of.copy.context);
    case NODE_MEMSET:
        return cuGraphExecMemsetNodeSetParams(executable, node, &any->of.fill.fill,
                                              any->of.fill.context);
    case NODE_HOST:
        return cuGraphExecHostNodeSetParams(executable, node, &any->of.host);
    case NODE_GRAPH:
        return cuGraphExecChildGraphNodeSetParams(executable, node, any->of.child.graph);
    case NODE_WAIT_EVENT:
        return cuGraphExecEventWaitNodeSetEvent(executable, node, any->of.event);
    case NODE_EVENT_RECORD:
        return cuGraphExecEventRecordNodeSetEvent(executable, node, any->of.event);
    case NODE_BATCH:
        return cuGraphExecBatchMemOpNodeSetParams(executable, node, &any->of.batch);
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

/* The edges' data are sent after the node is there. */
static CUresult add_edges(CUgraphNode node, CUgraph graph, const CUgraphNode *dependencies,
                          const CUgraphEdgeData *edges, size_t count) {
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = remote_cuGraphAddDependencies_v2(graph, &dependencies[i], &node, &edges[i], 1, 0);
    if (result != CUDA_SUCCESS)
        remote_cuGraphDestroyNode(node, 0);
    return result;
}

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                           const CUgraphEdgeData *edges, size_t count, void *parameters) {
    if (node == NULL || parameters == NULL || (dependencies == NULL && count > 0))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = add_any(node, graph, dependencies, edges != NULL ? 0 : count, parameters);
    return result == CUDA_SUCCESS && edges != NULL
               ? add_edges(*node, graph, dependencies, edges, count)
               : result;
}

CUresult graph_add_copy(CUgraphNode *node, const capture_point *at, const CUDA_MEMCPY3D *copy) {
    any_node any = {.type = NODE_MEMCPY, .of.copy = {.copy = *copy, .context = context_current()}};
    return cuGraphAddNode_v2(node, at->graph, at->dependencies, at->edges, at->count, &any);
}

/* ---- executables ----------------------------------------------------------------------------- */

CUresult cuGraphInstantiate_v2(CUgraphExec *executable, CUgraph graph, CUgraphNode *error_node,
                               char *log, size_t room) {
    if (error_node != NULL)
        *error_node = NULL;
    if (log != NULL && room > 0)
        *log = '\0';
    return cuGraphInstantiateWithFlags(executable, graph, 0);
}

/* Of memory that was not freed a launch tells at once. */
static CUresult launch(CUgraphExec executable, CUstream stream, uint32_t flags) {
    uint32_t answered = memory_is_in_graphs() ? flags | OB_ANSWER : flags;
    return (relay_brings(executable) ? relay_launch : remote_cuGraphLaunch)(executable, stream,
                                                                            answered);
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
    return launch(executable, stream, 0);
}
CUresult cuGraphLaunch_ptsz(CUgraphExec executable, CUstream stream) {
    return launch(executable, stream, OB_PER_THREAD);
}

CUresult cuGraphInstantiate(CUgraphExec *executable, CUgraph graph, CUgraphNode *error_node,
                            char *log, size_t room) {
    return cuGraphInstantiate_v2(executable, graph, error_node, log, room);
}

CUresult cuGraphExecUpdate_v2(CUgraphExec executable, CUgraph graph,
                              CUgraphExecUpdateResultInfo *information) {
    int outcome = CUDA_SUCCESS;
    CUgraphExecUpdateResultInfo found = {0, NULL, NULL};
    CUresult result = remote_outboardGraphExecUpdate(executable, graph, &found, &outcome, 0);
    if (result != CUDA_SUCCESS)
        return result;
    if (information != NULL)
        *information = found;
    return outcome == CUDA_SUCCESS ? relay_executable(executable, graph) : outcome;
}

CUresult cuGraphExecUpdate(CUgraphExec executable, CUgraph graph, CUgraphNode *error_node,
                           int *result) {
    CUgraphExecUpdateResultInfo found = {0, NULL, NULL};
    CUresult answer = cuGraphExecUpdate_v2(executable, graph, &found);
    if (error_node != NULL)
        *error_node = found.errorNode;
    if (result != NULL)
        *result = found.result;
    return answer;
}
