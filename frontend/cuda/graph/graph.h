/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs, and copies as their nodes.
 */
#ifndef OUTBOARD_CUDA_GRAPH_H
#define OUTBOARD_CUDA_GRAPH_H

#include "module/module.h"

#pragma GCC visibility push(hidden)

/* ---- graph.c --------------------------------------------------------------------------------- */

/* CUgraphNodeType */
enum {
    NODE_KERNEL = 0,
    NODE_MEMCPY = 1,
    NODE_MEMSET = 2,
    NODE_HOST = 3,
    NODE_GRAPH = 4,
    NODE_EMPTY = 5,
    NODE_WAIT_EVENT = 6,
    NODE_EVENT_RECORD = 7,
    NODE_MEM_ALLOC = 10,
    NODE_MEM_FREE = 11,
    NODE_BATCH = 12,
    NODE_CONDITIONAL = 13,
};

/* CUDA_KERNEL_NODE_PARAMS: the first version ends before the kernel. */
typedef struct kernel_node {
    CUfunction function;
    int grid[3], block[3], shared_bytes;
    void **parameters, **extra;
    CUkernel kernel;
    CUcontext context;
} kernel_node;

/* A copy as a node, behind what is there. */
CUresult graph_add_copy(CUgraphNode *node, const capture_point *at, const CUDA_MEMCPY3D *copy);

/* ---- graph_copy.c: copies as nodes of graphs ------------------------------------------------- */

enum end { SOURCE = 0, DESTINATION = 1 };

void graph_copy_put(CUDA_MEMCPY3D *copy, enum end which, const box_side *side);
/* Whether a side is memory that only the program has; then writes the side. */
bool graph_copy_is_ours(const CUDA_MEMCPY3D *copy, enum end which, box_side *side);
/* Names a side as the backend finds it. */
CUresult graph_copy_place(CUDA_MEMCPY3D *copy, enum end which);
/* A copy in a stream that captures, between the program's own memory and a device. */
CUresult graph_copy_capture(const CUDA_MEMCPY3D *copy, CUstream stream, uint32_t flags);
/* Adds a graph itself as a node, which it is from then on. */
CUresult graph_move_child(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                          uint64_t count, CUgraph child);

/* ---- accepted.c: changes of executable graphs that need no answer ---------------------------- */

/* A change of a node; its shape is all that the driver checks. */
typedef struct node_change {
    CUgraphNode node;
    CUgraphExec executable;
    uint64_t shape;             /* a digest */
} node_change;

node_change change_of(CUgraphExec executable, CUgraphNode node, const void *shape, size_t bytes);
/* None if such a change has been accepted. */
uint32_t change_flags(const node_change *change);
/* Remembers one that was made with these flags and accepted; returns the result. */
CUresult change_made(const node_change *change, uint32_t flags, CUresult result);

/* ---- nested.c: graphs that nodes of others run ----------------------------------------------- */

/* the node runs it; without an owner it gets no relays */
CUresult nested_keep(CUgraph graph, CUgraph owner, CUgraphNode node);
CUresult nested_found(CUgraph graph, CUgraphNode node);         /* the node is it */
/* a node that is a graph is in it */
CUresult nested_own(CUgraphNode node, CUgraph in);
CUresult nested_moved(CUgraphNode node, CUgraph in, CUgraph child);
bool nested_without_owner(CUgraph graph);
/* The node of a graph that runs another one, at any depth; NULL if none does. */
CUgraphNode nested_node(CUgraph graph, CUgraph in);
bool nested_in(CUgraph graph, CUgraph in);                      /* or is it */
bool nested_under(CUgraph graph, CUgraphNode node);

/* ---- staging.c: memory of the backend for relays --------------------------------------------- */

typedef struct staging {
    struct staging *next;
    uint64_t address, bytes;
} staging;

CUresult staging_take(uint64_t bytes, staging **taken);
void staging_put_back(staging *s);

/* ---- relay.c: such copies of memory that only the program has -------------------------------- */

CUresult relay_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                   uint64_t count, const CUDA_MEMCPY3D *copy, CUcontext context);
/* Whether a node is one; then writes the copy that was asked for. */
bool relay_find(CUgraphNode node, CUDA_MEMCPY3D *copy);
CUresult relay_change(CUgraphNode node, const CUDA_MEMCPY3D *copy);
CUresult relay_change_executable(CUgraphExec executable, CUgraphNode node,
                                 const CUDA_MEMCPY3D *copy, CUcontext context);
void relay_node_ended(CUgraphNode node);
CUresult relay_cloned(CUgraph graph, CUgraph clone);
CUresult relay_embedded(CUgraphNode node, CUgraph in, CUgraph child);
CUresult relay_executable(CUgraphExec executable, CUgraph graph); /* what it has now */
CUresult relay_executable_child(CUgraphExec executable, CUgraphNode node, CUgraph child);
void relay_executable_ended(CUgraphExec executable);
/* Whether its copies read memory that only the program has … */
bool relay_brings(CUgraphExec executable);
/* … which is brought before it is launched. */
CUresult relay_launch(CUgraphExec executable, CUstream stream, uint32_t flags);

#pragma GCC visibility pop

#endif
