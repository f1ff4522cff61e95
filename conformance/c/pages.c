/* SPDX-License-Identifier: Apache-2.0
 * Managed memory whose pages travel, each topic in one case; prints "ok".
 * usage: pages CASE; "random SEED STEPS" is one
 */
#include "case.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char KERNELS[] = ADD_KERNEL;

enum { GLOBAL = 1, PAGE = 4096 };

typedef struct place {
    CUcontext context;
    CUfunction add;
    CUstream stream;
} place;

static place first, second;             /* the second device, or the first again */
static CUstream stream;

static void begin_on(place *p, int device) {
    CUmodule module;
    MUST(cuDevicePrimaryCtxRetain(&p->context, device));
    MUST(cuCtxSetCurrent(p->context));
    MUST(cuModuleLoadData(&module, KERNELS));
    MUST(cuModuleGetFunction(&p->add, module, "add"));
    MUST(cuStreamCreate(&p->stream, 1));
}

static void prepare(void) {
    int devices;
    MUST(cuInit(0));
    MUST(cuDeviceGetCount(&devices));
    begin_on(&second, devices > 1 ? 1 : 0);
    begin_on(&first, 0);
    stream = first.stream;
}

static CUdeviceptr device(const volatile void *memory) { return (CUdeviceptr)(uintptr_t)memory; }

static uint32_t *managed(size_t bytes) {
    CUdeviceptr pointer;
    MUST(cuMemAllocManaged(&pointer, bytes, GLOBAL));
    return (uint32_t *)(uintptr_t)pointer;
}

static void launch_on(const place *p, const volatile uint32_t *to, uint32_t count, uint32_t what) {
    CUdeviceptr pointer = device(to);
    void *parameters[] = {&pointer, &count, &what};
    MUST(cuLaunchKernel(p->add, (count + 127) / 128, 1, 1, 128, 1, 1, 0, p->stream, parameters,
                        NULL));
}

static void launch(const volatile uint32_t *to, uint32_t count, uint32_t what) {
    launch_on(&first, to, count, what);
}

/* ---- against a model ------------------------------------------------------------------------- */

enum { RANGES = 3, MOST = 1 << 19 };
static const uint32_t sizes[RANGES] = {1500, 70001, MOST};     /* words */

typedef struct both {
    volatile uint32_t *memory;
    uint32_t *model;
    uint32_t count;
} both;

typedef struct span {
    both *of;
    uint32_t from, count;
} span;

static both ranges[RANGES];
static uint64_t state;

static uint32_t draw(uint32_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)((state >> 33) % below);
}

static span draw_span(uint32_t most) {
    span s = {.of = &ranges[draw(RANGES)]};
    s.from = draw(s.of->count);
    s.count = 1 + draw(s.of->count - s.from);
    if (s.count > most)
        s.count = most;
    return s;
}

static volatile uint32_t *here(const span *s) { return s->of->memory + s->from; }
static uint32_t *expected(const span *s) { return s->of->model + s->from; }

static void allocate(both *one, uint32_t count) {
    *one = (both){managed(count * 4), calloc(count, 4), count};
    CHECK(one->model != NULL);
}

static void reads(void) {
    span s = draw_span(5000);
    for (uint32_t i = 0; i < s.count; i++)
        CHECK(here(&s)[i] == expected(&s)[i]);
}

static void writes(void) {
    span s = draw_span(draw(4) == 0 ? 20000 : 3);
    for (uint32_t i = 0; i < s.count; i++)
        here(&s)[i] = expected(&s)[i] = draw(1u << 31);
}

static void adds_on(const place *p) {
    span s = draw_span(30000);
    uint32_t what = draw(1000);
    launch_on(p, here(&s), s.count, what);
    for (uint32_t i = 0; i < s.count; i++)
        expected(&s)[i] += what;
}

static void adds(void) { adds_on(&first); }

static void renews(void) {
    both *one = &ranges[draw(RANGES - 1)];
    uint32_t count = one->count;
    MUST(cuMemFree_v2(device(one->memory)));
    free(one->model);
    allocate(one, count);
}

/* In the context of the second device; memory that is made there is of that device. */
static void adds_elsewhere(void) {
    MUST(cuStreamSynchronize(stream));
    MUST(cuCtxSetCurrent(second.context));
    if (draw(2) == 0)
        renews();
    adds_on(&second);
    if (draw(2) == 0)
        reads();
    MUST(cuStreamSynchronize(second.stream));
    MUST(cuCtxSetCurrent(first.context));
}

static void copies(void) {
    span to = draw_span(30000), from = draw_span(to.count);
    if (to.of == from.of)
        return;
    MUST(cuMemcpyAsync(device(here(&to)), device(here(&from)), from.count * 4, stream));
    memcpy(expected(&to), expected(&from), from.count * 4);
}

static void comes(void) {
    span s = draw_span(30000);
    uint32_t *plain = malloc(s.count * 4);
    MUST(cuMemcpyDtoHAsync_v2(plain, device(here(&s)), s.count * 4, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(memcmp(plain, expected(&s), s.count * 4) == 0);
    free(plain);
}

static void goes(void) {
    span s = draw_span(30000);
    for (uint32_t i = 0; i < s.count; i++)
        expected(&s)[i] = draw(1u << 31);
    MUST(cuMemcpyHtoDAsync_v2(device(here(&s)), expected(&s), s.count * 4, stream));
    MUST(cuStreamSynchronize(stream));
}

static void fills(void) {
    span s = draw_span(30000);
    uint32_t what = draw(1u << 31);
    MUST(cuMemsetD32Async(device(here(&s)), what, s.count, stream));
    for (uint32_t i = 0; i < s.count; i++)
        expected(&s)[i] = what;
}

static void twice(void *of) {
    span *s = of;
    for (uint32_t i = 0; i < s->count; i++)
        here(s)[i] *= 2;
    free(s);
}

static void functions(void) {
    span s = draw_span(3000), *given = malloc(sizeof s);
    *given = s;
    MUST(cuLaunchHostFunc(stream, twice, given));
    for (uint32_t i = 0; i < s.count; i++)
        expected(&s)[i] *= 2;
    if (draw(2) == 0)
        adds();
    MUST(cuStreamSynchronize(stream));
}

/* A system call takes the right bytes, or none. */
static void system_calls(void) {
    span s = draw_span(8000);
    int ends[2];
    uint8_t got[32000];
    MUST(cuStreamSynchronize(stream));
    CHECK(pipe(ends) == 0);
    ssize_t n = write(ends[1], (const void *)here(&s), s.count * 4);
    CHECK(n > 0 || errno == EFAULT);
    if (n > 0)
        CHECK(read(ends[0], got, (size_t)n) == n && memcmp(got, expected(&s), (size_t)n) == 0);
    close(ends[0]);
    close(ends[1]);
}

static void waits(void) { MUST(cuStreamSynchronize(stream)); }

static void against_a_model(uint64_t seed, long steps) {
    static void (*const all[])(void) = {reads, reads,          writes, writes,       adds,
                                        adds,  adds_elsewhere, copies, comes,        goes,
                                        fills, functions,      waits,  system_calls, renews};
    state = seed;
    for (int i = 0; i < RANGES; i++)
        allocate(&ranges[i], sizes[i]);
    for (long step = 0; step < steps; step++)
        all[draw(sizeof all / sizeof *all)]();
    for (int i = 0; i < RANGES; i++)
        for (uint32_t k = 0; k < ranges[i].count; k++)
            CHECK(ranges[i].memory[k] == ranges[i].model[k]);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { THREADS = 64, ROUNDS = 20, WORDS = PAGE / 4 };
static volatile uint32_t *shared_page;
static pthread_barrier_t barrier;

static void *touches(void *of) {
    uint32_t own = (uint32_t)(uintptr_t)of, value = own;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&barrier);
        if ((round + own) % 2 == 0)
            CHECK(shared_page[THREADS + own] == 3u * (unsigned)(round + 1));
        CHECK(shared_page[own] == (round == 0 ? 3 : value + 3));
        shared_page[own] = value = own * 1000 + (uint32_t)round;
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void one_page(void) {
    pthread_t threads[THREADS];
    shared_page = managed(PAGE);
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, touches, (void *)i) == 0);
    for (int round = 0; round < ROUNDS; round++) {
        launch(shared_page, WORDS, 3);
        MUST(cuStreamSynchronize(stream));
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* ---- faults of the program's own ------------------------------------------------------------- */

static sigjmp_buf back;
static volatile int caught;

static void on_fault(int number, siginfo_t *why, void *context) {
    (void)number, (void)why, (void)context;
    caught++;
    siglongjmp(back, 1);
}

static void catch_faults(void) {
    static char room[1 << 16];
    stack_t apart = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    CHECK(sigaltstack(&apart, NULL) == 0 && sigaction(SIGSEGV, &action, NULL) == 0);
}

static void fault_once(volatile uint32_t *at) {
    int before = caught;
    if (sigsetjmp(back, 1) == 0)
        *at = 1;
    CHECK(caught == before + 1);
}

__attribute__((noinline)) static int deep(volatile int *from) {
    volatile char room[4096];
    room[0] = (char)*from;
    return room[0] != 0 ? deep(from) + room[0] : 0;
}

static void work_and_look(volatile uint32_t *memory) {
    uint32_t before = memory[5];
    launch(memory, WORDS, 1);
    MUST(cuStreamSynchronize(stream));
    CHECK(memory[5] == before + 1);
}

static struct sigaction before_that;

static void passes_on(int number, siginfo_t *why, void *context) {
    before_that.sa_sigaction(number, why, context);
}

/* One that passes on what it does not use to the one that it has found. */
static void catch_and_pass_on(void) {
    struct sigaction action = {.sa_sigaction = passes_on, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    CHECK(sigaction(SIGSEGV, &action, &before_that) == 0);
}

/* A handler that is set before, and one that is set after; a stack that ends. */
static void handlers(void) {
    volatile uint32_t *forbidden = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    catch_faults();
    volatile uint32_t *memory = managed(PAGE);
    for (int turn = 0; turn < 3; turn++) {
        work_and_look(memory);
        fault_once(forbidden);
        fault_once(NULL);
        memory[7] = (uint32_t)turn;
        catch_faults();
    }
    int before = caught;
    volatile int start = 1;
    if (sigsetjmp(back, 1) == 0)
        deep(&start);
    CHECK(caught == before + 1);
    work_and_look(memory);
    catch_and_pass_on();
    work_and_look(memory);
    fault_once(forbidden);
    fault_once(forbidden);
    work_and_look(memory);
    MUST(cuMemFree_v2(device(memory)));
    fault_once(memory);
}

static volatile uint32_t *in_function;

static void doubles_slowly(void *unused) {
    (void)unused;
    usleep(20000);
    for (int i = 0; i < WORDS; i++)
        in_function[i] *= 2;
    usleep(20000);
}

/* A function of the program between two kernels, which the program does not wait for but touches.
 */
static void functions_and_touches(void) {
    uint32_t expected_now = 0;
    in_function = managed(PAGE);
    for (int turn = 0; turn < 10; turn++) {
        launch(in_function, WORDS, 3);
        MUST(cuLaunchHostFunc(stream, doubles_slowly, NULL));
        launch(in_function, WORDS, 5);
        if (turn % 2 == 0)
            MUST(cuStreamSynchronize(stream));
        else
            (void)in_function[7];
        MUST(cuStreamSynchronize(stream));
        expected_now = (expected_now + 3) * 2 + 5;
        CHECK(in_function[7] == expected_now && in_function[WORDS - 1] == expected_now);
    }
}

/* A child has none of it. */
static void children(void) {
    volatile uint32_t *memory = managed(PAGE);
    int status;
    work_and_look(memory);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        memory[5] = 77;
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
          WTERMSIG(status) == SIGSEGV);
    CHECK(memory[5] == 1);
    work_and_look(memory);
}

/* The program's protection of such memory does not last; pages that it unmaps are gone. */
static void protections(void) {
    catch_faults();
    volatile uint32_t *memory = managed(PAGE), *other = managed(PAGE);
    work_and_look(memory);
    CHECK(mprotect((void *)(uintptr_t)memory, PAGE, PROT_NONE) == 0);
    CHECK(memory[5] == 1);
    memory[5] = 10;
    work_and_look(memory);
    work_and_look(other);
    CHECK(munmap((void *)(uintptr_t)other, PAGE) == 0);
    fault_once(other);
    work_and_look(memory);
}

/* A system call may fill memory that no work has had yet, at any place and in any piece. */
static void fresh(void) {
    enum { COUNT = 300000, FIRST = 1 << 18, PIECES = 100 };
    volatile uint32_t *memory = managed(COUNT * 4), *small[PIECES];
    int ends[2];
    CHECK(pipe(ends) == 0);
    for (int i = 0; i < PIECES; i++)
        small[i] = managed(4);
    for (uint32_t i = 0; i < WORDS; i++)
        CHECK(write(ends[1], &i, sizeof i) == sizeof i);
    CHECK(read(ends[0], (void *)(uintptr_t)(memory + FIRST), WORDS * 4) == WORDS * 4);
    memory[COUNT - 1] = 7;
    *small[0] = *small[PIECES - 1] = 1;
    launch(memory, COUNT, 2);
    launch(small[PIECES - 1], 1, 2);
    MUST(cuStreamSynchronize(stream));
    CHECK(memory[0] == 2 && memory[COUNT - 1] == 9 && *small[0] == 1 && *small[PIECES - 1] == 3);
    for (uint32_t i = 0; i < WORDS; i++)
        CHECK(memory[FIRST + i] == i + 2);
    close(ends[0]);
    close(ends[1]);
}

/* ---- system calls ---------------------------------------------------------------------------- */

enum { FROM_THE_DEVICE = 1000 };

static ssize_t gathers(int fd, const void *memory, size_t bytes) {
    return writev(fd, &(struct iovec){.iov_base = (void *)(uintptr_t)memory, .iov_len = bytes}, 1);
}

static ssize_t sends(int fd, const void *memory, size_t bytes) {
    return send(fd, memory, bytes, MSG_NOSIGNAL);
}

static ssize_t scatters(int fd, void *memory, size_t bytes) {
    return readv(fd, &(struct iovec){.iov_base = memory, .iov_len = bytes}, 1);
}

static ssize_t receives(int fd, void *memory, size_t bytes) { return recv(fd, memory, bytes, 0); }

static ssize_t (*const takers[])(int, const void *, size_t) = {write, gathers, sends};
static ssize_t (*const givers[])(int, void *, size_t) = {read, scatters, receives};

/* A call takes the right bytes of pages that are here, and none of a page that is away. */
static void takes_what_is_here(ssize_t (*take)(int, const void *, size_t), int ends[2],
                               volatile uint32_t *memory, uint32_t expected_now) {
    /* so many come with the first one that is touched */
    enum { HERE = 16, ALL = 2 * PAGE };
    uint32_t got[ALL / 4];
    CHECK(take(ends[1], (void *)(uintptr_t)memory, PAGE) == -1 && errno == EFAULT);
    CHECK(memory[0] == expected_now);
    CHECK(take(ends[1], (void *)(uintptr_t)memory, PAGE) == PAGE &&
          read(ends[0], got, sizeof got) == PAGE);
    CHECK(got[0] == expected_now && got[WORDS - 1] == expected_now);
    ssize_t n = take(ends[1], (void *)(uintptr_t)(memory + (HERE - 1) * WORDS), ALL);
    CHECK((n == -1 && errno == EFAULT) || (n > 0 && n <= PAGE));
    if (n > 0)
        CHECK(read(ends[0], got, sizeof got) == n && got[0] == expected_now &&
              got[n / 4 - 1] == expected_now);
}

/* A call fills a page that the program has written to, and no other, of which nothing is lost. */
static void gives_where_it_may(ssize_t (*give)(int, void *, size_t), int ends[2],
                               volatile uint32_t *memory, uint32_t expected_now) {
    enum { OTHER = 32 * WORDS };
    uint32_t sent[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        sent[i] = 7 * i;
    CHECK(write(ends[1], sent, PAGE) == PAGE);
    CHECK(give(ends[0], (void *)(uintptr_t)(memory + OTHER), PAGE) == -1 && errno == EFAULT);
    CHECK(memory[OTHER] == expected_now && memory[OTHER + WORDS - 1] == expected_now);
    CHECK(give(ends[0], (void *)(uintptr_t)(memory + OTHER), PAGE) == -1 && errno == EFAULT);
    CHECK(memory[OTHER] == expected_now && memory[OTHER + WORDS - 1] == expected_now);
    memory[OTHER] = 1;
    CHECK(give(ends[0], (void *)(uintptr_t)(memory + OTHER), PAGE) == PAGE);
    launch(memory + OTHER, WORDS, FROM_THE_DEVICE);
    MUST(cuStreamSynchronize(stream));
    for (uint32_t i = 0; i < WORDS; i++)
        CHECK(memory[OTHER + i] == 7 * i + FROM_THE_DEVICE);
}

/* With pages that are away a call has the right bytes or EFAULT, as with any page that is
 * protected. */
static void all_system_calls(void) {
    enum { COUNT = 64 * WORDS };
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
        volatile uint32_t *memory = managed(COUNT * 4);
        launch(memory, COUNT, FROM_THE_DEVICE);
        MUST(cuStreamSynchronize(stream));
        takes_what_is_here(takers[i], ends, memory, FROM_THE_DEVICE);
        gives_where_it_may(givers[i], ends, memory, FROM_THE_DEVICE);
        MUST(cuMemFree_v2(device(memory)));
    }
    close(ends[0]);
    close(ends[1]);
}

/* The session's socket ends: pages that are away cannot be had any more, and that is a signal and
 * no zero. */
static void lost(void) {
    volatile uint32_t *memory = managed(PAGE);
    catch_faults();
    work_and_look(memory);
    launch(memory, WORDS, 1);
    MUST(cuStreamSynchronize(stream));
    for (int fd = 3; fd < 100; fd++)
        shutdown(fd, SHUT_RDWR);
    fault_once(memory);
    CHECK(cuCtxSynchronize() != 0);
}

int main(int argc, char **argv) {
    static const test_case cases[] = {
        {"one-page", one_page},
        {"handlers", handlers},
        {"functions", functions_and_touches},
        {"children", children},
        {"protections", protections},
        {"fresh", fresh},
        {"system-calls", all_system_calls},
        {"lost", lost},
    };
    unsigned long long seed;
    long steps;
    if (argc != 2 || sscanf(argv[1], "random %llu %ld", &seed, &steps) != 2)
        return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
    prepare();
    against_a_model(seed, steps);
    puts("ok");
    return 0;
}
