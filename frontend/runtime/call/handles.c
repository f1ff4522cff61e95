/* SPDX-License-Identifier: Apache-2.0
 *
 * Handles that this side mints. Bits, from the top: the session's tag 6, origin 1 (0: minted here),
 * kind 6, generation 14, index 20. An index is used again with the next generation, so that a stale
 * handle is told apart.
 */
#include "call/call.h"

#include <stdlib.h>

enum { KINDS = 64, LIMIT = 1 << 20, CHUNK = 1024, GENERATIONS = 1 << 14, ALIVE = 1 << 16 };

typedef struct slot {
    _Atomic uint32_t state;     /* the generation, and ALIVE */
    uint32_t next_free;
} slot;

/* Chunks stay where they are, so that whoever looks a handle up takes no lock. */
typedef struct kind_table {
    _Atomic(slot *) chunks[LIMIT / CHUNK];
    uint32_t used, first_free;
} kind_table;

struct handles {
    kind_table tables[KINDS];
    uint32_t reserved[KINDS];   /* low indexes that nobody mints: see ob_handle_reserve */
    pthread_mutex_t lock;       /* of who mints and retires */
};

bool handles_make(session *s) {
    s->handles = calloc(1, sizeof *s->handles);
    if (s->handles != NULL)
        pthread_mutex_init(&s->handles->lock, NULL);
    return s->handles != NULL;
}

static uint32_t kind_of(uint64_t handle) { return (uint32_t)(handle >> 34) & 63; }
static uint32_t index_of(uint64_t handle) { return (uint32_t)handle & (LIMIT - 1); }
static uint64_t tag_of(uint64_t handle) { return handle >> 41; }
static uint32_t generation_of(uint64_t handle) {
    return (uint32_t)(handle >> 20) & (GENERATIONS - 1);
}
static bool minted_there(uint64_t handle) { return handle >> 40 & 1; }

static slot *slot_at(kind_table *table, uint32_t index) {
    slot *chunk = atomic_load_explicit(&table->chunks[index / CHUNK], memory_order_acquire);
    return chunk != NULL ? chunk + index % CHUNK : NULL;
}

static bool has_room(kind_table *table, uint32_t index) {
    if (index >= LIMIT)
        return false;
    if (slot_at(table, index) == NULL)
        atomic_store_explicit(&table->chunks[index / CHUNK], calloc(CHUNK, sizeof(slot)),
                              memory_order_release);
    return slot_at(table, index) != NULL;
}

void ob_handle_reserve(uint32_t kind, uint32_t indexes) {
    session_here()->handles->reserved[kind % KINDS] = indexes;
}

static uint32_t take_index(struct handles *own, uint32_t kind) {
    kind_table *table = &own->tables[kind];
    if (table->first_free != 0) {
        uint32_t index = table->first_free;
        table->first_free = slot_at(table, index)->next_free;
        return index;
    }
    if (table->used <= own->reserved[kind])
        table->used = own->reserved[kind] + 1; /* index 0 is nobody's */
    return has_room(table, table->used) ? table->used++ : 0;
}

uint64_t ob_handle_mint(uint32_t kind) {
    uint64_t handle = 0;
    const session *s = session_here();
    struct handles *own = s->handles;
    if (ob_forked())
        return 0;
    pthread_mutex_lock(&own->lock);
    uint32_t index = take_index(own, kind % KINDS);
    if (index != 0) {
        uint32_t generation =
            atomic_fetch_or(&slot_at(&own->tables[kind % KINDS], index)->state, ALIVE);
        handle = s->tag << 41 | (uint64_t)(kind % KINDS) << 34 | (uint64_t)generation << 20 | index;
    }
    pthread_mutex_unlock(&own->lock);
    return handle;
}

static slot *slot_of(const session *s, uint64_t handle) {
    slot *one = slot_at(&s->handles->tables[kind_of(handle)], index_of(handle));
    return one != NULL && tag_of(handle) == s->tag &&
                   atomic_load_explicit(&one->state, memory_order_relaxed) ==
                       (generation_of(handle) | ALIVE)
               ? one
               : NULL;
}

void ob_handle_retire(uint64_t handle) {
    const session *s = session_here();
    struct handles *own = s->handles;
    if (minted_there(handle) || ob_forked())
        return;
    pthread_mutex_lock(&own->lock);
    slot *one = slot_of(s, handle);
    if (one != NULL) {
        kind_table *table = &own->tables[kind_of(handle)];
        atomic_store(&one->state, (generation_of(handle) + 1) & (GENERATIONS - 1));
        one->next_free = table->first_free;
        table->first_free = index_of(handle);
    }
    pthread_mutex_unlock(&own->lock);
}

/* These have a kind and an index and nothing else. */
static bool is_reserved(const session *s, uint64_t handle) {
    return tag_of(handle) == 0 && !minted_there(handle) && generation_of(handle) == 0 &&
           index_of(handle) != 0 && index_of(handle) <= s->handles->reserved[kind_of(handle)];
}

bool ob_handle_formed(uint64_t number, uint64_t kinds) {
    const session *s = session_here();
    return number >> 47 == 0 && (kinds >> kind_of(number) & 1) != 0 &&
           (tag_of(number) == s->tag || is_reserved(s, number));
}

bool ob_handle_plausible(uint64_t handle, uint64_t kinds) {
    const session *s = session_here();
    if (ob_forked())
        return true; /* the call itself is refused, without the locks of the parent */
    return ob_handle_formed(handle, kinds) &&
           (minted_there(handle) || is_reserved(s, handle) || slot_of(s, handle) != NULL);
}
