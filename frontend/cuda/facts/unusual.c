/* SPDX-License-Identifier: Apache-2.0
 *
 * What is not as usual in this process. In the usual case a call asks one word and goes on.
 */
#include "facts/facts.h"

_Atomic uint32_t cuda_unusual = UNUSUAL_BEFORE;

void unusual_begins(uint32_t what) { atomic_fetch_or(&cuda_unusual, what); }

void unusual_ends(uint32_t what) { atomic_fetch_and(&cuda_unusual, ~what); }

bool unusual_is(uint32_t what) { return (atomic_load(&cuda_unusual) & what) != 0; }

static _Atomic(void (*)(void)) gives_back;

void unusual_give_back_with(void (*all)(void)) { atomic_store(&gives_back, all); }

void unusual_give_back(void) { atomic_load(&gives_back)(); }

void cuda_note_callback(void) {
    if ((atomic_load_explicit(&cuda_unusual, memory_order_relaxed) & UNUSUAL_CALLBACKS) == 0)
        unusual_begins(UNUSUAL_CALLBACKS);
}
