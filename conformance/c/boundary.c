/* SPDX-License-Identifier: Apache-2.0
 * Tests functions beyond allocating, copying and launching, each topic in one case; prints "ok".
 * usage: boundary CASE
 */
#include "case.h"

#include <stdbool.h>
#include <stdint.h>

/* add(to, value): adds a value to each of 64 numbers; twice calls a function that another text has.
 */
static const char ADD[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                          ".visible .entry add(.param .u64 to, .param .u32 value)\n{\n"
                          ".reg .b64 %rd<5>;\n.reg .b32 %r<5>;\n"
                          "ld.param.u64 %rd1, [to];\ncvta.to.global.u64 %rd2, %rd1;\n"
                          "ld.param.u32 %r1, [value];\n"
                          "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd3, %r2, 4;\n"
                          "add.s64 %rd4, %rd2, %rd3;\n"
                          "ld.global.u32 %r3, [%rd4];\nadd.s32 %r4, %r3, %r1;\n"
                          "st.global.u32 [%rd4], %r4;\nret;\n}\n";
static const char CALLER[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                             ".extern .func (.param .b32 result) twice(.param .b32 value);\n"
                             ".visible .entry store(.param .u64 to)\n{\n.reg .b64 %rd<3>;\n"
                             ".reg .b32 %r<3>;\n"
                             "ld.param.u64 %rd1, [to];\ncvta.to.global.u64 %rd2, %rd1;\n"
                             "mov.u32 %r1, 21;\n"
                             "{\n.param .b32 given;\nst.param.b32 [given], %r1;\n"
                             ".param .b32 taken;\n"
                             "call.uni (taken), twice, (given);\nld.param.b32 %r2, [taken];\n}\n"
                             "st.global.u32 [%rd2], %r2;\nret;\n}\n";
static const char CALLEE[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                             ".visible .func (.param .b32 result) twice(.param .b32 value)\n{\n"
                             ".reg .b32 %r<3>;\n"
                             "ld.param.u32 %r1, [value];\nadd.s32 %r2, %r1, %r1;\n"
                             "st.param.b32 [result], %r2;\nret;\n}\n";

enum { COUNT = 64, BYTES = COUNT * 4, UNIT = 2 << 20 };

static CUcontext context;
static CUstream stream;
static CUmodule module;
static CUfunction add;
static CUdeviceptr memory;

static void prepare(void) {
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuModuleLoadData(&module, ADD));
    MUST(cuModuleGetFunction(&add, module, "add"));
    MUST(cuMemAlloc_v2(&memory, BYTES));
    MUST(cuMemsetD32_v2(memory, 0, COUNT));
    MUST(cuCtxSynchronize());
}

static int first(CUdeviceptr from) {
    int value;
    MUST(cuMemcpyDtoH_v2(&value, from, sizeof value));
    return value;
}

static CUresult launch(CUstream in, CUdeviceptr to, unsigned value) {
    void *parameters[] = {&to, &value};
    return cuLaunchKernel(add, 1, 1, 1, COUNT, 1, 1, 0, in, parameters, NULL);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static CUgraph capture_three(void) {
    CUgraph graph;
    int status;
    MUST(cuStreamBeginCapture_v2(stream, 0));
    MUST(cuMemsetD32Async(memory, 5, COUNT, stream));
    MUST(launch(stream, memory, 10));
    MUST(launch(stream, memory, 100));
    MUST(cuStreamIsCapturing(stream, &status));
    CHECK(status == 1);
    MUST(cuStreamEndCapture(stream, &graph));
    MUST(cuStreamIsCapturing(stream, &status));
    CHECK(status == 0);
    return graph;
}

static void captured_graph(void) {
    CUgraphExec executable;
    CUgraphNode nodes[8];
    CUgraph graph = capture_three();
    size_t count = 8;
    int type;
    CHECK(first(memory) == 0);
    MUST(cuGraphGetNodes(graph, NULL, &count));
    CHECK(count == 3);
    MUST(cuGraphGetNodes(graph, nodes, &count));
    MUST(cuGraphNodeGetType(nodes[0], &type));
    CHECK(count == 3 && type == 2);
    MUST(cuGraphInstantiateWithFlags(&executable, graph, 0));
    MUST(cuGraphDestroy(graph));
    CHECK(cuGraphNodeGetType(nodes[0], &type) == 1);
    for (int i = 0; i < 100; i++)
        MUST(cuGraphLaunch(executable, stream));
    MUST(launch(stream, memory, 1000));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 1115);
    MUST(cuGraphExecDestroy(executable));
    CHECK(cuGraphLaunch(executable, stream) == 1 || cuStreamSynchronize(stream) == 400);
}

/* A second stream forks off by an event and comes back by another. */
static void forked_capture(void) {
    CUgraph graph;
    CUgraphExec executable;
    CUstream other;
    CUevent forked, joined;
    CUdeviceptr second;
    size_t count = 0;
    MUST(cuStreamCreate(&other, 1));
    MUST(cuEventCreate(&forked, 2));
    MUST(cuEventCreate(&joined, 2));
    MUST(cuMemAlloc_v2(&second, BYTES));
    MUST(cuMemsetD32_v2(second, 0, COUNT));
    MUST(cuStreamBeginCapture_v2(stream, 2));
    MUST(launch(stream, memory, 1));
    MUST(cuEventRecord(forked, stream));
    MUST(cuStreamWaitEvent(other, forked, 0));
    MUST(launch(other, second, 2));
    MUST(launch(stream, memory, 3));
    MUST(cuEventRecord(joined, other));
    MUST(cuStreamWaitEvent(stream, joined, 0));
    MUST(cuMemcpyDtoDAsync_v2(memory + 4, second, 4, stream));
    MUST(cuStreamEndCapture(stream, &graph));
    MUST(cuGraphGetEdges_v2(graph, NULL, NULL, NULL, &count));
    CHECK(count == 4);
    MUST(cuGraphInstantiate(&executable, graph, NULL, NULL, 0));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 4 && first(memory + 4) == 2 && first(second) == 2);
}

static void unjoined_capture(void) {
    CUgraph graph;
    CUstream other;
    CUevent forked;
    MUST(cuStreamCreate(&other, 1));
    MUST(cuEventCreate(&forked, 2));
    MUST(cuStreamBeginCapture_v2(stream, 2));
    MUST(cuEventRecord(forked, stream));
    MUST(cuStreamWaitEvent(other, forked, 0));
    MUST(launch(other, memory, 2));
    CHECK(cuStreamEndCapture(stream, &graph) == 904);
    MUST(launch(stream, memory, 7));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 7);
}

/* A forbidden call in a capture ends the capture, and the stream still works. */
static void broken_capture(void) {
    CUgraph graph = (CUgraph)1;
    int status;
    MUST(cuStreamBeginCapture_v2(stream, 2));
    CHECK(cuStreamSynchronize(stream) == 900);
    MUST(cuStreamIsCapturing(stream, &status));
    CHECK(status == 2);
    CHECK(cuStreamEndCapture(stream, &graph) == 901);
    CHECK(graph == NULL);
    MUST(launch(stream, memory, 7));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 7);
    CHECK(cuStreamBeginCapture_v2(NULL, 0) == 900);
    CHECK(cuStreamBeginCapture_v2(stream, 3) == 1);
    CHECK(cuStreamEndCapture(stream, &graph) == 401);
}

static void capture_info(void) {
    CUgraph graph, same;
    CUgraphNode *nodes;
    const CUgraphNode *dependencies;
    size_t count = 0;
    unsigned long long id = 0;
    int status, type;
    MUST(cuStreamBeginCapture_v2(stream, 1));
    MUST(launch(stream, memory, 1));
    MUST(cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &dependencies, &count));
    CHECK(status == 1 && id != 0 && count == 1);
    MUST(cuGraphNodeGetType(dependencies[0], &type));
    CHECK(type == 0);
    CUgraphNode empty, last = dependencies[0];
    MUST(cuGraphAddEmptyNode(&empty, graph, &last, 1));
    MUST(cuStreamUpdateCaptureDependencies(stream, &empty, 1, 1));
    MUST(launch(stream, memory, 1));
    MUST(cuStreamEndCapture(stream, &same));
    CHECK(graph == same);
    MUST(cuGraphGetNodes(graph, NULL, &count));
    CHECK(count == 3);
    nodes = calloc(count, sizeof *nodes);
    MUST(cuGraphGetRootNodes(graph, nodes, &count));
    CHECK(count == 1 && nodes[0] == last);
    free(nodes);
}

struct kernel_node {
    CUfunction function;
    unsigned grid[3], block[3], shared;
    void **parameters, **extra;
    void *kernel;
    CUcontext context;
};

/* Made by hand, changed, updated. */
static void built_graph(void) {
    unsigned value = 3;
    void *parameters[] = {&memory, &value};
    struct kernel_node asked = {add, {1, 1, 1}, {COUNT, 1, 1}, 0, parameters, NULL, NULL, NULL},
                       got;
    CUDA_MEMSET_NODE_PARAMS fill = {memory, 0, 7, 4, COUNT, 1}, filled;
    CUgraph graph, clone;
    CUgraphNode set, kernel, error;
    CUgraphExec executable;
    int result;
    MUST(cuGraphCreate(&graph, 0));
    MUST(cuGraphAddMemsetNode(&set, graph, NULL, 0, &fill, context));
    MUST(cuGraphAddKernelNode_v2(&kernel, graph, &set, 1, &asked));
    value = 99;
    MUST(cuGraphKernelNodeGetParams_v2(kernel, &got));
    CHECK(got.function == add && got.block[0] == COUNT && *(unsigned *)got.parameters[1] == 3);
    MUST(cuGraphMemsetNodeGetParams(set, &filled));
    CHECK(filled.value == 7 && filled.destination == memory);
    MUST(cuGraphInstantiateWithFlags(&executable, graph, 0));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 10);
    MUST(cuGraphExecKernelNodeSetParams_v2(executable, kernel, &asked));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 106);
    MUST(cuGraphNodeSetEnabled(executable, set, 0));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 205);
    MUST(cuGraphNodeSetEnabled(executable, set, 1));
    fill.value = 1;
    MUST(cuGraphMemsetNodeSetParams(set, &fill));
    MUST(cuGraphClone(&clone, graph));
    MUST(cuGraphExecUpdate(executable, clone, &error, &result));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(result == 0 && first(memory) == 4);
    MUST(cuGraphDestroyNode(set));
    CHECK(cuGraphExecUpdate(executable, graph, &error, &result) == 910 && result != 0);
    CHECK(cuGraphAddDependencies(graph, &kernel, &kernel, 1) == 1);
}

static _Atomic int ran;
static void count_up(void *by) { ran += *(int *)by; }

/* A function of the program runs at each launch of the graph. */
static void function_in_graph(void) {
    static int one = 1, ten = 10;
    CUgraph graph, parent;
    CUgraphNode child;
    CUgraphExec executable;
    MUST(cuStreamBeginCapture_v2(stream, 0));
    MUST(cuLaunchHostFunc(stream, count_up, &one));
    MUST(cuStreamEndCapture(stream, &graph));
    MUST(cuGraphCreate(&parent, 0));
    MUST(cuGraphAddChildGraphNode(&child, parent, NULL, 0, graph));
    struct { void (*function)(void *); void *data; } host = {count_up, &ten};
    MUST(cuGraphAddHostNode(&child, parent, &child, 1, &host));
    MUST(cuGraphInstantiateWithFlags(&executable, parent, 0));
    CHECK(cuGraphNodeSetEnabled(executable, child, 0) == 1);
    for (int i = 0; i < 20; i++)
        MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(ran == 220);
    MUST(cuLaunchHostFunc(stream, count_up, &one));
    MUST(cuStreamSynchronize(stream));
    CHECK(ran == 221);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void pools(void) {
    CUmemoryPool pool, current;
    CUdeviceptr a, b;
    uint64_t used = 1, threshold = 1 << 20;
    int reuse = -1;
    MUST(cuDeviceGetDefaultMemPool(&pool, 0));
    MUST(cuMemPoolSetAttribute(pool, 4, &threshold));
    MUST(cuMemPoolGetAttribute(pool, 1, (uint64_t *)(void *)&reuse));
    CHECK(reuse == 1);
    MUST(cuMemAllocAsync(&a, BYTES, stream));
    MUST(cuMemsetD32Async(a, 1, COUNT, stream));
    MUST(launch(stream, a, 41));
    MUST(cuMemcpyDtoDAsync_v2(memory, a, BYTES, stream));
    MUST(cuMemPoolGetAttribute(pool, 7, &used));
    CHECK(used >= BYTES);
    MUST(cuMemFreeAsync(a, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 42);
    MUST(cuMemPoolGetAttribute(pool, 7, &used));
    CHECK(used == 0);
    CHECK(cuMemFreeAsync(a, stream) == 1);
    CUmemPoolProps properties = {.type = 1, .location = {1, 0}, .maxBytes = 1 << 20};
    MUST(cuMemPoolCreate(&pool, &properties));
    MUST(cuDeviceSetMemPool(0, pool));
    MUST(cuDeviceGetMemPool(&current, 0));
    CHECK(current == pool);
    CHECK(cuMemAllocAsync(&b, 64 << 20, stream) == 2);
    MUST(cuMemAllocFromPoolAsync(&b, BYTES, pool, stream));
    MUST(cuMemFree_v2(b));
    MUST(cuMemPoolDestroy(pool));
    MUST(cuDeviceGetMemPool(&current, 0));
    CHECK(current != pool);
}

/* Two pieces at neighbouring addresses are used as one; an unmapped piece is gone, a piece that is
 * mapped anew is the same. */
static void virtual_memory(void) {
    CUmemAllocationProp properties = {.type = 1, .location = {1, 0}};
    CUmemAccessDesc access = {{1, 0}, 3};
    CUmemGenericAllocationHandle one, two, held;
    CUdeviceptr addresses;
    size_t granularity, free_before, free_now, total;
    MUST(cuMemGetAllocationGranularity(&granularity, &properties, 0));
    CHECK(UNIT % granularity == 0);
    MUST(cuMemGetInfo_v2(&free_before, &total));
    MUST(cuMemAddressReserve(&addresses, 4 * UNIT, 0, 0, 0));
    MUST(cuMemCreate(&one, UNIT, &properties, 0));
    MUST(cuMemCreate(&two, UNIT, &properties, 0));
    MUST(cuMemMap(addresses, UNIT, 0, one, 0));
    MUST(cuMemMap(addresses + UNIT, UNIT, 0, two, 0));
    MUST(cuMemSetAccess(addresses, 2 * UNIT, &access, 1));
    MUST(cuMemsetD32_v2(addresses, 11, 2 * UNIT / 4));
    MUST(launch(NULL, addresses + UNIT - BYTES / 2, 4));
    MUST(cuCtxSynchronize());
    CHECK(first(addresses + UNIT - 4) == 15 && first(addresses + UNIT) == 15 &&
          first(addresses) == 11);
    MUST(cuMemRetainAllocationHandle(&held, addresses + UNIT + 100));
    CHECK(held == two);
    MUST(cuMemUnmap(addresses, 2 * UNIT));
    CHECK(cuMemcpyDtoH_v2(&granularity, addresses, 4) == 1);
    MUST(cuMemMap(addresses + 2 * UNIT, UNIT, 0, two, 0));
    MUST(cuMemSetAccess(addresses + 2 * UNIT, UNIT, &access, 1));
    CHECK(first(addresses + 2 * UNIT) == 15);
    MUST(cuMemUnmap(addresses + 2 * UNIT, UNIT));
    MUST(cuMemRelease(one));
    MUST(cuMemRelease(two));
    MUST(cuMemRelease(held));
    CHECK(cuMemRelease(two) == 1);
    MUST(cuMemAddressFree(addresses, 4 * UNIT));
    MUST(cuMemGetInfo_v2(&free_now, &total));
    CHECK(free_now == free_before);
}

/* Freed memory comes back with zeros, never with its old bytes. */
static void zeros(void) {
    static unsigned char bytes[3 << 20];
    for (size_t size = 1000; size <= sizeof bytes; size *= 7) {
        for (int round = 0; round < 3; round++) {
            CUdeviceptr fresh;
            MUST(cuMemAlloc_v2(&fresh, size));
            MUST(cuMemcpyDtoH_v2(bytes, fresh, size));
            for (size_t i = 0; i < size; i++)
                CHECK(bytes[i] == 0);
            MUST(cuMemsetD8_v2(fresh, 0xab, size));
            MUST(cuMemFree_v2(fresh));
        }
    }
}

static void values(void) {
    CUstream other;
    MUST(cuStreamCreate(&other, 1));
    MUST(cuStreamWaitValue32_v2(stream, memory + 8, 3, 0));
    MUST(launch(stream, memory, 1));
    CHECK(cuStreamQuery(stream) == 600);
    MUST(cuStreamWriteValue32_v2(other, memory + 8, 5, 0));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 1 && first(memory + 8) == 6);
    MUST(cuStreamWriteValue64_v2(other, memory + 16, 1ull << 40, 0));
    MUST(cuStreamWaitValue64_v2(other, memory + 16, 1ull << 40, 1));
    MUST(cuStreamSynchronize(other));
    CHECK(first(memory + 20) == 256);
}

enum { WIDTH = 12, HEIGHT = 3, DEPTH = 2, PITCH = 32, ROWS = 5 };

static void boxes(void) {
    unsigned char source[DEPTH][ROWS][PITCH], target[DEPTH][HEIGHT][WIDTH];
    CUdeviceptr a, b;
    MUST(cuMemAlloc_v2(&a, sizeof source));
    MUST(cuMemAlloc_v2(&b, sizeof source));
    for (size_t i = 0; i < sizeof source; i++)
        ((unsigned char *)source)[i] = (unsigned char)(i * 7);
    memset(target, 0, sizeof target);
    CUDA_MEMCPY3D up = {.sourceX = 4,
                        .sourceY = 1,
                        .sourceType = 1,
                        .sourceHost = (uint64_t)(uintptr_t)source,
                        .sourcePitch = PITCH,
                        .sourceHeight = ROWS,
                        .destinationType = 2,
                        .destinationDevice = a,
                        .destinationPitch = PITCH,
                        .destinationHeight = ROWS,
                        .width = WIDTH,
                        .height = HEIGHT,
                        .depth = DEPTH};
    CUDA_MEMCPY3D across = {.sourceType = 2,
                            .sourceDevice = a,
                            .sourcePitch = PITCH,
                            .sourceHeight = ROWS,
                            .destinationX = 8,
                            .destinationType = 2,
                            .destinationDevice = b,
                            .destinationPitch = PITCH,
                            .destinationHeight = HEIGHT,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .depth = DEPTH};
    CUDA_MEMCPY3D down = {.sourceX = 8,
                          .sourceType = 2,
                          .sourceDevice = b,
                          .sourcePitch = PITCH,
                          .sourceHeight = HEIGHT,
                          .destinationType = 1,
                          .destinationHost = (uint64_t)(uintptr_t)target,
                          .destinationPitch = WIDTH,
                          .destinationHeight = HEIGHT,
                          .width = WIDTH,
                          .height = HEIGHT,
                          .depth = DEPTH};
    MUST(cuMemcpy3D_v2(&up));
    /* from pageable memory it may return before it is there (API synchronization behavior) */
    MUST(cuCtxSynchronize());
    MUST(cuMemcpy3DAsync_v2(&across, stream));
    MUST(cuStreamSynchronize(stream));
    MUST(cuMemcpy3D_v2(&down));
    for (int z = 0; z < DEPTH; z++)
        for (int y = 0; y < HEIGHT; y++)
            CHECK(memcmp(target[z][y], &source[z][y + 1][4], WIDTH) == 0);
    across.sourceHeight = HEIGHT - 1;
    CHECK(cuMemcpy3D_v2(&across) == 1);
}

static void batches(void) {
    int numbers[3] = {1, 2, 3}, back = 0;
    CUdeviceptr to[] = {memory, memory + 4, (CUdeviceptr)(uintptr_t)&back};
    CUdeviceptr from[] = {(CUdeviceptr)(uintptr_t)&numbers[1], (CUdeviceptr)(uintptr_t)&numbers[2],
                          memory + 4};
    size_t sizes[] = {4, 4, 4};
    int attributes[8] = {1}; /* CUmemcpyAttributes: the sources are read in the stream's order */
    size_t of_first = 0;
    CHECK(cuMemcpyBatchAsync_v2(to, from, sizes, 3, NULL, NULL, 0, stream) == 1);
    MUST(cuMemcpyBatchAsync_v2(to, from, sizes, 3, attributes, &of_first, 1, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 2 && back == 3);
    MUST(cuMemcpyPeerAsync(memory, context, memory + 4, context, 4, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 3);
    MUST(cuMemsetD2D16_v2(memory, 8, 0x1234, 2, 3));
    CHECK(first(memory + 16) == 0x12341234);
}

/* ---- launches and images --------------------------------------------------------------------- */

static void configured_launch(void) {
    unsigned value = 6;
    void *parameters[] = {&memory, &value};
    CUlaunchAttribute attributes[2] = {{.id = 8}, {.id = 6}};
    CUlaunchConfig config = {1, 1, 1, COUNT, 1, 1, 0, stream, attributes, 2};
    int clusters = -1, size = 0, grid = 0, possible = 0;
    MUST(cuLaunchKernelEx(&config, add, parameters, NULL));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 6);
    unsigned cluster[3] = {2, 1, 1};
    attributes[0].id = 4;
    memcpy(&attributes[0].value, cluster, sizeof cluster);
    config.gridX = 2;
    MUST(cuDeviceGetAttribute(&possible, 120, 0));
    CHECK(cuLaunchKernelEx(&config, add, parameters, NULL) == (possible ? 0 : 801));
    CHECK(cuOccupancyMaxActiveClusters(&clusters, add, &config) == 0);
    config.attributeCount = 0;
    config.gridX = 0;
    CHECK(cuLaunchKernelEx(&config, add, parameters, NULL) == 1);
    MUST(cuOccupancyMaxPotentialBlockSize(&grid, &size, add, NULL, 0, 0));
    CHECK(size > 0 && size % 32 == 0 && grid > 0);
}

/* Each block adds to a counter, and waits until all have: it ends only if all of them run at once.
 */
static void cooperative(void) {
    static const char MEET[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                               ".visible .entry meet(.param .u64 to, .param .u32 blocks)\n{\n"
                               ".reg .b64 %rd<3>;\n.reg .b32 %r<5>;\n.reg .pred %p<3>;\n"
                               "ld.param.u64 %rd1, [to];\ncvta.to.global.u64 %rd2, %rd1;\n"
                               "ld.param.u32 %r1, [blocks];\n"
                               "mov.u32 %r2, %tid.x;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra MET;\n"
                               "atom.global.add.u32 %r3, [%rd2], 1;\n"
                               "AGAIN:\nld.volatile.global.u32 %r4, [%rd2];\n"
                               "setp.lt.u32 %p2, %r4, %r1;\n@%p2 bra AGAIN;\n"
                               "MET:\nbar.sync 0;\nret;\n}\n";
    enum { THREADS = 256 };
    int each, multiprocessors;
    CUmodule loaded;
    CUfunction meet;
    MUST(cuModuleLoadData(&loaded, MEET));
    MUST(cuModuleGetFunction(&meet, loaded, "meet"));
    MUST(cuOccupancyMaxActiveBlocksPerMultiprocessor(&each, meet, THREADS, 0));
    MUST(cuDeviceGetAttribute(&multiprocessors, 16, 0));
    unsigned most = (unsigned)(each * multiprocessors), blocks = most;
    void *parameters[] = {&memory, &blocks};
    MUST(cuMemsetD32_v2(memory, 0, COUNT));
    MUST(cuLaunchCooperativeKernel(meet, most, 1, 1, THREADS, 1, 1, 0, stream, parameters));
    MUST(cuStreamSynchronize(stream));
    CHECK((unsigned)first(memory) == most);
    CHECK(cuLaunchCooperativeKernel(meet, most + 1, 1, 1, THREADS, 1, 1, 0, stream, parameters) ==
          720);
    CHECK(cuLaunchCooperativeKernel(meet, 0, 1, 1, THREADS, 1, 1, 0, stream, parameters) == 1);
    CUlaunchAttribute attribute = {.id = 2};
    CUlaunchConfig config = {2, 1, 1, THREADS, 1, 1, 0, stream, &attribute, 1};
    memcpy(&attribute.value, &(int){1}, sizeof(int));
    MUST(cuMemsetD32_v2(memory, 0, COUNT));
    blocks = 2;
    MUST(cuLaunchKernelEx(&config, meet, parameters, NULL));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 2);
    config.gridX = (int)most + 1;
    CHECK(cuLaunchKernelEx(&config, meet, parameters, NULL) == 720);
    MUST(cuStreamSynchronize(stream));
}

/* Images that come in many pieces. */
static void large_images(void) {
    for (size_t size = 3 << 20; size <= 48 << 20; size *= 4) {
        char *image = malloc(size + 1);
        CUlibrary library;
        CUkernel kernel;
        memcpy(image, ADD, sizeof ADD - 1);
        memset(image + sizeof ADD - 1, '\n', size - sizeof ADD + 1);
        image[size] = '\0';
        MUST(cuLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 0));
        free(image);
        MUST(cuLibraryGetKernel(&kernel, library, "add"));
        MUST(cuLibraryUnload(library));
    }
}

static void linked_image(void) {
    CUlinkState link;
    CUmodule linked;
    CUfunction store;
    void *image, *parameters[] = {&memory};
    size_t bytes;
    MUST(cuLinkCreate_v2(0, NULL, NULL, &link));
    MUST(cuLinkAddData_v2(link, 1, (void *)(uintptr_t)CALLER, sizeof CALLER, "caller", 0, NULL,
                          NULL));
    MUST(cuLinkAddData_v2(link, 1, (void *)(uintptr_t)CALLEE, sizeof CALLEE, "callee", 0, NULL,
                          NULL));
    MUST(cuLinkComplete(link, &image, &bytes));
    CHECK(bytes > 100);
    MUST(cuModuleLoadData(&linked, image));
    MUST(cuLinkDestroy(link));
    MUST(cuModuleGetFunction(&store, linked, "store"));
    MUST(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
    MUST(cuStreamSynchronize(stream));
    CHECK(first(memory) == 42);
    MUST(cuLinkCreate_v2(0, NULL, NULL, &link));
    MUST(cuLinkAddData_v2(link, 1, (void *)(uintptr_t)CALLER, sizeof CALLER, "caller", 0, NULL,
                          NULL));
    CHECK(cuLinkComplete(link, &image, &bytes) == 300);
}

static const test_case cases[] = {
    {"captured-graph", captured_graph},
    {"forked-capture", forked_capture},
    {"unjoined-capture", unjoined_capture},
    {"broken-capture", broken_capture},
    {"capture-info", capture_info},
    {"built-graph", built_graph},
    {"function-in-graph", function_in_graph},
    {"pools", pools},
    {"virtual-memory", virtual_memory},
    {"zeros", zeros},
    {"values", values},
    {"boxes", boxes},
    {"batches", batches},
    {"configured-launch", configured_launch},
    {"linked-image", linked_image},
    {"large-images", large_images},
    {"cooperative", cooperative},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
