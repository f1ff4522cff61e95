/* SPDX-License-Identifier: Apache-2.0
 *
 * Backends that go away or break the protocol: every call ends, with the library's code and one
 * line that says why.
 */
#include "fake.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void expect_loss(const char *says) {
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    CHECK(call_plain(CALL_ECHO, 0) == test_library.unavailable);
    const char *text = diverted();
    CHECK(strncmp(text, "outboard: ", 10) == 0 && strstr(text, says) != NULL);
    CHECK(strchr(text, '\n') == text + strlen(text) - 1);
}

static fake *start(fake_script script, bool tcp) {
    fresh_folder();
    divert(STDERR_FILENO);
    return fake_start(script, tcp);
}

/* ---- it goes away ---------------------------------------------------------------------------- */

static void answer_once_and_close(fake *f) {
    frame one;
    fake_greet(f);
    if (fake_read(f, &one))
        fake_handle(f, &one);
    fake_read(f, &one);
}

static void in_the_middle_of_a_call(void) {
    start(answer_once_and_close, false);
    CHECK(call_echo(1, NULL) == 0);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    expect_loss("closed");
}

static void reset(fake *f) {
    frame one;
    fake_greet(f);
    fake_read(f, &one);
    setsockopt(f->fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
}

static void by_a_reset(void) {
    start(reset, true);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    expect_loss("reset");
}

static void between_calls(void) {
    fake *f = start(fake_greet, false);
    CHECK(ob_connect());
    fake_join(f);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    expect_loss("is lost");
}

static void while_posting(void) {
    fake *f = start(fake_greet, false);
    CHECK(ob_connect());
    fake_join(f);
    int32_t result = 0;
    for (int i = 0; i < 100000 && result == 0; i++)
        result = call_plain(CALL_ECHO, 0);
    CHECK(result == test_library.unavailable);
    expect_loss("is lost");
}

static void say_goodbye(fake *f) {
    fake_greet(f);
    fake_send(f, KIND_GOODBYE, 0, NULL, 0);
    fake_await_end(f);
}

static void by_a_goodbye(void) {
    start(say_goodbye, false);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    expect_loss("ended the session");
}

static void take_some_and_close(fake *f) {
    frame one;
    fake_greet(f);
    /* Each of the eight threads sends one more at least before it waits. */
    for (int i = 0; i < 28; i++)
        if (fake_read(f, &one) && i < 20)
            fake_handle(f, &one);
}

static void *call_until_lost(void *unused) {
    (void)unused;
    int32_t result = 0;
    for (int i = 0; result == 0; i++)
        result = call_plain(CALL_ECHO, i % 4 == 0 ? 0 : OB_ANSWER);
    CHECK(result == test_library.unavailable);
    return NULL;
}

static void for_many_threads(void) {
    start(take_some_and_close, false);
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        CHECK(pthread_create(&threads[i], NULL, call_until_lost, NULL) == 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    expect_loss("is lost");
}

/* ---- it is silent, and its connection stays -------------------------------------------------- */

static _Atomic bool done;

static void say_nothing(fake *f) {
    frame one;
    fake_greet(f);
    fake_read(f, &one);
    while (!done)
        sleep_ms(1);
}

static void start_silent(void) {
    stream_round_ms = 20;
    start(say_nothing, true);
}

static void to_a_call_that_waits(void) {
    start_silent();
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    expect_loss("silent");
    done = true;
}

static void to_who_writes(void) {
    start_silent();
    int32_t result = 0;
    for (int i = 0; i < 10000000 && result == 0; i++)
        result = call_plain(CALL_ECHO, 0);
    CHECK(result == test_library.unavailable);
    expect_loss("silent");
    done = true;
}

static void nothing(int signal) { (void)signal; }

static void amid_signals(void) {
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = nothing}, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){{.tv_usec = 3000}, {.tv_usec = 3000}}, NULL);
    to_a_call_that_waits();
}

static int words, words_apart_ms;

static void say_now_and_then(fake *f) {
    frame one;
    fake_greet(f);
    fake_read(f, &one);
    for (int i = 0; i < words; i++) {
        sleep_ms(words_apart_ms);
        fake_send(f, KIND_PONG, 0, NULL, 0);
    }
    fake_handle(f, &one);
    fake_read(f, &one);
}

/* Each word ends a round of silence, and would be a second late where three rounds are a loss. */
static void but_for_a_word_now_and_then(void) {
    stream_round_ms = 600 * slowness();
    words = 4;
    words_apart_ms = 700 * slowness();
    start(say_now_and_then, true);
    CHECK(call_echo(1, NULL) == 0);
}

/* As in a debugger: time passes without this process. */
static void while_this_process_is_stopped(void) {
    stream_round_ms = 200 * slowness();
    words = 10;
    words_apart_ms = 30;
    start(say_now_and_then, true);
    pid_t self = getpid();
    if (fork() == 0) {
        for (int i = 0; i < 2; i++) {
            sleep_ms(20);
            kill(self, SIGSTOP);
            sleep_ms(5 * stream_round_ms);
            kill(self, SIGCONT);
        }
        _exit(0);
    }
    CHECK(call_echo(1, NULL) == 0);
    wait(NULL);
}

static void answer_late(fake *f) {
    frame one;
    fake_greet(f);
    fake_read(f, &one);
    sleep_ms(300);
    fake_handle(f, &one);
    fake_read(f, &one);
}

/* A process of this machine that ends closes its connections; one that is stopped is not lost. */
static void on_this_machine(void) {
    stream_round_ms = 20;
    start(answer_late, false);
    CHECK(call_echo(1, NULL) == 0);
}

/* ---- it breaks the protocol ------------------------------------------------------------------ */

static frame bad_header;
static uint32_t bad_bytes;

/* Answers the first call well, the second with the bad frame. */
static void misbehave(fake *f) {
    static const uint8_t body[4096] = {1};
    frame one;
    fake_greet(f);
    if (fake_read(f, &one))
        fake_handle(f, &one);
    if (fake_read(f, &one)) {
        fake_put(f, &bad_header, sizeof bad_header);
        fake_put(f, body, bad_bytes);
    }
    while (fake_read(f, &one))
        continue;
}

static void misbehaves(frame header, uint32_t bytes, const char *says) {
    bad_header = header;
    bad_bytes = bytes;
    start(misbehave, false);
    CHECK(call_echo(1, NULL) == 0);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    expect_loss(says);
}

static void a_short_frame(void) {
    misbehaves((frame){.length = 32, .kind = KIND_REPLY}, 0, "malformed");
}
static void a_frame_without_length(void) {
    misbehaves((frame){.kind = KIND_REPLY}, 0, "malformed");
}
static void a_crooked_frame(void) {
    misbehaves((frame){.length = 44, .kind = KIND_REPLY}, 0, "malformed");
}
static void a_huge_frame(void) {
    misbehaves((frame){.length = FRAME_LIMIT + 8, .kind = KIND_REPLY, .sequence = 2, .thread = 1},
               0, "malformed");
}
static void the_largest_length(void) {
    misbehaves((frame){.length = 0xfffffff8, .kind = KIND_OUTPUT}, 0, "malformed");
}
static void an_unknown_kind(void) {
    misbehaves((frame){.length = 40, .kind = 99}, 0, "unknown kind");
}
static void a_reply_to_another_thread(void) {
    misbehaves((frame){.length = 40, .kind = KIND_REPLY, .sequence = 2, .thread = 5}, 0,
               "nobody made");
}
static void a_reply_to_no_thread(void) {
    misbehaves((frame){.length = 40, .kind = KIND_REPLY, .sequence = 2, .thread = UINT32_MAX}, 0,
               "nobody made");
}
static void a_reply_to_an_old_call(void) {
    misbehaves((frame){.length = 40, .kind = KIND_REPLY, .sequence = 1, .thread = 1}, 0,
               "nobody made");
}
static void a_reply_to_no_call(void) {
    misbehaves((frame){.length = 40, .kind = KIND_REPLY, .sequence = 0, .thread = 1}, 0,
               "nobody made");
}
static void a_text_beyond_its_frame(void) {
    misbehaves((frame){.length = 48, .kind = KIND_OUTPUT, .result = 9}, 8, "malformed text");
}
static void a_text_of_negative_length(void) {
    misbehaves((frame){.length = 48, .kind = KIND_MESSAGE, .result = -1}, 8, "malformed text");
}
static void a_callback_that_nobody_registered(void) {
    misbehaves((frame){.length = 56, .kind = KIND_CALLBACK}, 16, "nobody registered");
}
static void a_short_callback(void) {
    misbehaves((frame){.length = 48, .kind = KIND_CALLBACK}, 8, "malformed callback");
}

/* To a thread that exists and does not wait. */
static void reply_to_the_idle(fake *f) {
    frame one;
    fake_greet(f);
    if (fake_read(f, &one)) {
        fake_send(f, KIND_REPLY, 0, "12345678", 8);
        fake_handle(f, &one);
    }
    fake_read(f, &one);
}

static void a_reply_before_any_call(void) {
    start(reply_to_the_idle, false);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    expect_loss("nobody made");
}

static void random_frames(fake *f) {
    frame one;
    fake_greet(f);
    /* A frame that announces more than it has leaves the reader waiting until this side goes. */
    setsockopt(f->fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_usec = 20000},
               sizeof(struct timeval));
    for (int round = 0; fake_read(f, &one); round++) {
        frame bad = {.length = 40 + 8u * (uint32_t)(rand() % 8),
                     .kind = (uint8_t)(rand() % 13),
                     .sequence = one.sequence,
                     .thread = one.thread};
        uint8_t body[64];
        for (size_t i = 0; i < sizeof body; i++)
            body[i] = (uint8_t)rand();
        for (int i = rand() % 3; i > 0; i--)
            ((uint8_t *)&bad)[rand() % 40] = (uint8_t)(rand() % 4 == 0 ? rand() : rand() % 4);
        fake_put(f, &bad, sizeof bad);
        fake_put(f, body, bad.length > 40 && bad.length < 104 ? bad.length - 40 : 0);
        if (round == 20)
            return;
    }
}

/* Calls end whatever bytes the backend sends. */
static void any_frame(void) {
    fresh_folder();
    divert(STDERR_FILENO);
    for (unsigned seed = 1; seed <= 200; seed++) {
        pid_t child = fork();
        if (child == 0) {
            uint8_t to[64] = {0};
            const ob_part text = {to, sizeof to, true};
            srand(seed);
            divert(STDOUT_FILENO);
            fake_start(random_frames, false);
            int32_t result = 0;
            for (int i = 0; i < 50 && result != test_library.unavailable; i++) {
                ob_call call;
                result = ob_begin(&call, &test_library, CALL_FILL, 8);
                if (result == 0)
                    ob_expect(&call, 8, &text, 1);
                if (result == 0 && (result = ob_send(&call, OB_ANSWER)) == 0)
                    CHECK(memchr(to, '\0', sizeof to) != NULL);
            }
            CHECK(result == test_library.unavailable);
            _exit(0);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"in the middle of a call", in_the_middle_of_a_call},
            {"by a reset", by_a_reset},
            {"between calls", between_calls},
            {"while posting", while_posting},
            {"by a goodbye", by_a_goodbye},
            {"for many threads", for_many_threads},
            {"silent to a call that waits", to_a_call_that_waits},
            {"silent to who writes", to_who_writes},
            {"silent amid signals", amid_signals},
            {"silent but for a word now and then", but_for_a_word_now_and_then},
            {"silent while this process is stopped", while_this_process_is_stopped},
            {"silent on this machine", on_this_machine},
            {"a short frame", a_short_frame},
            {"a frame without length", a_frame_without_length},
            {"a crooked frame", a_crooked_frame},
            {"a huge frame", a_huge_frame},
            {"the largest length", the_largest_length},
            {"an unknown kind", an_unknown_kind},
            {"a reply to another thread", a_reply_to_another_thread},
            {"a reply to no thread", a_reply_to_no_thread},
            {"a reply to an old call", a_reply_to_an_old_call},
            {"a reply to no call", a_reply_to_no_call},
            {"a text beyond its frame", a_text_beyond_its_frame},
            {"a text of negative length", a_text_of_negative_length},
            {"a callback that nobody registered", a_callback_that_nobody_registered},
            {"a short callback", a_short_callback},
            {"a reply before any call", a_reply_before_any_call},
            {"any frame", any_frame},
            {0},
        },
        argc, argv);
}
