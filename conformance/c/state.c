/* SPDX-License-Identifier: Apache-2.0
 * Tests the state that a driver keeps for a thread or a context, each in one case; prints "ok".
 * usage: state CASE
 */
#include "case.h"

#include <pthread.h>
#include <time.h>

static CUcontext primary;

static _Atomic int ran, may_go;

static void prepare(void) {
    CUcontext earlier;
    ran = may_go = 0;
    MUST(cuInit(0));
    while (cuCtxPopCurrent_v2(&earlier) == 0)
        continue;
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
}

static void pause_ms(long milliseconds) {
    nanosleep(
        &(struct timespec){.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000},
        NULL);
}

static uint64_t free_bytes(void) {
    size_t free, total;
    MUST(cuMemGetInfo_v2(&free, &total));
    return free;
}

/* Far more than there are lanes, one after another; memory that one leaves goes with it. */
static void many_contexts(void) {
    uint64_t before = free_bytes();
    for (int i = 0; i < 10000; i++) {
        CUcontext context;
        CUdeviceptr memory;
        MUST(cuCtxCreate_v2(&context, 0, 0));
        if (i % 100 == 0)
            MUST(cuMemAlloc_v2(&memory, 1 << 20));
        MUST(cuCtxDestroy_v2(context));
    }
    MUST(cuCtxSetCurrent(primary));
    CHECK(free_bytes() == before);
}

/* Memory made after a context is popped belongs to the context below. */
static void popped_context(void) {
    CUcontext context, popped;
    CUdeviceptr memory;
    int value = 0;
    for (int i = 0; i < 20; i++) {
        MUST(cuCtxCreate_v2(&context, 0, 0));
        MUST(cuCtxPopCurrent_v2(&popped));
        CHECK(popped == context);
        MUST(cuMemAlloc_v2(&memory, 4096));
        MUST(cuCtxDestroy_v2(context));
        MUST(cuMemsetD32_v2(memory, i + 1, 1024));
        MUST(cuMemcpyDtoH_v2(&value, memory, sizeof value));
        CHECK(value == i + 1);
        MUST(cuMemFree_v2(memory));
    }
}

static void slow(void *unused) {
    (void)unused;
    pause_ms(3);
    ran++;
}

/* A wait runs on another thread of the backend than what was posted before: the stream is the same.
 */
static void own_stream(void) {
    for (int i = 1; i <= 30; i++) {
        if (i % 2 == 0)
            MUST(cuLaunchHostFunc_ptsz(NULL, slow, NULL));
        else
            MUST(cuLaunchHostFunc((CUstream)(uintptr_t)2, slow, NULL));
        MUST(cuStreamSynchronize_ptsz(NULL));
        CHECK(ran == i);
    }
}

static void hold(void *unused) {
    (void)unused;
    while (!may_go)
        pause_ms(1);
}

static void *other_thread(void *unused) {
    CUdeviceptr memory;
    MUST(cuCtxSetCurrent(primary));
    MUST(cuMemAlloc_v2(&memory, 4096));
    MUST(cuMemsetD8Async_ptsz(memory, 1, 4096, NULL));
    MUST(cuStreamSynchronize_ptsz(NULL));
    CHECK(ran == 0);
    may_go = 1;
    return unused;
}

/* A thread's stream does not wait for another thread's. */
static void other_threads_stream(void) {
    pthread_t other;
    MUST(cuLaunchHostFunc_ptsz(NULL, hold, NULL));
    CHECK(cuStreamQuery_ptsz(NULL) == 600);
    pthread_create(&other, NULL, other_thread, NULL);
    pthread_join(other, NULL);
    MUST(cuStreamSynchronize_ptsz(NULL));
}

/* The streams of threads end with the context, and are made again in the next. */
static void own_stream_after_reset(void) {
    for (int i = 1; i <= 3; i++) {
        MUST(cuLaunchHostFunc_ptsz(NULL, slow, NULL));
        MUST(cuStreamSynchronize_ptsz(NULL));
        CHECK(ran == i);
        MUST(cuDevicePrimaryCtxReset_v2(0));
        MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    }
    CHECK(cuStreamDestroy_v2((CUstream)(uintptr_t)2) == 400);
}

static CUresult tried[3];

static void try_calls(void *memory) {
    CUdeviceptr other;
    tried[0] = cuMemAlloc_v2(&other, 16);
    tried[1] = cuStreamSynchronize(NULL);
    tried[2] = cuMemsetD8_v2(*(CUdeviceptr *)memory, 2, 16);
    ran++;
}

/* A call in a callback that would wait for itself is an error, even while others wait for the
 * callback. */
static void callback_that_calls(void) {
    CUdeviceptr memory;
    uint8_t byte = 0;
    MUST(cuMemAlloc_v2(&memory, 16));
    for (int i = 1; i <= 20; i++) {
        MUST(cuMemsetD8_v2(memory, 1, 16));
        MUST(cuLaunchHostFunc(NULL, try_calls, &memory));
        if (i % 2 == 0)
            MUST(cuCtxSynchronize());
        MUST(cuMemcpyDtoH_v2(&byte, memory, 1));
        CHECK(ran == i && byte == 1);
        for (int call = 0; call < 3; call++)
            CHECK(tried[call] != 0);
    }
}

/* ---- far behind a function ------------------------------------------------------------------- */

enum { THREADS = 4, FAR = 4000 };

typedef struct far {
    CUstream stream;
    pthread_t thread;
    _Atomic int returned;
} far;

static void return_late(void *returned) {
    pause_ms(100);
    *(_Atomic int *)returned = 1;
}

static void *post_far(void *argument) {
    far *one = argument;
    CUdeviceptr memory;
    uint32_t last = 0;
    MUST(cuCtxSetCurrent(primary));
    MUST(cuMemAlloc_v2(&memory, 4096));
    for (uint32_t i = 1; i <= FAR; i++)
        MUST(cuMemsetD32Async(memory, i, 1024, one->stream));
    MUST(cuStreamSynchronize(one->stream));
    CHECK(one->returned);
    MUST(cuMemcpyDtoH_v2(&last, memory, sizeof last));
    CHECK(last == FAR);
    return NULL;
}

/* More than all queues on the way hold, behind functions that have not returned. */
static void far_behind_functions(void) {
    static far all[THREADS];
    for (int i = 0; i < THREADS; i++) {
        MUST(cuStreamCreate(&all[i].stream, 1));
        MUST(cuLaunchHostFunc(all[i].stream, return_late, &all[i].returned));
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&all[i].thread, NULL, post_far, &all[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(all[i].thread, NULL);
}

/* ---- what is posted in one context comes before what is called after it in another ----------- */

enum { ROUNDS = 6, POSTED = 1600, WORDS = 1 << 14 };

typedef struct both {
    CUcontext second;
    CUstream stream, its;       /* of the first, of the second */
    CUdeviceptr memory, copy;
} both;

static both two_contexts(void) {
    both b;
    MUST(cuStreamCreate(&b.stream, 1));
    MUST(cuMemAlloc_v2(&b.memory, WORDS * 4));
    MUST(cuMemAlloc_v2(&b.copy, WORDS * 4));
    MUST(cuCtxCreate_v2(&b.second, 0, 0));
    MUST(cuStreamCreate(&b.its, 1));
    return b;
}

static void *let_go(void *unused) {
    pause_ms(30);
    may_go = 1;
    return unused;
}

/* More than the stream of a device that is held takes before it makes callers wait, then what
 * counts. */
static void write_in_first(const both *b, int value) {
    pthread_t helper;
    MUST(cuCtxSetCurrent(primary));
    may_go = 0;
    MUST(cuLaunchHostFunc(b->stream, hold, NULL));
    pthread_create(&helper, NULL, let_go, NULL);
    pthread_detach(helper);
    for (int i = 0; i < POSTED; i++)
        MUST(cuMemsetD8Async(b->memory, 0, 16, b->stream));
    MUST(cuMemsetD32Async(b->memory, value, WORDS, b->stream));
}

static void reads_in_second(CUdeviceptr memory, int value) {
    int last = -1;
    MUST(cuMemcpyDtoH_v2(&last, memory + (WORDS - 1) * 4, sizeof last));
    CHECK(last == value);
}

static void another_contexts_event(void) {
    both b = two_contexts();
    CUevent event;
    MUST(cuCtxSetCurrent(primary));
    MUST(cuEventCreate(&event, 2));
    for (int i = 1; i <= ROUNDS; i++) {
        write_in_first(&b, i);
        MUST(cuEventRecord(event, b.stream));
        MUST(cuCtxSetCurrent(b.second));
        if (i % 2 == 0)
            MUST(cuEventSynchronize(event));
        else
            MUST(cuStreamWaitEvent(b.its, event, 0));
        MUST(cuMemcpyDtoDAsync_v2(b.copy, b.memory, WORDS * 4, b.its));
        MUST(cuStreamSynchronize(b.its));
        reads_in_second(b.copy, i);
    }
}

/* Made and ended behind what a context has posted, and met in the other one at once. */
static void an_event_of_both_contexts(void) {
    both b = two_contexts();
    CUevent made, again;
    for (int i = 1; i <= ROUNDS; i++) {
        write_in_first(&b, i);
        MUST(cuEventCreate(&made, 2));
        MUST(cuCtxSetCurrent(b.second));
        MUST(cuEventQuery(made));
        MUST(cuEventDestroy_v2(made));
        MUST(cuEventCreate(&again, 2));
        MUST(cuEventRecord(again, b.its));
        MUST(cuCtxSetCurrent(primary));
        MUST(cuStreamWaitEvent(b.stream, again, 0));
        MUST(cuEventDestroy_v2(again));
        CHECK(cuEventQuery(made) == 400 && cuEventDestroy_v2(again) == 400);
    }
    MUST(cuCtxSynchronize());
    MUST(cuCtxSetCurrent(b.second));
    MUST(cuCtxSynchronize());
}

static void wrong_events(void) {
    CUevent event;
    CHECK(cuEventCreate(NULL, 0) == 1 && cuEventCreate(&event, 8) == 1 &&
          cuEventCreate(&event, 4) == 1);
    MUST(cuEventCreate(&event, 7));
    MUST(cuEventDestroy_v2(event));
    MUST(cuCtxSetCurrent(NULL));
    CHECK(cuEventCreate(&event, 0) == 201);
}

static void another_contexts_stream(void) {
    both b = two_contexts();
    for (int i = 1; i <= ROUNDS; i++) {
        write_in_first(&b, i);
        MUST(cuCtxSetCurrent(b.second));
        while (i % 2 == 0 && cuStreamQuery(b.stream) == 600)
            ;
        MUST(cuStreamSynchronize(b.stream));
        reads_in_second(b.memory, i);
    }
}

static void into_another_contexts_stream(void) {
    both b = two_contexts();
    uint32_t down, up = 0;
    for (int i = 1; i <= ROUNDS; i++) {
        write_in_first(&b, i);
        MUST(cuCtxSetCurrent(b.second));
        if (i % 2 == 0)
            MUST(cuMemcpyDtoHAsync_v2(&down, b.memory, sizeof down, b.stream));
        else
            MUST(cuMemcpyHtoDAsync_v2(b.memory, &up, sizeof up, b.stream));
        MUST(cuMemcpyDtoDAsync_v2(b.copy, b.memory, WORDS * 4, b.stream));
        MUST(cuStreamSynchronize(b.stream));
        CHECK(i % 2 != 0 || down == (uint32_t)i);
        reads_in_second(b.copy, i);
    }
}

/* As a framework's reset does: the memory says whose it is. */
static void freed_without_a_context(void) {
    CUdeviceptr memory, other, managed = 0;
    CUcontext second;
    void *host, *own = calloc(1, 1 << 20);
    uint64_t before = free_bytes();
    MUST(cuMemAlloc_v2(&memory, 8 << 20));
    MUST(cuMemHostAlloc(&host, 1 << 20, 0));
    MUST(cuMemHostRegister_v2(own, 1 << 20, 0));
    int refused = cuMemAllocManaged(&managed, 1 << 20, 1);
    CHECK(refused == 0 || refused == 801);
    MUST(cuCtxCreate_v2(&second, 0, 0));
    MUST(cuMemAlloc_v2(&other, 8 << 20));
    MUST(cuCtxPopCurrent_v2(&second));
    MUST(cuCtxSetCurrent(NULL));
    CHECK(cuMemAlloc_v2(&(CUdeviceptr){0}, 1) == 201);
    MUST(cuMemFree_v2(0));
    MUST(cuMemFree_v2(memory));
    CHECK(cuMemFree_v2(memory) != 0);
    MUST(cuMemFree_v2(other));
    MUST(cuMemFreeHost(host));
    CHECK(cuMemFreeHost(host) == 1);
    MUST(cuMemHostUnregister(own));
    if (managed != 0)
        MUST(cuMemFree_v2(managed));
    CUcontext current;
    MUST(cuCtxGetCurrent(&current));
    CHECK(current == NULL);
    MUST(cuCtxDestroy_v2(second));
    MUST(cuCtxSetCurrent(primary));
    CHECK(free_bytes() == before);
}

typedef CUresult current_of(CUcontext *);
typedef CUresult stream_of(CUcontext, CUstream, CUstream *);
typedef CUresult number_of(CUcontext, CUstream, uint64_t *);

static uint64_t stream_number(void *const *contexts, CUstream stream) {
    stream_of *find;
    number_of *number;
    CUstream found = NULL;
    uint64_t id = 0;
    memcpy(&find, &contexts[51], sizeof find);
    memcpy(&number, &contexts[39], sizeof number);
    MUST(find(primary, stream, &found));
    CHECK(found != NULL);
    MUST(number(primary, found, &id));
    return id;
}

/* As cuBLAS does before it multiplies: the thread's context, and numbers of streams. */
static void tables_of_tools(void) {
    static const uint8_t of_threads[16] = {0x42, 0xd8, 0x5a, 0x81, 0x23, 0xf6, 0xcb, 0x47,
                                           0x82, 0x98, 0xf6, 0xe7, 0x8a, 0x3a, 0xec, 0xdc};
    static const uint8_t of_contexts[16] = {0x21, 0x31, 0x8c, 0x60, 0x97, 0x14, 0x32, 0x48,
                                            0x8c, 0xa6, 0x41, 0xff, 0x73, 0x24, 0xc8, 0xf2};
    const void *threads, *contexts;
    current_of *current;
    CUcontext context = NULL;
    CUstream one, other;
    MUST(cuGetExportTable(&threads, of_threads));
    MUST(cuGetExportTable(&contexts, of_contexts));
    memcpy(&current, (const char *)threads + 2 * sizeof(void *), sizeof current);
    MUST(current(&context));
    CHECK(context == primary);
    MUST(cuStreamCreate(&one, 0));
    MUST(cuStreamCreate(&other, 0));
    uint64_t none = stream_number(contexts, NULL), first = stream_number(contexts, one);
    CHECK(first == stream_number(contexts, one) && first != none &&
          first != stream_number(contexts, other));
    MUST(cuStreamDestroy_v2(one));
    MUST(cuStreamDestroy_v2(other));
    MUST(cuCtxSetCurrent(NULL));
    MUST(current(&context));
    CHECK(context == NULL);
}

typedef CUresult open_entry(uint64_t *, uint32_t, const void *, uint64_t, const char *,
                            const char *, const char *, uint32_t);
typedef CUresult close_entry(uint64_t);
typedef CUresult ask_entry(uint64_t, uint32_t, void **, uint32_t *);
typedef CUresult keep_entry(uint64_t, uint32_t, const void *, uint64_t);
typedef CUresult release_result(void *);

static const char compiled[] = "machine code";

static void slot(void *function, int number) {
    static const uint8_t id[16] = {0xda, 0x91, 0x51, 0xd3, 0x3a, 0xe6, 0xcc, 0x41,
                                   0xa5, 0xc0, 0x4f, 0x26, 0xd5, 0x33, 0xe3, 0x28};
    const void *table;
    MUST(cuGetExportTable(&table, id));
    CHECK(*(const uint64_t *)table == 7 * sizeof(void *));
    memcpy(function, (const char *)table + (size_t)number * sizeof(void *), sizeof(void *));
}

static uint64_t compilation(void) {
    open_entry *open;
    uint64_t entry = 0;
    slot(&open, 1);
    MUST(open(&entry, 1, "code", 4, " -arch=sm_90", "HOST64", "Aug 20 2025", 90));
    return entry;
}

static void close_compilation(uint64_t entry) {
    close_entry *close;
    slot(&close, 2);
    MUST(close(entry));
}

/* As NVRTC does in a later process, or in this one. */
static void compiled_before(void) {
    ask_entry *ask;
    release_result *release;
    void *data = NULL;
    uint32_t bytes = 0;
    uint64_t entry = compilation();
    slot(&ask, 3);
    slot(&release, 6);
    MUST(ask(entry, 0, &data, &bytes));
    CHECK(bytes == sizeof compiled && memcmp(data, compiled, bytes) == 0);
    MUST(release(data));
    close_compilation(entry);
}

static void compiled_first(void) {
    enum { NOT_FOUND = 500 };
    ask_entry *ask;
    keep_entry *keep;
    void *data = NULL;
    uint32_t bytes = 0;
    uint64_t entry = compilation();
    slot(&ask, 3);
    slot(&keep, 4);
    CHECK(ask(entry, 0, &data, &bytes) == NOT_FOUND);
    MUST(keep(entry, 0, compiled, sizeof compiled));
    close_compilation(entry);
    compiled_before();
}

static const test_case cases[] = {
    {"tables-of-tools", tables_of_tools},
    {"compiled-first", compiled_first},
    {"compiled-before", compiled_before},
    {"many-contexts", many_contexts},
    {"popped-context", popped_context},
    {"own-stream", own_stream},
    {"other-threads-stream", other_threads_stream},
    {"own-stream-after-reset", own_stream_after_reset},
    {"callback-that-calls", callback_that_calls},
    {"far-behind-functions", far_behind_functions},
    {"another-contexts-event", another_contexts_event},
    {"an-event-of-both-contexts", an_event_of_both_contexts},
    {"wrong-events", wrong_events},
    {"another-contexts-stream", another_contexts_stream},
    {"into-another-contexts-stream", into_another_contexts_stream},
    {"freed-without-a-context", freed_without_a_context},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
