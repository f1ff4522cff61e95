/* SPDX-License-Identifier: Apache-2.0
 *
 * The checks of a function before its arguments: nvml/entries.tsv says which are of use before the
 * library is initialised.
 */
#include "entry.h"

#include <pthread.h>

enum { UNUSUAL_BEFORE = 1 };

_Atomic uint32_t nvml_unusual = UNUSUAL_BEFORE;

void nvml_begins(void) { atomic_fetch_and(&nvml_unusual, ~(uint32_t)UNUSUAL_BEFORE); }

void nvml_ends(void) { atomic_fetch_or(&nvml_unusual, UNUSUAL_BEFORE); }

int32_t nvml_enter(uint32_t entry, const void *stream) {
    (void)stream;
    bool before = (atomic_load(&nvml_unusual) & UNUSUAL_BEFORE) != 0;
    return before ? (int32_t)(entry & OB_ENTRY_BEFORE) : 0;
}

/* A forked child is a client of its own, which has initialised nothing. */
__attribute__((constructor)) static void register_library(void) {
    ob_register(&ob_nvml);
    pthread_atfork(NULL, NULL, nvml_ends);
}
