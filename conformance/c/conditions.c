/* SPDX-License-Identifier: Apache-2.0
 * Nodes that run graphs of their own as a condition says; prints "ok", or "refused" where there are none. usage: conditions CASE
 */
#include "case.h"

enum { CONDITIONAL = 13, SWITCH = 2, ASSIGNED_AT_LAUNCH = 1 };
enum { INVALID_VALUE = 1, NOT_SUPPORTED = 801 };

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
    CUresult result = cuGraphConditionalHandleCreate(&condition, graph, primary, 3, ASSIGNED_AT_LAUNCH);
    if (result == NOT_SUPPORTED) {
        puts("refused");
        exit(0);
    }
    MUST(result);
}

static conditional wanted(unsigned int bodies) {
    return (conditional){.type = CONDITIONAL, .condition = condition, .kind = SWITCH, .size = bodies, .context = primary};
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

static void wrong(void) {
    CUgraphNode node = NULL;
    conditional none = wanted(0), many = wanted(1u << 20);
    CHECK(cuGraphAddNode(&node, graph, &first, 1, &none) == INVALID_VALUE);
    CHECK(cuGraphAddNode(&node, graph, &first, 1, &many) == INVALID_VALUE);
    CHECK(node == NULL);
}

static const test_case cases[] = {{"bodies", bodies}, {"wrong", wrong}};

int main(int argc, char **argv) { return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv); }
