/* SPDX-License-Identifier: Apache-2.0
 *
 * How programs find the functions of the library: by name, and in tables.
 */
#ifndef OUTBOARD_CUDA_ENTRY_H
#define OUTBOARD_CUDA_ENTRY_H

#include "image/image.h"

#pragma GCC visibility push(hidden)

/* ---- integrity.c ----------------------------------------------------------------------------- */

/* HMAC-MD2 (RFC 2104 over RFC 1319); the key is one block long. */
void hmac_md2(const uint8_t key[16], const uint8_t *message, size_t bytes, uint8_t digest[16]);

/* ---- older.c --------------------------------------------------------------------------------- */

/* Says once, if the program has loaded a runtime that is older than any that was tried. */
void older_runtime_say(void);

/* ---- tables.c -------------------------------------------------------------------------------- */

const void *export_table(const uint8_t id[16]); /* NULL if there is none */

#pragma GCC visibility pop

#endif
