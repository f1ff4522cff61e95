/* SPDX-License-Identifier: Apache-2.0
 *
 * Both sides of xen: in one process, over devices that are files (domains.c).
 */
#include "../xen/carry.h"
#include "xen/xen.h"
#include "check.h"
#include "domains.h"

#include "link/carrier.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ = 2, WRITE = 11, EVENT = 15, ERROR = 16, LARGE = 1 << 20 };

/* ---- both sides ------------------------------------------------------------------------------ */

static xen_channel program_side, backend_side;
static char why[256];

static void begin(void) {
    domains_refusal = 0;
    domains_leave_no_word = false;
    fresh_folder();
}

static void *take_one(void *unused) {
    static xen_visitors visitors;
    xen_offer offer;
    (void)unused;
    CHECK(xen_expect(&visitors, &xen_kernel, GUEST));
    do {
        if (!visitors.store.fired)
            CHECK(store_take_event(&visitors.store));
        xen_look(&visitors);
    } while (!xen_next_offer(&visitors, &offer));
    CHECK(xen_channel_take(&backend_side, &xen_kernel, GUEST, &offer, why, sizeof why));
    close(visitors.store.fd);
    return NULL;
}

static void meet_as(xen_channel *program) {
    pthread_t other;
    CHECK(pthread_create(&other, NULL, take_one, NULL) == 0);
    CHECK(xen_meet(program, &xen_kernel, 0, 10000, why, sizeof why));
    pthread_join(other, NULL);
}

static void meet(void) {
    begin();
    meet_as(&program_side);
}

typedef struct carrying {
    pthread_t thread;
    xen_channel *over;
    int inside, outside;            /* of its socket */
    const char *broken;
} carrying;

static void *carry(void *of) {
    carrying *c = of;
    c->broken = xen_carry(c->over, c->inside);
    xen_channel_close(c->over);
    close(c->inside);
    return NULL;
}

static void start(carrying *c, xen_channel *over) {
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    *c = (carrying){.over = over, .inside = ends[0], .outside = ends[1]};
    CHECK(pthread_create(&c->thread, NULL, carry, c) == 0);
}

static const char *end_of_carrying(carrying *c) {
    pthread_join(c->thread, NULL);
    return c->broken;
}

static uint8_t byte_at(size_t i, unsigned seed) { return (uint8_t)((i * 2654435761u) >> 7 ^ seed); }

typedef struct transfer {
    int fd;
    unsigned seed;
} transfer;

static void *send_large(void *of) {
    const transfer *t = of;
    uint8_t part[3000];
    for (size_t at = 0; at < LARGE;) {
        size_t bytes = LARGE - at < sizeof part ? LARGE - at : sizeof part;
        for (size_t i = 0; i < bytes; i++)
            part[i] = byte_at(at + i, t->seed);
        ssize_t n = send(t->fd, part, bytes, MSG_NOSIGNAL);
        CHECK(n > 0);
        at += (size_t)n;
    }
    return NULL;
}

static void receive_large(int fd, unsigned seed) {
    uint8_t part[5000];
    for (size_t at = 0; at < LARGE;) {
        ssize_t n = recv(fd, part, sizeof part, 0);
        CHECK(n > 0);
        for (size_t i = 0; i < (size_t)n; i++)
            CHECK(part[i] == byte_at(at + i, seed));
        at += (size_t)n;
    }
}

/* ---- cases ----------------------------------------------------------------------------------- */

static carrying program, backend;

static void start_both(void) {
    meet();
    start(&program, &program_side);
    start(&backend, &backend_side);
}

static void bytes_go_both_ways_at_once(void) {
    pthread_t up, down;
    start_both();
    transfer from_program = {program.outside, 1}, from_backend = {backend.outside, 2};
    pthread_create(&up, NULL, send_large, &from_program);
    pthread_create(&down, NULL, send_large, &from_backend);
    receive_large(backend.outside, 1);
    receive_large(program.outside, 2);
    pthread_join(up, NULL);
    pthread_join(down, NULL);
    close(program.outside);
    CHECK(end_of_carrying(&program) == NULL && end_of_carrying(&backend) == NULL);
}

static void the_key_is_gone_once_they_have_met(void) {
    meet();
    CHECK(domains_keys() == 0);
    CHECK(xen_channel_is_used(&program_side) && xen_channel_is_used(&backend_side));
}

/* Bytes that were written before the end arrive, then the end. */
static void an_end_comes_after_the_last_bytes(void) {
    char text[8];
    start_both();
    CHECK(send(program.outside, "bye", 3, 0) == 3);
    close(program.outside);
    CHECK(recv(backend.outside, text, sizeof text, MSG_WAITALL) == 3 &&
        memcmp(text, "bye", 3) == 0);
    CHECK(recv(backend.outside, text, sizeof text, 0) == 0);
    CHECK(end_of_carrying(&program) == NULL && end_of_carrying(&backend) == NULL);
}

static void a_backend_that_ends_is_seen(void) {
    char text[8];
    start_both();
    close(backend.outside);
    CHECK(recv(program.outside, text, sizeof text, 0) == 0);
    CHECK(end_of_carrying(&backend) == NULL && end_of_carrying(&program) == NULL);
}

/* The kernel clears the byte of a side that was killed, and rings. */
static void a_side_that_was_killed_is_seen(void) {
    char text[8];
    meet();
    start(&backend, &backend_side);
    atomic_store(program_side.here, 0);
    xen_kernel.ring(&program_side.event);
    CHECK(recv(backend.outside, text, sizeof text, 0) == 0);
    CHECK(end_of_carrying(&backend) == NULL);
}

static void nobody_there_is_an_error_in_time(void) {
    begin();
    CHECK(!xen_meet(&program_side, &xen_kernel, 0, 300, why, sizeof why));
    CHECK(strstr(why, "nobody takes the channel") != NULL);
    CHECK(domains_keys() == 0);
}

static void what_is_missing_is_named(void) {
    begin();
    domains_refusal = ENOSPC;
    CHECK(!xen_meet(&program_side, &xen_kernel, 0, 300, why, sizeof why) &&
        strstr(why, "xen_gntalloc/parameters/limit") != NULL);
    domains_refusal = EACCES;
    CHECK(!xen_meet(&program_side, &xen_kernel, 0, 300, why, sizeof why) &&
        strstr(why, "/dev/xen/gntalloc): Permission denied") != NULL);
    begin();
    domains_leave_no_word = true;
    CHECK(!xen_meet(&program_side, &xen_kernel, 0, 300, why, sizeof why) &&
        strstr(why, "word of this side's end") != NULL);
}

static void a_domain_is_a_number(void) {
    const char *wrong[] = {"xen:", "xen:x", "xen:-1", "xen: 1", "xen:1 ", "xen:32752", "xen:99999",
        "xen:100000", "xen://0", "xe:0", ""};
    CHECK(xen_domain("xen:0") == 0 && xen_domain("xen:32751") == 32751);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(xen_domain(wrong[i]) == -1);
}

/* ---- a program's threads, at a channel of its own ---------------------------------------------
 */

enum { ECHOED = 16 << 20 };

static void *write_all(void *unused) {
    uint8_t part[3000] = {0};
    (void)unused;
    for (size_t at = 0; at < ECHOED;) {
        struct iovec some = {part, ECHOED - at < sizeof part ? ECHOED - at : sizeof part};
        size_t n = channel_write(&program_side.rings, &some, 1);
        CHECK(n > 0 || channel_sleep(&program_side.rings, FOR_ROOM, NULL, patience_ms()));
        at += n;
    }
    return NULL;
}

static void *read_all(void *unused) {
    uint8_t part[5000];
    (void)unused;
    for (size_t at = 0; at < ECHOED;) {
        size_t n = channel_read(&program_side.rings, part, sizeof part);
        CHECK(n > 0 || channel_sleep(&program_side.rings, FOR_DATA, NULL, patience_ms()));
        at += n;
    }
    return NULL;
}

/* An event that one of them hears may be for the other. */
static void a_reader_and_a_writer_sleep_at_once(void) {
    pthread_t writer, reader;
    carrying echo;
    uint8_t part[4096];
    meet();
    start(&echo, &backend_side);
    CHECK(pthread_create(&writer, NULL, write_all, NULL) == 0);
    CHECK(pthread_create(&reader, NULL, read_all, NULL) == 0);
    for (size_t at = 0; at < ECHOED;) {
        ssize_t n = recv(echo.outside, part, sizeof part, 0);
        CHECK(n > 0 && send(echo.outside, part, (size_t)n, MSG_NOSIGNAL) == n);
        at += (size_t)n;
    }
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
}

static void *sleep_until_the_end(void *what) {
    while (!xen_channel_is_over(&program_side))
        CHECK(channel_sleep(&program_side.rings, (uint32_t)(uintptr_t)what, NULL, patience_ms()));
    return NULL;
}

static void an_end_wakes_all(void) {
    enum { SLEEPERS = 6 };
    pthread_t sleepers[SLEEPERS];
    meet();
    for (int i = 0; i < SLEEPERS; i++)
        CHECK(pthread_create(&sleepers[i], NULL, sleep_until_the_end, (void *)FOR_DATA) == 0);
    sleep_ms(50);
    xen_channel_end(&program_side);
    for (int i = 0; i < SLEEPERS; i++)
        pthread_join(sleepers[i], NULL);
    CHECK(!xen_channel_is_used(&backend_side));
}

static _Atomic bool peeks;

static void *peek(void *unused) {
    (void)unused;
    while (atomic_load(&peeks))
        channel_readable(&program_side.rings);
    return NULL;
}

/* The next one is at the address of the last: who looks at it needs no lock. */
static void another_channel_takes_its_place(void) {
    pthread_t thread;
    carrier old = {.fd = -1, .pages = &program_side};
    atomic_store(&peeks, true);
    meet();
    CHECK(pthread_create(&thread, NULL, peek, NULL) == 0);
    for (int i = 0; i < 30; i++) {
        xen_channel gone = backend_side, *made = malloc(sizeof *made);
        carrier next = {.fd = -1, .pages = made};
        struct iovec greeting = {"hello", 5};
        char text[8];
        CHECK(made != NULL);
        meet_as(made);
        CHECK(channel_write(&backend_side.rings, &greeting, 1) == 5 &&
              carrier_receive(next, text, 2) == 2);
        carrier_shutdown(old);
        CHECK(!xen_channel_is_used(&gone));
        CHECK(carrier_replace(old, &next) && !carrier_is_there(next));
        CHECK(xen_channel_is_used(&backend_side) && !xen_channel_is_over(&program_side));
        CHECK(carrier_receive(old, text, sizeof text) == 3 && memcmp(text, "llo", 3) == 0);
        CHECK(carrier_send(old, &greeting, 1) == 5 &&
              channel_read(&backend_side.rings, text, sizeof text) == 5);
        xen_channel_close(&gone);
    }
    atomic_store(&peeks, false);
    pthread_join(thread, NULL);
}

static bool is_closed(int fd) { return fcntl(fd, F_GETFD) < 0 && errno == EBADF; }

/* What a child had open would hide the parent's end from the other side. */
static void a_child_keeps_nothing_of_it(void) {
    unsigned char there[CHANNEL_PAGES];
    int status;
    meet();
    xen_channel before = program_side;
    pid_t child = fork();
    if (child == 0) {
        bool mapped = mincore(before.pages.base, CHANNEL_PAGES * XEN_PAGE, there) == 0;
        xen_channel_forget(&program_side);
        _exit(mapped || !is_closed(before.pages.fd) || !is_closed(before.event.fd) ||
              !is_closed(before.rouse));
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(xen_channel_is_used(&program_side) && xen_channel_is_used(&backend_side));
}

/* ---- a hostile program ----------------------------------------------------------------------- */

static bool parses(const char *text) {
    xen_offer read;
    return xen_offer_parse(&read, text);
}

static void an_offer_is_all_its_numbers_and_nothing_else(void) {
    xen_offer all = {.port = UINT32_MAX}, read;
    char text[OFFER_TEXT], more[OFFER_TEXT + 8];
    for (unsigned i = 0; i < CHANNEL_PAGES; i++)
        all.grants[i] = UINT32_MAX - i;
    xen_offer_write(&all, text);
    CHECK(xen_offer_parse(&read, text) &&
        memcmp(&read, &all, sizeof all) == 0);
    for (size_t length = 0; length < strlen(text); length++) {
        snprintf(more, sizeof more, "%.*s", (int)length, text);
        /* The last number may be shorter. */
        CHECK(length > strlen(text) - 10 || !parses(more));
    }
    const char *after[] = {" ", " 1", "0", "x", "\n"};
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
        snprintf(more, sizeof more, "%s%s", text, after[i]);
        CHECK(!parses(more));
    }
    CHECK(!parses("") && !parses("4294967296 1") && !parses("-1 1") && !parses("  1"));
}

static void random_offers_change_nothing(void) {
    static const char letters[] = "0123456789 -x";
    srandom(36);
    for (int i = 0; i < 20000; i++) {
        char text[OFFER_TEXT];
        size_t length = (size_t)random() % sizeof text;
        for (size_t j = 0; j < length; j++)
            text[j] = letters[random() % (long)(sizeof letters - 1)];
        text[length < sizeof text ? length : sizeof text - 1] = '\0';
        parses(text);
    }
}

static void grants_that_are_not_there_are_not_mapped(void) {
    xen_offer offered;
    begin();
    CHECK(xen_channel_make(&program_side, &xen_kernel, 0, &offered, why, sizeof why));
    xen_offer wrong = offered;
    wrong.grants[CHANNEL_PAGES - 1] = 1;
    CHECK(!xen_channel_take(&backend_side, &xen_kernel, GUEST, &wrong, why, sizeof why) &&
        strstr(why, "mapping pages") != NULL);
    wrong = offered;
    wrong.port = 99;
    CHECK(!xen_channel_take(&backend_side, &xen_kernel, GUEST, &wrong, why, sizeof why) &&
        strstr(why, "event channel") != NULL);
    CHECK(!xen_channel_take(&backend_side, &xen_kernel, GUEST + 1, &offered, why, sizeof why));
    CHECK(!xen_channel_is_used(&program_side));
}

/* Malformed offers, and one at the end that is none. */
static void malformed_offers_are_left_out(void) {
    static xen_visitors visitors;
    xen_offer offer, good = {.port = 7};
    char text[OFFER_TEXT];
    begin();
    xen_offer_write(&good, text);
    domains_put("1", "");
    domains_put("2", "7 1 2 3");
    domains_put("a-name-that-is-longer-than-any-of-ours", text);
    domains_put("4", text);
    CHECK(xen_expect(&visitors, &xen_kernel, GUEST));
    xen_look(&visitors);
    CHECK(xen_next_offer(&visitors, &offer) &&
        memcmp(&offer, &good, sizeof good) == 0); CHECK(!xen_next_offer(&visitors, &offer));
    xen_look(&visitors);
    CHECK(!xen_next_offer(&visitors, &offer));
}

static void a_domain_that_is_gone_is_seen(void) {
    static xen_visitors visitors;
    begin();
    CHECK(xen_expect(&visitors, &xen_kernel, GUEST));
    CHECK(xen_look(&visitors));
    write_file(GUEST_IS_GONE, "");
    CHECK(!xen_look(&visitors));
}

/* The words of a region, as its other side writes them. */
static void set_word(xen_channel *c, size_t at, uint64_t value) {
    atomic_store((_Atomic uint64_t *)(void *)((uint8_t *)c->pages.base + at), value);
}

static const char *carried_with(size_t word, uint64_t value) {
    meet();
    set_word(&program_side, word, value);
    start(&backend, &backend_side);
    send(backend.outside, "x", 1, MSG_NOSIGNAL);
    const char *broken = end_of_carrying(&backend);
    close(backend.outside);
    return broken;
}

enum { TO_BACKEND_WRITTEN = 256, TO_CLIENT_READ = 512 + 128 };

static void positions_that_cannot_be_end_the_channel(void) {
    const uint64_t wrong[] = {RING_BYTES + 1, UINT64_MAX, 1ULL << 32, 1ULL << 63};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *written = carried_with(TO_BACKEND_WRITTEN, wrong[i]);
        CHECK(written != NULL &&
        strstr(written, "broke the rules") != NULL); }
}

/* A reader that claims what it was never sent. */
static void a_position_ahead_of_the_writer_ends_the_channel(void) {
    char bytes[4096] = {0};
    meet();
    start(&backend, &backend_side);
    set_word(&program_side, TO_CLIENT_READ, 1ULL << 40);
    while (send(backend.outside, bytes, sizeof bytes, MSG_NOSIGNAL) > 0)
        continue;
    const char *broken = end_of_carrying(&backend);
    CHECK(broken != NULL && strstr(broken, "broke the rules") != NULL);
}

/* The pages hold anything, and change meanwhile: the side that carries ends once the other has
 * gone. */
static void random_pages_neither_crash_nor_hang(void) {
    srandom(3636);
    for (int round = 0; round < 40; round++) {
        meet();
        start(&backend, &backend_side);
        for (int i = 0; i < 200; i++) {
            size_t at = (size_t)random() % (REGION_HEAD / 8) * 8;
            uint64_t value = (uint64_t)random() << (random() % 34);
            set_word(&program_side, at, random() % 2 ? value : (uint64_t)random() % RING_BYTES);
            xen_kernel.ring(&program_side.event);
        }
        send(backend.outside, "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        shutdown(backend.outside, SHUT_RDWR);
        atomic_store(program_side.here, 0);
        xen_kernel.ring(&program_side.event);
        end_of_carrying(&backend);
        close(backend.outside);
        xen_channel_close(&program_side);
    }
}

/* A program's threads meet such pages, too: what they read is anything, and then it ends. */
static void random_pages_end_for_a_program(void) {
    char bytes[512];
    srandom(3737);
    for (int round = 0; round < 40; round++) {
        meet();
        carrier over = {.fd = -1, .pages = &program_side};
        ssize_t n = 0;
        for (int i = 0; i < 200 && (n >= 0 || errno == EINTR); i++) {
            size_t at = (size_t)random() % (REGION_HEAD / 8) * 8;
            set_word(&backend_side, at, (uint64_t)random() << (random() % 34));
            xen_kernel.ring(&backend_side.event);
            struct iovec some = {bytes, sizeof bytes};
            n = i % 2 == 0 ? carrier_send(over, &some, 1)
                           : carrier_receive(over, bytes, sizeof bytes);
        }
        xen_channel_close(&backend_side);
        while ((n = carrier_receive(over, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))
            continue;
        CHECK(n == 0 || errno == EPROTO);
        xen_channel_close(&program_side);
    }
}

/* ---- a hostile xenstore ---------------------------------------------------------------------- */

struct head {
    uint32_t type, request, transaction, bytes;
};

static bool asked_with(uint32_t type, uint32_t bytes, size_t sent) {
    int ends[2];
    char value[STORE_PAYLOAD + 2];
    static const char body[2 * STORE_PAYLOAD];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    struct head head = {type, 0, 0, bytes};
    CHECK(send(ends[1], &head, sizeof head, 0) == sizeof head &&
        send(ends[1], body, sent, 0) == (ssize_t)sent);
    shutdown(ends[1], SHUT_WR);
    store s = {.fd = ends[0]};
    bool read = store_read(&s, "a", value);
    close(ends[0]);
    close(ends[1]);
    return read;
}

static void malformed_answers_are_errors(void) {
    CHECK(asked_with(READ, 5, 5) && asked_with(READ, STORE_PAYLOAD, STORE_PAYLOAD));
    CHECK(!asked_with(READ, STORE_PAYLOAD + 1, STORE_PAYLOAD + 1));
    CHECK(!asked_with(READ, UINT32_MAX, 100) && !asked_with(READ, 10, 5));
    CHECK(!asked_with(WRITE, 5, 5) && !asked_with(ERROR, 5, 5) && !asked_with(EVENT, 5, 5));
}

int main(int argc, char **argv) {
    static const test_case cases[] = {
        {"bytes go both ways at once", bytes_go_both_ways_at_once},
        {"the key is gone once they have met", the_key_is_gone_once_they_have_met},
        {"an end comes after the last bytes", an_end_comes_after_the_last_bytes},
        {"a backend that ends is seen", a_backend_that_ends_is_seen},
        {"a side that was killed is seen", a_side_that_was_killed_is_seen},
        {"a reader and a writer sleep at once", a_reader_and_a_writer_sleep_at_once},
        {"an end wakes all", an_end_wakes_all},
        {"another channel takes its place", another_channel_takes_its_place},
        {"a child keeps nothing of it", a_child_keeps_nothing_of_it},
        {"nobody there is an error in time", nobody_there_is_an_error_in_time},
        {"what is missing is named", what_is_missing_is_named},
        {"a domain is a number", a_domain_is_a_number},
        {"an offer is all its numbers and nothing else",
         an_offer_is_all_its_numbers_and_nothing_else},
        {"random offers change nothing", random_offers_change_nothing},
        {"grants that are not there are not mapped", grants_that_are_not_there_are_not_mapped},
        {"a domain that is gone is seen", a_domain_that_is_gone_is_seen},
        {"malformed offers are left out", malformed_offers_are_left_out},
        {"positions that cannot be end the channel", positions_that_cannot_be_end_the_channel},
        {"a position ahead of the writer ends the channel",
         a_position_ahead_of_the_writer_ends_the_channel},
        {"random pages neither crash nor hang", random_pages_neither_crash_nor_hang},
        {"random pages end for a program", random_pages_end_for_a_program},
        {"malformed answers are errors", malformed_answers_are_errors},
        {0},
    };
    return run_cases(cases, argc, argv);
}
