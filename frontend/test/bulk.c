/* SPDX-License-Identifier: Apache-2.0
 *
 * Bulk data over further connections of the session: it arrives whole, whatever fails is told, and
 * nothing waits for ever.
 */
#include "fake.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CALL_UP = 30,       /* u64 transfer, u64 bytes; replied when all pieces are there */
    CALL_DOWN = 31,     /* the same; replied when the pieces have been sent, or before */
    CALL_FAIL_UP = 32,  /* fails, and takes what still comes */
    CALL_FAIL_DOWN = 33, /* sends two pieces, fails, and sends another one */
    CALL_BREAK = 34,    /* closes a further connection */
    CALL_LEAVE = 35,    /* closes the first connection */
    CALL_SILENT = 36,   /* succeeds and sends nothing */
    CALL_WRONG = 37,    /* sends a piece with the header that follows */
    /* as CALL_UP, but for the first one, whose bytes are lost with a connection */
    CALL_LOSE = 38,
    CALL_CUT = 39,      /* as CALL_DOWN, but for the first one, whose bytes are cut by a loss */
    CALL_TOLD = 40,     /* likewise, which the backend alone sees, and tells */
    CONNECTIONS = 3,
    PIECE = 1 << 20,
    ROOM = 6 * PIECE,
};

typedef struct piece {
    uint64_t transfer, offset;
    uint32_t bytes, zero;
} piece;

typedef struct request {
    uint64_t transfer, bytes;
    piece wrong;
} request;

static uint8_t pattern(uint64_t i, uint64_t transfer) {
    return (uint8_t)(i * 31 + i / PIECE * 7 + transfer * 101);
}

/* ---- the backend ----------------------------------------------------------------------------- */

static fake *joined[CONNECTIONS];
static bool reply_first;
static uint8_t room[ROOM];

static void join_one(fake *f, int i) {
    static const uint8_t identity[16] = {0x2a, 1};
    if (joined[i] != NULL)
        close(joined[i]->fd);
    free(joined[i]);
    fake *more = joined[i] = calloc(1, sizeof *more);
    CHECK(more != NULL);
    more->tcp = f->tcp;
    more->fd = accept(f->listener, NULL, NULL);
    fake_read_hello(more);
    CHECK(more->hello_bytes == 80 && memcmp(more->hello + 16, identity, sizeof identity) == 0 &&
          more->hello[64] == 4);
    if (more->tcp)
        CHECK(fake_challenge(more, getenv("OUTBOARD_TOKEN")));
    else
        fake_welcome(more, NULL);
}

static bool take_piece(fake *from, const request *call, uint64_t *come) {
    piece p;
    if (!fake_get(from, &p, sizeof p))
        return false;
    CHECK(p.bytes > 0 && p.bytes <= PIECE && p.offset % PIECE == 0 && p.offset + p.bytes <= ROOM &&
          p.zero == 0);
    CHECK(fake_get(from, room + p.offset, p.bytes));
    if (call != NULL && p.transfer == call->transfer)
        *come += p.bytes;
    return true;
}

/* The pieces that come within some time, or until all of a transfer has come. */
static void take_pieces(const request *call, int timeout_ms) {
    struct pollfd all[CONNECTIONS];
    uint64_t come = 0;
    do
        for (int i = 0; i < CONNECTIONS; i++) {
            all[i] = (struct pollfd){.fd = joined[i]->fd, .events = POLLIN};
            if (poll(&all[i], 1, 0) > 0)
                take_piece(joined[i], call, &come);
        }
    while ((call == NULL || come < call->bytes) && poll(all, CONNECTIONS, timeout_ms) > 0);
    CHECK(call == NULL || come == call->bytes);
}

static void take_up(fake *f, const frame *one, const request *call) {
    memset(room, 0, sizeof room);
    take_pieces(call, patience_ms());
    bool whole = true;
    for (uint64_t i = 0; i < call->bytes; i++)
        whole = whole && room[i] == pattern(i, call->transfer);
    fake_reply(f, one, whole ? 0 : RESULT_FAILED, NULL, 0);
}

static void send_piece(fake *to, const request *call, uint64_t offset) {
    uint64_t left = call->bytes - offset;
    piece p = {.transfer = call->transfer,
               .offset = offset,
               .bytes = left < PIECE ? (uint32_t)left : PIECE};
    for (uint32_t i = 0; i < p.bytes; i++)
        room[i] = pattern(offset + i, call->transfer);
    fake_put(to, &p, sizeof p);
    fake_put(to, room, p.bytes);
}

/* The last piece first. */
static void send_down(fake *f, const frame *one, const request *call) {
    if (reply_first)
        fake_reply(f, one, 0, NULL, 0);
    for (uint64_t i = (call->bytes + PIECE - 1) / PIECE; i-- > 0;)
        send_piece(joined[i % CONNECTIONS], call, i * PIECE);
    if (!reply_first)
        fake_reply(f, one, 0, NULL, 0);
}

static void fail_down(fake *f, const frame *one, const request *call) {
    send_piece(joined[0], call, 0);
    send_piece(joined[1], call, PIECE);
    fake_reply(f, one, RESULT_FAILED, NULL, 0);
    sleep_ms(20);
    send_piece(joined[2], call, 2 * PIECE);
}

static void fail_up(fake *f, const frame *one) {
    fake_reply(f, one, RESULT_FAILED, NULL, 0);
    take_pieces(NULL, 100);
}

static void join_all(fake *f) {
    for (int i = 0; i < CONNECTIONS; i++)
        join_one(f, i);
}

/* The client hears of it with the answer alone, and makes others. */
static void lose_first(fake *f, const frame *one, const request *call) {
    if (call->transfer > 1) {
        take_up(f, one, call);
        return;
    }
    take_pieces(call, patience_ms());
    fake_reply(f, one, test_library.unavailable, NULL, 0);
    join_all(f);
}

static void cut_first(fake *f, const frame *one, const request *call) {
    if (call->transfer > 1) {
        send_down(f, one, call);
        return;
    }
    send_piece(joined[0], call, 0);
    shutdown(joined[1]->fd, SHUT_RDWR);
    fake_reply(f, one, 0, NULL, 0);
    join_all(f);
}

static void send_wrong(const request *call) {
    fake_put(joined[0], &call->wrong, sizeof call->wrong);
    fake_put(joined[0], room, 64);
}

/* The client sees nothing of these any more. */
static fake *half_open[CONNECTIONS];

static void tell_first(fake *f, const frame *one, const request *call) {
    const frame told = {.length = sizeof told + sizeof call->transfer, .kind = KIND_BULK_LOST};
    if (call->transfer > 1) {
        send_down(f, one, call);
        return;
    }
    send_piece(joined[0], call, 0);
    fake_reply(f, one, 0, NULL, 0);
    fake_put(f, &told, sizeof told);
    fake_put(f, &call->transfer, sizeof call->transfer);
    memcpy(half_open, joined, sizeof joined);
    memset(joined, 0, sizeof joined);
    join_all(f);
}

static void handle(fake *f, const frame *one) {
    request call;
    memcpy(&call, f->body, sizeof call);
    switch (one->call) {
    case CALL_UP:
        take_up(f, one, &call);
        break;
    case CALL_DOWN:
        send_down(f, one, &call);
        break;
    case CALL_FAIL_UP:
        fail_up(f, one);
        break;
    case CALL_FAIL_DOWN:
        fail_down(f, one, &call);
        break;
    case CALL_BREAK:
        shutdown(joined[1]->fd, SHUT_RDWR);
        break;
    case CALL_LEAVE:
        shutdown(f->fd, SHUT_RDWR);
        break;
    case CALL_SILENT:
        fake_reply(f, one, 0, NULL, 0);
        break;
    case CALL_WRONG:
        send_wrong(&call);
        break;
    case CALL_LOSE:
        lose_first(f, one, &call);
        break;
    case CALL_CUT:
        cut_first(f, one, &call);
        break;
    case CALL_TOLD:
        tell_first(f, one, &call);
        break;
    default:
        fake_handle(f, one);
    }
}

static void welcome(fake *f) {
    f->joinable = true;
    f->shm = false;
    fake_greet(f);
}

static void serve_joined(fake *f) {
    frame one;
    while (fake_read(f, &one)) {
        if (one.kind == KIND_CALL)
            handle(f, &one);
        else
            fake_handle(f, &one);
    }
}

static void join_and_serve(fake *f) {
    join_all(f);
    serve_joined(f);
}

static void serve(fake *f) {
    welcome(f);
    join_and_serve(f);
}

/* The session comes back over another connection, as it tells the rest of the program, while these
 * are made. */
static void serve_restored(fake *f) {
    f->grace = 60;
    welcome(f);
    join_one(f, 0);
    bulk_restored(session_here());
    for (int i = 1; i < CONNECTIONS; i++)
        join_one(f, i);
    serve_joined(f);
}

static void serve_lasting(fake *f) {
    f->grace = 60;
    serve(f);
}

/* The first is lost, and the client has seen it, before the others are there. */
static void serve_less_one(fake *f) {
    char byte;
    f->grace = 60;
    welcome(f);
    join_one(f, 0);
    shutdown(joined[0]->fd, SHUT_WR);
    CHECK(!fake_get(joined[0], &byte, 1));
    for (int i = 1; i < CONNECTIONS; i++)
        join_one(f, i);
    join_and_serve(f);
}

/* Turns further connections away. */
static void serve_alone(fake *f) {
    static const uint32_t refusal[6] = {0x4454424F, sizeof refusal, 5, 7};
    welcome(f);
    fake *more = calloc(1, sizeof *more);
    more->fd = accept(f->listener, NULL, NULL);
    fake_read_hello(more);
    fake_put(more, refusal, sizeof refusal);
    close(more->fd);
    frame one;
    while (fake_read(f, &one))
        fake_handle(f, &one);
}

/* ---- the program ----------------------------------------------------------------------------- */

static fake *start(fake_script script, bool tcp) {
    fresh_folder();
    setenv("OUTBOARD_BULK", "3", 1);
    divert(STDERR_FILENO);
    fake *f = fake_start(script, tcp);
    CHECK(ob_connect());
    return f;
}

static int32_t call_of(uint32_t number, request body) {
    ob_call call;
    int32_t result = ob_begin(&call, &test_library, number, sizeof body);
    if (result == 0)
        ob_set(&call, 0, &body, sizeof body);
    return result == 0 ? ob_send(&call, OB_ANSWER) : result;
}

static uint8_t memory[ROOM];

static bool move(bool up, uint32_t number, uint64_t bytes, int32_t expected) {
    uint64_t transfer = ob_bulk_begin(up, memory, bytes);
    CHECK(transfer != 0);
    int32_t result = call_of(number, (request){.transfer = transfer, .bytes = bytes});
    CHECK(result == expected);
    return ob_bulk_end(result == 0);
}

static void move_up(uint64_t bytes, uint64_t transfer) {
    for (uint64_t i = 0; i < bytes; i++)
        memory[i] = pattern(i, transfer);
    CHECK(move(true, CALL_UP, bytes, 0));
}

static void move_down(uint64_t bytes, uint64_t transfer) {
    memset(memory, 0, sizeof memory);
    CHECK(move(false, CALL_DOWN, bytes, 0));
    for (uint64_t i = 0; i < sizeof memory; i++)
        CHECK(memory[i] == (i < bytes ? pattern(i, transfer) : 0));
}

static const uint64_t sizes[] = {1, PIECE, PIECE + 1, 5 * PIECE + 7};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void both_ways(bool tcp) {
    uint64_t transfer = 0;
    start(serve, tcp);
    for (int i = 0; i < SIZES; i++) {
        move_up(sizes[i], ++transfer);
        reply_first = i % 2 == 0;
        move_down(sizes[i], ++transfer);
    }
    CHECK(call_echo(1, NULL) == 0);
    CHECK(*diverted() == '\0');
}

static void over_tcp(void) { both_ways(true); }
static void over_unix(void) { both_ways(false); }

static void *begin_another(void *unused) {
    CHECK(ob_bulk_begin(false, memory, PIECE) == 0);
    return unused;
}

static void one_at_a_time(void) {
    pthread_t other;
    start(serve, true);
    uint64_t transfer = ob_bulk_begin(false, memory, PIECE);
    CHECK(transfer == 1);
    CHECK(pthread_create(&other, NULL, begin_another, NULL) == 0);
    pthread_join(other, NULL);
    CHECK(call_of(CALL_DOWN, (request){.transfer = transfer, .bytes = PIECE}) == 0);
    CHECK(ob_bulk_end(true));
    move_down(PIECE, 2);
}

static void after_a_failure(void) {
    static uint8_t elsewhere[5 * PIECE];
    start(serve, true);
    CHECK(move(true, CALL_FAIL_UP, 5 * PIECE, RESULT_FAILED));
    CHECK(call_echo(1, NULL) == 0); /* its pieces are out of the way */
    move_up(5 * PIECE, 2);
    CHECK(move(false, CALL_FAIL_DOWN, 5 * PIECE, RESULT_FAILED));
    memset(memory, 0, sizeof memory);
    CHECK(call_echo(1, NULL) == 0); /* the late piece has been sent */
    const request after = {.transfer = ob_bulk_begin(false, elsewhere, sizeof elsewhere),
                           .bytes = sizeof elsewhere};
    CHECK(call_of(CALL_DOWN, after) == 0 && ob_bulk_end(true)); /* and what came behind it read */
    for (uint64_t i = 0; i < sizeof memory; i++)
        CHECK(memory[i] == 0);
    move_down(5 * PIECE, 5);
    CHECK(*diverted() == '\0');
}

static void restored_meanwhile(void) {
    start(serve_restored, true);
    move_up(PIECE, 1);
    move_up(PIECE, 2);
    CHECK(*diverted() == '\0');
}

/* They were made over the network that was away. */
static void restored_later(void) {
    const fake *f = start(serve_lasting, true);
    move_up(PIECE, 1);
    bulk_restored(session_here());
    CHECK(call_echo(1, NULL) == 0 && f->bulk_losses == 1);
    CHECK(*diverted() == '\0');
}

static void one_lost_meanwhile(void) {
    start(serve_less_one, true);
    CHECK(ob_bulk_begin(true, memory, PIECE) == 0);
    move_up(PIECE, 1);
    CHECK(*diverted() == '\0');
}

static int32_t lose_at_first(void *bytes, uint64_t transfer) {
    return call_of(CALL_LOSE, (request){.transfer = transfer, .bytes = *(uint64_t *)bytes});
}

static void drop_nothing(void *with, uint64_t transfer) {
    (void)with;
    (void)transfer;
}

static void as_the_backend_says(void) {
    const ob_bulk_calls calls = {&test_library, lose_at_first, drop_nothing};
    uint64_t bytes = 5 * PIECE;
    int32_t result;
    for (uint64_t i = 0; i < bytes; i++)
        memory[i] = pattern(i, 2);
    start(serve_lasting, true);
    CHECK(ob_bulk(true, memory, bytes, &calls, &bytes, &result) && result == 0);
    CHECK(*diverted() == '\0');
}

static int32_t cut_at_first(void *bytes, uint64_t transfer) {
    return call_of(CALL_CUT, (request){.transfer = transfer, .bytes = *(uint64_t *)bytes});
}

static void begins_again_going_down(void) {
    const ob_bulk_calls calls = {&test_library, cut_at_first, drop_nothing};
    uint64_t bytes = 5 * PIECE;
    int32_t result;
    const fake *f = start(serve_lasting, true);
    CHECK(ob_bulk(false, memory, bytes, &calls, &bytes, &result) && result == 0);
    CHECK(call_echo(1, NULL) == 0 && f->bulk_losses == 1);
    for (uint64_t i = 0; i < bytes; i++)
        CHECK(memory[i] == pattern(i, 2));
    CHECK(*diverted() == '\0');
}

static int32_t told_at_first(void *bytes, uint64_t transfer) {
    return call_of(CALL_TOLD, (request){.transfer = transfer, .bytes = *(uint64_t *)bytes});
}

/* Nobody else reads the backend's word, and silence would take three rounds. */
static void begins_again_once_it_is_told(void) {
    const ob_bulk_calls calls = {&test_library, told_at_first, drop_nothing};
    uint64_t bytes = 5 * PIECE;
    int32_t result;
    stream_round_ms *= slowness();
    setenv("OUTBOARD_VERBOSE", "1", 1);
    const fake *f = start(serve_lasting, true);
    CHECK(ob_bulk(false, memory, bytes, &calls, &bytes, &result) && result == 0);
    CHECK(strstr(diverted(), "silent") == NULL);
    CHECK(call_echo(1, NULL) == 0 && f->bulk_losses == 1);
    for (uint64_t i = 0; i < bytes; i++)
        CHECK(memory[i] == pattern(i, 2));
}

static void expect_loss(const char *says) {
    CHECK(ob_bulk_begin(true, memory, PIECE) == 0);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    const char *text = diverted();
    CHECK(strstr(text, says) != NULL && strchr(text, '\n') == text + strlen(text) - 1);
}

static void lose(bool up, uint32_t number, const char *says) {
    start(serve, true);
    CHECK(!move(up, number, ROOM, test_library.unavailable));
    expect_loss(says);
}

static void by_a_break_going_up(void) {
    lose(true, CALL_BREAK, "a connection for bulk data broke");
}
static void by_a_break_going_down(void) {
    lose(false, CALL_BREAK, "a connection for bulk data broke");
}
static void by_the_end_going_up(void) { lose(true, CALL_LEAVE, "is lost"); }
static void by_the_end_going_down(void) { lose(false, CALL_LEAVE, "is lost"); }

static void by_silence(void) {
    stream_round_ms = 100;
    start(serve, true);
    CHECK(!move(false, CALL_SILENT, ROOM, 0));
    expect_loss("silent");
}

static void send_wrongly(bool up, piece wrong) {
    start(serve, true);
    uint64_t transfer = ob_bulk_begin(up, memory, 2 * PIECE);
    CHECK(transfer == 1);
    CHECK(call_of(CALL_WRONG, (request){.transfer = 1, .bytes = 2 * PIECE, .wrong = wrong}) ==
          test_library.unavailable);
    CHECK(!ob_bulk_end(false));
    expect_loss("broke the rules of bulk data");
}

static void an_empty_piece(void) { send_wrongly(false, (piece){.transfer = 1}); }
static void a_large_piece(void) { send_wrongly(false, (piece){.transfer = 1, .bytes = PIECE + 1}); }
static void a_piece_beyond_the_end(void) {
    send_wrongly(false, (piece){.transfer = 1, .offset = 2 * PIECE - 63, .bytes = 64});
}
static void a_piece_far_away(void) {
    send_wrongly(false, (piece){.transfer = 1, .offset = UINT64_MAX - 8, .bytes = 64});
}
static void a_piece_of_what_goes_up(void) {
    send_wrongly(true, (piece){.transfer = 1, .bytes = 64});
}
static void a_piece_of_what_is_to_come(void) {
    send_wrongly(false, (piece){.transfer = 2, .bytes = 64});
}

static void who_refuses(void) {
    start(serve_alone, false);
    for (int i = 0; i < 2; i++)
        CHECK(ob_bulk_begin(true, memory, PIECE) == 0);
    CHECK(call_echo(1, NULL) == 0);
    CHECK(*diverted() == '\0');
}

static void who_takes_one_connection(void) {
    start(fake_serve, true);
    CHECK(ob_bulk_begin(true, memory, PIECE) == 0);
    CHECK(call_echo(1, NULL) == 0);
}

static void who_wants_none(void) {
    start(serve, true);
    setenv("OUTBOARD_BULK", "0", 1);
    CHECK(ob_bulk_begin(true, memory, PIECE) == 0);
}

static void a_child_leaves_them(void) {
    skip_if(emulated() || UNDER_ASAN || UNDER_TSAN);
    start(serve, true);
    move_up(PIECE, 1);
    pid_t child = fork();
    if (child == 0)
        _exit(ob_bulk_begin(true, memory, PIECE) == 0 ? 0 : 1);
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    move_down(PIECE, 2);
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"both ways over TCP", over_tcp},
            {"both ways over a Unix socket", over_unix},
            {"one at a time", one_at_a_time},
            {"after a failure", after_a_failure},
            {"the session comes back meanwhile", restored_meanwhile},
            {"the session comes back later", restored_later},
            {"one is lost meanwhile", one_lost_meanwhile},
            {"one is lost, as the backend says", as_the_backend_says},
            {"one is lost going down", begins_again_going_down},
            {"the backend says that one is lost", begins_again_once_it_is_told},
            {"lost by a break going up", by_a_break_going_up},
            {"lost by a break going down", by_a_break_going_down},
            {"lost by the end going up", by_the_end_going_up},
            {"lost by the end going down", by_the_end_going_down},
            {"lost by silence", by_silence},
            {"an empty piece", an_empty_piece},
            {"a large piece", a_large_piece},
            {"a piece beyond the end", a_piece_beyond_the_end},
            {"a piece far away", a_piece_far_away},
            {"a piece of what goes up", a_piece_of_what_goes_up},
            {"a piece of what is to come", a_piece_of_what_is_to_come},
            {"a backend that refuses", who_refuses},
            {"a backend that takes one connection", who_takes_one_connection},
            {"a program that wants none", who_wants_none},
            {"a child leaves them", a_child_leaves_them},
            {0},
        },
        argc, argv);
}
