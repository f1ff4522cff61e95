/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs that nodes of others run, and the graphs and nodes around them.
 */
#include "graph/graph.h"

enum { DEEPEST = 1024 };

/* Without an owner it has no copies of memory that only the program has. */
typedef struct inside {
    CUgraph owner;
    CUgraphNode node;
} inside;

static known_table insides;     /* of graphs */
static known_table owners;      /* of nodes that are graphs: the graphs that they are in */

static const inside *inside_of(CUgraph graph) {
    return known_find(&insides, (uint64_t)(uintptr_t)graph);
}

/* The graph around it; NULL where there is none, or too many: a backend may name one that is inside
 * itself. */
static const inside *around(const inside *one, int *depth) {
    return one->owner != NULL && ++*depth < DEEPEST ? inside_of(one->owner) : NULL;
}

/* The node of a graph that runs another one; NULL if none does. */
CUgraphNode nested_node(CUgraph graph, CUgraph in) {
    int depth = 0;
    const inside *found = inside_of(graph);
    while (found != NULL && found->owner != in)
        found = around(found, &depth);
    return found != NULL ? found->node : NULL;
}

bool nested_in(CUgraph graph, CUgraph in) {
    return graph == in || nested_node(graph, in) != NULL;
}

bool nested_under(CUgraph graph, CUgraphNode node) {
    int depth = 0;
    const inside *found = inside_of(graph);
    while (found != NULL && found->node != node)
        found = around(found, &depth);
    return found != NULL;
}

CUresult nested_keep(CUgraph graph, CUgraph owner, CUgraphNode node) {
    inside entry = {owner, node};
    return known_keep(&insides, (uint64_t)(uintptr_t)graph, &entry, sizeof entry) != NULL
               ? CUDA_SUCCESS
               : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult nested_found(CUgraph graph, CUgraphNode node) {
    const CUgraph *owner = known_find(&owners, (uint64_t)(uintptr_t)node);
    return nested_keep(graph, owner != NULL ? *owner : NULL, node);
}

CUresult nested_own(CUgraphNode node, CUgraph in) {
    return known_keep(&owners, (uint64_t)(uintptr_t)node, &in, sizeof in) != NULL
               ? CUDA_SUCCESS
               : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult nested_moved(CUgraphNode node, CUgraph in, CUgraph child) {
    CUresult result = nested_own(node, in);
    return result == CUDA_SUCCESS ? nested_keep(child, in, node) : result;
}

bool nested_without_owner(CUgraph graph) {
    const inside *found = inside_of(graph);
    return found != NULL && found->owner == NULL;
}
