/* SPDX-License-Identifier: Apache-2.0
 * Managed variables, each way of using them in one case; prints "ok", or "refused" where there are
 * none.
 * usage: mirrors CASE
 */
#include "case.h"

#include <pthread.h>

/* conformance/c/driver/libcuda.c has the same. */
static const char KERNELS[] =
    ADD_KERNEL
    ".visible .global .attribute(.managed) .align 4 .u32 counter = 5;\n"
    ".visible .global .attribute(.managed) .align 4 .u32 flag;\n"
    ".visible .global .attribute(.managed) .align 4 .u32 answer;\n"
    ".visible .global .attribute(.managed) .align 1 .b8 letters[9];\n"
    ".visible .global .attribute(.managed) .align 4 .b32 table[5000] = {1, 2, 3};\n"
    ".visible .global .attribute(.managed) .align 4 .b8 large[3145733];\n"
    ".visible .entry raise(.param .u32 what)\n"
    "{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [what];\n"
    "ld.global.u32 %r2, [counter];\nadd.u32 %r2, %r2, %r1;\n"
    "st.global.u32 [counter], %r2;\nst.global.u32 [table+19996], %r2;\n"
    "ret;\n}\n"
    ".visible .entry await()\n"
    "{\n.reg .b32 %r<4>;\n.reg .pred %p;\nAGAIN:\n"
    "ld.volatile.global.u32 %r1, [flag];\nsetp.eq.u32 %p, %r1, 0;\n"
    "@%p bra AGAIN;\n"
    "add.u32 %r1, %r1, 1;\nst.global.u32 [answer], %r1;\nret;\n}\n";

enum { TABLE = 5000, LARGE = (3 << 20) + 5 };
static CUcontext primary;
static CUmodule module;
static CUfunction add, lift;

static void *variable(const char *name) {
    CUdeviceptr pointer;
    MUST(cuModuleGetGlobal_v2(&pointer, NULL, module, name));
    return (void *)(uintptr_t)pointer;
}

static void load(void) {
    MUST(cuModuleLoadData(&module, KERNELS));
    MUST(cuModuleGetFunction(&add, module, "add"));
    MUST(cuModuleGetFunction(&lift, module, "raise"));
}

static void prepare(void) {
    CUdeviceptr pointer;
    CUlibrary library;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuLibraryLoadData(&library, KERNELS, NULL, NULL, 0, NULL, NULL, 0));
    if (cuLibraryGetManaged(&pointer, NULL, library, "counter") == 801) {
        puts("refused");
        exit(0);
    }
    MUST(cuLibraryUnload(library));
    load();
}

static CUdeviceptr device(const volatile void *memory) { return (CUdeviceptr)(uintptr_t)memory; }

static void launch_add(void *to, int count, int what) {
    void *parameters[] = {&to, &count, &what};
    MUST(cuLaunchKernel(add, (unsigned)(count + 127) / 128, 1, 1, 128, 1, 1, 0, NULL, parameters,
                        NULL));
}

static void launch_raise(int what, CUstream stream) {
    void *parameters[] = {&what};
    MUST(cuLaunchKernel(lift, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
}

/* Variables on one page come and go by themselves, whichever the program asks for first. */
static void neighbours(void) {
    volatile int *counter = variable("counter");
    CHECK(*counter == 5);
    *counter = 50;
    launch_raise(1, NULL);
    int *table = variable("table");
    MUST(cuCtxSynchronize());
    CHECK(*counter == 51 && table[0] == 1 && table[TABLE - 1] == 51);
    char *letters = variable("letters");
    memcpy(letters, "abcdefghi", 9);
    table[0] = 9;
    launch_raise(1, NULL);
    MUST(cuMemcpyDtoD_v2(device(letters) + 1, device(letters), 3));
    MUST(cuCtxSynchronize());
    CHECK(*counter == 52 && table[0] == 9 && table[TABLE - 1] == 52 &&
          memcmp(letters, "aabcefghi", 9) == 0);
}

/* The program sees what is done, whatever has told it that it is. */
static void ways(void) {
    volatile int *counter = variable("counter");
    static char plain[300000];
    int value, expected = 5;
    CUstream stream;
    CUevent event;
    CUdeviceptr memory;
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuEventCreate(&event, 2));
    MUST(cuMemAlloc_v2(&memory, sizeof plain));
#define SEEN(...)                  \
    launch_raise(1, stream);       \
    __VA_ARGS__;                   \
    CHECK(*counter == ++expected); \
    *counter = expected += 10
    SEEN(MUST(cuCtxSynchronize()));
    SEEN(MUST(cuStreamSynchronize(stream)));
    SEEN(while (cuStreamQuery(stream) != 0));
    SEEN(MUST(cuEventRecord(event, stream)); MUST(cuEventSynchronize(event)));
    SEEN(MUST(cuEventRecord(event, stream)); while (cuEventQuery(event) != 0));
    SEEN(MUST(cuMemcpyDtoHAsync_v2(&value, device(counter), 4, stream));
         CHECK(value == expected + 1));
    SEEN(MUST(cuMemcpyDtoHAsync_v2(plain, memory, sizeof plain, stream)));
    SEEN(MUST(cuStreamSynchronize(stream)); MUST(cuMemFree_v2(memory)));
#undef SEEN
}

/* Kernels use page-locked memory of the program that they are given, also where it is not shared.
 */
static void page_locked(void) {
    int *numbers[2], count = 30000, counts[] = {count, 3};
    for (int i = 0; i < 2; i++) {
        MUST(cuMemHostAlloc((void **)&numbers[i], (size_t)counts[i] * sizeof(int), 0));
        for (int j = 0; j < counts[i]; j++)
            numbers[i][j] = j * (i + 1);
    }
    for (int turn = 0; turn < 3; turn++) {
        launch_add(numbers[0] + 5, count - 10, 3);
        MUST(cuCtxSynchronize());
        numbers[0][turn]++;
        MUST(cuMemsetD8_v2(device(numbers[1]), 0, 8));
        launch_add(numbers[1], 1, 1);
        MUST(cuCtxSynchronize());
        CHECK(numbers[1][0] == 1 && numbers[1][1] == 0 && numbers[1][2] == 4);
    }
    CHECK(numbers[0][0] == 1 && numbers[0][4] == 4 && numbers[0][5] == 14 &&
          numbers[0][count - 6] == count + 3 && numbers[0][count - 5] == count - 5);
    MUST(cuMemFreeHost(numbers[0]));
    MUST(cuMemFreeHost(numbers[1]));
}

enum { WRITES = 20000 };

static void *write_often(void *at) {
    volatile int *counter = at;
    for (int i = 0; i < WRITES; i++)
        ++*counter;
    return NULL;
}

/* A thread writes to such memory all the time: nothing is lost when kernels are given it, or use
 * what lies beside. */
static void written_meanwhile(void) {
    enum { COUNT = 3000 };
    CUdeviceptr there;
    int *numbers;
    pthread_t writer;
    MUST(cuMemHostAlloc((void **)&numbers, COUNT * sizeof(int), 0));
    memset(numbers, 0, COUNT * sizeof(int));
    CHECK(pthread_create(&writer, NULL, write_often, &numbers[COUNT - 1]) == 0);
    for (int turn = 0; turn < 20; turn++)
        launch_add(numbers, COUNT - 1, 1);
    CHECK(pthread_join(writer, NULL) == 0);
    MUST(cuCtxSynchronize());
    CHECK(numbers[COUNT - 1] == WRITES && numbers[0] == 20 && numbers[COUNT - 2] == 20);
    MUST(cuMemHostGetDevicePointer_v2(&there, numbers, 0));
    CHECK(there == device(numbers));
    MUST(cuMemFreeHost(numbers));
}

/* Copies and fills of a variable are in the order of what else is done with it. */
static void copies(void) {
    volatile int *counter = variable("counter");
    int *table = variable("table"), value = 70;
    CUdeviceptr memory;
    MUST(cuMemAlloc_v2(&memory, TABLE * sizeof(int)));
    MUST(cuMemcpyHtoD_v2(device(counter), &value, 4));
    CHECK(*counter == 70);
    *counter = 80;
    MUST(cuMemcpyDtoH_v2(&value, device(counter), 4));
    CHECK(value == 80);
    for (int i = 0; i < TABLE; i++)
        table[i] = i;
    MUST(cuMemcpyHtoD_v2(memory, table, TABLE * sizeof(int)));
    MUST(cuMemsetD8_v2(device(table) + 400, 1, 400));
    MUST(cuMemcpyDtoD_v2(device(table), memory + 40, 40));
    MUST(cuCtxSynchronize());
    for (int i = 0; i < TABLE; i++)
        CHECK(table[i] == (i < 10 ? i + 10 : i < 100 || i >= 200 ? i : 0x01010101));
    MUST(cuMemcpyDtoH_v2(table, memory, TABLE * sizeof(int)));
    MUST(cuCtxSynchronize());
    CHECK(table[5] == 5 && table[150] == 150);
}

/* A variable too large to travel at once, of which either side changes parts. */
static void large(void) {
    unsigned char *bytes = variable("large");
    static unsigned char expected[LARGE];
    int *words = (int *)(void *)bytes, *model = (int *)(void *)expected;
    for (int turn = 1; turn <= 3; turn++) {
        for (int i = turn; i < LARGE; i += turn * 1000 + 1)
            expected[i] = bytes[i] = (unsigned char)(i * turn);
        bytes[LARGE - 1] = expected[LARGE - 1] = (unsigned char)turn;
        launch_add(words, LARGE / 4, turn);
        for (int i = 0; i < LARGE / 4; i++)
            model[i] += turn;
        MUST(cuCtxSynchronize());
        CHECK(memcmp(bytes, expected, LARGE) == 0);
    }
    for (int i = 0; i < LARGE; i++)
        bytes[i] = (unsigned char)(i % 251);
    memcpy(expected, bytes, LARGE);
    launch_add(words, 1, 1);
    model[0]++;
    MUST(cuCtxSynchronize());
    CHECK(memcmp(bytes, expected, LARGE) == 0);
}

/* A kernel that runs sees what the program writes then, once that waits; and leaves alone what it
 * does not write itself. */
static void while_it_runs(void) {
    CUfunction await;
    volatile int *flag = variable("flag"), *answer = variable("answer"),
                 *counter = variable("counter");
    int *table = variable("table");
    CHECK(*flag == 0 && *answer == 0);
    MUST(cuModuleGetFunction(&await, module, "await"));
    MUST(cuLaunchKernel(await, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    CHECK(cuStreamQuery(NULL) == 600);
    *counter = 1000;
    table[77] = 78;
    *flag = 41;
    MUST(cuCtxSynchronize());
    CHECK(*answer == 42 && *flag == 41 && *counter == 1000 && table[77] == 78);
}

enum { THREADS = 4, PART = TABLE / THREADS - 1, TURNS = 100 };

/* Of this part of a variable nobody else writes or starts anything. */
static void *work_on_a_part(void *part) {
    int *numbers = part, expected[PART];
    CUstream stream;
    MUST(cuCtxSetCurrent(primary));
    MUST(cuStreamCreate(&stream, 1));
    memcpy(expected, numbers, sizeof expected);
    for (int turn = 0; turn < TURNS; turn++) {
        int count = PART, what = turn;
        void *parameters[] = {&part, &count, &what};
        for (int i = turn % 7; i < PART; i += 7)
            numbers[i] = expected[i] = turn * i;
        MUST(cuLaunchKernel(add, PART / 128 + 1, 1, 1, 128, 1, 1, 0, stream, parameters, NULL));
        MUST(cuStreamSynchronize(stream));
        for (int i = 0; i < PART; i++) {
            expected[i] += turn;
            CHECK(numbers[i] == expected[i]);
        }
    }
    return NULL;
}

/* Threads send and fetch at the same time, whatever the others have changed. */
static void threads(void) {
    int *table = variable("table");
    pthread_t others[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&others[i], NULL, work_on_a_part, table + i * (TABLE / THREADS));
    for (int i = 0; i < THREADS; i++)
        pthread_join(others[i], NULL);
}

/* A variable goes with its module and its context; the others stay. */
static void ends(void) {
    CUmodule kept = module;
    CUcontext context;
    volatile int *counter = variable("counter"), *other;
    int value;
    *counter = 7;
    MUST(cuCtxCreate_v2(&context, 0, 0));
    load();
    other = variable("counter");
    CHECK(other != counter && *other == 5);
    *other = 8;
    launch_raise(1, NULL);
    MUST(cuCtxSynchronize());
    CHECK(*other == 9 && *counter == 7);
    MUST(cuCtxDestroy_v2(context));
    CHECK(cuPointerGetAttribute(&value, 8, device(other)) == 1);
    MUST(cuCtxSetCurrent(primary));
    MUST(cuModuleGetFunction(&lift, kept, "raise"));
    launch_raise(1, NULL);
    MUST(cuCtxSynchronize());
    CHECK(*counter == 8);
    load();
    other = variable("counter");
    MUST(cuModuleUnload(kept));
    CHECK(*other == 5);
    launch_raise(2, NULL);
    MUST(cuCtxSynchronize());
    CHECK(*other == 7);
    MUST(cuModuleUnload(module));
    CHECK(cuPointerGetAttribute(&value, 8, device(other)) == 1);
}

/* A library's variables can be asked of its module as well, and go with the library. */
static void of_a_librarys_module(void) {
    CUlibrary library;
    CUdeviceptr pointer;
    volatile int *counter = variable("counter");
    CUmodule kept = module;
    int value;
    MUST(cuLibraryLoadData(&library, KERNELS, NULL, NULL, 0, NULL, NULL, 0));
    MUST(cuLibraryGetModule(&module, library));
    MUST(cuModuleGetGlobal_v2(&pointer, NULL, module, "counter"));
    CHECK(*(volatile int *)(uintptr_t)pointer == 5);
    *(volatile int *)(uintptr_t)pointer = 6;
    MUST(cuLibraryUnload(library));
    CHECK(cuPointerGetAttribute(&value, 8, pointer) == 1);
    load();
    CHECK(*(volatile int *)variable("counter") == 5);
    MUST(cuModuleUnload(module));
    MUST(cuModuleGetFunction(&lift, kept, "raise"));
    for (int i = 1; i <= 3; i++) {
        launch_raise(1, NULL);
        MUST(cuCtxSynchronize());
        CHECK(*counter == 5 + i);
    }
}

static const test_case cases[] = {
    {"neighbours", neighbours},
    {"ways", ways},
    {"copies", copies},
    {"large", large},
    {"while-it-runs", while_it_runs},
    {"threads", threads},
    {"page-locked", page_locked},
    {"written-meanwhile", written_meanwhile},
    {"ends", ends},
    {"of-a-librarys-module", of_a_librarys_module},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
