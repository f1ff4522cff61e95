/* SPDX-License-Identifier: Apache-2.0
 *
 * A piece of memory whose pages travel, and what is known of all pieces: between the files that
 * send pages and have them come.
 */
#ifndef OUTBOARD_CUDA_PIECE_H
#define OUTBOARD_CUDA_PIECE_H

#include "memory/memory.h"

#include <pthread.h>

#pragma GCC visibility push(hidden)

/* A page is away; as on the device, and can be read; or changed by the program, and can be written.
 */
typedef enum state { AWAY, READABLE, CHANGED } state;
enum { CLOSED = 4 }; /* with the others: it is here, and is so once touched */

/* Touches one behind the other, in pages. */
typedef struct streak {
    uint64_t end, count;
} streak;

typedef struct piece {
    struct piece *next;
    uint64_t base, bytes;
    uint8_t *view; /* the same pages, always open to this file */
    uint8_t *states;
    bool *wrote; /* the program did when it had the page last */
    uint64_t count;
    uint64_t low, high; /* pages that are not away lie in between */
    streak fetched, written;
    int fresh; /* the file of one that no work has had yet; else -1 */
    CUcontext context;
    int users; /* pagers, which do not always have the lock */
    bool ended;
} piece;

typedef struct pieces {
    pthread_mutex_t lock; /* of all that follows, and of all pieces */
    pthread_cond_t unused, started;
    piece *first;
    uint64_t epoch; /* counts work that is asked for */
    int starting;   /* calls that ask for work now */
    int awaited;    /* words of the program's for which streams wait */
    bool doubtful;  /* some pages came while work may have been under way */
    uint64_t came;  /* bytes since all were given up */
    /* Each run of pages that are alike is a mapping, of which a process may have so many
     * (vm.max_map_count). */
    bool crowded;
} pieces;

extern pieces all_pieces;

static inline uint64_t least(uint64_t one, uint64_t other) { return one < other ? one : other; }

/* ---- piece.c --------------------------------------------------------------------------------- */

uint64_t page_bytes(void);
/* Pages at an address that are all away; NULL if memory or descriptors ran out. */
piece *piece_make(CUdeviceptr address, uint64_t bytes, CUcontext context);
void piece_unmake(piece *p);
bool piece_map(const piece *p, int access); /* its file, at its address */
void piece_close_file(piece *p);

/* Under the lock, as those that follow: of so many pages from one on. */
bool piece_protect(const piece *p, uint64_t first, uint64_t count, state as);
/* One that was away may be closed. */
bool piece_set(piece *p, uint64_t first, uint64_t count, state as);
uint64_t piece_bytes(const piece *p, uint64_t first, uint64_t count);
/* How many are alike, at most so many. */
uint64_t piece_alike(const piece *p, uint64_t first, uint64_t most);
piece **piece_place(uint64_t address); /* where the one with this address is; NULL there */
bool pieces_are_here(void);            /* any page of any */

/* ---- pages.c --------------------------------------------------------------------------------- */

/* Changed pages go to the device, in the order of the lane, and all are away. Data that another
 * lane, or the end of a function of the program, could overtake have arrived when this returns. */
void pages_give_up(bool arrives);

#pragma GCC visibility pop

#endif
