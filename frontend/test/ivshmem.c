/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that this machine shares with its host, beside a connection: here a file in its place.
 * Memory that does not fit is not used, and the connection carries the calls.
 */
#include "fake.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MARK_AT = 768, SLOTS = 3, SLOT = 1 };

static const uint64_t MARK = 0x1122334455667788;

/* The host's memory, of which the backend offers a part. */
static int host_memory(const region_layout *layout) {
    char path[200];
    snprintf(path, sizeof path, "%s/memory", getenv("HOME"));
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && ftruncate(fd, (off_t)(SLOTS * layout->bytes)) == 0);
    CHECK(pwrite(fd, &MARK, sizeof MARK, (off_t)(layout->offset + MARK_AT)) == sizeof MARK);
    setenv("OUTBOARD_IVSHMEM", path, 1);
    return fd;
}

static void serve(fake *f) {
    f->shm = true;
    fake_greet(f);
    frame one;
    while (fake_read(f, &one))
        fake_handle(f, &one);
}

static fake *start(void) {
    fresh_folder();
    fake *f = fake_start(serve, true);
    f->layout.mark = MARK;
    f->layout.bytes += REGION_PLACED;
    f->layout.offset = SLOT * f->layout.bytes;
    f->region = host_memory(&f->layout);
    setenv("OUTBOARD_VERBOSE", "1", 1);
    divert(STDERR_FILENO);
    return f;
}

static bool echoes(void) {
    uint64_t back = 0;
    return call_echo(7, &back) == 0 && back == 7;
}

static void calls_travel_through_it(void) {
    start();
    CHECK(echoes());
    CHECK(session_here()->shared && !ob_passes());
    CHECK(strstr(diverted(),
                 "bytes travel through memory that this machine shares with its host (ivshmem)") !=
          NULL);
    sleep_ms(20);               /* both sides sleep */
    CHECK(echoes());
}

static void large_calls_travel_through_it(void) {
    enum { BYTES = 5 << 20 };
    uint8_t *bytes = calloc(1, BYTES);
    uint64_t sum = 0, answer[2];
    ob_call call;
    start();
    for (int i = 0; i < BYTES; i++)
        sum += (bytes[i] = (uint8_t)(i * 3)) * (uint64_t)(i % OB_CHUNK % 7 + 1);
    CHECK(ob_begin(&call, &test_library, CALL_PAYLOAD, 8) == 0 &&
          ob_append(&call, bytes, BYTES) == 0);
    ob_expect(&call, sizeof answer, NULL, 0);
    CHECK(ob_send(&call, OB_ANSWER) == 0);
    ob_get(&call, 0, answer, sizeof answer);
    CHECK(answer[0] == BYTES && answer[1] == sum && session_here()->shared);
    free(bytes);
}

static bool falls_back(const char *why) {
    bool done = echoes() && !session_here()->shared && !ob_has_room();
    return done && strstr(diverted(), why) != NULL;
}

static void another_machines_memory_is_not_used(void) {
    start()->layout.mark++;
    CHECK(falls_back("offers other memory than this machine shares with its host"));
}

static void memory_that_ends_before_the_part_is_not_used(void) {
    fake *f = start();
    f->layout.offset = SLOTS * f->layout.bytes;
    CHECK(falls_back("offers other memory than this machine shares with its host"));
}

static void a_part_that_begins_within_a_page_is_not_used(void) {
    start()->layout.offset += 8;
    CHECK(falls_back("offers other memory than this machine shares with its host"));
}

static void an_offset_beyond_all_numbers_is_not_used(void) {
    start()->layout.offset = UINT64_MAX & ~4095ULL;
    CHECK(falls_back("offers other memory than this machine shares with its host"));
}

static void does_without(fake *f) {
    f->shm = true;
    fake_greet(f);
    CHECK((f->hello[64] & 1) == 0);
    frame one;
    while (fake_read(f, &one))
        fake_handle(f, &one);
}

static void memory_that_cannot_be_opened_is_not_asked_for(void) {
    start()->script = does_without;
    setenv("OUTBOARD_IVSHMEM", "/nowhere/memory", 1);
    CHECK(falls_back("(ivshmem) cannot be opened: No such file or directory"));
}

static void memory_that_is_not_wanted_is_not_asked_for(void) {
    start()->script = does_without;
    setenv("OUTBOARD_SHM", "0", 1);
    CHECK(falls_back("(ivshmem) is not there, or not wanted"));
}

static void has_none(fake *f) {
    fake_greet(f);
    CHECK((f->hello[64] & 1) == 1 && (f->hello[64] & 64) != 0);
    frame one;
    while (fake_read(f, &one))
        fake_handle(f, &one);
}

static void a_backend_without_memory_serves_over_the_connection(void) {
    start()->script = has_none;
    CHECK(falls_back("the backend offers no memory, or has no more"));
}

static void leaves(fake *f) {
    f->shm = true;
    fake_greet(f);
    frame one;
    CHECK(fake_read(f, &one));
    fake_handle(f, &one);
}

static void a_backend_that_leaves_is_lost(void) {
    start()->script = leaves;
    CHECK(echoes());
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    CHECK(!ob_has_room());
}

static bool takes(uint64_t offset, uint64_t bytes) {
    int fd = ob_room_take(offset, bytes);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static void ranges_of_it_are_taken_whole(void) {
    const fake *f = start();
    CHECK(echoes() && ob_has_room());
    uint64_t page = 4096, length = SLOTS * f->layout.bytes;
    CHECK(!takes(length, page) && !takes(length - page, 2 * page) && !takes(0, length + page));
    CHECK(!takes(UINT64_MAX - page + 1, 2 * page) && !takes(page, UINT64_MAX - page + 1) &&
          !takes(1, page));
    CHECK(takes(length - page, page) && takes(0, length));
}

/* Its session may be lost, and the host gives the range to another one. */
static void a_range_that_another_process_has_is_not_taken(void) {
    start();
    CHECK(echoes());
    int other = open(getenv("OUTBOARD_IVSHMEM"), O_RDWR | O_CLOEXEC);
    struct flock its = {.l_type = F_WRLCK,
                        .l_whence = SEEK_SET,
                        .l_start = (off_t)((1ULL << 62) + 4096),
                        .l_len = 4096};
    CHECK(other >= 0 && fcntl(other, F_OFD_SETLK, &its) == 0);
    CHECK(!takes(4096, 4096) && !takes(0, 8192) && takes(0, 4096) && takes(8192, 4096));
    close(other);
    CHECK(takes(4096, 4096));
    other = open(getenv("OUTBOARD_IVSHMEM"), O_RDWR | O_CLOEXEC);
    CHECK(other >= 0 && fcntl(other, F_OFD_SETLK, &its) != 0);
    ob_room_give(4096, 4096);
    CHECK(fcntl(other, F_OFD_SETLK, &its) == 0);
}

/* The last thing that it does is to write nonsense. */
static void breaks_the_rules(fake *f) {
    frame one;
    leaves(f);
    CHECK(fake_read(f, &one));
    atomic_store(f->rings.out.written, UINT64_MAX / 2);
    fake_await_end(f);
}

static void a_backend_that_writes_nonsense_is_lost(void) {
    start()->script = breaks_the_rules;
    CHECK(echoes());
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    CHECK(strstr(diverted(), "the backend broke the rules of shared memory") != NULL);
    CHECK(strstr(diverted(), "the machine was moved or restored") != NULL);
}

static void falls_silent(fake *f) {
    leaves(f);
    fake_await_end(f);
}

static void a_backend_that_says_nothing_is_lost(void) {
    stream_round_ms = 100 * slowness();
    start()->script = falls_silent;
    CHECK(echoes());
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    CHECK(strstr(diverted(), "it is silent") != NULL);
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"calls travel through it", calls_travel_through_it},
            {"large calls travel through it", large_calls_travel_through_it},
            {"another machine's memory is not used", another_machines_memory_is_not_used},
            {"memory that ends before the part is not used",
             memory_that_ends_before_the_part_is_not_used},
            {"a part that begins within a page is not used",
             a_part_that_begins_within_a_page_is_not_used},
            {"an offset beyond all numbers is not used", an_offset_beyond_all_numbers_is_not_used},
            {"memory that cannot be opened is not asked for",
             memory_that_cannot_be_opened_is_not_asked_for},
            {"memory that is not wanted is not asked for",
             memory_that_is_not_wanted_is_not_asked_for},
            {"a backend without memory serves over the connection",
             a_backend_without_memory_serves_over_the_connection},
            {"ranges of it are taken whole", ranges_of_it_are_taken_whole},
            {"a range that another process has is not taken",
             a_range_that_another_process_has_is_not_taken},
            {"a backend that leaves is lost", a_backend_that_leaves_is_lost},
            {"a backend that writes nonsense is lost", a_backend_that_writes_nonsense_is_lost},
            {"a backend that says nothing is lost", a_backend_that_says_nothing_is_lost},
            {0},
        },
        argc, argv);
}
