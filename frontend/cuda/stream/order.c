/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of calls of several contexts. A call posted in one lane may be issued later than a
 * later call in another lane. A call that asks for another context's stream or event, or waits for
 * it, must not overtake that one: such a call is ordered.
 */
#include "stream/stream.h"

enum { PLACE_BITS = 12, LANE_SHIFT = 48, SPECIAL_STREAMS = 2 };

/* Handles with the lane of their latest note; a handle that has lost its place counts as another
 * lane's. */
static _Atomic uint64_t places[1 << PLACE_BITS];

/* Streams and events have the same low numbers, so all bits count (Fibonacci hashing). */
static _Atomic uint64_t *place_of(uint64_t handle) {
    return &places[handle * UINT64_C(0x9E3779B97F4A7C15) >> (64 - PLACE_BITS)];
}

static uint64_t here(uint64_t handle) { return handle | (uint64_t)ob_self()->lane << LANE_SHIFT; }

void order_note(const void *handle) {
    uint64_t number = (uint64_t)(uintptr_t)handle;
    atomic_store_explicit(place_of(number), here(number), memory_order_relaxed);
}

uint32_t cuda_order(const void *handle) {
    uint64_t number = (uint64_t)(uintptr_t)handle;
    bool own = number <= SPECIAL_STREAMS || !contexts_are_several() ||
               atomic_load_explicit(place_of(number), memory_order_relaxed) == here(number);
    return own ? 0 : OB_ORDERED;
}

/* The legacy default stream has an order with the other streams of its context, and with those of
 * other threads; a thread's own one with no other thread's calls. */
void cuda_touches(ob_call *call, const void *handle, uint32_t flags) {
    enum { UNNAMED, LEGACY, OWN };
    uint64_t number = (uint64_t)(uintptr_t)handle;
    call->narrow = true;
    if (number == LEGACY || (number == UNNAMED && (flags & OB_PER_THREAD) == 0))
        call->wide = true;
    else if (number > OWN)
        ob_touch(call, number);
}

/* Events of a launch would be touched, too. */
void cuda_touches_config(ob_call *call, const CUlaunchConfig *config, uint32_t flags) {
    enum { PROGRAMMATIC_EVENT = 7, LAUNCH_COMPLETION_EVENT = 12 };
    cuda_touches(call, config->stream, flags);
    for (int i = 0; i < config->attributeCount; i++) {
        int id = config->attributes[i].id;
        call->wide = call->wide || id == PROGRAMMATIC_EVENT || id == LAUNCH_COMPLETION_EVENT;
    }
}
