/* SPDX-License-Identifier: Apache-2.0
 *
 * The greeting, with good and with hostile backends.
 */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define TOKEN "00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"
#define OTHER "10112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"

static uint32_t at32(const fake *f, uint32_t offset) {
    uint32_t value;
    memcpy(&value, f->hello + offset, 4);
    return value;
}

static bool sends_variable(const fake *f, const char *variable) {
    uint32_t at = 80 + 64 * at32(f, 68), end = at + at32(f, 72);
    for (; at < end; at += (uint32_t)strlen((const char *)f->hello + at) + 1)
        if (strcmp((const char *)f->hello + at, variable) == 0)
            return true;
    return false;
}

static void what_the_hello_says(void) {
    fresh_folder();
    setenv("CUDA_VISIBLE_DEVICES", "1,0", 1);
    setenv("CUDA_CACHE_PATH", "/somewhere", 1);
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    setenv("CUDA_HOME", "/private", 1);
    setenv("SECRET", "private", 1);
    ob_library other = test_library;
    other.name = "other";
    ob_register(&other);
    ob_register(&other);
    fake *f = fake_start(fake_serve, false);
    CHECK(call_echo(1, NULL) == 0);
    CHECK(at32(f, 0) == 0x4454424F && at32(f, 4) == f->hello_bytes && at32(f, 8) == (1 | 1 << 16));
    CHECK(at32(f, 12) == (uint32_t)getpid() && (at32(f, 64) & 0xff) == 1 && at32(f, 68) == 2);
    CHECK(strcmp((char *)f->hello + 80, "other") == 0 &&
          strcmp((char *)f->hello + 144, "test") == 0);
    CHECK(at32(f, 144 + 24) == 7 && at32(f, 144 + 28) == CALL_LEVEL && f->hello[144 + 34] == 3);
    CHECK(!sends_variable(f, "CUDA_VISIBLE_DEVICES=1,0") &&
          !sends_variable(f, "CUDA_CACHE_PATH=/somewhere") &&
          sends_variable(f, "CUDA_CACHE_DISABLE=1"));
    CHECK(sends_variable(f, "CUDA_LAUNCH_BLOCKING=1") && !sends_variable(f, "CUDA_HOME=/private") &&
          !sends_variable(f, "SECRET=private"));
    uint32_t name = 80 + 128 + (uint32_t)align8(at32(f, 72)), bytes = at32(f, 76);
    CHECK(f->hello_bytes == name + align8(bytes) &&
          (emulated() || (bytes > 8 && memcmp(f->hello + name + bytes - 8, "greeting", 8) == 0)));
}

static void an_environment_that_is_too_large(void) {
    fresh_folder();
    char *large = malloc(60000);
    memset(large, 'x', 59999);
    large[59999] = '\0';
    setenv("CUDA_CACHE_MAXSIZE", large, 1);
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    free(large);
    fake *f = fake_start(fake_serve, false);
    CHECK(call_echo(1, NULL) == 0);
    CHECK(sends_variable(f, "CUDA_LAUNCH_BLOCKING=1"));
}

/* ---- the challenge --------------------------------------------------------------------------- */

static void refuse(fake *f, const char *text) {
    uint8_t message[256] = {0};
    uint32_t length = (uint32_t)align8(16 + strlen(text) + 1), head[4] = {0x4454424F, length, 5, 2};
    memcpy(message, head, sizeof head);
    memcpy(message + 16, text, strlen(text));
    fake_put(f, message, length);
}

static void challenge(fake *f, const char *token) {
    fake_read_hello(f);
    if (!fake_challenge(f, token)) {
        refuse(f, "wr\xc3\xb6ng \033[2J\xc2\x9b\x7ftoken");
        return;
    }
    frame one;
    while (fake_read(f, &one))
        fake_handle(f, &one);
}

static void good_backend(fake *f) { challenge(f, TOKEN); }

static void impostor(fake *f) {
    const uint32_t head[4] = {0x4454424F, 48, 2, 0};
    uint8_t nonce[32] = {1}, proof[48];
    fake_read_hello(f);
    fake_put(f, head, sizeof head);
    fake_put(f, nonce, sizeof nonce);
    if (fake_get(f, proof, sizeof proof))
        fake_welcome(f, nonce);
}

static void expect_refusal(fake_script script, bool tcp, const char *says) {
    divert(STDERR_FILENO);
    fake_start(script, tcp);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    const char *text = diverted();
    CHECK(strncmp(text, "outboard: ", 10) == 0 && strstr(text, says) != NULL);
    CHECK(strchr(text, '\n') == text + strlen(text) - 1); /* one line, once */
    CHECK(strchr(text, '\033') == NULL);
}

static void the_right_token(void) {
    fresh_folder();
    setenv("OUTBOARD_TOKEN", TOKEN, 1);
    fake_start(good_backend, false);
    CHECK(call_echo(1, NULL) == 0);
}

static void the_right_token_over_tcp(void) {
    fresh_folder();
    setenv("OUTBOARD_TOKEN", " 00112233445566778899AABBCCDDEEFF0123456789abcdef0123456789abcdef\n",
           1);
    fake_start(good_backend, true);
    CHECK(call_echo(1, NULL) == 0);
}

static void the_wrong_token(void) {
    fresh_folder();
    setenv("OUTBOARD_TOKEN", OTHER, 1);
    expect_refusal(good_backend, false, "wr\xc3\xb6ng ?[2J???token");
}

static void no_token(void) {
    fresh_folder();
    expect_refusal(good_backend, false, "OUTBOARD_TOKEN");
}

static void a_backend_without_the_token(void) {
    fresh_folder();
    setenv("OUTBOARD_TOKEN", TOKEN, 1);
    expect_refusal(impostor, false, "impostor");
}

static void welcome_without_a_challenge(fake *f) {
    fake_read_hello(f);
    fake_welcome(f, NULL);
    fake_await_end(f);
}

/* A backend that anybody can imitate must prove that it has the token; one whose socket has an
 * owner need not. */
static void a_backend_that_proves_nothing(void) {
    fresh_folder();
    setenv("OUTBOARD_TOKEN", TOKEN, 1);
    expect_refusal(welcome_without_a_challenge, true, "did not prove");
}

/* ---- hostile --------------------------------------------------------------------------------- */

static uint8_t hostile_bytes[256];
static size_t hostile_count;

static void hostile(fake *f) {
    fake_read_hello(f);
    fake_put(f, hostile_bytes, hostile_count);
    shutdown(f->fd, SHUT_WR);
    fake_await_end(f);
}

static bool accepts(const void *bytes, size_t count) {
    char why[256] = "";
    endpoint to = {0};
    memcpy(hostile_bytes, bytes, count);
    hostile_count = count;
    fake *f = fake_start(hostile, false);
    snprintf(to.uri, sizeof to.uri, "%s", f->uri);
    carrier over = connect_to(&to, why, sizeof why);
    CHECK(carrier_is_there(over));
    resumption how = {0};
    bool accepted = greet(session_here(), &to, over, &how, why, sizeof why);
    CHECK(accepted || why[0] != '\0');
    carrier_close(&over);
    fake_join(f);
    close(f->listener);
    return accepted;
}

static void make_welcome(uint32_t to[34]) {
    const uint32_t head[] = {0x4454424F, 88 + 48, 4, 1};
    memset(to, 0, 34 * sizeof *to);
    memcpy(to, head, sizeof head);
    to[20] = 1; /* libraries */
    memcpy(to + 22, "test", 5);
    to[28] = 7;
    to[29] = CALL_LEVEL;
    to[30] = 1; /* words */
}

static bool accepts_with(uint32_t word, uint32_t value) {
    uint32_t welcome[34];
    make_welcome(welcome);
    welcome[word] = value;
    return accepts(welcome, sizeof welcome);
}

static void malformed_messages(void) {
    uint32_t good[34];
    fresh_folder();
    make_welcome(good);
    CHECK(accepts(good, sizeof good));
    for (size_t cut = 0; cut < sizeof good; cut += 4)
        CHECK(!accepts(good, cut));
    CHECK(!accepts_with(0, 0x4454424E));                        /* magic */
    const uint32_t lengths[] = {0, 8, 15, 17, 135, 65536 + 8, 0x80000000, UINT32_MAX};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        CHECK(!accepts_with(1, lengths[i]));
    CHECK(!accepts_with(1, 80) && !accepts_with(1, 16));        /* too short for what it is */
    CHECK(!accepts_with(2, 0) && !accepts_with(2, 2) && !accepts_with(2, 3) &&
          !accepts_with(2, 77));
    CHECK(!accepts_with(3, 0) && !accepts_with(3, 2));          /* version */
    CHECK(!accepts_with(20, 2) && !accepts_with(20, UINT32_MAX));
    CHECK(!accepts_with(30, 2) && !accepts_with(30, 0x20000000) && !accepts_with(30, UINT32_MAX));
    CHECK(accepts_with(30, 0));
}

static void a_name_without_end(void) {
    uint32_t welcome[34];
    fresh_folder();
    make_welcome(welcome);
    memset(welcome + 22, 'x', 24);
    CHECK(!accepts(welcome, sizeof welcome));
}

static void a_refusal_without_text(void) {
    const uint32_t bare[4] = {0x4454424F, 16, 5, 6};
    uint32_t unended[6] = {0x4454424F, 24, 5, 6, 0x61616161, 0x61616161};
    fresh_folder();
    CHECK(!accepts(bare, sizeof bare));
    CHECK(!accepts(unended, sizeof unended));
}

static void random_messages(void) {
    fresh_folder();
    srand(20);
    for (int round = 0; round < 300; round++) {
        uint32_t message[34];
        make_welcome(message);
        for (int i = rand() % 4; i >= 0; i--)
            ((uint8_t *)message)[8 + rand() % 128] = (uint8_t)rand();
        accepts(message, sizeof message);
    }
}

static void drip(fake *f) {
    uint32_t head[2] = {0x4454424f, 64 << 10};
    fake_read_hello(f);
    fake_put(f, head, sizeof head);
    while (send(f->fd, "", 1, MSG_NOSIGNAL) > 0)
        sleep_ms(50);
}

static void silent(fake *f) {
    fake_read_hello(f);
    fake_await_end(f);
}

/* Neither holds the program up for longer than a greeting may take. */
static void a_backend_that_drips(void) {
    fresh_folder();
    greeting_seconds = 1;
    expect_refusal(drip, false, "does not answer");
}

static void a_backend_that_is_silent(void) {
    fresh_folder();
    greeting_seconds = 1;
    /* The end has come by then, and nobody is told that it is late. */
    answer_expected.first_ms = 1000 * greeting_seconds;
    expect_refusal(silent, true, "does not answer");
}

/* ---- whoever waits is told ------------------------------------------------------------------- */

/* Until that has happened. */
static void busy(fake *f) {
    fake_read_hello(f);
    AWAIT(strchr(diverted(), '\n') != NULL);
    fake_admit(f);
    frame one;
    while (fake_read(f, &one))
        fake_handle(f, &one);
}

/* Nobody takes the second connection, over which it is asked whether it is there. */
static void expect_late(bool tcp, const char *says) {
    fresh_folder();
    divert(STDERR_FILENO);
    fake *f = fake_start(busy, tcp);
    answer_expected.first_ms = 10;
    answer_expected.all_ms = 20;
    CHECK(call_echo(1, NULL) == 0);
    const char *text = diverted();
    CHECK(strstr(text, f->uri) != NULL && strstr(text, says) != NULL);
    CHECK(strchr(text, '\n') == text + strlen(text) - 1);
}

static void a_backend_that_answers_late(void) {
    expect_late(true, "(from the variable OUTBOARD) has not answered for ten seconds");
}

static void one_of_this_machine_that_answers_late(void) {
    expect_late(false, "(from the variable OUTBOARD) has not answered for ten seconds");
}

static int first;

static void starts_a_worker(fake *f) {
    fake_read_hello(f);
    first = f->fd;
    f->fd = accept(f->listener, NULL, NULL);
    fake_read_hello(f);
    CHECK(at32(f, 64) == 32 && f->hello_bytes == 80);
    fake_welcome(f, NULL);
    CHECK(!fake_get(f, f->body, 1));
    close(f->fd);
    f->fd = first;
    fake_welcome(f, NULL);
    frame one;
    while (fake_read(f, &one))
        fake_handle(f, &one);
}

static void a_backend_that_starts_a_worker(void) {
    fresh_folder();
    setenv("OUTBOARD_SHM", "0", 1);
    divert(STDERR_FILENO);
    fake_start(starts_a_worker, false);
    answer_expected.first_ms = 10;
    answer_expected.all_ms = patience_ms();
    CHECK(call_echo(1, NULL) == 0);
    CHECK(diverted()[0] == '\0');
}

/* ---- asking without a session ---------------------------------------------------------------- */

static void echo(fake *f) {
    fake_read_hello(f);
    fake_put(f, f->hello, f->hello_bytes);
}

static void web(fake *f) {
    static const char answer[] = "HTTP/1.1 400 Bad Request\r\n\r\n";
    fake_read_hello(f);
    fake_put(f, answer, sizeof answer - 1);
}

static void hangs_up(fake *f) { fake_read_hello(f); }

static void expect_unusable(fake_script script, const char *says) {
    ob_backend found;
    fake_start(script, true);
    CHECK(ob_find_backend(&found));
    divert(STDERR_FILENO);
    CHECK(!ob_backend_greets(&found));
    const char *text = diverted();
    CHECK(strstr(text, found.uri) != NULL && strstr(text, "(from the variable OUTBOARD)") != NULL &&
          strstr(text, says) != NULL);
    CHECK(strchr(text, '\n') == text + strlen(text) - 1);
}

static void something_else_is_asked(void) {
    fresh_folder();
    greeting_seconds = 1 << 20; /* as a session would wait */
    expect_unusable(echo, "it is no backend of Outboard");
    expect_unusable(web, "it is no backend of Outboard");
    expect_unusable(hangs_up, "closed the connection");
    setenv("OUTBOARD_TOKEN", OTHER, 1);
    expect_unusable(good_backend, "wr\xc3\xb6ng ?[2J???token");
}

static void something_silent_is_asked(void) {
    fresh_folder();
    greeting_seconds = 1 << 20;
    answer_expected.all_ms = 300;
    expect_unusable(silent, "does not answer");
}

static void asks(fake *f) {
    fake_greet(f);
    CHECK((at32(f, 64) & ~8u) == 32 && at32(f, 68) == 0 && f->hello_bytes == 80);
    CHECK(!fake_get(f, f->body, 1));
}

static void who_asks_begins_no_session(void) {
    ob_backend found;
    fresh_folder();
    fake *f = fake_start(asks, true);
    CHECK(ob_find_backend(&found) && ob_backend_greets(&found) && !session_open(session_here()));
    fake_join(f);
}

static void who_set_the_variable(void) {
    ob_backend found;
    fresh_folder();
    setenv("OUTBOARD", "tcp://gpu", 1);
    setenv("OUTBOARD_FROM", "tcp://gpu --on ssh://gpu", 1);
    CHECK(ob_find_backend(&found) && strcmp(found.place, "--on ssh://gpu") == 0);
    setenv("OUTBOARD", "tcp://gp", 1);
    CHECK(ob_find_backend(&found) && strcmp(found.place, "the variable OUTBOARD") == 0);
}

static void nobody_listens(void) {
    char uri[128];
    snprintf(uri, sizeof uri, "unix:%s/nothing", fresh_folder());
    setenv("OUTBOARD", uri, 1);
    divert(STDERR_FILENO);
    CHECK(call_echo(1, NULL) == test_library.unavailable);
    CHECK(strstr(diverted(), uri) != NULL && strstr(diverted(), "No such file") != NULL &&
          strstr(diverted(), "outboard run --on URI") != NULL);
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"what the hello says", what_the_hello_says},
            {"an environment that is too large", an_environment_that_is_too_large},
            {"the right token", the_right_token},
            {"the right token over TCP", the_right_token_over_tcp},
            {"the wrong token", the_wrong_token},
            {"no token", no_token},
            {"a backend without the token", a_backend_without_the_token},
            {"a backend that proves nothing", a_backend_that_proves_nothing},
            {"malformed messages", malformed_messages},
            {"a name without end", a_name_without_end},
            {"a refusal without text", a_refusal_without_text},
            {"random messages", random_messages},
            {"a backend that drips", a_backend_that_drips},
            {"a backend that is silent", a_backend_that_is_silent},
            {"nobody listens", nobody_listens},
            {"a backend that answers late", a_backend_that_answers_late},
            {"one of this machine that answers late", one_of_this_machine_that_answers_late},
            {"a backend that starts a worker", a_backend_that_starts_a_worker},
            {"something else is asked", something_else_is_asked},
            {"something silent is asked", something_silent_is_asked},
            {"who asks begins no session", who_asks_begins_no_session},
            {"who set the variable", who_set_the_variable},
            {0},
        },
        argc, argv);
}
