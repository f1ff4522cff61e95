/* SPDX-License-Identifier: Apache-2.0
 *
 * The ground of the runtime: the oldest symbols, words for people, threads, digests. Knows of no
 * session.
 */
#ifndef OUTBOARD_RUNTIME_BASE_H
#define OUTBOARD_RUNTIME_BASE_H

#include "base/glibc.h"
#include "outboard.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- log.c ----------------------------------------------------------------------------------- */

/* Replaces what a terminal would obey: the text is the backend's. */
void make_printable(char *text, size_t bytes);

/* Waits where there is no room, also if the descriptor itself does not; false if it breaks. */
bool write_whole(int fd, const char *text, size_t bytes);

/* Whether the user asks for words about what happens (OUTBOARD_VERBOSE=1). */
bool is_verbose(void);

/* Whether he wants no line at all, neither ours nor the backend's (OUTBOARD_QUIET=1). */
bool is_quiet(void);

/* ---- random.c -------------------------------------------------------------------------------- */

/* Numbers that nobody can guess; false if the system has none. */
bool random_bytes(uint8_t *to, size_t bytes);

/* ---- sha256.c, sha256_blocks.c --------------------------------------------------------------- */

typedef struct part {
    const void *data;
    size_t bytes;
} part;

void sha256(const part parts[], int count, uint8_t out[32]);
/* Goes on from a state with whole blocks of 64 bytes; on any processor, or with what this one has
 * for it. */
void sha256_blocks_anywhere(uint32_t h[8], const uint8_t *from, size_t blocks);
void sha256_blocks(uint32_t h[8], const uint8_t *from, size_t blocks);
void hmac_sha256(part key, const part parts[], int count, uint8_t out[32]);

#endif
