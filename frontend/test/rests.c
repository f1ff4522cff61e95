/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread that waits long, again and again, sleeps for the most of its waits: on a machine with
 * processors enough it would look for its answer else, as the vendor's driver does.
 */
#include "fake.h"

#include <stdio.h>
#include <time.h>

enum { WAITS = 200, ANSWER_MS = 5, PROCESSORS = 16 };

/* In the place of the C library's: so many, whatever machine runs this. */
int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *ours) {
    (void)process;
    CPU_ZERO_S(bytes, ours);
    for (int i = 0; i < PROCESSORS; i++)
        CPU_SET_S((size_t)i, bytes, ours);
    return 0;
}

static void answer_late(fake *f) {
    frame one;
    fake_greet(f);
    while (fake_read(f, &one)) {
        sleep_ms(ANSWER_MS);
        fake_handle(f, &one);
    }
}

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void waits(bool tcp) {
    fresh_folder();
    fake_start(answer_late, tcp);
    for (int i = 0; i < WAITS / 10; i++) /* how long they take is not known at first */
        CHECK(call_plain(CALL_ECHO, OB_ANSWER) == 0);
    double busy = seconds(CLOCK_THREAD_CPUTIME_ID), all = seconds(CLOCK_MONOTONIC);
    for (int i = 0; i < WAITS; i++)
        CHECK(call_plain(CALL_ECHO, OB_ANSWER) == 0);
    busy = seconds(CLOCK_THREAD_CPUTIME_ID) - busy;
    all = seconds(CLOCK_MONOTONIC) - all;
    printf("%.3f s of processor time in %.3f s\n", busy, all);
    CHECK(all >= WAITS * ANSWER_MS / 1000.0 && busy < all / 2);
}

static void long_waits(void) { waits(false); }
static void long_waits_over_tcp(void) { waits(true); }

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"long waits", long_waits},
            {"long waits over TCP", long_waits_over_tcp},
            {0},
        },
        argc, argv);
}
