/* SPDX-License-Identifier: Apache-2.0 */
#include "lies.h"

static _Thread_local uint64_t state;

void numbers_begin(uint64_t seed) { state = seed * 0x9E3779B97F4A7C15ULL + 1; }

/* xorshift64* */
static uint64_t next(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1DULL;
}

uint64_t any(uint64_t limit) { return (next() >> 16) % limit; }

bool chance(unsigned int percent) { return any(100) < percent; }

uint64_t strange(void) {
    static const uint64_t edges[] = {0,
                                     1,
                                     7,
                                     8,
                                     9,
                                     24,
                                     25,
                                     1023,
                                     1024,
                                     1025,
                                     4096,
                                     32764,
                                     65536,
                                     (1 << 20) + 1,
                                     INT32_MAX,
                                     1ULL << 31,
                                     UINT32_MAX,
                                     1ULL << 32,
                                     1ULL << 47,
                                     INT64_MAX,
                                     1ULL << 63,
                                     UINT64_MAX - 16,
                                     UINT64_MAX - 15,
                                     UINT64_MAX - 8,
                                     UINT64_MAX - 7,
                                     UINT64_MAX};
    return chance(10) ? next() : edges[any(sizeof edges / sizeof edges[0])];
}
