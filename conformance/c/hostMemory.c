/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a kernel can read memory of the host that nobody gave it: of the process that the driver
 * is in, which through Outboard is the worker. Natively and through Outboard; prints what it sees,
 * and its status is 0 whatever that is.
 *
 * usage: hostMemory own      a kernel reads this program's own memory, at an address of malloc's
 *        hostMemory given    says "ready", then reads an address in hexadecimal from standard
 * input: a kernel reads it */
#include <cuda.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char image[] = ".version 6.4\n.target sm_60\n.address_size 64\n"
                            ".visible .entry peek(.param .u64 from, .param .u64 to) {\n"
                            "  .reg .u64 %a, %b, %v;\n"
                            "  ld.param.u64 %a, [from];\n"
                            "  ld.param.u64 %b, [to];\n"
                            "  ld.u64 %v, [%a];\n"
                            "  st.global.u64 [%b], %v;\n"
                            "  ret;\n}\n";

static const struct { const char *name; int number; } attributes[] = {
    {"PAGEABLE_MEMORY_ACCESS", 88},
    {"PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES", 100},
    {"CONCURRENT_MANAGED_ACCESS", 89},
    {"CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM", 91},
};

static void check(CUresult result, const char *what) {
    if (result != 0) {
        printf("%s: error %d\n", what, result);
        exit(1);
    }
}

#define CHECK(call) check(call, #call)

static void tell_attributes(int device) {
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        int value = -1;
        CHECK(cuDeviceGetAttribute(&value, attributes[i].number, device));
        printf("%s: %d\n", attributes[i].name, value);
    }
}

/* Has a kernel read a word; the error of the launch, or of the wait for it, is the answer. */
static CUresult peek(CUfunction kernel, uint64_t address, uint64_t *value) {
    CUdeviceptr to;
    CHECK(cuMemAlloc_v2(&to, sizeof *value));
    CHECK(cuMemsetD8_v2(to, 0, sizeof *value));
    void *parameters[] = {&address, &to};
    CUresult result = cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL);
    if (result == 0)
        result = cuCtxSynchronize();
    if (result == 0)
        result = cuMemcpyDtoH_v2(value, to, sizeof *value);
    return result;
}

static uint64_t *own_memory(void) {
    enum { WORDS = 4096 };
    uint64_t *words = malloc(WORDS * sizeof *words);
    for (size_t i = 0; i < WORDS; i++)
        words[i] = 0x6f7574626f617264 + i;
    return words;
}

static uint64_t given_address(void) {
    uint64_t address = 0;
    printf("ready\n");
    fflush(stdout);
    if (scanf("%" SCNx64, &address) != 1)
        exit(2);
    return address;
}

int main(int argc, char **argv) {
    bool own = argc == 2 && strcmp(argv[1], "own") == 0;
    if (!own && (argc != 2 || strcmp(argv[1], "given") != 0)) {
        fprintf(stderr, "usage: hostMemory own | given\n");
        return 2;
    }
    int device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    tell_attributes(device);
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, image));
    CHECK(cuModuleGetFunction(&kernel, module, "peek"));

    uint64_t *words = own ? own_memory() : NULL, value = 0;
    uint64_t address = own ? (uint64_t)(uintptr_t)&words[1234] : given_address();
    CUresult result = peek(kernel, address, &value);
    if (result != 0)
        printf("a kernel cannot read it: error %d\n", result);
    else
        printf("a kernel reads it: %016" PRIx64 "%s\n", value,
               own && value == words[1234] ? ", which is right" : "");
    free(words);
    return 0;
}
