/* SPDX-License-Identifier: Apache-2.0
 * Memory as descriptors, each topic in one case; prints "ok". usage: descriptors CASE
 */
#include "two.h"

#include <fcntl.h>
#include <stdint.h>
#include <time.h>

enum { COUNT = 1 << 20, BYTES = COUNT * 4, DESCRIPTOR = 1, FABRIC = 8 };

/* ---- passing --------------------------------------------------------------------------------- */

typedef union passing {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
} passing;

static void pass(int descriptor) {
    passing control = {{0}};
    struct msghdr message = {.msg_iov = &(struct iovec){"", 1},
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    control.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
    CHECK(sendmsg(other, &message, 0) == 1);
}

static int passed(void) {
    char byte;
    int descriptor = -1;
    passing control;
    struct msghdr message = {.msg_iov = &(struct iovec){&byte, 1},
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    CHECK(recvmsg(other, &message, 0) == 1 && CMSG_FIRSTHDR(&message) != NULL);
    memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
    return descriptor;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static CUresult make(CUmemGenericAllocationHandle *memory, int types) {
    CUmemAllocationProp properties = {.type = 1, .handleTypes = types, .location = {1, 0}};
    return cuMemCreate(memory, BYTES, &properties, 0);
}

static CUmemGenericAllocationHandle made(void) {
    CUmemGenericAllocationHandle memory;
    MUST(make(&memory, DESCRIPTOR));
    return memory;
}

static int exported(CUmemGenericAllocationHandle memory) {
    int descriptor = -1;
    MUST(cuMemExportToShareableHandle(&descriptor, memory, DESCRIPTOR, 0));
    CHECK(descriptor >= 0);
    return descriptor;
}

static CUresult import_of(CUmemGenericAllocationHandle *memory, int descriptor) {
    return cuMemImportFromShareableHandle(memory, (void *)(intptr_t)descriptor, DESCRIPTOR);
}

static CUmemGenericAllocationHandle imported(int descriptor) {
    CUmemGenericAllocationHandle memory;
    MUST(import_of(&memory, descriptor));
    return memory;
}

/* Somewhere; the handle is given up, as programs do. */
static CUdeviceptr mapped(CUmemGenericAllocationHandle memory) {
    CUmemAccessDesc access = {{1, 0}, 3};
    CUdeviceptr address;
    MUST(cuMemAddressReserve(&address, BYTES, 0, 0, 0));
    MUST(cuMemMap(address, BYTES, 0, memory, 0));
    MUST(cuMemSetAccess(address, BYTES, &access, 1));
    MUST(cuMemRelease(memory));
    return address;
}

static void unmap(CUdeviceptr address) {
    MUST(cuMemUnmap(address, BYTES));
    MUST(cuMemAddressFree(address, BYTES));
}

static void fill(CUdeviceptr memory, unsigned value) {
    MUST(cuMemsetD32_v2(memory, value, COUNT));
    MUST(cuCtxSynchronize());
}

static void holds(CUdeviceptr memory, unsigned value) {
    unsigned *numbers = malloc(BYTES);
    MUST(cuMemcpyDtoH_v2(numbers, memory, BYTES));
    for (int i = 0; i < COUNT; i++)
        CHECK(numbers[i] == value);
    free(numbers);
}

static size_t free_bytes(void) {
    size_t free, total;
    MUST(cuMemGetInfo_v2(&free, &total));
    return free;
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* Each writes what the other reads; the descriptor's sender closes it at once. */
static void memory_parent(void) {
    CUmemGenericAllocationHandle handle = made();
    int descriptor = exported(handle), possible = 0;
    CUdeviceptr memory = mapped(handle);
    MUST(cuDeviceGetAttribute(&possible, 103, 0));
    CHECK(possible == 1);
    fill(memory, 5);
    pass(descriptor);
    close(descriptor);
    await_turn();
    holds(memory, 6);
    fill(memory, 7);
    turn();
    await_turn();
    unmap(memory);
}

static void memory_child(void) {
    int descriptor = passed();
    CUmemAllocationProp properties;
    CUmemGenericAllocationHandle handle = imported(descriptor);
    MUST(cuMemGetAllocationPropertiesFromHandle(&properties, handle));
    CHECK(properties.handleTypes == DESCRIPTOR && properties.location.type == 1 &&
          properties.location.id == 0);
    CUdeviceptr memory = mapped(handle);
    close(descriptor);
    holds(memory, 5);
    fill(memory, 6);
    turn();
    await_turn();
    holds(memory, 7);
    unmap(memory);
    turn();
}

/* As often as one likes, from copies of the descriptor, and from descriptors of what was imported;
 * at home too. */
static void often_parent(void) {
    CUmemGenericAllocationHandle handle = made(), again;
    int descriptor = exported(handle);
    CUdeviceptr memory = mapped(handle), second;
    again = imported(descriptor);
    second = mapped(again);
    fill(second, 1);
    holds(memory, 1);
    pass(descriptor);
    await_turn();
    holds(second, 2);
    CUdeviceptr third = mapped(imported(passed()));
    unmap(memory);
    unmap(second);
    holds(third, 2);
    turn();
    unmap(third);
}

static void often_child(void) {
    int descriptor = passed(), copy = dup(descriptor);
    CUdeviceptr first = mapped(imported(descriptor));
    CUmemGenericAllocationHandle handle = imported(copy);
    int onwards = exported(handle);
    CUdeviceptr second = mapped(handle);
    close(descriptor);
    holds(mapped(imported(copy)), 1);
    fill(first, 2);
    holds(second, 2);
    turn();
    pass(onwards);
    await_turn();
}

/* A descriptor holds its memory until its last copy is closed. */
static void closed_parent(void) {
    size_t before = free_bytes();
    for (int i = 0; i < 40; i++) {
        CUmemGenericAllocationHandle handle = made();
        int descriptor = exported(handle), copy = dup(descriptor), second = exported(handle);
        MUST(cuMemRelease(handle));
        close(descriptor);
        close(second);
        CHECK(free_bytes() == before - BYTES);
        unmap(mapped(imported(copy)));
        if (i % 2 == 0)
            pass(copy);
        close(copy);
        if (i % 2 == 0)
            await_turn();
        CHECK(free_bytes() == before);
    }
}

static void closed_child(void) {
    size_t before = free_bytes();
    for (int i = 0; i < 20; i++) {
        int descriptor = passed();
        CUmemGenericAllocationHandle handle = imported(descriptor);
        close(descriptor);
        turn();
        unmap(mapped(handle));
    }
    CHECK(free_bytes() == before);
}

static void wrong_parent(void) {
    CUmemGenericAllocationHandle handle = made(), private_memory, unused;
    CUmemAllocationProp properties = {.type = 1, .handleTypes = DESCRIPTOR, .location = {1, 0}};
    int descriptor = exported(handle), others[2], pipes[2], file = open("/proc/self/exe", O_RDONLY),
        value = -1;
    char letter[80] = "outboard ticket";
    size_t granularity;
    MUST(make(&private_memory, 0));
    CHECK(cuMemExportToShareableHandle(&value, private_memory, DESCRIPTOR, 0) == 1);
    CHECK(cuMemExportToShareableHandle(&value, handle, DESCRIPTOR, 1) == 1);
    CHECK(cuMemExportToShareableHandle(NULL, handle, DESCRIPTOR, 0) == 1);
    CHECK(cuMemExportToShareableHandle(&value, handle, FABRIC, 0) == 1);
    CHECK(cuMemExportToShareableHandle(&value, (CUmemGenericAllocationHandle)0x1234, DESCRIPTOR,
                                       0) == 1 &&
          value == -1);
    CHECK(make(&unused, FABRIC) == 801 && make(&unused, FABRIC | DESCRIPTOR) == 801);
    MUST(cuMemGetAllocationGranularity(&granularity, &properties, 0));
    /* memory of the host: how much of it would be a multiple, but there is none */
    properties.location.type = 3;
    MUST(cuMemGetAllocationGranularity(&granularity, &properties, 0));
    CHECK(cuMemCreate(&unused, granularity, &properties, 0) == 801);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, others) == 0 && pipe(pipes) == 0 && file >= 0);
    const int wrong[] = {-1, 1 << 20, file, others[0], pipes[0], other};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(import_of(&unused, wrong[i]) == 999);
    CHECK(write(others[1], letter, sizeof letter) == sizeof letter);
    CHECK(import_of(&unused, others[0]) == 1); /* a ticket of nobody */
    CHECK(import_of(NULL, descriptor) == 1);
    CHECK(cuMemImportFromShareableHandle(&unused, (void *)(intptr_t)descriptor, FABRIC) == 801);
    MUST(cuMemRelease(imported(descriptor)));
    close(descriptor);
    CHECK(import_of(&unused, descriptor) == 999);
    turn();
}

static void wrong_child(void) {
    int value = 1;
    for (int attribute = 104; attribute <= 105; attribute++) {
        MUST(cuDeviceGetAttribute(&value, attribute, 0));
        CHECK(value == 0);
    }
    await_turn();
}

/* The process of the descriptor is killed: imported memory stays, and no more can be imported. */
static void gone_parent(void) {
    CUmemGenericAllocationHandle handle = made();
    pass(exported(handle));
    fill(mapped(handle), 9);
    turn();
    await_turn();
    kill(getpid(), SIGKILL);
}

static void gone_child(void) {
    int descriptor = passed();
    CUmemGenericAllocationHandle unused;
    CUdeviceptr memory = mapped(imported(descriptor));
    await_turn();
    turn();
    char byte;
    CHECK(recv(other, &byte, 1, 0) <= 0);
    CUresult late = 0;
    for (int i = 0; i < 12000 && late == 0; i++) { /* its worker may take a moment to go */
        late = import_of(&unused, descriptor);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    CHECK(late == 1);
    holds(memory, 9);
    fill(memory, 11);
    holds(memory, 11);
}

/* A child of the process has copies of its descriptors, and nothing else of them. */
static void forked_parent(void) {
    size_t before = free_bytes();
    int pair[2], status;
    CUmemGenericAllocationHandle handle = made();
    int descriptor = exported(handle);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    pid_t child = fork();
    if (child == 0) {
        char byte;
        CHECK(read(pair[1], &byte, 1) == 1);
        pass(descriptor);
        _exit(0);
    }
    close(descriptor);
    CHECK(write(pair[0], "", 1) == 1);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    await_turn();
    MUST(cuMemRelease(handle));
    CHECK(free_bytes() == before);
}

static void forked_child(void) {
    int descriptor = passed();
    unmap(mapped(imported(descriptor)));
    close(descriptor);
    turn();
}

/* ---- pools ----------------------------------------------------------------------------------- */

typedef struct pointer_name {
    unsigned char bytes[64];
} pointer_name;

static CUmemoryPool pool_of(int types) {
    CUmemPoolProps properties = {.type = 1, .handleTypes = types, .location = {1, 0}};
    CUmemoryPool pool;
    MUST(cuMemPoolCreate(&pool, &properties));
    return pool;
}

static CUdeviceptr allocated(CUmemoryPool pool) {
    CUdeviceptr memory;
    MUST(cuMemAllocFromPoolAsync(&memory, BYTES, pool, NULL));
    return memory;
}

static void give(CUdeviceptr memory) {
    pointer_name name;
    MUST(cuMemPoolExportPointer(&name, memory));
    tell(&name, sizeof name);
}

static pointer_name taken(void) {
    pointer_name name;
    hear(&name, sizeof name);
    return name;
}

static CUresult import_pool(CUmemoryPool *pool, int descriptor) {
    return cuMemPoolImportFromShareableHandle(pool, (void *)(intptr_t)descriptor, DESCRIPTOR, 0);
}

static CUdeviceptr opened(CUmemoryPool pool, pointer_name name) {
    CUdeviceptr memory;
    MUST(cuMemPoolImportPointer(&memory, pool, &name));
    return memory;
}

/* Memory of a pool; freed here in both ways. */
static void pool_parent(void) {
    CUmemoryPool pool = pool_of(DESCRIPTOR);
    int descriptor, types = 0;
    CUdeviceptr first = allocated(pool), second = allocated(pool);
    MUST(cuDeviceGetAttribute(&types, 119, 0));
    CHECK(types == DESCRIPTOR);
    fill(first, 1);
    fill(second, 2);
    MUST(cuMemPoolExportToShareableHandle(&descriptor, pool, DESCRIPTOR, 0));
    pass(descriptor);
    close(descriptor);
    give(first);
    give(second);
    await_turn();
    holds(first, 3);
    holds(second, 4);
    MUST(cuMemFreeAsync(first, NULL));
    MUST(cuMemFree_v2(second));
    MUST(cuMemPoolDestroy(pool));
}

static void pool_child(void) {
    CUmemoryPool pool;
    int descriptor = passed();
    CUdeviceptr unused, base;
    size_t bytes;
    MUST(import_pool(&pool, descriptor));
    close(descriptor);
    CUdeviceptr first = opened(pool, taken()), second = opened(pool, taken());
    holds(first, 1);
    holds(second, 2);
    fill(first, 3);
    fill(second, 4);
    MUST(cuMemGetAddressRange_v2(&base, &bytes, second + 8));
    CHECK(base == second && bytes == BYTES);
    CHECK(cuMemAllocFromPoolAsync(&unused, BYTES, pool, NULL) == 1);
    CHECK(cuDeviceSetMemPool(0, pool) == 1);
    MUST(cuMemFreeAsync(first, NULL));
    MUST(cuMemFree_v2(second));
    MUST(cuCtxSynchronize());
    CHECK(cuMemFree_v2(second) == 1);
    turn();
    MUST(cuMemPoolDestroy(pool));
}

static void pools_parent(void) {
    CUmemoryPool pool = pool_of(DESCRIPTOR), private_pool = pool_of(0), standard, unused;
    CUmemGenericAllocationHandle handle = made(), no_memory;
    CUmemPoolProps properties = {.type = 1, .handleTypes = FABRIC, .location = {1, 0}};
    pointer_name name;
    int descriptor, value, file = open("/proc/self/exe", O_RDONLY);
    MUST(cuDeviceGetDefaultMemPool(&standard, 0));
    CHECK(cuMemPoolCreate(&unused, &properties) == 801);
    CHECK(cuMemPoolExportToShareableHandle(&value, private_pool, DESCRIPTOR, 0) == 1);
    CHECK(cuMemPoolExportToShareableHandle(&value, standard, DESCRIPTOR, 0) == 1);
    CHECK(cuMemPoolExportToShareableHandle(&value, pool, FABRIC, 0) == 1);
    CHECK(cuMemPoolExportToShareableHandle(&value, pool, DESCRIPTOR, 1) == 1);
    CHECK(cuMemPoolExportPointer(&name, allocated(private_pool)) == 1);
    CHECK(cuMemPoolExportPointer(&name, 0x1234) == 1);
    MUST(cuMemPoolExportToShareableHandle(&descriptor, pool, DESCRIPTOR, 0));
    CHECK(import_pool(&unused, file) == 999 && import_pool(&unused, -1) == 999);
    CHECK(import_pool(&unused, exported(handle)) == 1);  /* memory is no pool … */
    CHECK(import_of(&no_memory, descriptor) == 1);       /* … and a pool no memory */
    pass(descriptor);
    give(allocated(pool));
    MUST(cuMemPoolExportToShareableHandle(&descriptor, pool_of(DESCRIPTOR), DESCRIPTOR, 0));
    pass(descriptor);
    await_turn();
}

static void pools_child(void) {
    CUmemoryPool pool, second;
    CUdeviceptr unused;
    MUST(import_pool(&pool, passed()));
    pointer_name name = taken(), damaged = name, zero = {{0}};
    CUipcMemHandle as_memory;
    MUST(import_pool(&second, passed()));
    memcpy(&as_memory, &name, sizeof as_memory);
    damaged.bytes[30] ^= 1;
    CHECK(cuMemPoolImportPointer(&unused, pool, &damaged) == 1);
    CHECK(cuMemPoolImportPointer(&unused, pool, &zero) == 1);
    CHECK(cuMemPoolImportPointer(&unused, second, &name) == 1);
    CHECK(cuMemPoolImportPointer(&unused, pool_of(DESCRIPTOR), &name) == 1);
    CHECK(cuIpcOpenMemHandle_v2(&unused, as_memory, 1) == 1);
    CHECK(cuIpcCloseMemHandle(opened(pool, name)) == 1);
    turn();
}

static const two cases[] = {
    {"memory", memory_parent, memory_child, 0}, {"often", often_parent, often_child, 0},
    {"closed", closed_parent, closed_child, 0}, {"wrong", wrong_parent, wrong_child, 0},
    {"gone", gone_parent, gone_child, 1},       {"forked", forked_parent, forked_child, 0},
    {"pool", pool_parent, pool_child, 0},       {"pools", pools_parent, pools_child, 0},
};

int main(int argc, char **argv) { return run_two(cases, sizeof cases / sizeof *cases, argc, argv); }
