/* SPDX-License-Identifier: Apache-2.0
 * Figures that the frontend remembers are those that the driver would tell now; prints "ok".
 * usage: settings CASE
 */
#include "case.h"

enum { MAX_THREADS = 0, MAX_DYNAMIC_SHARED = 8, STACK_SIZE = 0 };

static const char ptx[] = ".version 8.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry one(.param .u64 to)\n{\n.reg .u64 %a;\n"
                          "ld.param.u64 %a, [to];\nst.global.u32 [%a], 1;\nret;\n}\n"
                          ".visible .entry two(.param .u64 to)\n{\n.reg .u64 %a;\n"
                          "ld.param.u64 %a, [to];\nst.global.u32 [%a], 2;\nret;\n}\n";

static CUcontext context;
static CUlibrary library;
static CUkernel one, two;

static void load(void) {
    MUST(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
    MUST(cuLibraryGetKernel(&one, library, "one"));
    MUST(cuLibraryGetKernel(&two, library, "two"));
}

static void prepare(void) {
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
    load();
}

static int of_kernel(CUkernel kernel, int attribute) {
    int value = -1;
    MUST(cuKernelGetAttribute(&value, attribute, kernel, 0));
    return value;
}

static int of_function(CUfunction function, int attribute) {
    int value = -1;
    MUST(cuFuncGetAttribute(&value, attribute, function));
    return value;
}

static CUfunction function_of(CUkernel kernel) {
    CUfunction function;
    MUST(cuKernelGetFunction(&function, kernel));
    return function;
}

/* Twice, so that a remembered answer is seen too. */
static void is_set_to(CUfunction function, int value) {
    for (int i = 0; i < 2; i++) {
        MUST(cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED, value));
        CHECK(of_function(function, MAX_DYNAMIC_SHARED) == value);
    }
}

static void of_functions(void) {
    CUfunction function = function_of(one), other = function_of(two);
    CHECK(function != other && function == function_of(one));
    int before = of_function(other, MAX_DYNAMIC_SHARED);
    is_set_to(function, 2048);
    is_set_to(function, 1024);
    is_set_to(function, 2048);
    CHECK(of_function(other, MAX_DYNAMIC_SHARED) == before &&
          of_function(function, MAX_THREADS) == of_function(other, MAX_THREADS));
    CHECK(cuFuncGetAttribute(NULL, MAX_THREADS, function) == 1 &&
          cuFuncGetAttribute(&before, 999, function) == 1);
}

static void of_kernels(void) {
    CUfunction function = function_of(one);
    for (int value = 1024; value <= 4096; value += 1024) {
        MUST(cuKernelSetAttribute(MAX_DYNAMIC_SHARED, value, one, 0));
        CHECK(of_kernel(one, MAX_DYNAMIC_SHARED) == value &&
              of_kernel(two, MAX_DYNAMIC_SHARED) != value);
        CHECK(of_function(function, MAX_DYNAMIC_SHARED) ==
              of_function((CUfunction)one, MAX_DYNAMIC_SHARED));
    }
    is_set_to(function, 512);
    MUST(cuKernelSetAttribute(MAX_DYNAMIC_SHARED, 4096, one, 0));
    int seen = of_function(function, MAX_DYNAMIC_SHARED);
    MUST(cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED, 512));
    CHECK(of_function(function, MAX_DYNAMIC_SHARED) == 512 && (seen == 512 || seen == 4096));
}

/* The same function by way of its module. */
static void by_module(void) {
    CUmodule module;
    CUfunction function, same = function_of(one);
    MUST(cuLibraryGetModule(&module, library));
    MUST(cuModuleGetFunction(&function, module, "one"));
    for (int value = 1024; value <= 2048; value += 1024) {
        is_set_to(same, value);
        is_set_to(function, value + 8);
        is_set_to(same, value + 16);
    }
}

/* A function of a name, found again and again, and no longer than its module. */
static void by_name(void) {
    CUmodule module, fresh;
    CUfunction first, second, again;
    for (int i = 0; i < 3; i++) {
        MUST(cuModuleLoadData(&module, ptx));
        MUST(cuModuleGetFunction(&first, module, "one"));
        MUST(cuModuleGetFunction(&second, module, "two"));
        MUST(cuModuleGetFunction(&again, module, "one"));
        CHECK(again == first && second != first);
        CHECK(cuModuleGetFunction(&again, module, "three") == 500 &&
              cuModuleGetFunction(&again, module, "three") == 500);
        MUST(cuModuleLoadData(&fresh, ptx));
        MUST(cuModuleGetFunction(&again, fresh, "one"));
        CHECK(again != first);
        MUST(cuModuleUnload(fresh));
        MUST(cuModuleGetFunction(&again, module, "one"));
        CHECK(again == first);
        MUST(cuModuleUnload(module));
        CHECK(cuModuleGetFunction(&again, module, "one") == 400);
    }
}

static void of_occupancy(void) {
    CUfunction function = function_of(one);
    int few, many, again;
    size_t bytes, same;
    MUST(cuOccupancyMaxActiveBlocksPerMultiprocessor(&many, function, 64, 0));
    MUST(cuOccupancyMaxActiveBlocksPerMultiprocessor(&few, function, 1024, 0));
    MUST(cuOccupancyMaxActiveBlocksPerMultiprocessor(&again, function, 64, 0));
    CHECK(many > few && many == again && few > 0);
    MUST(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 1, 64));
    MUST(cuOccupancyAvailableDynamicSMemPerBlock(&same, function, 1, 64));
    CHECK(bytes > 0 && bytes == same);
}

static void of_contexts(void) {
    size_t before, now;
    MUST(cuCtxGetLimit(&before, STACK_SIZE));
    MUST(cuCtxGetLimit(&now, STACK_SIZE));
    CHECK(before == now);
    MUST(cuCtxSetLimit(STACK_SIZE, before + 4096));
    MUST(cuCtxGetLimit(&now, STACK_SIZE));
    CHECK(now >= before + 4096);
    CUcontext other;
    MUST(cuCtxCreate_v2(&other, 0, 0));
    MUST(cuCtxGetLimit(&now, STACK_SIZE));
    MUST(cuCtxDestroy_v2(other));
    CHECK(now == before);
}

static void after_unloading(void) {
    CUkernel dead = one;
    int value;
    CUfunction function = function_of(one);
    CHECK(of_kernel(one, MAX_THREADS) > 0 && of_function(function, MAX_THREADS) > 0);
    MUST(cuLibraryUnload(library));
    CHECK(cuKernelGetAttribute(&value, MAX_THREADS, dead, 0) == 400 &&
          cuKernelGetFunction(&function, dead) == 400);
    load();
    CHECK(of_kernel(one, MAX_THREADS) > 0);
}

static void after_a_reset(void) {
    uint32_t value = 0;
    for (int i = 0; i < 3; i++) {
        CUdeviceptr memory;
        MUST(cuMemAlloc_v2(&memory, 4));
        void *parameters[] = {&memory};
        MUST(cuLaunchKernel(function_of(two), 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
        MUST(cuMemcpyDtoH_v2(&value, memory, 4));
        CHECK(value == 2);
        MUST(cuDevicePrimaryCtxReset_v2(0));
        MUST(cuDevicePrimaryCtxRetain(&context, 0));
        MUST(cuCtxSetCurrent(context));
    }
}

static void never(void *data, int level, char *message, size_t length) {
    (void)data, (void)level, (void)message, (void)length;
    check(0, "the log is empty");
}

/* The log of errors is there, and has none. */
static void of_the_log(void) {
    char text[64] = "before";
    size_t bytes = sizeof text;
    unsigned int position = 77;
    void *registered = NULL;
    CHECK(cuLogsRegisterCallback(NULL, NULL, &registered) == 1);
    MUST(cuLogsRegisterCallback(never, NULL, &registered));
    CHECK(registered != NULL);
    MUST(cuLogsCurrent(&position, 0));
    CHECK(cuMemFree_v2(12345) == 1);
    MUST(cuLogsDumpToMemory(&position, text, &bytes, 0));
    CHECK(bytes == 0 && text[0] == '\0');
    bytes = 1;
    CHECK(cuLogsDumpToMemory(NULL, NULL, &bytes, 0) == 1);
    CHECK(cuLogsDumpToFile(NULL, NULL, 0) == 1);
    MUST(cuLogsUnregisterCallback(registered));
    CHECK(cuLogsUnregisterCallback(text) == 1);
}

static const test_case cases[] = {
    {"functions", of_functions},       {"kernels", of_kernels},   {"module", by_module},
    {"occupancy", of_occupancy},       {"contexts", of_contexts}, {"unloading", after_unloading},
    {"reset", after_a_reset},          {"names", by_name},
    {"log", of_the_log},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
