/* SPDX-License-Identifier: Apache-2.0
 * Numbers that look random and are the same on every machine (xorshift64*).
 */
#include "sequences.h"

static uint64_t state;

static uint64_t next(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(2685821657736338717);
}

void numbers_seed(uint64_t seed) {
    state = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
    for (int i = 0; i < 4; i++)
        next();
}

uint32_t number_below(uint32_t bound) { return (uint32_t)((next() >> 32) % bound); }

uint64_t one_of(const uint64_t *list, size_t count) {
    return list[number_below((uint32_t)count)];
}
