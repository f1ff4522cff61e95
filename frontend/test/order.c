/* SPDX-License-Identifier: Apache-2.0
 *
 * The order among calls of several rings: what a call has to be behind, and that no call of another
 * thread that has returned is forgotten.
 */
#include "call/call.h"
#include "check.h"

#include <stdlib.h>

enum { RINGS = 6, OBJECTS = 5, CALLS = 20000 };

static session *with_rings(uint64_t sent) {
    static session one;
    CHECK(order_make(&one));
    for (uint32_t ring = 1; ring < RINGS; ring++)
        order_begins(&one, ring, sent);
    return &one;
}

static ob_call touching(uint64_t a, uint64_t b) {
    ob_call call = {.narrow = true};
    if (a != 0)
        ob_touch(&call, a);
    if (b != 0)
        ob_touch(&call, b);
    return call;
}

static uint64_t fence_of(const session *s, ob_call call, uint32_t ring) {
    order_seen seen;
    return order_fence(s, &call, ring, &seen);
}

static void post(const session *s, ob_call call, uint32_t ring, uint64_t sequence) {
    order_seen seen;
    order_fence(s, &call, ring, &seen);
    order_sent(s, &call, ring, &seen, sequence);
}

static void nothing_with_one_ring(void) {
    static session one;
    CHECK(order_make(&one) && !order_is_needed(&one));
    post(&one, (ob_call){0}, 0, 1);
    CHECK(fence_of(&one, (ob_call){0}, 0) == 0);
}

static void behind_its_own_objects(void) {
    const session *s = with_rings(0);
    post(s, touching(0x10, 0), 1, 1);
    post(s, touching(0x20, 0), 2, 2);
    CHECK(fence_of(s, touching(0x10, 0), 1) == 0);
    CHECK(fence_of(s, touching(0x10, 0), 2) == 1);
    CHECK(fence_of(s, touching(0x20, 0x10), 3) == 2);
    CHECK(fence_of(s, touching(0x30, 0), 3) == 0);
}

static void behind_everything(void) {
    const session *s = with_rings(0);
    post(s, touching(0x10, 0), 1, 1);
    post(s, (ob_call){0}, 2, 2);
    CHECK(fence_of(s, touching(0x30, 0), 3) == 2);
    CHECK(fence_of(s, touching(0x30, 0), 2) == 0);
    CHECK(fence_of(s, (ob_call){0}, 3) == ORDER_ALL);
    ob_call many = touching(0x10, 0x20);
    ob_touch(&many, 0x30);
    CHECK(fence_of(s, many, 1) == ORDER_ALL);
    ob_call ordered = touching(0x10, 0);
    ordered.flags = OB_ORDERED;
    CHECK(fence_of(s, ordered, 1) == ORDER_ALL);
}

/* What was sent before there were several, and before a thread moved. */
static void behind_the_first_ring(void) {
    session *s = with_rings(7);
    CHECK(fence_of(s, touching(0x10, 0), 1) == 7);
    CHECK(fence_of(s, touching(0x10, 0), 0) == 0);
    order_moves(s, 9);
    CHECK(fence_of(s, touching(0x10, 0), 1) == 9);
    order_moves(s, 8);
    CHECK(fence_of(s, touching(0x10, 0), 2) == 9);
}

/* A ring's calls are issued one after the other: what one has waited for, the next does not. The
 * first ring's are not. */
static void behind_everything_once(void) {
    const session *s = with_rings(0);
    post(s, (ob_call){0}, 2, 2);
    CHECK(fence_of(s, touching(0x30, 0), 3) == 2);
    CHECK(fence_of(s, touching(0x30, 0), 3) == 0);
    CHECK(fence_of(s, touching(0x30, 0), 4) == 2);
    post(s, (ob_call){0}, 1, 3);
    CHECK(fence_of(s, touching(0x30, 0), 3) == 3);
    post(s, (ob_call){0}, 2, 4);
    CHECK(fence_of(s, touching(0x30, 0), 3) == 4);
    CHECK(fence_of(s, touching(0x30, 0), 3) == 0);
    CHECK(fence_of(s, touching(0x30, 0), 0) == 4);
    CHECK(fence_of(s, touching(0x30, 0), 0) == 4);
}

/* Two that have no order among themselves: a third one is behind both, and so is each. */
static void shared_by_two_at_once(void) {
    const session *s = with_rings(0);
    ob_call call = touching(0x10, 0);
    order_seen one, other;
    order_fence(s, &call, 1, &one);
    order_fence(s, &call, 2, &other);
    CHECK(order_sent(s, &call, 2, &other, 6).known);
    CHECK(!order_sent(s, &call, 1, &one, 5).known);
    CHECK(fence_of(s, call, 1) == 6);
    CHECK(fence_of(s, call, 2) == 6);
    CHECK(fence_of(s, call, 3) == 6);
}

/* A wait holds until a call has returned that may have given its stream work. */
static void stands_until_touched(void) {
    const session *s = with_rings(0);
    ob_call wait = touching(0x10, 0), answered = touching(0x10, 0), all = {.flags = OB_ANSWER};
    answered.flags = OB_ANSWER;
    order_seen seen;
    order_fence(s, &wait, 1, &seen);
    order_stamp stamp = order_stamp_of(&wait, &seen);
    CHECK(order_stands(s, 0x10, &stamp));
    post(s, touching(0x20, 0), 2, 1);
    CHECK(order_stands(s, 0x10, &stamp));
    post(s, answered, 2, 2);
    CHECK(!order_stands(s, 0x10, &stamp));
    order_fence(s, &wait, 1, &seen);
    stamp = order_stamp_of(&wait, &seen);
    CHECK(order_stands(s, 0x10, &stamp));
    post(s, all, 2, 3);
    CHECK(!order_stands(s, 0x10, &stamp));
}

/* ---- threads --------------------------------------------------------------------------------- */

static session *common;
static _Atomic uint64_t sequence;
/* Of each object, and of what is about everything, the last posted call that has returned. */
static _Atomic uint64_t returned[RINGS][OBJECTS + 1];

static void raise_to(_Atomic uint64_t *last, uint64_t to) {
    uint64_t now = atomic_load(last);
    while (now < to && !atomic_compare_exchange_weak(last, &now, to))
        continue;
}

static uint64_t last_of_others(uint32_t ring, uint32_t object) {
    uint64_t last = 0;
    for (uint32_t other = 0; other < RINGS; other++) {
        uint64_t its = other != ring ? atomic_load(&returned[other][object]) : 0;
        last = its > last ? its : last;
    }
    return last;
}

static uint32_t below(uint64_t *state, uint32_t limit) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % limit;
}

/* A fence is for all that its ring sends later, too. */
static void *send_calls(void *number) {
    uint32_t ring = (uint32_t)(uintptr_t)number;
    uint64_t state = ring * UINT64_C(0x9E3779B97F4A7C15) + 1, covered = 0;
    for (int i = 0; i < CALLS; i++) {
        uint32_t object = below(&state, 50) == 0 ? OBJECTS : below(&state, OBJECTS);
        ob_call call = object == OBJECTS ? (ob_call){0} : touching(0x1000 + object, 0);
        uint64_t before = last_of_others(ring, object), all = last_of_others(ring, OBJECTS);
        order_seen seen;
        uint64_t fence = order_fence(common, &call, ring, &seen);
        uint64_t mine = atomic_fetch_add(&sequence, 1) + 1;
        if (fence >= mine)
            fence = mine - 1;
        covered = fence > covered ? fence : covered;
        CHECK(covered >= before && covered >= all);
        if (below(&state, 4) == 0)
            continue;
        order_sent(common, &call, ring, &seen, mine);
        raise_to(&returned[ring][object], mine);
    }
    return NULL;
}

static void nothing_is_forgotten(void) {
    pthread_t all[RINGS];
    common = with_rings(0);
    for (uintptr_t i = 0; i < RINGS; i++)
        CHECK(pthread_create(&all[i], NULL, send_calls, (void *)i) == 0);
    for (int i = 0; i < RINGS; i++)
        pthread_join(all[i], NULL);
}

int main(int argc, char **argv) {
    static const test_case cases[] = {
        {"one ring", nothing_with_one_ring},
        {"objects", behind_its_own_objects},
        {"everything", behind_everything},
        {"the first ring", behind_the_first_ring},
        {"once", behind_everything_once},
        {"shared", shared_by_two_at_once},
        {"settled", stands_until_touched},
        {"threads", nothing_is_forgotten},
        {NULL, NULL},
    };
    return run_cases(cases, argc, argv);
}
