/* SPDX-License-Identifier: Apache-2.0
 *
 * A backend whose connections are cut again and again: each call is made once, in order, and each
 * answer comes. The backend here keeps all that it has sent, and goes on from where its client is.
 */
#include "fake.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SAID = 8 << 20, GRACE = 2, SECRET = 16, OF_THE_COPY = 1 << 20 };

typedef struct resumed {
    uint32_t magic, length, type, epoch;
    uint64_t bytes;
} resumed;

static struct {
    uint8_t *said;          /* all that was sent */
    uint64_t said_bytes, heard;
    long left;              /* bytes either way until the next cut; fewer than none: no more cuts */
    _Atomic int cuts;
    _Atomic uint32_t epoch;
    char key[TOKEN_DIGITS + 1];
    bool stays_away;        /* after the cut nobody answers */
    bool in_headers;        /* cuts are within the headers of frames */
    bool by_silence;        /* cuts end nothing: the link swallows what either side says */
    bool moves;             /* after the cut it is found at another address */
    bool is_shared;         /* a copy of the client has gone on meanwhile */
} link_state;

static void put_digits(char *to, const uint8_t *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        snprintf(to + 2 * i, 3, "%02x", from[i]);
}

static void derive_key(const char *token) {
    char secret[2 * SECRET + 1];
    uint8_t key[32];
    put_digits(secret, (const uint8_t[SECRET]){0}, SECRET);
    hmac_sha256((part){token, TOKEN_DIGITS},
                (const part[]){{"outboard derived", 16}, {"resume ", 7}, {secret, 2 * SECRET}}, 3,
                key);
    put_digits(link_state.key, key, sizeof key);
}

/* The address that a name has. */
static _Atomic uint32_t named = INADDR_LOOPBACK;

/* In the place of the C library's. */
int getaddrinfo(const char *name, const char *port, const struct addrinfo *hints,
                struct addrinfo **list) {
    struct {
        struct addrinfo info;
        struct sockaddr_in address;
    } *one = calloc(1, sizeof *one);
    CHECK(one != NULL && *name != '\0');
    one->address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    one->address.sin_addr.s_addr = htonl(named);
    one->info = (struct addrinfo){.ai_family = AF_INET,
                                  .ai_socktype = hints->ai_socktype,
                                  .ai_addrlen = sizeof one->address,
                                  .ai_addr = (struct sockaddr *)&one->address};
    *list = &one->info;
    return 0;
}

void freeaddrinfo(struct addrinfo *list) { free(list); }

static void move(fake *f) {
    struct sockaddr_in place;
    socklen_t bytes = sizeof place;
    CHECK(getsockname(f->listener, (struct sockaddr *)&place, &bytes) == 0);
    close(f->listener);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
    f->listener = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(f->listener, (struct sockaddr *)&place, bytes) == 0 && listen(f->listener, 4) == 0);
    named = INADDR_LOOPBACK + 1;
}

/* A header and its body are two writes. */
static void at_once(const fake *f) {
    setsockopt(f->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
}

/* One that the client has given up, as domain 0 was slow to take it, says nothing. */
static int accept_next(const fake *f) {
    char byte;
    int fd = accept(f->listener, NULL, NULL);
    while (recv(fd, &byte, 1, MSG_PEEK) <= 0) {
        close(fd);
        fd = accept(f->listener, NULL, NULL);
    }
    return fd;
}

/* A new connection: bytes that the client lacks are sent again. */
static bool come_back(fake *f) {
    resumed theirs;
    /* The end of the script closes it; a number that is closed twice may be another's by then. */
    if (link_state.stays_away)
        return false;
    if (!link_state.by_silence)
        close(f->fd);
    if (link_state.moves)
        move(f);
    f->fd = accept_next(f);
    at_once(f);
    fake_read_hello(f);
    CHECK(f->hello_bytes == 80 && f->hello[64] == 128 && f->hello[16] == 0x2a);
    CHECK(fake_challenge(f, link_state.key));
    CHECK(fake_get(f, &theirs, sizeof theirs) && theirs.type == 9 &&
          theirs.length == sizeof theirs);
    CHECK(theirs.epoch == link_state.epoch && theirs.bytes <= link_state.said_bytes);
    resumed mine = {theirs.magic, sizeof mine, 9, ++link_state.epoch,
                    link_state.heard + (link_state.is_shared ? OF_THE_COPY : 0)};
    CHECK(fake_put(f, &mine, sizeof mine));
    CHECK(fake_put(f, link_state.said + theirs.bytes, link_state.said_bytes - theirs.bytes));
    return true;
}

/* Whether the connection goes on. */
static bool cut_now(fake *f) {
    bool reset = rand() % 2 == 0;
    if (reset)
        setsockopt(f->fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1},
                   sizeof(struct linger));
    link_state.cuts--;
    link_state.left = link_state.cuts > 0 && !link_state.in_headers ? 1 + rand() % 20000 : -1;
    return come_back(f);
}

/* A header begins, of either side's: each byte of it is the last one as often, the whole header
 * too. */
static void aim(bool own) {
    int bytes = sizeof(frame);
    if (link_state.in_headers && link_state.cuts > 0 && own == (link_state.cuts / bytes % 2 == 0))
        link_state.left = 1 + link_state.cuts % bytes;
}

static size_t until_cut(size_t bytes) {
    return link_state.left < 0 || (size_t)link_state.left > bytes ? bytes : (size_t)link_state.left;
}

static bool passed(fake *f, size_t bytes) {
    if (link_state.left < 0)
        return true;
    link_state.left -= (long)bytes;
    return link_state.left > 0 || cut_now(f);
}

static bool hear(fake *f, void *to, size_t bytes) {
    for (size_t done = 0, n; done < bytes; done += n) {
        n = until_cut(bytes - done);
        if (!fake_get(f, (uint8_t *)to + done, n))
            return false;
        link_state.heard += n;
        if (!passed(f, n))
            return false;
    }
    return true;
}

static bool say(fake *f, const void *from, size_t bytes) {
    CHECK(link_state.said_bytes + bytes <= SAID);
    memcpy(link_state.said + link_state.said_bytes, from, bytes);
    for (size_t done = 0, n; done < bytes; done += n) {
        n = until_cut(bytes - done);
        fake_put(f, (const uint8_t *)from + done, n);
        link_state.said_bytes += n;
        if (!passed(f, n))
            return false;
    }
    return true;
}

static uint64_t last_sequence;
static _Atomic uint64_t echoes;

static void answer(fake *f, const frame *call, const void *body, uint32_t bytes) {
    frame header = {.length = (uint32_t)sizeof header + bytes,
                    .kind = KIND_REPLY,
                    .sequence = call->sequence,
                    .thread = call->thread,
                    .acknowledged = link_state.heard};
    aim(true);
    say(f, &header, sizeof header);
    say(f, body, bytes);
}

static bool tells;  /* without being asked, as what it hears grows */

static void tell(fake *f) {
    static uint64_t told;
    if (link_state.heard - told < 2 << 20)
        return;
    told = link_state.heard;
    frame word = {.length = sizeof word, .kind = KIND_PONG, .acknowledged = told};
    say(f, &word, sizeof word);
}

static bool hear_frame(fake *f) {
    frame one;
    aim(false);
    if (!hear(f, &one, sizeof one))
        return false;
    CHECK(one.length >= sizeof one && one.length <= FRAME_LIMIT &&
          one.acknowledged <= link_state.said_bytes);
    CHECK(one.sequence == last_sequence + 1 || (one.sequence == 0 && one.kind == KIND_PONG));
    last_sequence = one.sequence != 0 ? one.sequence : last_sequence;
    if (!hear(f, f->body, one.length - sizeof one) || one.kind == KIND_GOODBYE)
        return false;
    if (tells)
        tell(f);
    if (one.kind == KIND_CALL)
        echoes++;
    if (one.kind == KIND_CALL && (one.flags & OB_ANSWER) != 0)
        answer(f, &one, f->body, one.length - (uint32_t)sizeof one);
    return true;
}

static void serve(fake *f) {
    f->grace = GRACE;
    at_once(f);
    derive_key(getenv("OUTBOARD_TOKEN"));
    fake_greet(f);
    CHECK((f->hello[64] & 64) != 0);
    while (hear_frame(f))
        continue;
}

static fake *start(int cuts) {
    fresh_folder();
    divert(STDERR_FILENO);
    srand(11);
    link_state.said = malloc(SAID);
    link_state.cuts = cuts;
    link_state.left = cuts > 0 && !link_state.in_headers ? 3000 : -1;
    return fake_start(serve, true);
}

static void *call_often(void *number) {
    for (uint64_t i = 0, back; i < 300; i++) {
        uint64_t value = i * 64 + (uint64_t)(uintptr_t)number;
        CHECK(call_echo(value, &back) == 0 && back == value);
        for (int posted = rand() % 5; posted > 0; posted--)
            CHECK(call_plain(CALL_ECHO, 0) == 0);
    }
    return NULL;
}

static void expect_cuts(int cuts) {
    CHECK(link_state.cuts == 0 && link_state.epoch == (uint32_t)cuts);
    CHECK(strstr(diverted(), "is back") != NULL && strstr(diverted(), "further call") == NULL);
}

static void each_call_is_made_once(void) {
    start(20);
    for (int i = 0; i < 6; i++)
        call_often(NULL);
    expect_cuts(20);
}

static void for_many_threads(void) {
    enum { THREADS = 6 };
    pthread_t threads[THREADS];
    start(20);
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, call_often, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    expect_cuts(20);
}

/* Posted calls come before the question behind them, and nothing comes twice. */
static void at_each_byte_of_a_header(void) {
    /* A channel that has ended leaves two processes of domains.c behind. */
    int cuts = getenv("OUTBOARD_LONG") != NULL && !is_medium("xen") ? 10000 : 400;
    uint64_t made = 0, back;
    link_state.in_headers = true;
    start(cuts);
    for (; link_state.cuts > 0; made += 2) {
        CHECK(call_plain(CALL_ECHO, 0) == 0);
        CHECK(call_echo(made, &back) == 0 && back == made);
    }
    CHECK(echoes == made);
    expect_cuts(cuts);
}

/* In the middle of what either side says; it is noticed by who waits for an answer. */
static void by_silence(void) {
    stream_round_ms = 300 * slowness();
    link_state.by_silence = true;
    start(4);
    while (link_state.cuts > 0)
        call_often(NULL);
    expect_cuts(4);
    CHECK(strstr(diverted(), "it is silent") != NULL);
}

static void at_another_address(void) {
    char uri[64];
    skip_if(is_medium("xen"));
    link_state.moves = true;
    fake *f = start(1);
    snprintf(uri, sizeof uri, "tcp://backend.test%s", strrchr(f->uri, ':'));
    setenv("OUTBOARD", uri, 1);
    call_often(NULL);
    expect_cuts(1);
}

static void after_the_grace_period_it_is_lost(void) {
    link_state.stays_away = true;
    fake *f = start(1);
    int32_t result = 0;
    while (result == 0)
        result = call_plain(CALL_ECHO, OB_ANSWER);
    fake_join(f);
    CHECK(result == test_library.unavailable);
    CHECK(strstr(diverted(), "trying for 2 s") != NULL &&
          strstr(diverted(), "every further call fails") != NULL);
}

static void a_copy_has_gone_on(void) {
    link_state.is_shared = true;
    start(1);
    int32_t result = 0;
    while (result == 0)
        result = call_plain(CALL_ECHO, OB_ANSWER);
    CHECK(result == test_library.unavailable);
    CHECK(
        strstr(
            diverted(),
            "its session is gone: another process, a clone of this one perhaps, goes on with it") !=
        NULL);
}

/* Far more than is kept: the backend's word is waited for. */
static void what_is_posted_waits_for_room(void) {
    static uint8_t large[1 << 20];
    tells = true;
    start(0);
    for (int i = 0; i < 40; i++) {
        ob_call call;
        CHECK(ob_begin(&call, &test_library, CALL_ECHO, 8) == 0 &&
              ob_append(&call, large, sizeof large) == 0);
        expect_echo(&call);
        CHECK(ob_send(&call, 0) == 0);
    }
    uint64_t back;
    CHECK(call_echo(7, &back) == 0 && back == 7 && echoes == 41);
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"each call is made once", each_call_is_made_once},
            {"for many threads", for_many_threads},
            {"at each byte of a header", at_each_byte_of_a_header},
            {"by silence", by_silence},
            {"at another address", at_another_address},
            {"after the grace period it is lost", after_the_grace_period_it_is_lost},
            {"a copy has gone on", a_copy_has_gone_on},
            {"what is posted waits for room", what_is_posted_waits_for_room},
            {0},
        },
        argc, argv);
}
