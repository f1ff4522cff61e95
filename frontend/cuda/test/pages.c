/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages of managed memory with many threads, beside a device that is an array here: its work runs
 * where it is asked for. Under the thread sanitizer, which knows no address of a device, the memory
 * lies where the sanitizer lets it.
 */
#include "../../test/check.h"
#include "memory/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, WORDS = PAGE / 4, PIECE_PAGES = 600, ALL_WORDS = PIECE_PAGES * WORDS };
enum { THREADS = 64, ROUNDS = 50, MANY = 5000 };

/* ---- the device ------------------------------------------------------------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t there[ALL_WORDS];
static uint64_t base;
static _Atomic int loads;
static uint64_t loaded;                 /* bytes of the last one */
static bool refuses_more;               /* than one run */

CUresult remote_outboardPagesLoad(void *data, uint64_t bytes, const CUdeviceptr *addresses,
                                  const uint64_t *sizes, int count, CUcontext context,
                                  uint32_t flags) {
    (void)context, (void)flags;
    uint8_t *to = data;
    atomic_fetch_add(&loads, 1);
    if (refuses_more && count > 1)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    loaded = bytes;
    for (int i = 0; i < count; to += sizes[i++]) {
        CHECK(addresses[i] >= base && addresses[i] - base + sizes[i] <= sizeof there);
        memcpy(to, (uint8_t *)there + (addresses[i] - base), sizes[i]);
    }
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult remote_outboardPagesStore(CUdeviceptr address, const void *data, uint64_t bytes,
                                   uint32_t flags) {
    (void)flags;
    pthread_mutex_lock(&lock);
    memcpy((uint8_t *)there + (address - base), data, bytes);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* A kernel that adds to each word of some. */
static void add(uint32_t count, uint32_t what) {
    cuda_work_begins(true);
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < count; i++)
        there[i] += what;
    pthread_mutex_unlock(&lock);
    cuda_work_begun();
}

/* ---- functions of other folders that pages need ---------------------------------------------- */

CUcontext context_at(uint32_t index) { return index == 0 ? (CUcontext)0x400000001 : NULL; }
bool contexts_are_several(void) { return false; }
void mirrors_send(void) {}
CUresult mirrors_fetch(void) { return CUDA_SUCCESS; }
bool ob_forked(void) { return false; }
bool ob_callback_runs(void) { return false; }
void ob_callback_end_with(void (*then)(void)) { (void)then; }
void ob_copy_where(bool (*may_be_away)(const void *memory, uint64_t bytes)) { (void)may_be_away; }
void ob_warn(const char *format, ...) { (void)format; }
bool moved_settles(uint64_t address) {
    (void)address;
    return false;
}
bool ob_start_thread(pthread_t *id, void *(*run)(void *), void *argument) {
    pthread_t unused;
    return pthread_create(id != NULL ? id : &unused, NULL, run, argument) == 0;
}

ob_thread *ob_self(void) {
    static _Thread_local ob_thread self;
    return &self;
}

bool ob_claim(uint64_t address, uint64_t bytes) {
    return address == base && bytes <= sizeof there;
}

void ob_unclaim(uint64_t address) { CHECK(address == base); }

int ob_sealed_file(const char *name, uint64_t bytes) {
    int fd = memfd_create(name, MFD_CLOEXEC);
    return fd >= 0 && ftruncate(fd, (off_t)bytes) == 0 ? fd : -1;
}

static volatile uint32_t *begin(void) {
    enum { RESERVED = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };
    void *place = mmap(NULL, sizeof there, PROT_NONE, RESERVED, -1, 0);
    CHECK(place != MAP_FAILED);
    base = (uint64_t)(uintptr_t)place;
    CHECK(pages_begin(base, sizeof there, context_at(0), true) == CUDA_SUCCESS);
    return place;
}

/* ---- threads --------------------------------------------------------------------------------- */

static volatile uint32_t *memory;
static pthread_barrier_t barrier;

static void run_threads(void *(*run)(void *), void (*beside)(void)) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, run, (void *)i) == 0);
    beside();
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
}

static void *has_a_word(void *of) {
    uint32_t own = (uint32_t)(uintptr_t)of, value = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&barrier);
        CHECK(memory[THREADS + own] == 3 * (round + 1));
        CHECK(memory[own] == value + 3);
        memory[own] = value = own * 1000 + round;
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void add_each_round(uint32_t count, uint32_t what) {
    for (int round = 0; round < ROUNDS; round++) {
        add(count, what);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
}

static void adds_to_a_page(void) { add_each_round(WORDS, 3); }

static void threads_share_a_page(void) {
    memory = begin();
    run_threads(has_a_word, adds_to_a_page);
    pages_end(base);
}

/* Each has pages of its own among those of the others, which come and open together. */
static void *has_pages(void *of) {
    uint32_t own = (uint32_t)(uintptr_t)of;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&barrier);
        for (uint32_t page = own; page < PIECE_PAGES; page += THREADS) {
            CHECK(memory[page * WORDS] == 2 * round + 1);
            memory[page * WORDS] += 1;
        }
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void adds_to_all(void) { add_each_round(ALL_WORDS, 1); }

static void threads_share_a_piece(void) {
    memory = begin();
    run_threads(has_pages, adds_to_all);
    add(0, 0);
    for (uint32_t page = 0; page < PIECE_PAGES; page++)
        CHECK(there[page * WORDS] == 2 * ROUNDS && there[page * WORDS + 1] == ROUNDS);
    pages_end(base);
}

static _Atomic int over;

/* Others ask for work of a device all the time: nothing that a thread writes is lost. */
static void *counts(void *of) {
    uint32_t own = (uint32_t)(uintptr_t)of;
    for (uint32_t i = 1; i <= MANY; i++) {
        memory[own * WORDS] += 1;
        CHECK(memory[own * WORDS] == i);
    }
    atomic_fetch_add(&over, 1);
    return NULL;
}

static void asks_for_work(void) {
    while (atomic_load(&over) < THREADS) {
        add(WORDS, 0);
        usleep(100);
    }
}

static void writes_meet_work(void) {
    memory = begin();
    run_threads(counts, asks_for_work);
    add(0, 0);
    for (uint32_t own = 0; own < THREADS; own++)
        CHECK(there[own * WORDS] == MANY);
    pages_end(base);
}

/* ---- habits ---------------------------------------------------------------------------------- */

/* A thread touches one page of two that lie apart, and the other comes with it. It does not once
 * the program has left it alone for a turn. */
static void what_was_wanted_comes_again(void) {
    enum { FAR = PIECE_PAGES / 2 * WORDS };
    memory = begin();
    add(ALL_WORDS, 1);
    atomic_store(&loads, 0);
    CHECK(memory[0] == 1 && memory[FAR] == 1 && atomic_load(&loads) == 2);
    add(ALL_WORDS, 1);
    CHECK(memory[0] == 2 && memory[FAR] == 2 && atomic_load(&loads) == 3 && loaded == 2 * PAGE);
    memory[FAR] = 7;
    add(ALL_WORDS, 1);
    CHECK(memory[0] == 3 && atomic_load(&loads) == 4);
    add(ALL_WORDS, 1);
    CHECK(memory[0] == 4 && memory[FAR] == 9 && atomic_load(&loads) == 6);
    pages_end(base);
}

static void a_page_comes_alone_if_others_are_gone(void) {
    enum { FAR = PIECE_PAGES / 2 * WORDS };
    memory = begin();
    add(ALL_WORDS, 1);
    CHECK(memory[0] == 1 && memory[FAR] == 1);
    add(ALL_WORDS, 1);
    refuses_more = true;
    CHECK(memory[0] == 2 && loaded == PAGE && memory[FAR] == 2);
    refuses_more = false;
    pages_end(base);
}

/* What the program wrote to is sent again, and what it only has is not, whatever comes along. */
static void what_was_written_is_open_again(void) {
    memory = begin();
    for (uint32_t turn = 1; turn <= 100; turn++) {
        add(ALL_WORDS, 1);
        CHECK(memory[WORDS] == turn);
        memory[0] = turn;
        if (turn % 3 == 0)
            memory[WORDS + 1] = turn;
        add(0, 0);
        CHECK(there[0] == turn && there[WORDS] == turn);
    }
    pages_end(base);
}

int main(int argc, char **argv) {
    static const test_case cases[] = {
        {"threads-share-a-page", threads_share_a_page},
        {"threads-share-a-piece", threads_share_a_piece},
        {"writes-meet-work", writes_meet_work},
        {"what-was-wanted-comes-again", what_was_wanted_comes_again},
        {"a-page-comes-alone-if-others-are-gone", a_page_comes_alone_if_others_are_gone},
        {"what-was-written-is-open-again", what_was_written_is_open_again},
        {NULL, NULL},
    };
    return run_cases(cases, argc, argv);
}
