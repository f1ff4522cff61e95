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
    MARKER = 12,
    MARKER_DATA = 13,
    OVERHEAD = 17,
    PC_SAMPLING = 30,
    EVENT = 36,
    WAIT = 38,
    EXTERNAL = 39,
    GRAPH_TRACE = 51,
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
    graph_trace graphs[MOST];
    wait waits[MOST];
    event events[MOST];
    marker markers[MOST];
    marker_data data[MOST];
    overhead overheads[MOST];
    int api_count, external_count, kernel_count, copy_count, fill_count, buffers;
    int graph_count, wait_count, event_count, marker_count, data_count, overhead_count;
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
    case GRAPH_TRACE: KEEP(graphs, graph_count, record); break;
    case WAIT: KEEP(waits, wait_count, record); break;
    case EVENT: KEEP(events, event_count, record); break;
    case MARKER: KEEP(markers, marker_count, record); break;
    case MARKER_DATA: KEEP(data, data_count, record); break;
    case OVERHEAD: KEEP(overheads, overhead_count, record); break;
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

/* A launch of a graph is one record, where the program wants it. */
static void graphTrace(void) {
    CUstream stream;
    CUgraph graph;
    CUgraphExec executable;
    uint32_t number = 0;
    MUST(cuStreamCreate(&stream, 1));
    begin();
    enable(GRAPH_TRACE);
    MUST(cuStreamBeginCapture_v2(stream, 0));
    MUST(launch(stream));
    MUST(launch(stream));
    MUST(cuStreamEndCapture(stream, &graph));
    MUST(cuGraphInstantiateWithFlags(&executable, graph, 0));
    push(CUSTOM0, 78);
    MUST(cuGraphLaunch(executable, stream));
    pop(CUSTOM0);
    MUST(launch(stream));
    MUST(cuStreamSynchronize(stream));
    WORKS("GetGraphExecId", (void *, uint32_t *), executable, &number);
    disable(GRAPH_TRACE);
    end();
    CHECK(seen.kernel_count == 1 && seen.graph_count == 1);
    const graph_trace *g = &seen.graphs[0];
    CHECK(g->graph == number && number != 0 && g->stream == seen.kernels[0].stream);
    CHECK(g->device == 0 && g->context == seen.kernels[0].context);
    inside(g->start, g->end, g->correlation);
    CHECK(id_of(CUSTOM0, g->correlation) == 78);
    MUST(cuGraphExecDestroy(executable));
    MUST(cuGraphDestroy(graph));
    MUST(cuStreamDestroy_v2(stream));
}

/* CUpti_ActivitySynchronizationType */
enum { FOR_EVENT = 1, STREAM_FOR_EVENT = 2, FOR_STREAM = 3, FOR_CONTEXT = 4 };

static void is_wait(const wait *one, uint32_t type, uint32_t stream, uint32_t of_event) {
    CHECK(one->type == type && one->stream == stream && one->event == of_event);
    CHECK(one->context == seen.kernels[0].context);
    CHECK(one->start <= one->end && one->end <= seen.flushed && one->result == 0);
    CHECK(api_of(one->correlation) != NULL && api_of(one->correlation)->start <= one->start);
}

/* Each wait says what it is for, by the numbers that records of work have. */
static void waits(void) {
    CUstream stream;
    CUevent done;
    uint32_t number = 0;
    CUcontext context;
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuEventCreate(&done, 0));
    MUST(cuCtxGetCurrent(&context));
    begin();
    enable(WAIT);
    enable(EVENT);
    push(CUSTOM0, 21);
    MUST(launch(stream));
    MUST(cuEventRecord(done, stream));
    MUST(cuStreamWaitEvent(NULL, done, 0));
    MUST(cuEventRecord(done, stream));
    MUST(cuEventSynchronize(done));
    MUST(cuStreamSynchronize(stream));
    MUST(cuCtxSynchronize());
    CHECK(cuEventSynchronize(NULL) != 0);
    pop(CUSTOM0);
    WORKS("GetStreamId", (CUcontext, CUstream, uint32_t *), context, stream, &number);
    disable(WAIT);
    disable(EVENT);
    end();
    const event *first = &seen.events[0], *second = &seen.events[1];
    CHECK(seen.kernel_count == 1 && seen.event_count == 2 && seen.wait_count == 4);
    CHECK(number == seen.kernels[0].stream && first->stream == number && first->device == 0);
    CHECK(first->event == second->event && first->record != second->record);
    CHECK(first->context == seen.kernels[0].context);
    CHECK(id_of(CUSTOM0, first->correlation) == 21);
    is_wait(&seen.waits[0], STREAM_FOR_EVENT, 7, first->event);
    is_wait(&seen.waits[1], FOR_EVENT, UINT32_MAX, first->event);
    is_wait(&seen.waits[2], FOR_STREAM, number, UINT32_MAX);
    is_wait(&seen.waits[3], FOR_CONTEXT, UINT32_MAX, UINT32_MAX);
    CHECK(seen.waits[0].event_record == first->record);
    CHECK(seen.waits[1].event_record == second->record);
    CHECK(id_of(CUSTOM0, seen.waits[3].correlation) == 21);
    MUST(cuEventDestroy_v2(done));
    MUST(cuStreamDestroy_v2(stream));
}

/* Prints the kinds of waits and overheads of some calls, for a comparison with another CUPTI. */
static void shown(void) {
    CUstream stream;
    MUST(cuStreamCreate(&stream, 1));
    begin();
    enable(WAIT);
    MUST(launch(stream));
    MUST(cuMemcpyDtoH_v2(numbers, words, sizeof numbers));
    MUST(cuMemcpyDtoHAsync_v2(numbers, words, sizeof numbers, stream));
    MUST(cuStreamSynchronize(stream));
    disable(WAIT);
    end();
    for (int i = 0; i < seen.wait_count; i++)
        printf("wait %u stream %s\n", seen.waits[i].type,
               seen.waits[i].stream == UINT32_MAX ? "none" : "some");
    for (int i = 0; i < seen.overhead_count; i++)
        printf("overhead %u.%u object %u\n", seen.overheads[i].overhead >> 16,
               seen.overheads[i].overhead & 0xffff, seen.overheads[i].object);
    MUST(cuStreamDestroy_v2(stream));
}

/* Nothing records where the device is: its work is not told, and the program runs. */
static void unseen(void) {
    begin();
    MUST(launch(NULL));
    MUST(cuCtxSynchronize());
    end();
    CHECK(seen.kernel_count == 0 && seen.api_count == 2);
}

/* What recording takes of the program's time is told, too: here a buffer that was asked for. */
static void overheads(void) {
    uint64_t begun = now();
    int requests = 0;
    begin();
    MUST(launch(NULL));
    MUST(cuCtxSynchronize());
    flush();
    seen.flushed = now();
    for (int i = 0; i < seen.overhead_count; i++) {
        const overhead *one = &seen.overheads[i];
        CHECK(one->object == 2 && one->process == (uint32_t)getpid());
        CHECK(begun <= one->start && one->start <= one->end && one->end <= seen.flushed);
        requests += one->overhead == 7 << 16;
    }
    CHECK(requests == 1);
    end();
}

/* ---- a program that uses NVTX, as far as it shows itself to a tool --------------------------- */

static void nothing(void) {}
static void (*core[16])(void), (*core2[16])(void);
static void (**core_places[16])(void), (**core2_places[16])(void);

static int table_of(uint32_t module, void (****functions)(void), uint32_t *count) {
    *functions = module == 1 ? core_places : core2_places;
    *count = 16;
    return module == 1 || module == 5;
}

static const void *exported(uint32_t table) {
    static const struct {
        size_t bytes;
        int (*table)(uint32_t, void (****)(void), uint32_t *);
    } callbacks = {sizeof callbacks, table_of};
    return table == 1 ? &callbacks : NULL;
}

typedef struct attributes {
    uint16_t version, bytes;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    int64_t payload;
    int32_t message_type, pad;
    const void *message;
} attributes;

static void is_marker(int at, uint32_t flags, const char *name, const char *domain) {
    const marker *one = &seen.markers[at];
    CHECK(one->flags == flags && one->object == 2 && one->process == (uint32_t)getpid());
    CHECK(one->time <= seen.flushed && (at == 0 || one->time >= one[-1].time));
    CHECK(name == NULL ? one->name == NULL : strcmp(one->name, name) == 0);
    CHECK(domain == NULL ? one->domain == NULL : strcmp(one->domain, domain) == 0);
}

/* Ranges of the program have records, with what it says of them. */
static void ranges(void) {
    for (int i = 0; i < 16; i++) {
        core[i] = core2[i] = nothing;
        core_places[i] = &core[i];
        core2_places[i] = &core2[i];
    }
    check(library != NULL || named("cuptiGetVersion") != NULL, "a library");
    int (*inject)(void *) = (int (*)(void *))dlsym(library, "InitializeInjectionNvtx2");
    CHECK(inject != NULL && inject((void *)exported) == 1);
    int (*push_a)(const char *) = (int (*)(const char *))core[9];
    int (*pop_range)(void) = (int (*)(void))core[11];
    const char *(*create)(const char *) = (const char *(*)(const char *))core2[12];
    int (*push_of)(const char *, const attributes *) =
        (int (*)(const char *, const attributes *))core2[4];
    int (*pop_of)(const char *) = (int (*)(const char *))core2[5];
    void (*mark_wide)(const wchar_t *) = (void (*)(const wchar_t *))core[3];
    CHECK(push_a("before") == 0);
    begin();
    enable(MARKER);
    enable(MARKER_DATA);
    const char *domain = create("mine");
    CHECK(push_a("outer") == 1);
    CHECK(push_of(domain, &(attributes){.version = 3, .bytes = 48, .category = 4, .color_type = 1,
                                        .color = 0xff00ff00, .payload_type = 5,
                                        .payload = (uint32_t)-7, .message_type = 1,
                                        .message = "inner"}) == 0);
    MUST(launch(NULL));
    mark_wide(L"here \u00e9");
    CHECK(pop_of(domain) == 0);
    CHECK(pop_of(domain) < 0);
    CHECK(pop_range() == 1);
    CHECK(pop_range() == 0);
    MUST(cuCtxSynchronize());
    disable(MARKER);
    disable(MARKER_DATA);
    CHECK(push_a("behind") == 0 && pop_range() == 0);
    end();
    CHECK(seen.marker_count == 5 && seen.data_count == 1 && seen.kernel_count == 1);
    is_marker(0, 2, "outer", NULL);
    is_marker(1, 2, "inner", "mine");
    is_marker(2, 1, "here \xc3\xa9", NULL);
    is_marker(3, 4, NULL, "mine");
    is_marker(4, 4, NULL, NULL);
    CHECK(seen.markers[1].number == seen.markers[3].number);
    CHECK(seen.markers[0].number == seen.markers[4].number);
    const marker_data *data = &seen.data[0];
    CHECK(data->number == seen.markers[1].number && data->category == 4 && data->flags == 2);
    CHECK(data->color == 0xff00ff00 && data->payload_kind == 4 && (int64_t)data->payload == -7);
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
    CHECK(api_of(seen.kernels[0].correlation) == NULL);
    CHECK(api_of(seen.kernels[1].correlation) != NULL);
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
    uint32_t context;
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
        told.context = data->context_number;
        const struct {
            CUfunction function;
            unsigned int grid[3], block[3];
        } *arguments = data->arguments;
        CHECK(arguments->function == add && arguments->block[0] == 128);
        CHECK(data->symbol != NULL && strcmp(data->symbol, "add") == 0);
        CHECK(data->context_number != 0);
        told.grid = (int)arguments->grid[0];
        uint32_t number = 77;
        WORKS("GetDeviceId", (void *, uint32_t *), data->context, &number);
        CHECK(number == 0);
        WORKS("GetContextId", (void *, uint32_t *), data->context, &number);
        CHECK(number == data->context_number);
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
    CHECK(seen.kernels[0].context == told.context);
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
        {"many", many},       {"pageLocked", pageLocked},   {"graphTrace", graphTrace},
        {"waits", waits},     {"overheads", overheads},     {"ranges", ranges},
        {"shown", shown},     {"unseen", unseen},
    };
    return run_case(cases, sizeof cases / sizeof cases[0], prepare, argc, argv);
}
