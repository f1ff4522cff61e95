/* SPDX-License-Identifier: Apache-2.0
 *
 * A backend that lies in every length, count, offset and address of every answer, for a library
 * under the sanitizers. One library a program, since libraries have functions of the same names.
 */
#ifndef OUTBOARD_LIES_H
#define OUTBOARD_LIES_H

#include "../fake.h"

/* A call that travels, and its signature, by which its arguments are made
 * (io.outboard.wire.CallText has the grammar). */
typedef struct probe {
    void (*call)(void);
    const char *signature;
} probe;

/* Of the library; generated from its stubs. */
extern const ob_library *const probed;
extern const probe probes[];
extern const size_t probe_count;

/* ---- program.c: what is the library's own ---------------------------------------------------- */

/* A program as people write them, which believes what it is told. */
void flow(void);
/* What stands for a handle of such a kind in a call. */
uint64_t handle_for(uint32_t kind);
/* The lies that have been found, each by itself, in a process that begins with begin_lies(). */
extern const test_case found[];
/* An honest answer to one of the calls without which a program does nothing; false for all others.
 */
bool honest(const char *name, uint8_t *fixed);

/* ---- lies.c ---------------------------------------------------------------------------------- */

/* The next answer to the call begins with these words, the fixed part first and then the parts'
 * bytes; what is not told is zeros. */
void tell_next(const char *call, const uint64_t words[4]);
/* The next call of that name fails. */
void tell_failure(const char *call, int32_t result);
/* Starts a backend that says what it has been told. */
void begin_lies(void);

/* ---- probes.c -------------------------------------------------------------------------------- */

/* Makes one of the calls. Each output has exactly the memory that it is said to have. */
void probe_any(void);

/* ---- numbers.c ------------------------------------------------------------------------------- */

void numbers_begin(uint64_t seed);  /* of this thread */
uint64_t any(uint64_t limit);       /* below it */
bool chance(unsigned int percent);
uint64_t strange(void);             /* a number from the edges of the types */

#endif
