/* SPDX-License-Identifier: Apache-2.0
 *
 * A session that outlives its connection: PROTOCOL.md, "Resumption". The bytes that left stay here
 * until the backend says that it has them. When the connection breaks, the thread that sees it
 * makes another one, and all others wait for it: readers at `in`, writers at `repair`. The
 * descriptor keeps its number, so that nobody else has to know.
 */
#include "link/link.h"
#include "base/clock.h"
#include "link/kept.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    TELL_BYTES = 2 << 20,       /* the backend is told of so many bytes at the latest */
    /* room in what is kept that only such telling uses: both sides' may be full */
    SPARE = 4096,
    /* a try that began while the link was down ends in vain: it may not take long … */
    LEAST_CONNECT_MS = 200,
    /* … unless the link has become slow, which is found out as time goes by */
    MOST_CONNECT_MS = 2000,
    TRIES_WHILE_AWAY = 20,      /* at least so many, however long that is */
    /* in the time that a greeting may take one could connect so often */
    GREETINGS = 10,
    PAUSE_MS = 50,
};

struct lasting {
    pthread_mutex_t repair;     /* held while a connection is made */
    pthread_mutex_t in;         /* held while bytes are read and counted */
    pthread_mutex_t out;        /* held while bytes are sent and kept; never for long */
    pthread_cond_t room;        /* there is more in what is kept */
    _Atomic bool away;          /* set with `in` or `out` held: nothing is read or sent */
    _Atomic bool telling;       /* that one of the session's connections is lost, by its thread */
    _Atomic uint32_t generation; /* of the connection */
    _Atomic uint64_t taken;     /* bytes that have come */
    _Atomic uint64_t told;      /* so many of them the backend has been told of */
    kept kept;                  /* under `out` */
    resumption resumption;
};

bool lasting_begin(session *s, const resumption *how) {
    struct lasting *own = session_part(sizeof *own);
    if (own == NULL || !kept_make(&own->kept))
        return false;
    pthread_mutex_init(&own->repair, NULL);
    pthread_mutex_init(&own->in, NULL);
    pthread_mutex_init(&own->out, NULL);
    pthread_cond_init(&own->room, NULL);
    own->resumption = *how;
    s->lasting = own;
    return true;
}

bool lasting_begin_beside(session *line) {
    const struct lasting *first = line->of->lasting;
    if (first == NULL)
        return true;
    resumption own = {.seconds = first->resumption.seconds};
    memcpy(own.key, first->resumption.key, sizeof own.key);
    return lasting_begin(line, &own);
}

uint32_t lasting_generation(const session *s) {
    return s->lasting != NULL ? atomic_load(&s->lasting->generation) : 0;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

ssize_t lasting_receive(session *s, void *to, size_t limit) {
    struct lasting *own = s->lasting;
    pthread_mutex_lock(&own->in);
    errno = ECONNRESET;
    ssize_t n = atomic_load(&own->away) ? -1 : stream_take(s, to, limit);
    int error = errno;
    if (n > 0)
        atomic_store(&own->taken, atomic_load(&own->taken) + (uint64_t)n);
    pthread_mutex_unlock(&own->in);
    errno = error;
    return n;
}

/* Under `out`: sends what the last connection has not brought over; 0, or a negated error number.
 */
static ssize_t catch_up(session *s) {
    kept *all = &s->lasting->kept;
    ssize_t n = 1;
    while (all->unsent > 0 && n > 0) {
        struct iovec parts[2];
        n = stream_put(s, parts, kept_unsent(all, parts));
        all->unsent -= n > 0 ? (size_t)n : 0;
    }
    return n < 0 ? n : 0;
}

/* Under `out`. As a program ends there may be no room: nothing is sent again then. A ring keeps
 * what it holds. */
static ssize_t send_and_keep(session *s, struct iovec *parts, int count) {
    struct lasting *own = s->lasting;
    ssize_t n = catch_up(s);
    if (n < 0 || own->kept.unsent > 0)
        return n;
    n = stream_put(s, parts, count);
    if (n > 0 && !stream_in_memory(s))
        kept_add(&own->kept, parts,
                 (size_t)n < kept_room(&own->kept) ? (size_t)n : kept_room(&own->kept));
    return n;
}

ssize_t lasting_send(session *s, struct iovec *parts, int count) {
    struct lasting *own = s->lasting;
    pthread_mutex_lock(&own->out);
    ssize_t n = atomic_load(&own->away) ? -ECONNRESET : send_and_keep(s, parts, count);
    pthread_mutex_unlock(&own->out);
    return n;
}

/* ---- what either side has -------------------------------------------------------------------- */

uint64_t lasting_tell(session *s) {
    struct lasting *own = s->lasting;
    if (own == NULL)
        return 0;
    uint64_t taken = atomic_load_explicit(&own->taken, memory_order_relaxed);
    atomic_store_explicit(&own->told, taken, memory_order_relaxed);
    return taken;
}

bool lasting_owes(const session *s) {
    const struct lasting *own = s->lasting;
    return own != NULL && atomic_load_explicit(&own->taken, memory_order_relaxed) -
                                  atomic_load_explicit(&own->told, memory_order_relaxed) >=
                              TELL_BYTES;
}

bool lasting_acknowledged(session *s, uint64_t bytes) {
    struct lasting *own = s->lasting;
    if (own == NULL || stream_in_memory(s))
        return true;
    pthread_mutex_lock(&own->out);
    bool sent = kept_acknowledge(&own->kept, bytes);
    pthread_cond_signal(&own->room);
    pthread_mutex_unlock(&own->out);
    return sent;
}

bool lasting_has_room(session *s, size_t bytes) {
    struct lasting *own = s->lasting;
    if (own == NULL || stream_in_memory(s))
        return true;
    pthread_mutex_lock(&own->out);
    bool has = kept_room(&own->kept) >= bytes + SPARE;
    pthread_mutex_unlock(&own->out);
    return has;
}

void lasting_await_room(session *s, int milliseconds) {
    struct lasting *own = s->lasting;
    struct timespec until = wall_time_in(milliseconds);
    pthread_mutex_lock(&own->out);
    pthread_cond_timedwait(&own->room, &own->out, &until);
    pthread_mutex_unlock(&own->out);
}

/* ---- another connection, with `repair` held -------------------------------------------------- */

/* Memory that has stayed behind, as a guest moves, is never used again. */
static void leave_memory(session *s) {
    struct iovec parts[2];
    uint64_t all;
    size_t bytes = stream_leave_memory(s, parts, &all);
    kept_begin(&s->lasting->kept, all, parts, bytes);
}

/* Nobody reads, counts or sends once this returns. */
static void leave(session *s) {
    struct lasting *own = s->lasting;
    atomic_store(&own->away, true);
    carrier_shutdown(s->carrier);
    pthread_mutex_lock(&own->in);
    pthread_mutex_unlock(&own->in);
    pthread_mutex_lock(&own->out);
    pthread_mutex_unlock(&own->out);
    if (stream_in_memory(s))
        leave_memory(s);
}

/* Sends again what the backend lacks, beside whoever reads: the backend may be sending as much, and
 * either side has to read meanwhile. */
static void *send_again(void *of) {
    session *s = of;
    struct lasting *own = s->lasting;
    uint32_t generation = atomic_load(&own->generation);
    ssize_t n = 0;
    for (bool left = true; left && n == 0;) {
        pthread_mutex_lock(&own->out);
        bool mine = !atomic_load(&own->away) && generation == atomic_load(&own->generation);
        n = mine ? catch_up(s) : 0;
        left = mine && own->kept.unsent > 0;
        pthread_mutex_unlock(&own->out);
        if (left && n == 0)
            stream_wait(s, POLLOUT, -1);
    }
    if (n < 0)
        lasting_restore(s, generation, strerror((int)-n));
    return NULL;
}

static bool go_over(session *s, carrier *over, uint64_t has) {
    struct lasting *own = s->lasting;
    pthread_mutex_lock(&own->in);
    pthread_mutex_lock(&own->out);
    bool possible = kept_begin_again(&own->kept, has) && carrier_replace(s->carrier, over);
    if (possible) {
        atomic_fetch_add(&own->generation, 1);
        atomic_store(&own->away, false);
    }
    bool unsent = own->kept.unsent > 0;
    pthread_cond_signal(&own->room);
    pthread_mutex_unlock(&own->out);
    pthread_mutex_unlock(&own->in);
    if (possible)
        stream_in_rounds(s);
    if (possible && unsent && !ob_start_thread(NULL, send_again, s))
        send_again(s);
    return possible;
}

static int connecting_ms(uint64_t away_since) {
    uint64_t share = (now_ns() - away_since) / 1000000 / TRIES_WHILE_AWAY;
    return share < LEAST_CONNECT_MS  ? LEAST_CONNECT_MS
           : share > MOST_CONNECT_MS ? MOST_CONNECT_MS
                                     : (int)share;
}

static enum returned try_once(session *s, uint64_t away_since, char *why, size_t limit) {
    struct lasting *own = s->lasting;
    endpoint to = s->backend;
    uint64_t has = atomic_load(&own->taken);
    to.connect_ms = connecting_ms(away_since);
    carrier over = connect_to(&to, why, limit);
    if (!carrier_is_there(over))
        return RETURN_LATER;
    enum returned outcome =
        greet_return(s, &to, over, to.connect_ms * GREETINGS, &own->resumption, &has, why, limit);
    if (outcome == RETURNED && !go_over(s, &over, has)) {
        snprintf(why, limit,
                 has < own->kept.acknowledged
                     ? "it lacks what was sent"
                     : "another process, a clone of this one perhaps, goes on with it");
        outcome = RETURN_NEVER;
    }
    carrier_close(&over);
    return outcome;
}

static bool ending(const session *s) { return atomic_load(&session_root(s)->ending); }

static bool over(const session *s) { return !session_open(s) || ending(s); }

/* Of a session's connections that are lost at the same time one tells. */
static _Atomic bool *telling_of(const session *s) { return &session_root(s)->lasting->telling; }

static void mend(session *s, const char *cause) {
    uint32_t seconds = s->lasting->resumption.seconds;
    uint64_t begin = now_ns(), end = begin + seconds * (uint64_t)1000000000;
    char why[256] = "", said[320];
    const char *name = backend_name(&s->backend), *instead =
        stream_in_memory(s) ? "; bytes travel over it, and not through shared memory any more" : "";
    leave(s);
    enum returned outcome = try_once(s, begin, why, sizeof why);
    bool told = outcome == RETURN_LATER && !atomic_exchange(telling_of(s), true);
    if (told)
        ob_warn("the connection to %s is lost: %s; trying for %u s", name, cause,
                (unsigned)seconds);
    while (outcome == RETURN_LATER && now_ns() < end && !over(s)) {
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
        outcome = try_once(s, begin, why, sizeof why);
    }
    if (told)
        atomic_store(telling_of(s), false);
    session_gone(said, sizeof said, cause, why);
    if (outcome != RETURNED)
        session_lost(s, outcome == RETURN_NEVER ? said : cause);
    else if (told)
        ob_warn("the connection to %s is back%s", name, instead);
    else if (s->of == NULL)
        ob_warn("the connection to %s was lost (%s) and is back%s", name, cause, instead);
}

bool lasting_restore(session *s, uint32_t generation, const char *why) {
    struct lasting *own = s->lasting;
    int cancellation;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    pthread_mutex_lock(&own->repair);
    bool mine = generation == atomic_load(&own->generation) && session_open(s);
    if (mine && ending(s))
        session_lost(s, why);
    else if (mine)
        mend(s, why);
    pthread_mutex_unlock(&own->repair);
    if (mine && session_open(s))
        s->above->restored(s);
    pthread_setcancelstate(cancellation, NULL);
    return session_open(s);
}
