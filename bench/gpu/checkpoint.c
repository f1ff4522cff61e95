/* SPDX-License-Identifier: Apache-2.0
 *
 * Tries the driver's checkpoint (CUDA Driver API, "CUDA Checkpointing") on each kind of thing that
 * a process may have on a GPU: put aside and brought back to the same GPU, and, where there are
 * two, to another. It asks the driver itself, without Outboard.
 * usage: checkpoint        a table in Markdown
 *        checkpoint KIND   the process that is put aside (run by the other)
 * One process a cell: it makes the thing, waits for a line, and uses it again.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "figure.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what is put aside ----------------------------------------------------------------------- */

static const char IMAGE[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                            ".visible .entry add(.param .u64 pointer, .param .u32 what)\n"
                            "{\n.reg .b64 %rd<3>;\n.reg .b32 %r<4>;\n"
                            "ld.param.u64 %rd1, [pointer];\ncvta.to.global.u64 %rd2, %rd1;\n"
                            "ld.param.u32 %r3, [what];\n"
                            "ld.global.u32 %r1, [%rd2];\nadd.s32 %r2, %r1, %r3;\n"
                            "st.global.u32 [%rd2], %r2;\nret;\n}\n";

/* On its own: no process whose image has such a variable is put aside. */
static const char VARIABLE[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                            ".visible .global .attribute(.managed) .align 4 .u32 counter = 5;\n"
                            ".visible .entry raise()\n"
                            "{\n.reg .b32 %r<3>;\nld.global.u32 %r1, [counter];\n"
                            "add.u32 %r2, %r1, 1;\nst.global.u32 [counter], %r2;\nret;\n}\n";

enum {
    BYTES = 4 << 20,
    PINNED = 1,
    PORTABLE_MAPPED = 3,
    EVERYWHERE = 1,         /* managed memory: of all streams */
    READ_WRITE = 3,
    DESCRIPTOR = 1,         /* VMM: may be exported as a file descriptor */
};

static CUmodule module;
static CUfunction add;
static CUstream stream;

static void launch(CUdeviceptr counter, uint32_t what) {
    void *parameters[] = {&counter, &what};
    CHECK(cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
}

/* Raised before and after by a kernel: 3 and then 7. */
static CUdeviceptr counter;

static void raise_first(CUdeviceptr pointer) {
    counter = pointer;
    CHECK(cuMemsetD8_v2(counter, 0, BYTES));
    launch(counter, 3);
    CHECK(cuStreamSynchronize(stream));
}

static uint32_t value(void) {
    uint32_t found = 0;
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuMemcpyDtoH_v2(&found, counter, sizeof found));
    return found;
}

static bool raised_again(void) {
    launch(counter, 4);
    return value() == 7;
}

static void make_memory(void) {
    CUdeviceptr pointer;
    CHECK(cuMemAlloc_v2(&pointer, BYTES));
    raise_first(pointer);
}

static void make_pool_memory(void) {
    CUdeviceptr pointer;
    CHECK(cuMemAllocAsync(&pointer, BYTES, stream));
    CHECK(cuStreamSynchronize(stream));
    raise_first(pointer);
}

static void map_virtual(int handle_types) {
    CUdeviceptr pointer;
    CUmemGenericAllocationHandle allocation;
    CUmemAllocationProp properties = {
        .type = PINNED, .handleTypes = handle_types, .location = {.type = 1, .id = 0}};
    CUmemAccessDesc access = {.location = {.type = 1, .id = 0}, .flags = READ_WRITE};
    CHECK(cuMemCreate(&allocation, BYTES, &properties, 0));
    CHECK(cuMemAddressReserve(&pointer, BYTES, 0, 0, 0));
    CHECK(cuMemMap(pointer, BYTES, 0, allocation, 0));
    CHECK(cuMemSetAccess(pointer, BYTES, &access, 1));
    raise_first(pointer);
}

static void make_virtual(void) { map_virtual(0); }

static void make_virtual_for_others(void) { map_virtual(DESCRIPTOR); }

static void use_host_memory(void *memory) {
    CUdeviceptr pointer;
    CHECK(cuMemHostGetDevicePointer_v2(&pointer, memory, 0));
    raise_first(pointer);
}

static void make_page_locked(void) {
    void *memory;
    CHECK(cuMemHostAlloc(&memory, BYTES, PORTABLE_MAPPED));
    use_host_memory(memory);
}

static void register_memory(int flags, int descriptor) {
    void *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, flags, descriptor, 0);
    if (memory == MAP_FAILED)
        abort();
    CHECK(cuMemHostRegister_v2(memory, BYTES, PORTABLE_MAPPED));
    use_host_memory(memory);
}

static void make_registered(void) { register_memory(MAP_PRIVATE | MAP_ANONYMOUS, -1); }

/* As Outboard's page-locked memory over shm. */
static void make_registered_shared(void) {
    int descriptor = memfd_create("checkpoint", 0);
    if (descriptor < 0 || ftruncate(descriptor, BYTES) != 0)
        abort();
    register_memory(MAP_SHARED, descriptor);
}

static void make_managed(void) {
    CUdeviceptr pointer;
    CHECK(cuMemAllocManaged(&pointer, BYTES, EVERYWHERE));
    raise_first(pointer);
}

static CUgraphExec graph;

static void make_graph(void) {
    CUgraph captured;
    CHECK(cuMemAlloc_v2(&counter, BYTES));
    CHECK(cuStreamBeginCapture_v2(stream, 0));
    launch(counter, 3);
    launch(counter, 4);
    CHECK(cuStreamEndCapture(stream, &captured));
    CHECK(cuGraphInstantiateWithFlags(&graph, captured, 0));
    CHECK(cuMemsetD8_v2(counter, 0, BYTES));
    CHECK(cuGraphLaunch(graph, stream));
    CHECK(cuStreamSynchronize(stream));
}

static bool graph_again(void) {
    CHECK(cuGraphLaunch(graph, stream));
    return value() == 14;
}

static CUevent event;

static void make_event(void) {
    make_memory();
    CHECK(cuEventCreate(&event, 0));
    CHECK(cuEventRecord(event, stream));
    CHECK(cuEventSynchronize(event));
}

static bool event_again(void) {
    bool done = cuEventQuery(event) == 0 && raised_again();
    CHECK(cuEventRecord(event, stream));
    CHECK(cuEventSynchronize(event));
    return done;
}

static void make_variable(void) {
    CUmodule variable;
    CUfunction raise;
    size_t bytes;
    CHECK(cuModuleLoadData(&variable, VARIABLE));
    CHECK(cuModuleGetFunction(&raise, variable, "raise"));
    CHECK(cuLaunchKernel(raise, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuModuleGetGlobal_v2(&counter, &bytes, variable, "counter"));
}

static bool variable_again(void) {
    launch(counter, 4);
    return value() == 10;
}

static void make_ipc(void) {
    CUipcMemHandle handle;
    make_memory();
    CHECK(cuIpcGetMemHandle(&handle, counter));
}

typedef struct kind {
    const char *name, *what;
    void (*make)(void);
    bool (*again)(void);
} kind;

static const kind KINDS[] = {
    {"memory", "`cuMemAlloc`", make_memory, raised_again},
    {"pool", "`cuMemAllocAsync`", make_pool_memory, raised_again},
    {"virtual", "`cuMemCreate`, mapped", make_virtual, raised_again},
    {"virtual-shared", "the same, that may be exported as a descriptor", make_virtual_for_others,
     raised_again},
    {"page-locked", "`cuMemHostAlloc`", make_page_locked, raised_again},
    {"registered", "`cuMemHostRegister` of private memory", make_registered, raised_again},
    {"registered-shared", "`cuMemHostRegister` of a shared mapping", make_registered_shared,
     raised_again},
    {"graph", "an instantiated graph", make_graph, graph_again},
    {"event", "an event and a stream", make_event, event_again},
    {"managed", "`cuMemAllocManaged`", make_managed, raised_again},
    {"variable", "a `__managed__` variable", make_variable, variable_again},
    {"ipc", "memory with a `cuIpcGetMemHandle`", make_ipc, raised_again},
};
enum { COUNT = sizeof KINDS / sizeof *KINDS };

static const kind *kind_named(const char *name) {
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(KINDS[i].name, name) == 0)
            return &KINDS[i];
    fprintf(stderr, "no kind %s\n", name);
    exit(2);
}

static void prepare(void) {
    CUcontext context;
    CHECK(cuInit(0));
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, IMAGE));
    CHECK(cuModuleGetFunction(&add, module, "add"));
    CHECK(cuStreamCreate(&stream, 1));
}

static int be_put_aside(const kind *its) {
    char line[16];
    prepare();
    its->make();
    puts("ready");
    fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    puts(its->again() ? "works" : "**wrong values**");
    return 0;
}

/* ---- who puts it aside ----------------------------------------------------------------------- */

/* CUcheckpointGpuPair, CUcheckpointLockArgs and CUcheckpointRestoreArgs. */
typedef struct pair {
    unsigned char from[16], to[16];
} pair;

typedef union lock_arguments {
    unsigned int timeout_ms;
    uint64_t reserved[8];
} lock_arguments;

typedef union restore_arguments {
    struct {
        pair *pairs;
        unsigned int count;
    } gpus;
    uint64_t reserved[8];
} restore_arguments;

typedef CUresult (*on_process)(int process, void *arguments);

enum { LOCK_MS = 10000, MOST_DEVICES = 2 };

static int devices;

/* Free memory on each device, as a third process sees it: the driver of the process itself may
 * answer from what it remembers. */
typedef struct room {
    CUcontext contexts[MOST_DEVICES];
    int64_t free[MOST_DEVICES];
} room;

static void look(room *at) {
    uint64_t free, all;
    for (int i = 0; i < devices; i++) {
        if (at->contexts[i] == NULL)
            CHECK(cuDevicePrimaryCtxRetain(&at->contexts[i], i));
        CHECK(cuCtxSetCurrent(at->contexts[i]));
        CHECK(cuMemGetInfo_v2(&free, &all));
        at->free[i] = (int64_t)free;
    }
}

/* The device on which memory has gone since. */
static int taken_on(const room *before) {
    room now = *before;
    int most = 0;
    look(&now);
    for (int i = 1; i < devices; i++)
        if (before->free[i] - now.free[i] > before->free[most] - now.free[most])
            most = i;
    return most;
}

static on_process function(const char *name) {
    on_process found = (on_process)dlsym(RTLD_DEFAULT, name);
    if (found == NULL) {
        fprintf(stderr, "the driver has no %s: one of 570 or later is wanted\n", name);
        exit(1);
    }
    return found;
}

static const char *failure(const char *step, CUresult result) {
    static char text[64];
    snprintf(text, sizeof text, "%s: error %d", step, (int)result);
    return text;
}

/* Puts a process aside and brings it back to some device; returns the step that failed, or NULL. */
static const char *move(int process, restore_arguments *to, int *device) {
    static room aside;
    lock_arguments lock = {.timeout_ms = LOCK_MS};
    CUresult result = function("cuCheckpointProcessLock")(process, &lock);
    if (result != 0)
        return failure("lock", result);
    result = function("cuCheckpointProcessCheckpoint")(process, NULL);
    if (result != 0)
        return failure("checkpoint", result);
    look(&aside);
    result = function("cuCheckpointProcessRestore")(process, to);
    if (result != 0)
        return failure("restore", result);
    *device = taken_on(&aside);
    result = function("cuCheckpointProcessUnlock")(process, NULL);
    return result == 0 ? NULL : failure("unlock", result);
}

typedef struct child {
    pid_t process;
    FILE *to, *from;
} child;

static child start(const char *name) {
    int in[2], out[2];
    child its;
    if (pipe(in) != 0 || pipe(out) != 0 || (its.process = fork()) < 0)
        abort();
    if (its.process == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[1]);
        close(out[0]);
        execl("/proc/self/exe", "checkpoint", name, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    its.to = fdopen(in[1], "w");
    its.from = fdopen(out[0], "r");
    return its;
}

static void end(child its) {
    kill(its.process, SIGKILL);
    waitpid(its.process, NULL, 0);
    fclose(its.to);
    fclose(its.from);
}

static void print_cell(const kind *its, restore_arguments *to) {
    char line[96];
    child other = start(its->name);
    if (fgets(line, sizeof line, other.from) == NULL) {
        printf(" cannot be made |");
    } else {
        int device = 0;
        const char *failed = move(other.process, to, &device);
        fputs("go\n", other.to);
        fflush(other.to);
        if (failed == NULL && fgets(line, sizeof line, other.from) == NULL)
            failed = "does not work any more";
        line[strcspn(line, "\n")] = '\0';
        if (failed == NULL)
            printf(" %s, on GPU %d |", line, device);
        else
            printf(" %s |", failed);
    }
    fflush(stdout);
    end(other);
}

int main(int argc, char **argv) {
    pair swapped[MOST_DEVICES];
    restore_arguments other = {.gpus = {swapped, MOST_DEVICES}};
    if (argc == 2)
        return be_put_aside(kind_named(argv[1]));
    signal(SIGPIPE, SIG_IGN);
    CHECK(cuInit(0));
    CHECK(cuDeviceGetCount(&devices));
    devices = devices < MOST_DEVICES ? devices : MOST_DEVICES;
    bool two = devices == MOST_DEVICES;
    for (int i = 0; two && i < MOST_DEVICES; i++) {
        CHECK(cuDeviceGetUuid_v2(swapped[i].from, i));
        CHECK(cuDeviceGetUuid_v2(swapped[i].to, 1 - i));
    }
    puts(two ? "| a process with | brought back | brought back to the other GPU |\n|---|---|---|"
             : "| a process with | brought back |\n|---|---|");
    for (size_t i = 0; i < COUNT; i++) {
        printf("| %s |", KINDS[i].what);
        print_cell(&KINDS[i], NULL);
        if (two)
            print_cell(&KINDS[i], &other);
        puts("");
    }
    return 0;
}
