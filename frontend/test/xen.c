/* SPDX-License-Identifier: Apache-2.0
 *
 * Both sides of xen: in one process, over devices that are files and threads of this test: granted
 * pages are those of a memory file, an event channel is a pair of eventfds, and the xenstore is a
 * thread that speaks its protocol.
 */
#include "../xen/carry.h"
#include "../xen/meet.h"
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    GUEST = 3, FIRST_GRANT = 500, PORT = 7, MOST_KEYS = 4, READ = 2, WRITE = 11, REMOVE = 13,
        DIRECTORY = 1, WATCH = 4, EVENT = 15, ERROR = 16, IS_THERE = 17,
    LARGE = 1 << 20,
};

/* ---- the devices ----------------------------------------------------------------------------- */

static int memory = -1, bells[2];       /* of the client's side, and of the other */
static unsigned granted;
static int refusal;                     /* an error that granting ends with */
static bool leaves_word;

static bool map_memory(unsigned count, xen_pages *to) {
    int fd = fcntl(memory, F_DUPFD_CLOEXEC, 0);
    void *base = mmap(NULL, (size_t)count * XEN_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    *to = (xen_pages){.base = base, .count = count, .fd = fd};
    return base != MAP_FAILED;
}

static bool grant(int domain, unsigned count, uint32_t grants[], xen_pages *to) {
    CHECK(domain == 0);
    errno = refusal;
    if (refusal != 0)
        return false;
    memory = (int)syscall(SYS_memfd_create, "pages", 1);
    CHECK(memory >= 0 && ftruncate(memory, (off_t)count * XEN_PAGE) == 0);
    granted = count;
    for (unsigned i = 0; i < count; i++)
        grants[i] = FIRST_GRANT + i;
    return map_memory(count, to);
}

/* As Xen: a grant that is not there, or not for this domain, cannot be mapped. */
static bool map(int domain, unsigned count, const uint32_t grants[], xen_pages *to) {
    errno = EINVAL;
    for (unsigned i = 0; i < count; i++)
        if (domain != GUEST || grants[i] != FIRST_GRANT + i || i >= granted)
            return false;
    return map_memory(count, to);
}

static bool leave_word(const xen_pages *pages, size_t byte, const xen_event *event) {
    CHECK(pages->base != MAP_FAILED && byte < REGION_HEAD && event->fd >= 0);
    return leaves_word;
}

static bool end_of(int which, xen_event *to) {
    to->fd = fcntl(bells[which], F_DUPFD_CLOEXEC, 0);
    to->port = (uint32_t)(PORT + which);
    return to->fd >= 0;
}

static bool offer(int domain, xen_event *to) {
    CHECK(domain == 0);
    bells[0] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    bells[1] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return end_of(0, to);
}

static bool join(int domain, uint32_t port, xen_event *to) {
    errno = EINVAL;
    return domain == GUEST && port == PORT && end_of(1, to);
}

static void ring_other(const xen_event *event) { eventfd_write(bells[event->port == PORT], 1); }

static void hear(const xen_event *event) {
    eventfd_t count;
    eventfd_read(event->fd, &count);
}

/* ---- the xenstore: folders are prefixes ------------------------------------------------------ */

static struct {
    char path[128], value[STORE_PAYLOAD];
} keys[MOST_KEYS];
static pthread_mutex_t keys_turn = PTHREAD_MUTEX_INITIALIZER;
static int watcher = -1;
static _Atomic bool guest_is_there = true;

struct head {
    uint32_t type, request, transaction, bytes;
};

/* One that watches may have gone. */
static void say(int fd, uint32_t type, const void *body, size_t bytes) {
    struct head head = {type, 0, 0, (uint32_t)bytes};
    if (send(fd, &head, sizeof head, MSG_NOSIGNAL) == sizeof head)
        send(fd, body, bytes, MSG_NOSIGNAL);
}

static int key_of(const char *path) {
    for (int i = 0; i < MOST_KEYS; i++)
        if (strcmp(keys[i].path, path) == 0)
            return i;
    return -1;
}

static void list(int fd, const char *folder) {
    char names[MOST_KEYS * 128];
    size_t bytes = 0, length = strlen(folder);
    for (int i = 0; i < MOST_KEYS; i++)
        if (strncmp(keys[i].path, folder, length) == 0 && keys[i].path[length] == '/')
            bytes += (size_t)sprintf(names + bytes, "%s", keys[i].path + length + 1) + 1;
    say(fd, DIRECTORY, names, bytes);
}

static void tell_watcher(void) {
    if (watcher >= 0)
        say(watcher, EVENT, "changed\0001", 10);
}

static void put(const char *path, const char *value) {
    int at = key_of(path) >= 0 ? key_of(path) : key_of("");
    CHECK(at >= 0);
    snprintf(keys[at].path, sizeof keys[at].path, "%s", path);
    snprintf(keys[at].value, sizeof keys[at].value, "%s", value);
    tell_watcher();
}

static void answer(int fd, uint32_t type, char *path, const char *more) {
    char whole[128];
    snprintf(whole, sizeof whole, *path == '/' ? "%s" : "/local/domain/3/%s", path);
    int at = key_of(whole);
    if ((type == READ || type == REMOVE) && at < 0) {
        say(fd, ERROR, "ENOENT", 7);
        return;
    }
    if (type == WRITE)
        put(whole, more);
    if (type == REMOVE)
        *keys[at].path = '\0';
    if (type == IS_THERE)
        say(fd, IS_THERE, guest_is_there && strcmp(path, "3") == 0 ? "T" : "F", 2);
    else if (type == READ)
        say(fd, READ, keys[at].value, strlen(keys[at].value));
    else if (type == DIRECTORY)
        list(fd, whole);
    else
        say(fd, type, "OK", 3);
    if (type == WATCH) {
        watcher = fd;
        tell_watcher();
    }
}

static void *serve_store(void *of) {
    int fd = (int)(intptr_t)of;
    struct head head;
    char body[STORE_PAYLOAD + 1];
    while (recv(fd, &head, sizeof head, MSG_WAITALL) == sizeof head) {
        CHECK(head.bytes <= STORE_PAYLOAD &&
        recv(fd, body, head.bytes, MSG_WAITALL) == (ssize_t)head.bytes);
        body[head.bytes] = '\0';
        pthread_mutex_lock(&keys_turn);
        answer(fd, head.type, body, body + strlen(body) + 1);
        pthread_mutex_unlock(&keys_turn);
    }
    pthread_mutex_lock(&keys_turn);
    watcher = watcher == fd ? -1 : watcher;
    pthread_mutex_unlock(&keys_turn);
    close(fd);
    return NULL;
}

static int connect_store(void) {
    int ends[2];
    pthread_t thread;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    CHECK(pthread_create(&thread, NULL, serve_store, (void *)(intptr_t)ends[1]) == 0 &&
        pthread_detach(thread) == 0);
    return ends[0];
}

static const xen_devices devices = {grant, map, leave_word, offer, join, ring_other, hear,
    connect_store};

/* ---- both sides ------------------------------------------------------------------------------ */

static xen_channel program_side, backend_side;
static char why[256];

static void begin(void) {
    refusal = 0;
    leaves_word = true;
    fresh_folder();
}

static void *take_one(void *unused) {
    static xen_visitors visitors;
    xen_offer offer;
    (void)unused;
    CHECK(xen_expect(&visitors, &devices, GUEST));
    do {
        if (!visitors.store.fired)
            CHECK(store_take_event(&visitors.store));
        xen_look(&visitors);
    } while (!xen_next_offer(&visitors, &offer));
    CHECK(xen_channel_take(&backend_side, &devices, GUEST, &offer, why, sizeof why));
    close(visitors.store.fd);
    return NULL;
}

static void meet(void) {
    pthread_t other;
    begin();
    CHECK(pthread_create(&other, NULL, take_one, NULL) == 0);
    CHECK(xen_meet(&program_side, &devices, 0, 10000, why, sizeof why));
    pthread_join(other, NULL);
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
    for (int i = 0; i < MOST_KEYS; i++)
        CHECK(*keys[i].path == '\0');
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
    ring_other(&program_side.event);
    CHECK(recv(backend.outside, text, sizeof text, 0) == 0);
    CHECK(end_of_carrying(&backend) == NULL);
}

static void nobody_there_is_an_error_in_time(void) {
    begin();
    double before = now_us();
    CHECK(!xen_meet(&program_side, &devices, 0, 300, why, sizeof why));
    CHECK(now_us() - before < 3e6 &&
        strstr(why, "nobody takes the channel") != NULL); CHECK(key_of("") == 0);
}

static void what_is_missing_is_named(void) {
    begin();
    refusal = ENOSPC;
    CHECK(!xen_meet(&program_side, &devices, 0, 300, why, sizeof why) &&
        strstr(why, "xen_gntalloc/parameters/limit") != NULL);
    refusal = EACCES;
    CHECK(!xen_meet(&program_side, &devices, 0, 300, why, sizeof why) &&
        strstr(why, "/dev/xen/gntalloc): Permission denied") != NULL);
    begin();
    leaves_word = false;
    CHECK(!xen_meet(&program_side, &devices, 0, 300, why, sizeof why) &&
        strstr(why, "word of this side's end") != NULL);
}

static void a_domain_is_a_number(void) {
    const char *wrong[] = {"xen:", "xen:x", "xen:-1", "xen: 1", "xen:1 ", "xen:32752", "xen:99999",
        "xen:100000", "xen://0", "xe:0", ""};
    CHECK(xen_domain("xen:0") == 0 && xen_domain("xen:32751") == 32751);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(xen_domain(wrong[i]) == -1);
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
    CHECK(xen_channel_make(&program_side, &devices, 0, &offered, why, sizeof why));
    xen_offer wrong = offered;
    wrong.grants[CHANNEL_PAGES - 1] = 1;
    CHECK(!xen_channel_take(&backend_side, &devices, GUEST, &wrong, why, sizeof why) &&
        strstr(why, "mapping pages") != NULL);
    wrong = offered;
    wrong.port = 99;
    CHECK(!xen_channel_take(&backend_side, &devices, GUEST, &wrong, why, sizeof why) &&
        strstr(why, "event channel") != NULL);
    CHECK(!xen_channel_take(&backend_side, &devices, GUEST + 1, &offered, why, sizeof why));
    CHECK(!xen_channel_is_used(&program_side));
}

/* Malformed offers, and one at the end that is none. */
static void malformed_offers_are_left_out(void) {
    static xen_visitors visitors;
    xen_offer offer, good = {.port = PORT};
    char text[OFFER_TEXT];
    begin();
    xen_offer_write(&good, text);
    pthread_mutex_lock(&keys_turn);
    put("/local/domain/3/data/outboard/1", "");
    put("/local/domain/3/data/outboard/2", "7 1 2 3");
    put("/local/domain/3/data/outboard/a-name-that-is-longer-than-any-of-ours", text);
    put("/local/domain/3/data/outboard/4", text);
    pthread_mutex_unlock(&keys_turn);
    CHECK(xen_expect(&visitors, &devices, GUEST));
    xen_look(&visitors);
    CHECK(xen_next_offer(&visitors, &offer) &&
        memcmp(&offer, &good, sizeof good) == 0); CHECK(!xen_next_offer(&visitors, &offer));
    xen_look(&visitors);
    CHECK(!xen_next_offer(&visitors, &offer));
}

static void a_domain_that_is_gone_is_seen(void) {
    static xen_visitors visitors;
    begin();
    CHECK(xen_expect(&visitors, &devices, GUEST));
    CHECK(xen_look(&visitors));
    guest_is_there = false;
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
            ring_other(&program_side.event);
        }
        send(backend.outside, "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        shutdown(backend.outside, SHUT_RDWR);
        atomic_store(program_side.here, 0);
        ring_other(&program_side.event);
        end_of_carrying(&backend);
        close(backend.outside);
        xen_channel_close(&program_side);
    }
}

/* ---- a hostile xenstore ---------------------------------------------------------------------- */

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
        {"malformed answers are errors", malformed_answers_are_errors},
        {0},
    };
    return run_cases(cases, argc, argv);
}
