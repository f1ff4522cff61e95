/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost of page-locking memory again and again, of a flag of the device that each step of a loop
 * reads, of threads that each have a stream, and perhaps memory from its pool, of functions of the
 * program in a stream, of managed memory that program and device use in turns, and of a program
 * that trains: it shows what one of several at once has; of memory that the program registers; and
 * of a call that another thread's wait may hold up.
 * usage: loops pinned COUNT | loops flags COUNT | loops threads COUNT | loops pools COUNT |
 *        loops functions COUNT | loops managed COUNT | loops solver COUNT | loops touches COUNT |
 *        loops training COUNT | loops registered COUNT | loops held COUNT
 * COUNT is how often each is done: pairs of allocating and freeing, steps, or steps of each thread;
 * of touches it is the MiB of managed memory, a power of two, of training the seconds.
 */
#include "figure.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static const char IMAGE[] =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .entry increment(.param .u64 counter)\n"
    "{\n.reg .b64 %rd<3>;\n.reg .b32 %r<3>;\n"
    "ld.param.u64 %rd1, [counter];\ncvta.to.global.u64 %rd2, %rd1;\n"
    "ld.global.u32 %r1, [%rd2];\nadd.s32 %r2, %r1, 1;\n"
    "st.global.u32 [%rd2], %r2;\nret;\n}\n"
    ".visible .entry turn(.param .u64 word, .param .u32 rounds)\n"
    "{\n.reg .pred %p;\n.reg .b64 %rd<2>;\n.reg .b32 %r<4>;\n"
    "ld.param.u64 %rd1, [word];\nld.param.u32 %r1, [rounds];\nmov.u32 %r2, 1;\n"
    "again:\nmad.lo.u32 %r2, %r2, 1664525, 1013904223;\nsub.u32 %r1, %r1, 1;\n"
    "setp.ne.u32 %p, %r1, 0;\n@%p bra again;\nst.u32 [%rd1], %r2;\nret;\n}\n"
    ".visible .entry touch(.param .u64 memory, .param .u32 factor, .param .u32 mask)\n"
    "{\n.reg .b64 %rd<4>;\n.reg .b32 %r<8>;\n"
    "ld.param.u64 %rd1, [memory];\nld.param.u32 %r1, [factor];\n"
    "ld.param.u32 %r2, [mask];\n"
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.x;\n"
    "mad.lo.u32 %r3, %r3, %r4, %r5;\n"
    "mul.lo.u32 %r3, %r3, %r1;\nand.b32 %r3, %r3, %r2;\n"
    "mul.wide.u32 %rd2, %r3, 4096;\nadd.u64 %rd3, %rd1, %rd2;\n"
    "ld.u32 %r6, [%rd3];\nadd.u32 %r6, %r6, 1;\nst.u32 [%rd3], %r6;\nret;\n"
    "}\n"
    ".visible .entry sweep(.param .u64 grid, .param .u64 edge, .param .u64 most)\n"
    "{\n.reg .pred %p<2>;\n.reg .b64 %rd<7>;\n.reg .b32 %r<8>;\n"
    "ld.param.u64 %rd1, [grid];\nld.param.u64 %rd2, [edge];\nld.param.u64 %rd3, [most];\n"
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.x;\n"
    "mad.lo.u32 %r3, %r3, %r4, %r5;\n"
    "mul.wide.u32 %rd4, %r3, 4;\nadd.u64 %rd5, %rd1, %rd4;\n"
    "ld.u32 %r6, [%rd2];\nld.u32 %r7, [%rd5];\nadd.u32 %r7, %r7, %r6;\n"
    "st.u32 [%rd5], %r7;\n"
    "setp.ne.u32 %p1, %r3, 0;\n@%p1 bra end;\nst.u32 [%rd3], %r7;\n"
    "end:\nret;\n}\n";

enum { KIB = 1 << 10, MIB = 1 << 20, LARGE_SHARE = 20, THREADS = 16, LAUNCHES = 4 };

static device gpu;
static CUfunction increment;
static long count;

static void launch(CUdeviceptr word, CUstream stream) {
    void *parameters[] = {&word};
    CHECK(cuLaunchKernel(increment, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
}

/* ---- page-locked memory ---------------------------------------------------------------------- */

static void pinned_pair(size_t bytes) {
    char *memory;
    CHECK(cuMemHostAlloc((void **)&memory, bytes, 0));
    memory[bytes - 1] = 1;
    CHECK(cuMemFreeHost(memory));
}

static void measure_pinned(const char *name, size_t bytes, long pairs) {
    int64_t *samples = allocate((size_t)pairs * sizeof *samples);
    for (long i = -pairs / 10 - 1; i < pairs; i++) {
        int64_t start = clock_ns();
        pinned_pair(bytes);
        if (i >= 0)
            samples[i] = clock_ns() - start;
    }
    print_figure(name, percentile(samples, pairs, 50));
    free(samples);
}

static void measure_all_pinned(void) {
    measure_pinned("pinned_4k", 4 * KIB, count);
    measure_pinned("pinned_1m", MIB, count);
    measure_pinned("pinned_64m", 64 * MIB, count / LARGE_SHARE + 1);
}

/* ---- memory that the program registers ------------------------------------------------------- */

enum { DEVICEMAP = 2, NOT_SUPPORTED = 801 };

/* One kernel after the other adds to its first word there; 0 where kernels cannot have it. */
static double kernel_in(uint32_t *words, long launches) {
    CUdeviceptr there;
    CUresult result = cuMemHostGetDevicePointer_v2(&there, words, 0);
    if (result == NOT_SUPPORTED)
        return 0;
    CHECK(result);
    uint32_t before = words[0];
    int64_t start = clock_ns();
    for (long i = 0; i < launches; i++) {
        launch(there, 0);
        CHECK(cuStreamSynchronize(0));
        if (words[0] != before + (uint32_t)i + 1) {
            fprintf(stderr, "the word is %u after %ld kernels\n", words[0], i + 1);
            exit(1);
        }
    }
    return since_us(start) / (double)launches;
}

static double copy_from(const void *memory, CUdeviceptr to, size_t bytes, long copies) {
    int64_t start = clock_ns();
    for (long i = 0; i < copies; i++)
        CHECK(cuMemcpyHtoDAsync_v2(to, memory, bytes, 0));
    CHECK(cuStreamSynchronize(0));
    return since_us(start) / (double)copies;
}

/* Its contents are there behind each pair. */
static void measure_registered(void) {
    enum { BYTES = 64 * MIB, COPIES = 20 };
    uint32_t *words = malloc(BYTES);
    CUdeviceptr to = device_memory(BYTES);
    int64_t *samples = allocate((size_t)count * sizeof *samples);
    if (words == NULL)
        exit(1);
    memset(words, 1, BYTES);
    print_figure("copy_ordinary_64m", copy_from(words, to, BYTES, COPIES));
    for (long i = 0; i < count; i++) {
        int64_t start = clock_ns();
        CHECK(cuMemHostRegister_v2(words, BYTES, DEVICEMAP));
        CHECK(cuMemHostUnregister(words));
        samples[i] = clock_ns() - start;
    }
    print_figure("registered_64m", percentile(samples, count, 50));
    CHECK(cuMemHostRegister_v2(words, BYTES, DEVICEMAP));
    print_figure("copy_registered_64m", copy_from(words, to, BYTES, COPIES));
    print_figure("kernel_registered", kernel_in(words, 1000));
    CHECK(cuMemHostUnregister(words));
    if (words[BYTES / sizeof *words - 1] != 0x01010101) {
        fprintf(stderr, "what registered memory held is lost\n");
        exit(1);
    }
    free(samples);
    free(words);
    CHECK(cuMemFree_v2(to));
}

/* ---- flags ----------------------------------------------------------------------------------- */

/* A step of XLA's while loop: work, then a byte of the device that says whether there is another
 * one. */
static void step(CUdeviceptr word, volatile uint8_t *flag, CUstream stream, uint8_t expected) {
    launch(word, stream);
    CHECK(cuMemcpyDtoHAsync_v2((void *)flag, word, 1, stream));
    CHECK(cuStreamSynchronize(stream));
    if (*flag != expected) {
        fprintf(stderr, "the flag is %u and not %u\n", *flag, expected);
        exit(1);
    }
}

static void measure_flags(const char *name, volatile uint8_t *flag) {
    CUstream stream;
    int64_t *samples = allocate((size_t)count * sizeof *samples);
    CUdeviceptr word = device_memory(sizeof(uint32_t));
    CHECK(cuMemsetD32_v2(word, 0, 1));
    CHECK(cuStreamCreate(&stream, 1));
    for (long i = 0; i < count; i++) {
        int64_t start = clock_ns();
        step(word, flag, stream, (uint8_t)(i + 1));
        samples[i] = clock_ns() - start;
    }
    print_figure(name, percentile(samples, count, 50));
    CHECK(cuStreamDestroy_v2(stream));
    CHECK(cuMemFree_v2(word));
    free(samples);
}

static void measure_all_flags(void) {
    uint8_t pageable = 0, *pinned;
    CHECK(cuMemHostAlloc((void **)&pinned, sizeof *pinned, 0));
    measure_flags("flag_pinned", pinned);
    measure_flags("flag_pageable", &pageable);
    CHECK(cuMemFreeHost(pinned));
}

/* ---- managed memory -------------------------------------------------------------------------- */

/* The program adds one to a word of each page, and the device to the first word; then the program
 * looks at all. */
static void take_turns(volatile uint32_t *words, size_t bytes, uint32_t turn) {
    enum { PAGE_WORDS = 1024 };
    size_t pages = bytes / (PAGE_WORDS * sizeof *words);
    for (size_t i = 0; i < pages; i++)
        words[i * PAGE_WORDS + 1] = turn;
    launch((CUdeviceptr)(uintptr_t)words, 0);
    CHECK(cuStreamSynchronize(0));
    uint64_t sum = 0;
    for (size_t i = 0; i < pages; i++)
        sum += words[i * PAGE_WORDS + 1];
    if (words[0] != turn || sum != (uint64_t)turn * pages) {
        fprintf(stderr, "turn %u: the first word is %u, the sum %llu\n", turn, words[0],
                (unsigned long long)sum);
        exit(1);
    }
}

static void measure_managed(const char *name, size_t bytes, long turns) {
    CUdeviceptr memory;
    int64_t *samples = allocate((size_t)turns * sizeof *samples);
    CHECK(cuMemAllocManaged(&memory, bytes, 1));
    for (long i = 0; i < turns; i++) {
        int64_t start = clock_ns();
        take_turns((volatile uint32_t *)(uintptr_t)memory, bytes, (uint32_t)i + 1);
        samples[i] = clock_ns() - start;
    }
    print_figure(name, percentile(samples, turns, 50));
    CHECK(cuMemFree_v2(memory));
    free(samples);
}

static void measure_all_managed(void) {
    measure_managed("managed_64k", 64 * KIB, count);
    measure_managed("managed_64m", 64 * MIB, count / LARGE_SHARE + 1);
}

/* A step of a solver: the program sets what lies at the edge, the device works on the grid, and the
 * program looks at what says whether there is another step. All three are managed memory. */
static void solve_step(CUdeviceptr grid, CUdeviceptr edge, CUdeviceptr most, uint32_t turn) {
    enum { BLOCK_THREADS = 256 };
    void *parameters[] = {&grid, &edge, &most};
    *(volatile uint32_t *)(uintptr_t)edge = turn;
    CHECK(cuLaunchKernel(kernel(&gpu, "sweep"), 64 * MIB / sizeof(uint32_t) / BLOCK_THREADS, 1, 1,
                         BLOCK_THREADS, 1, 1, 0, 0, parameters, NULL));
    CHECK(cuStreamSynchronize(0));
    uint32_t seen = *(volatile uint32_t *)(uintptr_t)most;
    if (seen != turn * (turn + 1) / 2) {
        fprintf(stderr, "step %u: the device says %u\n", turn, seen);
        exit(1);
    }
}

static CUdeviceptr managed_zeros(size_t bytes) {
    CUdeviceptr memory;
    CHECK(cuMemAllocManaged(&memory, bytes, 1));
    CHECK(cuMemsetD8_v2(memory, 0, bytes));
    return memory;
}

static void measure_solver(void) {
    CUdeviceptr grid = managed_zeros(64 * MIB), edge = managed_zeros(64 * KIB),
                most = managed_zeros(64 * KIB);
    int64_t *samples = allocate((size_t)count * sizeof *samples);
    for (long i = 0; i < count; i++) {
        int64_t start = clock_ns();
        solve_step(grid, edge, most, (uint32_t)i + 1);
        samples[i] = clock_ns() - start;
    }
    print_figure("solver_64m", percentile(samples, count, 50));
    free(samples);
    CHECK(cuMemFree_v2(most));
    CHECK(cuMemFree_v2(edge));
    CHECK(cuMemFree_v2(grid));
}

/* ---- each page of managed memory, once ------------------------------------------------------- */

enum { PAGE = 4096, IN_ORDER = 1, BLOCK = 256 };
static const uint32_t SCATTERED = 2654435761u;

typedef struct pages {
    volatile uint32_t *words;
    uint32_t mask;
} pages;

static double by_program(const pages *p, uint32_t factor) {
    int64_t start = clock_ns();
    for (uint32_t i = 0; i <= p->mask; i++)
        p->words[(size_t)(i * factor & p->mask) * (PAGE / sizeof(uint32_t))]++;
    return since_us(start);
}

static double by_device(const pages *p, uint32_t factor) {
    CUdeviceptr memory = (CUdeviceptr)(uintptr_t)p->words;
    uint32_t mask = p->mask;
    void *parameters[] = {&memory, &factor, &mask};
    int64_t start = clock_ns();
    CHECK(cuLaunchKernel(kernel(&gpu, "touch"), (p->mask + 1) / BLOCK, 1, 1, BLOCK, 1, 1, 0, 0,
                         parameters, NULL));
    CHECK(cuStreamSynchronize(0));
    return since_us(start);
}

static void check_pages(const pages *p, uint32_t touches) {
    for (uint32_t i = 0; i <= p->mask; i++)
        if (p->words[(size_t)i * (PAGE / sizeof(uint32_t))] != touches) {
            fprintf(stderr, "a page was touched %u times and not %u\n",
                    p->words[(size_t)i * (PAGE / sizeof(uint32_t))], touches);
            exit(1);
        }
}

/* Either side has all pages from the other when it is its turn. */
static void measure_all_touches(void) {
    CUdeviceptr memory;
    size_t bytes = (size_t)count * MIB;
    pages p = {.mask = (uint32_t)(bytes / PAGE - 1)};
    CHECK(cuMemAllocManaged(&memory, bytes, 1));
    p.words = (volatile uint32_t *)(uintptr_t)memory;
    CHECK(cuMemsetD8_v2(memory, 0, bytes));
    CHECK(cuStreamSynchronize(0));
    int64_t start = clock_ns();
    p.words[bytes / 2 / sizeof(uint32_t)]++;
    print_figure("touch_one", since_us(start));
    p.words[bytes / 2 / sizeof(uint32_t)]--;
    by_program(&p, IN_ORDER);
    print_figure("touch_device", by_device(&p, IN_ORDER));
    print_figure("touch_program", by_program(&p, IN_ORDER));
    print_figure("touch_device_scattered", by_device(&p, SCATTERED));
    print_figure("touch_program_scattered", by_program(&p, SCATTERED));
    check_pages(&p, 5);
    CHECK(cuMemFree_v2(memory));
}

/* ---- threads --------------------------------------------------------------------------------- */

static pthread_barrier_t begin;

static CUstream own_stream(void) {
    CUstream stream;
    CHECK(cuCtxSetCurrent(gpu.context));
    CHECK(cuStreamCreate(&stream, 1));
    return stream;
}

static void require_count(uint32_t counted, uint32_t expected) {
    if (counted != expected) {
        fprintf(stderr, "a thread counted to %u and not %u\n", counted, expected);
        exit(1);
    }
}

static void *launch_and_wait(void *unused) {
    CUstream stream = own_stream();
    uint32_t counted = 0;
    CUdeviceptr word = device_memory(sizeof counted);
    CHECK(cuMemsetD32_v2(word, 0, 1));
    CHECK(cuStreamSynchronize(0)); /* the thread's stream does not wait for that one */
    pthread_barrier_wait(&begin);
    for (long i = 0; i < count; i++) {
        for (int j = 0; j < LAUNCHES; j++)
            launch(word, stream);
        CHECK(cuStreamSynchronize(stream));
    }
    pthread_barrier_wait(&begin);
    CHECK(cuMemcpyDtoH_v2(&counted, word, sizeof counted));
    require_count(counted, (uint32_t)(count * LAUNCHES));
    CHECK(cuMemFree_v2(word));
    CHECK(cuStreamDestroy_v2(stream));
    return unused;
}

/* Memory from the pool, filled, used, copied back to ordinary memory and freed. */
static void *use_pool(void *unused) {
    enum { WORDS = 64 * KIB / sizeof(uint32_t) };
    CUstream stream = own_stream();
    uint32_t *back = malloc(WORDS * sizeof *back);
    if (back == NULL)
        exit(1);
    pthread_barrier_wait(&begin);
    for (long i = 0; i < count; i++) {
        CUdeviceptr memory;
        CHECK(cuMemAllocAsync(&memory, WORDS * sizeof *back, stream));
        CHECK(cuMemsetD32Async(memory, (uint32_t)i, WORDS, stream));
        launch(memory, stream);
        CHECK(cuMemcpyDtoHAsync_v2(back, memory, WORDS * sizeof *back, stream));
        CHECK(cuMemFreeAsync(memory, stream));
        CHECK(cuStreamSynchronize(stream));
        require_count(back[0], (uint32_t)i + 1);
        require_count(back[WORDS - 1], (uint32_t)i);
    }
    pthread_barrier_wait(&begin);
    free(back);
    CHECK(cuStreamDestroy_v2(stream));
    return unused;
}

/* The time of a step: of one thread, or of all of them side by side. */
static void measure_side_by_side(void *(*work)(void *), const char *what, int all) {
    char name[32];
    pthread_t threads[THREADS];
    snprintf(name, sizeof name, "%s_%d", what, all);
    pthread_barrier_init(&begin, NULL, (unsigned)all + 1);
    for (int i = 0; i < all; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            exit(1);
    pthread_barrier_wait(&begin);
    int64_t start = clock_ns();
    pthread_barrier_wait(&begin);
    print_figure(name, since_us(start) / (double)count);
    for (int i = 0; i < all; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&begin);
}

static void measure_all_threads(void) {
    for (int all = 1; all <= THREADS; all *= 2)
        measure_side_by_side(launch_and_wait, "threads", all);
}

static void measure_all_pools(void) {
    for (int all = 1; all <= THREADS; all *= 2)
        measure_side_by_side(use_pool, "pools", all);
}

/* ---- functions of the program ---------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t reached = PTHREAD_COND_INITIALIZER;
static long finished;

static void finish(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    finished++;
    pthread_cond_signal(&reached);
    pthread_mutex_unlock(&lock);
}

/* A step of XLA's executable: work, and a function that says that it is over. */
static void step_with_function(CUdeviceptr word, CUstream stream, int asks) {
    launch(word, stream);
    CHECK(cuLaunchHostFunc(stream, finish, NULL));
    for (int i = 0; i < asks; i++)
        CHECK(cuMemcpyDtoH_v2(&(uint32_t){0}, word, sizeof(uint32_t)));
}

static void await_finished(long steps) {
    pthread_mutex_lock(&lock);
    while (finished < steps)
        pthread_cond_wait(&reached, &lock);
    pthread_mutex_unlock(&lock);
}

static void measure_functions(const char *name, const char *slow, int asks) {
    CUstream stream;
    CHECK(cuStreamCreate(&stream, 1));
    CUdeviceptr word = device_memory(sizeof(uint32_t));
    int64_t *samples = allocate((size_t)count * sizeof *samples);
    finished = 0;
    for (long i = 0; i < count; i++) {
        int64_t start = clock_ns();
        step_with_function(word, stream, asks);
        await_finished(i + 1);
        samples[i] = clock_ns() - start;
    }
    print_figure(name, percentile(samples, count, 50));
    print_figure(slow, percentile(samples, count, 90));
    free(samples);
    CHECK(cuMemFree_v2(word));
    CHECK(cuStreamDestroy_v2(stream));
}

/* A step whose next kernel is behind the function, and the program's wait behind both. */
static void measure_between(void) {
    CUstream stream;
    CHECK(cuStreamCreate(&stream, 1));
    CUdeviceptr word = device_memory(sizeof(uint32_t));
    int64_t *samples = allocate((size_t)count * sizeof *samples);
    finished = 0;
    for (long i = 0; i < count; i++) {
        int64_t start = clock_ns();
        step_with_function(word, stream, 0);
        launch(word, stream);
        CHECK(cuStreamSynchronize(stream));
        samples[i] = clock_ns() - start;
        await_finished(i + 1);
    }
    print_figure("function_between", percentile(samples, count, 50));
    print_figure("function_between_90", percentile(samples, count, 90));
    free(samples);
    CHECK(cuMemFree_v2(word));
    CHECK(cuStreamDestroy_v2(stream));
}

static void measure_all_functions(void) {
    measure_functions("function", "function_90", 0);
    measure_functions("function_and_answers", "function_and_answers_90", 2);
    measure_between();
}

/* ---- a call while another thread waits ------------------------------------------------------- */

enum { QUIET_WAITS = 40, LONG_US = 10000, MIDST_US = 2000 };

static uint32_t rounds; /* of the kernel 'turn', that take so long */

static void turn(CUdeviceptr word, CUstream stream) {
    void *parameters[] = {&word, &rounds};
    CHECK(cuLaunchKernel(kernel(&gpu, "turn"), 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
}

static double shortest_turn(CUdeviceptr word) {
    double shortest = 0;
    for (int i = 0; i < 3; i++) {
        int64_t start = clock_ns();
        turn(word, 0);
        CHECK(cuStreamSynchronize(0));
        if (i == 0 || since_us(start) < shortest)
            shortest = since_us(start);
    }
    return shortest;
}

static void find_rounds(CUdeviceptr word) {
    for (rounds = 1 << 12; shortest_turn(word) < LONG_US && rounds < 1u << 30;)
        rounds *= 2;
}

static void *wait_often(void *of) {
    CUstream stream = own_stream();
    for (long i = 0; i < count * (QUIET_WAITS + 1); i++) {
        turn(*(CUdeviceptr *)of, stream);
        pthread_barrier_wait(&begin);
        CHECK(cuStreamSynchronize(stream));
    }
    CHECK(cuStreamDestroy_v2(stream));
    return NULL;
}

/* Behind waits in which nobody calls, this thread does so in the midst of one: it is the first to
 * call, and has no ring of its own. */
static void measure_held(void) {
    pthread_t waits;
    CUstream own = own_stream();
    CUdeviceptr word = device_memory(sizeof(uint32_t)), there = device_memory(sizeof(uint32_t));
    int64_t *samples = allocate((size_t)count * sizeof *samples);
    find_rounds(word);
    pthread_barrier_init(&begin, NULL, 2);
    if (pthread_create(&waits, NULL, wait_often, &word) != 0)
        exit(1);
    for (long i = 0; i < count * (QUIET_WAITS + 1); i++) {
        pthread_barrier_wait(&begin);
        if (i % (QUIET_WAITS + 1) < QUIET_WAITS)
            continue;
        usleep(MIDST_US);
        int64_t start = clock_ns();
        CHECK(cuMemcpyDtoHAsync_v2(&(uint32_t){0}, there, sizeof(uint32_t), own));
        samples[i / (QUIET_WAITS + 1)] = clock_ns() - start;
    }
    pthread_join(waits, NULL);
    print_figure("held", percentile(samples, count, 50));
    print_figure("held_90", percentile(samples, count, 90));
    free(samples);
    CHECK(cuStreamDestroy_v2(own));
    CHECK(cuMemFree_v2(there));
    CHECK(cuMemFree_v2(word));
}

/* ---- training -------------------------------------------------------------------------------- */

enum { HALF = 40, MOST_STEPS = 1 << 20 };

static CUdeviceptr loss;
static int backward;            /* whose turn it is; under the lock */

static void pass_turn(int to) {
    pthread_mutex_lock(&lock);
    backward = to;
    pthread_cond_broadcast(&reached);
    pthread_mutex_unlock(&lock);
}

static void await_turn(int mine) {
    pthread_mutex_lock(&lock);
    while (backward != mine)
        pthread_cond_wait(&reached, &lock);
    pthread_mutex_unlock(&lock);
}

static void launch_half(void) {
    for (int i = 0; i < HALF; i++)
        launch(loss, 0);
}

/* As frameworks do it: the other half of a step's kernels is another thread's. */
static void *launch_backward(void *unused) {
    CHECK(cuCtxSetCurrent(gpu.context));
    for (;;) {
        await_turn(1);
        launch_half();
        pass_turn(0);
    }
    return unused;
}

/* The loss is read each time. */
static void train_step(uint32_t *read) {
    launch_half();
    pass_turn(1);
    await_turn(0);
    CHECK(cuMemcpyDtoH_v2(read, loss, sizeof *read));
}

/* The steps of a second; returns how many. */
static long train_second(int64_t *samples, uint32_t *read) {
    long steps = 0;
    int64_t start = clock_ns(), end = start + 1000000000;
    for (int64_t now = start; now < end && steps < MOST_STEPS; steps++, start = now) {
        train_step(read);
        now = clock_ns();
        samples[steps] = now - start;
    }
    print_figure("training", percentile(samples, steps, 50));
    return steps;
}

/* A figure each second: who measures several programs at once takes those of the same time. */
static void measure_training(void) {
    int64_t *samples = allocate(MOST_STEPS * sizeof *samples);
    uint32_t read = 0;
    long steps = 0;
    pthread_t other;
    loss = device_memory(sizeof read);
    CHECK(cuMemsetD32_v2(loss, 0, 1));
    CHECK(cuStreamSynchronize(0));
    if (pthread_create(&other, NULL, launch_backward, NULL) != 0)
        exit(1);
    for (long second = 0; second < count; second++)
        steps += train_second(samples, &read);
    require_count(read, (uint32_t)(2 * HALF * steps));
    free(samples);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*measure)(void);
    } all[] = {{"pinned", measure_all_pinned},   {"flags", measure_all_flags},
               {"threads", measure_all_threads}, {"pools", measure_all_pools},
               {"functions", measure_all_functions}, {"managed", measure_all_managed},
               {"solver", measure_solver}, {"touches", measure_all_touches},
               {"training", measure_training}, {"registered", measure_registered},
               {"held", measure_held}};
    for (size_t i = 0; argc == 3 && i < sizeof all / sizeof *all; i++) {
        if (strcmp(argv[1], all[i].name) != 0)
            continue;
        count = number(argv[2]);
        gpu = open_device(IMAGE);
        increment = kernel(&gpu, "increment");
        all[i].measure();
        close_device(&gpu);
        return 0;
    }
    fprintf(stderr, "usage: loops pinned|flags|threads|pools|functions|managed|solver|"
                    "touches|training|registered|held COUNT\n");
    return 2;
}
