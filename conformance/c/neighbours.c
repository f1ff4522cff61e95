/* SPDX-License-Identifier: Apache-2.0
 * Memory and events of other processes, each topic in one case; prints "ok". usage: neighbours CASE
 * The program forks before it touches CUDA; parent and child tell each other names and turns over a
 * socket.
 */
#include "two.h"

#include <time.h>

enum { COUNT = 70000, BYTES = COUNT * 4, UNTIMED = 2, INTERPROCESS = 4, OPEN = 1 };

static CUdeviceptr memory_of(unsigned value) {
    CUdeviceptr memory;
    MUST(cuMemAlloc_v2(&memory, BYTES));
    MUST(cuMemsetD32_v2(memory, value, COUNT));
    MUST(cuCtxSynchronize());
    return memory;
}

static void holds(CUdeviceptr memory, unsigned value) {
    unsigned *numbers = malloc(BYTES);
    MUST(cuMemcpyDtoH_v2(numbers, memory, BYTES));
    for (int i = 0; i < COUNT; i++)
        CHECK(numbers[i] == value);
    free(numbers);
}

static CUipcMemHandle give(CUdeviceptr memory) {
    CUipcMemHandle name;
    MUST(cuIpcGetMemHandle((unsigned char *)&name, memory));
    tell(&name, sizeof name);
    return name;
}

static CUipcMemHandle taken(void) {
    CUipcMemHandle name;
    hear(&name, sizeof name);
    return name;
}

static CUdeviceptr open_memory(CUipcMemHandle name) {
    CUdeviceptr memory;
    MUST(cuIpcOpenMemHandle_v2(&memory, name, OPEN));
    return memory;
}

static size_t free_bytes(void) {
    size_t free, total;
    MUST(cuMemGetInfo_v2(&free, &total));
    return free;
}

/* Each writes what the other reads; also memory that is not at the beginning of a page, and has
 * neighbours. */
static void memory_parent(void) {
    CUdeviceptr small, memory;
    MUST(cuMemAlloc_v2(&small, 1000));
    memory = memory_of(5);
    give(memory);
    await_turn();
    holds(memory, 6);
    MUST(cuMemsetD32_v2(memory, 7, COUNT));
    MUST(cuCtxSynchronize());
    turn();
    await_turn();
    MUST(cuMemFree_v2(memory));
}

static void memory_child(void) {
    CUipcMemHandle name = taken();
    CUdeviceptr base, memory = open_memory(name);
    size_t bytes;
    holds(memory, 5);
    MUST(cuMemsetD32_v2(memory, 6, COUNT));
    MUST(cuCtxSynchronize());
    turn();
    await_turn();
    holds(memory, 7);
    MUST(cuMemGetAddressRange_v2(&base, &bytes, memory + 8));
    CHECK(base == memory && bytes == BYTES);
    CHECK(open_memory(name) == memory);
    MUST(cuIpcCloseMemHandle(memory));
    holds(memory, 7);
    MUST(cuIpcCloseMemHandle(memory));
    CHECK(cuIpcCloseMemHandle(memory) == 1);
    CHECK(cuMemcpyDtoD_v2(memory, memory + 1024, 16) == 1 || cuCtxSynchronize() != 0);
    turn();
}

static _Atomic int may_go;

static void hold(void *unused) {
    (void)unused;
    while (!may_go)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* A stream that waits for an event waits for the other process's work before the event. */
static void events_parent(void) {
    CUevent event;
    CUipcEventHandle name;
    CUstream stream;
    CUdeviceptr memory = memory_of(1);
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuEventCreate(&event, UNTIMED | INTERPROCESS));
    MUST(cuEventQuery(event));
    give(memory);
    MUST(cuIpcGetEventHandle((unsigned char *)&name, event));
    tell(&name, sizeof name);
    MUST(cuLaunchHostFunc(stream, hold, NULL));
    MUST(cuMemsetD32Async(memory, 2, COUNT, stream));
    MUST(cuEventRecord(event, stream));
    turn();
    await_turn();
    may_go = 1;
    MUST(cuEventSynchronize(event));
    await_turn();
    MUST(cuStreamWaitEvent(stream, event, 0));
    MUST(cuStreamSynchronize(stream));
    holds(memory, 3);
    MUST(cuEventDestroy_v2(event));
    turn();
}

static void events_child(void) {
    CUipcEventHandle name;
    CUevent event;
    CUstream stream;
    CUdeviceptr memory = open_memory(taken()), copy = memory_of(0);
    hear(&name, sizeof name);
    MUST(cuIpcOpenEventHandle(&event, name));
    MUST(cuStreamCreate(&stream, 1));
    await_turn();
    CHECK(cuEventQuery(event) == 600);
    MUST(cuStreamWaitEvent(stream, event, 0));
    MUST(cuMemcpyDtoDAsync_v2(copy, memory, BYTES, stream));
    CHECK(cuStreamQuery(stream) == 600);
    turn();
    MUST(cuStreamSynchronize(stream));
    MUST(cuEventSynchronize(event));
    holds(copy, 2);
    MUST(cuMemsetD32Async(memory, 3, COUNT, stream));
    MUST(cuEventRecord(event, stream));
    turn();
    await_turn();
    MUST(cuEventQuery(event));
    MUST(cuEventDestroy_v2(event));
}

/* A process that has opened memory keeps it when the owner ends, even by force; events of the dead
 * have happened. */
static void death_parent(void) {
    CUevent event;
    CUipcEventHandle name;
    CUstream stream;
    CUdeviceptr memory = memory_of(9);
    give(memory);
    give(memory_of(10));
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuEventCreate(&event, UNTIMED | INTERPROCESS));
    MUST(cuIpcGetEventHandle((unsigned char *)&name, event));
    tell(&name, sizeof name);
    MUST(cuLaunchHostFunc(stream, hold, NULL));
    MUST(cuEventRecord(event, stream));
    turn();
    await_turn();
    kill(getpid(), SIGKILL);
}

static void death_child(void) {
    CUipcEventHandle name;
    CUevent event;
    CUdeviceptr memory = open_memory(taken()), unused;
    CUipcMemHandle second = taken();
    hear(&name, sizeof name);
    MUST(cuIpcOpenEventHandle(&event, name));
    await_turn();
    CHECK(cuEventQuery(event) == 600);
    turn();
    char byte;
    CHECK(recv(other, &byte, 1, 0) <= 0);
    MUST(cuEventSynchronize(event));
    holds(memory, 9);
    MUST(cuMemsetD32_v2(memory, 11, COUNT));
    holds(memory, 11);
    /* its worker may take a moment to go */
    CUresult late = cuIpcOpenMemHandle_v2(&unused, second, OPEN);
    CHECK(late == 0 || late == 400);
    MUST(cuIpcCloseMemHandle(memory));
}

/* Freed memory that others still have is not given to anybody; then it is. */
static void freed_parent(void) {
    size_t before = free_bytes();
    for (unsigned i = 1; i <= 20; i++) {
        CUdeviceptr memory = memory_of(i), next;
        give(memory);
        await_turn();
        MUST(cuMemFree_v2(memory));
        CHECK(cuIpcGetMemHandle((unsigned char *)&(CUipcMemHandle){{0}}, memory) == 1);
        next = memory_of(1000);
        CHECK(next != memory);
        turn();
        await_turn();
        MUST(cuMemFree_v2(next));
    }
    for (int i = 0; i < 12000 && free_bytes() != before; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    CHECK(free_bytes() == before);
}

static void freed_child(void) {
    for (unsigned i = 1; i <= 20; i++) {
        CUipcMemHandle name = taken();
        CUdeviceptr unused, memory = open_memory(name);
        holds(memory, i);
        turn();
        await_turn();
        holds(memory, i);
        MUST(cuIpcCloseMemHandle(memory));
        CHECK(cuIpcOpenMemHandle_v2(&unused, name, OPEN) == 400);
        turn();
    }
}

static void wrong_parent(void) {
    CUdeviceptr pointer, memory = memory_of(1);
    CUipcMemHandle name = give(memory), other_name = name;
    CUipcEventHandle event_name;
    CUevent plain, shared, opened;
    MUST(cuIpcGetMemHandle((unsigned char *)&other_name, memory));
    CHECK(memcmp(&name, &other_name, sizeof name) == 0);
    CHECK(cuIpcOpenMemHandle_v2(&pointer, name, OPEN) == 201);
    CHECK(cuIpcGetMemHandle((unsigned char *)&name, 0x1234) == 1);
    CHECK(cuIpcCloseMemHandle(memory) == 1);
    MUST(cuMemAllocAsync(&pointer, 4096, NULL));
    CHECK(cuIpcGetMemHandle((unsigned char *)&other_name, pointer) == 1);
    MUST(cuEventCreate(&plain, UNTIMED));
    CHECK(cuEventCreate(&shared, INTERPROCESS) == 1);
    MUST(cuEventCreate(&shared, UNTIMED | INTERPROCESS));
    CHECK(cuIpcGetEventHandle((unsigned char *)&event_name, plain) == 400);
    MUST(cuIpcGetEventHandle((unsigned char *)&event_name, shared));
    CHECK(cuIpcOpenEventHandle(&opened, event_name) == 201);
    turn();
    await_turn();
}

static void wrong_child(void) {
    CUdeviceptr pointer;
    CUevent event;
    CUipcMemHandle name = taken(), damaged = name, zero = {{0}};
    CUipcEventHandle as_event;
    await_turn();
    damaged.bytes[30] ^= 1;
    memcpy(&as_event, &name, sizeof name);
    CHECK(cuIpcOpenMemHandle_v2(&pointer, name, 0) == 1);
    CHECK(cuIpcOpenMemHandle_v2(&pointer, zero, OPEN) == 1);
    CHECK(cuIpcOpenMemHandle_v2(&pointer, damaged, OPEN) == 400);
    CHECK(cuIpcOpenMemHandle_v2(NULL, name, OPEN) == 1);
    CHECK(cuIpcOpenEventHandle(&event, as_event) == 205);
    MUST(cuIpcOpenMemHandle_v2(&pointer, name, OPEN));
    CHECK(cuMemFree_v2(pointer) == 1);
    MUST(cuDevicePrimaryCtxReset_v2(0)); /* closes it */
    turn();
}

static const two cases[] = {
    {"memory", memory_parent, memory_child, 0}, {"events", events_parent, events_child, 0},
    {"death", death_parent, death_child, 1},    {"freed", freed_parent, freed_child, 0},
    {"wrong", wrong_parent, wrong_child, 0},
};

int main(int argc, char **argv) { return run_two(cases, sizeof cases / sizeof *cases, argc, argv); }
