/* SPDX-License-Identifier: Apache-2.0
 * Copies between program and device, of pageable and of page-locked memory, each in one case;
 * prints "ok".
 * usage: transfer CASE
 */
#include "case.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static CUcontext primary;

static void prepare(void) {
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
}

static void pause_ms(long milliseconds) {
    nanosleep(
        &(struct timespec){.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000},
        NULL);
}

/* No two offsets and no two seeds look alike over a page. */
static uint8_t pattern(size_t i, unsigned seed) {
    return (uint8_t)((i * 2654435761u >> 7) + i / 4096 * 31 + seed * 101);
}

static void fill(uint8_t *to, size_t bytes, unsigned seed) {
    for (size_t i = 0; i < bytes; i++)
        to[i] = pattern(i, seed);
}

static int holds(const uint8_t *from, size_t bytes, unsigned seed) {
    for (size_t i = 0; i < bytes; i++)
        if (from[i] != pattern(i, seed))
            return 0;
    return 1;
}

static uint8_t *pinned(size_t bytes) {
    void *memory;
    MUST(cuMemHostAlloc(&memory, bytes, 0));
    return memory;
}

static CUdeviceptr device(size_t bytes) {
    CUdeviceptr memory;
    MUST(cuMemAlloc_v2(&memory, bytes));
    return memory;
}

enum { ROOM = 12 << 20, MARGIN = 64 };

static void there_and_back(uint8_t *from, uint8_t *to, CUdeviceptr memory, size_t bytes,
                           unsigned seed) {
    fill(from, bytes, seed);
    memset(to - 1, 0xee, bytes + 2);
    MUST(cuMemcpyHtoD_v2(memory, from, bytes));
    fill(from, bytes < 4096 ? bytes : 4096, seed + 1); /* the copy has its own by now */
    MUST(cuMemcpyDtoH_v2(to, memory, bytes));
    CHECK(holds(to, bytes, seed));
    CHECK(to[-1] == 0xee && to[bytes] == 0xee);
}

/* Around the sizes at which copies are cut, staged or sent; from and to addresses that are not
 * aligned. */
static void sizes(void) {
    static const size_t bytes[] = {
        1,      7,      4095,    65535,         65536,   65537,         524287,
        524288, 524289, 1 << 20, (1 << 20) + 1, 4 << 20, (4 << 20) + 5, 9 << 20};
    uint8_t *heap[2] = {malloc(ROOM), malloc(ROOM)}, *locked[2] = {pinned(ROOM), pinned(ROOM)};
    CUdeviceptr memory = device(ROOM);
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        there_and_back(heap[0] + 3, heap[1] + MARGIN, memory, bytes[i], 1);
        there_and_back(locked[0] + 5, heap[1] + MARGIN + 1, memory + 3, bytes[i], 2);
        there_and_back(heap[0] + MARGIN, locked[1] + MARGIN + 2, memory + 1, bytes[i], 3);
        there_and_back(locked[0], locked[1] + MARGIN, memory, bytes[i], 4);
    }
}

typedef struct late {
    uint8_t *memory;
    size_t bytes;
    unsigned seed;
} late;

static void write_late(void *argument) {
    late *l = argument;
    pause_ms(50);
    fill(l->memory, l->bytes, l->seed);
}

/* A copy in a stream reads what a function before it in the stream has written to page-locked
 * memory. */
static void source_in_order(void) {
    enum { BYTES = 3 << 20 };
    CUstream stream;
    uint8_t *back = malloc(BYTES), *source = pinned(BYTES);
    CUdeviceptr memory = device(BYTES);
    MUST(cuStreamCreate(&stream, 1));
    for (unsigned i = 0; i < 4; i++) {
        size_t bytes = i % 2 != 0 ? BYTES : 300000;
        late l = {source, bytes, 10 + i};
        MUST(cuLaunchHostFunc(stream, write_late, &l));
        MUST(cuMemcpyHtoDAsync_v2(memory, source, bytes, stream));
        MUST(cuStreamSynchronize(stream));
        MUST(cuMemcpyDtoH_v2(back, memory, bytes));
        CHECK(holds(back, bytes, 10 + i));
    }
}

/* Pageable memory is the program's again when the call returns. */
static void source_is_taken(void) {
    enum { BYTES = 5 << 20 };
    static const size_t sizes_taken[] = {3000, 700000, BYTES};
    CUstream stream;
    uint8_t *back = malloc(BYTES), *source = malloc(BYTES), *other = malloc(16);
    CUdeviceptr memory = device(BYTES);
    MUST(cuStreamCreate(&stream, 1));
    for (unsigned i = 0; i < 6; i++) {
        size_t bytes = sizes_taken[i % 3];
        late l = {other, 16, 0};
        fill(source, bytes, 20 + i);
        MUST(cuLaunchHostFunc(stream, write_late, &l));
        MUST(cuMemcpyHtoDAsync_v2(memory, source, bytes, stream));
        memset(source, 0, bytes);
        MUST(cuStreamSynchronize(stream));
        MUST(cuMemcpyDtoH_v2(back, memory, bytes));
        CHECK(holds(back, bytes, 20 + i));
    }
}

/* Page-locked memory that one copy writes and a later one of the stream reads, also row by row. */
static void target_in_order(void) {
    enum { BYTES = 1 << 20, WIDTH = 1000, HEIGHT = 64, PITCH = 1024 };
    CUstream stream;
    uint8_t *first = malloc(BYTES), *between = pinned(BYTES), *back = malloc(BYTES);
    CUdeviceptr from = device(BYTES), to = device(BYTES);
    MUST(cuStreamCreate(&stream, 1));
    for (unsigned i = 0; i < 8; i++) {
        fill(first, BYTES, 30 + i);
        MUST(cuMemcpyHtoD_v2(from, first, BYTES));
        late l = {first, 16, 0};
        MUST(cuLaunchHostFunc(stream, write_late, &l));
        MUST(cuMemcpyDtoHAsync_v2(between, from, BYTES, stream));
        if (i % 2 == 0) {
            MUST(cuMemcpyHtoDAsync_v2(to, between, BYTES, stream));
        } else {
            rectangle copy = {.source = {.type = 1, .host = between, .pitch = PITCH},
                              .destination = {.type = 2, .device = to, .pitch = PITCH},
                              .width = WIDTH,
                              .height = HEIGHT};
            MUST(cuMemsetD8Async(to, 0, BYTES, stream));
            MUST(cuMemcpy2DAsync_v2(&copy, stream));
        }
        MUST(cuStreamSynchronize(stream));
        MUST(cuMemcpyDtoH_v2(back, to, BYTES));
        for (size_t row = 0; row < HEIGHT; row++)
            for (size_t x = 0; x < WIDTH; x++)
                CHECK(back[row * PITCH + x] == pattern(row * PITCH + x, 30 + i));
        CHECK(i % 2 == 1 || holds(back, BYTES, 30 + i));
    }
}

static int named_file(void) {
    char path[] = "/dev/shm/outboard-test-XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    return fd;
}

static int nameless_file(void) {
    int fd = named_file();
    char path[64], name[300] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    CHECK(readlink(path, name, sizeof name - 1) > 0);
    MUST(unlink(name));
    return fd;
}

static volatile int has_run;

static void run_late(void *unused) {
    (void)unused;
    pause_ms(50);
    has_run = 1;
}

/* Memory that the program shares with others is page-locked as any other; where the backend shares
 * it a copy to it is posted. */
static void register_shared(int fd) {
    enum { PAGE = 4096, BYTES = 200000, INTO = 100 };
    size_t length = 60 * PAGE;
    CUstream stream;
    CUdeviceptr memory = device(BYTES);
    MUST(ftruncate(fd, (off_t)length + PAGE));
    uint8_t *ours = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, PAGE);
    uint8_t *theirs = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, PAGE);
    CHECK(ours != MAP_FAILED && theirs != MAP_FAILED);
    uint8_t *range = ours + PAGE + INTO, *seen = theirs + PAGE + INTO;
    MUST(cuStreamCreate(&stream, 1));
    for (unsigned i = 0; i < 2; i++) {
        MUST(cuMemHostRegister_v2(range, BYTES, 1));
        CHECK(cuMemHostRegister_v2(range + 5, 10, 1) == 712);
        fill(seen, BYTES, 50 + i);
        MUST(cuMemcpyHtoDAsync_v2(memory, range, BYTES, stream));
        MUST(cuStreamSynchronize(stream));
        memset(seen, 0, BYTES);
        has_run = 0;
        MUST(cuLaunchHostFunc(stream, run_late, NULL));
        MUST(cuMemcpyDtoHAsync_v2(range, memory, BYTES, stream));
        CHECK(has_run == (strncmp(getenv("OUTBOARD"), "shm:", 4) != 0));
        MUST(cuStreamSynchronize(stream));
        CHECK(holds(seen, BYTES, 50 + i));
        MUST(cuMemHostUnregister(range));
        CHECK(cuMemHostUnregister(range) == 713);
    }
    munmap(ours, length);
    munmap(theirs, length);
    MUST(cuMemFree_v2(memory));
}

static void registered(void) {
    int fd = nameless_file();
    register_shared(fd);
    close(fd);
    fd = named_file();
    char path[64], name[300] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    CHECK(readlink(path, name, sizeof name - 1) > 0);
    register_shared(fd);
    MUST(unlink(name));
}

/* Large copies keep their place in the stream. */
static void large_in_order(void) {
    enum { BYTES = (9 << 20) + 40, MARK = 3 << 20 };
    CUstream stream;
    uint8_t *heap = malloc(BYTES), *locked = pinned(BYTES),
            *back[2] = {malloc(BYTES), pinned(BYTES)};
    CUdeviceptr first = device(BYTES), second = device(BYTES);
    MUST(cuStreamCreate(&stream, 1));
    for (unsigned i = 0; i < 4; i++) {
        fill(heap, BYTES, 60 + i);
        fill(locked, BYTES, 70 + i);
        MUST(cuMemsetD8Async(first, 0xaa, BYTES, stream));
        MUST(cuMemcpyHtoDAsync_v2(first, heap, BYTES, stream));
        memset(heap, 0, BYTES);
        MUST(cuMemcpyDtoDAsync_v2(second, first, BYTES, stream));
        MUST(cuMemcpyHtoDAsync_v2(first, locked, BYTES, stream));
        MUST(cuMemsetD8Async(first, 0xbb, MARK, stream));
        MUST(cuMemcpyDtoHAsync_v2(back[i % 2], second, BYTES, stream));
        MUST(cuStreamSynchronize(stream));
        CHECK(holds(back[i % 2], BYTES, 60 + i));
        MUST(cuMemcpyDtoH_v2(back[1 - i % 2], first, BYTES));
        for (size_t at = 0; at < BYTES; at++)
            CHECK(back[1 - i % 2][at] == (at < MARK ? 0xbb : pattern(at, 70 + i)));
    }
}

/* A copy of page-locked memory whose turn has not come does not keep the program from what its
 * stream waits for. */
static void behind_a_wait(void) {
    enum { BYTES = 40 << 20 };
    CUstream stream, other;
    uint8_t *source = pinned(BYTES), *back = malloc(BYTES);
    CUdeviceptr memory = device(BYTES), word = device(4);
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuStreamCreate(&other, 1));
    fill(source, BYTES, 80);
    MUST(cuMemsetD32_v2(word, 0, 1));
    MUST(cuStreamWaitValue32_v2(stream, word, 7, 1));
    MUST(cuMemcpyHtoDAsync_v2(memory, source, BYTES, stream));
    MUST(cuStreamWriteValue32_v2(other, word, 7, 0));
    MUST(cuStreamSynchronize(stream));
    MUST(cuMemcpyDtoH_v2(back, memory, BYTES));
    CHECK(holds(back, BYTES, 80));
}

/* Freeing waits for the copies that use the memory; its addresses may come again with other memory.
 */
static void freed(void) {
    enum { BYTES = 2 << 20 };
    CUstream stream;
    uint8_t *back = malloc(BYTES);
    CUdeviceptr memory = device(BYTES);
    MUST(cuStreamCreate(&stream, 1));
    for (unsigned i = 0; i < 100; i++) {
        uint8_t *source = pinned(BYTES), *target = pinned(4096 + i);
        fill(source, BYTES, i);
        MUST(cuMemcpyHtoDAsync_v2(memory, source, BYTES, stream));
        MUST(cuMemcpyDtoHAsync_v2(target, memory, 4096, stream));
        MUST(cuMemFreeHost(source));
        MUST(cuMemFreeHost(target));
        CHECK(cuMemFreeHost(target) == 1);
        MUST(cuMemcpyDtoH_v2(back, memory, BYTES));
        CHECK(holds(back, BYTES, i));
    }
}

static void *copy_alone(void *argument) {
    enum { BYTES = 3 << 20 };
    unsigned seed = *(unsigned *)argument;
    MUST(cuCtxSetCurrent(primary));
    uint8_t *here = malloc(BYTES), *back = seed % 2 != 0 ? pinned(BYTES) : malloc(BYTES);
    CUdeviceptr memory = device(BYTES);
    for (unsigned i = 0; i < 20; i++) {
        fill(here, BYTES, seed * 20 + i);
        MUST(cuMemcpyHtoD_v2(memory, here, BYTES));
        MUST(cuMemcpyDtoH_v2(back, memory, BYTES));
        CHECK(holds(back, BYTES, seed * 20 + i));
    }
    return NULL;
}

/* More than there are staging areas. */
static void threads(void) {
    enum { THREADS = 5 };
    pthread_t all[THREADS];
    unsigned seeds[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        seeds[i] = i;
        CHECK(pthread_create(&all[i], NULL, copy_alone, &seeds[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(all[i], NULL);
}

/* An error is the copy's own, once, and the next copy is none the worse. */
static void check_values(const uint8_t *memory) {
    uint16_t halves[2];
    uint32_t word;
    memcpy(halves, memory + 8, sizeof halves);
    memcpy(&word, memory + 16, sizeof word);
    CHECK(memory[0] == 0x11 && memory[4] == 0x22 && memory[7] == 0x22);
    CHECK(halves[0] == 0x3344 && halves[1] == 0x3344 && word == 0x55667788 && memory[20] == 0x11);
}

/* A device fills and copies page-locked memory as its own, where it has none of it too. */
static void page_locked_as_a_devices(void) {
    uint8_t *memory = pinned(4096), back[64];
    CUdeviceptr address = (CUdeviceptr)(uintptr_t)memory, other = device(4096);
    MUST(cuMemsetD8_v2(other, 0x11, 4096));
    MUST(cuMemcpyDtoHAsync_v2(memory, other, 4096, NULL));
    MUST(cuMemsetD8Async(address + 4, 0x22, 4, NULL)); /* behind the copy */
    MUST(cuMemsetD16_v2(address + 8, 0x3344, 2));
    MUST(cuMemsetD32Async_ptsz(address + 16, 0x55667788, 1, NULL));
    MUST(cuCtxSynchronize());
    check_values(memory);
    MUST(cuMemcpyDtoH_v2(back, address, sizeof back));
    check_values(back);
    fill(back, sizeof back, 9);
    MUST(cuMemcpyHtoDAsync_v2(address + 100, back, sizeof back, NULL));
    MUST(cuCtxSynchronize());
    CHECK(holds(memory + 100, sizeof back, 9));
    CHECK(cuMemsetD32_v2(address + 1, 0, 1) == 1 || cuCtxSynchronize() == 1);
    MUST(cuMemFree_v2(other));
    MUST(cuMemFreeHost(memory));
}

static void wrong(void) {
    enum { BYTES = 5 << 20 };
    uint8_t *heap = calloc(1, BYTES), *locked = pinned(BYTES), *back = malloc(BYTES);
    CUdeviceptr memory = device(BYTES);
    uint8_t *either[2] = {heap, locked};
    for (int i = 0; i < 2; i++) {
        CHECK(cuMemcpyHtoD_v2(0x1234567, either[i], BYTES) == 1);
        CHECK(cuMemcpyHtoD_v2(memory + 64, either[i], BYTES) == 1);
        CHECK(cuMemcpyDtoH_v2(either[i], 0x1234567, BYTES) == 1);
        CHECK(cuMemcpyDtoH_v2(either[i], memory + 64, BYTES) == 1);
        there_and_back(either[i], back + MARGIN, memory, 1000000, 5);
    }
    CHECK(cuMemcpyHtoD_v2(memory, NULL, BYTES) == 1);
    CHECK(cuMemcpyDtoH_v2(NULL, memory, BYTES) == 1);
    MUST(cuCtxSynchronize());
}

/* An earlier error that nobody has seen is told once: by the copy, or by a call after it. */
static void wrong_before(void) {
    enum { BYTES = 3 << 20 };
    uint8_t *back = malloc(BYTES), *locked = pinned(BYTES);
    CUdeviceptr memory = device(BYTES);
    for (int i = 0; i < 60; i++) {
        CUresult told = cuMemcpyDtoDAsync_v2(memory + BYTES - 8, memory, 4096, NULL);
        told += i % 3 == 0 ? cuMemcpyHtoD_v2(memory, back, BYTES)
                           : cuMemcpyDtoH_v2(i % 3 == 1 ? back : locked, memory, BYTES);
        told += cuCtxSynchronize();
        CHECK(told == 1);
        MUST(cuMemcpyDtoH_v2(back, memory, BYTES));
    }
    for (int i = 0; i < 3; i++) {
        void *more = NULL;
        CUresult told = cuMemcpyDtoDAsync_v2(memory + BYTES - 8, memory, 4096, NULL);
        CUresult made = cuMemHostAlloc(&more, 4096, 0);
        CHECK(told + made + cuCtxSynchronize() == 1);
        if (made == 0)
            MUST(cuMemFreeHost(more));
        MUST(cuMemFreeHost(pinned(4096)));
    }
}

/* Until it is killed. */
static void forever(void) {
    uint8_t *heap = malloc(ROOM), *locked = pinned(ROOM), *back = pinned(ROOM);
    CUdeviceptr memory = device(ROOM);
    printf("copying\n");
    fflush(stdout);
    for (unsigned i = 0;; i++) {
        there_and_back(i % 2 == 0 ? heap : locked, back + MARGIN, memory, 8 << 20, i);
        MUST(cuMemFreeHost(pinned(1 << 20)));
    }
}

static const test_case cases[] = {
    {"sizes", sizes},
    {"source-in-order", source_in_order},
    {"source-is-taken", source_is_taken},
    {"target-in-order", target_in_order},
    {"registered", registered},
    {"large-in-order", large_in_order},
    {"behind-a-wait", behind_a_wait},
    {"freed", freed},
    {"threads", threads},
    {"page-locked-as-a-devices", page_locked_as_a_devices},
    {"wrong", wrong},
    {"wrong-before", wrong_before},
    {"forever", forever},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
