/* SPDX-License-Identifier: Apache-2.0
 *
 * Replies: of the shape that the call says, and of any other.
 */
#include "fake.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void start(void) {
    fresh_folder();
    divert(STDERR_FILENO);
    fake_start(fake_serve, false);
}

static void echo_once(void) {
    uint64_t back = 0;
    CHECK(call_echo(7, &back) == 0 && back == 7);
}

static int32_t fill(uint64_t bytes, const ob_part *parts, uint32_t count) {
    ob_call call;
    int32_t result = ob_begin(&call, &test_library, CALL_FILL, 8);
    if (result != 0)
        return result;
    ob_set_u64(&call, 0, bytes);
    ob_expect(&call, 0, parts, count);
    return ob_send(&call, OB_ANSWER);
}

static bool is_filled(const uint8_t *at, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; i++)
        if (at[i] != (uint8_t)(i * 31 >> 3))
            return false;
    return at[bytes] == 0xee;
}

/* The largest come in several frames, and their room goes with the thread's next call. */
static void large_replies(void) {
    enum { MOST = 5 * OB_CHUNK + 3 };
    start();
    uint8_t *to = malloc(MOST + 1);
    const uint64_t sizes[] = {0,        1,          7,    8, 4096, 65528, 65536, 65537, 200001,
                              OB_CHUNK, BODY_LIMIT, MOST, 9};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memset(to, 0xee, MOST + 1);
        CHECK(fill(sizes[i], &(ob_part){to, sizes[i], false}, 1) == 0 && is_filled(to, sizes[i]));
    }
    CHECK(thread_self()->reply_capacity <= BODY_LIMIT);
    CHECK(fill(8, &(ob_part){to, OB_REPLY_MOST, false}, 1) == test_library.invalid_value);
    CHECK(fill(8, &(ob_part){to, UINT64_MAX, false}, 1) == test_library.invalid_value);
    CHECK(fill(9, &(ob_part){to, 9, false}, 1) == 0);
    free(to);
}

/* A backend of before them is not asked for more than it can say. */
static void large_replies_that_the_backend_cannot_send(void) {
    start();
    CHECK(ob_connect());
    session_here()->answers_at_length = false;
    uint8_t *to = malloc(OB_CHUNK << 1);
    CHECK(fill(OB_CHUNK << 1, &(ob_part){to, OB_CHUNK << 1, false}, 1) ==
          test_library.invalid_value);
    CHECK(fill(OB_CHUNK, &(ob_part){to, OB_CHUNK, false}, 1) == 0);
    free(to);
}

/* ---- replies of another shape than the call says --------------------------------------------- */

static uint8_t there[2 * OB_CHUNK];

/* The session is lost, and nothing has been touched. */
static void is_malformed(int32_t result) {
    CHECK(result == test_library.unavailable && call_echo(1, NULL) == test_library.unavailable);
    for (size_t i = 0; i < sizeof there; i++)
        CHECK(there[i] == 0);
}

static void a_part_that_is_longer(void) {
    start();
    is_malformed(fill(17, &(ob_part){there, 16, false}, 1));
}

static void a_part_that_is_shorter(void) {
    start();
    is_malformed(fill(15, &(ob_part){there, 16, false}, 1));
}

static void a_large_part_that_is_longer(void) {
    start();
    is_malformed(fill(TAIL_LEAST + 8, &(ob_part){there, TAIL_LEAST, false}, 1));
}

static void a_large_part_of_another_length_in_as_many_bytes(void) {
    start();
    is_malformed(fill(TAIL_LEAST + 7, &(ob_part){there, TAIL_LEAST + 8, false}, 1));
}

static void a_part_of_several_frames_that_is_shorter(void) {
    start();
    is_malformed(fill(2 * OB_CHUNK - 8, &(ob_part){there, 2 * OB_CHUNK, false}, 1));
}

static void a_part_of_several_frames_of_another_length_in_as_many_bytes(void) {
    start();
    is_malformed(fill(2 * OB_CHUNK - 1, &(ob_part){there, 2 * OB_CHUNK, false}, 1));
}

static const struct {
    uint32_t bytes;
    int32_t result;
} ODD_FRAMES[][2] = {
    {{OB_CHUNK, 0}, {OB_CHUNK + 8, RESULT_FAILED}}, /* the second is of a failure */
    {{8, RESULT_FAILED}, {OB_CHUNK, 0}},            /* and here the first is */
    {{8, RESULT_FAILED}, {8, 0}},
    {{OB_CHUNK, 0}, {0, 0}},                        /* nothing goes on */
    {{OB_CHUNK, 0}, {OB_CHUNK, 0}},                 /* eight bytes are missing */
    {{8, 0}, {OB_CHUNK, 0}},
};
static size_t odd;

/* Answers the first call with two frames, and no other. */
static void serve_odd_frames(fake *f) {
    frame one;
    fake_greet(f);
    while (fake_read(f, &one) && one.kind != KIND_CALL)
        fake_handle(f, &one);
    uint64_t *body = calloc(1, OB_CHUNK + 8);
    *body = 2 * OB_CHUNK;
    for (int i = 0; i < 2; i++) {
        uint32_t bytes = ODD_FRAMES[odd][i].bytes;
        frame header = {.length = (uint32_t)sizeof header + bytes,
                        .kind = KIND_REPLY,
                        .flags = i == 0 ? FLAG_MORE : 0,
                        .result = ODD_FRAMES[odd][i].result,
                        .sequence = one.sequence,
                        .thread = one.thread};
        if (fake_put(f, &header, sizeof header))
            fake_put(f, body, bytes);
        *body = 0;
    }
    free(body);
    fake_await_end(f);
}

static void several_frames_that_do_not_fit(void) {
    for (odd = 0; odd < sizeof ODD_FRAMES / sizeof *ODD_FRAMES; odd++) {
        pid_t child = fork();
        int status;
        if (child == 0) {
            fresh_folder();
            divert(STDERR_FILENO);
            fake_start(serve_odd_frames, false);
            is_malformed(fill(2 * OB_CHUNK, &(ob_part){there, 2 * OB_CHUNK, false}, 1));
            _exit(0);
        }
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
}

static void a_part_that_is_missing(void) {
    start();
    const ob_part parts[] = {{there, 16, false}, {there + 16, 0, false}};
    is_malformed(fill(16, parts, 2));
}

static void a_part_of_another_pointer(void) {
    start();
    is_malformed(fill(16, &(ob_part){NULL, 16, false}, 1));
}

/* The pattern's first five bytes are NUL, 3, 7, 11, 15. */
static void a_text_without_an_end(void) {
    ob_call call;
    start();
    CHECK(ob_begin(&call, &test_library, CALL_ECHO, 0) == 0 && ob_append(&call, "word", 4) == 0);
    ob_expect(&call, 0, &(ob_part){there, 16, true}, 1);
    is_malformed(ob_send(&call, OB_ANSWER));
}

static void a_text_that_is_too_long(void) {
    start();
    is_malformed(fill(17, &(ob_part){there, 16, true}, 1));
}

static void a_text_may_be_shorter(void) {
    start();
    CHECK(fill(5, &(ob_part){there, 16, true}, 1) == 0 && there[1] == 3 && there[4] == 15);
}

static void a_fixed_part_that_is_short(void) {
    ob_call call;
    start();
    CHECK(ob_begin(&call, &test_library, CALL_ECHO, 8) == 0);
    ob_expect(&call, 16, NULL, 0);
    is_malformed(ob_send(&call, OB_ANSWER));
}

/* A sum of lengths that wraps. */
static void a_length_beyond_all(void) {
    ob_call call;
    start();
    const ob_part parts[] = {{there, 16, false}, {there + 16, 16, false}};
    CHECK(ob_begin(&call, &test_library, CALL_ECHO, 24) == 0);
    ob_set_u64(&call, 0, UINT64_MAX - 7);
    ob_expect(&call, 0, parts, 2);
    is_malformed(ob_send(&call, OB_ANSWER));
}

static void more_than_was_asked_for(void) {
    start();
    is_malformed(fill(2 * OB_CHUNK + 8, &(ob_part){there, 2 * OB_CHUNK, false}, 1));
}

static void what_a_failure_brings_is_dropped(void) {
    ob_call call;
    start();
    CHECK(ob_begin(&call, &test_library, CALL_FAIL, 8) == 0);
    ob_expect(&call, 0, &(ob_part){there, TAIL_LEAST, false}, 1);
    CHECK(ob_send(&call, OB_ANSWER) == RESULT_FAILED && call.reply_bytes == 0);
    echo_once();
}

static void another_result_may_have_outputs(void) {
    ob_call call;
    start();
    CHECK(ob_begin(&call, &test_library, CALL_FAIL, 8) == 0);
    ob_expect(&call, 8, NULL, 0);
    call.also = (const int32_t[]){7, RESULT_FAILED, 0};
    is_malformed(ob_send(&call, OB_ANSWER));
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"large replies", large_replies},
            {"large replies that the backend cannot send",
             large_replies_that_the_backend_cannot_send},
            {"a part that is longer", a_part_that_is_longer},
            {"a part that is shorter", a_part_that_is_shorter},
            {"a large part that is longer", a_large_part_that_is_longer},
            {"a large part of another length in as many bytes",
             a_large_part_of_another_length_in_as_many_bytes},
            {"a part of several frames that is shorter", a_part_of_several_frames_that_is_shorter},
            {"a part of several frames of another length in as many bytes",
             a_part_of_several_frames_of_another_length_in_as_many_bytes},
            {"several frames that do not fit", several_frames_that_do_not_fit},
            {"a part that is missing", a_part_that_is_missing},
            {"a part of another pointer", a_part_of_another_pointer},
            {"a text without an end", a_text_without_an_end},
            {"a text that is too long", a_text_that_is_too_long},
            {"a text may be shorter", a_text_may_be_shorter},
            {"a fixed part that is short", a_fixed_part_that_is_short},
            {"a length beyond all", a_length_beyond_all},
            {"more than was asked for", more_than_was_asked_for},
            {"what a failure brings is dropped", what_a_failure_brings_is_dropped},
            {"another result may have outputs", another_result_may_have_outputs},
            {0},
        },
        argc, argv);
}
