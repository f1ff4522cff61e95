/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages of managed memory: the memory is the device's, and the program has pages of it at the same
 * address, while no work of a device may use them. One that is touched is fetched (fetch.c); before
 * work is asked for, those that the program has changed are sent, and all are given up. Memory that
 * no work has had yet is open as a whole, so that system calls may fill it.
 */
#include "memory/piece.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    FRESH_MOST = 64, /* descriptors for fresh memory */
    RELEARNED = 16,  /* turns, after which pages open to be read alone again */
};

static int fresh_ones;

/* of all addresses that ever were of such memory */
static _Atomic uint64_t lowest = UINT64_MAX, highest;

bool pages_may_have(const void *memory, uint64_t bytes) {
    uint64_t address = (uint64_t)(uintptr_t)memory;
    return address < atomic_load_explicit(&highest, memory_order_relaxed) &&
           address + bytes > atomic_load_explicit(&lowest, memory_order_relaxed);
}

/* ---- to the device, under the lock ----------------------------------------------------------- */

static void send_run(const piece *p, uint64_t first, uint64_t count, uint32_t flags) {
    uint64_t most = FETCHED_MOST / page_bytes();
    for (uint64_t at = first, now; at < first + count; at += now) {
        now = least(most, first + count - at);
        remote_outboardPagesStore(p->base + at * page_bytes(), p->view + at * page_bytes(),
                                  piece_bytes(p, at, now), flags);
    }
}

/* The program may write anywhere in fresh memory, also by system calls; what it has not touched is
 * a hole of the file. */
static void send_fresh(const piece *p, uint32_t flags) {
    off_t data = lseek(p->fresh, 0, SEEK_DATA);
    while (data >= 0) {
        off_t hole = lseek(p->fresh, data, SEEK_HOLE);
        send_run(p, (uint64_t)data / page_bytes(), (uint64_t)(hole - data) / page_bytes(), flags);
        data = lseek(p->fresh, hole, SEEK_DATA);
    }
}

/* Under the lock, as its callers are. */
static void end_freshness(piece *p) {
    if (p->fresh < 0)
        return;
    piece_close_file(p);
    fresh_ones--;
}

static void send_changed(const piece *p, uint32_t flags) {
    for (uint64_t at = p->low, now; at < p->high; at += now) {
        now = piece_alike(p, at, p->high - at);
        if (p->states[at] == CHANGED)
            send_run(p, at, now, flags);
    }
}

static bool is_open(const piece *p, uint64_t index) {
    return p->states[index] == READABLE || p->states[index] == CHANGED;
}

/* How many pages from one on are open, or are not. */
static uint64_t alike_open(const piece *p, uint64_t first) {
    uint64_t at = first + 1;
    while (at < p->high && is_open(p, at) == is_open(p, first))
        at++;
    return at - first;
}

/* Memory that was open as a whole says nothing about habits, nor do pages that nobody touched. */
static void note_habits(const piece *p, bool relearn) {
    if (p->fresh >= 0)
        return;
    for (uint64_t at = p->low, now; at < p->high; at += now) {
        now = alike_open(p, at);
        if (!is_open(p, at))
            continue;
        habits_add(p, (page_run){at, now});
        for (uint64_t i = at; i < at + now; i++)
            p->wrote[i] = p->states[i] == CHANGED && !relearn;
    }
}

static void note_all_habits(void) {
    static unsigned turns;
    habits_begin(FETCHED_MOST / page_bytes());
    bool relearn = ++turns % RELEARNED == 0;
    for (const piece *p = all_pieces.first; p != NULL; p = p->next)
        note_habits(p, relearn);
}

/* A thread that writes meanwhile waits for the lock, and then fetches the page that it has written
 * to. */
static void give_up(piece *p, uint32_t flags) {
    if (p->low >= p->high)
        return;
    piece_protect(p, p->low, p->high - p->low, AWAY);
    (p->fresh >= 0 ? send_fresh : send_changed)(p, flags);
    end_freshness(p);
    memset(p->states + p->low, AWAY, p->high - p->low);
    p->low = p->count;
    p->high = 0;
}

/* In the order of the lane. Data that another lane, or the end of a function of the program, could
 * overtake have arrived when this returns. That is told in no lane of a context, which would tell
 * it of errors that are the program's to see. */
void pages_give_up(bool arrives) {
    ob_thread *self = ob_self();
    uint32_t lane = self->lane;
    all_pieces.doubtful = false;
    if (!pieces_are_here())
        return;
    faults_catch();
    note_all_habits();
    all_pieces.came = 0;
    if (arrives)
        self->lane = 0;
    for (piece *p = all_pieces.first; p != NULL; p = p->next)
        give_up(p, arrives ? OB_ANSWER : 0);
    self->lane = lane;
}

/* ---- work of devices ------------------------------------------------------------------------- */

void pages_work_begins(void) {
    pthread_mutex_lock(&all_pieces.lock);
    all_pieces.starting++;
    all_pieces.epoch++;
    pages_give_up(contexts_are_several());
    pthread_mutex_unlock(&all_pieces.lock);
}

void pages_work_begun(void) {
    pthread_mutex_lock(&all_pieces.lock);
    all_pieces.starting--;
    all_pieces.epoch++;
    pthread_cond_broadcast(&all_pieces.started);
    if (all_pieces.doubtful)
        pages_give_up(contexts_are_several());
    pthread_mutex_unlock(&all_pieces.lock);
}

void pages_work_seen(void) {
    pthread_mutex_lock(&all_pieces.lock);
    if (all_pieces.doubtful)
        pages_give_up(contexts_are_several());
    pthread_mutex_unlock(&all_pieces.lock);
}

/* Work that needs them has been asked for long ago: behind a function of the program, or behind a
 * wait for what it writes. */
void pages_send(void) {
    pthread_mutex_lock(&all_pieces.lock);
    all_pieces.epoch++;
    pages_give_up(true);
    pthread_mutex_unlock(&all_pieces.lock);
}

void pages_await(int more) {
    pthread_mutex_lock(&all_pieces.lock);
    all_pieces.awaited += more;
    pthread_mutex_unlock(&all_pieces.lock);
}

bool pages_have(uint64_t address) {
    pthread_mutex_lock(&all_pieces.lock);
    bool have = *piece_place(address) != NULL;
    pthread_mutex_unlock(&all_pieces.lock);
    return have;
}

bool pages_changed(uint64_t address, void *word, size_t bytes) {
    pthread_mutex_lock(&all_pieces.lock);
    const piece *p = *piece_place(address);
    bool changed = p != NULL && p->states[(address - p->base) / page_bytes()] == CHANGED;
    if (changed)
        memcpy(word, p->view + (address - p->base), bytes);
    pthread_mutex_unlock(&all_pieces.lock);
    return changed;
}

/* ---- begin and end --------------------------------------------------------------------------- */

/* Under the lock. */
static state first_state(piece *p, bool zeros) {
    if (zeros && fresh_ones < FRESH_MOST && piece_protect(p, 0, p->count, CHANGED)) {
        fresh_ones++;
        return CHANGED;
    }
    piece_close_file(p);
    return zeros ? READABLE : AWAY;
}

/* Under the lock. */
static void add(piece *p, state are) {
    memset(p->states, are, p->count);
    p->low = are != AWAY ? 0 : p->count;
    p->high = are != AWAY ? p->count : 0;
    p->next = all_pieces.first;
    all_pieces.first = p;
    uint64_t low = least(atomic_load(&lowest), p->base), end = p->base + p->count * page_bytes();
    atomic_store(&lowest, low);
    if (end > atomic_load(&highest))
        atomic_store(&highest, end);
    work_watch(WATCHED_FOR_PAGES, true);
}

static void prepare(void) {
    ob_copy_where(pages_may_have);
    ob_callback_end_with(pages_send);
    faults_catch();
}

/* Its place is claimed for as long as it is there. */
static piece *make_claimed(CUdeviceptr address, uint64_t bytes, CUcontext context, bool zeros) {
    uint64_t pages = (bytes + page_bytes() - 1) / page_bytes();
    if (address % page_bytes() != 0 || !ob_claim(address, pages * page_bytes()))
        return NULL;
    piece *made = pager_start() ? piece_make(address, bytes, context) : NULL;
    if (made != NULL && piece_map(made, zeros ? PROT_READ : PROT_NONE))
        return made;
    if (made != NULL)
        piece_unmake(made);
    ob_unclaim(address);
    return NULL;
}

CUresult pages_begin(CUdeviceptr address, uint64_t bytes, CUcontext context, bool zeros) {
    piece *made = make_claimed(address, bytes, context, zeros);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    prepare();
    pthread_mutex_lock(&all_pieces.lock);
    add(made, first_state(made, zeros));
    pthread_mutex_unlock(&all_pieces.lock);
    return CUDA_SUCCESS;
}

/* Under the lock. A thread that writes meanwhile waits for the lock in the handler, and then
 * writes. */
static bool move_there(piece *p) {
    void *at = (void *)(uintptr_t)p->base;
    if (mprotect(at, p->count * page_bytes(), PROT_READ) != 0)
        return false;
    memcpy(p->view, at, p->count * page_bytes());
    return piece_map(p, PROT_READ | PROT_WRITE);
}

/* Under the lock, which pagers may have meanwhile. */
static void take_out(piece **at) {
    piece *ended = *at;
    *at = ended->next;
    ended->ended = true;
    habits_forget(ended);
    end_freshness(ended);
    while (ended->users > 0)
        pthread_cond_wait(&all_pieces.unused, &all_pieces.lock);
    work_watch(WATCHED_FOR_PAGES, all_pieces.first != NULL);
}

CUresult pages_adopt(void *memory, uint64_t bytes, CUcontext context) {
    piece *made = pager_start() ? piece_make((uint64_t)(uintptr_t)memory, bytes, context) : NULL;
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    prepare();
    pthread_mutex_lock(&all_pieces.lock);
    add(made, CHANGED);
    bool moved = move_there(made);
    piece_close_file(made);
    if (!moved) {
        piece_protect(made, 0, made->count, CHANGED);
        take_out(piece_place(made->base));
    }
    pthread_mutex_unlock(&all_pieces.lock);
    if (!moved)
        piece_unmake(made);
    return moved ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

void pages_end(CUdeviceptr address) {
    pthread_mutex_lock(&all_pieces.lock);
    piece **at = piece_place(address), *ended = *at;
    if (ended != NULL) {
        take_out(at);
        mmap((void *)(uintptr_t)ended->base, ended->count * page_bytes(), PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        ob_unclaim(ended->base);
    }
    pthread_mutex_unlock(&all_pieces.lock);
    if (ended != NULL)
        piece_unmake(ended);
}
