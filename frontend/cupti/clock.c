/* SPDX-License-Identifier: Apache-2.0
 *
 * The clock of records: the program's own function, else the time of day in nanoseconds. The
 * backend's times are moved to it, between two comparisons of the clocks.
 */
#include "profile.h"

#include <pthread.h>
#include <time.h>

enum { ROUNDS = 8 };

typedef struct point {
    uint64_t theirs, ours;
} point;

static _Atomic(uint64_t (*)(void)) programs_clock;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Under the lock: the first comparison by this clock, and the latest one. */
static point first, latest;
static uint64_t (*compared)(void);

static uint64_t time_of_day(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t clock_now(void) {
    uint64_t (*clock)(void) = atomic_load_explicit(&programs_clock, memory_order_acquire);
    return clock != NULL ? clock() : time_of_day();
}

/* The quickest answer tells best. */
static bool ask(point *to) {
    uint64_t best = UINT64_MAX;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t theirs = 0;
        uint64_t begin = clock_now();
        if (remote_outboardActivityClock(&theirs, 0) != SUCCESS)
            return false;
        uint64_t took = clock_now() - begin;
        if (took < best) {
            best = took;
            *to = (point){.theirs = theirs, .ours = begin + took / 2};
        }
    }
    return true;
}

bool clock_compare(bool anew) {
    point now;
    if (!ask(&now))
        return false;
    pthread_mutex_lock(&lock);
    if (anew || first.theirs == 0 || compared != atomic_load(&programs_clock)) {
        compared = atomic_load(&programs_clock);
        first = now;
    }
    latest = now;
    pthread_mutex_unlock(&lock);
    return true;
}

/* Beyond a century the backend's times are none, and no whole number has them either. */
static int64_t whole(double nanoseconds) {
    const double most = 0x1p62;
    return nanoseconds > -most && nanoseconds < most ? (int64_t)nanoseconds : 0;
}

/* Between the points, on the line through them; its slope is 1 for clocks of nanoseconds. */
uint64_t clock_of(uint64_t theirs) {
    pthread_mutex_lock(&lock);
    point from = first, to = latest;
    pthread_mutex_unlock(&lock);
    double span = (double)(int64_t)(to.theirs - from.theirs);
    double slope = span > 0 ? (double)(int64_t)(to.ours - from.ours) / span : 1;
    return to.ours + (uint64_t)whole((double)(int64_t)(theirs - to.theirs) * slope);
}

CUptiResult cuptiGetTimestamp(uint64_t *timestamp) {
    if (timestamp == NULL)
        return INVALID_PARAMETER;
    *timestamp = clock_now();
    return SUCCESS;
}

CUptiResult cuptiActivityRegisterTimestampCallback(uint64_t (*clock)(void)) {
    if (clock == NULL)
        return INVALID_PARAMETER;
    atomic_store(&programs_clock, clock);
    return SUCCESS;
}
