/* SPDX-License-Identifier: Apache-2.0
 *
 * Children of a process, and its end.
 */
#include "fake.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a child of a process with threads the leak checker may wait for ever for a lock that another
 * thread held. */
const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void) {
    return "detect_leaks=0";
}

static fake *backend;

static void start(void) {
    fresh_folder();
    backend = fake_start(fake_serve, false);
}

static void expect_success(pid_t child) {
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void use_in_child(void) {
    uint64_t handle = 0x1234;
    CHECK(ob_forked());
    CHECK(call_echo(1, NULL) == test_library.not_initialized);
    CHECK(call_plain(CALL_ECHO, 0) == test_library.not_initialized);
    CHECK(!ob_connect());
    CHECK(ob_handle_mint(3) == 0);
    ob_handle_retire(handle);
    CHECK(ob_handle_plausible(handle, 1)); /* so that the call itself says what is wrong */
    CHECK(ob_callback_register(NULL, NULL, false) == 0);
    CHECK(!ob_reserve(0x200000000000, 4096));
    CHECK(ob_self() != NULL);
    bool said = false;
    CHECK(ob_refuse(&test_library, "cuNothing", &said) == test_library.not_initialized && !said);
}

static void a_child_of_a_session(void) {
    start();
    CHECK(call_echo(1, NULL) == 0);
    for (int i = 0; i < 10; i++) {
        CHECK(call_plain(CALL_ECHO, 0) == 0);
        pid_t child = fork();
        if (child == 0) {
            use_in_child();
            exit(0); /* with destructors, which must leave the parent's connection alone */
        }
        expect_success(child);
        CHECK(!ob_forked() && call_echo(1, NULL) == 0);
    }
    CHECK(!backend->goodbye && call_count() == 1 + 10 * 2);
}

static _Atomic bool stop;

static void *keep_busy(void *unused) {
    (void)unused;
    while (!stop) {
        uint64_t handle = ob_handle_mint(4);
        CHECK(ob_handle_plausible(handle, 1 << 4));
        ob_handle_retire(handle);
        CHECK(call_plain(CALL_ECHO, 0) == 0 && call_echo(2, NULL) == 0);
    }
    return NULL;
}

static void *use_in_thread(void *unused) {
    (void)unused;
    use_in_child();
    return NULL;
}

static void a_child_of_busy_threads(void) {
    pthread_t threads[4];
    skip_if(UNDER_TSAN || UNDER_ASAN || emulated());
    start();
    CHECK(call_echo(1, NULL) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, keep_busy, NULL) == 0);
    for (int i = 0; i < 50; i++) {
        pid_t child = fork();
        if (child == 0) {
            pthread_t other;
            limit_process();
            use_in_child();
            CHECK(pthread_create(&other, NULL, use_in_thread, NULL) == 0);
            pthread_join(other, NULL);
            _exit(0);
        }
        expect_success(child);
    }
    stop = true;
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

static int32_t echo_of(const ob_library *library, uint64_t value) {
    ob_call call;
    uint64_t back = 0;
    int32_t result = ob_begin(&call, library, CALL_ECHO, 8);
    if (result != 0)
        return result;
    ob_set_u64(&call, 0, value);
    expect_echo(&call);
    result = ob_send(&call, OB_ANSWER);
    ob_get(&call, 0, &back, 8);
    CHECK(result != 0 || back == value);
    return result;
}

/* Where nothing else was used, the child begins anew, whatever another thread of the parent was at.
 */
static void a_child_of_a_library_that_survives(void) {
    skip_if(UNDER_TSAN || UNDER_ASAN || emulated());
    start();
    ob_library library = test_library;
    library.survives_fork = true;
    CHECK(echo_of(&library, 1) == 0);
    uint64_t handle = ob_handle_mint(4);
    CHECK(handle != 0);
    fake *parents = backend;
    pid_t child = fork();
    if (child == 0) {
        limit_process();
        start();
        CHECK(!ob_forked() && !ob_handle_plausible(handle, 1 << 4));
        CHECK(echo_of(&library, 2) == 0 && call_echo(3, NULL) == 0);
        CHECK(call_plain(CALL_ECHO, 0) == 0 && call_count() == 3);
        pid_t bound = fork();
        if (bound == 0) {
            CHECK(ob_forked() && echo_of(&library, 4) == library.not_initialized);
            _exit(0);
        }
        expect_success(bound);
        exit(0);
    }
    expect_success(child);
    CHECK(!parents->goodbye && echo_of(&library, 5) == 0 && call_count() == 2);
}

static void a_child_without_a_session(void) {
    skip_if(UNDER_TSAN || emulated());
    start();
    ob_self();
    pid_t child = fork();
    if (child == 0) {
        CHECK(!ob_forked() && call_echo(1, NULL) == 0);
        exit(0);
    }
    expect_success(child);
    fake_join(backend);
    CHECK(backend->goodbye);
    start();
    CHECK(call_echo(1, NULL) == 0);
}

static void a_child_of_a_failed_start(void) {
    skip_if(UNDER_TSAN || emulated());
    fresh_folder();
    setenv("OUTBOARD", "unix:/nonexistent/socket", 1);
    divert(STDERR_FILENO);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    start();
    pid_t child = fork();
    if (child == 0) {
        CHECK(call_echo(1, NULL) == 0);
        exit(0);
    }
    expect_success(child);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
}

/* ---- the end --------------------------------------------------------------------------------- */

static void run_in_child(void (*program)(void)) {
    pid_t child = fork();
    if (child == 0) {
        limit_process();
        program();
        exit(0);
    }
    expect_success(child);
    fake_join(backend);
}

static void post_and_end(void) {
    for (int i = 0; i < 1000; i++)
        CHECK(call_plain(CALL_ECHO, 0) == 0);
}

static void posts_arrive_before_the_end(void) {
    skip_if(UNDER_TSAN || emulated());
    start();
    run_in_child(post_and_end);
    CHECK(backend->calls == 1000 && backend->goodbye && backend->closed);
}

static void call_late(void) { CHECK(call_echo(1, NULL) == 0 && call_plain(CALL_ECHO, 0) == 0); }

static void end_with_calls(void) {
    CHECK(atexit(call_late) == 0);
    CHECK(call_echo(1, NULL) == 0);
}

static void exit_handlers_may_call(void) {
    skip_if(UNDER_TSAN || emulated());
    start();
    run_in_child(end_with_calls);
    CHECK(backend->calls == 3 && backend->goodbye);
}

static void *post_for_ever(void *unused) {
    (void)unused;
    while (call_plain(CALL_ECHO, 0) == 0 && call_echo(3, NULL) == 0)
        continue;
    pause();
    return NULL;
}

static void end_among_threads(void) {
    pthread_t id;
    CHECK(ob_connect());
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&id, NULL, post_for_ever, NULL) == 0);
    sleep_ms(20);
}

static void other_threads_do_not_hinder_the_end(void) {
    skip_if(UNDER_TSAN || emulated());
    start();
    run_in_child(end_among_threads);
    CHECK(backend->closed);
}

static _Atomic bool has_ended;

/* Reads nothing until the client has ended. */
static void greet_and_sleep(fake *f) {
    fake_greet(f);
    AWAIT(has_ended);
}

static void fill_and_end(void) {
    static uint8_t bytes[60000];
    pthread_t id;
    ob_call call;
    CHECK(pthread_create(&id, NULL, post_for_ever, NULL) == 0);
    for (int i = 0; i < 3; i++) {
        CHECK(ob_begin(&call, &test_library, CALL_ECHO, 8) == 0);
        CHECK(ob_append(&call, bytes, sizeof bytes) == 0);
        expect_echo(&call);
        CHECK(ob_send(&call, 0) == 0);
    }
}

static void a_backend_that_does_not_read_does_not_hinder_the_end(void) {
    skip_if(UNDER_TSAN || emulated());
    fresh_folder();
    backend = fake_start(greet_and_sleep, false);
    pid_t child = fork();
    if (child == 0) {
        limit_process();
        fill_and_end();
        exit(0);
    }
    expect_success(child);
    has_ended = true;
    fake_join(backend);
}

static void a_lost_peer_raises_no_signal(void) {
    fresh_folder();
    divert(STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    backend = fake_start(fake_greet, false);
    CHECK(ob_connect());
    fake_join(backend);
    for (int i = 0; i < 1000; i++)
        call_plain(CALL_ECHO, 0);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
}

static volatile sig_atomic_t signals;

static void count_signal(int number) { signals += number != 0; }

static void *interrupt(void *target) {
    for (int i = 0; i < 500; i++) {
        pthread_kill(*(pthread_t *)target, SIGUSR1);
        sleep_ms(1);
    }
    return NULL;
}

static void signals_do_not_disturb(void) {
    pthread_t self = pthread_self(), other;
    start();
    /* without SA_RESTART */
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = count_signal}, NULL);
    CHECK(pthread_create(&other, NULL, interrupt, &self) == 0);
    uint8_t *payload = calloc(1, 4 * OB_CHUNK);
    for (int i = 0; i < 200 || signals < 100; i++) {
        ob_call call;
        uint64_t back = 0;
        CHECK(call_echo(6, &back) == 0 && back == 6 && call_plain(CALL_ECHO, 0) == 0);
        if (i % 50 == 0) {
            CHECK(ob_begin(&call, &test_library, CALL_PAYLOAD, 8) == 0 &&
                  ob_append(&call, payload, 4 * OB_CHUNK) == 0);
            ob_expect(&call, 16, NULL, 0);
            CHECK(ob_send(&call, OB_ANSWER) == 0);
        }
    }
    pthread_join(other, NULL);
    free(payload);
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"a child of a session", a_child_of_a_session},
            {"a child of busy threads", a_child_of_busy_threads},
            {"a child of a library that survives", a_child_of_a_library_that_survives},
            {"a child without a session", a_child_without_a_session},
            {"a child of a failed start", a_child_of_a_failed_start},
            {"posts arrive before the end", posts_arrive_before_the_end},
            {"exit handlers may call", exit_handlers_may_call},
            {"other threads do not hinder the end", other_threads_do_not_hinder_the_end},
            {"a backend that does not read does not hinder the end",
             a_backend_that_does_not_read_does_not_hinder_the_end},
            {"a lost peer raises no signal", a_lost_peer_raises_no_signal},
            {"signals do not disturb", signals_do_not_disturb},
            {0},
        },
        argc, argv);
}
