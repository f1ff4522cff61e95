/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts, queues and events, and reads whose data are in their place when the program learns that
 * they are over.
 */
#ifndef OUTBOARD_OPENCL_EVENT_H
#define OUTBOARD_OPENCL_EVENT_H

#include "object/object.h"

/* ---- landing.c ------------------------------------------------------------------------------- */

/* Rows of the program's memory. */
typedef struct box {
    unsigned char *to;
    uint64_t row, rows, slices;         /* bytes, and how many */
    uint64_t row_pitch, slice_pitch;    /* bytes from one to the next */
} box;

static inline box flat_box(void *to, uint64_t bytes) {
    return (box){to, bytes, 1, 1, bytes, bytes};
}
static inline uint64_t box_bytes(const box *b) { return b->row * b->rows * b->slices; }
/* Between boxes of one shape. */
void box_copy(const box *to, const box *from);
/* The same bytes without gaps; NULL without memory. The caller's to free, unless it is the box
 * itself. */
const void *box_packed(const box *b);

/* After a transfer in bulk that failed: its later pieces are dropped. */
void bulk_drop(void *with, uint64_t transfer);

/* A number for the next read. */
uint64_t landing_number(void);
/* Waits for a read and puts what it has read in its place. */
int landing_fetch(uint64_t number, const box *to);
enum { MOST_UNLEARNT = 256 << 20 };     /* bytes of reads that the program has not learnt of */
/* As soon as the program learns that the read is over, its data are in their place. Where more than
 * that are expected, it waits. */
int landing_expect(uint64_t number, const box *to);
/* Forgets the read that is expected at that address; returns whether there was one. */
bool landing_forget(const void *to);
/* Puts in its place what has been read by now: the program has just learnt of something that is
 * over, by this result. Returns it, or what is to be said where the backend was lost before all had
 * come. */
int landings_arrive(int result);

#endif
