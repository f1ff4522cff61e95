/* SPDX-License-Identifier: Apache-2.0
 *
 * Rings that a thread of the program has to itself, beside the first one, which all others share.
 * Where no memory is shared they are connections: own_line.c. Its calls go there, and it reads
 * their answers itself. A thread gets one once other threads have
 * been in its way: threads that take turns would only wait for each other's rings. Where
 * OUTBOARD_RINGS says how many there are, it gets one at once. A thread that finds none free goes
 * on in the first ring, and looks again later. A ring whose thread has ended is another thread's.
 */
#include "call/call.h"

#include <stdlib.h>

/* So many calls have met another thread before one looks for a ring, again and again if none is
 * free. */
enum { MEETINGS = 8 };

/* So often the watch looks for further connections. */
enum { WATCH_MS = 1000 };

/* So long a thread sleeps before it looks at the first ring, where there was something to read the
 * last time, and where not. */
enum { BUSY_MS = 1, QUIET_MS = 250 };

struct own_ring {
    uint32_t index;             /* from 1 on */
    bool opened, taken;         /* under the lock */
    _Atomic(session *) line;    /* the connection that it is, once there is one */
};

struct own_rings {
    pthread_mutex_t lock;
    uint32_t count;             /* further ones that the program wants */
    bool at_once;               /* a thread has one from its first call on */
    bool watched;               /* under the lock */
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

bool own_rings_wanted(const session *s) { return s->own_rings->count > 0; }

void own_ring_met(thread *t) { t->met++; }

/* Bytes that outlive a connection through memory have one ring. */
static bool can_be_several(const session *s) {
    return s->shared ? s->lasting == NULL : line_can_be(s);
}

/* What the backend tells of all calls, it tells over the first ring, behind no call of another. */
static bool may_have(const thread *t) {
    const session *s = t->session;
    return s->own_rings->count > 0 && can_be_several(s) && !s->logged && !s->traced &&
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

session *own_ring_way(const own_ring *its) { return atomic_load(&its->line); }

static int all_connections(session *s, session *all[RING_LIMIT]) {
    int count = 0;
    all[count++] = s;
    for (uint32_t i = 0; i < RING_LIMIT - 1; i++) {
        session *line = own_ring_way(&s->own_rings->all[i]);
        if (line != NULL)
            all[count++] = line;
    }
    return count;
}

/* The thread that has posted something may wait for nobody, while others wait for what was lost
 * with its connection. So whoever is not awaited is looked after here. */
static void *watch(void *of) {
    session *s = of, *all[RING_LIMIT];
    uint32_t generations[RING_LIMIT];
    bool ended[RING_LIMIT];
    while (session_open(s)) {
        int count = all_connections(s, all);
        for (int i = 0; i < count; i++)
            generations[i] = stream_generation(all[i]);
        stream_wait_for_ends(all, ended, count, WATCH_MS);
        for (int i = 0; i < count; i++)
            if (ended[i])
                stream_broken(all[i], generations[i], "it closed the connection");
    }
    return NULL;
}

void own_rings_suspect(session *s, uint32_t connections) {
    session *all[RING_LIMIT];
    int count = all_connections(s, all);
    for (int i = 0; i < count && count > 1; i++)
        if ((connections & 1u << all[i]->line) != 0)
            carrier_shutdown(all[i]->carrier);
}

static bool is_watched(session *s) {
    struct own_rings *own = s->own_rings;
    pthread_mutex_lock(&own->lock);
    own->watched = own->watched || ob_start_thread(NULL, watch, s);
    bool watched = own->watched;
    pthread_mutex_unlock(&own->lock);
    return watched;
}

static bool connect_line(session *s, own_ring *its) {
    session *line = line_open(s, its->index);
    atomic_store(&its->line, line);
    if (line != NULL && !session_open(s))
        carrier_shutdown(line->carrier);
    return line != NULL;
}

/* From here on the order among rings matters. */
static bool open_ring(const thread *t, own_ring *its) {
    session *s = t->session;
    uint64_t number = its->index - 1;
    if (s->shared ? !stream_further(s, its->index - 1) : !is_watched(s))
        return false;
    send_in_order(s, its->index);
    const thread *answer = ask_backend(s, KIND_RING, &number, sizeof number);
    its->opened = answer != NULL && answer->result == 0 && (s->shared || connect_line(s, its));
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
    session *line = own_ring_way(its);
    if (line != NULL)
        receive_for(line, t);
    order_moves(t->session, send_last_sequence(t->session));
    t->ring = its;
}

void own_ring_leave(thread *t) {
    if (t->ring == NULL)
        return;
    session *line = own_ring_way(t->ring);
    if (line != NULL)
        receive_for(line, NULL);
    pthread_mutex_lock(&t->session->own_rings->lock);
    t->ring->taken = false;
    pthread_mutex_unlock(&t->session->own_rings->lock);
}

uint32_t own_ring_index(const own_ring *its) { return its->index; }

static void each_line(const session *s, void (*does)(session *)) {
    for (uint32_t i = 0; i < RING_LIMIT - 1; i++) {
        session *line = own_ring_way(&s->own_rings->all[i]);
        if (line != NULL)
            does(line);
    }
}

static void shut_down(session *line) { carrier_shutdown(line->carrier); }

void own_rings_shutdown(session *s) { each_line(s, shut_down); }

void own_rings_end(session *s) { each_line(s, send_last); }

static void forget(session *line) { carrier_forget(&line->carrier); }

void own_rings_forget(session *s) { each_line(s, forget); }

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
