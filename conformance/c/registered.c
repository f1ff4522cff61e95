/* SPDX-License-Identifier: Apache-2.0
 * Memory of the program that it registers, each topic in one case; prints "ok" after each. Where
 * the memory is shared with the backend it has become pages of a file meanwhile, which "moves"
 * requires. (bench/gpu/loops has kernels that use it.)
 * usage: registered CASE...
 */
#define _GNU_SOURCE
#include "case.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEVICEMAP = 2, PAGE = 4096, WORDS = 200000, WRITERS = 3, TURNS = 40 };

static CUfunction add;
static CUdeviceptr device;

static void prepare(void) {
    static CUcontext primary;
    CUmodule module;
    if (primary != NULL)
        return;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuModuleLoadData(&module, ADD_KERNEL));
    MUST(cuModuleGetFunction(&add, module, "add"));
    MUST(cuMemAlloc_v2(&device, WORDS * 4));
}

/* Mappings of the file that registered memory has moved into. */
static int moved(void) {
    int count = 0;
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps) != NULL)
        count += strstr(line, "memfd:outboard-registered") != NULL;
    fclose(maps);
    return count;
}

static uint32_t *numbers(size_t words) {
    uint32_t *made = malloc(words * 4);
    CHECK(made != NULL);
    for (uint32_t i = 0; i < words; i++)
        made[i] = i;
    return made;
}

/* Its contents stay through all of it, and copies go both ways. */
static void copies(void) {
    uint32_t *memory = numbers(WORDS + 2), *words = memory + 1;
    MUST(cuMemHostRegister_v2(words, WORDS * 4, DEVICEMAP));
    for (uint32_t i = 0; i < WORDS + 2; i++)
        CHECK(memory[i] == i);
    MUST(cuMemcpyHtoDAsync_v2(device, words, WORDS * 4, NULL));
    uint32_t count = WORDS, what = 7;
    void *parameters[] = {&device, &count, &what};
    MUST(cuLaunchKernel(add, (WORDS + 127) / 128, 1, 1, 128, 1, 1, 0, NULL, parameters, NULL));
    MUST(cuMemcpyDtoHAsync_v2(words, device, WORDS * 4, NULL));
    MUST(cuCtxSynchronize());
    for (uint32_t i = 0; i < WORDS; i++)
        CHECK(words[i] == i + 8);
    CHECK(memory[0] == 0 && memory[WORDS + 1] == WORDS + 1);
    MUST(cuMemHostUnregister(words));
    for (uint32_t i = 0; i < WORDS; i++)
        CHECK(words[i] == i + 8);
    CHECK(moved() == 0);
    free(memory);
}

/* Over shared memory it moves, and comes back; a page that has moved serves others beside. */
static void moves(void) {
    uint32_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint32_t *small = page + 10, *neighbour = page + 20;
    MUST(cuMemHostRegister_v2(small, 8, DEVICEMAP));
    CHECK(moved() == 1);
    MUST(cuMemHostRegister_v2(neighbour, 8, DEVICEMAP));
    CHECK(moved() == 1);
    small[1] = 5;
    neighbour[1] = 6;
    MUST(cuMemcpyHtoD_v2(device, neighbour, 8));
    MUST(cuMemcpyDtoH_v2(small, device, 8));
    CHECK(small[0] == 0 && small[1] == 6);
    MUST(cuMemHostUnregister(small));
    CHECK(moved() == 0 && small[1] == 6 && neighbour[1] == 6);
    MUST(cuMemHostUnregister(neighbour));
    CHECK(munmap(page, PAGE) == 0);
}

/* A stack stays where it is. */
static void stack(void) {
    uint32_t words[3000];
    for (uint32_t i = 0; i < 3000; i++)
        words[i] = i;
    MUST(cuMemHostRegister_v2(words, sizeof words, DEVICEMAP));
    MUST(cuMemcpyHtoD_v2(device, words, sizeof words));
    memset(words, 0, sizeof words);
    MUST(cuMemcpyDtoH_v2(words, device, sizeof words));
    for (uint32_t i = 0; i < 3000; i++)
        CHECK(words[i] == i);
    MUST(cuMemHostUnregister(words));
}

/* ---- threads that write meanwhile ------------------------------------------------------------ */

static volatile uint32_t *counters;
static _Atomic bool over;

static void *count_up(void *own) {
    uint32_t which = (uint32_t)(uintptr_t)own;
    uintptr_t counted = 0;
    while (!atomic_load(&over)) {
        for (uint32_t at = which; at < WORDS; at += 1024)
            counters[at]++;
        counted++;
    }
    return (void *)counted;
}

static void writers(void) {
    pthread_t threads[WRITERS];
    void *counted;
    counters = calloc(WORDS, 4);
    for (uintptr_t i = 0; i < WRITERS; i++)
        CHECK(pthread_create(&threads[i], NULL, count_up, (void *)i) == 0);
    for (int turn = 0; turn < TURNS; turn++) {
        MUST(cuMemHostRegister_v2((void *)(uintptr_t)counters, WORDS * 4, DEVICEMAP));
        MUST(cuMemHostUnregister((void *)(uintptr_t)counters));
    }
    atomic_store(&over, true);
    for (uint32_t i = 0; i < WRITERS; i++) {
        CHECK(pthread_join(threads[i], &counted) == 0);
        for (uint32_t at = i; at < WORDS; at += 1024)
            CHECK(counters[at] == (uint32_t)(uintptr_t)counted);
    }
    free((void *)(uintptr_t)counters);
}

/* ---- forks ----------------------------------------------------------------------------------- */

/* Parent and child each have their own, as of the fork. */
static void forked(void) {
    int down[2], up[2], status;
    char byte = 0;
    uint32_t *words = numbers(WORDS);
    MUST(cuMemHostRegister_v2(words, WORDS * 4, DEVICEMAP));
    CHECK(pipe(down) == 0 && pipe(up) == 0);
    pid_t child = fork();
    if (child == 0) {
        bool same = read(down[0], &byte, 1) == 1; /* the parent has written by now */
        for (uint32_t i = 0; i < WORDS; i++)
            same = same && words[i] == i;
        memset(words, 0xff, WORDS * 4);
        free(words);
        _exit(!same || write(up[1], &byte, 1) != 1);
    }
    words[1000] = 77;
    CHECK(write(down[1], &byte, 1) == 1 && read(up[0], &byte, 1) == 1);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(words[0] == 0 && words[1000] == 77 && words[WORDS - 1] == WORDS - 1);
    MUST(cuMemcpyHtoD_v2(device, words, WORDS * 4));
    words[1000] = 0;
    MUST(cuMemcpyDtoH_v2(words, device, WORDS * 4));
    CHECK(words[1000] == 77);
    MUST(cuMemHostUnregister(words));
    free(words);
}

/* ---- what the program does with it ----------------------------------------------------------- */

static sigjmp_buf back;
static const void *volatile where;

static void on_fault(int number, siginfo_t *why, void *context) {
    (void)number;
    (void)context;
    where = why->si_addr;
    siglongjmp(back, 1);
}

/* Faults that are the program's own are its handler's. */
static void faults(void) {
    struct sigaction ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, usual;
    CHECK(sigaction(SIGSEGV, &ours, &usual) == 0);
    char *memory = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(cuMemHostRegister_v2(memory, 4 * PAGE, DEVICEMAP));
    CHECK(mprotect(memory + PAGE, PAGE, PROT_READ) == 0);
    for (int i = 0; i < 2; i++)
        if (sigsetjmp(back, 1) == 0) {
            memory[PAGE + 5] = 1;
            CHECK(0);
        } else
            CHECK(where == memory + PAGE + 5);
    memory[5] = 1;
    MUST(cuMemHostUnregister(memory));
    if (sigsetjmp(back, 1) == 0) { /* it has come back as it was */
        memory[PAGE + 5] = 1;
        CHECK(0);
    }
    CHECK(memory[5] == 1 && munmap(memory, 4 * PAGE) == 0);
    CHECK(sigaction(SIGSEGV, &usual, NULL) == 0);
}

/* Memory that goes or moves before its registration ends. */
static void gone(void) {
    char *memory = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(memory, 3, 8 * PAGE);
    MUST(cuMemHostRegister_v2(memory, 8 * PAGE, DEVICEMAP));
    char *other = mremap(memory + 4 * PAGE, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
                         mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    CHECK(other != MAP_FAILED && munmap(memory + 6 * PAGE, 2 * PAGE) == 0);
    pid_t child = fork();
    int status;
    if (child == 0)
        _exit(memory[PAGE] != 3 || other[PAGE] != 3);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    MUST(cuMemHostUnregister(memory));
    CHECK(moved() == 0 && memory[PAGE] == 3 && other[0] == 3 && other[2 * PAGE - 1] == 3);
    munmap(memory, 4 * PAGE);
    munmap(other, 2 * PAGE);
}

static const test_case cases[] = {
    {"copies", copies}, {"moves", moves},   {"stack", stack}, {"writers", writers},
    {"forked", forked}, {"faults", faults}, {"gone", gone},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
