/* SPDX-License-Identifier: Apache-2.0
 * Nodes that run graphs of their own, as a condition says or always; prints "ok".
 * usage: conditions CASE
 */
#include "case.h"

enum { CONDITIONAL = 13, SWITCH = 2, ASSIGNED_AT_LAUNCH = 1 };
enum { GRAPH = 4, MOVED = 1, INVALID_VALUE = 1 };

/* CUgraphNodeParams. */
typedef struct conditional {
    int type, reserved[3];
    uint64_t condition;
    int kind;
    unsigned int size;
    const CUgraph *bodies;
    CUcontext context;
    uint64_t reserved1[25], reserved2;
} conditional;

static CUcontext primary;
static CUgraph graph;
static CUgraphNode first;
static uint64_t condition;

static void prepare(void) {
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuGraphCreate(&graph, 0));
    MUST(cuGraphAddEmptyNode(&first, graph, NULL, 0));
    MUST(cuGraphConditionalHandleCreate(&condition, graph, primary, 3, ASSIGNED_AT_LAUNCH));
}

static conditional wanted(unsigned int bodies) {
    return (conditional){.type = CONDITIONAL,
                         .condition = condition,
                         .kind = SWITCH,
                         .size = bodies,
                         .context = primary};
}

static size_t nodes_of(CUgraph any) {
    size_t count = 0;
    MUST(cuGraphGetNodes(any, NULL, &count));
    return count;
}

static void bodies(void) {
    conditional three = wanted(3);
    CUgraphNode node = NULL, inner = NULL;
    MUST(cuGraphAddNode(&node, graph, &first, 1, &three));
    CHECK(node != NULL && node != first && nodes_of(graph) == 2);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < i; k++)
            MUST(cuGraphAddEmptyNode(&inner, three.bodies[i], NULL, 0));
    for (size_t i = 0; i < 3; i++)
        CHECK(nodes_of(three.bodies[i]) == i);
    MUST(cuGraphDestroy(graph));
}

/* CUgraphNodeParams. */
typedef struct child {
    int type, reserved[3];
    CUgraph graph;
    int ownership, reserved1[55];
} child;

/* A graph that has moved is the same graph, and ends with the one that has it. */
static void moved(void) {
    child one = {.type = GRAPH, .ownership = MOVED},
          itself = {.type = GRAPH, .graph = graph, .ownership = MOVED};
    CUgraphNode node = NULL, inner = NULL;
    size_t count;
    MUST(cuGraphCreate(&one.graph, 0));
    CHECK(cuGraphAddNode_v2(&node, graph, &first, NULL, 1, &itself) == INVALID_VALUE &&
          node == NULL);
    MUST(cuGraphAddNode_v2(&node, graph, &first, NULL, 1, &one));
    CHECK(node != NULL && node != first && nodes_of(graph) == 2);
    MUST(cuGraphAddEmptyNode(&inner, one.graph, NULL, 0));
    CHECK(nodes_of(one.graph) == 1);
    MUST(cuGraphDestroy(graph));
    CHECK(cuGraphGetNodes(one.graph, NULL, &count) == INVALID_VALUE);
}

static void wrong(void) {
    CUgraphNode node = NULL;
    conditional none = wanted(0), many = wanted(1u << 20);
    CHECK(cuGraphAddNode(&node, graph, &first, 1, &none) == INVALID_VALUE);
    CHECK(cuGraphAddNode(&node, graph, &first, 1, &many) == INVALID_VALUE);
    CHECK(node == NULL);
}

static const test_case cases[] = {{"bodies", bodies}, {"moved", moved}, {"wrong", wrong}};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
