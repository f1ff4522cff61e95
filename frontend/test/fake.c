/* SPDX-License-Identifier: Apache-2.0 */
#include "fake.h"
#include "domain0.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define FAKE_TOKEN "5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed"

const ob_library test_library = {
    .name = "test",
    .soname = "libtest.so.1",
    .id = 7,
    .level = CALL_LEVEL,
    .digest = {1, 2, 3},
    .invalid_value = -1,
    .not_supported = -2,
    .not_initialized = -3,
    .unavailable = -4,
    .out_of_memory = -5,
};

/* ---- the connection -------------------------------------------------------------------------- */

static void listen_tcp(fake *f) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof address;
    f->listener = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(f->listener, (struct sockaddr *)&address, bytes) == 0);
    CHECK(getsockname(f->listener, (struct sockaddr *)&address, &bytes) == 0);
    snprintf(f->uri, sizeof f->uri, "tcp://127.0.0.1:%d", ntohs(address.sin_port));
}

static void listen_unix(fake *f) {
    static int number;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/%d.%d", getenv("HOME"), (int)getpid(),
             number++);
    f->listener = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(bind(f->listener, (struct sockaddr *)&address, sizeof address) == 0);
    snprintf(f->uri, sizeof f->uri, "unix:%s", address.sun_path);
}

/* Signals are the program's: the other side does as it is told. */
static void *run_script(void *argument) {
    fake *f = argument;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    f->fd = accept(f->listener, NULL, NULL);
    f->script(f);
    close(f->fd);
    return NULL;
}

/* A slow machine is no reason for words that no case is about. */
static void wait_longer_for_answers(void) {
    static bool longer;
    /* Scripts say farewell to nobody. */
    farewell_answer_ms = 20;
    if (!longer) {
        answer_expected.all_ms *= slowness();
    }
    longer = true;
}

bool is_medium(const char *name) {
    const char *medium = getenv("MEDIUM");
    return medium != NULL && strcmp(medium, name) == 0;
}

static void go_behind_domain0(fake *f) {
    domain0_start(f->uri);
    snprintf(f->uri, sizeof f->uri, "xen:0");
}

fake *fake_start(fake_script script, bool tcp) {
    static fake *latest;
    fake *f = calloc(1, sizeof *f);
    CHECK(f != NULL);
    wait_longer_for_answers();
    f->before = latest;
    latest = f;
    f->script = script;
    f->layout = region_usual();
    f->tcp = tcp;
    f->shm = !tcp && is_medium("shm");
    if (tcp)
        listen_tcp(f);
    else
        listen_unix(f);
    CHECK(listen(f->listener, 4) == 0);
    if (tcp && is_medium("xen"))
        go_behind_domain0(f);
    setenv("OUTBOARD", f->uri, 1);
    if (tcp)
        setenv("OUTBOARD_TOKEN", FAKE_TOKEN, 0);
    CHECK(pthread_create(&f->thread, NULL, run_script, f) == 0);
    return f;
}

void fake_join(fake *f) { CHECK(pthread_join(f->thread, NULL) == 0); }

/* The socket's own limit of time holds for the ring too. */
static bool wait_on_ring(fake *f, uint32_t what) {
    struct timeval limit = {0};
    socklen_t bytes = sizeof limit;
    struct pollfd socket = {.fd = f->fd, .events = POLLRDHUP};
    getsockopt(f->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, &bytes);
    int limit_ms = (int)(limit.tv_sec * 1000 + limit.tv_usec / 1000);
    bool came = (what == FOR_DATA && channel_spin(&f->rings, LOOKS_FREELY)) ||
                channel_sleep(&f->rings, what, NULL, limit_ms > 0 ? limit_ms : 250);
    bool there = what == FOR_DATA ? channel_readable(&f->rings) : channel_writable(&f->rings);
    return there || (poll(&socket, 1, 0) == 0 && (came || limit_ms == 0));
}

static size_t get_some(fake *f, void *to, size_t bytes) {
    size_t n = channel_read(&f->rings, to, bytes);
    while (n == 0 && wait_on_ring(f, FOR_DATA))
        n = channel_read(&f->rings, to, bytes);
    CHECK(n != CHANNEL_BROKEN);
    return n;
}

static bool get_from_ring(fake *f, uint8_t *to, size_t bytes) {
    for (size_t n = 1; bytes > 0 && n > 0; bytes -= n, to += n)
        n = get_some(f, to, bytes);
    return bytes == 0;
}

static bool put_to_ring(fake *f, const uint8_t *from, size_t bytes) {
    while (bytes > 0) {
        size_t n = channel_write(&f->rings, &(struct iovec){(void *)from, bytes}, 1);
        CHECK(n != CHANNEL_BROKEN);
        if (n == 0 && !wait_on_ring(f, FOR_ROOM))
            return false;
        from += n;
        bytes -= n;
    }
    return true;
}

static bool get_from_socket(fake *f, void *to, size_t bytes) {
    return bytes == 0 || recv(f->fd, to, bytes, MSG_WAITALL) == (ssize_t)bytes;
}

static bool put_to_socket(fake *f, const void *from, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        ssize_t n = send(f->fd, (const uint8_t *)from + done, bytes - done, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

bool fake_get(fake *f, void *to, size_t bytes) {
    return f->rings.base != NULL ? get_from_ring(f, to, bytes) : get_from_socket(f, to, bytes);
}

bool fake_put(fake *f, const void *from, size_t bytes) {
    return f->rings.base != NULL ? put_to_ring(f, from, bytes) : put_to_socket(f, from, bytes);
}

/* Where there are rings, a stream tells only that. */
void fake_await_end(fake *f) {
    char some[4096];
    while (recv(f->fd, some, sizeof some, 0) > 0)
        continue;
}

/* ---- the greeting ---------------------------------------------------------------------------- */

void fake_read_hello(fake *f) {
    uint32_t length;
    CHECK(fake_get(f, f->hello, 8));
    memcpy(&length, f->hello + 4, 4);
    CHECK(length >= 80 && length <= MESSAGE_LIMIT && length % 8 == 0);
    CHECK(fake_get(f, f->hello + 8, length - 8));
    f->hello_bytes = length;
    f->shm = f->shm && (f->hello[64] & 1) != 0;
}

void fake_welcome(fake *f, const uint8_t proof[32]) {
    struct {
        uint32_t magic, length, type;
        uint16_t version, grace;
        uint8_t session[16], secret[16], proof[32];
        uint32_t libraries, flags;
        char name[24];
        uint32_t number, level, words, pad2;
        uint64_t calls;
    } welcome = {
        .magic = 0x4454424F,
        .length = sizeof welcome,
        .type = 4,
        .version = 1,
        .grace = f->grace,
        .session = {0x2a, 1},
        .libraries = 1,
        .flags = (f->shm ? 1 : 0) | (f->joinable ? 2 : 0) | 8,
        .name = "test",
        .number = 7,
        .level = CALL_LEVEL,
        .words = 1,
        .calls = ((1ULL << (CALL_LEVEL + 1)) - 1) & ~(1ULL << CALL_LEFT_OUT),
    };
    if (proof != NULL)
        memcpy(welcome.proof, proof, sizeof welcome.proof);
    CHECK(fake_put(f, &welcome, sizeof welcome));
    if (f->shm)
        fake_offer(f, f->region > 0 ? f->region : region_create(&f->layout), &f->layout);
}

static void send_descriptor(fake *f, int fd, void *message, size_t bytes) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.header = {.cmsg_len = CMSG_LEN(sizeof fd),
                            .cmsg_level = SOL_SOCKET,
                            .cmsg_type = SCM_RIGHTS}};
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    struct iovec all = {message, bytes};
    struct msghdr with = {.msg_iov = &all,
                          .msg_iovlen = 1,
                          .msg_control = &control,
                          .msg_controllen = sizeof control};
    ssize_t n = sendmsg(f->fd, fd >= 0 ? &with : &(struct msghdr){.msg_iov = &all, .msg_iovlen = 1},
                        MSG_NOSIGNAL);
    /* the client may not have liked the welcome */
    CHECK(n == (ssize_t)bytes || errno == EPIPE || errno == ECONNRESET);
}

bool fake_offer(fake *f, int fd, const region_layout *layout) {
    struct {
        uint32_t magic, length, type, zero;
        region_layout layout;
    } offer = {.magic = 0x4454424F, .type = 6, .layout = *layout};
    struct {
        uint32_t magic, length, type, taken;
    } answer = {0};
    offer.length = layout->mark != 0 ? sizeof offer : offsetof(__typeof__(offer), layout.offset);
    send_descriptor(f, f->region > 0 ? -1 : fd, &offer, offer.length);
    if (!fake_get(f, &answer, sizeof answer))
        return false;
    CHECK(answer.magic == offer.magic && answer.length == sizeof answer && answer.type == 7 &&
          answer.taken <= 1);
    if (answer.taken == 1 && layout->mark != 0)
        CHECK(channel_map(&f->rings, fd, layout, BACKEND_SIDE, &stream_doorbell) &&
              channel_rings_over(&f->rings, f->fd));
    else if (answer.taken == 1)
        CHECK(channel_map(&f->rings, fd, layout, BACKEND_SIDE, &futex_doorbell));
    close(fd);
    return answer.taken == 1;
}

bool fake_challenge(fake *f, const char *token) {
    const part key = {token, TOKEN_DIGITS};
    uint8_t nonce[32], proof[48], expected[32], own[32];
    const uint32_t head[4] = {0x4454424F, 48, 2, 0};
    memset(nonce, 0x5a, sizeof nonce);
    fake_put(f, head, sizeof head);
    fake_put(f, nonce, sizeof nonce);
    const part theirs = {f->hello + 32, 32}, ours = {nonce, 32};
    hmac_sha256(key, (const part[]){{"outboard client", 15}, theirs, ours}, 3, expected);
    hmac_sha256(key, (const part[]){{"outboard server", 15}, ours, theirs}, 3, own);
    if (!fake_get(f, proof, sizeof proof) || memcmp(proof + 16, expected, 32) != 0)
        return false;
    fake_welcome(f, own);
    return true;
}

void fake_greet(fake *f) {
    fake_read_hello(f);
    fake_admit(f);
}

void fake_admit(fake *f) {
    if (f->tcp)
        CHECK(fake_challenge(f, FAKE_TOKEN));
    else
        fake_welcome(f, NULL);
}

/* ---- frames ---------------------------------------------------------------------------------- */

bool fake_read(fake *f, frame *to) {
    if (!fake_get(f, to, sizeof *to)) {
        f->closed = true;
        return false;
    }
    CHECK(to->length >= sizeof *to && to->length <= FRAME_LIMIT && to->length % 8 == 0);
    /* Frames come in order, none is lost, and a payload has its call's number. */
    CHECK(to->sequence == f->sequence + 1 || (to->sequence == f->sequence && f->payload_bytes > 0));
    f->sequence = to->sequence;
    return fake_get(f, f->body, to->length - sizeof *to);
}

static void send_frame(fake *f, frame header, const void *body, uint32_t bytes) {
    static const uint8_t padding[8];
    header.length = (uint32_t)sizeof header + (uint32_t)align8(bytes);
    if (fake_put(f, &header, sizeof header) && fake_put(f, body, bytes))
        fake_put(f, padding, align8(bytes) - bytes);
}

void fake_send(fake *f, uint8_t kind, int32_t result, const void *body, uint32_t bytes) {
    send_frame(f, (frame){.kind = kind, .result = result}, body, bytes);
}

void fake_reply(fake *f, const frame *call, int32_t result, const void *body, uint32_t bytes) {
    frame header = {.kind = KIND_REPLY,
                    .flags = FLAG_MORE,
                    .result = result,
                    .sequence = call->sequence,
                    .thread = call->thread};
    const uint8_t *from = body;
    for (; bytes > BODY_LIMIT; bytes -= OB_CHUNK, from += OB_CHUNK)
        send_frame(f, header, from, OB_CHUNK);
    header.flags = 0;
    send_frame(f, header, from, bytes);
}

static void take_payload(fake *f, const frame *one) {
    CHECK(one->result > 0 && align8((uint64_t)one->result) == one->length - sizeof *one);
    f->payload_bytes += (uint64_t)one->result;
    for (int32_t i = 0; i < one->result; i++)
        f->payload_sum += f->body[i] * (uint64_t)(i % 7 + 1);
}

static void reply_filled(fake *f, const frame *call) {
    uint64_t n;
    memcpy(&n, f->body, 8);
    uint8_t *reply = malloc(8 + n);
    CHECK(reply != NULL);
    memcpy(reply, &n, 8);
    for (uint64_t i = 0; i < n; i++)
        reply[8 + i] = (uint8_t)(i * 31 >> 3);
    fake_reply(f, call, 0, reply, (uint32_t)(8 + n));
    free(reply);
}

static void reply_payload(fake *f, const frame *call) {
    uint64_t answer[2] = {f->payload_bytes, f->payload_sum};
    CHECK(((call->flags & FLAG_PAYLOAD) != 0) == (f->payload_bytes > 0));
    f->payload_bytes = f->payload_sum = 0;
    fake_reply(f, call, 0, answer, sizeof answer);
}

static bool is_done(const fake *f, const frame *one, uint64_t ticket) {
    return one->kind == KIND_CALLBACK_DONE && memcmp(f->body, &ticket, sizeof ticket) == 0;
}

/* Answers what comes meanwhile. */
static void ask_callback(fake *f, const frame *call) {
    frame held = *call, one;
    uint64_t body[2] = {0, 1000 + call->sequence};
    memcpy(body, f->body, 8);
    fake_send(f, KIND_CALLBACK, 0, body, sizeof body);
    if ((held.flags & OB_ANSWER) == 0)
        return;
    while (fake_read(f, &one) && !is_done(f, &one, body[1]))
        fake_handle(f, &one);
    fake_reply(f, &held, 0, NULL, 0);
}

static void handle_call(fake *f, const frame *call) {
    uint64_t before = f->calls++;
    uint32_t bytes = call->length - (uint32_t)sizeof *call;
    bool answer = (call->flags & OB_ANSWER) != 0;
    CHECK((call->library == test_library.id || f->opened > 0) && call->thread != 0);
    if (call->call == CALL_CALLBACK)
        ask_callback(f, call);
    else if (call->call == CALL_PRINT)
        fake_send(f, KIND_OUTPUT, (int32_t)strlen((char *)f->body), f->body,
                  (uint32_t)strlen((char *)f->body));
    if (!answer || call->call == CALL_CALLBACK)
        return;
    switch (call->call) {
    case CALL_FILL:
        reply_filled(f, call);
        break;
    case CALL_PAYLOAD:
        reply_payload(f, call);
        break;
    case CALL_FAIL:
        fake_reply(f, call, RESULT_FAILED, NULL, 0);
        break;
    case CALL_COUNT:
        fake_reply(f, call, 0, &before, sizeof before);
        break;
    default:
        fake_reply(f, call, 0, f->body, bytes);
    }
}

/* Opens one library, once, and lacks all others. */
static void open_library(fake *f, const frame *one) {
    struct {
        char name[24];
        uint32_t number, level, words, pad;
        uint64_t calls;
    } opened = {
        .name = "late", .number = 9, .level = CALL_LEVEL, .words = 1, .calls = 1ULL << CALL_ECHO};
    CHECK(one->length == sizeof *one + HELLO_ENTRY_END);
    CHECK(f->opened++ < 2);
    bool known = strcmp((char *)f->body, opened.name) == 0;
    fake_reply(f, one, !known, &opened, known ? sizeof opened : 0);
}

void fake_handle(fake *f, const frame *one) {
    switch (one->kind) {
    case KIND_LIBRARY:
        open_library(f, one);
        break;
    case KIND_CALL:
        handle_call(f, one);
        break;
    case KIND_PAYLOAD:
        take_payload(f, one);
        break;
    case KIND_THREAD_END:
        f->ended_thread = one->thread;
        break;
    case KIND_GOODBYE:
        f->goodbye = true;
        break;
    case KIND_BULK_LOST:
        f->bulk_losses++;
        break;
    case KIND_PONG:
    case KIND_CALLBACK_DONE:
        break;
    default:
        CHECK(!"a kind that a client sends");
    }
}

void fake_serve(fake *f) {
    frame one;
    fake_greet(f);
    while (fake_read(f, &one))
        fake_handle(f, &one);
}

void fake_serve_next(fake *f) {
    close(f->fd);
    f->fd = accept(f->listener, NULL, NULL);
    fake_serve(f);
}

/* ---- the client's side ----------------------------------------------------------------------- */

void expect_echo(ob_call *call) {
    uint64_t tail = align8(thread_that_calls(call)->tail_bytes);
    ob_expect(call, call->body_bytes + (uint32_t)tail, NULL, 0);
}

int32_t call_echo(uint64_t value, uint64_t *back) {
    ob_call call;
    int32_t result = ob_begin(&call, &test_library, CALL_ECHO, 8);
    if (result != 0)
        return result;
    ob_set_u64(&call, 0, value);
    expect_echo(&call);
    result = ob_send(&call, OB_ANSWER);
    ob_get(&call, 0, back, 8);
    return result;
}

int32_t call_plain(uint32_t number, uint32_t flags) {
    ob_call call;
    int32_t result = ob_begin(&call, &test_library, number, 0);
    return result != 0 ? result : ob_send(&call, flags);
}

uint64_t call_count(void) {
    ob_call call;
    uint64_t count = UINT64_MAX;
    CHECK(ob_begin(&call, &test_library, CALL_COUNT, 0) == 0);
    ob_expect(&call, 8, NULL, 0);
    CHECK(ob_send(&call, OB_ANSWER) == 0);
    ob_get(&call, 0, &count, 8);
    return count;
}
