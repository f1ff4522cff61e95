/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranges of memory that the program was given: on devices, and page-locked in the program itself.
 * They tell what an address is without asking. A new range takes the place of what it overlaps of
 * its own device: the backend knows better. A range that overlaps memory of another device is
 * refused: two hosts have handed out one address, and nobody could tell whose memory it is.
 */
#include "memory/memory.h"

#include <pthread.h>
#include <stdlib.h>

struct range_set {
    range *ranges;              /* sorted, disjoint */
    size_t count, capacity;
};

range_set device_ranges, host_ranges;

/* Of both: each copy asks about an address in both. */
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static _Atomic uint64_t serials;

/* Of all sets together, begun: what a thread has seen of them holds while there is none. */
static _Atomic uint64_t changes = 1;

/* The first range that ends behind an address. */
static size_t first_after(const range_set *set, uint64_t address) {
    size_t low = 0, high = set->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (set->ranges[middle].base + set->ranges[middle].bytes <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void remove_at(range_set *set, size_t at, size_t how_many) {
    set->count -= how_many;
    memmove(set->ranges + at, set->ranges + at + how_many, (set->count - at) * sizeof *set->ranges);
}

static void remove_overlapping(range_set *set, uint64_t base, uint64_t bytes) {
    size_t at = first_after(set, base), end = at;
    while (end < set->count && set->ranges[end].base < base + bytes)
        end++;
    remove_at(set, at, end - at);
}

static bool make_room(range_set *set) {
    if (set->count < set->capacity)
        return true;
    size_t larger = set->capacity == 0 ? 64 : set->capacity * 2;
    range *moved = realloc(set->ranges, larger * sizeof *moved);
    if (moved == NULL)
        return false;
    set->ranges = moved;
    set->capacity = larger;
    return true;
}

/* Memory of graphs is remembered for ever, so that another device may have its address now. */
static const range *other_devices(const range_set *set, const range *added) {
    for (size_t at = first_after(set, added->base);
         at < set->count && set->ranges[at].base < added->base + added->bytes; at++)
        if (set->ranges[at].ordinal != added->ordinal && !set->ranges[at].of_graph)
            return &set->ranges[at];
    return NULL;
}

static bool refuse_overlap(const range_set *set, const range *added) {
    const range *other = set == &device_ranges ? other_devices(set, added) : NULL;
    if (other != NULL)
        ob_warn("device memory at 0x%llx (%llu bytes) of device %d is refused: device %d has "
                "memory at 0x%llx (%llu bytes) already",
                (unsigned long long)added->base, (unsigned long long)added->bytes, added->ordinal,
                other->ordinal, (unsigned long long)other->base, (unsigned long long)other->bytes);
    return other != NULL;
}

bool range_add(range_set *set, range added) {
    if (added.context == NULL) {
        added.context = context_in_use();
        added.ordinal = context_device(added.context);
    }
    added.serial = atomic_fetch_add(&serials, 1) + 1;
    pthread_rwlock_wrlock(&lock);
    atomic_fetch_add(&changes, 1);
    bool room = !refuse_overlap(set, &added) && make_room(set);
    if (room) {
        remove_overlapping(set, added.base, added.bytes);
        size_t at = first_after(set, added.base);
        memmove(set->ranges + at + 1, set->ranges + at, (set->count - at) * sizeof *set->ranges);
        set->ranges[at] = added;
        set->count++;
    }
    pthread_rwlock_unlock(&lock);
    return room;
}

bool range_overlaps(range_set *set, uint64_t base, uint64_t bytes) {
    pthread_rwlock_rdlock(&lock);
    size_t at = first_after(set, base);
    bool overlaps = at < set->count && set->ranges[at].base < base + bytes;
    pthread_rwlock_unlock(&lock);
    return overlaps;
}

bool range_find(range_set *set, uint64_t address, range *found) {
    pthread_rwlock_rdlock(&lock);
    size_t at = first_after(set, address);
    bool there = at < set->count && set->ranges[at].base <= address;
    if (there)
        *found = set->ranges[at];
    pthread_rwlock_unlock(&lock);
    return there;
}

/* The end of known memory that an address lies in; 0 if there is none. */
static uint64_t end_of_known(range_set *set, uint64_t address) {
    range known;
    return range_find(set, address, &known) ? known.base + known.bytes : 0;
}

bool cuda_is_managed(CUdeviceptr address) {
    range known;
    return range_find(&device_ranges, address, &known) && known.managed &&
           !range_find(&host_ranges, address, &known);
}

/* A thread asks of the same memory again and again. Page-locked memory of the program that a call
 * names as a device's becomes the backend's too, as if a kernel were given it. */
uint32_t cuda_doubt(CUdeviceptr address, uint64_t bytes) {
    static _Thread_local struct {
        uint64_t changes, from, to;
    } known;
    uint64_t now = atomic_load_explicit(&changes, memory_order_acquire);
    if (known.changes != now || address < known.from || address >= known.to) {
        uint64_t end = end_of_known(&device_ranges, address);
        if (end == 0 && !ob_passes()) {
            host_offer(&address, sizeof address);
            now = atomic_load_explicit(&changes, memory_order_acquire);
            end = end_of_known(&device_ranges, address);
        }
        known.changes = now;
        known.from = address;
        known.to = end != 0 ? end : end_of_known(&host_ranges, address);
    }
    return known.to > address && bytes <= known.to - address ? 0 : OB_ANSWER;
}

/* ---- what memory is, under the lock ---------------------------------------------------------- */

static const range *range_at(const range_set *set, uint64_t address) {
    size_t at = first_after(set, address);
    return at < set->count && set->ranges[at].base <= address ? &set->ranges[at] : NULL;
}

static bool holds(const range *one, uint64_t address, uint64_t bytes) {
    return bytes <= one->base + one->bytes - address;
}

/* Whether known memory, and what follows without a gap, ends before so many bytes. */
static bool ends_within(const range_set *set, uint64_t address, uint64_t bytes) {
    uint64_t left = bytes, from = address;
    for (size_t at = first_after(set, address);
         at < set->count && set->ranges[at].base <= from && left > 0; at++) {
        uint64_t here = set->ranges[at].base + set->ranges[at].bytes - from;
        left -= left < here ? left : here;
        from += here;
    }
    return left > 0;
}

static void ask_devices(memory_kind *kind, uint64_t address, uint64_t bytes) {
    const range *one = range_at(&device_ranges, address);
    kind->of_device = one != NULL;
    kind->whole = one != NULL && holds(one, address, bytes);
    kind->managed = kind->whole && one->managed && bytes > 0;
    kind->ends = one != NULL && !kind->whole && ends_within(&device_ranges, address, bytes);
}

static void ask_host(memory_kind *kind, uint64_t address, uint64_t bytes) {
    const range *one = range_at(&host_ranges, address);
    bool whole = one != NULL && holds(one, address, bytes);
    kind->shared = whole && one->shared;
    kind->kept = whole && !one->shared && !one->paged && bytes > 0;
    const void *here = (const void *)(uintptr_t)address;
    kind->watched = kind->shared || (kind->managed && !pages_may_have(here, bytes));
}

memory_kind memory_ask(uint64_t address, uint64_t bytes) {
    memory_kind kind;
    pthread_rwlock_rdlock(&lock);
    ask_devices(&kind, address, bytes);
    ask_host(&kind, address, bytes);
    pthread_rwlock_unlock(&lock);
    return kind;
}

bool range_take(range_set *set, uint64_t base, range *taken) {
    pthread_rwlock_wrlock(&lock);
    atomic_fetch_add(&changes, 1);
    size_t at = first_after(set, base);
    bool there = at < set->count && set->ranges[at].base == base;
    if (there) {
        *taken = set->ranges[at];
        remove_at(set, at, 1);
    }
    pthread_rwlock_unlock(&lock);
    return there;
}

bool range_take_of(range_set *set, CUcontext context, bool (*is_wanted)(const range *),
                   range *taken) {
    pthread_rwlock_wrlock(&lock);
    atomic_fetch_add(&changes, 1);
    size_t at = 0;
    while (at < set->count && (set->ranges[at].context != context || !is_wanted(&set->ranges[at])))
        at++;
    bool there = at < set->count;
    if (there) {
        *taken = set->ranges[at];
        remove_at(set, at, 1);
    }
    pthread_rwlock_unlock(&lock);
    return there;
}

bool range_any_of(range_set *set, CUcontext context) {
    pthread_rwlock_rdlock(&lock);
    size_t at = 0;
    while (at < set->count && set->ranges[at].context != context)
        at++;
    bool any = at < set->count;
    pthread_rwlock_unlock(&lock);
    return any;
}

void range_forget_context(range_set *set, CUcontext context) {
    pthread_rwlock_wrlock(&lock);
    atomic_fetch_add(&changes, 1);
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++)
        if (set->ranges[i].context != context || set->ranges[i].lasting)
            set->ranges[kept++] = set->ranges[i];
    set->count = kept;
    pthread_rwlock_unlock(&lock);
}

bool host_is_shared(const void *pointer, uint64_t bytes) {
    return memory_ask((uint64_t)(uintptr_t)pointer, bytes).shared;
}

/* An address in no range of a device is the program's. */
bool is_host_side(int type, CUdeviceptr address) {
    range known;
    if (type != MEMORY_HOST && type != MEMORY_UNIFIED)
        return false;
    return !range_find(&device_ranges, address, &known);
}
