/* SPDX-License-Identifier: Apache-2.0
 * A client that goes on: copies, launches and compares, a line a round, until its standard input
 * ends or it has made so many rounds; then, told to end, makes copies that travel over connections
 * of their own; then prints "ok". The first error ends it: prints "error NUMBER CALL", exits
 * with 3.
 * usage: [STEADY_PAUSE_MS=N] steady [ROUNDS]
 */
#include <cuda.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ADD[] =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .entry add(.param .u64 to, .param .u32 what, .param .u32 count)\n"
    "{\n.reg .pred %p<2>;\n.reg .b64 %rd<4>;\n.reg .b32 %r<8>;\n"
    "ld.param.u64 %rd1, [to];\nld.param.u32 %r1, [what];\n"
    "ld.param.u32 %r2, [count];\n"
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.x;\n"
    "mad.lo.u32 %r5, %r3, %r4, %r5;\nsetp.ge.u32 %p1, %r5, %r2;\n"
    "@%p1 bra done;\n"
    "cvta.to.global.u64 %rd2, %rd1;\nmul.wide.u32 %rd3, %r5, 4;\n"
    "add.u64 %rd2, %rd2, %rd3;\n"
    "ld.global.u32 %r6, [%rd2];\nadd.u32 %r6, %r6, %r1;\n"
    "st.global.u32 [%rd2], %r6;\n"
    "done:\nret;\n}\n";

enum { WORDS = 20000, BLOCK = 128 };

static uint32_t words[WORDS];

static void must(CUresult result, const char *what) {
    if (result != 0) {
        printf("error %d %s\n", (int)result, what);
        exit(3);
    }
}
#define MUST(call) must(call, #call)

/* Whoever goes on without end leaves the processor to those whom a test is about. */
enum { PAUSE_MS = 10 };

/* A test that lasts long and is about something else asks for fewer rounds. */
static int pause_ms(void) {
    const char *wanted = getenv("STEADY_PAUSE_MS");
    return wanted ? atoi(wanted) : PAUSE_MS;
}

static int told_to_end(void) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&in, 1, pause_ms()) > 0;
}

static void round_trip(CUfunction add, CUdeviceptr memory, CUstream stream, uint32_t seed) {
    uint32_t what = seed * 7 + 1, count = WORDS;
    void *parameters[] = {&memory, &what, &count};
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = i * seed;
    MUST(cuMemcpyHtoDAsync_v2(memory, words, sizeof words, stream));
    MUST(cuLaunchKernel(add, (WORDS + BLOCK - 1) / BLOCK, 1, 1, BLOCK, 1, 1, 0, stream, parameters,
                        NULL));
    MUST(cuMemcpyDtoHAsync_v2(words, memory, sizeof words, stream));
    MUST(cuStreamSynchronize(stream));
    for (uint32_t i = 0; i < WORDS; i++)
        if (words[i] != i * seed + what) {
            printf("wrong: word %u of round %u is %u\n", i, seed, words[i]);
            exit(1);
        }
}

/* Large enough for further connections of the session, which has none so far. */
static void large_copies(void) {
    enum { LARGE = 8 << 20 };
    uint32_t *out = malloc(LARGE), *in = malloc(LARGE);
    CUdeviceptr memory;
    for (uint32_t i = 0; i < LARGE / sizeof *out; i++)
        out[i] = i * 2654435761u;
    MUST(cuMemAlloc_v2(&memory, LARGE));
    MUST(cuMemcpyHtoD_v2(memory, out, LARGE));
    MUST(cuMemcpyDtoH_v2(in, memory, LARGE));
    MUST(cuMemFree_v2(memory));
    if (memcmp(out, in, LARGE) != 0) {
        printf("wrong: a large copy\n");
        exit(1);
    }
    free(out);
    free(in);
}

int main(int argc, char **argv) {
    uint32_t rounds = argc > 1 ? (uint32_t)atoi(argv[1]) : UINT32_MAX;
    CUcontext context;
    CUmodule module;
    CUfunction add;
    CUstream stream;
    CUdeviceptr memory;
    setvbuf(stdout, NULL, _IOLBF, 0);
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
    MUST(cuModuleLoadData(&module, ADD));
    MUST(cuModuleGetFunction(&add, module, "add"));
    MUST(cuStreamCreate(&stream, 1));
    for (uint32_t i = 0; i < rounds && (argc > 1 || !told_to_end()); i++) {
        MUST(cuMemAlloc_v2(&memory, sizeof words));
        round_trip(add, memory, stream, (uint32_t)getpid() + i);
        MUST(cuMemFree_v2(memory));
        printf("round\n");
    }
    if (argc == 1)
        large_copies();
    printf("ok\n");
    return 0;
}
