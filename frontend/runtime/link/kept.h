/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes that were sent and not acknowledged by the other side, to be sent again over the next
 * connection. One thread at a time.
 */
#ifndef OUTBOARD_KEPT_H
#define OUTBOARD_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

enum { KEPT_BYTES = 8 << 20 };  /* at most; a page costs memory once it has been written */

typedef struct kept {
    uint8_t *memory;
    size_t begin;           /* where the oldest byte is; round from there */
    size_t bytes;
    size_t unsent;          /* so many of the last ones are still to be sent over this connection */
    uint64_t acknowledged;  /* bytes from the session's first on that are kept no more */
} kept;

bool kept_make(kept *k);        /* false if memory ran out */
static inline size_t kept_room(const kept *k) { return KEPT_BYTES - k->bytes; }
/* Keeps the first `bytes` of the parts, for which there is room. */
void kept_add(kept *k, const struct iovec *parts, size_t bytes);
/* Begins with the last ones of so many that went another way. */
void kept_begin(kept *k, uint64_t all, const struct iovec *parts, size_t bytes);
/* The other side has so many bytes, counted from the first; false if so many were never sent. A
 * count that is known already is nothing new. */
bool kept_acknowledge(kept *k, uint64_t bytes);
/* A connection begins, whose other side has so many bytes; the rest is unsent. False if it cannot
 * go on from there. */
bool kept_begin_again(kept *k, uint64_t bytes);
/* Where the unsent bytes are; returns how many parts. */
int kept_unsent(const kept *k, struct iovec parts[2]);

#endif
