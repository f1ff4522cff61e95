/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of a session, which all of the runtime asks for: opened by the first call, lost once,
 * never opened again. The folders above hand in their part of opening and losing it.
 */
#include "link/link.h"

#include <stdio.h>
#include <stdlib.h>

static session *first;
static _Atomic bool several;            /* spares every call a look at its thread's own memory */
static _Thread_local session *taken;
static _Atomic bool forked;

session *session_here(void) {
    session *mine = atomic_load_explicit(&several, memory_order_relaxed) ? taken : NULL;
    return mine != NULL ? mine : first;
}

void session_is_first(session *s) { first = s; }

void session_take(session *s) {
    if (s == session_here())
        return;
    atomic_store(&several, true);
    taken = s;
}

void *session_part(size_t bytes) {
    enum { LINE = 64 };
    void *zeros = NULL;
    if (posix_memalign(&zeros, LINE, bytes) != 0)
        return NULL;
    return memset(zeros, 0, bytes);
}

bool session_make_link(session *s, const session_duties *above) {
    s->carrier = NO_CARRIER;
    s->above = above;
    pthread_mutex_init(&s->loss_lock, NULL);
    return stream_make(s) && libraries_make(s);
}

static int state_now(const session *s) {
    return atomic_load_explicit(&session_root(s)->state, memory_order_acquire);
}

bool session_open(const session *s) { return state_now(s) == SESSION_OPEN; }

bool ob_forked(void) { return atomic_load_explicit(&forked, memory_order_relaxed); }

void session_forked(void) { atomic_store(&forked, true); }

/* The line is out before the first call fails, for that may end the program. The shutdown wakes who
 * waits for the backend. */
void session_lost(session *lost, const char *why) {
    session *s = session_root(lost);
    int cancellation;
    if (!session_open(s))
        return;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    pthread_mutex_lock(&s->loss_lock);
    if (session_open(s)) {
        /* Told goodbye, the backend closes, perhaps before this process has ended. */
        if (!atomic_load(&s->ending))
            ob_warn("the backend %s is lost: %s; every further call fails",
                    backend_name(&s->backend), why);
        atomic_store(&s->state, SESSION_LOST);
        stream_shutdown(s);
        s->above->lost(s);
    }
    pthread_mutex_unlock(&s->loss_lock);
    pthread_setcancelstate(cancellation, NULL);
}

void session_gone(char *said, size_t limit, const char *cause, const char *why) {
    snprintf(said, limit, "%s, and its session is gone: %s", cause, why);
}

int32_t session_ensure(session *s, const ob_library *library) {
    if (state_now(s) == SESSION_NEW) {
        ob_register(library);
        s->above->open(s);
    }
    switch (state_now(s)) {
    case SESSION_OPEN:
        if (!library->survives_fork && !atomic_load_explicit(&s->bound, memory_order_relaxed))
            atomic_store(&s->bound, true);
        return 0;
    case SESSION_FORKED:
        return library->not_initialized;
    default:
        return library->unavailable;
    }
}
