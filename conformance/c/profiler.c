/* SPDX-License-Identifier: Apache-2.0
 * A profiler that uses the functions of CUPTI that torch's and JAX's do, and knows nothing of
 * Outboard. Its records are printed where a case is about it, so that runs can be compared.
 * usage: profiler CASE...
 */
#include "case.h"
#include "cupti.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum {
    MEMCPY = 1,
    MEMSET = 2,
    DRIVER = 4,
    RUNTIME = 5,
    KERNEL = 10,
    OVERHEAD = 17,
    EXTERNAL = 39,
    PC_SAMPLING = 30,
};
enum { PAGEABLE = 1, PAGE_LOCKED = 2, DEVICE = 3 };
enum { CUSTOM0 = 3, CUSTOM1 = 4, LAUNCH = 307, MAX_LIMIT_REACHED = 12, COUNT = 1000 };

typedef struct api {
    uint32_t kind, function;
    uint64_t start, end;
    uint32_t process, thread, correlation, result;
} api;

typedef struct callback_data {
    uint32_t site;
    const char *function;
    const void *arguments;
    void *result;
    const char *symbol;
    void *context;
    uint32_t context_number;
    uint64_t *data;
    uint32_t correlation;
} callback_data;

/* ---- the library, by name ------------------------------------------------------------------- */

static void *library;

static void *named(const char *name) {
    if (library == NULL) {
        const char *file = getenv("CUPTI_LIBRARY");
        library = dlopen(file != NULL ? file : "libcupti.so.13", RTLD_NOW);
    }
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    void *function = dlsym(library, name);
    check(function != NULL, name);
    return function;
}

#define CUPTI(name, types, ...) ((int (*) types)named("cupti" name))(__VA_ARGS__)
#define WORKS(name, types, ...)                                                                    \
    do {                                                                                           \
        int result_ = CUPTI(name, types, __VA_ARGS__);                                             \
        if (result_ != 0) {                                                                        \
            fprintf(stderr, "cupti%s: %d\n", name, result_);                                       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static void enable(uint32_t kind) { WORKS("ActivityEnable", (uint32_t), kind); }
static void disable(uint32_t kind) { WORKS("ActivityDisable", (uint32_t), kind); }
static void flush(void) { WORKS("ActivityFlushAll", (uint32_t), 1); }
static void push(uint32_t kind, uint64_t id) {
    WORKS("ActivityPushExternalCorrelationId", (uint32_t, uint64_t), kind, id);
}
static void pop(uint32_t kind) {
    WORKS("ActivityPopExternalCorrelationId", (uint32_t, uint64_t *), kind, NULL);
}

/* ---- records -------------------------------------------------------------------------------- */

enum { MOST = 8192, BUFFER = 64 << 10 };

static struct {
    api apis[MOST];
    external externals[MOST];
    kernel kernels[MOST];
    copy copies[MOST];
    fill fills[MOST];
    int api_count, external_count, kernel_count, copy_count, fill_count, buffers;
    uint64_t flushed;
} seen;

static int gives_none, only_counts;

static void requested(uint8_t **buffer, size_t *size, size_t *most) {
    *most = 0;
    *size = BUFFER;
    *buffer = gives_none ? NULL : aligned_alloc(8, BUFFER);
}

#define KEEP(list, count, record)                                                                  \
    do {                                                                                           \
        check(seen.count < MOST, "room for records");                                              \
        memcpy(&seen.list[seen.count++], record, sizeof seen.list[0]);                             \
    } while (0)

static void keep(const void *record) {
    uint32_t kind;
    memcpy(&kind, record, sizeof kind);
    if (only_counts) {
        seen.kernel_count += kind == KERNEL;
        return;
    }
    switch (kind) {
    case DRIVER:
    case RUNTIME: KEEP(apis, api_count, record); break;
    case EXTERNAL: KEEP(externals, external_count, record); break;
    case KERNEL: KEEP(kernels, kernel_count, record); break;
    case MEMCPY: KEEP(copies, copy_count, record); break;
    case MEMSET: KEEP(fills, fill_count, record); break;
    default: check(0, "a kind that was asked for");
    }
}

static void completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid) {
    void *record = NULL;
    int result;
    (void)context, (void)stream;
    CHECK(valid <= size);
    while ((result = CUPTI("ActivityGetNextRecord", (uint8_t *, size_t, void **), buffer, valid,
                           &record)) == 0)
        keep(record);
    CHECK(result == MAX_LIMIT_REACHED);
    seen.buffers++;
    free(buffer);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static const uint32_t all_kinds[] = {MEMCPY, MEMSET, KERNEL, EXTERNAL, DRIVER, RUNTIME, OVERHEAD};

static void begin(void) {
    memset(&seen, 0, sizeof seen);
    gives_none = 0;
    WORKS("ActivityRegisterCallbacks",
          (void (*)(uint8_t **, size_t *, size_t *),
           void (*)(void *, uint32_t, uint8_t *, size_t, size_t)),
          requested, completed);
    for (size_t i = 0; i < sizeof all_kinds / sizeof all_kinds[0]; i++)
        enable(all_kinds[i]);
}

static void end(void) {
    for (size_t i = 0; i < sizeof all_kinds / sizeof all_kinds[0]; i++)
        disable(all_kinds[i]);
    flush();
    seen.flushed = now();
}

static const api *api_of(uint32_t correlation) {
    for (int i = 0; i < seen.api_count; i++)
        if (seen.apis[i].correlation == correlation)
            return &seen.apis[i];
    return NULL;
}

static uint64_t id_of(uint32_t kind, uint32_t correlation) {
    for (int i = 0; i < seen.external_count; i++)
        if (seen.externals[i].correlation == correlation &&
            seen.externals[i].external_kind == kind)
            return seen.externals[i].id;
    return 0;
}

/* ---- the device ----------------------------------------------------------------------------- */

static CUfunction add;
static CUdeviceptr words;
static uint32_t numbers[COUNT];

static void prepare(void) {
    static CUmodule module;
    CUcontext context;
    int device;
    if (module != NULL)
        return;
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuModuleLoadData(&module, ADD_KERNEL));
    MUST(cuModuleGetFunction(&add, module, "add"));
    MUST(cuMemAlloc_v2(&words, sizeof numbers));
}

static CUresult launch(CUstream stream) {
    uint32_t count = COUNT, what = 3;
    void *parameters[] = {&words, &count, &what};
    return cuLaunchKernel(add, (COUNT + 127) / 128, 1, 1, 128, 1, 1, 0, stream, parameters, NULL);
}

/* ---- cases ---------------------------------------------------------------------------------- */

static void inside(uint64_t start, uint64_t end, uint32_t correlation) {
    const api *call = api_of(correlation);
    CHECK(call != NULL);
    CHECK(call->start <= start && start <= end && end <= seen.flushed);
}

/* Each record belongs to its call, and to what the program has pushed. */
static void records(void) {
    begin();
    push(CUSTOM0, 7);
    MUST(cuMemsetD32_v2(words, 5, COUNT));
    push(CUSTOM0, 8);
    push(CUSTOM1, 9);
    MUST(launch(NULL));
    pop(CUSTOM1);
    pop(CUSTOM0);
    MUST(cuMemcpyDtoH_v2(numbers, words, sizeof numbers));
    pop(CUSTOM0);
    MUST(cuMemcpyHtoD_v2(words, numbers, sizeof numbers));
    end();
    CHECK(numbers[COUNT - 1] == 8);
    CHECK(seen.kernel_count == 1 && seen.fill_count == 1 && seen.copy_count == 2);
    const kernel *k = &seen.kernels[0];
    CHECK(strcmp(k->name, "add") == 0 && k->grid[0] == 8 && k->grid[1] == 1 && k->block[0] == 128);
    CHECK(k->registers > 0 && k->device == 0 && k->stream == 7 && k->context != 0);
    inside(k->start, k->end, k->correlation);
    CHECK(api_of(k->correlation)->function == LAUNCH && api_of(k->correlation)->kind == DRIVER);
    CHECK(id_of(CUSTOM0, k->correlation) == 8 && id_of(CUSTOM1, k->correlation) == 9);
    const fill *f = &seen.fills[0];
    CHECK(f->bytes == sizeof numbers && f->value == 5);
    inside(f->start, f->end, f->correlation);
    CHECK(id_of(CUSTOM0, f->correlation) == 7 && id_of(CUSTOM1, f->correlation) == 0);
    CHECK(f->end <= k->start);
    const copy *from = &seen.copies[0], *to = &seen.copies[1];
    CHECK(from->copy_kind == 2 && from->bytes == sizeof numbers);
    CHECK(to->copy_kind == 1 && to->bytes == sizeof numbers);
    CHECK(from->source == DEVICE && from->target == PAGEABLE && to->source == PAGEABLE);
    inside(from->start, from->end, from->correlation);
    inside(to->start, to->end, to->correlation);
    CHECK(id_of(CUSTOM0, from->correlation) == 7 && id_of(CUSTOM0, to->correlation) == 0);
}

/* A copy may travel in many pieces, and is one. */
static void largeCopies(void) {
    size_t bytes = 48 << 20;
    uint8_t *memory = malloc(bytes);
    CUdeviceptr there;
    memset(memory, 1, bytes);
    MUST(cuMemAlloc_v2(&there, bytes));
    begin();
    MUST(cuMemcpyHtoD_v2(there, memory, bytes));
    MUST(cuMemcpyDtoH_v2(memory, there, bytes));
    end();
    CHECK(seen.copy_count == 2);
    CHECK(seen.copies[0].bytes == bytes && seen.copies[0].copy_kind == 1);
    CHECK(seen.copies[1].bytes == bytes && seen.copies[1].copy_kind == 2);
    inside(seen.copies[0].start, seen.copies[0].end, seen.copies[0].correlation);
    MUST(cuMemFree_v2(there));
    free(memory);
}

/* Memory is what the program calls it, whatever way the bytes go. */
static void pageLocked(void) {
    void *memory;
    MUST(cuMemAllocHost_v2(&memory, sizeof numbers));
    memset(memory, 0, sizeof numbers);
    begin();
    MUST(cuMemcpyHtoDAsync_v2(words, memory, sizeof numbers, NULL));
    MUST(cuMemcpyHtoDAsync_v2(words, numbers, sizeof numbers, NULL));
    MUST(cuMemcpyDtoHAsync_v2(memory, words, sizeof numbers, NULL));
    MUST(cuCtxSynchronize());
    end();
    CHECK(seen.copy_count == 3);
    CHECK(seen.copies[0].source == PAGE_LOCKED && seen.copies[1].source == PAGEABLE);
    CHECK(seen.copies[2].target == PAGE_LOCKED);
    MUST(cuMemFreeHost(memory));
}

/* In the program's own ticks, of whatever length. */
static uint64_t half_time(void) { return now() / 2 + 12345; }

static void ticks(void) {
    WORKS("ActivityRegisterTimestampCallback", (uint64_t(*)(void)), half_time);
    begin();
    uint64_t before = half_time();
    MUST(launch(NULL));
    MUST(cuCtxSynchronize());
    end();
    CHECK(seen.kernel_count == 1);
    const kernel *k = &seen.kernels[0];
    CHECK(before <= k->start && k->start <= k->end && k->end <= half_time());
    CHECK(api_of(k->correlation)->start <= k->start);
    WORKS("ActivityRegisterTimestampCallback", (uint64_t(*)(void)), now);
}

/* Work of a graph belongs to the graph's launch. */
static void graphs(void) {
    CUstream stream;
    CUgraph graph;
    CUgraphExec executable;
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuStreamBeginCapture_v2(stream, 0));
    MUST(launch(stream));
    MUST(cuMemsetD8Async(words, 1, 64, stream));
    MUST(launch(stream));
    MUST(cuStreamEndCapture(stream, &graph));
    MUST(cuGraphInstantiateWithFlags(&executable, graph, 0));
    begin();
    push(CUSTOM0, 77);
    MUST(cuGraphLaunch(executable, stream));
    pop(CUSTOM0);
    MUST(cuStreamSynchronize(stream));
    end();
    CHECK(seen.kernel_count == 2 && seen.fill_count == 1);
    CHECK(seen.kernels[0].correlation == seen.kernels[1].correlation);
    CHECK(seen.kernels[0].correlation == seen.fills[0].correlation);
    CHECK(id_of(CUSTOM0, seen.kernels[0].correlation) == 77);
    MUST(cuGraphExecDestroy(executable));
    MUST(cuGraphDestroy(graph));
    MUST(cuStreamDestroy_v2(stream));
}

static void *launch_many(void *of) {
    CUcontext context = of;
    MUST(cuCtxSetCurrent(context));
    CUstream stream;
    MUST(cuStreamCreate(&stream, 1));
    push(CUSTOM0, (uint64_t)(uintptr_t)pthread_self());
    for (int i = 0; i < 100; i++)
        MUST(launch(stream));
    pop(CUSTOM0);
    MUST(cuStreamSynchronize(stream));
    MUST(cuStreamDestroy_v2(stream));
    return NULL;
}

/* Threads have stacks of their own. */
static void threads(void) {
    enum { THREADS = 4 };
    pthread_t all[THREADS];
    CUcontext context;
    MUST(cuCtxGetCurrent(&context));
    begin();
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&all[i], NULL, launch_many, context) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(all[i], NULL);
    end();
    CHECK(seen.kernel_count == 100 * THREADS);
    for (int i = 0; i < seen.kernel_count; i++) {
        const api *call = api_of(seen.kernels[i].correlation);
        CHECK(call != NULL && call->function == LAUNCH);
        CHECK((uint32_t)id_of(CUSTOM0, seen.kernels[i].correlation) == call->thread);
    }
}

/* As the CUDA runtime describes its calls to the driver's table of hooks. */
typedef struct runtime_call {
    uint64_t size, context_number, stream_number, unknown;
    uint64_t *data;
    int *result;
    const char *name;
    const void *arguments;
    void *context, *stream;
    uint32_t function, site;
    const char *symbol;
    uint64_t more[3];
} runtime_call;

enum { CUDA_LAUNCH_KERNEL = 211, CUDA_GRAPH_LAUNCH = 311 };

static void hook(const void *const *table, uint32_t site) {
    int result = 0;
    uint64_t data = 0;
    runtime_call call = {.size = sizeof call, .data = &data, .result = &result,
                         .name = "cudaLaunchKernel", .function = CUDA_LAUNCH_KERNEL, .site = site};
    ((int (*)(uint32_t, runtime_call *))(uintptr_t)table[1])(CUDA_LAUNCH_KERNEL, &call);
}

/* A call of the runtime, and what it calls of the driver, is one call of the program. */
static void runtime(void) {
    static const uint8_t id[16] = {0xa0, 0x94, 0x79, 0x8c, 0x2e, 0x74, 0x2e, 0x74,
                                   0x93, 0xf2, 0x08, 0x00, 0x20, 0x0c, 0x0a, 0x66};
    const void *const *table = NULL;
    uint8_t *flags = NULL;
    size_t count = 0;
    MUST(cuGetExportTable((void *)&table, (void *)id));
    MUST(((CUresult (*)(uint8_t **, size_t *))(uintptr_t)table[2])(&flags, &count));
    CHECK(count > CUDA_LAUNCH_KERNEL && flags[CUDA_LAUNCH_KERNEL] == 0);
    begin();
    /* The runtime looks at the byte of some functions, and at the word of others. */
    CHECK(flags[CUDA_LAUNCH_KERNEL] != 0 && flags[4 * CUDA_GRAPH_LAUNCH] != 0);
    push(CUSTOM0, 5);
    hook(table, 0);
    MUST(launch(NULL));
    hook(table, 1);
    pop(CUSTOM0);
    MUST(cuCtxSynchronize());
    end();
    CHECK(flags[CUDA_LAUNCH_KERNEL] == 0);
    CHECK(seen.kernel_count == 1 && seen.api_count == 2);
    const api *call = api_of(seen.kernels[0].correlation);
    CHECK(call != NULL && call->kind == RUNTIME && call->function == CUDA_LAUNCH_KERNEL);
    CHECK(id_of(CUSTOM0, call->correlation) == 5);
    inside(seen.kernels[0].start, seen.kernels[0].end, call->correlation);
}

/* Kinds that nobody has asked for are not recorded, and neither is earlier or later work. */
static void choices(void) {
    begin();
    disable(MEMSET);
    disable(DRIVER);
    WORKS("ActivityEnableDriverApi", (uint32_t, uint8_t), LAUNCH, 0);
    MUST(launch(NULL));
    MUST(cuMemsetD32_v2(words, 5, COUNT));
    enable(DRIVER);
    MUST(launch(NULL));
    MUST(cuCtxSynchronize());
    end();
    MUST(launch(NULL));
    flush();
    CHECK(seen.kernel_count == 2 && seen.fill_count == 0);
    CHECK(api_of(seen.kernels[1].correlation) == NULL);
    WORKS("ActivityEnableDriverApi", (uint32_t, uint8_t), LAUNCH, 1);
    CHECK(CUPTI("ActivityEnable", (uint32_t), PC_SAMPLING) == 27);
    CHECK(CUPTI("ActivityEnable", (uint32_t), 1000) == 21);
}

/* A program that has no buffer loses records, and is told how many. */
static void drops(void) {
    size_t dropped = 0;
    begin();
    gives_none = 1;
    MUST(launch(NULL));
    MUST(cuCtxSynchronize());
    end();
    CHECK(seen.kernel_count == 0);
    WORKS("ActivityGetNumDroppedRecords", (void *, uint32_t, size_t *), NULL, 0, &dropped);
    CHECK(dropped >= 2);
    WORKS("ActivityGetNumDroppedRecords", (void *, uint32_t, size_t *), NULL, 0, &dropped);
    CHECK(dropped == 0);
}

static void manyTimes(void) {
    int times = getenv("TIMES") != NULL ? atoi(getenv("TIMES")) : 100;
    for (int i = 0; i < times; i++) {
        begin();
        MUST(launch(NULL));
        MUST(cuCtxSynchronize());
        end();
        CHECK(seen.kernel_count == 1 && seen.api_count == 2);
    }
}

static struct {
    int enters, leaves;
    uint32_t correlation;
    const char *name;
    int grid;
} told;

static void told_of(void *user, uint32_t domain, uint32_t function, const void *of) {
    const callback_data *data = of;
    CHECK(user == &told && domain == 1 && function == LAUNCH);
    if (data->site == 0) {
        told.enters++;
        *data->data = 4711;
        told.correlation = data->correlation;
        told.name = data->function;
        const struct {
            CUfunction function;
            unsigned int grid[3], block[3];
        } *arguments = data->arguments;
        CHECK(arguments->function == add && arguments->block[0] == 128);
        told.grid = (int)arguments->grid[0];
        uint32_t number = 77;
        WORKS("GetDeviceId", (void *, uint32_t *), data->context, &number);
        CHECK(number == 0);
        WORKS("GetContextId", (void *, uint32_t *), data->context, &number);
        CHECK(number != 0);
    } else {
        told.leaves++;
        CHECK(*data->data == 4711 && told.correlation == data->correlation);
        CHECK(*(const int *)data->result == 0);
    }
}

/* The program's function is called at the points that it has chosen, with the call's arguments. */
static void callbacks(void) {
    void *subscriber, *second;
    memset(&told, 0, sizeof told);
    WORKS("Subscribe", (void **, void (*)(void *, uint32_t, uint32_t, const void *), void *),
          &subscriber, told_of, &told);
    CHECK(CUPTI("Subscribe", (void **, void (*)(void *, uint32_t, uint32_t, const void *), void *),
                &second, told_of, &told) == 39);
    WORKS("EnableCallback", (uint32_t, void *, uint32_t, uint32_t), 1, subscriber, 3, 1);
    WORKS("EnableCallback", (uint32_t, void *, uint32_t, uint32_t), 1, subscriber, 1, LAUNCH);
    begin();
    MUST(launch(NULL));
    MUST(cuCtxSynchronize());
    end();
    CHECK(told.enters == 1 && told.leaves == 1 && told.grid == 8);
    CHECK(strcmp(told.name, "cuLaunchKernel") == 0);
    CHECK(seen.kernel_count == 1 && seen.kernels[0].correlation == told.correlation);
    WORKS("EnableDomain", (uint32_t, void *, uint32_t), 0, subscriber, 1);
    MUST(launch(NULL));
    WORKS("Unsubscribe", (void *), subscriber);
    CHECK(told.enters == 1);
    MUST(cuCtxSynchronize());
}

static void names(void) {
    const char *text = NULL;
    uint32_t version = 0;
    uint64_t time = 0;
    WORKS("GetVersion", (uint32_t *), &version);
    CHECK(version >= 18);
    WORKS("GetResultString", (int, const char **), 12, &text);
    CHECK(strcmp(text, "CUPTI_ERROR_MAX_LIMIT_REACHED") == 0);
    WORKS("GetCallbackName", (uint32_t, uint32_t, const char **), 1, LAUNCH, &text);
    CHECK(strcmp(text, "cuLaunchKernel") == 0);
    WORKS("GetCallbackName", (uint32_t, uint32_t, const char **), 2, 211, &text);
    CHECK(strcmp(text, "cudaLaunchKernel_v7000") == 0);
    CHECK(CUPTI("GetCallbackName", (uint32_t, uint32_t, const char **), 2, 100000, &text) == 1);
    WORKS("GetTimestamp", (uint64_t *), &time);
    CHECK(time != 0);
    CHECK(CUPTI("ActivityPopExternalCorrelationId", (uint32_t, uint64_t *), CUSTOM0, NULL) == 18);
    CHECK(CUPTI("ActivityPushExternalCorrelationId", (uint32_t, uint64_t), 99, 1) == 1);
    WORKS("Finalize", (void));
}

static double seconds(void) { return (double)now() / 1e9; }

static double launches(int times) {
    double begun = seconds();
    for (int i = 0; i < times; i++)
        MUST(launch(NULL));
    MUST(cuCtxSynchronize());
    return (seconds() - begun) * 1e6 / times;
}

/* So many launches lose no record that is not counted. */
static void many(void) {
    int times = getenv("TIMES") != NULL ? atoi(getenv("TIMES")) : 20000;
    size_t dropped = 0;
    double before = launches(times);
    begin();
    only_counts = 1;
    disable(DRIVER);
    disable(EXTERNAL);
    double recorded = launches(times), begun = seconds();
    end();
    double flushed = seconds() - begun;
    only_counts = 0;
    double after = launches(times);
    WORKS("ActivityGetNumDroppedRecords", (void *, uint32_t, size_t *), NULL, 0, &dropped);
    fprintf(stderr, "launches of %.2f, recorded %.2f, then %.2f us; flushed in %.3f s; ", before,
            recorded, after, flushed);
    fprintf(stderr, "%d of %d kernels, %zu dropped\n", seen.kernel_count, times, dropped);
    CHECK(seen.kernel_count + (int)dropped == times);
}

/* Nothing records what the device does: the program is told. What it does itself is recorded. */
static void refused(void) {
    memset(&seen, 0, sizeof seen);
    gives_none = 0;
    WORKS("ActivityRegisterCallbacks",
          (void (*)(uint8_t **, size_t *, size_t *),
           void (*)(void *, uint32_t, uint8_t *, size_t, size_t)),
          requested, completed);
    CHECK(CUPTI("ActivityEnable", (uint32_t), KERNEL) == 15);
    enable(DRIVER);
    MUST(launch(NULL));
    disable(DRIVER);
    flush();
    CHECK(seen.api_count == 1 && seen.apis[0].function == LAUNCH && seen.kernel_count == 0);
}

int main(int argc, char **argv) {
    static const test_case cases[] = {
        {"records", records}, {"largeCopies", largeCopies}, {"ticks", ticks},
        {"graphs", graphs},   {"threads", threads},         {"choices", choices},
        {"drops", drops},     {"manyTimes", manyTimes},     {"callbacks", callbacks},
        {"names", names},     {"refused", refused},
        {"runtime", runtime},
        {"many", many},       {"pageLocked", pageLocked},
    };
    return run_case(cases, sizeof cases / sizeof cases[0], prepare, argc, argv);
}
