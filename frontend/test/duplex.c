/* SPDX-License-Identifier: Apache-2.0
 *
 * Neither side stops reading because it is writing; callbacks and pings come through whatever else
 * happens.
 */
#include "fake.h"

#include <stdlib.h>
#include <unistd.h>

static fake *backend;

static void start(fake_script script) {
    fresh_folder();
    divert(STDOUT_FILENO);
    backend = fake_start(script, false);
}

/* ---- both sockets full ----------------------------------------------------------------------- */

enum { OUTPUTS = 200, TEXT = 64 << 10 };

/* Writes far more than a socket holds before it reads, as a backend may that has much to say. */
static void talk_first(fake *f) {
    static char text[TEXT];
    memset(text, '.', sizeof text);
    fake_greet(f);
    for (int i = 0; i < OUTPUTS; i++) {
        fake_send(f, KIND_OUTPUT, sizeof text, text, sizeof text);
        fake_send(f, KIND_PING, 0, NULL, 0);
    }
    frame one;
    while (fake_read(f, &one))
        fake_handle(f, &one);
}

static void post_large(int times) {
    static uint8_t bytes[100000];
    for (int i = 0; i < times; i++) {
        ob_call call;
        CHECK(ob_begin(&call, &test_library, CALL_ECHO, 8) == 0);
        CHECK(ob_append(&call, bytes, sizeof bytes) == 0);
        expect_echo(&call);
        CHECK(ob_send(&call, 0) == 0);
    }
}

static void posting_while_the_backend_writes(void) {
    start(talk_first);
    post_large(100);
    CHECK(call_count() == 100);
}

static void small_posts_while_the_backend_writes(void) {
    start(talk_first);
    for (int i = 0; i < 100000; i++)
        CHECK(call_plain(CALL_ECHO, 0) == 0);
    CHECK(call_count() == 100000);
}

static void *post_and_call(void *unused) {
    (void)unused;
    for (int i = 0; i < 10; i++) {
        uint64_t back = 0;
        post_large(3);
        CHECK(call_echo(77, &back) == 0 && back == 77);
    }
    return NULL;
}

static void threads_while_the_backend_writes(void) {
    start(talk_first);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, post_and_call, NULL) == 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    CHECK(call_count() == 4 * 40);
}

/* ---- pings ----------------------------------------------------------------------------------- */

static void ping_and_await(fake *f) {
    frame one;
    fake_greet(f);
    while (fake_read(f, &one)) {
        if (one.kind == KIND_CALL) {
            frame pong;
            fake_send(f, KIND_PING, 0, NULL, 0);
            CHECK(fake_read(f, &pong) && pong.kind == KIND_PONG && pong.length == 40);
        }
        fake_handle(f, &one);
    }
}

static void pings_are_answered_while_a_call_waits(void) {
    start(ping_and_await);
    for (int i = 0; i < 100; i++)
        CHECK(call_echo(1, NULL) == 0);
}

/* ---- callbacks ------------------------------------------------------------------------------- */

static _Atomic int ran;
static int order[1000];

static void count_up(void *expected) {
    order[ran] = (int)(intptr_t)expected;
    ran++;
}

static int32_t call_back(void (*function)(void *), void *data, uint32_t flags) {
    ob_call call;
    uint64_t number = ob_callback_register(function, data, false);
    CHECK(number != 0);
    CHECK(ob_begin(&call, &test_library, CALL_CALLBACK, 8) == 0);
    ob_set_u64(&call, 0, number);
    return ob_send(&call, flags);
}

/* As when a program synchronises a stream on which a host function is to run. */
static void an_answer_that_needs_a_callback(void) {
    start(fake_serve);
    CHECK(ob_connect());
    for (int i = 0; i < 200; i++) {
        CHECK(call_back(count_up, (void *)(intptr_t)i, OB_ANSWER) == 0);
        CHECK(ran == i + 1 && order[i] == i);
    }
}

static void callbacks_while_nobody_calls(void) {
    start(fake_serve);
    CHECK(ob_connect());
    for (int i = 0; i < 50; i++) {
        CHECK(call_back(count_up, (void *)(intptr_t)i, 0) == 0);
        AWAIT(ran == i + 1);
    }
}

static void callbacks_in_order_among_calls(void) {
    start(fake_serve);
    CHECK(ob_connect());
    for (int i = 0; i < 1000; i++) {
        CHECK(call_back(count_up, (void *)(intptr_t)i, 0) == 0);
        if (i % 5 == 0)
            CHECK(call_echo(1, NULL) == 0);
    }
    AWAIT(ran == 1000);
    for (int i = 0; i < 1000; i++)
        CHECK(order[i] == i);
}

static void call_within(void *done) {
    uint64_t back = 0;
    CHECK(call_echo(5, &back) == 0 && back == 5);
    *(_Atomic bool *)done = true;
}

static void a_callback_may_call(void) {
    static _Atomic bool done;
    start(fake_serve);
    CHECK(ob_connect());
    CHECK(call_back(call_within, &done, OB_ANSWER) == 0);
    CHECK(done);
}

static void *call_often(void *stop) {
    while (!*(_Atomic bool *)stop) {
        uint64_t back = 0;
        CHECK(call_echo(9, &back) == 0 && back == 9);
    }
    return NULL;
}

static void callbacks_beside_busy_threads(void) {
    static _Atomic bool stop;
    pthread_t threads[3];
    start(fake_serve);
    CHECK(ob_connect());
    for (int i = 0; i < 3; i++)
        CHECK(pthread_create(&threads[i], NULL, call_often, &stop) == 0);
    for (int i = 0; i < 100; i++)
        CHECK(call_back(count_up, NULL, i % 2 == 0 ? OB_ANSWER : 0) == 0);
    AWAIT(ran == 100);
    stop = true;
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

/* In one piece, so that who waits for the answer reads both. */
static void answer_and_call_back(fake *f) {
    struct {
        frame reply;
        uint64_t value;
        frame callback;
        uint64_t number, ticket;
    } both;
    frame one;
    fake_greet(f);
    for (uint64_t number = 1; fake_read(f, &one);) {
        if (one.kind != KIND_CALL)
            continue;
        both.reply = (frame){.length = sizeof(frame) + 8,
                             .kind = KIND_REPLY,
                             .sequence = one.sequence,
                             .thread = one.thread};
        both.callback = (frame){.length = sizeof(frame) + 16, .kind = KIND_CALLBACK};
        both.value = 5;
        both.number = both.ticket = number++;
        CHECK(fake_put(f, &both, sizeof both));
    }
}

static void a_callback_behind_an_answer(void) {
    uint64_t back;
    start(answer_and_call_back);
    CHECK(ob_connect());
    for (int i = 0; i < 20; i++) {
        CHECK(ob_callback_register(count_up, NULL, false) == (uint64_t)i + 1);
        sleep_ms(5); /* its thread watches now */
        CHECK(call_echo(5, &back) == 0);
        AWAIT(ran == i + 1);
    }
}

/* The posted calls without an answer fit the backend's queues. */
static void count_unanswered(fake *f) {
    frame one;
    int behind = 0;
    fake_greet(f);
    while (fake_read(f, &one)) {
        behind = (one.flags & OB_ANSWER) != 0 ? 0 : behind + 1;
        CHECK(behind <= 512);
        fake_handle(f, &one);
    }
}

static void who_expects_a_callback_posts_only_so_far(void) {
    start(count_unanswered);
    CHECK(ob_connect());
    CHECK(ob_callback_register(count_up, NULL, false) != 0);
    for (int i = 0; i < 5000; i++)
        CHECK(call_plain(CALL_ECHO, 0) == 0);
    CHECK(call_count() == 5000);
}

/* The first call is refused, and the posted ones behind it ask for no answers in between. */
static void refuse_the_first(fake *f) {
    frame one;
    fake_greet(f);
    CHECK(fake_read(f, &one));
    fake_handle(f, &one);
    for (int posted = 0; posted < 1000; posted++)
        CHECK(fake_read(f, &one) && (one.flags & OB_ANSWER) == 0);
    while (fake_read(f, &one))
        fake_handle(f, &one);
}

static void a_refused_callback_is_expected_no_more(void) {
    start(refuse_the_first);
    CHECK(ob_connect());
    CHECK(ob_callback_register(count_up, NULL, false) != 0);
    int32_t result = call_plain(CALL_FAIL, OB_ANSWER);
    CHECK(ob_callback_refused(&test_library, result, count_up, NULL));
    for (int i = 0; i < 1000; i++)
        CHECK(call_plain(CALL_ECHO, 0) == 0);
    CHECK(call_echo(1, NULL) == 0);
}

static void a_callback_whose_call_is_lost_may_be_running(void) {
    start(fake_serve);
    CHECK(ob_connect());
    CHECK(call_back(count_up, NULL, OB_ANSWER) == 0 && ran == 1);
    CHECK(!ob_callback_refused(&test_library, 0, count_up, NULL));
    CHECK(!ob_callback_refused(&test_library, test_library.unavailable, count_up, NULL));
}

static void waiting_for_a_callback_costs_nothing(void) {
    skip_if(emulated());
    start(fake_serve);
    CHECK(ob_connect());
    CHECK(call_back(count_up, NULL, OB_ANSWER) == 0);
    CHECK(ob_callback_register(count_up, NULL, false) != 0);
    CHECK(rests_for(500));
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"posting while the backend writes", posting_while_the_backend_writes},
            {"small posts while the backend writes", small_posts_while_the_backend_writes},
            {"threads while the backend writes", threads_while_the_backend_writes},
            {"pings are answered while a call waits", pings_are_answered_while_a_call_waits},
            {"an answer that needs a callback", an_answer_that_needs_a_callback},
            {"callbacks while nobody calls", callbacks_while_nobody_calls},
            {"callbacks in order among calls", callbacks_in_order_among_calls},
            {"a callback may call", a_callback_may_call},
            {"callbacks beside busy threads", callbacks_beside_busy_threads},
            {"a callback behind an answer", a_callback_behind_an_answer},
            {"who expects a callback posts only so far", who_expects_a_callback_posts_only_so_far},
            {"a refused callback is expected no more", a_refused_callback_is_expected_no_more},
            {"a callback whose call is lost may be running",
             a_callback_whose_call_is_lost_may_be_running},
            {"waiting for a callback costs nothing", waiting_for_a_callback_costs_nothing},
            {0},
        },
        argc, argv);
}
