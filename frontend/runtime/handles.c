/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles that this side mints. Bits, from the top: session 6, origin 1 (0: minted here), kind 6, generation 14, index 20.
 * An index is used again with the next generation, so that a stale handle is told apart.
 */
#include "internal.h"

#include <stdlib.h>

enum { KINDS = 64, FIRST = 1024, LIMIT = 1 << 20, GENERATIONS = 1 << 14 };

typedef struct slot {
    uint32_t next_free;
    uint16_t generation;
    bool alive;
} slot;

typedef struct kind_table {
    slot *slots;
    uint32_t size, used, first_free;
} kind_table;

static kind_table tables[KINDS];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static uint32_t kind_of(uint64_t handle) { return (uint32_t)(handle >> 34) & 63; }
static uint32_t index_of(uint64_t handle) { return (uint32_t)handle & (LIMIT - 1); }
static uint32_t generation_of(uint64_t handle) { return (uint32_t)(handle >> 20) & (GENERATIONS - 1); }
static bool minted_there(uint64_t handle) { return handle >> 40 & 1; }

static bool grow(kind_table *table) {
    uint32_t size = table->size == 0 ? FIRST : table->size * 2;
    slot *larger = size <= LIMIT ? realloc(table->slots, size * sizeof *larger) : NULL;
    if (larger == NULL)
        return false;
    memset(larger + table->size, 0, (size - table->size) * sizeof *larger);
    table->slots = larger;
    table->size = size;
    return true;
}

/* Low indexes of contexts are those of the devices' primary ones, which nobody mints: see ob_handle_reserve. */
static uint32_t reserved[KINDS];

void ob_handle_reserve(uint32_t kind, uint32_t indexes) { reserved[kind % KINDS] = indexes; }

static uint32_t take_index(uint32_t kind) {
    kind_table *table = &tables[kind];
    if (table->first_free != 0) {
        uint32_t index = table->first_free;
        table->first_free = table->slots[index].next_free;
        return index;
    }
    if (table->used <= reserved[kind])
        table->used = reserved[kind] + 1; /* index 0 is nobody's */
    while (table->used >= table->size)
        if (!grow(table))
            return 0;
    return table->used++;
}

uint64_t ob_handle_mint(uint32_t kind) {
    uint64_t handle = 0;
    if (ob_forked())
        return 0;
    pthread_rwlock_wrlock(&lock);
    uint32_t index = take_index(kind % KINDS);
    if (index != 0) {
        slot *one = &tables[kind % KINDS].slots[index];
        one->alive = true;
        handle = the_session.tag << 41 | (uint64_t)(kind % KINDS) << 34 | (uint64_t)one->generation << 20 | index;
    }
    pthread_rwlock_unlock(&lock);
    return handle;
}

static slot *slot_of(uint64_t handle) {
    kind_table *table = &tables[kind_of(handle)];
    uint32_t index = index_of(handle);
    slot *one = index < table->size ? &table->slots[index] : NULL;
    return one != NULL && one->alive && one->generation == generation_of(handle) ? one : NULL;
}

void ob_handle_retire(uint64_t handle) {
    if (minted_there(handle) || ob_forked())
        return;
    pthread_rwlock_wrlock(&lock);
    slot *one = slot_of(handle);
    if (one != NULL) {
        kind_table *table = &tables[kind_of(handle)];
        one->alive = false;
        one->generation = (one->generation + 1) & (GENERATIONS - 1);
        one->next_free = table->first_free;
        table->first_free = index_of(handle);
    }
    pthread_rwlock_unlock(&lock);
}

bool ob_handle_plausible(uint64_t handle, uint64_t kinds) {
    if (ob_forked())
        return true; /* the call itself is refused, without the locks of the parent */
    if (handle >> 47 != 0 || (kinds >> kind_of(handle) & 1) == 0)
        return false;
    if (minted_there(handle) || index_of(handle) <= reserved[kind_of(handle)])
        return index_of(handle) != 0;
    pthread_rwlock_rdlock(&lock);
    bool alive = slot_of(handle) != NULL;
    pthread_rwlock_unlock(&lock);
    return alive;
}

void handles_forget(void) {
    memset(tables, 0, sizeof tables);
    lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
}
