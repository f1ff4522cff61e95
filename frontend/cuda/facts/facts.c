/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about handles that never change. A handle is never used again for something else while its
 * generation lasts, so an entry stays; readers take no lock.
 */
#include "facts/facts.h"

#include <stdlib.h>

struct known_entry {
    known_entry *next;
    uint64_t handle;
    uint64_t fact[];
};

/* Indexes of handles are dense. */
static size_t bucket(uint64_t handle) {
    return handle % (sizeof((known_table *)0)->heads / sizeof(known_entry *));
}

static const void *search(const known_entry *one, uint64_t handle) {
    while (one != NULL && one->handle != handle)
        one = one->next;
    return one != NULL ? one->fact : NULL;
}

const void *known_find(const known_table *table, uint64_t handle) {
    return search(atomic_load_explicit(&table->heads[bucket(handle)], memory_order_acquire),
                  handle);
}

const void *known_keep(known_table *table, uint64_t handle, const void *fact, size_t bytes) {
    _Atomic(known_entry *) *head = &table->heads[bucket(handle)];
    known_entry *one = malloc(sizeof *one + bytes);
    if (one == NULL)
        return NULL;
    one->handle = handle;
    memcpy(one->fact, fact, bytes);
    one->next = atomic_load(head);
    do {
        const void *there = search(one->next, handle);
        if (there != NULL) {
            free(one);
            return there;
        }
    } while (!atomic_compare_exchange_weak(head, &one->next, one));
    return one->fact;
}
