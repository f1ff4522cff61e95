/* SPDX-License-Identifier: Apache-2.0
 * All attributes and limits that a driver tells of a device and of each kind of object on it: a
 * line a value. Addresses and handles are "address". It needs libc and a libcuda.so.1.
 * usage: values LIBRARY
 */
#include <cuda.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void *library;

static void *entry(const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "no %s\n", name);
        exit(2);
    }
    return found;
}

#define CALL(name, ...) (((__typeof__(&name))entry(#name))(__VA_ARGS__))

static void must(int result, const char *what) {
    if (result != 0) {
        fprintf(stderr, "%s: %d\n", what, result);
        exit(1);
    }
}
#define MUST(name, ...) must(CALL(name, __VA_ARGS__), #name)

/* ---- lines ----------------------------------------------------------------------------------- */

enum { UNWRITTEN = 0xa5 };

static bool is_address(uint64_t number) { return number >> 32 != 0 && number >> 47 == 0; }

static void tell(const char *of, int attribute, int result, const void *value, size_t bytes) {
    uint64_t number = 0;
    printf("%s %d: ", of, attribute);
    if (result != 0) {
        printf("error %d\n", result);
        return;
    }
    memcpy(&number, value, bytes < sizeof number ? bytes : sizeof number);
    if (bytes == 4)
        printf("%d\n", (int)number);
    else if (bytes == 8)
        printf(is_address(number) ? "address\n" : "%lld\n", (long long)number);
    else
        for (size_t i = 0; i < bytes; i++)
            printf("%02x%s", ((const uint8_t *)value)[i], i + 1 < bytes ? "" : "\n");
}

/* Attributes from 0 to the last of a function that is given a place and a number. */
#define EACH(of, last, bytes, call)                                                                \
    for (int i = 0; i <= last; i++) {                                                              \
        uint8_t value[64];                                                                         \
        memset(value, 0, sizeof value);                                                            \
        int result = call;                                                                         \
        tell(of, i, result, value, bytes);                                                         \
    }

/* As wide as what was written. */
static size_t width(const uint8_t *value, size_t most) {
    size_t bytes = most;
    while (bytes > 4 && value[bytes - 1] == UNWRITTEN)
        bytes--;
    return bytes > 4 ? 8 : 4;
}

/* ---- a device -------------------------------------------------------------------------------- */

static void of_device(void) {
    char name[256] = "";
    size_t bytes = 0;
    MUST(cuDeviceGetName, name, sizeof name, 0);
    MUST(cuDeviceTotalMem_v2, &bytes, 0);
    printf("device name: %s\ndevice memory: %zu\n", name, bytes);
    EACH("device", 150, 4, CALL(cuDeviceGetAttribute, (int *)value, i, 0))
    EACH("peer", 6, 4, CALL(cuDeviceGetP2PAttribute, (int *)value, i, 0, 0))
    EACH("graph memory", 5, 8, CALL(cuDeviceGetGraphMemAttribute, 0, i, (void *)value))
}

/* ---- a context ------------------------------------------------------------------------------- */

static void of_context(void) {
    int least = 0, greatest = 0;
    EACH("limit", 10, 8, CALL(cuCtxGetLimit, (uint64_t *)value, i))
    MUST(cuCtxGetStreamPriorityRange, &least, &greatest);
    printf("priorities: %d to %d\n", least, greatest);
}

/* ---- a function, a kernel and what fits ------------------------------------------------------ */

static const char IMAGE[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                            ".visible .global .align 4 .u32 counter = 5;\n"
                            ".visible .entry add(.param .u64 to, .param .u32 what)\n"
                            "{\n.reg .b64 %rd<3>;\n.reg .b32 %r<3>;\n"
                            "ld.param.u64 %rd1, [to];\nld.param.u32 %r1, [what];\n"
                            "ld.u32 %r2, [%rd1];\nadd.u32 %r2, %r2, %r1;\nst.u32 [%rd1], %r2;\n"
                            "ret;\n}\n";

static CUfunction function;

static void of_function(void) {
    CUmodule module;
    CUlibrary code;
    CUkernel kernel;
    MUST(cuModuleLoadData, &module, IMAGE);
    MUST(cuModuleGetFunction, &function, module, "add");
    EACH("function", 17, 4, CALL(cuFuncGetAttribute, (int *)value, i, function))
    MUST(cuLibraryLoadData, &code, IMAGE, NULL, NULL, 0, NULL, NULL, 0);
    MUST(cuLibraryGetKernel, &kernel, code, "add");
    EACH("kernel", 17, 4, CALL(cuKernelGetAttribute, (int *)value, i, kernel, 0))
    for (int threads = 32; threads <= 1024; threads *= 2) {
        int blocks = 0;
        int result =
            CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, &blocks, function, threads, 0);
        tell("blocks of threads", threads, result, &blocks, sizeof blocks);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void of_pointer(const char *kind, CUdeviceptr pointer) {
    char of[64];
    snprintf(of, sizeof of, "%s pointer", kind);
    for (int i = 0; i <= 22; i++) {
        uint8_t value[64];
        memset(value, UNWRITTEN, sizeof value);
        int result = CALL(cuPointerGetAttribute, (void *)value, i, pointer);
        tell(of, i, result, value, width(value, 8));
    }
}

static void of_memory(void) {
    CUdeviceptr device, managed, pooled, reserved;
    CUmemGenericAllocationHandle mapped;
    CUmemAllocationProp properties = {.type = 1, .location = {1, 0}};
    CUmemAccessDesc access = {{1, 0}, 3};
    void *page_locked;
    enum { LARGE = 2 << 20 };
    MUST(cuMemAlloc_v2, &device, 4096);
    MUST(cuMemAllocManaged, &managed, 4096, 1);
    MUST(cuMemHostAlloc, &page_locked, 4096, 2);
    MUST(cuMemAllocAsync, &pooled, 4096, NULL);
    MUST(cuMemCreate, &mapped, LARGE, &properties, 0);
    MUST(cuMemAddressReserve, &reserved, LARGE, 0, 0, 0);
    MUST(cuMemMap, reserved, LARGE, 0, mapped, 0);
    MUST(cuMemSetAccess, reserved, LARGE, &access, 1);
    void *registered = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(cuMemHostRegister_v2, registered, 4096, 0);
    static char pageable[4096];
    of_pointer("device", device);
    of_pointer("inner", device + 16);
    of_pointer("managed", managed);
    of_pointer("page-locked", (CUdeviceptr)(uintptr_t)page_locked);
    of_pointer("registered", (CUdeviceptr)(uintptr_t)registered);
    of_pointer("pageable", (CUdeviceptr)(uintptr_t)pageable);
    of_pointer("pooled", pooled);
    of_pointer("mapped", reserved);
    EACH("range", 4, 4, CALL(cuMemRangeGetAttribute, (void *)value, 4, i, managed, 4096))
}

static void of_pool(void) {
    CUmemoryPool pool;
    MUST(cuMemPoolCreate, &pool, &(CUmemPoolProps){.type = 1, .location = {1, 0}});
    EACH("pool", 9, i <= 3 ? 4 : 8, CALL(cuMemPoolGetAttribute, pool, i, (void *)value))
}

/* ---- streams and nodes ----------------------------------------------------------------------- */

static void of_stream(void) {
    CUstream stream;
    int flags = 0, priority = 0;
    MUST(cuStreamCreateWithPriority, &stream, 1, -1);
    MUST(cuStreamGetFlags, stream, &flags);
    MUST(cuStreamGetPriority, stream, &priority);
    printf("stream flags: %d\nstream priority: %d\n", flags, priority);
    EACH("stream", 16, 32, CALL(cuStreamGetAttribute, stream, i, (void *)value))
}

static void of_node(void) {
    CUgraph graph;
    CUgraphNode node;
    CUdeviceptr to = 0;
    int what = 1;
    void *parameters[] = {&to, &what};
    struct { /* CUDA_KERNEL_NODE_PARAMS */
        CUfunction function;
        unsigned grid[3], block[3], shared;
        void **parameters, **extra;
        CUkernel kernel;
        CUcontext context;
    } launch = {function, {1, 1, 1}, {1, 1, 1}, 0, parameters, NULL, NULL, NULL};
    MUST(cuGraphCreate, &graph, 0);
    MUST(cuGraphAddKernelNode_v2, &node, graph, NULL, 0, (void *)&launch);
    EACH("node", 16, 32, CALL(cuGraphKernelNodeGetAttribute, node, i, (void *)value))
}

int main(int argc, char **argv) {
    CUcontext context;
    library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "usage: %s LIBRARY\n", argv[0]);
        return 2;
    }
    MUST(cuInit, 0);
    of_device();
    MUST(cuDevicePrimaryCtxRetain, &context, 0);
    MUST(cuCtxSetCurrent, context);
    of_context();
    of_function();
    of_memory();
    of_pool();
    of_stream();
    of_node();
    return 0;
}
