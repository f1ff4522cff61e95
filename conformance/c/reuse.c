/* SPDX-License-Identifier: Apache-2.0
 * Memory of pools that streams free and allocate again, each topic in one case; prints "ok" after
 * each.
 * usage: reuse CASE...
 */
#include "case.h"

#include <pthread.h>
#include <stdint.h>

enum { WORDS = 5000, STEPS = 100, THREADS = 3, ENDING_THREADS = 8, ENDS = 100, USED_NOW = 7 };

static CUcontext primary;
static CUfunction add;

static void prepare(void) {
    CUmodule module;
    if (primary != NULL)
        return;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuModuleLoadData(&module, ADD_KERNEL));
    MUST(cuModuleGetFunction(&add, module, "add"));
}

static CUstream new_stream(void) {
    CUstream stream;
    MUST(cuStreamCreate(&stream, 1));
    return stream;
}

static CUdeviceptr allocate(size_t bytes, CUstream stream) {
    CUdeviceptr memory;
    MUST(cuMemAllocAsync(&memory, bytes, stream));
    return memory;
}

/* Filled, added to and copied back in the stream's order. */
static void step(CUstream stream, uint32_t number, uint32_t words) {
    uint32_t back[WORDS], what = number;
    CUdeviceptr memory = allocate(words * 4, stream);
    void *parameters[] = {&memory, &words, &what};
    MUST(cuMemsetD32Async(memory, 7, words, stream));
    MUST(cuLaunchKernel(add, (words + 127) / 128, 1, 1, 128, 1, 1, 0, stream, parameters, NULL));
    MUST(cuMemcpyDtoHAsync_v2(back, memory, words * 4, stream));
    MUST(cuMemFreeAsync(memory, stream));
    MUST(cuStreamSynchronize(stream));
    for (uint32_t i = 0; i < words; i++)
        CHECK(back[i] == 7 + number);
}

static void steps(void) {
    CUstream stream = new_stream();
    for (uint32_t i = 0; i < STEPS; i++)
        step(stream, i, WORDS);
    MUST(cuStreamDestroy_v2(stream));
}

static void *steps_of_thread(void *common) {
    MUST(cuCtxSetCurrent(primary));
    CUstream own = new_stream();
    for (uint32_t i = 0; i < STEPS; i++)
        step(i % 3 == 0 ? common : own, i, 1 + i % 5 * 1000);
    MUST(cuStreamDestroy_v2(own));
    return NULL;
}

/* With streams of their own, and one that all use. */
static void threads(void) {
    pthread_t all[THREADS];
    CUstream common = new_stream();
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&all[i], NULL, steps_of_thread, common) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(all[i], NULL);
    MUST(cuStreamDestroy_v2(common));
}

static void *streams_of_thread(void *together) {
    MUST(cuCtxSetCurrent(primary));
    for (int i = 0; i < ENDS; i++) {
        CUstream own = new_stream();
        MUST(cuMemFreeAsync(allocate(4096, own), own));
        pthread_barrier_wait(together);
        MUST(cuStreamDestroy_v2(own));
    }
    return NULL;
}

/* Streams that have freed memory end side by side. */
static void endings(void) {
    pthread_t all[ENDING_THREADS];
    pthread_barrier_t together;
    CHECK(pthread_barrier_init(&together, NULL, ENDING_THREADS) == 0);
    for (int i = 0; i < ENDING_THREADS; i++)
        CHECK(pthread_create(&all[i], NULL, streams_of_thread, &together) == 0);
    for (int i = 0; i < ENDING_THREADS; i++)
        pthread_join(all[i], NULL);
    pthread_barrier_destroy(&together);
    MUST(cuCtxSynchronize());
}

/* Two pieces are two, whatever was freed before. */
static void apart(void) {
    CUstream one = new_stream(), other = new_stream();
    CUdeviceptr first = allocate(4096, one);
    MUST(cuMemFreeAsync(first, one));
    CUdeviceptr a = allocate(4096, one), b = allocate(4096, one), c = allocate(4096, other);
    CUdeviceptr longer = allocate(8192, one);
    CHECK(a != b && a != c && b != c && longer != a && longer != b && longer != c);
    MUST(cuMemFreeAsync(a, other));
    MUST(cuMemFreeAsync(b, one));
    MUST(cuMemFreeAsync(c, other));
    MUST(cuMemFreeAsync(longer, one));
    MUST(cuCtxSynchronize());
    MUST(cuStreamDestroy_v2(one));
    MUST(cuStreamDestroy_v2(other));
}

/* Memory that has been freed cannot be freed again. */
static void twice(void) {
    CUstream stream = new_stream();
    CUdeviceptr memory = allocate(4096, stream), other = allocate(4096, stream);
    MUST(cuMemFreeAsync(memory, stream));
    CHECK(cuMemFreeAsync(memory, stream) == 1);
    MUST(cuMemFreeAsync(other, stream));
    CHECK(cuMemFree_v2(other) == 1);
    CHECK(cuMemFreeAsync(other + 8, stream) == 1);
    step(stream, 3, WORDS);
    MUST(cuStreamDestroy_v2(stream));
}

/* A call that is to find it free does so; streams, pools and contexts end with what they had. */
static void ends(void) {
    CUmemoryPool pool;
    CUcontext context;
    uint64_t used = 1;
    CUmemPoolProps properties = {.type = 1, .location = {.type = 1}};
    CUstream stream = new_stream();
    MUST(cuMemPoolCreate(&pool, &properties));
    for (int i = 0; i < 3; i++) {
        CUdeviceptr memory;
        MUST(cuMemAllocFromPoolAsync(&memory, 40000, pool, stream));
        MUST(cuMemFreeAsync(memory, stream));
    }
    MUST(cuStreamSynchronize(stream));
    MUST(cuMemPoolGetAttribute(pool, USED_NOW, &used));
    CHECK(used == 0);
    CUdeviceptr memory;
    MUST(cuMemAllocFromPoolAsync(&memory, 40000, pool, stream));
    MUST(cuMemFreeAsync(memory, stream));
    MUST(cuStreamDestroy_v2(stream));
    MUST(cuMemPoolDestroy(pool));
    MUST(cuCtxCreate_v2(&context, 0, 0));
    stream = new_stream();
    MUST(cuMemFreeAsync(allocate(4096, stream), stream));
    MUST(cuCtxDestroy_v2(context));
    MUST(cuCtxSetCurrent(primary));
    stream = new_stream();
    CHECK(cuMemFreeAsync(allocate(4096, stream), (CUstream)(uintptr_t)12345) != 0);
    step(stream, 5, WORDS);
    MUST(cuStreamDestroy_v2(stream));
}

static const test_case cases[] = {
    {"steps", steps}, {"threads", threads}, {"endings", endings},
    {"apart", apart}, {"twice", twice},     {"ends", ends},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
