/* SPDX-License-Identifier: Apache-2.0
 * Threads with small stacks: what the driver takes of them. usage: stack CASE
 */
#define _GNU_SOURCE
#include "case.h"

#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>

/* glibc takes thread-local storage from the stack too. */
enum { MOST = 4096, SMALL = 16 << 10, PAINTED = 12 << 10, WORDS = 8 };

static CUcontext primary;
static CUmodule module;
static CUdeviceptr memory;

static void prepare(void) {
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuModuleLoadData(&module, ADD_KERNEL));
    MUST(cuMemAlloc_v2(&memory, WORDS * 4));
    MUST(cuMemsetD32_v2(memory, 0, WORDS));
}

/* ---- thread-local storage -------------------------------------------------------------------- */

static int look(struct dl_phdr_info *library, size_t size, void *found) {
    const char *name = strrchr(library->dlpi_name, '/');
    (void)size;
    if (name == NULL ||
        (strcmp(name, "/libcuda.so.1") != 0 && strcmp(name, "/liboutboard.so") != 0))
        return 0;
    ++*(int *)found;
    for (int i = 0; i < library->dlpi_phnum; i++)
        CHECK(library->dlpi_phdr[i].p_type != PT_TLS || library->dlpi_phdr[i].p_memsz <= MOST);
    return 0;
}

static void storage(void) {
    int found = 0;
    dl_iterate_phdr(look, &found);
    CHECK(found == 2);
}

/* ---- launches -------------------------------------------------------------------------------- */

static void launch(CUfunction add) {
    uint32_t count = WORDS, by = 5;
    void *parameters[] = {&memory, &count, &by};
    MUST(cuLaunchKernel(add, 1, 1, 1, WORDS, 1, 1, 0, NULL, parameters, NULL));
}

static uintptr_t end;                   /* of the painted part of the stack, below this frame */

__attribute__((noinline)) static void paint(void) {
    volatile uint8_t stack[PAINTED];
    for (size_t i = 0; i < sizeof stack; i++)
        stack[i] = 0xa5;
    end = (uintptr_t)stack;
}

__attribute__((noinline)) static size_t untouched(void) {
    size_t bytes = 0;
    while (bytes < PAINTED && ((volatile uint8_t *)end)[bytes] == 0xa5)
        bytes++;
    return bytes;
}

/* The thread's first launch, and the first one of a function: that asks for its figures. */
static void *measure(void *of) {
    MUST(cuCtxSetCurrent(primary));
    paint();
    launch(of);
    size_t used = PAINTED - untouched();
    if (used > MOST)
        fprintf(stderr, "a launch takes %zu bytes of stack\n", used);
    CHECK(used <= MOST);
    return NULL;
}

static void *launch_there(void *of) {
    MUST(cuCtxSetCurrent(primary));
    launch(of);
    MUST(cuStreamSynchronize(NULL));
    return NULL;
}

static void run_with(size_t bytes, void *(*run)(void *), void *of) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    CHECK(pthread_attr_setstacksize(&attributes, bytes) == 0);
    CHECK(pthread_create(&thread, &attributes, run, of) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    pthread_attr_destroy(&attributes);
}

static void launches(void) {
    CUfunction first, second;
    CUmodule other;
    uint32_t words[WORDS];
    MUST(cuModuleGetFunction(&first, module, "add"));
    launch(first);                      /* the loader has found everything then */
    MUST(cuModuleLoadData(&other, ADD_KERNEL));
    MUST(cuModuleGetFunction(&second, other, "add"));
    run_with(1 << 20, measure, second);
    run_with(PTHREAD_STACK_MIN > SMALL ? PTHREAD_STACK_MIN : SMALL, launch_there, first);
    MUST(cuMemcpyDtoH_v2(words, memory, sizeof words));
    for (int i = 0; i < WORDS; i++)
        CHECK(words[i] == 15);
}

static const test_case cases[] = {{"storage", storage}, {"launches", launches}};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
