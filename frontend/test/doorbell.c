/* SPDX-License-Identifier: Apache-2.0
 *
 * Doorbells: rings are kept going by each kind, also by one that only looks now and then, as where
 * nothing can be woken.
 */
#include "check.h"
#include "region.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 8 << 20, PIECE = 40000, SHORT_MS = 20 };

/* ---- a fake: nothing rings ------------------------------------------------------------------- */

static _Atomic int rings_unheard;

static bool look_now_and_then(const doorbell *bell, uint32_t word, int timeout_ms) {
    for (int left = timeout_ms * 10; atomic_load(bell->word) == word && left != 0; left--)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    return atomic_load(bell->word) != word;
}

static void ring_nothing(const doorbell *bell) {
    (void)bell;
    rings_unheard++;
}

static const doorbell_kind polling_doorbell = {look_now_and_then, ring_nothing};

/* ---- both sides of a region ------------------------------------------------------------------ */

static channel sides[2];

static void map_with(const doorbell_kind *kind) {
    region_layout layout = region_usual();
    layout.ring_bytes = 64 << 10;
    layout.bytes = REGION_HEAD + 2 * layout.ring_bytes;
    int fd = region_create(&layout);
    CHECK(fd >= 0);
    CHECK(channel_map(&sides[0], fd, &layout, CLIENT_SIDE, kind));
    CHECK(channel_map(&sides[1], fd, &layout, BACKEND_SIDE, kind));
    close(fd);
}

static void map_with_events(void) {
    map_with(&event_doorbell);
    for (int side = 0; side < 2; side++)
        sides[side].own.fd = sides[1 - side].other.fd = eventfd(0, EFD_NONBLOCK);
}

static void map_with_a_stream(void) {
    int ends[2];
    map_with(&stream_doorbell);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    for (int side = 0; side < 2; side++)
        CHECK(channel_rings_over(&sides[side], ends[side]));
}

static uint8_t byte_at(size_t at) { return (uint8_t)(at * 31 + (at >> 8)); }

static void *write_all(void *of) {
    channel *c = of;
    uint8_t piece[PIECE];
    for (size_t done = 0; done < BYTES;) {
        size_t bytes = BYTES - done < PIECE ? BYTES - done : PIECE;
        for (size_t i = 0; i < bytes; i++)
            piece[i] = byte_at(done + i);
        size_t n = channel_write(c, &(struct iovec){piece, bytes}, 1);
        CHECK(n != CHANNEL_BROKEN);
        if (n == 0)
            CHECK(channel_sleep(c, FOR_ROOM, NULL, patience_ms()));
        done += n;
    }
    return NULL;
}

static void read_all(channel *c) {
    uint8_t piece[PIECE];
    for (size_t done = 0; done < BYTES;) {
        size_t n = channel_read(c, piece, PIECE);
        CHECK(n != CHANNEL_BROKEN);
        for (size_t i = 0; i < n; i++)
            CHECK(piece[i] == byte_at(done + i));
        if (n == 0)
            CHECK(channel_sleep(c, FOR_DATA, NULL, patience_ms()));
        done += n;
    }
}

/* Neither side looks first: each sleeps whenever it can. */
static void move_bytes(int from) {
    pthread_t writer;
    CHECK(pthread_create(&writer, NULL, write_all, &sides[from]) == 0);
    read_all(&sides[1 - from]);
    CHECK(pthread_join(writer, NULL) == 0);
}

static void *rouse_later(void *unused) {
    (void)unused;
    sleep_ms(SHORT_MS);
    channel_rouse(&sides[0]);
    return NULL;
}

static void a_sleeper_wakes(void) {
    pthread_t other;
    CHECK(!channel_sleep(&sides[0], FOR_DATA, NULL, SHORT_MS));
    CHECK(pthread_create(&other, NULL, rouse_later, NULL) == 0);
    CHECK(channel_sleep(&sides[0], FOR_DATA, NULL, patience_ms()));
    CHECK(pthread_join(other, NULL) == 0);
}

static void a_futex(void) {
    map_with(&futex_doorbell);
    a_sleeper_wakes();
    move_bytes(0);
    move_bytes(1);
}

static void an_event(void) {
    map_with_events();
    a_sleeper_wakes();
    move_bytes(0);
    move_bytes(1);
}

static void a_stream(void) {
    map_with_a_stream();
    a_sleeper_wakes();
    move_bytes(0);
    move_bytes(1);
}

static void *await_room(void *unused) {
    (void)unused;
    while (!channel_writable(&sides[0]))
        CHECK(channel_sleep(&sides[0], FOR_ROOM, NULL, patience_ms()));
    return NULL;
}

/* Both move a piece of the ring at a time. */
static void fill_the_ring(uint8_t *bytes, size_t count) {
    while (channel_writable(&sides[0]))
        CHECK(channel_write(&sides[0], &(struct iovec){bytes, count}, 1) > 0);
}

static void empty_the_ring(uint8_t *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        size_t n = channel_read(&sides[1], bytes, count);
        CHECK(n > 0 && n != CHANNEL_BROKEN);
        done += n;
    }
}

/* The thread that looks at the stream takes the byte that was for the other. */
static void two_that_sleep_at_a_stream(void) {
    static uint8_t bytes[64 << 10];
    pthread_t writer;
    map_with_a_stream();
    for (int round = 0; round < 200; round++) {
        fill_the_ring(bytes, sizeof bytes);
        CHECK(pthread_create(&writer, NULL, await_room, NULL) == 0);
        for (int i = 0; i < round % 3; i++)
            channel_sleep(&sides[0], FOR_DATA, NULL, 1);
        empty_the_ring(bytes, sizeof bytes);
        channel_sleep(&sides[0], FOR_DATA, NULL, 1);
        CHECK(pthread_join(writer, NULL) == 0);
    }
}

static void nothing_that_rings(void) {
    map_with(&polling_doorbell);
    a_sleeper_wakes();
    move_bytes(0);
    move_bytes(1);
    CHECK(rings_unheard > 0);
}

/* As the socket beside a region, which tells that the other side has gone. */
static void a_descriptor_beside_an_event(void) {
    int ends[2];
    map_with_events();
    CHECK(pipe(ends) == 0);
    sides[0].own.beside = ends[0];
    CHECK(!channel_sleep(&sides[0], FOR_DATA, NULL, SHORT_MS));
    close(ends[1]);
    CHECK(channel_sleep(&sides[0], FOR_DATA, NULL, patience_ms()));
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"a futex", a_futex},
            {"an event", an_event},
            {"a stream", a_stream},
            {"two that sleep at a stream", two_that_sleep_at_a_stream},
            {"nothing that rings", nothing_that_rings},
            {"a descriptor beside an event", a_descriptor_beside_an_event},
            {0},
        },
        argc, argv);
}
