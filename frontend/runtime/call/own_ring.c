/* SPDX-License-Identifier: Apache-2.0
 *
 * Rings that a thread of the program has to itself, beside the first one, which all others share.
 * Its calls go there, and it reads their answers itself. A ring whose thread has ended is the next
 * thread's, and so is the number of the thread: what the old one sent comes before what the new one
 * sends, since both come through this ring.
 */
#include "call/call.h"

#include <stdlib.h>

struct own_ring {
    uint32_t index;             /* from 1 on */
    /* under the lock: */
    bool opened, taken;
    uint32_t number;            /* of the thread that has it, or had it last */
};

struct own_rings {
    pthread_mutex_t lock;
    uint32_t count;             /* further ones that the program wants */
    own_ring all[RING_LIMIT - 1];
};

/* The variable's value; 1 is the first ring alone. */
static uint32_t wanted(void) {
    const char *asked = getenv("OUTBOARD_RINGS");
    long rings = asked != NULL ? strtol(asked, NULL, 10) : 1;
    return rings < 1 ? 0 : rings > RING_LIMIT ? RING_LIMIT - 1 : (uint32_t)rings - 1;
}

bool own_rings_make(session *s) {
    struct own_rings *own = s->own_rings = session_part(sizeof *own);
    if (own == NULL)
        return false;
    pthread_mutex_init(&own->lock, NULL);
    own->count = wanted();
    for (uint32_t i = 0; i < RING_LIMIT - 1; i++)
        own->all[i].index = i + 1;
    return true;
}

/* What the backend tells of all calls, it tells over the first ring, behind no call of another. */
static bool may_have(const thread *t) {
    const session *s = t->session;
    return s->own_rings->count > 0 && s->shared && s->lasting == NULL && !s->logged && !s->traced &&
           t->public.number != 1 && !callback_runs_here();
}

static own_ring *take_free(struct own_rings *own) {
    own_ring *free_one = NULL;
    pthread_mutex_lock(&own->lock);
    for (uint32_t i = 0; i < own->count && free_one == NULL; i++)
        if (!own->all[i].taken)
            free_one = &own->all[i];
    if (free_one != NULL)
        free_one->taken = true;
    pthread_mutex_unlock(&own->lock);
    return free_one;
}

static void give_back(session *s, own_ring *its) {
    pthread_mutex_lock(&s->own_rings->lock);
    its->taken = false;
    pthread_mutex_unlock(&s->own_rings->lock);
}

/* From here on the order among rings matters. */
static bool open_ring(thread *t, own_ring *its) {
    uint64_t number = its->index - 1;
    if (!stream_further(t->session, its->index - 1))
        return false;
    send_in_order(t->session);
    const thread *answer = ask_backend(t->session, KIND_RING, &number, sizeof number);
    if (answer == NULL || answer->result != 0)
        return false;
    its->number = t->public.number;
    its->opened = true;
    return true;
}

void own_ring_seek(thread *t) {
    t->sought = true;
    own_ring *its = may_have(t) ? take_free(t->session->own_rings) : NULL;
    if (its == NULL)
        return;
    /* One that cannot be opened is nobody's. */
    if (!its->opened && !open_ring(t, its))
        return;
    thread_takes_number(t, its->number);
    t->ring = its;
}

void own_ring_leave(thread *t) {
    frame header = {
        .length = sizeof header, .kind = KIND_THREAD_END, .thread = t->public.number};
    own_ring_write(t, &(struct iovec){&header, sizeof header}, 1);
    give_back(t->session, t->ring);
}

uint32_t own_ring_index(const own_ring *its) { return its->index; }

bool own_ring_write(const thread *t, struct iovec *parts, int count) {
    while (count > 0) {
        size_t n = stream_write_further(t->session, t->ring->index - 1, parts, count);
        if (n == 0)
            return false;
        count = parts_drop(&parts, count, n);
    }
    return true;
}

size_t own_ring_read(const thread *t, void *to, size_t limit) {
    return stream_read_further(t->session, t->ring->index - 1, to, limit);
}
