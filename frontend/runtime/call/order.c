/* SPDX-License-Identifier: Apache-2.0
 *
 * The order among calls of several rings: PROTOCOL.md, "Rings of threads". Objects remember who
 * posted the last call that touches them; a call names the number up to which posted calls of other
 * rings must be issued before it.
 *
 * A call is noted once it is in its ring, and before it returns. Its fence is found before it has a
 * number: so of two threads that use an object at the same time, and have no order, the later one
 * to be noted sees that the object has changed, and says that it is shared.
 */
#include "call/call.h"

#include <stdlib.h>

enum { PLACE_BITS = 12, SHARED = 255, RING_BITS = 8, VERSION_BITS = 12, NUMBER_SHIFT = 20 };

struct ordering {
    _Atomic uint32_t rings;     /* up to the last one that is open; 0: the first alone */
    char apart[64];
    _Atomic uint64_t everything[RING_LIMIT]; /* the last posted call of each ring that has an order
                                                with all others */
    _Atomic uint64_t wide;      /* how many calls have had such an order */
    /* Of each other ring the last such call that a call of this ring has been behind already: so
     * are all that follow it there. The first ring, which has many threads, remembers none. */
    struct {
        uint64_t behind[RING_LIMIT];
        char apart[64];
    } passed[RING_LIMIT];
    char from_places[64];
    /* the number of the last posted call, how often the place has changed, and the call's ring */
    _Atomic uint64_t places[1 << PLACE_BITS];
};

bool order_make(session *s) {
    s->ordering = session_part(sizeof *s->ordering);
    return s->ordering != NULL;
}

bool order_is_needed(const session *s) {
    return atomic_load_explicit(&s->ordering->rings, memory_order_relaxed) > 0;
}

static void note_everything(const session *s, uint32_t ring, uint64_t sequence) {
    _Atomic uint64_t *last = &s->ordering->everything[ring];
    uint64_t now = atomic_load(last);
    while (now < sequence && !atomic_compare_exchange_weak(last, &now, sequence))
        continue;
}

void order_begins(session *s, uint32_t ring, uint64_t sequence) {
    if (!order_is_needed(s))
        note_everything(s, 0, sequence);
    if (atomic_load(&s->ordering->rings) <= ring)
        atomic_store(&s->ordering->rings, ring + 1);
}

void order_moves(const session *s, uint64_t sequence) { note_everything(s, 0, sequence); }

/* Objects that have one place are one object (Fibonacci hashing). */
static _Atomic uint64_t *place_of(const session *s, uint64_t handle) {
    uint64_t place = handle * UINT64_C(0x9E3779B97F4A7C15) >> (64 - PLACE_BITS);
    return &s->ordering->places[place];
}

static uint64_t number_in(uint64_t place) { return place >> NUMBER_SHIFT; }
static uint32_t ring_in(uint64_t place) { return place & ((1 << RING_BITS) - 1); }

static uint64_t changed(uint64_t from, uint64_t number, uint32_t ring) {
    uint64_t version = (from >> RING_BITS) + 1;
    return number << NUMBER_SHIFT | (version & ((1 << VERSION_BITS) - 1)) << RING_BITS | ring;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* A position that a ring has passed costs its calls no look at the others' in the backend. */
static bool is_passed(struct ordering *own, uint32_t ring, uint32_t other, uint64_t sequence) {
    bool passed = ring != 0 && own->passed[ring].behind[other] == sequence;
    if (ring != 0)
        own->passed[ring].behind[other] = sequence;
    return passed;
}

static uint64_t behind_others(const session *s, uint32_t ring) {
    struct ordering *own = s->ordering;
    uint64_t fence = 0;
    uint32_t rings = atomic_load(&own->rings);
    for (uint32_t i = 0; i < rings; i++) {
        uint64_t last = i != ring ? atomic_load(&own->everything[i]) : 0;
        if (last != 0 && !is_passed(own, ring, i, last))
            fence = larger(fence, last);
    }
    return fence;
}

static bool is_narrow(const ob_call *call) {
    return call->narrow && !call->wide && (call->flags & (OB_ORDERED | OB_LAST)) == 0;
}

uint64_t order_fence(const session *s, const ob_call *call, uint32_t ring, order_seen *seen) {
    *seen = (order_seen){.looked = order_is_needed(s)};
    if (!seen->looked)
        return 0;
    seen->wide = atomic_load(&s->ordering->wide);
    if (!is_narrow(call))
        return ORDER_ALL;
    uint64_t fence = behind_others(s, ring);
    for (uint32_t i = 0; i < call->touched; i++) {
        uint64_t place = seen->places[i] = atomic_load(place_of(s, call->touches[i]));
        if (ring_in(place) != ring)
            fence = larger(fence, number_in(place));
    }
    return fence;
}

/* How the place is then; 0 if another thread has changed it meanwhile. */
static uint64_t note(_Atomic uint64_t *place, uint64_t seen, uint32_t ring, uint64_t sequence) {
    uint64_t next = changed(seen, sequence, ring);
    if (atomic_compare_exchange_strong(place, &seen, next))
        return next;
    while (!atomic_compare_exchange_weak(
        place, &seen, changed(seen, larger(number_in(seen), sequence), SHARED)))
        continue;
    return 0;
}

static order_stamp note_wide(const session *s, const ob_call *call, uint32_t ring,
                             uint64_t sequence) {
    if ((call->flags & OB_ANSWER) == 0)
        note_everything(s, ring, sequence);
    atomic_fetch_add(&s->ordering->wide, 1);
    return (order_stamp){false, 0, 0};
}

order_stamp order_sent(const session *s, const ob_call *call, uint32_t ring,
                       const order_seen *seen, uint64_t sequence) {
    if (!order_is_needed(s))
        return (order_stamp){false, 0, 0};
    if (!seen->looked || !is_narrow(call))
        return note_wide(s, call, ring, sequence);
    uint64_t place = 0;
    for (uint32_t i = 0; i < call->touched; i++)
        place = note(place_of(s, call->touches[i]), seen->places[i], ring, sequence);
    return (order_stamp){call->touched == 1 && place != 0, place, seen->wide};
}

order_stamp order_stamp_of(const ob_call *call, const order_seen *seen) {
    return (order_stamp){seen->looked && is_narrow(call) && call->touched == 1, seen->places[0],
                         seen->wide};
}

bool order_stands(const session *s, uint64_t object, const order_stamp *stamp) {
    return stamp->known && atomic_load(&s->ordering->wide) == stamp->wide &&
           atomic_load(place_of(s, object)) == stamp->place;
}
