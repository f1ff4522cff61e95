/* SPDX-License-Identifier: Apache-2.0
 *
 * For which call of the program a call travels, by its sequence: what the backend says later of its
 * sequences then belongs to the program's calls. The latest ones are kept; a place is used again by
 * the sequence that is so many later.
 */
#include "observe/observe.h"

#include <stdlib.h>

enum { PLACES = 1 << 20 };

typedef struct place {
    _Atomic uint64_t sequence;
    _Atomic uint64_t begun;
    _Atomic uint32_t number, flags;
} place;

_Atomic bool notes_wanted;
static _Atomic(place *) places;
static _Thread_local ob_note mine;

bool ob_notes(bool on) {
    place *had = atomic_load(&places);
    if (on && had == NULL) {
        place *made = calloc(PLACES, sizeof *made);
        if (made == NULL)
            return false;
        if (!atomic_compare_exchange_strong(&places, &had, made))
            free(made);
    }
    atomic_store(&notes_wanted, on);
    return true;
}

void ob_note_for(const ob_note *note) { mine = *note; }

void ob_note_copy(bool page_locked) {
    mine.flags = page_locked ? OB_NOTE_PAGE_LOCKED : OB_NOTE_PAGEABLE;
}

static place *place_of(uint64_t sequence) {
    place *all = atomic_load_explicit(&places, memory_order_acquire);
    return all == NULL ? NULL : &all[sequence % PLACES];
}

/* Whoever reads it meanwhile finds that it is not the one that it looks for. */
void note_sent(uint64_t sequence) {
    place *to = place_of(sequence);
    if (to == NULL)
        return;
    atomic_store(&to->sequence, 0);
    atomic_store_explicit(&to->begun, mine.begun, memory_order_relaxed);
    atomic_store_explicit(&to->number, mine.number, memory_order_relaxed);
    atomic_store_explicit(&to->flags, mine.flags, memory_order_relaxed);
    atomic_store(&to->sequence, sequence);
}

bool ob_noted(uint64_t sequence, ob_note *to) {
    const place *from = place_of(sequence);
    if (from == NULL || sequence == 0 || atomic_load(&from->sequence) != sequence)
        return false;
    *to = (ob_note){.number = atomic_load_explicit(&from->number, memory_order_relaxed),
                    .flags = atomic_load_explicit(&from->flags, memory_order_relaxed),
                    .begun = atomic_load_explicit(&from->begun, memory_order_relaxed)};
    return atomic_load(&from->sequence) == sequence;
}
