/* SPDX-License-Identifier: Apache-2.0
 *
 * How a side that sleeps is woken. It says in its word what it waits for, looks once more, and
 * sleeps while the word stays as it is; the other side changes the word and rings. How it sleeps,
 * and what rings, is the kind's.
 */
#ifndef OUTBOARD_DOORBELL_H
#define OUTBOARD_DOORBELL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct doorbell {
    const struct doorbell_kind *kind;
    _Atomic uint32_t *word;
    int fd;                     /* where the kind has one */
    /* a descriptor with something to read wakes too, where the kind looks at any; -1 for none */
    int beside;
    /* of the one that looks for all who sleep, where the kind has one */
    pthread_mutex_t *turn;
    void *by; /* what else the kind rings with */
} doorbell;

typedef struct doorbell_kind {
    /* Until it rings or the word is another one; false if time was up (-1: never is), or nobody is
     * left to ring. It may return too soon. */
    bool (*sleep)(const doorbell *bell, uint32_t word, int timeout_ms);
    /* Wakes all who sleep; the word has been changed. */
    void (*ring)(const doorbell *bell);
} doorbell_kind;

/* the word lies in memory that both sides map: futex(2) */
extern const doorbell_kind futex_doorbell;
void futex_doorbell_rest(const doorbell *bell, uint32_t word, uint32_t ns); /* the same by ns */
extern const doorbell_kind event_doorbell;  /* fd is an eventfd(2) that does not block */
/* No kernel serves both sides: a byte over `beside`, a socket that carries nothing else, wakes the
 * other one. The doorbell of this side is an event's, too, and has a turn. */
extern const doorbell_kind stream_doorbell;

static inline bool doorbell_sleep(const doorbell *bell, uint32_t word, int timeout_ms) {
    return bell->kind->sleep(bell, word, timeout_ms);
}

static inline void doorbell_ring(const doorbell *bell) { bell->kind->ring(bell); }

#endif
