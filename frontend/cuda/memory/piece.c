/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of memory whose pages travel. The pages are those of a file, which is mapped twice: at the
 * address, where they are protected, and somewhere else, where they are filled and sent from. So a
 * page holds all of its bytes before any thread may read it, and none changes while it is sent.
 */
#include "memory/piece.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

pieces all_pieces = {.lock = PTHREAD_MUTEX_INITIALIZER,
                     .unused = PTHREAD_COND_INITIALIZER,
                     .started = PTHREAD_COND_INITIALIZER};

uint64_t page_bytes(void) {
    static _Atomic uint64_t bytes;
    uint64_t known = atomic_load_explicit(&bytes, memory_order_relaxed);
    if (known == 0)
        atomic_store(&bytes, known = (uint64_t)sysconf(_SC_PAGESIZE));
    return known;
}

/* ---- protection, under the lock -------------------------------------------------------------- */

bool piece_protect(const piece *p, uint64_t first, uint64_t count, state as) {
    static const int access[] = {
        [AWAY] = PROT_NONE, [READABLE] = PROT_READ, [CHANGED] = PROT_READ | PROT_WRITE};
    return mprotect((void *)(uintptr_t)(p->base + first * page_bytes()), count * page_bytes(),
                    (as & CLOSED) != 0 ? PROT_NONE : access[as]) == 0;
}

bool piece_set(piece *p, uint64_t first, uint64_t count, state as) {
    bool stays = (as & CLOSED) != 0; /* as protected as it was away */
    if (!stays && !piece_protect(p, first, count, as)) {
        all_pieces.crowded = errno == ENOMEM;
        piece_protect(p, first, count, AWAY);
        return false;
    }
    memset(p->states + first, as, count);
    p->low = least(p->low, first);
    p->high = p->high > first + count ? p->high : first + count;
    return true;
}

/* How many pages from one on are alike, at most so many. */
uint64_t piece_alike(const piece *p, uint64_t first, uint64_t most) {
    uint64_t count = 1;
    while (count < most && p->states[first + count] == p->states[first])
        count++;
    return count;
}

uint64_t piece_bytes(const piece *p, uint64_t first, uint64_t count) {
    return least(count * page_bytes(), p->bytes - first * page_bytes());
}

piece **piece_place(uint64_t address) {
    piece **at = &all_pieces.first;
    while (*at != NULL &&
           (address < (*at)->base || address - (*at)->base >= (*at)->count * page_bytes()))
        at = &(*at)->next;
    return at;
}

bool pieces_are_here(void) {
    const piece *p = all_pieces.first;
    while (p != NULL && p->low >= p->high)
        p = p->next;
    return p != NULL;
}

/* ---- begin and end --------------------------------------------------------------------------- */

void piece_close_file(piece *p) {
    close(p->fresh);
    p->fresh = -1;
}

void piece_unmake(piece *p) {
    if (p->fresh >= 0)
        close(p->fresh);
    if (p->view != NULL)
        munmap(p->view, p->count * page_bytes());
    free(p->states);
    free(p->wrote);
    free(p);
}

/* A file, mapped somewhere. A child has none of it. */
static bool map_view(piece *p) {
    uint64_t whole = p->count * page_bytes();
    p->fresh = ob_sealed_file("outboard-pages", whole);
    void *view = p->fresh >= 0 ? mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED, p->fresh, 0)
                               : MAP_FAILED;
    if (view == MAP_FAILED)
        return false;
    p->view = view;
    madvise(view, whole, MADV_DONTFORK);
    return true;
}

/* The same file at the address, which stays reserved. */
bool piece_map(const piece *p, int access) {
    void *at = (void *)(uintptr_t)p->base;
    if (mmap(at, p->count * page_bytes(), access, MAP_SHARED | MAP_FIXED, p->fresh, 0) ==
        MAP_FAILED)
        return false;
    madvise(at, p->count * page_bytes(), MADV_DONTFORK);
    return true;
}

piece *piece_make(CUdeviceptr address, uint64_t bytes, CUcontext context) {
    piece *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    *p = (piece){.base = address,
                 .bytes = bytes,
                 .count = (bytes + page_bytes() - 1) / page_bytes(),
                 .fresh = -1,
                 .context = context};
    p->states = calloc(p->count, sizeof *p->states);
    p->wrote = calloc(p->count, sizeof *p->wrote);
    if (p->states != NULL && p->wrote != NULL && map_view(p))
        return p;
    piece_unmake(p);
    return NULL;
}
