/* SPDX-License-Identifier: Apache-2.0
 * A computation of so many steps on the device, each of which depends on all before it, and whose
 * end is one number. Before each step it says "step NUMBER" and waits for a line, or for the end of
 * its standard input, after which it waits no more. With "managed" the memory is the program's too:
 * it touches it first in each step, and the number is the same.
 * usage: steps COUNT [managed]
 */
#include "case.h"

#include <stdint.h>

static const char MIX[] =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .entry mix(.param .u64 to, .param .u64 from, .param .u32 step, .param .u32 count)\n"
    "{\n.reg .pred %p<2>;\n.reg .b64 %rd<8>;\n.reg .b32 %r<12>;\n"
    "ld.param.u64 %rd1, [to];\nld.param.u64 %rd2, [from];\n"
    "ld.param.u32 %r1, [step];\nld.param.u32 %r2, [count];\n"
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.x;\n"
    "mad.lo.u32 %r5, %r3, %r4, %r5;\nsetp.ge.u32 %p1, %r5, %r2;\n"
    "@%p1 bra done;\n"
    "cvta.to.global.u64 %rd1, %rd1;\ncvta.to.global.u64 %rd2, %rd2;\n"
    "mul.wide.u32 %rd3, %r5, 4;\nadd.u64 %rd4, %rd1, %rd3;\n"
    "add.u32 %r6, %r5, %r1;\nrem.u32 %r6, %r6, %r2;\n"
    "mul.wide.u32 %rd5, %r6, 4;\nadd.u64 %rd5, %rd2, %rd5;\n"
    "ld.global.u32 %r7, [%rd5];\nmad.lo.u32 %r7, %r7, 1664525, 1013904223;\n"
    "xor.b32 %r7, %r7, %r1;\n"
    "st.global.u32 [%rd4], %r7;\ndone:\nret;\n}\n";

enum { WORDS = 1 << 18, BLOCK = 256, NOT_READY = 600 };

static uint32_t words[WORDS];
static int paced = 1, managed;

/* Says the step once the backend has had all calls before it: they are posted, and the query's
 * answer comes behind them. */
static void pace(int step, CUstream stream) {
    int c;
    CUresult done = cuStreamQuery(stream);
    if (done != NOT_READY)
        MUST(done);
    printf("step %d\n", step);
    fflush(stdout);
    while (paced && (c = getchar()) != '\n')
        paced = c != EOF;
}

static volatile uint32_t *here(CUdeviceptr memory) {
    return (volatile uint32_t *)(uintptr_t)memory;
}

static CUdeviceptr filled(void) {
    CUdeviceptr memory;
    MUST(managed ? cuMemAllocManaged(&memory, sizeof words, 1)
                 : cuMemAlloc_v2(&memory, sizeof words));
    MUST(cuMemsetD32_v2(memory, 42, WORDS));
    return memory;
}

/* The first that needs the backend in a step: the page is away since the kernel. */
static void touch(CUdeviceptr memory) {
    if (managed)
        here(memory)[WORDS / 2] ^= 0;
}

/* A value that the host has computed goes into the computation too. */
static void stir(CUdeviceptr memory, CUstream stream) {
    uint32_t word;
    if (managed) {
        MUST(cuStreamSynchronize(stream));
        *here(memory) = *here(memory) * 31 + 7;
        return;
    }
    MUST(cuMemcpyDtoHAsync_v2(&word, memory, sizeof word, stream));
    MUST(cuStreamSynchronize(stream));
    word = word * 31 + 7;
    MUST(cuMemcpyHtoDAsync_v2(memory, &word, sizeof word, stream));
}

static uint64_t hash(void) {
    uint64_t value = 14695981039346656037u;
    for (size_t i = 0; i < WORDS; i++)
        value = (value ^ words[i]) * 1099511628211u;
    return value;
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 1;
    managed = argc > 2 && strcmp(argv[2], "managed") == 0;
    CUcontext context;
    CUmodule module;
    CUfunction mix;
    CUstream stream;
    CUdeviceptr memory[2];
    uint32_t count = WORDS;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
    MUST(cuModuleLoadData(&module, MIX));
    MUST(cuModuleGetFunction(&mix, module, "mix"));
    MUST(cuStreamCreate(&stream, 1));
    for (int i = 0; i < 2; i++)
        memory[i] = filled();
    for (int step = 1; step <= steps; step++) {
        pace(step, stream);
        touch(memory[~step & 1]);
        uint32_t number = (uint32_t)step;
        void *parameters[] = {&memory[step & 1], &memory[~step & 1], &number, &count};
        MUST(cuLaunchKernel(mix, WORDS / BLOCK, 1, 1, BLOCK, 1, 1, 0, stream, parameters, NULL));
        if (step % 5 == 0)
            stir(memory[step & 1], stream);
    }
    MUST(cuMemcpyDtoHAsync_v2(words, memory[steps & 1], sizeof words, stream));
    MUST(cuStreamSynchronize(stream));
    printf("end %016llx\n", (unsigned long long)hash());
    return 0;
}
