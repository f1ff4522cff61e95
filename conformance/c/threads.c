/* SPDX-License-Identifier: Apache-2.0
 * Random programs of 2 to 8 threads, against a plain model. Each program is a list of operations on
 * a few buffers; each operation has a thread that makes it, and a stream. Operations on a buffer
 * are made in the list's order: a thread waits, by a mutex and a condition, until the earlier ones
 * have been called. It waits for no device. The streams are ordered by events, waits, or the legacy
 * default stream, which any of the threads may ask for. All results depend on the order. The model
 * makes the operations of the list one after the other.
 * usage: threads FIRST_SEED+PROGRAMS
 */
#define _GNU_SOURCE
#include "case.h"

#include <pthread.h>
#include <stdint.h>

enum { BUFFERS = 4, STREAMS = 6, THREADS = 8, OPERATIONS = 48, WORDS = 32 };
enum { BYTES = WORDS * sizeof(uint32_t) };

/* Streams that are no objects: of all threads, and of each. */
#define LEGACY STREAMS
#define OWN (STREAMS + 1)

typedef enum kind {
    KERNEL, FILL, COPY, UP, DOWN, RENEW_BUFFER, RENEW_STREAM, WAIT,
    POOLED,             /* RENEW_BUFFER, in the order of the stream */
    CONFIGURED,         /* KERNEL, with a structure */
    KINDS
} kind;
typedef enum order { NONE, EVENT, RECORD_AND_WAIT, SYNCHRONIZE } order;

typedef struct access {
    int buffer, ticket;         /* how many operations are on it before this one */
    order behind;               /* the last one, which another stream has */
    int behind_stream;
    int record;                 /* the buffer's event, behind this operation */
} access;

typedef struct operation {
    kind kind;
    int thread, stream, uses, renewals;
    access of[2];               /* the first is written; the second's buffer may be -1: none */
    uint32_t factor, sum;
    uint32_t expected[WORDS];   /* of DOWN */
} operation;

static const char MIX[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                          ".visible .entry mix(.param .u64 to, .param .u64 from, .param .u32 a, "
                          ".param .u32 b)\n"
                          "{\n.reg .b64 %rd<6>;\n.reg .b32 %r<8>;\n"
                          "ld.param.u64 %rd1, [to];\nld.param.u64 %rd2, [from];\n"
                          "ld.param.u32 %r1, [a];\nld.param.u32 %r2, [b];\n"
                          "mov.u32 %r3, %tid.x;\nmul.wide.u32 %rd3, %r3, 4;\n"
                          "add.u64 %rd1, %rd1, %rd3;\nadd.u64 %rd2, %rd2, %rd3;\n"
                          "ld.u32 %r4, [%rd1];\nld.u32 %r5, [%rd2];\n"
                          "mad.lo.u32 %r6, %r4, %r1, %r5;\nadd.u32 %r6, %r6, %r2;\n"
                          "st.u32 [%rd1], %r6;\nret;\n}\n";

static CUcontext context;
static CUfunction mix;
static CUdeviceptr buffers[BUFFERS];
static int pooled[BUFFERS];     /* it came from the pool */
static CUevent events[BUFFERS];
static CUstream streams[STREAMS];
static uint32_t *pinned;        /* an operation's bytes, up or down */

static operation program[OPERATIONS];
static int threads;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static int tickets[BUFFERS], uses[STREAMS], renewals[STREAMS];

static uint64_t state;

static uint32_t below(uint32_t limit) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % limit;
}

/* ---- the program ----------------------------------------------------------------------------- */

static int blocks(int stream) { return stream == OWN || (stream < STREAMS && stream % 2 == 0); }

/* Whether CUDA puts the second behind the first by itself. A wait gives a stream nothing to do that
 * others would be behind. */
static int ordered(const operation *first, const operation *second) {
    if (first->stream == second->stream)
        return first->stream != OWN || first->thread == second->thread;
    if (first->kind == WAIT || second->kind == WAIT)
        return 0;
    return (first->stream == LEGACY && blocks(second->stream)) ||
           (second->stream == LEGACY && blocks(first->stream));
}

static int is_renewed(int from, int to, int stream) {
    for (int i = from + 1; i < to; i++)
        if (program[i].kind == RENEW_STREAM && program[i].stream == stream)
            return 1;
    return 0;
}

static void put_behind(int last, int last_access, int now, access *of) {
    operation *first = &program[last], *second = &program[now];
    of->behind_stream = first->stream;
    if (ordered(first, second) && !is_renewed(last, now, first->stream))
        return;
    int gone = first->stream == OWN || is_renewed(last, now, first->stream);
    of->behind = gone ? EVENT : EVENT + below(3);
    /* Of a stream that is used by name until then. */
    if (of->behind != EVENT)
        return;
    first->of[last_access].record = 1;
}

static int last_of(int buffer, int now, int *which) {
    for (int i = now - 1; i >= 0; i--)
        for (*which = 0; *which < 2; ++*which)
            if (program[i].of[*which].buffer == buffer)
                return i;
    return -1;
}

static void choose_access(int now, access *of, int buffer) {
    int which, last = last_of(buffer, now, &which);
    *of = (access){.buffer = buffer};
    if (last < 0)
        return;
    of->ticket = program[last].of[which].ticket + 1;
    put_behind(last, which, now, of);
}

/* The names of streams that an operation uses stay until it has been made. */
static int names(const operation *o, int stream) {
    return o->stream == stream || (o->of[0].behind > EVENT && o->of[0].behind_stream == stream) ||
           (o->of[1].behind > EVENT && o->of[1].behind_stream == stream);
}

static int count_before(int now, int stream, int of_renewals) {
    int count = 0;
    for (int i = 0; i < now; i++)
        count += of_renewals ? program[i].kind == RENEW_STREAM && program[i].stream == stream
                             : names(&program[i], stream);
    return count;
}

static void choose(int now) {
    operation *o = &program[now];
    *o = (operation){.kind = (kind)below(KINDS),
                     .thread = (int)below((uint32_t)threads),
                     .stream = (int)below(OWN + 1),
                     .factor = below(1 << 20) | 1,
                     .sum = below(1 << 30),
                     .of = {{.buffer = -1}, {.buffer = -1}}};
    if (o->kind == RENEW_STREAM) {
        o->stream = (int)below(STREAMS);
        return;
    }
    int buffer = (int)below(BUFFERS), other = (int)below(BUFFERS);
    choose_access(now, &o->of[0], buffer);
    if ((o->kind == KERNEL || o->kind == CONFIGURED || o->kind == COPY) && other != buffer)
        choose_access(now, &o->of[1], other);
    else if (o->kind == COPY)
        o->kind = FILL;
}

/* The operations as they are made one after the other. */
static void model(uint32_t memory[BUFFERS][WORDS]) {
    memset(memory, 0, BUFFERS * BYTES);
    for (operation *o = program; o < program + OPERATIONS; o++) {
        uint32_t *to = o->of[0].buffer < 0 ? NULL : memory[o->of[0].buffer];
        const uint32_t *from = o->of[1].buffer < 0 ? to : memory[o->of[1].buffer];
        for (int i = 0; to != NULL && i < WORDS; i++) {
            if (o->kind == KERNEL || o->kind == CONFIGURED)
                to[i] = to[i] * o->factor + from[i] + o->sum;
            else if (o->kind == FILL || o->kind == RENEW_BUFFER || o->kind == POOLED)
                to[i] = o->sum;
            else if (o->kind == COPY)
                to[i] = from[i];
            else if (o->kind == UP)
                to[i] = o->sum + (uint32_t)i;
            else if (o->kind == DOWN)
                o->expected[i] = to[i];
        }
    }
}

/* ---- its threads ----------------------------------------------------------------------------- */

static CUstream handle(int stream) {
    return stream == LEGACY ? NULL : stream == OWN ? (CUstream)2 : streams[stream];
}

static int may_begin(const operation *o) {
    for (int i = 0; i < 2; i++)
        if (o->of[i].buffer >= 0 && tickets[o->of[i].buffer] != o->of[i].ticket)
            return 0;
    int now = (int)(o - program);
    for (int s = 0; s < STREAMS; s++) {
        if (o->kind == RENEW_STREAM && o->stream == s && uses[s] != count_before(now, s, 0))
            return 0;
        if (names(o, s) && renewals[s] != count_before(now, s, 1))
            return 0;
    }
    return 1;
}

static void begin(const operation *o) {
    pthread_mutex_lock(&lock);
    while (!may_begin(o))
        pthread_cond_wait(&called, &lock);
    pthread_mutex_unlock(&lock);
}

static void end(const operation *o) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 2; i++)
        if (o->of[i].buffer >= 0)
            tickets[o->of[i].buffer]++;
    for (int s = 0; s < STREAMS; s++)
        uses[s] += names(o, s);
    if (o->kind == RENEW_STREAM)
        renewals[o->stream]++;
    pthread_cond_broadcast(&called);
    pthread_mutex_unlock(&lock);
}

static void wait_for(const access *of, CUstream stream) {
    if (of->behind == RECORD_AND_WAIT)
        MUST(cuEventRecord(events[of->buffer], handle(of->behind_stream)));
    if (of->behind == EVENT || of->behind == RECORD_AND_WAIT)
        MUST(cuStreamWaitEvent(stream, events[of->buffer], 0));
    if (of->behind == SYNCHRONIZE)
        MUST(cuStreamSynchronize(handle(of->behind_stream)));
}

/* Memory of the pool in the order of the stream. */
static CUdeviceptr *free_one(const operation *o, CUstream stream, int next_is_pooled) {
    int buffer = o->of[0].buffer;
    if (pooled[buffer])
        MUST(cuMemFreeAsync(buffers[buffer], stream));
    else
        MUST(cuMemFree_v2(buffers[buffer]));
    pooled[buffer] = next_is_pooled;
    return &buffers[buffer];
}

static void renew_buffer(const operation *o, CUstream stream) {
    CUdeviceptr *buffer = free_one(o, stream, 0);
    MUST(cuMemAlloc_v2(buffer, BYTES));
    MUST(cuMemsetD32Async(*buffer, o->sum, WORDS, stream));
}

static void renew_in_order(const operation *o, CUstream stream) {
    CUdeviceptr *buffer = free_one(o, stream, 1);
    MUST(cuMemAllocAsync(buffer, BYTES, stream));
    MUST(cuMemsetD32Async(*buffer, o->sum, WORDS, stream));
}

static void renew_stream(const operation *o) {
    MUST(cuStreamDestroy_v2(streams[o->stream]));
    MUST(cuStreamCreate(&streams[o->stream], o->stream % 2));
}

static void make(const operation *o) {
    CUstream stream = handle(o->stream);
    uint32_t *bytes = pinned + (o - program) * WORDS;
    CUdeviceptr to = o->of[0].buffer < 0 ? 0 : buffers[o->of[0].buffer];
    CUdeviceptr from = o->of[1].buffer < 0 ? to : buffers[o->of[1].buffer];
    switch (o->kind) {
    case KERNEL:
        MUST(cuLaunchKernel(mix, 1, 1, 1, WORDS, 1, 1, 0, stream,
                            (void *[]){&to, &from, (void *)&o->factor, (void *)&o->sum}, NULL));
        break;
    case CONFIGURED:
        MUST(cuLaunchKernelEx(&(CUlaunchConfig){.gridX = 1, .gridY = 1, .gridZ = 1, .blockX = WORDS,
                                                .blockY = 1, .blockZ = 1, .stream = stream},
                              mix, (void *[]){&to, &from, (void *)&o->factor, (void *)&o->sum},
                              NULL));
        break;
    case FILL:
        MUST(cuMemsetD32Async(to, o->sum, WORDS, stream));
        break;
    case COPY:
        MUST(cuMemcpyDtoDAsync_v2(to, from, BYTES, stream));
        break;
    case UP:
        for (int i = 0; i < WORDS; i++)
            bytes[i] = o->sum + (uint32_t)i;
        MUST(cuMemcpyHtoDAsync_v2(to, bytes, BYTES, stream));
        break;
    case DOWN:
        MUST(cuMemcpyDtoHAsync_v2(bytes, to, BYTES, stream));
        break;
    case RENEW_BUFFER:
        renew_buffer(o, stream);
        break;
    case POOLED:
        renew_in_order(o, stream);
        break;
    case RENEW_STREAM:
        renew_stream(o);
        break;
    case WAIT:
        if (o->sum % 3 == 0)
            MUST(cuStreamSynchronize(stream));
        else if (o->sum % 3 == 1)
            MUST(cuCtxSynchronize());
        else
            CHECK(cuStreamQuery(stream) % 600 == 0);
        break;
    default:
        break;
    }
}

static void *run(void *number) {
    int self = (int)(intptr_t)number;
    MUST(cuCtxSetCurrent(context));
    for (const operation *o = program; o < program + OPERATIONS; o++) {
        if (o->thread != self)
            continue;
        begin(o);
        CUstream stream = handle(o->stream);
        for (int i = 0; i < 2; i++)
            wait_for(&o->of[i], stream);
        make(o);
        for (int i = 0; i < 2; i++)
            if (o->of[i].record)
                MUST(cuEventRecord(events[o->of[i].buffer], stream));
        end(o);
    }
    return NULL;
}

/* ---- one after the other --------------------------------------------------------------------- */

static void compare(const uint32_t *seen, const uint32_t *expected, uint64_t seed, int what,
                    const char *of) {
    for (int i = 0; i < WORDS; i++)
        if (seen[i] != expected[i]) {
            fprintf(stderr, "seed %llu: word %d of %s %d is %u, not %u\n",
                    (unsigned long long)seed, i, of, what, seen[i], expected[i]);
            exit(1);
        }
}

static void run_program(uint64_t seed) {
    static uint32_t expected[BUFFERS][WORDS];
    uint32_t seen[WORDS];
    pthread_t all[THREADS];
    state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    threads = 2 + (int)below(THREADS - 1);
    for (int i = 0; i < OPERATIONS; i++)
        choose(i);
    model(expected);
    memset(tickets, 0, sizeof tickets);
    memset(uses, 0, sizeof uses);
    memset(renewals, 0, sizeof renewals);
    for (int i = 0; i < BUFFERS; i++)
        MUST(cuMemsetD32_v2(buffers[i], 0, WORDS));
    MUST(cuCtxSynchronize());
    for (intptr_t i = 0; i < threads; i++)
        CHECK(pthread_create(&all[i], NULL, run, (void *)i) == 0);
    for (int i = 0; i < threads; i++)
        pthread_join(all[i], NULL);
    MUST(cuCtxSynchronize());
    for (int i = 0; i < OPERATIONS; i++)
        if (program[i].kind == DOWN)
            compare(pinned + i * WORDS, program[i].expected, seed, i, "operation");
    for (int i = 0; i < BUFFERS; i++) {
        MUST(cuMemcpyDtoH_v2(seen, buffers[i], BYTES));
        compare(seen, expected[i], seed, i, "buffer");
    }
}

static void prepare(void) {
    int device;
    CUmodule module;
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuCtxCreate_v2(&context, 0, device));
    MUST(cuModuleLoadData(&module, MIX));
    MUST(cuModuleGetFunction(&mix, module, "mix"));
    MUST(cuMemHostAlloc((void **)&pinned, OPERATIONS * BYTES, 0));
    for (int i = 0; i < BUFFERS; i++) {
        MUST(cuMemAlloc_v2(&buffers[i], BYTES));
        MUST(cuEventCreate(&events[i], 0));
    }
    for (int i = 0; i < STREAMS; i++)
        MUST(cuStreamCreate(&streams[i], (unsigned int)i % 2));
}

int main(int argc, char **argv) {
    CHECK(argc == 2 && strchr(argv[1], '+') != NULL);
    uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(strchr(argv[1], '+'), NULL, 10);
    prepare();
    for (uint64_t seed = first; seed < first + count; seed++)
        run_program(seed);
    puts("ok");
    return 0;
}
