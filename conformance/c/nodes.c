/* SPDX-License-Identifier: Apache-2.0
 * Nodes of graphs, each kind in one case; prints "ok". usage: nodes CASE
 */
#include "case.h"

#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 4096, BYTES = COUNT * 4 };

static CUcontext primary;
static CUstream stream;
static CUgraph graph;
static CUdeviceptr memory;

static _Atomic int may_go, calls;

static void prepare(void) {
    may_go = calls = 0;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuGraphCreate(&graph, 0));
    MUST(cuMemAlloc_v2(&memory, BYTES));
    MUST(cuMemsetD32_v2(memory, 0, COUNT));
}

static void pause_ms(long milliseconds) {
    nanosleep(
        &(struct timespec){.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000},
        NULL);
}


static void hold(void *unused) {
    (void)unused;
    while (!may_go)
        pause_ms(1);
}

static void count_call(void *unused) {
    (void)unused;
    calls++;
}

static void holds(CUdeviceptr from, unsigned value) {
    static unsigned numbers[COUNT];
    MUST(cuMemcpyDtoH_v2(numbers, from, BYTES));
    for (int i = 0; i < COUNT; i++)
        CHECK(numbers[i] == value);
}

/* CUDA_HOST_NODE_PARAMS */
typedef struct host_node {
    void (*function)(void *);
    void *user_data;
} host_node;

static CUgraphNode add_call(void (*function)(void *), const CUgraphNode *behind) {
    CUgraphNode node;
    MUST(cuGraphAddHostNode(&node, graph, behind, behind != NULL, &(host_node){function, NULL}));
    return node;
}

static CUgraphNode add_fill(CUgraph to, CUdeviceptr where, unsigned value,
                            const CUgraphNode *behind) {
    CUgraphNode node;
    CUDA_MEMSET_NODE_PARAMS fill = {
        .destination = where, .value = value, .elementBytes = 4, .width = COUNT, .height = 1};
    MUST(cuGraphAddMemsetNode(&node, to, behind, behind != NULL, &fill, primary));
    return node;
}

static CUgraphExec executable_of(CUgraph of) {
    CUgraphExec executable;
    MUST(cuGraphInstantiateWithFlags(&executable, of, 0));
    return executable;
}

static int type_of(CUgraphNode node) {
    int type;
    MUST(cuGraphNodeGetType(node, &type));
    return type;
}

/* An event is recorded by each launch, and told at once, not when the whole graph is done. */
static void events(void) {
    CUevent event, other, found;
    CUgraphNode record, wait, first;
    CUgraph waiting;
    MUST(cuEventCreate(&event, 0));
    MUST(cuEventCreate(&other, 0));
    first = add_fill(graph, memory, 1, NULL);
    MUST(cuGraphAddEventRecordNode(&record, graph, &first, 1, other));
    CHECK(type_of(record) == 7);
    MUST(cuGraphEventRecordNodeSetEvent(record, event));
    MUST(cuGraphEventRecordNodeGetEvent(record, &found));
    CHECK(found == event);
    CHECK(cuGraphEventWaitNodeGetEvent(record, &found) == 1);
    add_call(hold, &record);
    MUST(cuGraphCreate(&waiting, 0));
    MUST(cuGraphAddEventWaitNode(&wait, waiting, NULL, 0, event));
    CHECK(type_of(wait) == 6);
    MUST(cuGraphEventWaitNodeGetEvent(wait, &found));
    CHECK(found == event);
    add_fill(waiting, memory, 2, &wait);
    CUgraphExec recorder = executable_of(graph), waiter = executable_of(waiting);
    CUstream second;
    MUST(cuStreamCreate(&second, 1));
    for (int i = 0; i < 3; i++) {
        may_go = 0;
        MUST(cuGraphLaunch(recorder, stream));
        MUST(cuEventSynchronize(event)); /* the graph still runs */
        MUST(cuEventQuery(event));
        CHECK(cuStreamQuery(stream) == 600);
        MUST(cuGraphLaunch(waiter, second));
        MUST(cuStreamSynchronize(second));
        holds(memory, 2);
        may_go = 1;
        MUST(cuStreamSynchronize(stream));
    }
    /* Before the event: the wait keeps the order. */
    CUgraphNode holder;
    CUgraph late;
    MUST(cuGraphCreate(&late, 0));
    MUST(cuGraphAddHostNode(&holder, late, NULL, 0, &(host_node){hold, NULL}));
    holder = add_fill(late, memory, 3, &holder);
    MUST(cuGraphAddEventRecordNode(&record, late, &holder, 1, other));
    CUgraphExec latest = executable_of(late);
    MUST(cuGraphExecEventRecordNodeSetEvent(latest, record, event));
    MUST(cuGraphExecEventWaitNodeSetEvent(waiter, wait, other));
    MUST(cuGraphExecEventWaitNodeSetEvent(waiter, wait, event));
    may_go = 0;
    MUST(cuGraphLaunch(latest, stream));
    CHECK(cuEventQuery(event) == 600);
    MUST(cuGraphLaunch(waiter, second));
    CHECK(cuStreamQuery(second) == 600);
    may_go = 1;
    MUST(cuStreamSynchronize(second));
    holds(memory, 2);
    CHECK(cuGraphAddEventRecordNode(&record, graph, NULL, 0, (CUevent)(uintptr_t)0x1234567) == 201);
    CHECK(cuGraphEventRecordNodeSetEvent(wait, event) == 1);
    MUST(cuEventElapsedTime_v2(&(float){0}, event, event));
}

/* Events that are external to a capture are nodes of its graph. */
static void external_events(void) {
    CUevent event;
    CUgraph captured;
    size_t count = 0;
    MUST(cuEventCreate(&event, 2));
    MUST(cuStreamBeginCapture_v2(stream, 0));
    MUST(cuMemsetD32Async(memory, 5, COUNT, stream));
    MUST(cuEventRecordWithFlags(event, stream, 1));
    MUST(cuStreamWaitEvent(stream, event, 1));
    MUST(cuStreamEndCapture(stream, &captured));
    MUST(cuGraphGetNodes(captured, NULL, &count));
    CHECK(count == 3);
    CUgraphNode nodes[3];
    MUST(cuGraphGetNodes(captured, nodes, &count));
    CHECK(type_of(nodes[0]) == 2 && type_of(nodes[1]) == 7 && type_of(nodes[2]) == 6);
    MUST(cuGraphLaunch(executable_of(captured), stream));
    MUST(cuEventSynchronize(event));
    MUST(cuStreamSynchronize(stream));
    holds(memory, 5);
}

/* Captured work is added to a graph that exists already; the owner of that graph need not ask for
 * it. */
static void into_a_graph(void) {
    CUgraph graph;
    size_t count = 0;
    MUST(cuGraphCreate(&graph, 0));
    CUgraphNode first = add_fill(graph, memory, 1, NULL);
    MUST(cuStreamBeginCaptureToGraph(stream, graph, &first, NULL, 1, 0));
    MUST(cuMemsetD32Async(memory, 6, COUNT, stream));
    MUST(cuStreamEndCapture(stream, NULL));
    MUST(cuGraphGetNodes(graph, NULL, &count));
    CHECK(count == 2);
    MUST(cuGraphLaunch(executable_of(graph), stream));
    MUST(cuStreamSynchronize(stream));
    holds(memory, 6);
    CHECK(cuStreamEndCapture(stream, NULL) != 0);
}

/* A capture that fails takes no graph with it that was there before. */
static void in_vain_into_a_graph(void) {
    CUgraph graph, none;
    CUdeviceptr other;
    MUST(cuGraphCreate(&graph, 0));
    CUgraphNode first = add_fill(graph, memory, 1, NULL);
    MUST(cuStreamBeginCaptureToGraph(stream, graph, &first, NULL, 1, 0));
    CHECK(cuMemAlloc_v2(&other, 4) == 900);
    CHECK(cuStreamEndCapture(stream, &none) == 901 && none == NULL);
    MUST(cuGraphLaunch(executable_of(graph), stream));
    MUST(cuStreamSynchronize(stream));
    holds(memory, 1);
    MUST(cuStreamBeginCaptureToGraph(stream, graph, &first, NULL, 1, 0));
    MUST(cuStreamEndCapture(stream, NULL));
    CHECK(cuStreamUpdateCaptureDependencies_v2(stream, NULL, NULL, 7, 0) == 401);
}

static size_t free_bytes(void) {
    size_t free, total;
    MUST(cuMemGetInfo_v2(&free, &total));
    return free;
}

static CUDA_MEM_ALLOC_NODE_PARAMS allocation(size_t bytes) {
    return (CUDA_MEM_ALLOC_NODE_PARAMS){.properties = {.type = 1, .location = {1, 0}},
                                        .bytes = bytes};
}

static uint64_t graph_bytes(int attribute) {
    uint64_t bytes;
    MUST(cuDeviceGetGraphMemAttribute(0, attribute, &bytes));
    return bytes;
}

/* Allocated by a launch, freed by a node, or by the program; the address stays. */
static void memories(void) {
    size_t before = free_bytes();
    CUDA_MEM_ALLOC_NODE_PARAMS first = allocation(BYTES), second = allocation(BYTES), told,
                               wrong = allocation(0);
    CUgraphNode made, filled, freed, node;
    CUdeviceptr pointer;
    CUgraph other;
    MUST(cuGraphAddMemAllocNode(&made, graph, NULL, 0, &first));
    CHECK(first.pointer != 0 && type_of(made) == 10);
    MUST(cuGraphMemAllocNodeGetParams(made, &told));
    CHECK(graph_bytes(0) == 0 && graph_bytes(2) >= BYTES);
    CHECK(told.pointer == first.pointer && told.bytes == BYTES);
    filled = add_fill(graph, first.pointer, 8, &made);
    MUST(cuGraphAddMemAllocNode(&node, graph, &filled, 1, &second));
    filled = add_fill(graph, second.pointer, 9, &node);
    MUST(cuGraphAddMemFreeNode(&freed, graph, &filled, 1, first.pointer));
    CHECK(type_of(freed) == 11);
    MUST(cuGraphMemFreeNodeGetParams(freed, &pointer));
    CHECK(pointer == first.pointer);
    CHECK(cuGraphAddMemFreeNode(&freed, graph, &filled, 1, first.pointer) == 1);
    CHECK(cuGraphAddMemFreeNode(&freed, graph, &filled, 1, memory) == 1);
    CHECK(cuGraphAddMemAllocNode(&node, graph, NULL, 0, &wrong) == 1);
    CHECK(cuGraphClone(&other, graph) == 801);
    CHECK(cuGraphDestroyNode(made) == 801);
    CUgraphExec executable = executable_of(graph), two;
    CHECK(cuGraphInstantiateWithFlags(&two, graph, 0) == 801);
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    holds(second.pointer, 9);
    CHECK(graph_bytes(0) >= BYTES && graph_bytes(1) >= graph_bytes(0));
    CHECK(cuGraphLaunch(executable, stream) == 1); /* the second has not been freed */
    MUST(cuMemFreeAsync(second.pointer, stream));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuMemFree_v2(second.pointer));
    CHECK(cuMemFree_v2(second.pointer) == 1);
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    holds(second.pointer, 9);
    MUST(cuGraphExecDestroy(executable));
    MUST(cuGraphInstantiateWithFlags(&executable, graph, 1)); /* frees when it is launched again */
    MUST(cuMemFree_v2(second.pointer));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    MUST(cuGraphExecDestroy(executable));
    MUST(cuGraphDestroy(graph));
    holds(second.pointer, 9); /* the program has it yet */
    MUST(cuMemFree_v2(second.pointer));
    MUST(cuDeviceGraphMemTrim(0));
    MUST(cuDeviceSetGraphMemAttribute(0, 1, &(uint64_t){0}));
    CHECK(graph_bytes(0) == 0 && graph_bytes(1) == 0);
    CHECK(cuDeviceGetGraphMemAttribute(0, 7, &(uint64_t){0}) == 1);
    CHECK(free_bytes() == before);
}

static void captured_memories(void) {
    size_t before = free_bytes();
    CUdeviceptr pointer;
    CUgraph captured;
    MUST(cuStreamBeginCapture_v2(stream, 0));
    MUST(cuMemAllocAsync(&pointer, BYTES, stream));
    MUST(cuMemsetD32Async(pointer, 4, COUNT, stream));
    MUST(cuMemcpyDtoDAsync_v2(memory, pointer, BYTES, stream));
    MUST(cuMemFreeAsync(pointer, stream));
    MUST(cuStreamEndCapture(stream, &captured));
    CUgraphExec executable = executable_of(captured);
    for (int i = 0; i < 3; i++) {
        MUST(cuMemsetD32_v2(memory, 0, COUNT));
        MUST(cuGraphLaunch(executable, stream));
        MUST(cuStreamSynchronize(stream));
        holds(memory, 4);
    }
    MUST(cuGraphExecDestroy(executable));
    MUST(cuGraphDestroy(captured));
    MUST(cuDeviceGraphMemTrim(0));
    CHECK(free_bytes() == before);
}

/* CUstreamBatchMemOpParams: operation, address, value, flags */
static CUstreamBatchMemOpParams operation(uint32_t what, CUdeviceptr where, uint64_t value,
                                          uint32_t flags) {
    return (CUstreamBatchMemOpParams){{what, (uint64_t)where, value, flags}};
}

static void values(void) {
    CUstreamBatchMemOpParams batch[4] = {operation(1, memory, 7, 1), operation(2, memory + 4, 9, 0),
                                         operation(5, memory + 8, 1ULL << 40, 0),
                                         operation(6, 0, 0, 0)};
    CUDA_BATCH_MEM_OP_NODE_PARAMS node_values = {
        .context = primary, .count = 4, .operations = batch};
    CUgraphNode node;
    uint32_t numbers[4];
    MUST(cuGraphAddBatchMemOpNode(&node, graph, NULL, 0, &node_values));
    CHECK(type_of(node) == 12);
    CUgraphExec executable = executable_of(graph);
    MUST(cuGraphLaunch(executable, stream));
    pause_ms(30);
    CHECK(cuStreamQuery(stream) == 600);
    MUST(cuMemsetD32_v2(memory, 7, 1));
    MUST(cuStreamSynchronize(stream));
    MUST(cuMemcpyDtoH_v2(numbers, memory, 16));
    CHECK(numbers[1] == 9 && numbers[2] == 0 && numbers[3] == 1 << 8);
    batch[0].words[2] = 9;
    batch[0].words[1] = memory + 4;
    batch[1].words[2] = 10;
    MUST(cuStreamBatchMemOp_v2(stream, 2, batch, 0));
    MUST(cuStreamSynchronize(stream));
    MUST(cuMemcpyDtoH_v2(numbers, memory, 16));
    CHECK(numbers[1] == 10);
    batch[1].words[1] = 0x1234;
    CHECK(cuStreamBatchMemOp_v2(stream, 2, batch, 0) == 1);
    MUST(cuStreamBatchMemOp_v2(stream, 0, batch, 0));
    CHECK(cuStreamBatchMemOp_v2(stream, 1, batch, 1) == 1);
    batch[1] = operation(77, memory, 0, 0);
    CHECK(cuStreamBatchMemOp_v2(stream, 2, batch, 0) == 1);
}

/* A child is a copy that can be asked for, changed, and given other work in the executable. */
static void children(void) {
    CUgraph child, inner, clone;
    CUgraphNode fill, node, nodes[4], found;
    size_t count = 4;
    MUST(cuGraphCreate(&child, 0));
    fill = add_fill(child, memory, 1, NULL);
    MUST(cuGraphAddChildGraphNode(&node, graph, NULL, 0, child));
    CHECK(type_of(node) == 4);
    MUST(cuGraphChildGraphNodeGetGraph(node, &inner));
    CHECK(inner != child);
    MUST(cuGraphGetNodes(inner, nodes, &count));
    CHECK(count == 1 && nodes[0] != fill);
    CUDA_MEMSET_NODE_PARAMS other = {
        .destination = memory, .value = 6, .elementBytes = 4, .width = COUNT, .height = 1};
    MUST(cuGraphMemsetNodeSetParams(nodes[0], &other));
    MUST(cuGraphDestroy(child));
    CUgraphExec executable = executable_of(graph);
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    holds(memory, 6);
    MUST(cuGraphCreate(&child, 0));
    add_fill(child, memory, 12, NULL);
    MUST(cuGraphExecChildGraphNodeSetParams(executable, node, child));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    holds(memory, 12);
    add_fill(child, memory, 13, NULL);
    CHECK(cuGraphExecChildGraphNodeSetParams(executable, node, child) == 910);
    MUST(cuGraphClone(&clone, graph));
    MUST(cuGraphNodeFindInClone(&found, node, clone));
    CHECK(found != node && type_of(found) == 4);
    CHECK(cuGraphNodeFindInClone(&found, fill, clone) != 0);
    MUST(cuGraphChildGraphNodeGetGraph(found, &inner));
    MUST(cuGraphLaunch(executable_of(clone), stream));
    MUST(cuStreamSynchronize(stream));
    holds(memory, 6);
    MUST(cuGraphDestroy(clone));
    CHECK(cuGraphChildGraphNodeGetGraph(found, &inner) == 1);
}

static void count_ten(void *by) { calls += *(int *)by; }

/* CUgraphNodeParams */
typedef struct any_node {
    int type, reserved[3];
    union {
        uint64_t words[29];
        host_node host;
        struct {
            CUDA_MEMSET_NODE_PARAMS fill;
            CUcontext context;
        } fill;
        CUDA_BATCH_MEM_OP_NODE_PARAMS batch;
        CUevent event;
    } of;
    uint64_t reserved2;
} any_node;

/* Functions of the program, and nodes of any kind, are changed in the graph and in the executable.
 */
static void changes(void) {
    int ten = 10, hundred = 100;
    host_node host, asked = {count_ten, &ten}, other = {count_ten, &hundred};
    CUgraphNode call = add_call(count_call, NULL), fill = add_fill(graph, memory, 1, &call), batch;
    CUstreamBatchMemOpParams write = operation(2, memory + 4, 5, 0),
                             again = operation(2, memory + 4, 6, 0);
    CUDA_BATCH_MEM_OP_NODE_PARAMS values_of = {
        .context = primary, .count = 1, .operations = &write};
    MUST(cuGraphAddBatchMemOpNode(&batch, graph, &fill, 1, &values_of));
    MUST(cuGraphHostNodeGetParams(call, &host));
    CHECK(host.function == count_call && host.user_data == NULL);
    MUST(cuGraphHostNodeSetParams(call, &asked));
    MUST(cuGraphHostNodeGetParams(call, &host));
    CHECK(host.function == count_ten && host.user_data == &ten);
    CHECK(cuGraphHostNodeGetParams(fill, &host) == 1);
    CHECK(cuGraphHostNodeSetParams(fill, &asked) == 1);
    CHECK(cuGraphHostNodeSetParams(call, &(host_node){NULL, NULL}) == 1);
    CUgraphExec executable = executable_of(graph);
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(calls == 10);
    MUST(cuGraphExecHostNodeSetParams(executable, call, &other));
    any_node any = {
        .type = 2,
        .of.fill = {
            {.destination = memory, .value = 3, .elementBytes = 4, .width = COUNT, .height = 1},
            primary}};
    MUST(cuGraphExecNodeSetParams(executable, fill, &any));
    any = (any_node){.type = 12, .of.batch = values_of};
    any.of.batch.operations = &again;
    MUST(cuGraphExecNodeSetParams(executable, batch, &any));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(calls == 110);
    uint32_t numbers[3];
    MUST(cuMemcpyDtoH_v2(numbers, memory, sizeof numbers));
    CHECK(numbers[0] == 3 && numbers[1] == 6 && numbers[2] == 3);
    any = (any_node){.type = 3, .of.host = other};
    MUST(cuGraphNodeSetParams(call, &any));
    MUST(cuGraphBatchMemOpNodeSetParams(batch, &values_of));
    CHECK(cuGraphNodeSetParams(fill, &any) == 1);
    CHECK(cuGraphNodeSetParams(call, NULL) == 1);
    any.type = 99;
    CHECK(cuGraphNodeSetParams(call, &any) != 0);
    MUST(cuGraphLaunch(executable_of(graph), stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(calls == 210);
}

/* CUDA_KERNEL_NODE_PARAMS, the first version */
typedef struct kernel_node {
    CUfunction function;
    int grid[3], block[3], shared_bytes;
    void **parameters, **extra;
} kernel_node;

static const char PUT[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                          ".visible .entry put(.param .u64 to, .param .u32 value)\n"
                          "{\n.reg .b64 %rd;\n.reg .b32 %r;\n"
                          "ld.param.u64 %rd, [to];\nld.param.u32 %r, [value];\n"
                          "st.global.u32 [%rd], %r;\nret;\n}\n";

static CUDA_MEMCPY3D word_copy(CUdeviceptr from, CUdeviceptr to) {
    return (CUDA_MEMCPY3D){.sourceType = 2,
                           .sourceDevice = from,
                           .sourcePitch = 4,
                           .sourceHeight = 1,
                           .destinationType = 2,
                           .destinationDevice = to,
                           .destinationPitch = 4,
                           .destinationHeight = 1,
                           .width = 4,
                           .height = 1,
                           .depth = 1};
}

/* As a loop that was compiled to a graph: each turn changes a copy and a launch. */
static void turns(void) {
    CUmodule module;
    CUfunction put;
    CUdeviceptr target;
    CUgraphNode copied, launched;
    uint32_t numbers[COUNT], got[2], value = 0;
    MUST(cuModuleLoadData(&module, PUT));
    MUST(cuModuleGetFunction(&put, module, "put"));
    MUST(cuMemAlloc_v2(&target, 8));
    for (uint32_t i = 0; i < COUNT; i++)
        numbers[i] = 7 * i;
    MUST(cuMemcpyHtoD_v2(memory, numbers, BYTES));
    CUDA_MEMCPY3D copy = word_copy(memory, target);
    kernel_node launch = {
        put, {1, 1, 1}, {1, 1, 1}, 0, (void *[]){&(CUdeviceptr){target + 4}, &value}, NULL};
    MUST(cuGraphAddMemcpyNode(&copied, graph, NULL, 0, &copy, primary));
    MUST(cuGraphAddKernelNode(&launched, graph, &copied, 1, &launch));
    CUgraphExec executable = executable_of(graph);
    for (uint32_t i = 0; i < 20; i++) {
        copy.sourceDevice = memory + 4 * i;
        value = 100 + i;
        MUST(cuGraphExecMemcpyNodeSetParams(executable, copied, &copy, primary));
        MUST(cuGraphExecKernelNodeSetParams(executable, launched, &launch));
        MUST(cuGraphLaunch(executable, stream));
        MUST(cuStreamSynchronize(stream));
        MUST(cuMemcpyDtoH_v2(got, target, sizeof got));
        CHECK(got[0] == 7 * i && got[1] == value);
    }
    copy.sourceDevice = 4096; /* memory of nobody */
    CHECK(cuGraphExecMemcpyNodeSetParams(executable, copied, &copy, primary) == 1);
    CHECK(cuGraphExecMemcpyNodeSetParams(executable, launched, &(CUDA_MEMCPY3D){0}, primary) == 1);
    copy.sourceDevice = memory;
    CHECK(cuGraphExecMemcpyNodeSetParams(executable, launched, &copy, primary) == 1);
    launch.grid[0] = 0;
    CHECK(cuGraphExecKernelNodeSetParams(executable, launched, &launch) == 1);
}

static CUDA_MEMCPY3D copy_of(int type, void *host, int other, CUdeviceptr device) {
    return (CUDA_MEMCPY3D){.sourceType = type,
                           .sourceHost = (uint64_t)(uintptr_t)host,
                           .sourceDevice = device,
                           .sourcePitch = BYTES,
                           .sourceHeight = 1,
                           .destinationType = other,
                           .destinationHost = (uint64_t)(uintptr_t)host,
                           .destinationDevice = device,
                           .destinationPitch = BYTES,
                           .destinationHeight = 1,
                           .width = BYTES,
                           .height = 1,
                           .depth = 1};
}

/* Page-locked memory is read and written when the graph is launched. */
static void host_copies(void) {
    void *shared;
    CUgraphNode up, down, node;
    MUST(cuMemHostAlloc(&shared, 2 * BYTES, 0));
    int *numbers = shared;
    CUDA_MEMCPY3D there = copy_of(1, numbers, 2, memory),
                  back = copy_of(2, numbers + COUNT, 1, memory),
                  beyond = copy_of(1, numbers + COUNT + 1, 2, memory);
    CHECK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &beyond, primary) == 801);
    MUST(cuGraphAddMemcpyNode(&up, graph, NULL, 0, &there, primary));
    MUST(cuGraphAddMemcpyNode(&down, graph, &up, 1, &back, primary));
    add_call(count_call, &down);
    CUgraphExec executable = executable_of(graph);
    for (int i = 1; i <= 4; i++) {
        for (int k = 0; k < COUNT; k++)
            numbers[k] = i * k;
        MUST(cuGraphLaunch(executable, stream));
        MUST(cuStreamSynchronize(stream));
        for (int k = 0; k < COUNT; k++)
            CHECK(numbers[COUNT + k] == i * k);
    }
    CHECK(calls == 4);
    there.sourceHost += 4;
    there.width -= 4;
    MUST(cuGraphExecMemcpyNodeSetParams(executable, up, &there, primary));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(numbers[COUNT] == 4 && numbers[2 * COUNT - 1] == 4 * (COUNT - 1));
    MUST(cuGraphMemcpyNodeSetParams(up, &there));
}

static _Atomic int ended;

static void count_end(void *by) { ended += *(int *)by; }

static void await_ended(int all) {
    for (int i = 0; i < 120000 && ended < all; i++)
        pause_ms(1);
    CHECK(ended == all);
}

/* User objects of graphs end when no graph, no executable and no launch has them any more. */
static void objects(void) {
    static int one = 1, ten = 10, hundred = 100;
    CUuserObject first, second, third;
    CUgraph clone, parent, other;
    CUgraphNode node;
    CHECK(cuUserObjectCreate(&first, &one, count_end, 1, 0) == 1 &&
          cuUserObjectCreate(&first, &one, count_end, 0, 1) == 1);
    MUST(cuUserObjectCreate(&first, &one, count_end, 2, 1));
    MUST(cuUserObjectRelease(first, 1));
    MUST(cuGraphRetainUserObject(graph, first, 1, 1)); /* the graph has it alone */
    MUST(cuUserObjectCreate(&second, &ten, count_end, 1, 1));
    MUST(cuGraphRetainUserObject(graph, second, 2, 0));
    MUST(cuUserObjectRelease(second, 1));
    MUST(cuGraphReleaseUserObject(graph, second, 2));
    await_ended(10);
    add_call(hold, NULL);
    MUST(cuGraphClone(&clone, graph));
    CUgraphExec executable = executable_of(clone);
    MUST(cuGraphDestroy(graph));
    MUST(cuGraphDestroy(clone));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuGraphExecDestroy(executable));
    pause_ms(50);
    CHECK(ended == 10); /* it runs */
    may_go = 1;
    MUST(cuStreamSynchronize(stream));
    await_ended(11);
    /* That of a child, and what another graph puts in its place. */
    MUST(cuGraphCreate(&parent, 0));
    MUST(cuGraphCreate(&graph, 0));
    add_fill(graph, memory, 1, NULL);
    MUST(cuUserObjectCreate(&first, &one, count_end, 1, 1));
    MUST(cuGraphRetainUserObject(graph, first, 1, 1));
    MUST(cuGraphAddChildGraphNode(&node, parent, NULL, 0, graph));
    executable = executable_of(parent);
    MUST(cuGraphDestroy(parent));
    MUST(cuGraphDestroy(graph));
    MUST(cuGraphCreate(&other, 0));
    MUST(cuGraphCreate(&graph, 0));
    add_fill(graph, memory, 2, NULL);
    MUST(cuUserObjectCreate(&third, &hundred, count_end, 1, 1));
    MUST(cuGraphRetainUserObject(graph, third, 1, 1));
    MUST(cuGraphAddChildGraphNode(&node, other, NULL, 0, graph));
    MUST(cuGraphDestroy(graph));
    CHECK(ended == 11);
    MUST(cuGraphExecUpdate_v2(executable, other, &(CUgraphExecUpdateResultInfo){0}));
    await_ended(12);
    MUST(cuGraphDestroy(other));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(ended == 12);
    MUST(cuGraphExecDestroy(executable));
    await_ended(112);
}

/* A file for Graphviz: every node, every edge, what a node holds. */
static void printed(void) {
    static char text[1 << 16];
    char path[] = "/tmp/outboard-nodes-XXXXXX";
    CUgraph child;
    CUgraphNode node, first = add_fill(graph, memory, 5, NULL);
    close(mkstemp(path));
    MUST(cuGraphCreate(&child, 0));
    add_fill(child, memory, 7, NULL);
    MUST(cuGraphAddChildGraphNode(&node, graph, &first, 1, child));
    MUST(cuGraphDebugDotPrint(graph, path, 1));
    FILE *file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK(strncmp(text, "digraph dot {\n", 14) == 0 &&
          strcmp(text + strlen(text) - 4, "}\n}\n") == 0);
    CHECK(strstr(text, "\"graph_1_node_0\" [shape=\"box\" label=\"0\\nMEMSET") != NULL);
    CHECK(strstr(text, "value 5\"];") != NULL && strstr(text, "value 7\"];") != NULL);
    CHECK(strstr(text, "label=\"1\\nGRAPH") != NULL && strstr(text, "graph_2_node_0") != NULL);
    CHECK(strstr(text, "\"graph_1_node_0\" -> \"graph_1_node_1\";") != NULL);
    MUST(cuGraphDebugDotPrint(graph, path, 0));
    file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK(strstr(text, "MEMSET\"];") != NULL && strstr(text, "value") == NULL);
    CHECK(cuGraphDebugDotPrint(graph, NULL, 0) == 1);
    MUST(cuGraphDebugDotPrint(graph, path, 1u << 20));
    CHECK(cuGraphDebugDotPrint((CUgraph)(uintptr_t)0x1234567, path, 0) == 1);
    CHECK(cuGraphDebugDotPrint(graph, "/nowhere/graph.dot", 0) == 304);
    remove(path);
}

static const test_case cases[] = {
    {"events", events},
    {"external-events", external_events},
    {"into-a-graph", into_a_graph},
    {"in-vain-into-a-graph", in_vain_into_a_graph},
    {"memories", memories},
    {"captured-memories", captured_memories},
    {"values", values},
    {"children", children},
    {"changes", changes},
    {"turns", turns},
    {"host-copies", host_copies},
    {"objects", objects},
    {"printed", printed},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
