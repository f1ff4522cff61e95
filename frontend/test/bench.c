/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures the cost of calls, beside a plain ping-pong of the same bytes over the same medium,
 * alternating in one run. The peer is a process of its own.
 */
#include "fake.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROUNDS = 7, CALLS = 20000, POSTS = 200000, BURST = 200 };

/* ---- the plain peer -------------------------------------------------------------------------- */

static void pong(fake *f) {
    uint8_t bytes[48];
    while (fake_get(f, bytes, sizeof bytes) && fake_put(f, bytes, sizeof bytes))
        continue;
}

/* As fake_serve, but with one write for a reply and without looking at what comes. */
static void serve_fast(fake *f) {
    static uint8_t in[1 << 20];
    uint32_t have = 0;
    fake_greet(f);
    for (;;) {
        ssize_t n = recv(f->fd, in + have, sizeof in - have, 0);
        if (n <= 0)
            return;
        have += (uint32_t)n;
        uint32_t at = 0, length;
        while (have - at >= 40 && (memcpy(&length, in + at, 4), have - at >= length)) {
            frame *one = (frame *)(void *)(in + at);
            if (one->kind == KIND_CALL && (one->flags & OB_ANSWER) != 0) {
                one->kind = KIND_REPLY;
                one->result = 0;
                fake_put(f, one, length);
            }
            at += length;
        }
        memmove(in, in + at, have - at);
        have -= at;
    }
}

/* The backend as a process; returns its URI in OUTBOARD. */
static pid_t start_process(fake_script script, bool tcp) {
    int ready[2];
    char uri[128] = "";
    CHECK(pipe(ready) == 0);
    pid_t child = fork();
    if (child == 0) {
        fake *f = fake_start(script, tcp);
        CHECK(write(ready[1], f->uri, sizeof f->uri) > 0);
        fake_join(f);
        _exit(0);
    }
    CHECK(read(ready[0], uri, sizeof uri) > 0);
    setenv("OUTBOARD", uri, 1);
    return child;
}

static int connect_plain(void) {
    char why[256];
    endpoint to = {0};
    snprintf(to.uri, sizeof to.uri, "%s", getenv("OUTBOARD"));
    int fd = connect_to(&to, why, sizeof why).fd;
    CHECK(fd >= 0);
    return fd;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

static int plain_fd;

static void plain_once(void) {
    uint8_t bytes[48] = {0};
    CHECK(send(plain_fd, bytes, sizeof bytes, MSG_NOSIGNAL) == sizeof bytes);
    CHECK(recv(plain_fd, bytes, sizeof bytes, MSG_WAITALL) == sizeof bytes);
}

static void call_once(void) { CHECK(call_echo(1, NULL) == 0); }

/* Median of single round trips at a gap. */
static double round_trip(void (*once)(void), int gap_us, int count) {
    double *took = malloc((size_t)count * sizeof *took);
    for (int i = 0; i < count; i++) {
        if (gap_us > 0)
            usleep((useconds_t)gap_us);
        double before = now_us();
        once();
        took[i] = now_us() - before;
    }
    double result = median(took, count);
    free(took);
    return result;
}

static void compare(const char *medium, int gap_us, int count) {
    double plain[ROUNDS], ours[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        plain[i] = round_trip(plain_once, gap_us, count);
        ours[i] = round_trip(call_once, gap_us, count);
    }
    double p = median(plain, ROUNDS), o = median(ours, ROUNDS);
    printf("%-5s gap %5d us: plain ping-pong %6.2f us, answered call %6.2f us, %+.2f us\n", medium,
           gap_us, p, o, o - p);
}

static void posted(const char *medium) {
    double bursts[ROUNDS], stream[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        double total = 0;
        for (int burst = 0; burst < 100; burst++) {
            usleep(300);
            double before = now_us();
            for (int j = 0; j < BURST; j++)
                call_plain(CALL_ECHO, 0);
            total += now_us() - before;
        }
        bursts[i] = total * 1000 / (100 * BURST);
        call_once();
        double before = now_us();
        for (int j = 0; j < POSTS; j++)
            call_plain(CALL_ECHO, 0);
        stream[i] = (now_us() - before) * 1000 / POSTS;
        call_once();
    }
    printf("%-5s posted call: %.0f ns in bursts of %d, %.0f ns in a stream of %d\n", medium,
           median(bursts, ROUNDS), BURST, median(stream, ROUNDS), POSTS);
}

static void idle(const char *medium) {
    sleep_ms(100);
    double before = cpu_us();
    sleep_ms(2000);
    printf("%-5s idle: %.4f %% of a core\n", medium, (cpu_us() - before) / 2e6 * 100);
}

static void measure(const char *medium, bool tcp) {
    fresh_folder();
    pid_t plain = start_process(pong, tcp);
    plain_fd = connect_plain();
    pid_t backend = start_process(serve_fast, tcp);
    call_once();
    compare(medium, 0, CALLS);
    compare(medium, 100, CALLS / 20);
    compare(medium, 2000, CALLS / 200);
    posted(medium);
    idle(medium);
    fflush(stdout);
    kill(plain, SIGKILL);
    kill(backend, SIGKILL);
}

static void over_unix(void) { measure("unix", false); }
static void over_tcp(void) { measure("tcp", true); }

int main(int argc, char **argv) {
    return run_cases((const test_case[]){{"unix", over_unix}, {"tcp", over_tcp}, {0}}, argc, argv);
}
