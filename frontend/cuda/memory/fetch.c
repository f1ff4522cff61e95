/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages that come: one that is touched is fetched, with those behind it and those that the program
 * had in its last turn; one that is here is opened. Nobody touches a page under the lock.
 */
#include "memory/piece.h"

#include <stdlib.h>

enum {
    /* bytes that come with one that is touched; twice as many when the next are … */
    FIRST_FETCHED = 64 << 10,
    FIRST_WRITTEN = 4096, /* … and so many may be written then */
};

/* How many pages from one on are taken together: twice as many as before if they come behind these.
 */
static uint64_t lengthen(streak *r, uint64_t index, uint64_t first) {
    uint64_t most = FETCHED_MOST / page_bytes();
    r->count = r->end == index && r->count > 0 ? least(r->count * 2, most)
                                               : (first + page_bytes() - 1) / page_bytes();
    r->end = index + r->count;
    return r->count;
}

/* ---- from the device ------------------------------------------------------------------------- */

/* Runs of pages that come with one call. */
typedef struct batch {
    int count;
    uint64_t bytes;
    uint64_t opened; /* pages of the first run that are open when they come */
    piece *of[HABITS_MOST + 1];
    page_run runs[HABITS_MOST + 1];
    CUdeviceptr addresses[HABITS_MOST + 1];
    uint64_t sizes[HABITS_MOST + 1];
} batch;

static void batch_begin(batch *b) {
    b->count = 0;
    b->bytes = 0;
}

static void batch_add(batch *b, piece *p, page_run run) {
    uint64_t bytes = run.count > 0 ? piece_bytes(p, run.first, run.count) : 0;
    if (bytes == 0 || b->bytes + bytes > FETCHED_MOST)
        return;
    b->of[b->count] = p;
    b->runs[b->count] = run;
    b->addresses[b->count] = p->base + run.first * page_bytes();
    b->sizes[b->count++] = bytes;
    b->bytes += bytes;
}

static CUresult load_from(const batch *b, CUcontext waited, uint8_t *room) {
    return remote_outboardPagesLoad(room, b->bytes, b->addresses, b->sizes, b->count, waited,
                                    waited != NULL ? OB_ORDERED : 0);
}

static void await_context(const piece *p, CUcontext context, uint8_t *room) {
    batch one;
    batch_begin(&one);
    batch_add(&one, (piece *)(uintptr_t)p, (page_run){0, 1});
    load_from(&one, context, room);
}

/* Behind all work of all contexts, unless a function of the program runs, or a stream waits for a
 * word of the program's: the work is behind that. */
static CUresult load(const batch *b, const piece *p, bool waits, uint8_t *room) {
    if (waits && (contexts_are_several() || p->context == NULL))
        for (uint32_t i = 0; i < CONTEXT_LIMIT; i++) {
            CUcontext other = context_at(i);
            if (other != NULL && other != p->context)
                await_context(p, other, room);
        }
    return load_from(b, waits ? p->context : NULL, room);
}

/* How many pages from one on the program used alike when it had them. */
static uint64_t alike_before(const piece *p, uint64_t first, uint64_t most) {
    uint64_t count = 1;
    while (count < most && p->wrote[first + count] == p->wrote[first])
        count++;
    return count;
}

/* Under the lock: those that are still away. They open, or will open, as the program used them. */
static bool fill(piece *p, page_run run, const uint8_t *room, int closed) {
    bool open = true;
    for (uint64_t at = run.first, now, end = run.first + run.count; at < end && open; at += now) {
        now = alike_before(p, at, piece_alike(p, at, end - at));
        if (p->states[at] != AWAY)
            continue;
        memcpy(p->view + at * page_bytes(), room + (at - run.first) * page_bytes(),
               piece_bytes(p, at, now));
        open = piece_set(p, at, now, (state)((p->wrote[at] ? CHANGED : READABLE) | closed));
    }
    return open;
}

static bool say_lost(const piece *p, uint64_t index, CUresult result) {
    ob_warn("managed memory at 0x%llx cannot be fetched: error %d",
            (unsigned long long)(p->base + index * page_bytes()), (int)result);
    return false;
}

/* Under the lock. A call that asks for work has it begin at any moment, and then no page may be
 * here. The thread that makes the call, and a function of the program for which it may wait, cannot
 * wait for it. */
static void await_calls(who asks) {
    while (all_pieces.starting > 0 && asks == FROM_PROGRAM)
        pthread_cond_wait(&all_pieces.started, &all_pieces.lock);
}

/* The page that is touched and some behind it, as many as touches that follow each other ask for.
 */
static page_run run_from(piece *p, uint64_t index) {
    uint64_t count = least(lengthen(&p->fetched, index, FIRST_FETCHED), p->count - index);
    count = piece_alike(p, index, count);
    p->fetched.end = index + count;
    return (page_run){index, count};
}

/* Of a run, from a page on those that are away. */
static page_run rest_of(const piece *p, page_run run, uint64_t index) {
    return (page_run){index, piece_alike(p, index, run.first + run.count - index)};
}

/* Of a run, the first pages that are away; none is a count of 0. */
static page_run missing(const piece *p, page_run run) {
    uint64_t end = run.first + run.count, at = run.first;
    while (at < end && p->states[at] != AWAY)
        at++;
    return (page_run){at, at < end ? piece_alike(p, at, end - at) : 0};
}

static bool is_streak(const streak *r) { return r->count > FIRST_FETCHED / page_bytes(); }

/* The page that is touched comes with what the program had in its last turn, and with some behind
 * it. Of these none is open, so that only what is touched counts as a habit; unless touches follow
 * each other, or are too many for habits. */
static void gather(batch *b, piece *p, uint64_t index, who asks) {
    const habit *own = habit_of(p, index), *one;
    batch_begin(b);
    batch_add(b, p, own != NULL ? rest_of(p, own->run, index) : run_from(p, index));
    bool opens = own != NULL || is_streak(&p->fetched) || all_pieces.came > FETCHED_MOST;
    b->opened = opens ? b->runs[0].count : 1;
    for (int i = 0; asks == FROM_PROGRAM && (one = habit_at(i)) != NULL; i++) {
        piece *other = (piece *)(uintptr_t)one->of;
        if (other != NULL && one != own && other->context == p->context)
            batch_add(b, other, missing(other, one->run));
    }
}

static void use_all(const batch *b, int more) {
    for (int i = 0; i < b->count; i++)
        b->of[i]->users += more;
    pthread_cond_broadcast(&all_pieces.unused);
}

/* Under the lock. */
static bool fill_first(const batch *b, const uint8_t *room) {
    page_run open = {b->runs[0].first, b->opened},
             closed = {open.first + open.count, b->runs[0].count - open.count};
    return fill(b->of[0], open, room, 0) &&
           fill(b->of[0], closed, room + open.count * page_bytes(), CLOSED);
}

/* Under the lock. */
static bool fill_all(const batch *b, const uint8_t *room) {
    bool filled = b->of[0]->ended || fill_first(b, room);
    for (int i = 1; i < b->count && filled; i++) {
        room += b->sizes[i - 1];
        filled = b->of[i]->ended || fill(b->of[i], b->runs[i], room, CLOSED);
    }
    return filled;
}

/* Under the lock, which work can have meanwhile. */
static CUresult load_unlocked(const batch *b, const piece *p, bool waits, uint8_t *room) {
    use_all(b, 1);
    pthread_mutex_unlock(&all_pieces.lock);
    CUresult result = load(b, p, waits, room);
    pthread_mutex_lock(&all_pieces.lock);
    use_all(b, -1);
    return result;
}

/* Under the lock. What should come along may end at the backend meanwhile, as a library's variable
 * does; then the page comes alone. */
static CUresult load_all_or_first(batch *b, const piece *p, bool waits, uint8_t *room) {
    CUresult result = load_unlocked(b, p, waits, room);
    if (result == CUDA_SUCCESS || b->count == 1)
        return result;
    b->count = 1;
    b->bytes = b->sizes[0];
    return load_unlocked(b, p, waits, room);
}

/* Under the lock; false if the page cannot be had. */
static bool fetch(piece *p, uint64_t index, who asks, uint8_t *room) {
    batch b;
    while (p->states[index] == AWAY && !p->ended) {
        bool waits = asks != FROM_FUNCTION && all_pieces.awaited == 0;
        uint64_t before = all_pieces.epoch;
        gather(&b, p, index, asks);
        CUresult result = load_all_or_first(&b, p, waits, room);
        if (result != CUDA_SUCCESS)
            return say_lost(p, index, result);
        if (all_pieces.epoch != before) {
            await_calls(asks);
            continue;
        }
        all_pieces.doubtful = all_pieces.doubtful || all_pieces.starting > 0 || !waits;
        all_pieces.came += b.bytes;
        if (!fill_all(&b, room))
            return false;
    }
    return !p->ended;
}

/* Those behind it that can be read may be written too if they are touched one behind the other. */
static bool open_to_writes(piece *p, uint64_t index) {
    uint64_t count =
        piece_alike(p, index, least(lengthen(&p->written, index, FIRST_WRITTEN), p->count - index));
    p->written.end = index + count;
    return piece_set(p, index, count, CHANGED);
}

/* Those of the last turn open together. */
static bool open_closed(piece *p, uint64_t index) {
    state as = (state)(p->states[index] & ~CLOSED);
    return piece_set(p, index, piece_alike(p, index, p->count - index), as);
}

/* One that is here. If nothing is to be done, then the program has protected it, which the memory's
 * own use undoes. */
static bool open_page(piece *p, uint64_t index, bool writes) {
    if ((p->states[index] & CLOSED) != 0 && !open_closed(p, index))
        return false;
    if (writes && p->states[index] == READABLE)
        return open_to_writes(p, index);
    return piece_protect(p, index, 1, (state)p->states[index]);
}

static bool serve(piece *p, uint64_t index, touch how, who asks, uint8_t *room) {
    await_calls(asks);
    bool was_away = p->states[index] == AWAY,
         writes = how == TOUCH_WRITES || (how == TOUCH_UNKNOWN && !was_away);
    if (was_away && !fetch(p, index, asks, room))
        return false;
    return !p->ended && open_page(p, index, writes);
}

/* Under the lock: pages that are all away are one mapping. The touch comes again. */
static bool make_room(void) {
    if (!all_pieces.crowded || !pieces_are_here())
        return false;
    all_pieces.epoch++;
    pages_give_up(true);
    return true;
}

bool pages_serve(uint64_t address, touch how, who asks, uint8_t *room) {
    bool served = false;
    pthread_mutex_lock(&all_pieces.lock);
    piece *p = *piece_place(address);
    if (p != NULL) {
        p->users++;
        all_pieces.crowded = false;
        served = serve(p, (address - p->base) / page_bytes(), how, asks, room) || make_room();
        p->users--;
        pthread_cond_broadcast(&all_pieces.unused);
    }
    pthread_mutex_unlock(&all_pieces.lock);
    return served;
}

bool pages_open(uint64_t address, touch how) {
    bool opened = false;
    pthread_mutex_lock(&all_pieces.lock);
    piece *p = *piece_place(address);
    uint64_t index = p != NULL ? (address - p->base) / page_bytes() : 0;
    if (p != NULL && all_pieces.starting == 0 && p->states[index] != AWAY)
        opened = open_page(p, index, how != TOUCH_READS);
    pthread_mutex_unlock(&all_pieces.lock);
    return opened;
}
