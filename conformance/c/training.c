/* SPDX-License-Identifier: Apache-2.0
 * Trains for ever, as programs do that take hours: each step uploads a batch, launches a graph of
 * kernels that changes the weights, has a function of the program called, and reads the loss back;
 * now and then it keeps the weights. Prints a line a step, the same in each run of the same steps,
 * until its standard input ends or it has made so many; then prints "ok". The first error ends it.
 * usage: training [STEPS]
 */
#include "case.h"

#include <poll.h>
#include <stdint.h>
#include <unistd.h>

static const char KERNELS[] =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .entry learn(.param .u64 weights, .param .u64 batch, .param .u64 loss, .param .u32 "
    "count)\n"
    "{\n.reg .pred %p<2>;\n.reg .b64 %rd<6>;\n.reg .b32 %r<8>;\n.reg .f32 %f<5>;\n"
    "ld.param.u64 %rd1, [weights];\nld.param.u64 %rd2, [batch];\nld.param.u64 %rd3, [loss];\n"
    "ld.param.u32 %r2, [count];\n"
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.x;\n"
    "mad.lo.u32 %r5, %r3, %r4, %r5;\nsetp.ge.u32 %p1, %r5, %r2;\n@%p1 bra done;\n"
    "cvta.to.global.u64 %rd1, %rd1;\ncvta.to.global.u64 %rd2, %rd2;\n"
    "cvta.to.global.u64 %rd3, %rd3;\n"
    "mul.wide.u32 %rd4, %r5, 4;\nadd.u64 %rd1, %rd1, %rd4;\nadd.u64 %rd2, %rd2, %rd4;\n"
    "ld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd2];\nsub.f32 %f3, %f2, %f1;\n"
    "fma.rn.f32 %f4, %f3, 0f3D4CCCCD, %f1;\nst.global.f32 [%rd1], %f4;\n"
    "mov.b32 %r6, %f4;\nred.global.add.u32 [%rd3], %r6;\n"
    "done:\nret;\n}\n";

/* Batch and weights are large enough for connections of their own; the batch alone changes. */
enum { WORDS = 700000, BYTES = WORDS * 4, BLOCK = 256, KEPT_EACH = 8, PAUSE_MS = 30 };

static float batch[WORDS], kept[WORDS];
static uint32_t calls;

static int told_to_end(void) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&in, 1, PAUSE_MS) > 0;
}

static uint64_t digest(const void *of, size_t bytes) {
    const uint32_t *words = of;
    uint64_t sum = 1469598103934665603u;
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        sum = (sum ^ words[i]) * 1099511628211u;
    return sum;
}

static void draw_batch(uint32_t step) {
    uint32_t state = step * 2654435761u + 1;
    for (int i = 0; i < WORDS; i++) {
        state = state * 1664525u + 1013904223u;
        batch[i] = (float)(state >> 8) / (1 << 24);
    }
}

static void count_call(void *unused) {
    (void)unused;
    calls++;
}

static CUgraphExec graph_of(CUfunction learn, CUdeviceptr weights, CUdeviceptr data,
                            CUdeviceptr loss, CUstream stream) {
    uint32_t count = WORDS;
    void *parameters[] = {&weights, &data, &loss, &count};
    CUgraph graph;
    CUgraphExec made;
    MUST(cuStreamBeginCapture_v2(stream, 0));
    MUST(cuMemsetD32Async(loss, 0, 1, stream));
    for (int layer = 0; layer < 2; layer++)
        MUST(cuLaunchKernel(learn, (WORDS + BLOCK - 1) / BLOCK, 1, 1, BLOCK, 1, 1, 0, stream,
                            parameters, NULL));
    MUST(cuStreamEndCapture(stream, &graph));
    MUST(cuGraphInstantiateWithFlags(&made, graph, 0));
    MUST(cuGraphDestroy(graph));
    return made;
}

static void train(uint32_t steps) {
    CUmodule module;
    CUfunction learn;
    CUstream stream;
    CUdeviceptr weights, data, loss;
    uint32_t now;
    MUST(cuModuleLoadData(&module, KERNELS));
    MUST(cuModuleGetFunction(&learn, module, "learn"));
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuMemAlloc_v2(&weights, BYTES));
    MUST(cuMemAlloc_v2(&data, BYTES));
    MUST(cuMemAlloc_v2(&loss, sizeof now));
    MUST(cuMemsetD32_v2(weights, 0, WORDS));
    CUgraphExec graph = graph_of(learn, weights, data, loss, stream);
    for (uint32_t step = 1; steps != 0 ? step <= steps : !told_to_end(); step++) {
        draw_batch(step);
        MUST(cuMemcpyHtoDAsync_v2(data, batch, BYTES, stream));
        MUST(cuGraphLaunch(graph, stream));
        MUST(cuLaunchHostFunc(stream, count_call, NULL));
        MUST(cuMemcpyDtoHAsync_v2(&now, loss, sizeof now, stream));
        MUST(cuStreamSynchronize(stream));
        CHECK(calls == step);
        printf("step %u: %08x", step, now);
        if (step % KEPT_EACH == 0) {
            MUST(cuMemcpyDtoH_v2(kept, weights, BYTES));
            printf(", weights %016llx", (unsigned long long)digest(kept, BYTES));
        }
        printf("\n");
    }
}

int main(int argc, char **argv) {
    CUcontext context;
    setvbuf(stdout, NULL, _IOLBF, 0);
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
    train(argc > 1 ? (uint32_t)atoi(argv[1]) : 0);
    puts("ok");
    return 0;
}
