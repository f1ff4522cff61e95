/* SPDX-License-Identifier: Apache-2.0
 * Managed memory, each topic in one case; prints "ok", or "refused" where there is none.
 * usage: managed CASE
 */
#include "case.h"

static const char KERNELS[] =
    ADD_KERNEL
    ".visible .global .align 4 .u32 plain = 3;\n"
    ".visible .global .attribute(.managed) .align 4 .u32 counter = 5;\n"
    ".visible .global .attribute(.managed) .align 4 .b32 table[5000] = {1, 2, 3};\n"
    ".visible .entry raise(.param .u32 what)\n"
    "{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [what];\n"
    "ld.global.u32 %r2, [counter];\nadd.u32 %r2, %r2, %r1;\n"
    "st.global.u32 [counter], %r2;\nst.global.u32 [table+19996], %r2;\n"
    "ret;\n}\n";

enum { COUNT = 100000, GLOBAL = 1, HOST = 2, SINGLE = 4 };
static CUcontext primary;
static CUfunction add;

static int attribute(int which) {
    int value;
    MUST(cuDeviceGetAttribute(&value, which, 0));
    return value;
}

static void prepare(void) {
    CUmodule module;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuModuleLoadData(&module, KERNELS));
    MUST(cuModuleGetFunction(&add, module, "add"));
    CHECK(attribute(88) == 0 && attribute(100) == 0 && attribute(101) == 0);
    CHECK(attribute(89) <= attribute(83));
}

static void refused(CUresult result) {
    CHECK(result == 801);
    puts("refused");
    exit(0);
}

static int *managed(size_t bytes) {
    CUdeviceptr pointer;
    CUresult result = cuMemAllocManaged(&pointer, bytes, GLOBAL);
    if (attribute(83) == 0)
        refused(result);
    MUST(result);
    return (int *)(uintptr_t)pointer;
}

static CUdeviceptr device(const void *memory) { return (CUdeviceptr)(uintptr_t)memory; }

static void launch(int *to, int count, int what, CUstream stream) {
    void *parameters[] = {&to, &count, &what};
    MUST(cuLaunchKernel(add, (unsigned)(count + 127) / 128, 1, 1, 128, 1, 1, 0, stream, parameters,
                        NULL));
}

/* Program and kernel write in turns. */
static void in_turns(void) {
    int *numbers = managed(COUNT * sizeof(int));
    for (int i = 0; i < COUNT; i++) {
        CHECK(numbers[i] == 0);
        numbers[i] = i;
    }
    for (int turn = 1; turn <= 5; turn++) {
        launch(numbers, COUNT, 1000, NULL);
        MUST(cuCtxSynchronize());
        for (int i = 0; i < COUNT; i++)
            CHECK(numbers[i]++ == i + turn * 1000 + turn - 1);
    }
    MUST(cuMemFree_v2(device(numbers)));
}

/* Every second page, so that more runs of pages are alike than a process may have mappings (65,530
 * are usual). */
static void many_runs(void) {
    enum { PAGES = 70000, PAGE_WORDS = 1024 };
    int *numbers = managed((size_t)PAGES * PAGE_WORDS * sizeof(int));
    MUST(cuMemsetD32_v2(device(numbers), 7, (size_t)PAGES * PAGE_WORDS));
    MUST(cuCtxSynchronize());
    for (int i = 0; i < PAGES; i += 2)
        CHECK(numbers[i * PAGE_WORDS]++ == 7);
    for (int i = 0; i < PAGES; i++)
        CHECK(numbers[i * PAGE_WORDS] == 7 + (i % 2 == 0));
    MUST(cuMemFree_v2(device(numbers)));
}

/* Copies of every kind, in the order of the stream, whatever the program calls the memory. */
static void copies(void) {
    int *numbers = managed(COUNT * sizeof(int)), *others = managed(COUNT * sizeof(int)),
        *plain = malloc(COUNT * sizeof(int));
    CUdeviceptr memory;
    CUstream stream;
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuMemAlloc_v2(&memory, COUNT * sizeof(int)));
    for (int i = 0; i < COUNT; i++)
        plain[i] = i;
    MUST(cuMemcpyHtoD_v2(device(numbers), plain, COUNT * sizeof(int)));
    for (int i = 1; i <= 8; i++) {
        launch(numbers, COUNT, 1, stream);
        MUST(cuMemcpyHtoDAsync_v2(memory, numbers, COUNT * sizeof(int), stream));
        MUST(cuMemcpyDtoHAsync_v2(others, memory, COUNT * sizeof(int), stream));
        launch(others, COUNT, 5, stream);
        MUST(cuMemcpyAsync(device(plain), device(others), COUNT * sizeof(int), stream));
        MUST(cuStreamSynchronize(stream));
        for (int k = 0; k < COUNT; k++)
            CHECK(numbers[k] == k + i && others[k] == k + i + 5 && plain[k] == k + i + 5);
    }
    MUST(cuMemsetD32_v2(device(others), 7, COUNT));
    MUST(cuMemcpyDtoH_v2(plain, device(others), COUNT * sizeof(int)));
    MUST(cuMemcpy(device(numbers), device(others), 400));
    MUST(cuCtxSynchronize());
    CHECK(plain[COUNT - 1] == 7 && numbers[99] == 7 && numbers[100] != 7);
}

static void rectangles(void) {
    enum { PITCH = 512, WIDTH = 100, HEIGHT = 40 };
    int *from = managed(PITCH * HEIGHT), *to = managed(PITCH * HEIGHT);
    CUstream stream;
    MUST(cuStreamCreate(&stream, 1));
    launch(from, PITCH / 4 * HEIGHT, 3, stream);
    rectangle copy = {{.type = 1, .host = from, .pitch = PITCH},
                      {.type = 4, .device = device(to), .pitch = PITCH},
                      WIDTH,
                      HEIGHT};
    MUST(cuMemcpy2DAsync_v2(&copy, stream));
    MUST(cuStreamSynchronize(stream));
    for (int row = 0; row < HEIGHT; row++)
        for (int x = 0; x < PITCH / 4; x++)
            CHECK(to[row * PITCH / 4 + x] == (x < WIDTH / 4 ? 3 : 0));
}

static void what_it_is(void) {
    enum { BYTES = 10000 };
    int *memory = managed(BYTES);
    CUdeviceptr base, own, plain;
    size_t bytes;
    void *there;
    int value = 0;
    MUST(cuPointerGetAttribute(&value, 8, device(memory) + 100));
    CHECK(value == 1);
    MUST(cuPointerGetAttribute(&value, 2, device(memory)));
    CHECK(value == 2);
    MUST(cuPointerGetAttribute(&own, 3, device(memory) + 8));
    CHECK(own == device(memory) + 8);
    MUST(cuPointerGetAttribute(&there, 4, device(memory) + 8));
    CHECK(there == memory + 2);
    MUST(cuMemGetAddressRange_v2(&base, &bytes, device(memory) + 9999));
    CHECK(base == device(memory) && bytes == BYTES);
    MUST(cuMemAlloc_v2(&plain, BYTES));
    MUST(cuPointerGetAttribute(&value, 8, plain));
    CHECK(value == 0);
    CHECK(cuPointerGetAttribute(&there, 4, plain) == 1);
}

static int asked(int which, const void *memory, size_t bytes) {
    int value = -77;
    MUST(cuMemRangeGetAttribute(&value, sizeof value, which, device(memory), bytes));
    return value;
}

static void advice(void) {
    enum { BYTES = 16 * 4096 };
    char *memory = (char *)managed(BYTES);
    int who[3];
    CHECK(asked(5, memory, BYTES) == 0 && asked(6, memory, BYTES) == -2 &&
          asked(1, memory, BYTES) == 0 && asked(2, memory, BYTES) == -2 &&
          asked(4, memory, BYTES) == -2);
    MUST(cuMemAdvise(device(memory), BYTES, 1, 0));
    CHECK(asked(1, memory, BYTES) == 1);
    MUST(cuMemAdvise_v2(device(memory) + 4096, 4096, 2, (CUmemLocation){1, 0}));
    CHECK(asked(1, memory, BYTES) == 0 && asked(1, memory, 4096) == 1 &&
          asked(1, memory + 5000, 10) == 0);
    MUST(cuMemAdvise(device(memory), BYTES, 3, -1));
    CHECK(asked(2, memory, BYTES) == -1 && asked(5, memory, BYTES) == 2);
    MUST(cuMemAdvise_v2(device(memory), 8192, 3, (CUmemLocation){1, 0}));
    CHECK(asked(2, memory, BYTES) == -2 && asked(2, memory, 8192) == 0 &&
          asked(5, memory, 1) == 1 && asked(6, memory, 1) == 0);
    MUST(cuMemAdvise(device(memory), BYTES, 5, 0));
    MUST(cuMemAdvise(device(memory), BYTES, 5, -1));
    MUST(cuMemRangeGetAttribute(who, sizeof who, 3, device(memory), BYTES));
    CHECK(who[0] == -1 && who[1] == 0 && who[2] == -2);
    MUST(cuMemAdvise(device(memory), BYTES, 6, -1));
    MUST(cuMemRangeGetAttribute(who, sizeof who, 3, device(memory), BYTES));
    CHECK(who[0] == 0 && who[1] == -2);
    MUST(cuMemPrefetchAsync(device(memory), 4096, 0, NULL));
    MUST(cuMemPrefetchAsync_v2(device(memory) + 4096, 4096, (CUmemLocation){2, 0}, 0, NULL));
    CHECK(asked(4, memory, 4096) == 0 && asked(4, memory + 4096, 1) == -1 &&
          asked(4, memory, 8192) == -2);
    CHECK(asked(7, memory, 4096) == 1 && asked(8, memory, 4096) == 0);
    int several[2] = {-5, -5}, which[2] = {1, 4};
    void *data[2] = {&several[0], &several[1]};
    size_t sizes[2] = {4, 4};
    MUST(cuMemRangeGetAttributes(data, sizes, which, 2, device(memory), 100));
    CHECK(several[0] == 1 && several[1] == 0);
}

static void attached(void) {
    int *memory = managed(4096);
    CUstream stream;
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuStreamAttachMemAsync(stream, device(memory), 0, SINGLE));
    MUST(cuStreamAttachMemAsync(stream, device(memory), 4096, HOST));
    MUST(cuStreamAttachMemAsync(NULL, device(memory), 0, GLOBAL));
    CHECK(cuStreamAttachMemAsync(NULL, device(memory), 0, SINGLE) == 1);
    CHECK(cuStreamAttachMemAsync(stream, device(memory), 100, SINGLE) == 1);
    CHECK(cuStreamAttachMemAsync(stream, device(memory) + 4, 0, SINGLE) == 1);
    CHECK(cuStreamAttachMemAsync(stream, device(memory), 0, 3) == 1);
    CHECK(cuStreamAttachMemAsync((CUstream)(uintptr_t)0x1234567, device(memory), 0, GLOBAL) == 400);
}

static void wrong(void) {
    CUdeviceptr pointer, plain;
    int value, *memory = managed(4096);
    MUST(cuMemAlloc_v2(&plain, 4096));
    CHECK(cuMemAllocManaged(NULL, 4096, GLOBAL) == 1);
    CHECK(cuMemAllocManaged(&pointer, 0, GLOBAL) == 1);
    CHECK(cuMemAllocManaged(&pointer, 4096, 0) == 1);
    CHECK(cuMemAllocManaged(&pointer, 4096, SINGLE) == 1);
    CHECK(cuMemAllocManaged(&pointer, (size_t)1 << 60, GLOBAL) == 2);
    CHECK(cuMemAdvise(plain, 4096, 1, 0) == 1);
    CHECK(cuMemAdvise(device(memory), 0, 1, 0) == 1);
    CHECK(cuMemAdvise(device(memory), 4097, 1, 0) == 1);
    CHECK(cuMemAdvise(device(memory), 4096, 0, 0) == 1);
    CHECK(cuMemAdvise(device(memory), 4096, 7, 0) == 1);
    CHECK(cuMemAdvise(device(memory), 4096, 3, 99) == 101);
    CHECK(cuMemAdvise_v2(device(memory), 4096, 3, (CUmemLocation){9, 0}) == 1);
    CHECK(cuMemPrefetchAsync(plain, 4096, 0, NULL) == 1);
    CHECK(cuMemPrefetchAsync(device(memory), 4096, 99, NULL) == 101);
    CHECK(cuMemPrefetchAsync(device(memory), 4096, 0, (CUstream)(uintptr_t)0x1234567) == 400);
    CHECK(cuMemPrefetchAsync_v2(device(memory), 4096, (CUmemLocation){1, 0}, 1, NULL) == 1);
    CHECK(cuMemRangeGetAttribute(&value, 8, 1, device(memory), 1) == 1);
    CHECK(cuMemRangeGetAttribute(&value, 4, 9, device(memory), 1) == 1);
    CHECK(cuMemRangeGetAttribute(NULL, 4, 1, device(memory), 1) == 1);
    CHECK(cuMemRangeGetAttribute(&value, 3, 3, device(memory), 1) == 1);
    CHECK(cuMemRangeGetAttribute(&value, 4, 1, plain, 1) == 1);
    CHECK(cuMemFree_v2(device(memory) + 8) == 1);
    CHECK(cuMemFreeHost(memory) == 1);
    CHECK(cuMemFreeAsync(device(memory), NULL) == 1);
    CHECK(cuMemAdvise_v2(device(memory), 4096, 1, (CUmemLocation){9, 0}) == 1);
    MUST(cuMemAdvise(device(memory), 4096, 1, 99));
    MUST(cuMemFree_v2(device(memory)));
    CHECK(cuMemFree_v2(device(memory)) == 1);
    CHECK(cuMemAdvise(device(memory), 4096, 1, 0) == 1);
}

/* Freeing waits for kernels; addresses come again, with zeros; memory that a context leaves goes
 * with it. */
static void freed(void) {
    long before = 0;
    for (int i = 0; i < 200; i++) {
        int *memory = managed(1 << 20), *other = managed(5000);
        CHECK(memory[1000] == 0 && other[1000] == 0);
        launch(memory, 1 << 18, i + 1, NULL);
        other[1000] = i;
        MUST(cuMemFree_v2(device(memory)));
        MUST(cuMemFree_v2(device(other)));
        if (i == 20)
            before = mappings();
    }
    for (int i = 0; i < 20; i++) {
        CUcontext context;
        MUST(cuCtxCreate_v2(&context, 0, 0));
        managed(1 << 20)[5] = 5;
        MUST(cuCtxDestroy_v2(context));
    }
    CHECK(mappings() <= before + 4);
}

/* A graph's copies of managed memory name it, and so are right each time. */
static void captured(void) {
    int *from = managed(4096), *to = managed(4096);
    CUstream stream;
    CUgraph graph;
    CUgraphExec executable;
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuStreamBeginCapture_v2(stream, 0));
    launch(from, 1024, 1, stream);
    MUST(cuMemcpyAsync(device(to), device(from), 4096, stream));
    MUST(cuStreamEndCapture(stream, &graph));
    MUST(cuGraphInstantiateWithFlags(&executable, graph, 0));
    for (int i = 1; i <= 5; i++) {
        MUST(cuGraphLaunch(executable, stream));
        MUST(cuStreamSynchronize(stream));
        CHECK(to[0] == 11 * i - 10 && to[1023] == 11 * i - 10);
        for (int k = 0; k < 1024; k++)
            from[k] += 10;
    }
}

/* A page that is away comes during a capture, and the capture goes on. */
static void touched_in_a_capture(void) {
    int *captured = managed(4096), *touched = managed(4096);
    CUstream stream;
    CUgraph graph;
    CUgraphExec executable;
    launch(touched, 1024, 3, NULL);
    MUST(cuCtxSynchronize());
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuStreamBeginCapture_v2(stream, 0));
    launch(captured, 1024, 1, stream);
    CHECK(touched[1023] == 3);
    launch(captured, 1024, 2, stream);
    MUST(cuStreamEndCapture(stream, &graph));
    MUST(cuGraphInstantiateWithFlags(&executable, graph, 0));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(captured[0] == 3);
}

/* ---- variables ------------------------------------------------------------------------------- */

static void count(CUfunction kernel, int what) {
    void *parameters[] = {&what};
    MUST(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    MUST(cuCtxSynchronize());
}

/* Where there is no managed memory, variables can be mirrors. */
static void find_out_whether_refused(void) {
    CUdeviceptr pointer;
    CUlibrary library;
    MUST(cuLibraryLoadData(&library, KERNELS, NULL, NULL, 0, NULL, NULL, 0));
    CUresult result = cuLibraryGetManaged(&pointer, NULL, library, "counter");
    if (result != 0)
        refused(result);
    MUST(cuLibraryUnload(library));
}

/* Program and kernel use a variable in turns; it holds what it held before the program asked for
 * it. */
static void variables(void) {
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr pointer, again, other;
    size_t bytes;
    int value;
    find_out_whether_refused();
    MUST(cuModuleLoadData(&module, KERNELS));
    MUST(cuModuleGetFunction(&kernel, module, "raise"));
    count(kernel, 2);
    MUST(cuModuleGetGlobal_v2(&pointer, &bytes, module, "counter"));
    CHECK(bytes == 4);
    volatile int *counter = (volatile int *)(uintptr_t)pointer;
    CHECK(*counter == 7);
    *counter = 100;
    count(kernel, 5);
    CHECK(*counter == 105);
    MUST(cuModuleGetGlobal_v2(&pointer, &bytes, module, "table"));
    int *table = (int *)(uintptr_t)pointer;
    CHECK(bytes == 20000 && table[0] == 1 && table[2] == 3 && table[3] == 0 && table[4999] == 105);
    launch(table, 5000, 10, NULL);
    MUST(cuCtxSynchronize());
    CHECK(table[0] == 11 && table[4998] == 10 && table[4999] == 115);
    MUST(cuMemcpyDtoH_v2(&value, pointer + 8, 4));
    CHECK(value == 13);
    MUST(cuPointerGetAttribute(&value, 8, pointer));
    CHECK(value == 1);
    MUST(cuModuleGetGlobal_v2(&again, NULL, module, "counter"));
    CHECK(again == device((const void *)counter));
    MUST(cuModuleGetGlobal_v2(&other, NULL, module, "plain"));
    MUST(cuPointerGetAttribute(&value, 8, other));
    CHECK(value == 0);
    CHECK(cuMemFree_v2(pointer) == 1);
    MUST(cuModuleUnload(module));
    CHECK(cuPointerGetAttribute(&value, 8, pointer) == 1);
}

static void libraries(void) {
    CUlibrary library;
    CUkernel kernel;
    CUdeviceptr pointer;
    size_t bytes;
    find_out_whether_refused();
    MUST(cuLibraryLoadData(&library, KERNELS, NULL, NULL, 0, NULL, NULL, 0));
    MUST(cuLibraryGetManaged(&pointer, &bytes, library, "counter"));
    CHECK(bytes == 4 && *(int *)(uintptr_t)pointer == 5);
    MUST(cuLibraryGetKernel(&kernel, library, "raise"));
    count((CUfunction)kernel, 30);
    CHECK(*(volatile int *)(uintptr_t)pointer == 35);
    CHECK(cuLibraryGetManaged(&pointer, NULL, library, "plain") == 500);
    CHECK(cuLibraryGetManaged(&pointer, NULL, library, "nothing") == 500);
    CHECK(cuLibraryGetManaged(&pointer, NULL, library, NULL) == 1);
    MUST(cuLibraryUnload(library));
}

/* Addresses come again, with the first values; nothing is left. */
static void reloaded(void) {
    long before = 0;
    find_out_whether_refused();
    for (int i = 0; i < 60; i++) {
        CUmodule module;
        CUdeviceptr pointer;
        MUST(cuModuleLoadData(&module, KERNELS));
        MUST(cuModuleGetGlobal_v2(&pointer, NULL, module, "counter"));
        CHECK(*(int *)(uintptr_t)pointer == 5);
        *(int *)(uintptr_t)pointer = i;
        if (i % 2 == 0)
            MUST(cuModuleGetGlobal_v2(&pointer, NULL, module, "table"));
        MUST(cuModuleUnload(module));
        if (i == 10)
            before = mappings();
    }
    CHECK(mappings() <= before + 4);
}

/* ---- two devices ----------------------------------------------------------------------------- */

enum { DEVICES = 2 };

static void use(int device) {
    CUcontext context;
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
}

static CUkernel kernel_of(CUlibrary library, const char *name) {
    CUkernel kernel;
    MUST(cuLibraryGetKernel(&kernel, library, name));
    return kernel;
}

/* Each device adds its number and one to what the others and the program have written; then all are
 * asked. */
static void add_on_all(CUkernel kernel, int *numbers) {
    for (int d = 0; d < DEVICES; d++) {
        int count = COUNT, what = d + 1;
        void *parameters[] = {&numbers, &count, &what};
        use(d);
        MUST(cuLaunchKernel((CUfunction)kernel, (COUNT + 127) / 128, 1, 1, 128, 1, 1, 0, NULL,
                            parameters, NULL));
        MUST(cuCtxSynchronize());
    }
}

/* Memory of either device is the program's and both devices'. */
static void devices(void) {
    CUlibrary library;
    MUST(cuLibraryLoadData(&library, KERNELS, NULL, NULL, 0, NULL, NULL, 0));
    for (int owner = 0; owner < DEVICES; owner++) {
        use(owner);
        int *numbers = managed(COUNT * sizeof(int)), *plain = malloc(COUNT * sizeof(int));
        CHECK(plain != NULL);
        for (int turn = 0; turn < 4; turn++) {
            numbers[turn] += 100;
            add_on_all(kernel_of(library, "add"), numbers);
            CHECK(numbers[turn] == 100 + 3 * (turn + 1) && numbers[COUNT - 1] == 3 * (turn + 1));
        }
        add_on_all(kernel_of(library, "add"), numbers);
        MUST(cuMemcpyDtoH_v2(plain, device(numbers), COUNT * sizeof(int)));
        CHECK(plain[0] == 115 && plain[COUNT - 1] == 15);
        use(1 - owner);
        MUST(cuMemFree_v2(device(numbers)));
        free(plain);
    }
    MUST(cuLibraryUnload(library));
}

/* A library's variable is one for all devices, and outlives the context in which it was found. */
static void devices_variables(void) {
    CUlibrary library;
    CUdeviceptr pointer;
    MUST(cuLibraryLoadData(&library, KERNELS, NULL, NULL, 0, NULL, NULL, 0));
    MUST(cuLibraryGetManaged(&pointer, NULL, library, "counter"));
    volatile int *counter = (volatile int *)(uintptr_t)pointer;
    for (int turn = 1; turn <= 3; turn++)
        for (int d = 0; d < DEVICES; d++) {
            use(d);
            count((CUfunction)kernel_of(library, "raise"), 10);
            CHECK(*counter == 5 + 10 * (2 * (turn - 1) + d + 1) + (2 * (turn - 1) + d));
            ++*counter;
        }
    MUST(cuDevicePrimaryCtxReset_v2(0));
    MUST(cuLibraryGetManaged(&pointer, NULL, library, "counter"));
    CHECK(pointer == device((const void *)counter) && *counter == 71);
    count((CUfunction)kernel_of(library, "raise"), 10);
    CHECK(*counter == 81);
    MUST(cuLibraryUnload(library));
}

static const test_case cases[] = {
    {"in-turns", in_turns},
    {"many-runs", many_runs},
    {"copies", copies},
    {"rectangles", rectangles},
    {"what-it-is", what_it_is},
    {"advice", advice},
    {"attached", attached},
    {"wrong", wrong},
    {"freed", freed},
    {"captured", captured},
    {"touched-in-a-capture", touched_in_a_capture},
    {"variables", variables},
    {"libraries", libraries},
    {"reloaded", reloaded},
    {"devices", devices},
    {"devices-variables", devices_variables},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
