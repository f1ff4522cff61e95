/* SPDX-License-Identifier: Apache-2.0
 * Copies, in graphs, between a device and memory that only the program has; prints "ok".
 * usage: relays CASE
 */
#include "case.h"

#include <stdint.h>
#include <sys/mman.h>

enum { COUNT = 100003, BYTES = COUNT * 4, NODE_MEMCPY = 1, HOST = 1, DEVICE = 2 };

static CUcontext primary;
static CUstream stream;
static CUgraph graph;
static CUdeviceptr memory;
static uint32_t from[COUNT], to[COUNT];

static void prepare(void) {
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuGraphCreate(&graph, 0));
    MUST(cuMemAlloc_v2(&memory, BYTES));
}

static void number(uint32_t seed) {
    for (uint32_t i = 0; i < COUNT; i++)
        from[i] = i * 2654435761u + seed;
}

static void has_come(uint32_t seed) {
    for (uint32_t i = 0; i < COUNT; i++)
        CHECK(to[i] == i * 2654435761u + seed);
}

static CUDA_MEMCPY3D up_from(const void *host) {
    return (CUDA_MEMCPY3D){.sourceType = HOST,
                           .sourceHost = (uintptr_t)host,
                           .sourcePitch = BYTES,
                           .sourceHeight = 1,
                           .destinationType = DEVICE,
                           .destinationDevice = memory,
                           .destinationPitch = BYTES,
                           .destinationHeight = 1,
                           .width = BYTES,
                           .height = 1,
                           .depth = 1};
}

static CUDA_MEMCPY3D down_to(void *host) {
    return (CUDA_MEMCPY3D){.sourceType = DEVICE,
                           .sourceDevice = memory,
                           .sourcePitch = BYTES,
                           .sourceHeight = 1,
                           .destinationType = HOST,
                           .destinationHost = (uintptr_t)host,
                           .destinationPitch = BYTES,
                           .destinationHeight = 1,
                           .width = BYTES,
                           .height = 1,
                           .depth = 1};
}

static CUgraphNode add(const CUDA_MEMCPY3D *copy, const CUgraphNode *behind) {
    CUgraphNode node;
    MUST(cuGraphAddMemcpyNode(&node, graph, behind, behind != NULL, copy, primary));
    return node;
}

static CUgraphExec executable_of(CUgraph of) {
    CUgraphExec executable;
    MUST(cuGraphInstantiateWithFlags(&executable, of, 0));
    return executable;
}

static void launch(CUgraphExec executable) {
    memset(to, 0, sizeof to);
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
}

/* Read when the graph is launched, written before the stream is waited for; the nodes are what they
 * were asked to be. */
static void added(void) {
    CUDA_MEMCPY3D there = up_from(from), back = down_to(to), found, none = {0};
    CUgraph inner;
    size_t count = 0;
    int type;
    CHECK(cuGraphAddMemcpyNode(NULL, graph, NULL, 0, &there, primary) == 1);
    there.sourceHost = 0;
    CUgraphNode up, down;
    CHECK(cuGraphAddMemcpyNode(&up, graph, NULL, 0, &there, primary) != 0);
    CHECK(cuGraphAddMemcpyNode(&up, graph, NULL, 0, &none, primary) != 0);
    there.sourceHost = (uintptr_t)from;
    there.destinationDevice = 64;
    CHECK(cuGraphAddMemcpyNode(&up, graph, NULL, 0, &there, primary) == 1);
    there.destinationDevice = memory;
    up = add(&there, NULL);
    down = add(&back, &up);
    MUST(cuGraphGetNodes(graph, NULL, &count));
    CHECK(count == 2);
    MUST(cuGraphNodeGetType(up, &type));
    CHECK(type == NODE_MEMCPY);
    MUST(cuGraphMemcpyNodeGetParams(down, &found));
    CHECK(memcmp(&found, &back, sizeof back) == 0);
    CHECK(cuGraphChildGraphNodeGetGraph(up, &inner) == 1);
    CUgraphExec executable = executable_of(graph);
    MUST(cuGraphDestroy(graph));
    for (uint32_t i = 1; i <= 5; i++) {
        number(i);
        launch(executable);
        has_come(i);
    }
    MUST(cuGraphExecDestroy(executable));
}

/* Bytes between rows and layers stay as they are. */
static void boxes(void) {
    enum {
        WIDTH = 100,
        HEIGHT = 7,
        DEPTH = 5,
        PITCH = 160,
        ROWS = 9,
        ALL = PITCH * ROWS * (DEPTH + 1)
    };
    static uint8_t source[ALL], target[ALL];
    CUDA_MEMCPY3D there = up_from(source), back = down_to(target);
    there.sourceX = back.destinationX = 20, there.sourceY = back.destinationY = 2,
    there.sourceZ = back.destinationZ = 1;
    there.sourcePitch = back.destinationPitch = PITCH,
    there.sourceHeight = back.destinationHeight = ROWS;
    there.destinationPitch = back.sourcePitch = 256,
    there.destinationHeight = back.sourceHeight = 8;
    there.width = back.width = WIDTH, there.height = back.height = HEIGHT,
    there.depth = back.depth = DEPTH;
    for (int i = 0; i < ALL; i++)
        source[i] = (uint8_t)(i * 7 + i / 251 + 1);
    memset(target, 0, sizeof target);
    CUgraphNode up = add(&there, NULL);
    add(&back, &up);
    launch(executable_of(graph));
    for (int i = 0; i < ALL; i++) {
        int x = i % PITCH - 20, y = i / PITCH % ROWS - 2, z = i / PITCH / ROWS - 1;
        int inside = x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT && z >= 0 && z < DEPTH;
        CHECK(target[i] == (inside ? source[i] : 0));
    }
}

static CUgraph capture(void) {
    CUgraph captured;
    MUST(cuStreamBeginCapture_v2(stream, 0));
    MUST(cuMemcpyHtoDAsync_v2(memory, from, BYTES, stream));
    MUST(cuMemsetD32Async(memory, 77, 1, stream));
    MUST(cuMemcpyAsync((CUdeviceptr)(uintptr_t)to, memory, BYTES, stream));
    MUST(cuStreamEndCapture(stream, &captured));
    return captured;
}

/* With a second stream that joins; nothing is copied before the graph is launched. */
static void captured(void) {
    CUgraph made;
    CUstream second;
    CUevent fork, join;
    size_t nodes = 0, edges = 0;
    number(1);
    made = capture();
    MUST(cuGraphGetNodes(made, NULL, &nodes));
    MUST(cuGraphGetEdges(made, NULL, NULL, &edges));
    CHECK(nodes == 3 && edges == 2 && to[0] == 0);
    CUgraphExec executable = executable_of(made);
    MUST(cuGraphDestroy(made));
    for (uint32_t i = 2; i < 5; i++) {
        number(i);
        launch(executable);
        CHECK(to[0] == 77);
        to[0] = from[0];
        has_come(i);
    }
    memset(to, 0, sizeof to);
    /* A copy outside of the graph reads what the graph writes. */
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuMemcpyHtoDAsync_v2(memory, to, BYTES, stream));
    MUST(cuMemcpyDtoH_v2(to, memory, BYTES));
    CHECK(to[0] == 77);
    MUST(cuStreamCreate(&second, 1));
    MUST(cuEventCreate(&fork, 2));
    MUST(cuEventCreate(&join, 2));
    MUST(cuStreamBeginCapture_v2(stream, 0));
    MUST(cuMemsetD32Async(memory, 5, COUNT, stream));
    MUST(cuEventRecord(fork, stream));
    MUST(cuStreamWaitEvent(second, fork, 0));
    MUST(cuMemcpyHtoDAsync_v2(memory, from, 400, second));
    MUST(cuMemcpyHtoDAsync_v2(memory + 400, from, 400, stream));
    MUST(cuEventRecord(join, second));
    MUST(cuStreamWaitEvent(stream, join, 0));
    MUST(cuMemcpyDtoHAsync_v2(to, memory, BYTES, stream));
    MUST(cuStreamEndCapture(stream, &made));
    nodes = edges = 0;
    MUST(cuGraphGetNodes(made, NULL, &nodes));
    MUST(cuGraphGetEdges(made, NULL, NULL, &edges));
    CHECK(nodes == 4 && edges == 4);
    launch(executable_of(made));
    CHECK(memcmp(to, from, 400) == 0 && memcmp(to + 100, from, 400) == 0 && to[200] == 5 &&
          to[COUNT - 1] == 5);
}

enum { WIDTH = 100, PITCH = 160 };

/* CUDA_MEMCPY2D */
static rectangle part(const void *host, size_t rows, int up) {
    rectangle r = {.source = {.type = DEVICE, .device = memory, .pitch = 256},
                   .destination = {.x = 8, .y = 1, .type = HOST, .host = host, .pitch = PITCH},
                   .width = WIDTH,
                   .height = rows};
    return up ? (rectangle){.source = r.destination,
                            .destination = r.source,
                            .width = WIDTH,
                            .height = rows}
              : r;
}

static void part_has_come(const uint8_t *sent, const uint8_t *come, int rows) {
    for (int i = 0; i < PITCH * (rows + 2); i++) {
        int x = i % PITCH - 8, y = i / PITCH - 1;
        CHECK(come[i] == (x >= 0 && x < WIDTH && y >= 0 && y < rows ? sent[i] : 0));
    }
}

/* Rectangles and boxes, of page-locked memory too. */
static void captured_parts(void) {
    enum { ROWS = 9, ALL = PITCH * (ROWS + 2) };
    static uint8_t pageable[ALL], come[ALL];
    void *locked;
    CUgraph made;
    MUST(cuMemHostAlloc(&locked, ALL, 0));
    for (int i = 0; i < ALL; i++)
        pageable[i] = ((uint8_t *)locked)[i] = (uint8_t)(i * 3 + i / 256 + 1);
    for (int i = 0; i < 4; i++) {
        const void *from_here = i % 2 == 0 ? pageable : locked;
        rectangle up = part(from_here, ROWS, 1), down = part(come, ROWS, 0);
        CUDA_MEMCPY3D box = {.sourceX = 8,
                             .sourceY = 1,
                             .sourceType = HOST,
                             .sourceHost = (uintptr_t)from_here,
                             .sourcePitch = PITCH,
                             .sourceHeight = ROWS + 2,
                             .destinationType = DEVICE,
                             .destinationDevice = memory,
                             .destinationPitch = 256,
                             .destinationHeight = ROWS,
                             .width = WIDTH,
                             .height = ROWS,
                             .depth = 1};
        MUST(cuStreamBeginCapture_v2(stream, 0));
        MUST(i < 2 ? cuMemcpy2DAsync_v2(&up, stream) : cuMemcpy3DAsync_v2(&box, stream));
        MUST(cuMemcpy2DAsync_v2(&down, stream));
        MUST(cuStreamEndCapture(stream, &made));
        memset(come, 0, ALL);
        MUST(cuMemsetD8_v2(memory, 0, 4096));
        launch(executable_of(made));
        part_has_come(pageable, come, ROWS);
    }
}

/* A node, and one of an executable, copy from and to elsewhere, as often as one likes. */
static void changed(void) {
    static uint32_t other[COUNT];
    CUDA_MEMCPY3D there = up_from(from), back = down_to(to), elsewhere = up_from(other), found;
    CUgraphNode up = add(&there, NULL);
    add(&back, &up);
    CUgraphExec executable = executable_of(graph);
    CHECK(cuGraphExecMemcpyNodeSetParams(executable, up, &back, primary) == 1);
    number(3);
    memcpy(other, from, BYTES);
    number(4);
    MUST(cuGraphExecMemcpyNodeSetParams(executable, up, &elsewhere, primary));
    launch(executable);
    has_come(3);
    MUST(cuGraphMemcpyNodeGetParams(up, &found));
    CHECK(found.sourceHost == (uintptr_t)from);
    for (int i = 0; i < 200; i++)
        MUST(cuGraphExecMemcpyNodeSetParams(executable, up, i % 2 == 0 ? &elsewhere : &there,
                                            primary));
    launch(executable);
    has_come(4);
    MUST(cuGraphMemcpyNodeSetParams(up, &elsewhere));
    MUST(cuGraphMemcpyNodeGetParams(up, &found));
    CHECK(found.sourceHost == (uintptr_t)other);
    launch(executable);
    has_come(4);
    launch(executable_of(graph));
    has_come(3);
}

static void hold(void *may_go) {
    while (!*(_Atomic int *)may_go)
        ;
}

/* The program may change the source once the launch has returned; with launches in two streams, and
 * of two executables. */
static void read_at_once(void) {
    enum { FEW = 1024 };
    static _Atomic int may_go;
    CUDA_MEMCPY3D there = up_from(from);
    CUdeviceptr copies;
    CUstream second;
    MUST(cuStreamCreate(&second, 1));
    MUST(cuMemAlloc_v2(&copies, 16 * FEW * 4));
    there.width = FEW * 4;
    add(&there, NULL);
    CUgraphExec one = executable_of(graph), other = executable_of(graph);
    for (uint32_t i = 0; i < 16; i++) {
        CUstream in = i % 4 < 2 ? stream : second;
        if (i == 0)
            MUST(cuLaunchHostFunc(in, hold, &may_go));
        number(i);
        MUST(cuGraphLaunch(i % 2 == 0 ? one : other, in));
        MUST(cuMemcpyDtoDAsync_v2(copies + i * FEW * 4, memory, FEW * 4, in));
        number(1000);
        may_go = 1;
        if (i % 2 == 1)
            MUST(cuStreamSynchronize(in));
    }
    MUST(cuMemcpyDtoH_v2(to, copies, 16 * FEW * 4));
    for (uint32_t i = 0; i < 16; i++)
        for (uint32_t k = 0; k < FEW; k++)
            CHECK(to[i * FEW + k] == k * 2654435761u + i);
}

static void cloned(void) {
    CUDA_MEMCPY3D there = up_from(from), back = down_to(to), found;
    CUgraphNode up = add(&there, NULL), copied;
    CUgraph clone, parent;
    int type;
    add(&back, &up);
    MUST(cuGraphClone(&clone, graph));
    MUST(cuGraphNodeFindInClone(&copied, up, clone));
    MUST(cuGraphNodeGetType(copied, &type));
    MUST(cuGraphMemcpyNodeGetParams(copied, &found));
    CHECK(copied != up && type == NODE_MEMCPY && found.sourceHost == (uintptr_t)from);
    MUST(cuGraphDestroy(graph));
    number(6);
    launch(executable_of(clone));
    has_come(6);
    MUST(cuGraphCreate(&parent, 0));
    MUST(cuGraphAddChildGraphNode(&copied, parent, NULL, 0, clone));
    MUST(cuGraphDestroy(clone));
    number(7);
    CUgraphExec executable = executable_of(parent);
    launch(executable);
    has_come(7);
    /* Its launch cannot be captured. */
    MUST(cuStreamBeginCapture_v2(stream, 0));
    CHECK(cuGraphLaunch(executable, stream) == 900);
    cuStreamEndCapture(stream, &clone);
    /* A graph that is a part of another one takes more of them. */
    CUgraph inner;
    CUdeviceptr second;
    MUST(cuMemAlloc_v2(&second, BYTES));
    there.destinationDevice = second;
    MUST(cuGraphChildGraphNodeGetGraph(copied, &inner));
    MUST(cuGraphAddMemcpyNode(&copied, inner, NULL, 0, &there, primary));
    number(8);
    launch(executable_of(parent));
    MUST(cuMemcpyDtoH_v2(to, second, BYTES));
    has_come(8);
}

/* Memory that a node read before it was taken out, or changed, is not read any more: it may be
 * gone. */
static void taken_out(void) {
    size_t page = 1 << 16;
    void *gone = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CUDA_MEMCPY3D first = up_from(gone), second = up_from(from), back = down_to(to);
    first.width = second.width = back.width = page;
    CUgraphNode out = add(&first, NULL), changes = add(&first, &out);
    add(&back, &changes);
    CUgraphExec executable = executable_of(graph);
    MUST(cuGraphExecMemcpyNodeSetParams(executable, changes, &second, primary));
    MUST(cuGraphDestroyNode(out));
    MUST(cuGraphMemcpyNodeSetParams(changes, &second));
    CUgraphExec without = executable_of(graph);
    MUST(cuGraphExecDestroy(executable));
    munmap(gone, page);
    number(2);
    launch(without);
    CHECK(memcmp(to, from, page) == 0);
}

/* As programs do that capture again and again. */
static void renewed(void) {
    CUgraphExec executable = NULL;
    for (uint32_t i = 1; i <= 50; i++) {
        CUgraph now = capture();
        if (executable == NULL)
            executable = executable_of(now);
        else
            MUST(cuGraphExecUpdate_v2(executable, now, &(CUgraphExecUpdateResultInfo){0}));
        MUST(cuGraphDestroy(now));
        number(i);
        launch(executable);
        CHECK(to[0] == 77);
        to[0] = from[0];
        has_come(i);
    }
}

/* CUDA_HOST_NODE_PARAMS */
typedef struct host_node {
    void (*function)(void *);
    void *user_data;
} host_node;

static void check_nine(void *come) {
    has_come(9);
    *(int *)come = 1;
}

/* The function after a copy to the program reads the copied bytes. */
static void among_functions(void) {
    CUDA_MEMCPY3D there = up_from(from), back = down_to(to);
    CUgraphNode last;
    int come = 0;
    CUgraphNode up = add(&there, NULL), down = add(&back, &up);
    MUST(cuGraphAddHostNode(&last, graph, &down, 1, &(host_node){check_nine, &come}));
    number(9);
    launch(executable_of(graph));
    CHECK(come == 1);
}

/* More, one after another, than a session may have at a time. */
static void ended(void) {
    enum { LARGE = 256 << 20 };
    uint8_t *large = malloc(LARGE);
    CUdeviceptr there;
    MUST(cuMemAlloc_v2(&there, LARGE));
    for (int i = 0; i < 20; i++) {
        CUgraph made;
        MUST(cuStreamBeginCapture_v2(stream, 0));
        MUST(cuMemcpyHtoDAsync_v2(there, large, LARGE - (size_t)i, stream));
        MUST(cuStreamEndCapture(stream, &made));
        CUgraphExec executable = executable_of(made);
        MUST(cuGraphDestroy(made));
        MUST(cuGraphExecDestroy(executable));
    }
    free(large);
}

static const test_case cases[] = {
    {"added", added},         {"boxes", boxes},
    {"captured", captured},   {"captured-parts", captured_parts},
    {"changed", changed},     {"read-at-once", read_at_once},
    {"taken-out", taken_out}, {"cloned", cloned},
    {"renewed", renewed},     {"among-functions", among_functions},
    {"ended", ended},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
