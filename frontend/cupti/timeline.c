/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices in a session's trace: from the program's first use of the driver on they record, for the
 * trace, what they record for a profiler too. The records are taken now and then, after calls of
 * the program, so that they need not wait for its end.
 */
#include "profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

enum { INIT = 1, MILLISECOND = 1000000, INTERVAL = 200 * MILLISECOND };

static _Atomic bool wanted, on;
static _Atomic uint64_t taken;  /* when, the last time */
static _Atomic uint64_t lost;

bool timeline_watches(void) { return atomic_load_explicit(&wanted, memory_order_relaxed); }

bool timeline_is_on(void) { return atomic_load_explicit(&on, memory_order_relaxed); }

void timeline_lost(uint64_t records) { atomic_fetch_add(&lost, records); }

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The backend says why, where nothing records. */
static void begin(void) {
    atomic_store(&on, true);
    if (activity_changed() != SUCCESS) {
        atomic_store(&on, false);
        atomic_store(&wanted, false);
        activity_changed();
    }
}

void timeline_after(uint32_t function, int32_t result) {
    static _Atomic bool begun;
    if (function == INIT && result == 0 && timeline_watches() && !atomic_exchange(&begun, true))
        begin();
    if (!timeline_is_on())
        return;
    uint64_t last = atomic_load_explicit(&taken, memory_order_relaxed), time = now();
    if (time - last >= INTERVAL && atomic_compare_exchange_strong(&taken, &last, time))
        device_take(false);
}

void timeline_take(void) {
    if (timeline_is_on())
        device_take(true);
}

static void take_rest(void) {
    timeline_take();
    uint64_t none = atomic_load(&lost);
    if (none > 0)
        ob_warn("the trace lacks %" PRIu64 " pieces of work of devices, for which there was no "
                "room on the backend",
                none);
}

/* A program with a trace loads this library beside the driver's; the tool hears of calls from then
 * on. */
__attribute__((constructor)) static void expect(void) {
    const char *trace = getenv("OUTBOARD_TRACE");
    if (trace == NULL || *trace == '\0')
        return;
    atomic_store(&wanted, true);
    ob_trace_work_from(take_rest);
    calls_watch(true, false);
}
