/* SPDX-License-Identifier: Apache-2.0
 * A managed variable of a library that is found as NVIDIA's runtime finds it: before there is a
 * context. Prints "ok", or "refused" where there are none.
 * usage: early first|ended
 */
#include "case.h"

static const char KERNELS[] =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .global .attribute(.managed) .align 4 .u32 counter = 5;\n"
    ".visible .global .attribute(.managed) .align 4 .b32 table[5000] = {1, 2, 3};\n"
    ".visible .entry raise(.param .u32 what)\n"
    "{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [what];\n"
    "ld.global.u32 %r2, [counter];\nadd.u32 %r2, %r2, %r1;\n"
    "st.global.u32 [counter], %r2;\nst.global.u32 [table+19996], %r2;\n"
    "ret;\n}\n";

static CUlibrary library;
static volatile int *counter, *table;

static volatile int *variable(const char *name, size_t expected) {
    CUdeviceptr pointer = 0;
    size_t bytes;
    CUresult result = cuLibraryGetManaged(&pointer, &bytes, library, name);
    if (result == 801) {
        puts("refused");
        exit(0);
    }
    MUST(result);
    CHECK(pointer != 0 && bytes == expected);
    return (volatile int *)(uintptr_t)pointer;
}

static void prepare(void) {
    CUcontext none = NULL;
    MUST(cuInit(0));
    MUST(cuLibraryLoadData(&library, KERNELS, NULL, NULL, 0, NULL, NULL, 0));
    counter = variable("counter", 4);
    table = variable("table", 20000);
    CHECK(cuLibraryGetManaged(NULL, NULL, library, "nothing") == 500);
    MUST(cuCtxGetCurrent(&none));
    CHECK(none == NULL);
}

static void enter(void) {
    CUcontext primary;
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
}

static void raise(int what) {
    CUkernel kernel;
    void *parameters[] = {&what};
    MUST(cuLibraryGetKernel(&kernel, library, "raise"));
    MUST(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    MUST(cuCtxSynchronize());
}

/* The program and the kernels of the context that comes later use the same variable. */
static void first(void) {
    enter();
    CHECK(*counter == 5 && table[2] == 3);
    raise(2);
    CHECK(*counter == 7 && table[4999] == 7);
    *counter = 100;
    raise(5);
    CHECK(*counter == 105 && variable("counter", 4) == counter);
    MUST(cuLibraryUnload(library));
}

/* The variable goes with its library, and comes again with the next one. */
static void ended(void) {
    long before = 0;
    for (int i = 0; i < 20; i++) {
        MUST(cuLibraryUnload(library));
        if (i == 10)
            before = mappings();
        prepare();
    }
    CHECK(mappings() <= before + 8);
    first();
    MUST(cuDevicePrimaryCtxRelease_v2(0));
}

static const test_case cases[] = {{"first", first}, {"ended", ended}};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
