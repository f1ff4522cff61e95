/* SPDX-License-Identifier: Apache-2.0
 *
 * Several sessions of one process, each with a backend of its own.
 */
#include "fake.h"

#include "session/session.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 500, KIND = 3 };

static fake *one, *other;
static session *second;

static void start(fake_script script) {
    fresh_folder();
    other = fake_start(script, false);
    one = fake_start(fake_serve, false);
    second = session_make(other->uri);
}

static void echo(session *s, uint64_t value) {
    uint64_t back = 0;
    session_take(s);
    CHECK(call_echo(value, &back) == 0 && back == value);
}

static void each_call_goes_to_its_session(void) {
    start(fake_serve);
    for (uint64_t i = 0; i < CALLS; i++) {
        echo(NULL, i);
        echo(second, ~i);
        echo(second, i);
    }
    CHECK(one->calls == CALLS && other->calls == 2 * CALLS);
}

static void posted_calls_go_to_their_session(void) {
    start(fake_serve);
    for (int i = 0; i < CALLS; i++) {
        session_take(i % 5 == 0 ? second : NULL);
        CHECK(call_plain(CALL_ECHO, 0) == 0);
    }
    echo(NULL, 1);
    echo(second, 1);
    CHECK(one->calls == CALLS * 4 / 5 + 1 && other->calls == CALLS / 5 + 1);
}

static void *calls_of_the_second(void *unused) {
    (void)unused;
    for (uint64_t i = 0; i < CALLS; i++)
        echo(second, i);
    return NULL;
}

static void threads_have_sessions_of_their_own(void) {
    pthread_t id;
    start(fake_serve);
    CHECK(pthread_create(&id, NULL, calls_of_the_second, NULL) == 0);
    for (uint64_t i = 0; i < CALLS; i++) {
        uint64_t back = 0;
        CHECK(call_echo(i, &back) == 0 && back == i);
    }
    CHECK(pthread_join(id, NULL) == 0);
    CHECK(one->calls == CALLS && other->calls == CALLS);
}

static void a_thread_has_a_number_in_each(void) {
    start(fake_serve);
    echo(NULL, 1);
    echo(second, 1);
    const ob_thread *there = ob_self();
    session_take(NULL);
    CHECK(ob_self() != there && ob_self()->number == 1 && there->number == 1);
    ob_self()->lane = 7;
    CHECK(there->lane == 0);
}

static uint64_t tag_of(uint64_t handle) { return handle >> 41; }

static uint64_t told_tag(const fake *f) { return f->hello[65] & 63; }

static void a_handle_is_of_one_session(void) {
    start(fake_serve);
    echo(NULL, 1);
    echo(second, 1);
    uint64_t there = ob_handle_mint(KIND);
    session_take(NULL);
    uint64_t here = ob_handle_mint(KIND);
    CHECK(ob_handle_plausible(here, 1 << KIND) && !ob_handle_plausible(there, 1 << KIND));
    session_take(second);
    CHECK(ob_handle_plausible(there, 1 << KIND) && !ob_handle_plausible(here, 1 << KIND));
    ob_handle_retire(here);
    session_take(NULL);
    CHECK(ob_handle_plausible(here, 1 << KIND));
}

static void each_backend_is_told_the_tag_of_its_handles(void) {
    start(fake_serve);
    echo(NULL, 1);
    CHECK(told_tag(one) == tag_of(ob_handle_mint(KIND)));
    echo(second, 1);
    CHECK(told_tag(other) == tag_of(ob_handle_mint(KIND)));
    CHECK(told_tag(one) != told_tag(other));
}

/* The number of the child does not matter. */
static void sessions_of_a_child_have_tags_of_their_own(void) {
    enum { CHILDREN = 64 };
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        int status;
        if (child == 0) {
            session_take(NULL);
            _exit(session_make("unix:nobody")->tag == session_here()->tag);
        }
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
}

static void handles_of_the_backend_have_the_tag_too(void) {
    enum { MINTED_THERE = 1 };
    start(fake_serve);
    echo(NULL, 1);
    uint64_t minted = told_tag(one) << 41 | (uint64_t)MINTED_THERE << 40 | (uint64_t)KIND << 34 | 9;
    CHECK(ob_handle_plausible(minted, 1 << KIND));
    echo(second, 1);
    CHECK(!ob_handle_plausible(minted, 1 << KIND));
}

static void cached_echo(uint64_t value) {
    ob_call call;
    CHECK(ob_begin(&call, &test_library, CALL_COUNT, 8) == 0);
    ob_set_u64(&call, 0, value);
    ob_expect(&call, 8, NULL, 0);
    CHECK(ob_send_cached(&call) == 0);
}

static void answers_are_kept_in_each(void) {
    start(fake_serve);
    for (int i = 0; i < 3; i++) {
        session_take(NULL);
        cached_echo(1);
        session_take(second);
        cached_echo(1);
    }
    CHECK(one->calls == 1 && other->calls == 1);
}

static void answer_once(fake *f) {
    frame call;
    fake_greet(f);
    CHECK(fake_read(f, &call));
    fake_reply(f, &call, 0, f->body, 8);
    shutdown(f->fd, SHUT_RDWR);
}

static void the_loss_of_one_is_not_the_other_s(void) {
    start(answer_once);
    echo(second, 1);
    echo(NULL, 1);
    session_take(second);
    while (call_plain(CALL_ECHO, OB_ANSWER) == 0)
        continue;
    CHECK(!session_open(second));
    CHECK(call_plain(CALL_ECHO, OB_ANSWER) == test_library.unavailable);
    for (uint64_t i = 0; i < CALLS; i++)
        echo(NULL, i);
}

static _Atomic(session *) called_in;

static void note_session(void *unused) {
    (void)unused;
    called_in = session_here();
}

static void a_callback_runs_in_its_session(void) {
    start(fake_serve);
    echo(NULL, 1);
    echo(second, 1);
    uint64_t number = ob_callback_register(note_session, NULL, false);
    ob_call call;
    CHECK(number != 0 && ob_begin(&call, &test_library, CALL_CALLBACK, 8) == 0);
    ob_set_u64(&call, 0, number);
    CHECK(ob_send(&call, OB_ANSWER) == 0);
    CHECK(called_in == second);
}

static void a_child_has_none_of_them(void) {
    skip_if(emulated());
    start(fake_serve);
    echo(NULL, 1);
    echo(second, 1);
    pid_t child = fork();
    if (child == 0) {
        int32_t there = call_plain(CALL_ECHO, OB_ANSWER);
        session_take(NULL);
        int32_t here = call_plain(CALL_ECHO, OB_ANSWER);
        _exit(here == test_library.not_initialized && there == here ? 0 : 1);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    echo(second, 2);
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"each call goes to its session", each_call_goes_to_its_session},
            {"posted calls go to their session", posted_calls_go_to_their_session},
            {"threads have sessions of their own", threads_have_sessions_of_their_own},
            {"a thread has a number in each", a_thread_has_a_number_in_each},
            {"a handle is of one session", a_handle_is_of_one_session},
            {"each backend is told the tag of its handles",
             each_backend_is_told_the_tag_of_its_handles},
            {"sessions of a child have tags of their own",
             sessions_of_a_child_have_tags_of_their_own},
            {"handles of the backend have the tag too", handles_of_the_backend_have_the_tag_too},
            {"answers are kept in each", answers_are_kept_in_each},
            {"the loss of one is not the other's", the_loss_of_one_is_not_the_other_s},
            {"a callback runs in its session", a_callback_runs_in_its_session},
            {"a child has none of them", a_child_has_none_of_them},
            {0},
        },
        argc, argv);
}
