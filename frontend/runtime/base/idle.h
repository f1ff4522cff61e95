/* SPDX-License-Identifier: Apache-2.0
 *
 * Looking for a while before sleeping. Waking takes several microseconds, on a core that has fallen
 * asleep hundreds. Where the other side has no core of its own, or takes its time, looking fails;
 * then it is tried less and less.
 */
#ifndef OUTBOARD_PATIENCE_H
#define OUTBOARD_PATIENCE_H

#include "base/clock.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

enum {
    /* longer than the other side takes to wake, much shorter than it takes to be noticed */
    SPIN_NS = 20000,
    SPIN_LEAST_NS = 1000,
    LOOKS = 16, /* between two looks at the clock */
    /* after so many sleeps it is tried again whether looking is worth while */
    PROBE = 32,
    /* so many processors are enough for a program that looks, the backend, and the driver in it */
    PLENTY = 4,
    SPIN_ANSWER_NS = 50000000, /* there: as the vendor's driver waits for a GPU, by default */
    SPIN_FRAMES_NS = 1000000,
    /* where waking takes hundreds of microseconds wherever the other side is; each look leaves the
       processor */
    SPIN_FAR_NS = 1000000,
    /* for an answer, where the device computes on the processors that looking takes */
    SPIN_SHARED_NS = 200000,
};

/* One waits at a time; any thread may change the limit. */
typedef struct patience {
    _Atomic uint32_t most_ns;
    uint32_t ns;            /* how long it is worth while to look */
    uint32_t sleeps;        /* without looking first */
    bool yields;            /* to others, after each look */
} patience;

static inline uint32_t processors(void) {
    cpu_set_t ours;
    return sched_getaffinity(0, sizeof ours, &ours) == 0 ? (uint32_t)CPU_COUNT(&ours) : 1;
}

static inline bool processors_to_spare(void) { return processors() >= PLENTY; }

static inline patience patience_of(uint32_t most_ns) {
    return (patience){.most_ns = most_ns, .ns = most_ns};
}

/* Longer than it is already, it does not look. */
static inline void patience_limit(patience *p, uint32_t most_ns) {
    if (most_ns < atomic_load_explicit(&p->most_ns, memory_order_relaxed))
        atomic_store_explicit(&p->most_ns, most_ns, memory_order_relaxed);
}

static inline bool look_for(bool (*there)(const void *), const void *what, uint32_t limit_ns) {
    for (uint64_t end = now_ns() + limit_ns; now_ns() < end;) {
        for (int i = 0; i < LOOKS; i++) {
            if (there(what))
                return true;
            relax();
        }
    }
    return false;
}

/* The same, and the processor is somebody else's after each look. */
static inline bool look_and_yield_for(bool (*there)(const void *), const void *what,
                                      uint32_t limit_ns) {
    for (uint64_t end = now_ns() + limit_ns; now_ns() < end; sched_yield())
        if (there(what))
            return true;
    return false;
}

/* Whether it has come while it was looked for, this time for no longer than `within_ns`. A probe is
 * long enough for an other side that sleeps too. A look that was cut off says nothing about longer
 * ones. */
static inline bool patience_pays_as(patience *p, uint32_t within_ns, bool yields,
                                    bool (*there)(const void *), const void *what) {
    uint32_t most = atomic_load_explicit(&p->most_ns, memory_order_relaxed);
    if (p->ns > most)
        p->ns = most;
    if (most == 0 || within_ns == 0 || (p->ns == 0 && ++p->sleeps % PROBE != 0))
        return false;
    uint32_t probe = p->yields ? most : SPIN_NS, wanted = p->ns > 0 ? p->ns : probe;
    if ((p->yields || yields ? look_and_yield_for
                             : look_for)(there, what, wanted < within_ns ? wanted : within_ns)) {
        p->ns = most;
        return true;
    }
    if (wanted <= within_ns)
        p->ns = p->ns / 2 >= SPIN_LEAST_NS ? p->ns / 2 : 0;
    return false;
}

static inline bool patience_pays_within(patience *p, uint32_t within_ns,
                                        bool (*there)(const void *), const void *what) {
    return patience_pays_as(p, within_ns, false, there, what);
}

static inline bool patience_pays(patience *p, bool (*there)(const void *), const void *what) {
    return patience_pays_within(p, UINT32_MAX, there, what);
}

/* How long waits of one kind take, so that most of a long one can be slept away: who wakes before
 * the answer comes, and looks from then on, has it as soon as one that looked all the time. */
enum {
    FORESEEN_WAITS = 8,
    REST_LEAST_NS = 200000,     /* of a wait: a shorter one is not worth it */
    REST_MARGIN_NS = 60000,     /* so late a sleeper may wake, see prctl(2), PR_SET_TIMERSLACK */
    REST_MOST_NS = 20000000,
};

typedef struct foreseen {
    uint32_t kind;
    uint32_t count;                 /* of these waits, up to FORESEEN_WAITS */
    uint32_t shortest, before_ns;   /* of them, and of as many before; 0: not known */
} foreseen;

/* Begins anew if it is another kind's. */
static inline void foreseen_for(foreseen *f, uint32_t kind) {
    if (f->kind != kind)
        *f = (foreseen){.kind = kind, .shortest = UINT32_MAX};
}

/* So long the next one may sleep: three quarters of the shortest. */
static inline uint32_t foreseen_rest(const foreseen *f) {
    uint32_t ns = f->shortest < f->before_ns ? f->shortest : f->before_ns;
    if (ns < REST_LEAST_NS)
        return 0;
    return ns / 4 < REST_MOST_NS / 3 ? ns / 4 * 3 - REST_MARGIN_NS : REST_MOST_NS;
}

static inline void foreseen_took(foreseen *f, uint64_t ns) {
    if (ns < f->shortest)
        f->shortest = (uint32_t)ns;
    if (++f->count < FORESEEN_WAITS)
        return;
    f->before_ns = f->shortest;
    f->shortest = UINT32_MAX;
    f->count = 0;
}

/* Threads of a program that look at the same time. Each takes a processor from those that compute:
 * the driver's threads, those that look in the backend, and other programs'. */
typedef struct lookers {
    _Atomic uint32_t now;
    uint32_t processors;
} lookers;

/* As the backend's Lookers: a quarter of the processors for one program. Where several are busy,
 * there is one looker here once a program's share is so many, twice the backend's: while this side
 * waits the driver looks on the other, and natively nobody else does. */
enum { LOOKERS_QUARTER = 4, LOOKERS_SHARE = 12 };

/* How a thread may look. Where a program is alone those beyond the quarter leave the processor
 * after each look: whoever computes takes it from them, and an answer finds them awake. */
typedef enum looking { LOOKS_BRIEFLY, LOOKS_AND_YIELDS, LOOKS_FREELY } looking;

static inline uint32_t lookers_most(const lookers *all, uint32_t programs) {
    if (programs > 1)
        return all->processors / LOOKERS_SHARE / programs;
    return all->processors < LOOKERS_QUARTER ? 1 : all->processors / LOOKERS_QUARTER;
}

/* How one more may look, of one of so many programs (0: not known). */
static inline looking lookers_join(lookers *all, uint32_t programs) {
    uint32_t before = atomic_fetch_add_explicit(&all->now, 1, memory_order_relaxed);
    if (before < lookers_most(all, programs))
        return LOOKS_FREELY;
    if (programs <= 1 && all->processors >= PLENTY && before < all->processors)
        return LOOKS_AND_YIELDS;
    atomic_fetch_sub_explicit(&all->now, 1, memory_order_relaxed);
    return LOOKS_BRIEFLY;
}

/* Behind each that may look for long. */
static inline void lookers_leave(lookers *all) {
    atomic_fetch_sub_explicit(&all->now, 1, memory_order_relaxed);
}

#endif
