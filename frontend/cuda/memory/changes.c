/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the program's changes of a variable, and those of the other side. Both are found by
 * comparing with what they last agreed on, byte by byte, but read and written by words, so that
 * nobody sees half of a number. Bytes are in a little-endian word.
 */
#include "memory/memory.h"

enum { WORD = sizeof(uint64_t) };

static uint64_t bytes_in(uint8_t mask) {
    uint64_t bytes = 0;
    for (int i = 0; i < WORD; i++)
        if ((mask >> i & 1) != 0)
            bytes |= UINT64_C(0xff) << (8 * i);
    return bytes;
}

static uint8_t mask_of(uint64_t difference) {
    unsigned int mask = 0;
    for (int i = 0; i < WORD; i++)
        if ((difference >> (8 * i) & 0xff) != 0)
            mask |= 1u << i;
    return (uint8_t)mask;
}

/* Which bytes of a word are the variable's. */
static uint64_t own(const word_pair *w, uint64_t index) {
    uint64_t bytes = UINT64_MAX;
    if (index == 0)
        bytes &= bytes_in(w->first);
    if (index == w->count - 1)
        bytes &= bytes_in(w->last);
    return bytes;
}

static uint64_t load(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

word_span changes_find(const word_pair *w, uint64_t from, uint64_t count, uint64_t data[],
                       uint8_t mask[]) {
    uint64_t first = count, end = 0;
    /* nearly always, and much sooner known than word by word */
    if (memcmp(w->here + from, w->agreed + from, count * WORD) == 0)
        return (word_span){0, 0};
    for (uint64_t i = 0; i < count; i++) {
        data[i] = load(&w->here[from + i]);
        uint64_t difference = data[i] ^ w->agreed[from + i];
        mask[i] = difference == 0 ? 0 : mask_of(difference & own(w, from + i));
        if (mask[i] == 0)
            continue;
        first = first < i ? first : i;
        end = i + 1;
    }
    return end == 0 ? (word_span){0, 0} : (word_span){first, end - first};
}

void changes_agree(const word_pair *w, uint64_t from, uint64_t count, const uint64_t data[],
                   const uint8_t mask[]) {
    for (uint64_t i = 0; i < count; i++) {
        uint64_t changed = bytes_in(mask[i]), *agreed = &w->agreed[from + i];
        *agreed = (*agreed & ~changed) | (data[i] & changed);
    }
}

/* Bytes that the program has changed stay the program's, also those that it changes this moment. */
static void merge(uint64_t *here, uint64_t agreed, uint64_t fresh, uint64_t bytes) {
    uint64_t now = load(here), merged;
    do {
        uint64_t theirs = now == agreed ? bytes : bytes & ~bytes_in(mask_of(now ^ agreed));
        merged = (now & ~theirs) | (fresh & theirs);
    } while (merged != now && !__atomic_compare_exchange_n(here, &now, merged, false,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

void changes_merge(const word_pair *w, uint64_t from, uint64_t count, const uint64_t fresh[]) {
    for (uint64_t i = from; i < from + count; i++) {
        uint64_t bytes = own(w, i), agreed = w->agreed[i];
        if (((fresh[i - from] ^ agreed) & bytes) == 0)
            continue;
        merge(&w->here[i], agreed, fresh[i - from], bytes);
        w->agreed[i] = (agreed & ~bytes) | (fresh[i - from] & bytes);
    }
}
