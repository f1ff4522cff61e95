/* SPDX-License-Identifier: Apache-2.0
 * Page-locked memory that kernels use, each topic in one case; prints "ok", or "refused" where
 * there is none.
 * usage: mapped CASE
 */
#include "case.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

enum { DEVICEMAP = 2, COUNT = 5000 };
enum { MAPS_HOST_MEMORY = 19, SAME_POINTER_WHEN_REGISTERED = 91 };

static const char KERNELS[] =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .entry add(.param .u64 to, .param .u32 count, .param .u32 what)\n"
    "{\n.reg .b64 %rd<5>;\n.reg .b32 %r<8>;\n.reg .pred %p;\n"
    "ld.param.u64 %rd1, [to];\nld.param.u32 %r1, [count];\n"
    "ld.param.u32 %r2, [what];\n"
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\n"
    "mov.u32 %r5, %tid.x;\nmad.lo.u32 %r6, %r3, %r4, %r5;\n"
    "setp.ge.u32 %p, %r6, %r1;\n@%p bra done;\n"
    "mul.wide.u32 %rd2, %r6, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"
    "ld.global.u32 %r7, [%rd3];\nadd.u32 %r7, %r7, %r2;\n"
    "st.global.u32 [%rd3], %r7;\n"
    "done:\nret;\n}\n"
    /* Answers each number that the program writes until it is zero. */
    ".visible .entry answer(.param .u64 words)\n"
    "{\n.reg .b64 %rd;\n.reg .b32 %a, %b;\n.reg .pred %p;\n"
    "ld.param.u64 %rd, [words];\nmov.u32 %b, 1;\n"
    "again:\nld.volatile.global.u32 %a, [%rd];\nsetp.eq.u32 %p, %a, %b;\n"
    "@%p bra again;\n"
    "st.volatile.global.u32 [%rd+4], %a;\nmov.u32 %b, %a;\n"
    "setp.ne.u32 %p, %a, 0;\n@%p bra again;\nret;\n}\n";

static CUcontext primary;
static CUfunction add, answer;

static int attribute(int which) {
    int value = -1;
    MUST(cuDeviceGetAttribute(&value, which, 0));
    return value;
}

static void prepare(void) {
    CUmodule module;
    void *memory;
    CUdeviceptr pointer;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuModuleLoadData(&module, KERNELS));
    MUST(cuModuleGetFunction(&add, module, "add"));
    MUST(cuModuleGetFunction(&answer, module, "answer"));
    CHECK(attribute(SAME_POINTER_WHEN_REGISTERED) == 0);
    if (attribute(MAPS_HOST_MEMORY) == 0) {
        MUST(cuMemHostAlloc(&memory, 4096, DEVICEMAP));
        CHECK(cuMemHostGetDevicePointer_v2(&pointer, memory, 0) == 801);
        puts("refused");
        exit(0);
    }
}

static uint32_t *mapped(size_t bytes) {
    void *memory;
    CUdeviceptr pointer;
    MUST(cuMemHostAlloc(&memory, bytes, DEVICEMAP));
    MUST(cuMemHostGetDevicePointer_v2(&pointer, memory, 0));
    CHECK(pointer == (CUdeviceptr)(uintptr_t)memory);
    return memory;
}

static void launch(uint32_t *to, uint32_t count, uint32_t what) {
    void *parameters[] = {&to, &count, &what};
    MUST(cuLaunchKernel(add, (count + 127) / 128, 1, 1, 128, 1, 1, 0, NULL, parameters, NULL));
}

static void in_turns(void) {
    uint32_t *numbers = mapped(COUNT * 4);
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK(numbers[i] == 0);
        numbers[i] = i;
    }
    for (uint32_t turn = 1; turn <= 5; turn++) {
        launch(numbers, COUNT, 1000);
        MUST(cuCtxSynchronize());
        for (uint32_t i = 0; i < COUNT; i++)
            CHECK(numbers[i]++ == i + turn * 1000 + turn - 1);
    }
    MUST(cuMemFreeHost(numbers));
}

/* Program and kernel talk while the kernel runs. */
static void talking(void) {
    volatile _Atomic uint32_t *words = (volatile _Atomic uint32_t *)mapped(8);
    void *parameters[] = {&words};
    words[0] = 1;
    MUST(cuLaunchKernel(answer, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    for (uint32_t i = 100; i > 1; i--) {
        words[0] = i;
        while (words[1] != i)
            ;
    }
    CHECK(cuStreamQuery(NULL) == 600);
    words[0] = 0;
    MUST(cuCtxSynchronize());
    CHECK(words[1] == 0);
}

static void copies(void) {
    uint32_t *numbers = mapped(COUNT * 4), *plain = malloc(COUNT * 4);
    CUdeviceptr memory, there = (CUdeviceptr)(uintptr_t)numbers;
    MUST(cuMemAlloc_v2(&memory, COUNT * 4));
    for (uint32_t i = 0; i < COUNT; i++)
        plain[i] = i;
    MUST(cuMemcpyHtoD_v2(there, plain, COUNT * 4));
    launch(numbers, COUNT, 3);
    MUST(cuMemcpyDtoD_v2(memory, there, COUNT * 4));
    MUST(cuMemsetD32_v2(there, 9, COUNT / 2));
    MUST(cuMemcpyDtoH_v2(plain, memory, COUNT * 4));
    for (uint32_t i = 0; i < COUNT; i++)
        CHECK(plain[i] == i + 3 && numbers[i] == (i < COUNT / 2 ? 9 : i + 3));
    MUST(cuMemcpyHtoD_v2(memory, numbers + 1, 4));
    MUST(cuMemcpy(there + 400, memory, 4));
    MUST(cuCtxSynchronize());
    CHECK(numbers[100] == 9);
}

/* A fill without a stream is done when it returns, behind what the default stream had to do. */
static void fills(void) {
    uint8_t *memory = (uint8_t *)mapped(COUNT * 4);
    CUdeviceptr there = (CUdeviceptr)(uintptr_t)memory;
    for (uint8_t turn = 1; turn <= 20; turn++) {
        launch((uint32_t *)memory, COUNT, 7);
        MUST(cuMemsetD8_v2(there, turn, COUNT * 4));
        CHECK(memory[0] == turn && memory[COUNT * 4 - 1] == turn);
        launch((uint32_t *)memory, COUNT, 7);
        MUST(cuMemsetD2D32_v2(there, 400, turn, 10, COUNT / 100));
        CHECK(((uint32_t *)memory)[(COUNT / 100 - 1) * 100 + 9] == turn);
    }
    MUST(cuMemFreeHost(memory));
}

static void what_it_is(void) {
    char *memory = (char *)mapped(10000);
    CUdeviceptr there = (CUdeviceptr)(uintptr_t)memory, own;
    void *host;
    int value;
    unsigned flags;
    MUST(cuPointerGetAttribute(&value, 2, there + 9999));
    CHECK(value == 1);
    MUST(cuPointerGetAttribute(&own, 3, there + 100));
    CHECK(own == there + 100);
    MUST(cuPointerGetAttribute(&host, 4, there + 100));
    CHECK(host == memory + 100);
    MUST(cuPointerGetAttribute(&value, 8, there));
    CHECK(value == 0);
    MUST(cuPointerGetAttribute(&value, 13, there));
    CHECK(value == 1);
    MUST(cuMemHostGetFlags(&flags, memory));
    CHECK(flags == DEVICEMAP);
    CHECK(cuMemHostGetDevicePointer_v2(&own, &own, 0) == 1);
    CHECK(cuMemHostGetDevicePointer_v2(&own, memory, 1) == 1);
}

/* Addresses are unified: kernels use all page-locked memory, whatever its flags say. */
static void plain(void) {
    void *memory;
    CUdeviceptr there;
    MUST(cuMemAllocHost_v2(&memory, COUNT * 4));
    uint32_t *numbers = memory;
    for (uint32_t i = 0; i < COUNT; i++)
        numbers[i] = i;
    MUST(cuMemHostGetDevicePointer_v2(&there, memory, 0));
    CHECK(there == (CUdeviceptr)(uintptr_t)memory);
    for (uint32_t turn = 1; turn <= 3; turn++) {
        launch(numbers, COUNT, 5);
        MUST(cuCtxSynchronize());
        for (uint32_t i = 0; i < COUNT; i++)
            CHECK(numbers[i] == i + 5 * turn);
    }
    MUST(cuMemFreeHost(memory));
}

/* Memory that the program had before it registers it: registered.c has the rest. */
static void registered(void) {
    CUdeviceptr pointer;
    void *memory = aligned_alloc(4096, 4096);
    MUST(cuMemHostRegister_v2(memory, 4096, DEVICEMAP));
    CUresult result = cuMemHostGetDevicePointer_v2(&pointer, memory, 0);
    CHECK(result == 801 || (result == 0 && pointer == (CUdeviceptr)(uintptr_t)memory));
    MUST(cuMemHostUnregister(memory));
    free(memory);
}

/* Freeing waits for kernels; addresses come again, with zeros; a kernel finds nothing where memory
 * was. */
static void freed(void) {
    long before = 0;
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t *memory = mapped(1 << 20);
        CHECK(memory[1000] == 0);
        launch(memory, 1 << 18, i + 1);
        MUST(cuMemFreeHost(memory));
        if (i == 20)
            before = mappings();
    }
    CHECK(mappings() <= before + 4);
    CHECK(cuMemFreeHost(&before) == 1);
}

/* More than may have room in one place. */
static void many(void) {
    enum { PIECES = 8, WORDS = 1 << 18 };
    uint32_t *memory[PIECES];
    for (uint32_t i = 0; i < PIECES; i++) {
        memory[i] = mapped(WORDS * 4);
        CHECK(memory[i][WORDS - 1] == 0);
        memory[i][WORDS - 1] = i;
    }
    for (uint32_t i = 0; i < PIECES; i++)
        launch(memory[i], WORDS, 10);
    MUST(cuCtxSynchronize());
    for (uint32_t i = 0; i < PIECES; i++) {
        CHECK(memory[i][0] == 10 && memory[i][WORDS - 1] == i + 10);
        MUST(cuMemFreeHost(memory[i]));
    }
}

/* Until its standard input ends, a line a round: memory that stays, and memory of each round. */
static void lasting(void) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    uint32_t *stays = mapped(COUNT * 4);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (uint32_t turn = 0; poll(&in, 1, 0) == 0; turn++) {
        uint32_t *passes = mapped(COUNT * 4);
        launch(stays, COUNT, 1);
        launch(passes, COUNT, turn);
        MUST(cuCtxSynchronize());
        for (uint32_t i = 0; i < COUNT; i++)
            CHECK(passes[i] == turn && stays[i]++ == 2 * turn + 1);
        MUST(cuMemFreeHost(passes));
        puts("round");
    }
}

/* The memory is the program's until the end of its standard input, whatever has become of the
 * session. */
static void kept(void) {
    uint32_t *memory = mapped(COUNT * 4);
    for (uint32_t i = 0; i < COUNT; i++)
        memory[i] = i;
    puts("round");
    fflush(stdout);
    while (getchar() != EOF)
        ;
    for (uint32_t i = 0; i < COUNT; i++)
        CHECK(memory[i] == i);
}

static const test_case cases[] = {
    {"in-turns", in_turns}, {"talking", talking},
    {"copies", copies},     {"fills", fills},
    {"what-it-is", what_it_is},
    {"plain", plain},       {"registered", registered},
    {"freed", freed},       {"many", many},
    {"lasting", lasting},   {"kept", kept},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
