/* SPDX-License-Identifier: Apache-2.0
 * The order of functions of the program with the other work of streams, each topic in one case, and
 * functions that end the program. usage: functions CASE... | functions exits | functions dies
 */
#include "case.h"

#include <unistd.h>

enum { STEPS = 100, ROW = 1000, LONG_ROW = 10000, STREAMS = 4, HOST_NODE = 3 };

static CUcontext primary;
static CUstream stream;
static CUdeviceptr word;
static uint32_t *seen, *given; /* page-locked */

static void prepare(void) {
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuMemAlloc_v2(&word, sizeof(uint32_t)));
    MUST(cuMemHostAlloc((void **)&seen, sizeof *seen, 0));
    MUST(cuMemHostAlloc((void **)&given, sizeof *given, 0));
    MUST(cuMemsetD32_v2(word, 0, 1));
    MUST(cuCtxSynchronize());
}

static CUfunction add_kernel(void) {
    CUmodule module;
    CUfunction add;
    MUST(cuModuleLoadData(&module, ADD_KERNEL));
    MUST(cuModuleGetFunction(&add, module, "add"));
    return add;
}

static void add_one(CUfunction add) {
    uint32_t count = 1, what = 1;
    void *parameters[] = {&word, &count, &what};
    MUST(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
}

/* ---- among copies and kernels ---------------------------------------------------------------- */

static uint32_t turns, wrong;

/* It finds what the copy before it has brought, and the copy behind it finds its double. */
static void double_it(void *unused) {
    (void)unused;
    wrong += *seen != 2 * turns + 1;
    *given = 2 * ++turns;
}

static void order(void) {
    CUfunction add = add_kernel();
    for (int i = 0; i < STEPS; i++) {
        add_one(add);
        MUST(cuMemcpyDtoHAsync_v2(seen, word, sizeof *seen, stream));
        MUST(cuLaunchHostFunc(stream, double_it, NULL));
        MUST(cuMemcpyHtoDAsync_v2(word, given, sizeof *given, stream));
        if (i % 10 == 0)
            MUST(cuStreamSynchronize(stream));
    }
    MUST(cuStreamSynchronize(stream));
    CHECK(turns == STEPS && wrong == 0);
}

/* ---- one after the other --------------------------------------------------------------------- */

typedef struct row {
    uint32_t next, wrong;
    CUstream stream;
} row;

typedef struct place {
    row *in;
    uint32_t number;
} place;

static void take_place(void *data) {
    place *at = data;
    at->in->wrong += at->in->next++ != at->number;
}

static void take_places(row *rows, int count, uint32_t each) {
    place *places = calloc((size_t)count * each, sizeof *places);
    CHECK(places != NULL);
    for (uint32_t i = 0; i < each; i++)
        for (int r = 0; r < count; r++) {
            place *at = &places[(size_t)i * (size_t)count + (size_t)r];
            *at = (place){&rows[r], i};
            MUST(cuLaunchHostFunc(rows[r].stream, take_place, at));
        }
    for (int r = 0; r < count; r++) {
        MUST(cuStreamSynchronize(rows[r].stream));
        CHECK(rows[r].next == each && rows[r].wrong == 0);
    }
    free(places);
}

static void in_a_row(void) {
    row one = {.stream = stream};
    take_places(&one, 1, ROW);
}

static void in_a_long_row(void) {
    row one = {.stream = stream};
    take_places(&one, 1, LONG_ROW);
}

static void in_streams(void) {
    row rows[STREAMS] = {{0}};
    for (int r = 0; r < STREAMS; r++)
        MUST(cuStreamCreate(&rows[r].stream, 1));
    take_places(rows, STREAMS, STEPS);
    for (int r = 0; r < STREAMS; r++)
        MUST(cuStreamDestroy_v2(rows[r].stream));
}

/* The driver calls it also where its stream is destroyed meanwhile. */
static void behind_the_end(void) {
    row one = {0};
    place at = {&one, 0};
    MUST(cuStreamCreate(&one.stream, 1));
    MUST(cuLaunchHostFunc(one.stream, take_place, &at));
    MUST(cuStreamDestroy_v2(one.stream));
    MUST(cuCtxSynchronize());
    CHECK(one.next == 1);
}

/* ---- in a graph ------------------------------------------------------------------------------ */

static void count_on(void *unused) {
    (void)unused;
    wrong += *seen != ++turns;
}

static int host_nodes(CUgraph graph) {
    CUgraphNode nodes[4];
    size_t count = sizeof nodes / sizeof *nodes;
    int hosts = 0, type;
    MUST(cuGraphGetNodes(graph, nodes, &count));
    for (size_t i = 0; i < count; i++) {
        MUST(cuGraphNodeGetType(nodes[i], &type));
        hosts += type == HOST_NODE;
    }
    return hosts;
}

static void captured(void) {
    CUgraph graph;
    CUgraphExec made;
    CUfunction add = add_kernel();
    turns = wrong = 0;
    MUST(cuStreamBeginCapture_v2(stream, 0));
    add_one(add);
    MUST(cuMemcpyDtoHAsync_v2(seen, word, sizeof *seen, stream));
    MUST(cuLaunchHostFunc(stream, count_on, NULL));
    MUST(cuStreamEndCapture(stream, &graph));
    CHECK(host_nodes(graph) == 1);
    MUST(cuGraphInstantiateWithFlags(&made, graph, 0));
    for (int i = 0; i < STEPS; i++)
        MUST(cuGraphLaunch(made, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(turns == STEPS && wrong == 0);
}

/* ---- ends of the program --------------------------------------------------------------------- */

static void end_orderly(void *unused) {
    (void)unused;
    exit(3);
}

static void end_at_once(void *unused) {
    (void)unused;
    _exit(4);
}

/* The stream does not go on, and who waits may hear that the driver is gone. */
static int ends(void (*by)(void *)) {
    prepare();
    MUST(cuLaunchHostFunc(stream, by, NULL));
    cuStreamSynchronize(stream);
    sleep(60);
    return 1;
}

static const test_case cases[] = {
    {"order", order},
    {"row", in_a_row},
    {"longRow", in_a_long_row},
    {"streams", in_streams},
    {"destroyed", behind_the_end},
    {"captured", captured},
};

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "exits") == 0)
        return ends(end_orderly);
    if (argc == 2 && strcmp(argv[1], "dies") == 0)
        return ends(end_at_once);
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
