/* SPDX-License-Identifier: Apache-2.0
 * A program with two devices, which may be of two hosts, each topic in one case; prints "ok".
 * Nothing in it knows of hosts, but for the case "apart", which checks what is told and refused
 * where there are two.
 * usage: severalHosts CASE
 */
#include "case.h"

#include <poll.h>
#include <unistd.h>

enum {
    DEVICES = 2,
    COUNT = 50000,
    BYTES = COUNT * 4,
    BLOCK = 128,
    DOMAIN_ID = 50,
    UNIFIED = 41,
    MANAGED = 83,
    MAPS_HOST = 19
};

static const char *const kernels =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .global .u32 factor = 3;\n"
    ".visible .entry scale(.param .u64 data, .param .u32 count)\n{\n"
    ".reg .b64 %d<4>; .reg .b32 %r<8>; .reg .pred %p;\n"
    "ld.param.u64 %d0, [data]; ld.param.u32 %r0, [count];\n"
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    "mad.lo.u32 %r4, %r1, %r2, %r3;\n"
    "setp.ge.u32 %p, %r4, %r0; @%p bra done;\n"
    "mul.wide.u32 %d1, %r4, 4; add.u64 %d2, %d0, %d1;\n"
    "ld.global.u32 %r5, [%d2]; ld.global.u32 %r6, [factor];\n"
    "mul.lo.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r4;\n"
    "st.global.u32 [%d2], %r5;\n"
    "done: ret;\n}\n";

/* The part of a device of simpleMultiGPU. */
typedef struct plan {
    CUcontext context;
    CUmodule module;
    CUfunction scale;
    CUstream stream;
    CUevent done;
    CUdeviceptr data;
    unsigned *host;
} plan;

static plan plans[DEVICES];

static void begin_one(plan *one, int device) {
    int found;
    MUST(cuDeviceGet(&found, device));
    MUST(cuDevicePrimaryCtxRetain(&one->context, found));
    MUST(cuCtxSetCurrent(one->context));
    MUST(cuModuleLoadData(&one->module, kernels));
    MUST(cuModuleGetFunction(&one->scale, one->module, "scale"));
    MUST(cuStreamCreate(&one->stream, 1));
    MUST(cuEventCreate(&one->done, 2));
    MUST(cuMemAlloc_v2(&one->data, BYTES));
}

static void begin(void) {
    int devices;
    MUST(cuInit(0));
    MUST(cuDeviceGetCount(&devices));
    CHECK(devices >= DEVICES);
    for (int i = 0; i < DEVICES; i++) {
        begin_one(&plans[i], i);
        plans[i].host = malloc(BYTES);
    }
    CHECK(plans[0].data != plans[1].data);
}

static void launch(const plan *one, CUdeviceptr data, CUstream stream) {
    unsigned count = COUNT;
    void *parameters[] = {&data, &count};
    MUST(cuLaunchKernel(one->scale, (COUNT + BLOCK - 1) / BLOCK, 1, 1, BLOCK, 1, 1, 0, stream,
                        parameters, NULL));
}

static void fill(plan *one, unsigned seed) {
    for (unsigned i = 0; i < COUNT; i++)
        one->host[i] = seed + i;
}

static unsigned scaled(unsigned value, unsigned i, unsigned factor) { return value * factor + i; }

/* Both work at once; each result is that of its own device's variable. */
static void multi(void) {
    for (unsigned i = 0; i < DEVICES; i++) {
        CUdeviceptr factor;
        size_t bytes;
        unsigned other = 3 + i;
        MUST(cuCtxSetCurrent(plans[i].context));
        MUST(cuModuleGetGlobal_v2(&factor, &bytes, plans[i].module, "factor"));
        MUST(cuMemcpyHtoD_v2(factor, &other, 4));
        fill(&plans[i], 7 * i);
    }
    for (int round = 0; round < 10; round++)
        for (int i = 0; i < DEVICES; i++) {
            MUST(cuCtxSetCurrent(plans[i].context));
            MUST(cuMemcpyHtoDAsync_v2(plans[i].data, plans[i].host, BYTES, plans[i].stream));
            launch(&plans[i], plans[i].data, plans[i].stream);
            MUST(cuMemcpyDtoHAsync_v2(plans[i].host, plans[i].data, BYTES, plans[i].stream));
        }
    for (unsigned d = 0; d < DEVICES; d++) {
        MUST(cuCtxSetCurrent(plans[d].context));
        MUST(cuStreamSynchronize(plans[d].stream));
        for (unsigned i = 0; i < COUNT; i++) {
            unsigned value = 7 * d + i;
            for (int round = 0; round < 10; round++)
                value = scaled(value, i, 3 + d);
            CHECK(plans[d].host[i] == value);
        }
    }
}

static void holds(const plan *one, unsigned (*expected)(unsigned)) {
    MUST(cuCtxSetCurrent(one->context));
    MUST(cuMemcpyDtoH_v2(one->host, one->data, BYTES));
    for (unsigned i = 0; i < COUNT; i++)
        CHECK(one->host[i] == expected(i));
}

static unsigned once(unsigned i) { return scaled(i, i, 3); }
static unsigned twice(unsigned i) { return scaled(once(i), i, 3); }
static unsigned nines(unsigned i) { return i < COUNT / 2 ? 9 : twice(i); }

/* From one to the other and back, in each of the ways that there are. */
static void copies(void) {
    fill(&plans[0], 0);
    MUST(cuCtxSetCurrent(plans[0].context));
    MUST(cuMemcpyHtoDAsync_v2(plans[0].data, plans[0].host, BYTES, plans[0].stream));
    launch(&plans[0], plans[0].data, plans[0].stream);
    MUST(cuMemcpyPeerAsync(plans[1].data, plans[1].context, plans[0].data, plans[0].context, BYTES,
                           plans[0].stream));
    MUST(cuStreamSynchronize(plans[0].stream));
    holds(&plans[1], once);
    launch(&plans[1], plans[1].data, NULL);
    MUST(cuMemcpyPeer(plans[0].data, plans[0].context, plans[1].data, plans[1].context, BYTES));
    holds(&plans[0], twice);
    MUST(cuMemsetD32_v2(plans[0].data, 9, COUNT));
    MUST(cuCtxSynchronize());
    MUST(cuCtxSetCurrent(plans[1].context));
    MUST(cuMemcpyDtoDAsync_v2(plans[1].data, plans[0].data, BYTES, plans[1].stream));
    MUST(cuStreamSynchronize(plans[1].stream));
    MUST(cuMemcpy(plans[0].data, plans[1].data, BYTES));
    MUST(cuCtxSynchronize());
    MUST(cuMemsetD32_v2(plans[1].data, 5, COUNT));
    MUST(cuMemcpyDtoD_v2(plans[1].data + 4, plans[0].data + 4, 8));
    MUST(cuMemcpyDtoH_v2(plans[1].host, plans[1].data, 16));
    CHECK(plans[1].host[0] == 5 && plans[1].host[1] == 9 && plans[1].host[2] == 9 &&
          plans[1].host[3] == 5);
}

static CUgraphExec captured(const plan *one) {
    CUgraph graph;
    CUgraphExec executable;
    MUST(cuStreamBeginCapture_v2(one->stream, 2));
    MUST(cuMemcpyHtoDAsync_v2(one->data, one->host, BYTES, one->stream));
    launch(one, one->data, one->stream);
    MUST(cuMemcpyDtoHAsync_v2(one->host, one->data, BYTES, one->stream));
    MUST(cuStreamEndCapture(one->stream, &graph));
    MUST(cuGraphInstantiateWithFlags(&executable, graph, 0));
    MUST(cuGraphDestroy(graph));
    return executable;
}

/* Graphs of either in turn, with copies of the program's own memory: what one has for them goes on
 * to the next. */
static void graphs(void) {
    for (unsigned round = 0; round < 6; round++) {
        plan *one = &plans[round % DEVICES];
        MUST(cuCtxSetCurrent(one->context));
        CUgraphExec executable = captured(one);
        fill(one, round);
        MUST(cuGraphLaunch(executable, one->stream));
        MUST(cuStreamSynchronize(one->stream));
        for (unsigned i = 0; i < COUNT; i++)
            CHECK(one->host[i] == scaled(round + i, i, 3));
        MUST(cuGraphExecDestroy(executable));
    }
}

/* Random copies inside and between both, beside a model. */
static void random_copies(void) {
    enum { STEPS = 300, WORDS = 4096 };
    static unsigned model[DEVICES][WORDS];
    unsigned read[WORDS];
    srandom(2026);
    for (int d = 0; d < DEVICES; d++) {
        for (unsigned i = 0; i < WORDS; i++)
            model[d][i] = (unsigned)random();
        MUST(cuCtxSetCurrent(plans[d].context));
        MUST(cuMemcpyHtoD_v2(plans[d].data, model[d], sizeof model[d]));
    }
    for (int step = 0; step < STEPS; step++) {
        int to = random() % 2, from = random() % 2, in = random() % 2;
        size_t words = 1 + (size_t)random() % (WORDS / 2), a = (size_t)random() % (WORDS / 2),
               b = (size_t)random() % (WORDS / 2);
        if (to == from && a + words > b && b + words > a)
            continue;
        MUST(cuCtxSetCurrent(plans[in].context));
        MUST(cuMemcpyDtoDAsync_v2(plans[to].data + 4 * a, plans[from].data + 4 * b, 4 * words,
                                  plans[in].stream));
        MUST(cuStreamSynchronize(plans[in].stream));
        memcpy(model[to] + a, model[from] + b, 4 * words);
    }
    for (int d = 0; d < DEVICES; d++) {
        MUST(cuCtxSetCurrent(plans[d].context));
        MUST(cuMemcpyDtoH_v2(read, plans[d].data, sizeof read));
        CHECK(memcmp(read, model[d], sizeof read) == 0);
    }
}

/* The second device goes on with what the first has done, and the other way round. */
static void events(void) {
    fill(&plans[0], 0);
    MUST(cuCtxSetCurrent(plans[0].context));
    MUST(cuMemcpyHtoD_v2(plans[0].data, plans[0].host, BYTES));
    for (int round = 0; round < 20; round++) {
        plan *one = &plans[round % 2], *other = &plans[(round + 1) % 2];
        MUST(cuCtxSetCurrent(one->context));
        launch(one, one->data, one->stream);
        MUST(cuEventRecord(one->done, one->stream));
        MUST(cuCtxSetCurrent(other->context));
        MUST(cuStreamWaitEvent(other->stream, one->done, 0));
        MUST(cuMemcpyDtoDAsync_v2(other->data, one->data, BYTES, other->stream));
        MUST(cuEventRecord(other->done, other->stream));
        MUST(cuStreamWaitEvent(one->stream, other->done, 0));
    }
    MUST(cuCtxSetCurrent(plans[0].context));
    MUST(cuStreamSynchronize(plans[0].stream));
    MUST(cuMemcpyDtoH_v2(plans[0].host, plans[0].data, BYTES));
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned value = i;
        for (int round = 0; round < 20; round++)
            value = scaled(value, i, 3);
        CHECK(plans[0].host[i] == value);
    }
}

static int calls;
static void count_call(void *what) { calls += *(int *)what; }

/* Page-locked memory, functions of the program, memory freed and contexts made from anywhere. */
static void rest(void) {
    void *locked;
    int five = 5;
    CUcontext made;
    CUdeviceptr memory;
    for (int d = DEVICES - 1; d >= 0; d--) {
        MUST(cuCtxSetCurrent(plans[d].context));
        MUST(cuMemHostAlloc(&locked, BYTES, 1));
        memset(locked, d + 1, BYTES);
        MUST(cuMemcpyHtoDAsync_v2(plans[d].data, locked, BYTES, plans[d].stream));
        MUST(cuLaunchHostFunc(plans[d].stream, count_call, &five));
        MUST(cuMemcpyDtoHAsync_v2(locked, plans[d].data, BYTES, plans[d].stream));
        MUST(cuStreamSynchronize(plans[d].stream));
        CHECK(((unsigned char *)locked)[BYTES - 1] == d + 1);
        MUST(cuMemFreeHost(locked));
    }
    CHECK(calls == 10);
    for (int d = 0; d < DEVICES; d++) {
        MUST(cuCtxCreate_v2(&made, 0, d));
        MUST(cuMemAlloc_v2(&memory, BYTES));
        MUST(cuCtxSetCurrent(plans[1 - d].context));
        MUST(cuMemFree_v2(memory));
        MUST(cuCtxDestroy_v2(made));
    }
    for (int round = 0; round < 3; round++)
        for (int d = 0; d < DEVICES; d++) {
            CUcontext again;
            MUST(cuDevicePrimaryCtxRetain(&again, d));
            CHECK(again == plans[d].context);
            MUST(cuDevicePrimaryCtxRelease_v2(d));
        }
    MUST(cuCtxSetCurrent(plans[0].context));
    MUST(cuMemFree_v2(plans[1].data));
    MUST(cuMemFree_v2(plans[0].data));
}

/* ---- libraries ------------------------------------------------------------------------------- */

static void launches(const plan *one, CUfunction kernel, unsigned factor) {
    plan with = *one;
    with.scale = kernel;
    MUST(cuMemsetD32_v2(one->data, 5, COUNT));
    launch(&with, one->data, NULL);
    MUST(cuMemcpyDtoH_v2(one->host, one->data, BYTES));
    for (unsigned i = 0; i < COUNT; i++)
        CHECK(one->host[i] == scaled(5, i, factor));
}

/* A kernel belongs to no context: it runs where the thread is, with the variables of that device.
 */
static void libraries(void) {
    CUlibrary library, same;
    CUkernel kernel, again, all[2];
    CUfunction functions[DEVICES];
    MUST(cuCtxSetCurrent(plans[0].context));
    MUST(cuLibraryLoadData(&library, kernels, NULL, NULL, 0, NULL, NULL, 0));
    MUST(cuLibraryGetKernel(&kernel, library, "scale"));
    for (int i = DEVICES - 1; i >= 0; i--) {
        int threads = 0;
        size_t bytes;
        CUdeviceptr factor;
        unsigned other = 11 + (unsigned)i;
        MUST(cuCtxSetCurrent(plans[i].context));
        MUST(cuKernelGetAttribute(&threads, 0, kernel, i));
        CHECK(threads >= BLOCK);
        launches(&plans[i], (CUfunction)kernel, 3);
        MUST(cuLibraryGetGlobal(&factor, &bytes, library, "factor"));
        MUST(cuMemcpyHtoD_v2(factor, &other, 4));
        MUST(cuKernelGetFunction(&functions[i], kernel));
    }
    CHECK(functions[0] != functions[1]);
    for (unsigned i = 0; i < DEVICES; i++) {
        MUST(cuCtxSetCurrent(plans[i].context));
        launches(&plans[i], functions[i], 11 + i);
        launches(&plans[i], (CUfunction)kernel, 11 + i);
    }
    MUST(cuLibraryGetKernel(&again, library, "scale"));
    CHECK(again == kernel);
    MUST(cuLibraryEnumerateKernels(all, 1, library));
    CHECK(all[0] == kernel);
    MUST(cuKernelGetLibrary(&same, kernel));
    CHECK(same == library);
    MUST(cuLibraryUnload(library));
    for (int i = 0; i < DEVICES; i++)
        CHECK(cuKernelGetFunction(&functions[i], kernel) == 400);
}

/* A library that is loaded and used where the second device is. */
static void libraries_there(void) {
    CUlibrary library;
    CUkernel kernel;
    MUST(cuCtxSetCurrent(plans[1].context));
    MUST(cuLibraryLoadData(&library, kernels, NULL, NULL, 0, NULL, NULL, 0));
    MUST(cuLibraryGetKernel(&kernel, library, "scale"));
    launches(&plans[1], (CUfunction)kernel, 3);
    MUST(cuCtxSetCurrent(plans[0].context));
    launches(&plans[0], (CUfunction)kernel, 3);
    MUST(cuLibraryUnload(library));
}

static void all_libraries(void) {
    libraries();
    libraries_there();
}

/* ---- what is told and refused ---------------------------------------------------------------- */

static int attribute(int which, int device) {
    int value;
    MUST(cuDeviceGetAttribute(&value, which, device));
    return value;
}

/* Questions about two hosts, and refusals. */
static void apart(void) {
    enum { INVALID_HANDLE = 400, UNSUPPORTED_PEER = 217, NOT_ENABLED = 705, ISOLATION = 905 };
    int possible = 1;
    char address[DEVICES][32];
    int found;
    CUgraph graph;
    unsigned char ids[DEVICES][16];
    for (int d = 0; d < DEVICES; d++) {
        CHECK(attribute(UNIFIED, d) == 1 && attribute(DOMAIN_ID, d) == d);
        MUST(cuDeviceGetPCIBusId(address[d], sizeof address[d], d));
        MUST(cuDeviceGetByPCIBusId(&found, address[d]));
        CHECK(found == d);
        MUST(cuDeviceGetUuid_v2(ids[d], d));
        MUST(cuDeviceCanAccessPeer(&possible, d, 1 - d));
        CHECK(possible == 0);
    }
    CHECK(memcmp(ids[0], ids[1], 16) != 0 && strcmp(address[0], address[1]) != 0);
    CHECK(attribute(MANAGED, 1) == 0 && attribute(MAPS_HOST, 1) == 0);
    MUST(cuCtxSetCurrent(plans[0].context));
    CHECK(cuCtxEnablePeerAccess(plans[1].context, 0) == UNSUPPORTED_PEER);
    CHECK(cuCtxDisablePeerAccess(plans[1].context) == NOT_ENABLED);
    CHECK(cuEventRecord(plans[1].done, plans[0].stream) != 0 ||
          cuStreamSynchronize(plans[0].stream) == INVALID_HANDLE);
    MUST(cuStreamBeginCapture_v2(plans[0].stream, 2));
    /* The wait is posted: the next call that is answered tells, and is not made. */
    CHECK(cuStreamWaitEvent(plans[0].stream, plans[1].done, 0) == ISOLATION ||
          cuStreamEndCapture(plans[0].stream, &graph) == ISOLATION);
    MUST(cuStreamEndCapture(plans[0].stream, &graph));
    MUST(cuGraphDestroy(graph));
    multi();
}

static void pass(const plan *to, const plan *from) {
    MUST(cuMemcpyPeer(to->data, to->context, from->data, from->context, BYTES));
    MUST(cuCtxSynchronize());
}

/* Whether standard input has ended, or has anything. */
static int is_told(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 0) != 0;
}

/* The second's bytes go to the first and come back: some rounds, and until this program is told. */
static void passing(void) {
    enum { ROUNDS = 20 };
    for (unsigned round = 0; round < ROUNDS || !is_told(); round++) {
        fill(&plans[1], round);
        MUST(cuCtxSetCurrent(plans[1].context));
        MUST(cuMemcpyHtoD_v2(plans[1].data, plans[1].host, BYTES));
        pass(&plans[0], &plans[1]);
        MUST(cuCtxSetCurrent(plans[0].context));
        MUST(cuMemcpyDtoH_v2(plans[0].host, plans[0].data, BYTES));
        CHECK(memcmp(plans[0].host, plans[1].host, BYTES) == 0);
        launch(&plans[0], plans[0].data, plans[0].stream);
        MUST(cuMemcpyDtoDAsync_v2(plans[1].data, plans[0].data, BYTES, plans[0].stream));
        MUST(cuStreamSynchronize(plans[0].stream));
        MUST(cuCtxSetCurrent(plans[1].context));
        MUST(cuMemcpyDtoH_v2(plans[1].host, plans[1].data, BYTES));
        for (unsigned i = 0; i < COUNT; i++)
            CHECK(plans[1].host[i] == scaled(round + i, i, 3));
    }
}

/* The second is lost while both copy to each other; the first goes on. */
static void lost_passing(void) {
    enum { UNAVAILABLE = 46 };
    CUresult result = 0;
    fill(&plans[0], 0);
    MUST(cuCtxSetCurrent(plans[1].context));
    puts("ready");
    fflush(stdout);
    for (int way = 0; result == 0; way = 1 - way) {
        const plan *to = &plans[way], *from = &plans[1 - way];
        result = cuMemcpyPeer(to->data, to->context, from->data, from->context, BYTES);
        if (result == 0)
            result = cuCtxSynchronize();
    }
    CHECK(result == UNAVAILABLE);
    MUST(cuCtxSetCurrent(plans[0].context));
    (void)cuCtxSynchronize();
    MUST(cuMemcpyHtoD_v2(plans[0].data, plans[0].host, BYTES));
    launch(&plans[0], plans[0].data, plans[0].stream);
    MUST(cuStreamSynchronize(plans[0].stream));
    holds(&plans[0], once);
}

/* Works with both until the second is lost, which the test sees to; the first one's results stay
 * right. */
static void lost(void) {
    enum { UNAVAILABLE = 46 };
    CUresult result = 0;
    MUST(cuCtxSetCurrent(plans[1].context));
    puts("ready");
    fflush(stdout);
    while (result == 0) {
        result = cuMemcpyDtoDAsync_v2(plans[1].data, plans[1].data + BYTES / 2, BYTES / 2,
                                      plans[1].stream);
        if (result == 0)
            result = cuStreamSynchronize(plans[1].stream);
    }
    CHECK(result == UNAVAILABLE);
    CHECK(cuMemcpyDtoH_v2(plans[1].host, plans[1].data, 4) == UNAVAILABLE);
    CHECK(cuCtxSynchronize() == UNAVAILABLE);
    fill(&plans[0], 0);
    MUST(cuCtxSetCurrent(plans[0].context));
    MUST(cuMemcpyHtoD_v2(plans[0].data, plans[0].host, BYTES));
    launch(&plans[0], plans[0].data, plans[0].stream);
    MUST(cuStreamSynchronize(plans[0].stream));
    holds(&plans[0], once);
    CHECK(cuMemcpyPeer(plans[0].data, plans[0].context, plans[1].data, plans[1].context, 4) ==
              UNAVAILABLE ||
          cuCtxSynchronize() == UNAVAILABLE);
    launch(&plans[0], plans[0].data, plans[0].stream);
    MUST(cuStreamSynchronize(plans[0].stream));
    holds(&plans[0], twice);
    MUST(cuMemsetD32_v2(plans[0].data, 9, COUNT / 2));
    holds(&plans[0], nines);
}

int main(int argc, char **argv) {
    static const test_case cases[] = {
        {"multi", multi},     {"copies", copies}, {"random", random_copies},     {"events", events},
        {"graphs", graphs},   {"rest", rest},     {"libraries", all_libraries},  {"apart", apart},
        {"passing", passing}, {"lost", lost},     {"lost-passing", lost_passing}};
    return run_case(cases, sizeof cases / sizeof cases[0], begin, argc, argv);
}
