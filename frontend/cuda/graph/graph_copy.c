/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies as nodes of graphs. Memory that the backend shares is named, as it finds it when the graph
 * is launched; copies of memory that only the program has are relays (relay.c).
 */
#include "graph/graph.h"

enum { SET_DEPENDENCIES = 1 };  /* CU_STREAM_SET_CAPTURE_DEPENDENCIES */

/* ---- the sides of a copy --------------------------------------------------------------------- */

static box_side get_side(const CUDA_MEMCPY3D *copy, enum end which) {
    box_side side;
    memcpy(&side, (const uint8_t *)copy + which * sizeof side, sizeof side);
    return side;
}

void graph_copy_put(CUDA_MEMCPY3D *copy, enum end which, const box_side *side) {
    memcpy((uint8_t *)copy + which * sizeof *side, side, sizeof *side);
}

static uint64_t extent_of(const box_side *side, const CUDA_MEMCPY3D *copy) {
    if (copy->width == 0 || copy->height == 0 || copy->depth == 0)
        return 1;
    uint64_t rows = (side->z + copy->depth - 1) * side->height + side->y + copy->height - 1;
    return rows * side->pitch + side->x + copy->width;
}

/* Which kind of memory a unified address is; false if it is neither the program's nor the device's,
 * but an array, or nothing. */
static bool settle_kind(box_side *side) {
    CUdeviceptr address = side->type == MEMORY_HOST ? (CUdeviceptr)(uintptr_t)side->host
                                                    : side->device;
    if (side->type != MEMORY_HOST && side->type != MEMORY_UNIFIED)
        return false;
    side->type = is_host_side(side->type, address) ? MEMORY_HOST : MEMORY_DEVICE;
    side->host = (const void *)(uintptr_t)address;
    side->device = address;
    return true;
}

/* Page-locked memory has an end; where other memory ends nobody here knows. */
static bool ends_early(const void *host, uint64_t bytes) {
    uint64_t address = (uint64_t)(uintptr_t)host;
    range known;
    return range_find(&host_ranges, address, &known) && bytes > known.base + known.bytes - address;
}

bool graph_copy_is_ours(const CUDA_MEMCPY3D *copy, enum end which, box_side *side) {
    *side = get_side(copy, which);
    uint64_t bytes = extent_of(side, copy);
    return settle_kind(side) && side->type == MEMORY_HOST && !host_is_shared(side->host, bytes) &&
           !ends_early(side->host, bytes);
}

CUresult graph_copy_place(CUDA_MEMCPY3D *copy, enum end which) {
    box_side side = get_side(copy, which);
    if (!settle_kind(&side))
        return CUDA_SUCCESS;
    graph_copy_put(copy, which, &side);
    return side.type == MEMORY_DEVICE || host_is_shared(side.host, extent_of(&side, copy))
               ? CUDA_SUCCESS
               : CUDA_ERROR_NOT_SUPPORTED;
}

static CUresult place_both(const CUDA_MEMCPY3D *asked, CUDA_MEMCPY3D *placed) {
    *placed = *asked;
    CUresult result = graph_copy_place(placed, SOURCE);
    return result == CUDA_SUCCESS ? graph_copy_place(placed, DESTINATION) : result;
}

/* One side is the program's alone, and there is something to copy; the other one is found where the
 * copy is made. */
static bool is_relay(const CUDA_MEMCPY3D *copy) {
    box_side from, to;
    bool empty = copy->width == 0 || copy->height == 0 || copy->depth == 0;
    bool up = graph_copy_is_ours(copy, SOURCE, &from),
         down = graph_copy_is_ours(copy, DESTINATION, &to);
    return !empty && up != down && (up ? from.host : to.host) != NULL;
}

static CUresult ready(const CUDA_MEMCPY3D *copy) {
    return copy == NULL ? CUDA_ERROR_INVALID_VALUE : driver_ready();
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static CUresult add_plain(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                          uint64_t count, const CUDA_MEMCPY3D *copy, CUcontext context) {
    CUDA_MEMCPY3D placed;
    CUresult result = place_both(copy, &placed);
    return result == CUDA_SUCCESS
               ? remote_cuGraphAddMemcpyNode(node, graph, dependencies, count, &placed, context, 0)
               : result;
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              uint64_t count, const CUDA_MEMCPY3D *copy, CUcontext context) {
    CUgraphNode made = NULL;
    CUresult result = node == NULL ? CUDA_ERROR_INVALID_VALUE : ready(copy);
    if (result == CUDA_SUCCESS)
        result = (is_relay(copy) ? relay_add : add_plain)(&made, graph, dependencies, count, copy,
                                                          context);
    if (result == CUDA_SUCCESS)
        *node = made;
    return result;
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *copy) {
    CUDA_MEMCPY3D placed;
    CUresult result = ready(copy);
    if (result == CUDA_SUCCESS && relay_find(node, NULL))
        return relay_change(node, copy);
    if (result == CUDA_SUCCESS)
        result = place_both(copy, &placed);
    return result == CUDA_SUCCESS ? remote_cuGraphMemcpyNodeSetParams(node, &placed, 0) : result;
}

/* A copy as the driver checks it, without its addresses. */
typedef struct copy_shape {
    CUDA_MEMCPY3D copy;
    CUcontext context, from, to;        /* the last two are those of the memory */
} copy_shape;

/* A row of memory of devices, which is there; of anything else a driver has more to check. */
static bool is_row(const box_side *side, const CUDA_MEMCPY3D *copy, CUcontext *context) {
    range known;
    bool plain = side->type == MEMORY_DEVICE && side->y == 0 && side->z == 0 && copy->height <= 1 &&
                 copy->depth <= 1;
    if (!plain || !range_find(&device_ranges, side->device, &known) ||
        side->x + copy->width > known.base + known.bytes - side->device)
        return false;
    *context = known.context;
    return true;
}

static bool find_shape(const CUDA_MEMCPY3D *copy, CUcontext context, copy_shape *shape) {
    box_side from = get_side(copy, SOURCE), to = get_side(copy, DESTINATION);
    memset(shape, 0, sizeof *shape);
    shape->context = context;
    shape->copy = *copy;
    if (!is_row(&from, copy, &shape->from) || !is_row(&to, copy, &shape->to))
        return false;
    from.host = to.host = NULL;
    from.device = to.device = 0;
    graph_copy_put(&shape->copy, SOURCE, &from);
    graph_copy_put(&shape->copy, DESTINATION, &to);
    return true;
}

static CUresult change_executable(CUgraphExec executable, CUgraphNode node,
                                  const CUDA_MEMCPY3D *copy, CUcontext context) {
    copy_shape shape;
    if (!find_shape(copy, context, &shape))
        return remote_cuGraphExecMemcpyNodeSetParams(executable, node, copy, context, OB_ANSWER);
    node_change change = change_of(executable, node, &shape, sizeof shape);
    uint32_t flags = change_flags(&change);
    return change_made(
        &change, flags,
        remote_cuGraphExecMemcpyNodeSetParams(executable, node, copy, context, flags));
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMCPY3D *copy, CUcontext context) {
    CUDA_MEMCPY3D placed;
    CUresult result = ready(copy);
    if (result == CUDA_SUCCESS && relay_find(node, NULL))
        return relay_change_executable(executable, node, copy, context);
    if (result == CUDA_SUCCESS)
        result = place_both(copy, &placed);
    return result == CUDA_SUCCESS ? change_executable(executable, node, &placed, context) : result;
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *copy) {
    if (copy != NULL && relay_find(node, copy))
        return CUDA_SUCCESS;
    return remote_cuGraphMemcpyNodeGetParams(node, copy, 0);
}

CUresult cuGraphNodeGetType(CUgraphNode node, int *type) {
    if (type == NULL || !relay_find(node, NULL))
        return remote_cuGraphNodeGetType(node, type, 0);
    *type = NODE_MEMCPY;
    return CUDA_SUCCESS;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph) {
    CUresult result = relay_find(node, NULL) ? CUDA_ERROR_INVALID_VALUE
                                             : remote_cuGraphChildGraphNodeGetGraph(node, graph, 0);
    return result == CUDA_SUCCESS ? nested_found(*graph, node) : result;
}

CUresult cuGraphClone(CUgraph *clone, CUgraph graph) {
    CUgraph made = NULL;
    if (clone == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = remote_cuGraphClone(&made, graph, 0);
    if (result != CUDA_SUCCESS)
        return result;
    *clone = made;
    return relay_cloned(graph, made);
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
    CUresult result = remote_cuGraphDestroyNode(node, 0);
    if (result == CUDA_SUCCESS)
        relay_node_ended(node);
    return result;
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                  uint64_t count, CUgraph child) {
    CUgraphNode made = NULL;
    CUresult result =
        node == NULL ? CUDA_ERROR_INVALID_VALUE
                     : remote_cuGraphAddChildGraphNode(&made, graph, dependencies, count, child, 0);
    if (result != CUDA_SUCCESS)
        return result;
    *node = made;
    return relay_embedded(made, graph, child);
}

CUresult graph_move_child(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                          uint64_t count, CUgraph child) {
    CUgraphNode made = NULL;
    CUresult result =
        node == NULL
            ? CUDA_ERROR_INVALID_VALUE
            : remote_outboardGraphMoveChildGraphNode(&made, graph, dependencies, count, child, 0);
    if (result != CUDA_SUCCESS)
        return result;
    *node = made;
    return nested_moved(made, graph, child);
}

/* ---- executables ----------------------------------------------------------------------------- */

static CUresult instantiated(CUresult result, CUgraphExec *executable, CUgraphExec made,
                             CUgraph graph) {
    if (result != CUDA_SUCCESS)
        return result;
    *executable = made;
    return relay_executable(made, graph);
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph, uint64_t flags) {
    CUgraphExec made = NULL;
    CUresult result = executable == NULL
                          ? CUDA_ERROR_INVALID_VALUE
                          : remote_cuGraphInstantiateWithFlags(&made, graph, flags, 0);
    return instantiated(result, executable, made, graph);
}

static CUresult instantiate_with(CUgraphExec *executable, CUgraph graph,
                                 CUDA_GRAPH_INSTANTIATE_PARAMS *parameters, uint32_t flags) {
    CUgraphExec made = NULL;
    CUresult result = executable == NULL
                          ? CUDA_ERROR_INVALID_VALUE
                          : remote_cuGraphInstantiateWithParams(&made, graph, parameters, flags);
    return instantiated(result, executable, made, graph);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *executable, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *parameters) {
    return instantiate_with(executable, graph, parameters, 0);
}

CUresult cuGraphInstantiateWithParams_ptsz(CUgraphExec *executable, CUgraph graph,
                                           CUDA_GRAPH_INSTANTIATE_PARAMS *parameters) {
    return instantiate_with(executable, graph, parameters, OB_PER_THREAD);
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
    CUresult result = remote_cuGraphExecDestroy(executable, 0);
    if (result == CUDA_SUCCESS)
        relay_executable_ended(executable);
    return result;
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                            CUgraph child) {
    CUresult result = remote_cuGraphExecChildGraphNodeSetParams(executable, node, child, 0);
    return result == CUDA_SUCCESS ? relay_executable_child(executable, node, child) : result;
}

/* ---- captures -------------------------------------------------------------------------------- */

CUresult graph_copy_capture(const CUDA_MEMCPY3D *copy, CUstream stream, uint32_t flags) {
    capture_point at;
    CUgraphNode node = NULL;
    CUresult result = capture_locate(stream, flags, &at);
    if (result == CUDA_SUCCESS)
        result = graph_add_copy(&node, &at, copy);
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    return result == CUDA_SUCCESS ? remote_cuStreamUpdateCaptureDependencies_v2(
                                        stream, &node, NULL, 1, SET_DEPENDENCIES, flags)
                                  : result;
}
