/* SPDX-License-Identifier: Apache-2.0
 *
 * Rings that a thread of the program has to itself, beside the first one, which all others share.
 * Its calls go there, and it reads their answers itself. A thread gets one once other threads have
 * been in its way: threads that take turns would only wait for each other's rings. Where
 * OUTBOARD_RINGS says how many there are, it gets one at once. A thread that finds none free goes
 * on in the first ring, and looks again later. A ring whose thread has ended is another thread's.
 */
#include "call/call.h"

#include <stdlib.h>

/* So many calls have met another thread before one looks for a ring, again and again if none is
 * free. */
enum { MEETINGS = 8 };

/* So long a thread sleeps before it looks at the first ring, where there was something to read the
 * last time, and where not. */
enum { BUSY_MS = 1, QUIET_MS = 250 };

struct own_ring {
    uint32_t index;             /* from 1 on */
    bool opened, taken;         /* under the lock */
};

struct own_rings {
    pthread_mutex_t lock;
    uint32_t count;             /* further ones that the program wants */
    bool at_once;               /* a thread has one from its first call on */
    own_ring all[RING_LIMIT - 1];
};

/* The variable's value, or all that there are; 1 is the first ring alone. */
static void ask_variable(struct own_rings *own) {
    const char *asked = secure_getenv("OUTBOARD_RINGS");
    long rings = asked != NULL ? strtol(asked, NULL, 10) : RING_LIMIT;
    own->count = rings < 1 ? 0 : rings > RING_LIMIT ? RING_LIMIT - 1 : (uint32_t)rings - 1;
    own->at_once = asked != NULL;
}

bool own_rings_make(session *s) {
    struct own_rings *own = s->own_rings = session_part(sizeof *own);
    if (own == NULL)
        return false;
    pthread_mutex_init(&own->lock, NULL);
    ask_variable(own);
    for (uint32_t i = 0; i < RING_LIMIT - 1; i++)
        own->all[i].index = i + 1;
    return true;
}

uint32_t own_ring_meetings(const session *s) { return s->own_rings->at_once ? MEETINGS : 0; }

void own_ring_met(thread *t) { t->met++; }

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

/* From here on the order among rings matters. */
static bool open_ring(const thread *t, own_ring *its) {
    uint64_t number = its->index - 1;
    if (!stream_further(t->session, its->index - 1))
        return false;
    send_in_order(t->session, its->index);
    const thread *answer = ask_backend(t->session, KIND_RING, &number, sizeof number);
    its->opened = answer != NULL && answer->result == 0;
    return its->opened;
}

void own_ring_seek(thread *t) {
    if (t->met < MEETINGS || t->ring != NULL)
        return;
    t->met = 0;
    own_ring *its = may_have(t) ? take_free(t->session->own_rings) : NULL;
    /* One that cannot be opened is nobody's. */
    if (its == NULL || (!its->opened && !open_ring(t, its)))
        return;
    order_moves(t->session, send_last_sequence(t->session));
    t->ring = its;
}

void own_ring_leave(thread *t) {
    if (t->ring == NULL)
        return;
    pthread_mutex_lock(&t->session->own_rings->lock);
    t->ring->taken = false;
    pthread_mutex_unlock(&t->session->own_rings->lock);
}

uint32_t own_ring_index(const own_ring *its) { return its->index; }

/* What a kernel prints comes through the first ring, and the device waits while that is full: a
 * thread that waits in its own ring reads there, too. Returns how long it may sleep then. */
static int look_at_first(session *s) {
    if (!stream_has_some(s))
        return QUIET_MS;
    receive_what_came(s);
    return BUSY_MS;
}

static bool write_all(const thread *t, struct iovec *parts, int count) {
    int nap_ms = QUIET_MS;
    while (count > 0) {
        size_t n = stream_write_further(t->session, t->ring->index - 1, parts, count, nap_ms);
        if (!session_open(t->session))
            return false;
        if (n == 0)
            nap_ms = look_at_first(t->session);
        count = parts_drop(&parts, count, n);
    }
    return true;
}

/* A thread that is cancelled within a frame would leave half of it to the ring's next owner. */
bool own_ring_write(const thread *t, struct iovec *parts, int count) {
    int cancellation;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    bool written = write_all(t, parts, count);
    pthread_setcancelstate(cancellation, NULL);
    return written;
}

size_t own_ring_read(const thread *t, void *to, size_t limit) {
    int nap_ms = QUIET_MS;
    while (session_open(t->session)) {
        size_t n = stream_read_further(t->session, t->ring->index - 1, to, limit, nap_ms);
        if (n > 0)
            return n;
        nap_ms = look_at_first(t->session);
    }
    return 0;
}
