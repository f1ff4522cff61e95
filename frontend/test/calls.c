/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls: answered, posted, large, failing, cached, from many threads.
 */
#include "fake.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static fake *backend;

static void start(void) {
    fresh_folder();
    backend = fake_start(fake_serve, false);
}

static void start_tcp(void) {
    fresh_folder();
    backend = fake_start(fake_serve, true);
}

static void echo_once(void) {
    uint64_t back = 0;
    CHECK(call_echo(0x1122334455667788, &back) == 0);
    CHECK(back == 0x1122334455667788);
}

static void one_answer(void) {
    start();
    echo_once();
}

static void over_tcp(void) {
    start_tcp();
    for (int i = 0; i < 100; i++)
        echo_once();
}

static void failure_has_no_outputs(void) {
    start();
    ob_call call;
    uint64_t untouched = 5;
    CHECK(ob_begin(&call, &test_library, CALL_FAIL, 8) == 0);
    CHECK(ob_send(&call, OB_ANSWER) == RESULT_FAILED);
    ob_get(&call, 0, &untouched, 8);
    CHECK(untouched == 5);
}

static void what_the_backend_lacks(void) {
    start();
    CHECK(call_plain(CALL_LEFT_OUT, OB_ANSWER) == test_library.not_supported);
    CHECK(call_plain(CALL_LEVEL + 1, OB_ANSWER) == test_library.not_supported);
    CHECK(call_plain(70000, OB_ANSWER) == test_library.not_supported);
    CHECK(ob_backend_has(&test_library, CALL_ECHO) &&
          !ob_backend_has(&test_library, CALL_LEFT_OUT));
    ob_library other = test_library;
    other.id = 8;
    ob_call call;
    CHECK(ob_begin(&call, &other, CALL_ECHO, 0) == test_library.not_supported);
    CHECK(call_count() == 0);
}

/* A library that comes after the greeting is asked for once, whether the backend has it or not. */
static void late_libraries(void) {
    start();
    CHECK(call_plain(CALL_ECHO, OB_ANSWER) == 0);
    ob_library late = test_library, lacking = test_library;
    late.name = "late";
    late.id = 9;
    lacking.name = "lacking";
    lacking.id = 10;
    ob_call call;
    for (int i = 0; i < 3; i++) {
        uint64_t back = 0;
        CHECK(ob_begin(&call, &late, CALL_ECHO, 8) == 0);
        ob_set_u64(&call, 0, 77);
        expect_echo(&call);
        CHECK(ob_send(&call, OB_ANSWER) == 0);
        ob_get(&call, 0, &back, 8);
        CHECK(back == 77);
        CHECK(ob_begin(&call, &late, CALL_FAIL, 8) == late.not_supported);
        CHECK(ob_begin(&call, &lacking, CALL_ECHO, 8) == lacking.not_supported);
        CHECK(call_plain(CALL_ECHO, OB_ANSWER) == 0);
    }
    CHECK(backend->opened == 2);
}

static void *echo_many(void *base) {
    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t back = 0, value = (uint64_t)(uintptr_t)base + i;
        CHECK(call_echo(value, &back) == 0 && back == value);
        if (i % 3 == 0)
            CHECK(call_plain(CALL_ECHO, 0) == 0);
    }
    return NULL;
}

static void eight_threads(void) {
    start();
    pthread_t threads[8];
    for (uintptr_t i = 0; i < 8; i++)
        CHECK(pthread_create(&threads[i], NULL, echo_many, (void *)(i << 32)) == 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    CHECK(call_count() == 8 * (2000 + 667));
}

/* The fake checks that the numbers have no gap. */
static void a_burst_keeps_its_order(void) {
    start();
    for (int i = 0; i < 100000; i++)
        CHECK(call_plain(CALL_ECHO, i % 2 == 0 ? 0 : OB_PER_THREAD) == 0);
    CHECK(call_count() == 100000);
}

static void posts_leave_by_themselves(void) {
    start();
    for (int round = 0; round < 5; round++) {
        CHECK(call_plain(CALL_ECHO, 0) == 0);
        sleep_ms(20);
    }
    AWAIT(backend->calls == 5);
}

static void large_posts_keep_their_order(void) {
    start();
    uint8_t *bytes = calloc(1, OB_CHUNK);
    for (uint32_t size = 1; size <= OB_CHUNK; size *= 2)
        for (int i = 0; i < 3; i++) {
            ob_call call;
            CHECK(call_plain(CALL_ECHO, 0) == 0);
            CHECK(ob_begin(&call, &test_library, CALL_ECHO, 4) == 0);
            CHECK(ob_append(&call, bytes, size) == 0);
            expect_echo(&call);
            CHECK(ob_send(&call, 0) == 0);
        }
    CHECK(call_count() == 2 * 3 * 21);
    free(bytes);
}

/* There and back, each way without a copy of its own where it is large. */
static void echo_part(uint64_t bytes, bool alone) {
    ob_call call;
    uint8_t *from = malloc(bytes), *to = calloc(1, bytes + 1);
    uint64_t back = 0, more = 0;
    const ob_part parts[] = {
        {to, bytes, false}, {NULL, 8, false}, {alone ? NULL : &more, 8, false}};
    for (uint64_t i = 0; i < bytes; i++)
        from[i] = (uint8_t)(i * 13 >> 2);
    CHECK(ob_begin(&call, &test_library, CALL_ECHO, 8) == 0);
    ob_set_u64(&call, 0, ~bytes);
    CHECK(ob_append(&call, from, bytes) == 0);
    if (!alone)
        CHECK(ob_append(&call, &bytes, 8) == 0);
    ob_expect(&call, 8, parts, alone ? 1 : 3);
    CHECK(ob_send(&call, OB_ANSWER) == 0);
    ob_get(&call, 0, &back, 8);
    CHECK(back == ~bytes && memcmp(from, to, bytes) == 0 && to[bytes] == 0);
    CHECK(more == (alone ? 0 : bytes));
    free(from);
    free(to);
}

static void large_parts_both_ways(void) {
    start();
    const uint64_t sizes[] = {1,      1000,    TAIL_LEAST - 1, TAIL_LEAST, TAIL_LEAST + 1,
                              200001, OB_CHUNK};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        echo_part(sizes[i], true);
        echo_part(sizes[i], false);
        echo_once();
    }
}

static uint64_t sum(const uint8_t *bytes, uint64_t count) {
    uint64_t total = 0;
    for (uint64_t i = 0; i < count; i++)
        total += bytes[i] * (uint64_t)(i % OB_CHUNK % 7 + 1);
    return total;
}

static void send_payload(uint64_t bytes) {
    ob_call call;
    uint64_t answer[2] = {0}, left;
    uint8_t *payload = malloc(bytes);
    for (uint64_t i = 0; i < bytes; i++)
        payload[i] = (uint8_t)(i * 7 >> 2);
    CHECK(ob_begin(&call, &test_library, CALL_PAYLOAD, 8) == 0);
    CHECK(ob_append(&call, payload, bytes) == 0);
    memcpy(&left, call.body + 8, 8);
    CHECK(left == (bytes > OB_CHUNK ? bytes | PAYLOAD_MARK : bytes));
    if (bytes > OB_CHUNK)
        ob_expect(&call, sizeof answer, NULL, 0);
    CHECK(ob_send(&call, 0) == 0); /* the caller's memory: answered all the same */
    ob_get(&call, 0, answer, sizeof answer);
    CHECK(bytes <= OB_CHUNK || (answer[0] == bytes && answer[1] == sum(payload, bytes)));
    free(payload);
}

static void payloads(void) {
    start();
    const uint64_t sizes[] = {OB_CHUNK + 1, 3 * OB_CHUNK, 5 * OB_CHUNK + 12345};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        send_payload(sizes[i]);
        CHECK(call_plain(CALL_ECHO, 0) == 0);
        echo_once();
    }
}

static void faulted(int number) {
    (void)number;
    _exit(0);
}

/* After the memory's first page nothing is. */
static uint8_t *cut_off(void) {
    uint8_t *memory =
        mmap(NULL, 2 * OB_CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long page = sysconf(_SC_PAGESIZE);
    CHECK(memory != MAP_FAILED && mprotect(memory + page, OB_CHUNK, PROT_NONE) == 0);
    return memory;
}

static void send_cut_off(void) {
    ob_call call;
    CHECK(ob_begin(&call, &test_library, CALL_PAYLOAD, 8) == 0);
    CHECK(ob_append(&call, cut_off(), OB_CHUNK) == 0);
    ob_send(&call, OB_ANSWER);
}

static void receive_cut_off(void) {
    ob_call call;
    const ob_part into = {cut_off(), OB_CHUNK, false};
    CHECK(ob_begin(&call, &test_library, CALL_FILL, 8) == 0);
    ob_set_u64(&call, 0, OB_CHUNK);
    ob_expect(&call, 0, &into, 1);
    ob_send(&call, OB_ANSWER);
}

/* As with a library that copies the bytes itself; and no connection is lost by it. */
static void memory_that_is_not_there(void) {
    void (*const ways[])(void) = {send_cut_off, receive_cut_off};
    for (int i = 0; i < 4; i++) {
        pid_t child = fork();
        int status;
        if (child == 0) {
            signal(SIGSEGV, faulted);
            fresh_folder();
            fake_start(fake_serve, i >= 2);
            ways[i % 2]();
            _exit(1);
        }
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
}

static void *payload_thread(void *unused) {
    (void)unused;
    for (int i = 0; i < 20; i++) {
        send_payload(2 * OB_CHUNK + 8);
        CHECK(call_plain(CALL_ECHO, 0) == 0);
    }
    return NULL;
}

static void payloads_of_several_threads(void) {
    start();
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, i % 2 == 0 ? payload_thread : echo_many, NULL) ==
              0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

static void what_does_not_fit(void) {
    start();
    ob_call call;
    uint8_t *bytes = calloc(1, OB_CHUNK + 1);
    CHECK(ob_begin(&call, &test_library, CALL_ECHO, 8) == 0);
    CHECK(ob_append(&call, bytes, OB_CHUNK) == 0);
    CHECK(ob_append(&call, bytes, OB_CHUNK) == test_library.invalid_value);
    CHECK(ob_begin(&call, &test_library, CALL_ECHO, 8) == 0);
    CHECK(ob_append(&call, bytes, PAYLOAD_LIMIT + 1) == test_library.invalid_value);
    CHECK(ob_append(&call, bytes, UINT64_MAX) == test_library.invalid_value);
    CHECK(ob_append(&call, bytes, OB_CHUNK + 1) == 0);
    CHECK(ob_append(&call, bytes, OB_CHUNK + 1) == test_library.invalid_value);
    echo_once();
    free(bytes);
}

static void cached(void) {
    start();
    for (int round = 0; round < 3; round++)
        for (uint64_t value = 0; value < 10; value++) {
            ob_call call;
            uint64_t back = 99;
            CHECK(ob_begin(&call, &test_library, CALL_ECHO, 8) == 0);
            ob_set_u64(&call, 0, value);
            expect_echo(&call);
            CHECK(ob_send_cached(&call) == 0);
            ob_get(&call, 0, &back, 8);
            CHECK(back == value);
        }
    CHECK(call_count() == 10);
}

static void failures_are_not_cached(void) {
    start();
    for (int i = 0; i < 3; i++) {
        ob_call call;
        CHECK(ob_begin(&call, &test_library, CALL_FAIL, 8) == 0);
        CHECK(ob_send_cached(&call) == RESULT_FAILED);
    }
    CHECK(call_count() == 3);
}

static int32_t settle(uint32_t number, uint64_t value) {
    ob_call call;
    CHECK(ob_begin(&call, &test_library, number, 8) == 0);
    ob_set_u64(&call, 0, value);
    expect_echo(&call);
    return ob_send_settling(&call, 0);
}

static void settled_until_something_is_sent(void) {
    start();
    for (int i = 0; i < 3; i++)
        CHECK(settle(CALL_ECHO, 1) == 0);
    CHECK(call_count() == 1); /* which is a call too */
    call_plain(CALL_ECHO, 0);
    for (int i = 0; i < 3; i++)
        CHECK(settle(CALL_ECHO, 1) == 0);
    CHECK(call_count() == 4);
}

static void settled_for_the_same_call_only(void) {
    start();
    CHECK(settle(CALL_ECHO, 1) == 0 && settle(CALL_ECHO, 2) == 0 && settle(CALL_ECHO, 1) == 0);
    CHECK(call_count() == 3);
    ob_self()->lane = 1;
    CHECK(settle(CALL_ECHO, 1) == 0);
    CHECK(call_count() == 5);
}

static void failures_do_not_settle(void) {
    start();
    for (int i = 0; i < 3; i++)
        CHECK(settle(CALL_FAIL, 1) == RESULT_FAILED);
    CHECK(call_count() == 3);
}

static void note_settled(uint64_t value) { ob_note_settled(&test_library, CALL_ECHO, value, 0); }

/* Another call has seen done what this one would wait for. */
static void settled_by_another_call(void) {
    start();
    echo_once();
    note_settled(1);
    CHECK(settle(CALL_ECHO, 1) == 0);
    CHECK(call_count() == 1);
    note_settled(1);
    call_plain(CALL_ECHO, 0);
    CHECK(settle(CALL_ECHO, 1) == 0); /* travels: something has been sent since */
    CHECK(call_count() == 4);
}

static void *post_one(void *unused) {
    (void)unused;
    call_plain(CALL_ECHO, 0);
    return NULL;
}

/* A thread notes the state that its own last call has seen, whatever others have sent meanwhile. */
static void not_settled_by_what_others_sent(void) {
    pthread_t id;
    start();
    echo_once();
    CHECK(pthread_create(&id, NULL, post_one, NULL) == 0);
    pthread_join(id, NULL);
    note_settled(1);
    CHECK(settle(CALL_ECHO, 1) == 0);
    CHECK(call_count() == 3);
}

static void synchronous(void) {
    start();
    setenv("OUTBOARD_SYNC", "1", 1);
    for (uint64_t i = 1; i <= 20; i++) {
        CHECK(call_plain(CALL_ECHO, 0) == 0);
        CHECK(backend->calls == i);
    }
    CHECK(call_plain(CALL_FAIL, 0) == RESULT_FAILED);
}

static void *number_of_thread(void *number) {
    echo_once();
    *(uint32_t *)number = ob_self()->number;
    return NULL;
}

static uint32_t run_thread(void) {
    pthread_t id;
    uint32_t number = 0;
    CHECK(pthread_create(&id, NULL, number_of_thread, &number) == 0);
    pthread_join(id, NULL);
    return number;
}

static void threads_have_numbers(void) {
    start();
    echo_once();
    uint32_t first = run_thread(), second = run_thread();
    CHECK(ob_self()->number == 1 && first == 2 && second == 2);
    echo_once();
    CHECK(backend->ended_thread == 2);
}

static void output_after_the_programs_own(void) {
    start();
    divert(STDOUT_FILENO);
    setvbuf(stdout, NULL, _IOFBF, 4096);
    fputs("first ", stdout);
    ob_call call;
    const char *text = "second \033[1m";
    CHECK(ob_begin(&call, &test_library, CALL_PRINT, 16) == 0);
    ob_set(&call, 0, text, (uint32_t)strlen(text));
    expect_echo(&call);
    CHECK(ob_send(&call, OB_ANSWER) == 0);
    fputs("third", stdout);
    fflush(stdout);
    CHECK(strcmp(diverted(), "first second \033[1mthird") == 0);
}

/* ---- a pipe that does not wait, as programs that run others make them ------------------------ */

enum { PRINTED = 40000, LINES = 1000, LINE = sizeof "outboard: 0000\n" - 1 };

typedef struct small_pipe {
    int ends[2], room;
    size_t came;
} small_pipe;

static bool is_full(const small_pipe *p) {
    int held = 0;
    CHECK(ioctl(p->ends[0], FIONREAD, &held) == 0);
    return held > p->room - LINE;
}

/* Reads nothing before the pipe is full. */
static void *read_late(void *from) {
    small_pipe *p = from;
    char bytes[4096];
    AWAIT(is_full(p));
    for (ssize_t n = 1; n > 0; p->came += n > 0 ? (size_t)n : 0)
        n = read(p->ends[0], bytes, sizeof bytes);
    return NULL;
}

static void post_printed(uint32_t bytes) {
    ob_call call;
    CHECK(ob_begin(&call, &test_library, CALL_PRINT, bytes) == 0);
    memset(call.body, 'x', bytes);
    CHECK(ob_send(&call, 0) == 0);
}

static void output_waits_for_who_reads_it(void) {
    small_pipe p = {.came = 0};
    pthread_t reader;
    start();
    CHECK(pipe2(p.ends, O_CLOEXEC) == 0 && fcntl(p.ends[1], F_SETFL, O_NONBLOCK) == 0);
    CHECK((p.room = fcntl(p.ends[1], F_SETPIPE_SZ, 4096)) > 0);
    CHECK(dup2(p.ends[1], STDOUT_FILENO) == STDOUT_FILENO && close(p.ends[1]) == 0);
    CHECK(pthread_create(&reader, NULL, read_late, &p) == 0);
    post_printed(PRINTED);
    echo_once();
    CHECK(close(STDOUT_FILENO) == 0 && pthread_join(reader, NULL) == 0);
    CHECK(p.came == PRINTED);
}

/* A line of our own, too. */
static void warnings_wait_for_who_reads_them(void) {
    small_pipe p = {.came = 0};
    pthread_t reader;
    CHECK(pipe2(p.ends, O_CLOEXEC) == 0 && fcntl(p.ends[1], F_SETFL, O_NONBLOCK) == 0);
    CHECK((p.room = fcntl(p.ends[1], F_SETPIPE_SZ, 4096)) > 0);
    CHECK(dup2(p.ends[1], STDERR_FILENO) == STDERR_FILENO && close(p.ends[1]) == 0);
    CHECK(pthread_create(&reader, NULL, read_late, &p) == 0);
    for (int i = 0; i < LINES; i++)
        ob_warn("%04d", i);
    CHECK(close(STDERR_FILENO) == 0 && pthread_join(reader, NULL) == 0);
    CHECK(p.came == LINES * LINE);
}

static void idle_costs_nothing(void) {
    skip_if(emulated());
    start();
    echo_once();
    for (int i = 0; i < 1000; i++)
        CHECK(call_plain(CALL_ECHO, 0) == 0);
    echo_once();
    CHECK(rests_for(500));
}

static void *echo_until_cancelled(void *unused) {
    (void)unused;
    for (;;) {
        echo_once();
        pthread_testcancel();
    }
    return NULL;
}

/* A call itself is no place to be cancelled at: the thread may lead or write for others. */
static void cancelled_threads_take_nobody_along(void) {
    start();
    for (int round = 0; round < 200; round++) {
        pthread_t id;
        void *end;
        CHECK(pthread_create(&id, NULL, echo_until_cancelled, NULL) == 0);
        for (int i = 0; i < 10; i++)
            echo_once();
        CHECK(pthread_cancel(id) == 0);
        echo_once();
        CHECK(pthread_join(id, &end) == 0 && end == PTHREAD_CANCELED);
    }
    echo_once();
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"one answer", one_answer},
            {"over TCP", over_tcp},
            {"a failure has no outputs", failure_has_no_outputs},
            {"what the backend lacks is refused here", what_the_backend_lacks},
            {"libraries that come late", late_libraries},
            {"eight threads", eight_threads},
            {"a burst keeps its order", a_burst_keeps_its_order},
            {"posts leave by themselves", posts_leave_by_themselves},
            {"large posts keep their order", large_posts_keep_their_order},
            {"large parts both ways", large_parts_both_ways},
            {"payloads", payloads},
            {"memory that is not there", memory_that_is_not_there},
            {"payloads of several threads", payloads_of_several_threads},
            {"what does not fit", what_does_not_fit},
            {"cached", cached},
            {"failures are not cached", failures_are_not_cached},
            {"settled until something is sent", settled_until_something_is_sent},
            {"settled for the same call only", settled_for_the_same_call_only},
            {"failures do not settle", failures_do_not_settle},
            {"settled by another call", settled_by_another_call},
            {"not settled by what others sent", not_settled_by_what_others_sent},
            {"synchronous", synchronous},
            {"threads have numbers", threads_have_numbers},
            {"output comes after the program's own", output_after_the_programs_own},
            {"output waits for who reads it", output_waits_for_who_reads_it},
            {"warnings wait for who reads them", warnings_wait_for_who_reads_them},
            {"idle costs nothing", idle_costs_nothing},
            {"cancelled threads take nobody along", cancelled_threads_take_nobody_along},
            {0},
        },
        argc, argv);
}
