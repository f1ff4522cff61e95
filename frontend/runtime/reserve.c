/* SPDX-License-Identifier: Apache-2.0
 *
 * Address space that belongs to device memory: no mapping of the program may lie there. Reserved in granules, for ever,
 * because the backend uses its addresses again.
 */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define GRANULE (2ULL << 20)

typedef struct range {
    uint64_t begin, end;
} range;

/* Sorted, disjoint, not touching. */
static range *ranges;
static size_t count, capacity;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A kernel older than 4.17 takes the flag for a hint: then the address that comes back tells. */
static bool map(uint64_t begin, uint64_t end) {
    void *want = (void *)(uintptr_t)begin;
    void *got = mmap(want, end - begin, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == want)
        return true;
    if (got != MAP_FAILED)
        munmap(got, end - begin);
    return false;
}

static bool make_room(void) {
    if (count < capacity)
        return true;
    size_t larger = capacity == 0 ? 64 : capacity * 2;
    range *moved = realloc(ranges, larger * sizeof *moved);
    if (moved == NULL)
        return false;
    ranges = moved;
    capacity = larger;
    return true;
}

/* The first range that ends at or after an address. */
static size_t find(uint64_t address) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ranges[middle].end < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool add(uint64_t begin, uint64_t end) {
    size_t at = find(begin), after = at;
    while (after < count && ranges[after].begin <= end)
        after++;
    range merged = {begin, end};
    if (after > at) {
        if (ranges[at].begin < merged.begin)
            merged.begin = ranges[at].begin;
        if (ranges[after - 1].end > merged.end)
            merged.end = ranges[after - 1].end;
    } else if (!make_room()) {
        return false;
    }
    memmove(ranges + at + 1, ranges + after, (count - after) * sizeof *ranges);
    ranges[at] = merged;
    count = count - (after - at) + 1;
    return true;
}

static bool reserve_gaps(uint64_t begin, uint64_t end) {
    uint64_t at = begin;
    for (size_t i = find(begin); at < end && i < count && ranges[i].begin < end; i++) {
        if (ranges[i].begin > at && !map(at, ranges[i].begin))
            return false;
        if (ranges[i].end > at)
            at = ranges[i].end;
    }
    return at >= end || map(at, end);
}

bool ob_reserve(uint64_t address, uint64_t bytes) {
    uint64_t begin = address & ~(GRANULE - 1), end = (address + bytes + GRANULE - 1) & ~(GRANULE - 1);
    if (bytes == 0 || end < begin)
        return bytes == 0;
    pthread_mutex_lock(&lock);
    bool done = reserve_gaps(begin, end) && add(begin, end);
    pthread_mutex_unlock(&lock);
    return done;
}
