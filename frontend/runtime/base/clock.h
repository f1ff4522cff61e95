/* SPDX-License-Identifier: Apache-2.0
 *
 * The time, and a pause between two looks that leaves the core to its other thread.
 */
#ifndef OUTBOARD_LOOK_H
#define OUTBOARD_LOOK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of the monotonic clock. */
static inline uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* So many milliseconds from now, by the clock that waits with an end go by. */
static inline struct timespec wall_time_in(int milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    int64_t ns = until.tv_nsec + milliseconds * (int64_t)1000000;
    until.tv_sec += ns / 1000000000;
    until.tv_nsec = ns % 1000000000;
    return until;
}

static inline void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
