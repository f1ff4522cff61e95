/* SPDX-License-Identifier: Apache-2.0
 * Graphs that nodes of other graphs run; prints "ok". usage: inside CASE
 */
#include "case.h"

#include <stdint.h>

enum { COUNT = 4096, BYTES = COUNT * 4, HOST = 1, DEVICE = 2, INVALID = 1, OTHER_SHAPE = 910 };
enum {
    NODE_KERNEL = 0,
    NODE_GRAPH = 4,
    NODE_CONDITIONAL = 13,
    CLONED = 0,
    MOVED = 1,
    IF = 0,
    WHILE = 1,
    SWITCH = 2
};

/* Takes one from a number, and sets a condition to the rest. */
static const char COUNT_DOWN[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);\n"
    ".visible .entry count_down(.param .u64 condition, .param .u64 at)\n{\n"
    ".reg .b64 %rd<3>;\n.reg .b32 %r<3>;\n"
    "ld.param.u64 %rd1, [condition];\nld.param.u64 %rd2, [at];\n"
    "ld.global.u32 %r1, [%rd2];\nsub.u32 %r2, %r1, 1;\n"
    "st.global.u32 [%rd2], %r2;\n"
    "{\n.param .b64 first;\n.param .b32 second;\n"
    "st.param.b64 [first], %rd1;\nst.param.b32 [second], %r2;\n"
    "call.uni cudaGraphSetConditional, (first, second);\n}\nret;\n}\n"
    ".visible .entry add(.param .u64 to, .param .u32 value)\n{\n"
    ".reg .b64 %rd<2>;\n.reg .b32 %r<3>;\n"
    "ld.param.u64 %rd1, [to];\nld.param.u32 %r1, [value];\n"
    "ld.global.u32 %r2, [%rd1];\nadd.u32 %r2, %r2, %r1;\n"
    "st.global.u32 [%rd1], %r2;\nret;\n}\n";

/* CUDA_KERNEL_NODE_PARAMS, the first version */
typedef struct kernel_node {
    CUfunction function;
    unsigned int grid[3], block[3], shared_bytes;
    void **parameters, **extra;
} kernel_node;

/* CUgraphNodeParams */
typedef struct any_node {
    int type, reserved[3];
    union {
        uint64_t words[29];
        struct {
            CUgraph graph;
            int ownership;
        } child;
        struct {
            uint64_t condition;
            int kind;
            unsigned int size;
            const CUgraph *bodies;
            CUcontext context;
        } conditional;
    } of;
    uint64_t reserved2;
} any_node;

static CUcontext primary;
static CUstream stream;
static CUgraph graph;
static CUdeviceptr memory;
static CUfunction count_down, add;

static void prepare(void) {
    CUmodule module;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuGraphCreate(&graph, 0));
    MUST(cuMemAlloc_v2(&memory, BYTES));
    MUST(cuMemsetD32_v2(memory, 0, COUNT));
    MUST(cuModuleLoadData(&module, COUNT_DOWN));
    MUST(cuModuleGetFunction(&count_down, module, "count_down"));
    MUST(cuModuleGetFunction(&add, module, "add"));
}

static CUgraph made(void) {
    CUgraph graph;
    MUST(cuGraphCreate(&graph, 0));
    return graph;
}

static CUDA_MEMSET_NODE_PARAMS fill_of(CUdeviceptr where, unsigned value) {
    return (CUDA_MEMSET_NODE_PARAMS){
        .destination = where, .value = value, .elementBytes = 4, .width = COUNT / 2, .height = 1};
}

static CUgraphNode add_fill(CUgraph to, CUdeviceptr where, unsigned value) {
    CUgraphNode node;
    CUDA_MEMSET_NODE_PARAMS fill = fill_of(where, value);
    MUST(cuGraphAddMemsetNode(&node, to, NULL, 0, &fill, primary));
    return node;
}

static CUDA_MEMCPY3D copy_of(CUdeviceptr from, CUdeviceptr to) {
    return (CUDA_MEMCPY3D){.sourceType = DEVICE,
                           .sourceDevice = from,
                           .destinationType = DEVICE,
                           .destinationDevice = to,
                           .width = BYTES / 2,
                           .height = 1,
                           .depth = 1};
}

static CUgraphNode add_kernel(CUgraph to, CUfunction function, uint64_t first, uint64_t second,
                              const CUgraphNode *behind) {
    CUgraphNode node;
    kernel_node launch = {function, {1, 1, 1}, {1, 1, 1}, 0, (void *[]){&first, &second}, NULL};
    MUST(cuGraphAddKernelNode(&node, to, behind, behind != NULL, &launch));
    return node;
}

static CUresult try_child(CUgraphNode *node, CUgraph to, CUgraph child, int ownership,
                          const CUgraphNode *behind) {
    any_node any = {.type = NODE_GRAPH, .of.child = {child, ownership}};
    return cuGraphAddNode_v2(node, to, behind, NULL, behind != NULL, &any);
}

static CUgraphNode add_child(CUgraph to, CUgraph child, int ownership, const CUgraphNode *behind) {
    CUgraphNode node = NULL;
    MUST(try_child(&node, to, child, ownership, behind));
    return node;
}

static CUgraphExec executable_of(CUgraph of) {
    CUgraphExec executable;
    MUST(cuGraphInstantiateWithFlags(&executable, of, 0));
    return executable;
}

static void launch(CUgraphExec executable) {
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
}

static unsigned number_at(CUdeviceptr where) {
    unsigned number;
    MUST(cuMemcpyDtoH_v2(&number, where, sizeof number));
    return number;
}

static void set_number(CUdeviceptr where, unsigned value) { MUST(cuMemsetD32_v2(where, value, 1)); }

/* A graph that was moved into a node can still be changed by the program, belongs to the node, and
 * ends with it. */
static void moved(void) {
    CUgraph child = made(), found, other = made();
    CUgraphExec refused = NULL;
    CUgraphNode fill = add_fill(child, memory, 3), again = NULL;
    CHECK(try_child(&again, graph, child, 7, NULL) != 0);
    CUgraphNode node = add_child(graph, child, MOVED, NULL);
    int type = -1;
    MUST(cuGraphNodeGetType(node, &type));
    CHECK(type == NODE_GRAPH);
    MUST(cuGraphChildGraphNodeGetGraph(node, &found));
    CHECK(found == child);
    CHECK(cuGraphDestroy(child) != 0);
    CHECK(cuGraphInstantiateWithFlags(&refused, child, 0) != 0);
    CHECK(try_child(&again, other, child, MOVED, NULL) != 0);
    CUgraphExec executable = executable_of(graph);
    launch(executable);
    CHECK(number_at(memory) == 3);
    CUDA_MEMSET_NODE_PARAMS changed = fill_of(memory, 4);
    MUST(cuGraphMemsetNodeSetParams(fill, &changed));
    launch(executable);
    CHECK(number_at(memory) == 3);
    launch(executable_of(graph));
    CHECK(number_at(memory) == 4);
    MUST(cuGraphDestroy(graph));
    size_t count = 0;
    CHECK(cuGraphGetNodes(child, NULL, &count) == INVALID);
    CHECK(cuGraphMemsetNodeSetParams(fill, &changed) == INVALID);
    launch(executable);
    CHECK(number_at(memory) == 3);
}

/* An executable's nodes are changed wherever they are: this is how XLA updates its command buffers.
 */
static void changed(void) {
    CUgraph outer = made(), inner = made();
    CUgraphNode fill = add_fill(inner, memory, 3), copy, kernel;
    CUDA_MEMCPY3D down = copy_of(memory, memory + BYTES / 2),
                  up = copy_of(memory + BYTES / 2, memory);
    MUST(cuGraphAddMemcpyNode(&copy, inner, &fill, 1, &down, primary));
    add_child(outer, inner, MOVED, NULL);
    kernel = add_kernel(outer, add, memory, 10, NULL);
    CUgraphNode middle = add_child(graph, outer, MOVED, NULL);
    add_kernel(graph, add, memory + BYTES / 2, 1, &middle);
    CUgraphExec executable = executable_of(graph);
    launch(executable);
    CHECK(number_at(memory + 4) == 3 && number_at(memory + BYTES / 2 + 4) == 3);
    CUDA_MEMSET_NODE_PARAMS other = fill_of(memory, 5);
    MUST(cuGraphExecMemsetNodeSetParams(executable, fill, &other, primary));
    launch(executable);
    CHECK(number_at(memory + 4) == 5 && number_at(memory + BYTES / 2 + 4) == 5);
    other = fill_of(memory + BYTES / 2, 6);
    MUST(cuGraphExecMemsetNodeSetParams(executable, fill, &other, primary));
    MUST(cuGraphExecMemcpyNodeSetParams(executable, copy, &up, primary));
    kernel_node instead = {add,
                           {1, 1, 1},
                           {1, 1, 1},
                           0,
                           (void *[]){&(CUdeviceptr){memory + BYTES - 4}, &(unsigned){9}},
                           NULL};
    MUST(cuGraphExecKernelNodeSetParams(executable, kernel, &instead));
    set_number(memory + BYTES - 4, 0);
    launch(executable);
    CHECK(number_at(memory + 4) == 6 && number_at(memory + BYTES / 2) == 7);
    CHECK(number_at(memory + BYTES - 4) == 6 || number_at(memory + BYTES - 4) == 15);
    CUgraph stranger = made();
    CHECK(cuGraphExecMemsetNodeSetParams(executable, add_fill(stranger, memory, 1), &other,
                                         primary) != 0);
}

/* A copy's nodes are those that its graph tells of; a graph takes another one's place if it has its
 * shape, all the way down. */
static void copied(void) {
    CUgraph outer = made(), inner = made(), found, deeper;
    CUgraphNode nodes[2];
    size_t count = 2;
    add_fill(inner, memory, 3);
    CUgraphNode node = add_child(outer, inner, CLONED, NULL),
                middle = add_child(graph, outer, CLONED, NULL);
    CUgraphExec executable = executable_of(graph);
    MUST(cuGraphDestroy(inner));
    MUST(cuGraphChildGraphNodeGetGraph(middle, &found));
    CHECK(found != outer && cuGraphDestroy(found) != 0);
    MUST(cuGraphGetNodes(found, nodes, &count));
    CHECK(count == 1 && nodes[0] != node);
    MUST(cuGraphChildGraphNodeGetGraph(nodes[0], &deeper));
    MUST(cuGraphGetNodes(deeper, nodes, &count));
    CUDA_MEMSET_NODE_PARAMS other = fill_of(memory, 5);
    MUST(cuGraphExecMemsetNodeSetParams(executable, nodes[0], &other, primary));
    launch(executable);
    CHECK(number_at(memory) == 5);
    CUgraph same = made(), two = made(), third = made();
    add_fill(third, memory, 7);
    add_child(same, third, CLONED, NULL);
    add_fill(third, memory, 8);
    add_child(two, third, CLONED, NULL);
    MUST(cuGraphExecChildGraphNodeSetParams(executable, middle, same));
    launch(executable);
    CHECK(number_at(memory) == 7);
    CHECK(cuGraphExecChildGraphNodeSetParams(executable, middle, two) == OTHER_SHAPE);
    CUgraph whole = made();
    add_child(whole, two, MOVED, NULL);
    CHECK(cuGraphExecUpdate_v2(executable, whole, &(CUgraphExecUpdateResultInfo){0}) ==
          OTHER_SHAPE);
    CHECK(cuGraphExecUpdate_v2(executable, two, &(CUgraphExecUpdateResultInfo){0}) != 0);
    launch(executable);
    CHECK(number_at(memory) == 7);
}

/* A stream is captured into a graph, which moves into another one. */
static void captured(void) {
    CUgraph child = made(), ended = NULL;
    size_t roots = 0;
    MUST(cuStreamBeginCaptureToGraph(stream, child, NULL, NULL, 0, 1));
    MUST(cuMemsetD32Async(memory, 6, COUNT, stream));
    MUST(cuStreamEndCapture(stream, &ended));
    CHECK(ended == child);
    MUST(cuGraphGetRootNodes(child, NULL, &roots));
    CHECK(roots == 1);
    add_child(graph, child, MOVED, NULL);
    launch(executable_of(graph));
    CHECK(number_at(memory + BYTES - 4) == 6);
}

static CUDA_MEM_ALLOC_NODE_PARAMS allocation(void) {
    return (CUDA_MEM_ALLOC_NODE_PARAMS){.properties = {.type = 1, .location = {1, 0}},
                                        .bytes = BYTES};
}

/* Memory that a graph allocates moves with it, and is not copied. */
static void memories(void) {
    CUDA_MEM_ALLOC_NODE_PARAMS wanted = allocation(), more = allocation();
    CUgraph child = made();
    CUgraphNode first, node = NULL;
    MUST(cuGraphAddMemAllocNode(&first, child, NULL, 0, &wanted));
    CUDA_MEMSET_NODE_PARAMS fill = fill_of(wanted.pointer, 8);
    MUST(cuGraphAddMemsetNode(&first, child, &first, 1, &fill, primary));
    CUDA_MEMCPY3D copy = copy_of(wanted.pointer, memory);
    MUST(cuGraphAddMemcpyNode(&first, child, &first, 1, &copy, primary));
    MUST(cuGraphAddMemFreeNode(&first, child, &first, 1, wanted.pointer));
    CHECK(try_child(&node, graph, child, CLONED, NULL) != 0);
    add_child(graph, child, MOVED, NULL);
    CHECK(cuGraphAddMemAllocNode(&first, child, NULL, 0, &more) != 0);
    CUgraphExec executable = executable_of(graph);
    launch(executable);
    launch(executable);
    CHECK(number_at(memory) == 8);
    MUST(cuGraphExecDestroy(executable));
    MUST(cuGraphDestroy(graph));
}

/* Memory that the program alone has, in a graph that moves and in one that is copied. */
static void of_the_program(void) {
    static unsigned from[COUNT], other[COUNT], to[COUNT];
    CUgraph child = made(), found;
    CUgraphNode up, down, node;
    CUDA_MEMCPY3D there = {.sourceType = HOST,
                           .sourceHost = (uintptr_t)from,
                           .destinationType = DEVICE,
                           .destinationDevice = memory,
                           .width = BYTES,
                           .height = 1,
                           .depth = 1},
                  back = {.sourceType = DEVICE,
                          .sourceDevice = memory,
                          .destinationType = HOST,
                          .destinationHost = (uintptr_t)to,
                          .width = BYTES,
                          .height = 1,
                          .depth = 1};
    MUST(cuGraphAddMemcpyNode(&up, child, NULL, 0, &there, primary));
    node = add_child(graph, child, MOVED, NULL);
    CUgraph copy = made();
    CUgraphNode within = add_child(graph, copy, CLONED, &node);
    MUST(cuGraphChildGraphNodeGetGraph(within, &found));
    MUST(cuGraphAddMemcpyNode(&down, found, NULL, 0, &back, primary));
    CUgraphExec executable = executable_of(graph);
    for (unsigned i = 0; i < 3; i++) {
        from[0] = 10 + i;
        from[COUNT - 1] = 20 + i;
        launch(executable);
        CHECK(to[0] == 10 + i && to[COUNT - 1] == 20 + i);
    }
    other[0] = 99;
    there.sourceHost = (uintptr_t)other;
    MUST(cuGraphExecMemcpyNodeSetParams(executable, up, &there, primary));
    launch(executable);
    CHECK(to[0] == 99 && to[COUNT - 1] == 0);
    other[0] = 100;
    launch(executable);
    CHECK(to[0] == 100);
    CUgraph clone;
    MUST(cuGraphClone(&clone, graph));
    executable = executable_of(clone);
    MUST(cuGraphDestroy(graph));
    from[0] = 44;
    launch(executable);
    CHECK(to[0] == 44);
}

static uint64_t condition_of(CUgraph of, unsigned value, unsigned flags) {
    uint64_t condition = 0;
    MUST(cuGraphConditionalHandleCreate(&condition, of, primary, value, flags));
    return condition;
}

static CUgraphNode add_conditional(CUgraph to, uint64_t condition, int kind, unsigned size,
                                   CUgraph *bodies, const CUgraphNode *behind) {
    any_node any = {.type = NODE_CONDITIONAL,
                    .of.conditional = {condition, kind, size, NULL, primary}};
    CUgraphNode node = NULL;
    MUST(cuGraphAddNode(&node, to, behind, behind != NULL, &any));
    int type = -1;
    MUST(cuGraphNodeGetType(node, &type));
    CHECK(type == NODE_CONDITIONAL);
    memcpy(bodies, any.of.conditional.bodies, size * sizeof *bodies);
    return node;
}

/* A kernel says how often the body runs; a node of the body is changed in the executable. */
static void loops(void) {
    CUgraph body;
    uint64_t condition = condition_of(graph, 1, 1);
    add_conditional(graph, condition, WHILE, 1, &body, NULL);
    CUgraphNode kernel = add_kernel(body, add, memory + 4, 2, NULL);
    add_kernel(body, count_down, condition, memory, &kernel);
    CUgraphExec executable = executable_of(graph);
    MUST(cuGraphDestroy(graph));
    for (unsigned i = 1; i <= 3; i++) {
        set_number(memory, 5);
        launch(executable);
        CHECK(number_at(memory) == 0 && number_at(memory + 4) == i * 10);
    }
}

/* Bodies have conditions of their own, and graphs that have moved there. */
static void nested(void) {
    CUgraph body, inner, child = made();
    uint64_t outer = condition_of(graph, 1, 1);
    add_conditional(graph, outer, WHILE, 1, &body, NULL);
    uint64_t condition = condition_of(body, 0, 0);
    CUDA_MEMSET_NODE_PARAMS fill = fill_of(memory + 4, 3);
    fill.width = 1;
    CUgraphNode node;
    MUST(cuGraphAddMemsetNode(&node, body, NULL, 0, &fill, primary));
    set_number(memory + 8, 0);
    node = add_kernel(body, count_down, condition, memory + 4, &node);
    node = add_conditional(body, condition, WHILE, 1, &inner, &node);
    CUgraphNode added = add_kernel(child, add, memory + 8, 1, NULL);
    CUgraphNode one = add_child(inner, child, MOVED, NULL);
    add_kernel(inner, count_down, condition, memory + 4, &one);
    add_kernel(body, count_down, outer, memory, &node);
    CUgraphExec executable = executable_of(graph);
    set_number(memory, 4);
    launch(executable);
    CHECK(number_at(memory) == 0 && number_at(memory + 4) == 0 && number_at(memory + 8) == 8);
    kernel_node ten = {
        add, {1, 1, 1}, {1, 1, 1}, 0, (void *[]){&(CUdeviceptr){memory + 8}, &(unsigned){10}},
        NULL};
    MUST(cuGraphExecKernelNodeSetParams(executable, added, &ten));
    set_number(memory, 1);
    launch(executable);
    CHECK(number_at(memory + 8) == 28);
}

/* One body, or the other one, or the one of a number, or none. */
static void branches(void) {
    CUgraph either[2], one[3];
    uint64_t condition = condition_of(graph, 0, 0), which = condition_of(graph, 2, 1),
             again = condition_of(graph, 0, 1);
    CUgraphNode node = add_kernel(graph, count_down, condition, memory, NULL);
    add_conditional(graph, condition, IF, 2, either, &node);
    add_kernel(either[0], add, memory + 4, 1, NULL);
    add_kernel(either[1], add, memory + 8, 1, NULL);
    add_conditional(graph, which, SWITCH, 3, one, NULL);
    for (unsigned i = 0; i < 3; i++)
        add_kernel(one[i], add, memory + 12 + 4 * i, 1, NULL);
    add_conditional(graph, again, IF, 1, either, NULL);
    add_kernel(either[0], add, memory + 24, 1, NULL);
    CUgraphExec executable = executable_of(graph);
    static const unsigned expected[][2] = {{1, 0}, {1, 1}};
    for (unsigned i = 0; i < 2; i++) {
        set_number(memory, 2 - i);
        launch(executable);
        CHECK(number_at(memory + 4) == expected[i][0] && number_at(memory + 8) == expected[i][1]);
    }
    CHECK(number_at(memory + 12) == 0 && number_at(memory + 16) == 0 &&
          number_at(memory + 20) == 2 && number_at(memory + 24) == 0);
}

/* A condition is of its graph, and of one node. */
static void wrong(void) {
    CUgraph other = made(), body;
    CUgraphNode node = NULL;
    uint64_t condition = condition_of(graph, 0, 0), unused;
    CHECK(cuGraphConditionalHandleCreate(&unused, graph, primary, 0, 2) == 1);
    CHECK(cuGraphConditionalHandleCreate(&unused, (CUgraph)(uintptr_t)0x1234567, primary, 0, 0) ==
          INVALID);
    any_node two = {.type = NODE_CONDITIONAL,
                    .of.conditional = {condition, WHILE, 2, NULL, primary}};
    CHECK(cuGraphAddNode(&node, graph, NULL, 0, &two) == 1);
    any_node foreign = {.type = NODE_CONDITIONAL,
                        .of.conditional = {condition, WHILE, 1, NULL, primary}};
    CHECK(cuGraphAddNode(&node, other, NULL, 0, &foreign) != 0);
    add_conditional(graph, condition, WHILE, 1, &body, NULL);
    CHECK(cuGraphAddNode(&node, graph, NULL, 0, &foreign) != 0);
    CHECK(try_child(&node, other, graph, CLONED, NULL) != 0 && cuGraphDestroy(body) != 0);
    CHECK(try_child(&node, graph, graph, MOVED, NULL) != 0);
}

static const test_case cases[] = {
    {"moved", moved},       {"changed", changed},   {"copied", copied},
    {"captured", captured}, {"memories", memories}, {"of-the-program", of_the_program},
    {"loops", loops},       {"nested", nested},     {"branches", branches},
    {"wrong", wrong},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
