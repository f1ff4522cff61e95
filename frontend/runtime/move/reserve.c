/* SPDX-License-Identifier: Apache-2.0
 *
 * Address space that belongs to device memory: no mapping of the program may lie there. Reserved in
 * granules, for ever, because the backend uses its addresses again.
 */
#include "move/move.h"
#include "base/sanitizer.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define GRANULE (2ULL << 20)
#define HIGHEST (1ULL << 56) /* beyond every user address */
#define LOWEST (64ULL << 10) /* a privileged program could have memory at NULL */

typedef struct range {
    uint64_t begin, end;
} range;

/* Sorted, disjoint, not touching. */
static range *ranges;
static size_t count, capacity;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Of memory that the program has there. */
typedef struct claim {
    struct claim *next;
    range is;
} claim;

static claim *claims;

/* A kernel older than 4.17 takes the flag for a hint: then the address that comes back tells. */
static bool map(uint64_t begin, uint64_t end) {
    if (UNDER_TSAN && begin >= TSAN_BEGIN && end <= TSAN_END)
        return true; /* nothing of the program can lie there */
    void *want = (void *)(uintptr_t)begin;
    void *got = mmap(want, end - begin, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
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

/* There is room for one more. */
static void add(uint64_t begin, uint64_t end) {
    size_t at = find(begin), after = at;
    range merged = {begin, end};
    while (after < count && ranges[after].begin <= end)
        after++;
    if (after > at) {
        if (ranges[at].begin < merged.begin)
            merged.begin = ranges[at].begin;
        if (ranges[after - 1].end > merged.end)
            merged.end = ranges[after - 1].end;
    }
    memmove(ranges + at + 1, ranges + after, (count - after) * sizeof *ranges);
    ranges[at] = merged;
    count = count - (after - at) + 1;
}

/* Where the gap at an address ends, at most at a limit; the address itself if it is reserved, then
 * *past is its end. */
static uint64_t gap_end(uint64_t address, uint64_t limit, uint64_t *past) {
    size_t i = find(address);
    if (i < count && ranges[i].end == address)
        i++;
    if (i == count || ranges[i].begin >= limit)
        return limit;
    *past = ranges[i].end;
    return ranges[i].begin < address ? address : ranges[i].begin;
}

/* A mapped gap is remembered even if the rest is taken. */
static bool reserve_gaps(uint64_t begin, uint64_t end) {
    for (uint64_t at = begin; at < end;) {
        uint64_t past = end, to = gap_end(at, end, &past);
        if (to > at) {
            if (!make_room() || !map(at, to))
                return false;
            add(at, to);
        }
        at = to > at ? to : past;
    }
    return true;
}

static bool reserve_rounded(uint64_t begin, uint64_t end, uint64_t unit) {
    return reserve_gaps(begin & ~(unit - 1), (end + unit - 1) & ~(unit - 1));
}

/* A mapping of the program in the granule, but beside the range, does no harm now: then the range's
 * own pages will do. */
bool ob_reserve(uint64_t address, uint64_t bytes) {
    if (bytes == 0)
        return true;
    if (ob_forked() || address > HIGHEST || bytes > HIGHEST - address)
        return false;
    pthread_mutex_lock(&lock);
    bool done = reserve_rounded(address, address + bytes, GRANULE) ||
                reserve_rounded(address, address + bytes, (uint64_t)sysconf(_SC_PAGESIZE));
    pthread_mutex_unlock(&lock);
    return done;
}

/* ---- memory of the program ------------------------------------------------------------------- */

static bool is_claimed(const range *wanted) {
    const claim *one = claims;
    while (one != NULL && (one->is.end <= wanted->begin || wanted->end <= one->is.begin))
        one = one->next;
    return one != NULL;
}

static bool enter(const range *wanted) {
    claim *one = is_claimed(wanted) ? NULL : malloc(sizeof *one);
    if (one == NULL)
        return false;
    *one = (claim){claims, *wanted};
    claims = one;
    return true;
}

bool ob_claim(uint64_t address, uint64_t bytes) {
    if (bytes == 0 || address < LOWEST || !ob_reserve(address, bytes))
        return false;
    pthread_mutex_lock(&lock);
    bool done = enter(&(range){address, address + bytes});
    pthread_mutex_unlock(&lock);
    return done;
}

void ob_unclaim(uint64_t address) {
    pthread_mutex_lock(&lock);
    claim **at = &claims;
    while (*at != NULL && (*at)->is.begin != address)
        at = &(*at)->next;
    claim *ended = *at;
    if (ended != NULL)
        *at = ended->next;
    pthread_mutex_unlock(&lock);
    free(ended);
}
