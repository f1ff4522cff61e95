/* SPDX-License-Identifier: Apache-2.0
 * Memory that no call names, under a lease that limits it: variables of modules and libraries,
 * heap, printf buffer, stacks, local memory. For any device, and alone in its file: gcc -o quota
 * quota.c -lcuda && eval "$(outboard lease --memory 2GiB --share 0.5)" && outboard run -- ./quota
 * An allocation beyond the device's size, as the lease shows it, must be CUDA_ERROR_OUT_OF_MEMORY,
 * and given back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;
typedef struct context *CUcontext;
typedef struct module *CUmodule;
typedef struct function *CUfunction;
typedef struct library *CUlibrary;
typedef unsigned long long CUdeviceptr;

CUresult cuInit(unsigned flags);
CUresult cuDeviceTotalMem_v2(size_t *bytes, int device);
CUresult cuDeviceGetAttribute(int *value, int attribute, int device);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, int device);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetLimit(size_t *value, int limit);
CUresult cuCtxSetLimit(int limit, size_t value);
CUresult cuCtxSynchronize(void);
CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes);
CUresult cuMemFree_v2(CUdeviceptr pointer);
CUresult cuMemGetInfo_v2(size_t *free, size_t *total);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuLibraryLoadData(CUlibrary *library, const void *code, int *jit, void **jitValues,
                           unsigned jitCount, int *options, void **values, unsigned count);
CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library);
CUresult cuLibraryUnload(CUlibrary library);
CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                        unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
                        void *stream, void **parameters, void **extra);

enum { OUT_OF_MEMORY = 2, MULTIPROCESSORS = 16, THREADS = 39, MODULES = 8 };

static int wrong;

static void so(int holds, const char *what, size_t seen) {
    printf("  %-70s %12zu  %s\n", what, seen, holds ? "ok" : "WRONG");
    wrong += !holds;
}

static void must(CUresult result, const char *what) {
    if (result == 0)
        return;
    printf("quota: FAILED: %s is %d\n", what, result);
    exit(1);
}
#define MUST(CALL) must(CALL, #CALL)

/* A variable of so many bytes, and a kernel whose threads have local memory of so many, each used
 * where nobody knows yet. */
static const char *image(size_t variable, size_t local) {
    static char text[2048];
    snprintf(text, sizeof text,
             ".version 6.0\n.target sm_52\n.address_size 64\n"
             ".visible .global .align 16 .b8 big[%zu];\n"
             ".visible .entry run(.param .u64 at)\n{\n"
             "  .local .align 16 .b8 own[%zu];\n"
             "  .reg .b64 %%rd<8>;\n  .reg .b32 %%r<4>;\n"
             "  ld.param.u64 %%rd1, [at];\n  cvta.to.global.u64 %%rd2, %%rd1;\n"
             "  ld.global.u32 %%r1, [%%rd2];\n  cvt.u64.u32 %%rd3, %%r1;\n"
             "  mov.u64 %%rd4, own;\n  add.u64 %%rd5, %%rd4, %%rd3;\n"
             "  xor.b64 %%rd6, %%rd3, 1;\n  add.u64 %%rd7, %%rd4, %%rd6;\n"
             "  st.local.u8 [%%rd5], 7;\n  ld.local.u8 %%r2, [%%rd7];\n"
             "  st.global.u32 [%%rd2], %%r2;\n  ret;\n}\n",
             variable, local);
    return text;
}

static void modules(size_t each) {
    CUmodule loaded[MODULES], more;
    int count = 0;
    CUresult result = 0;
    while (count < MODULES && (result = cuModuleLoadData(&loaded[count], image(each, 16))) == 0)
        count++;
    so(result == OUT_OF_MEMORY, "modules with a variable of a quarter each, then out of memory",
       (size_t)count);
    so(count > 0 && count <= 4, "no more of them than there is room for", (size_t)count);
    if (count == 0)
        return;
    MUST(cuModuleUnload(loaded[0]));
    result = cuModuleLoadData(&more, image(each, 16));
    so(result == 0, "one is unloaded, and there is room again", (size_t)result);
    if (result == 0)
        MUST(cuModuleUnload(more));
    for (int i = 1; i < count; i++)
        MUST(cuModuleUnload(loaded[i]));
}

static void libraries(size_t each) {
    CUlibrary made[MODULES];
    CUmodule module;
    int count = 0, refused = 0;
    CUresult result = 0;
    for (; count < MODULES && !refused; count++) {
        result = cuLibraryLoadData(&made[count], image(each, 16), NULL, NULL, 0, NULL, NULL, 0);
        if (result != 0)
            break;
        result = cuLibraryGetModule(&module, made[count]);
        refused = result != 0;
    }
    so(result == OUT_OF_MEMORY, "libraries with such a variable, used, then out of memory",
       (size_t)count);
    for (int i = 0; i < count; i++)
        MUST(cuLibraryUnload(made[i]));
}

static void limits(size_t total, size_t thread) {
    static const struct {
        int limit;
        const char *name;
    } buffers[] = {{1, "a printf buffer of twice the memory"}, {2, "a heap of twice the memory"}};
    for (int i = 0; i < 2; i++) {
        size_t before, after;
        MUST(cuCtxGetLimit(&before, buffers[i].limit));
        CUresult result = cuCtxSetLimit(buffers[i].limit, 2 * total);
        MUST(cuCtxGetLimit(&after, buffers[i].limit));
        so(result == OUT_OF_MEMORY && before == after, buffers[i].name, (size_t)result);
    }
    CUresult result = cuCtxSetLimit(0, thread);
    so(result == OUT_OF_MEMORY, "stacks of more than the memory", (size_t)result);
}

static void local(size_t thread) {
    CUmodule module;
    CUfunction function;
    CUdeviceptr place;
    void *parameters[] = {&place};
    MUST(cuMemAlloc_v2(&place, 4));
    MUST(cuModuleLoadData(&module, image(16, thread)));
    MUST(cuModuleGetFunction(&function, module, "run"));
    CUresult result = cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL);
    /* A launch may be asked for and answered later. */
    if (result == 0)
        result = cuCtxSynchronize();
    so(result == OUT_OF_MEMORY, "a kernel with local memory of more than the memory",
       (size_t)result);
    MUST(cuModuleUnload(module));
    MUST(cuMemFree_v2(place));
}

int main(void) {
    CUcontext context;
    CUdeviceptr memory;
    size_t total, left, all;
    int multiprocessors, threads;
    MUST(cuInit(0));
    MUST(cuDeviceTotalMem_v2(&total, 0));
    MUST(cuDeviceGetAttribute(&multiprocessors, MULTIPROCESSORS, 0));
    MUST(cuDeviceGetAttribute(&threads, THREADS, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
    MUST(cuMemGetInfo_v2(&left, &all));
    printf("quota: %zu bytes, %zu of them left in a new context\n", total, left);
    size_t thread = (total / ((size_t)multiprocessors * (size_t)threads) + 8192) & ~(size_t)15;
    modules(total / 4);
    libraries(total / 4);
    limits(total, thread);
    local(thread);
    CUresult result = cuMemAlloc_v2(&memory, total / 4);
    so(result == 0, "a quarter can be allocated in the end", (size_t)result);
    printf("quota: %s\n", wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
