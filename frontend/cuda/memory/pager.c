/* SPDX-License-Identifier: Apache-2.0
 *
 * Pagers: threads that have pages come for threads that have touched them and wait in a signal
 * handler, whatever these hold. A pager may wait for calls, or for work that is behind a function
 * of the program; so what is touched in such a call, and while a function runs, is the matter of
 * others.
 */
#include "base/idle.h"
#include "memory/memory.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PLACES = 256 };                  /* for threads that wait at a time; more take turns */
enum { FREE, TAKEN, ASKED, SERVED, REFUSED };
enum { SAYS_AFTER = 5 };                /* seconds of waiting, after which a program is told why */

/* The access of a thread that waits. A handler that never returns leaves its place as it is. */
typedef struct place {
    _Atomic uint32_t state;
    touch how;
    uint64_t address;
} place;

typedef struct pager {
    _Atomic uint32_t asked;             /* counts */
    uint32_t seen;                      /* of these */
    patience patience;
    bool runs;
    who asks;
    uint8_t *room;
    place places[PLACES];
} pager;

static pager pagers[] = {{.asks = FROM_PROGRAM}, {.asks = FROM_CALL}, {.asks = FROM_FUNCTION}};
enum { PAGERS = sizeof pagers / sizeof *pagers };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool spare;                      /* there are processors to look with before sleeping */

/* Without an end to the time it is NULL. False once that is over. */
static bool sleep_on(_Atomic uint32_t *word, uint32_t while_it_is, const struct timespec *most) {
    return syscall(SYS_futex, (void *)word, FUTEX_WAIT_PRIVATE, while_it_is, most, NULL, 0) == 0 ||
           errno != ETIMEDOUT;
}

static void wake(_Atomic uint32_t *word) {
    syscall(SYS_futex, (void *)word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* ---- the threads that wait ------------------------------------------------------------------- */

static place *take_place(pager *by) {
    for (;;) {
        for (int i = 0; i < PLACES; i++) {
            uint32_t free_one = FREE;
            if (atomic_compare_exchange_strong(&by->places[i].state, &free_one, TAKEN))
                return &by->places[i];
        }
        sched_yield();
    }
}

/* A kernel that waits for the program meanwhile never ends, and nobody here can know. */
static void say_waiting(uint64_t address) {
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&said))
        ob_warn("the program has touched memory at 0x%llx that kernels use, and waits until their "
                "work is over; a kernel that waits for the program "
                "there meanwhile runs only over shared memory (--on unix:PATH on one machine)",
                (unsigned long long)address);
}

static bool is_answered(const void *mine) {
    return atomic_load(&((place *)(uintptr_t)mine)->state) != ASKED;
}

static uint32_t await(place *mine) {
    static const struct timespec most = {.tv_sec = SAYS_AFTER};
    uint32_t state;
    look_for(is_answered, mine, spare ? SPIN_SHARED_NS : 0);
    while ((state = atomic_load(&mine->state)) == ASKED)
        if (!sleep_on(&mine->state, ASKED, &most))
            say_waiting(mine->address);
    return state;
}

bool pager_fetch(uint64_t address, touch how) {
    pager *by = &pagers[ob_callback_runs()         ? FROM_FUNCTION
                        : work_is_asked_for_here() ? FROM_CALL
                                                   : FROM_PROGRAM];
    place *mine = take_place(by);
    mine->address = address;
    mine->how = how;
    atomic_store(&mine->state, ASKED);
    atomic_fetch_add(&by->asked, 1);
    wake(&by->asked);
    uint32_t state = await(mine);
    atomic_store(&mine->state, FREE);
    return state == SERVED;
}

/* ---- the pagers ------------------------------------------------------------------------------ */

static void serve(pager *me, place *one) {
    bool served = pages_serve(one->address, one->how, me->asks, me->room);
    atomic_store(&one->state, served ? SERVED : REFUSED);
    wake(&one->state);
}

static bool is_asked(const void *of) {
    const pager *me = of;
    return atomic_load(&((pager *)(uintptr_t)me)->asked) != me->seen;
}

static void *run(void *of) {
    pager *me = of;
    me->patience = patience_of(spare ? SPIN_FRAMES_NS : 0);
    for (;;) {
        me->seen = atomic_load(&me->asked);
        for (int i = 0; i < PLACES; i++)
            if (atomic_load(&me->places[i].state) == ASKED)
                serve(me, &me->places[i]);
        if (!patience_pays(&me->patience, is_asked, me))
            sleep_on(&me->asked, me->seen, NULL);
    }
    return NULL;
}

/* Under the lock. */
static bool start(pager *one) {
    if (one->runs)
        return true;
    if (one->room == NULL)
        one->room = malloc(FETCHED_MOST);
    one->runs = one->room != NULL && ob_start_thread(NULL, run, one);
    return one->runs;
}

bool pager_start(void) {
    pthread_mutex_lock(&lock);
    bool all = true;
    spare = pagers[0].runs ? spare : processors_to_spare();
    for (int i = 0; i < PAGERS; i++)
        all = start(&pagers[i]) && all;
    pthread_mutex_unlock(&lock);
    return all;
}
