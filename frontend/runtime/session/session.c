/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes, opens and ends sessions, and gives up what a forked child has of its parent's: all that
 * takes every part of the runtime.
 */
#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(session *) sessions;

static int state_now(const session *s) {
    return atomic_load_explicit(&s->state, memory_order_acquire);
}

/* ---- making ---------------------------------------------------------------------------------- */

static void open_once(session *s);

static void lost(session *s) {
    bulk_shutdown(s);
    own_rings_shutdown(s);
}

/* The backend believes in the connection once something comes over it. */
static void restored(session *s) {
    send_pong(s);
    if (s->of == NULL)
        bulk_restored(s);
}

static bool make_parts(session *s) {
    static const session_duties duties = {open_once, lost, restored, own_rings_suspect,
                                           bulk_lost};
    return session_make_link(s, &duties) && trace_make(s) && call_log_make(s) && send_make(s) &&
           receive_make(s) && threads_make(s) && order_make(s) &&
           own_rings_make(s) && handles_make(s) && callbacks_make(s) &&
           join_make(s) && cache_make(s) && bulk_make(s);
}

/* One after the other, so that no two of a process have the same before there are as many as tags;
 * and not the same in the next process. A handle is then a number from 2 to 32 TiB, where a process
 * has neither its own memory nor a device's: no pointer of a program's looks like one of them. */
static uint64_t next_tag(void) {
    enum { TAGS = 15 };
    static _Atomic uint32_t made;
    /* a child that has not begun counts on from it: its number would give a session the first one's
     * tag now and then */
    static uint32_t first;
    uint32_t count = atomic_fetch_add(&made, 1);
    if (count == 0)
        first = (uint32_t)getpid();
    return 1 + (first + count) % TAGS;
}

/* A process in which there is no memory for one, as it starts, has not begun yet. */
session *session_make(const char *uri) {
    session *s = session_part(sizeof *s);
    if (s == NULL || !make_parts(s)) {
        ob_warn("out of memory");
        abort();
    }
    s->tag = next_tag();
    snprintf(s->backend.uri, sizeof s->backend.uri, "%s", uri);
    s->next = atomic_load(&sessions);
    while (!atomic_compare_exchange_weak(&sessions, &s->next, s))
        continue;
    return s;
}

/* Constructors of libraries run later: they need this one. */
__attribute__((constructor)) static void begin(void) { session_is_first(session_make("")); }

/* ---- forks ----------------------------------------------------------------------------------- */

/* The parent's connection is the parent's: the child only closes its copy. Returns whether a
 * library was used that it may not use. */
static bool leave_to_parent(session *s) {
    carrier_forget(&s->carrier);
    bulk_forget(s);
    own_rings_forget(s);
    atomic_store(&s->state, s->opened ? SESSION_FORKED : SESSION_NEW);
    return s->opened && atomic_load(&s->bound);
}

/* The parent's records are given up, and not freed: another of its threads may have been at work on
 * them. */
static void give_up(session *s) {
    trace_forget(s);
    call_log_forget(s);
    threads_forget(s);
}

/*
 * Where no session was open, or every library that was used may be used anew, the child is a client
 * of its own. Other threads are not in the child: their locks are nobody's.
 */
static void in_child(void) {
    bool opened = false, bound = false;
    open_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    for (session *s = atomic_load(&sessions); s != NULL; s = s->next) {
        opened = opened || s->opened;
        bound = leave_to_parent(s) || bound;
    }
    if (bound)
        session_forked();
    if (!opened || bound)
        return;
    for (session *s = atomic_load(&sessions); s != NULL; s = s->next)
        give_up(s);
    libraries_forget();
    atomic_store(&sessions, NULL);
    session_is_first(session_make(""));
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

/* ---- opening --------------------------------------------------------------------------------- */

static void warn_unusable(const char *uri, const char *place, const char *why) {
    ob_warn("cannot use the backend %s (from %s): %s; 'outboard run --on URI' or OUTBOARD names "
            "another",
            uri, place, why);
}

/* Of several addresses of a host each may be late. */
static void warn_late(const endpoint *to) {
    static bool said;
    if (!said)
        ob_warn("the backend %s (from %s) has not answered for %s: is it there, and a "
                "backend of Outboard? This program waits for it; "
                "'outboard run --on URI' or OUTBOARD names another",
                to->uri, to->found, answer_expected.words);
    said = true;
}

static bool connect_and_greet(session *s, const endpoint *to, char *why, size_t limit) {
    s->carrier = to->fd >= 0 ? (carrier){.fd = to->fd} : connect_to(to, why, limit);
    if (!carrier_is_there(s->carrier))
        return false;
    resumption how = {0};
    s->distant = communicator_of(to)->distance != OB_SAME_MACHINE;
    if (greet(s, to, s->carrier, &how, why, limit) &&
        (how.seconds == 0 ? farewell_begin(s, &how) : lasting_begin(s, &how)))
        return true;
    carrier_close(&s->carrier);
    return false;
}

static bool choose_backend(const session *s, endpoint *to) {
    if (s->backend.uri[0] == '\0')
        return find_backend(to);
    memcpy(to->uri, s->backend.uri, sizeof to->uri);
    snprintf(to->found, sizeof to->found, "the program");
    to->fd = -1;
    return true;
}

static bool open_session(session *s) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    endpoint to = {.late = warn_late};
    char why[512] = "";
    pthread_once(&once, watch_forks);
    if (!choose_backend(s, &to)) {
        ob_say_no_backend();
        return false;
    }
    call_log_begin(s);
    if (!connect_and_greet(s, &to, why, sizeof why)) {
        warn_unusable(to.uri, to.found, why);
        return false;
    }
    const char *synchronous = secure_getenv("OUTBOARD_SYNC");
    s->synchronous = synchronous != NULL && strcmp(synchronous, "1") == 0;
    s->passes = communicator_of(&to)->passes;
    stream_begin(s);
    if (s->distant)
        stream_in_rounds(s);
    s->backend = to;
    s->backend.fd = -1;
    s->backend.late = NULL;
    s->opened = true;
    return true;
}

/* Has the backend send the records that it holds, and tell its time. */
static bool ask_time(session *s, uint64_t *time) {
    const thread *t = ask_backend(s, KIND_TRACE, NULL, 0);
    if (t == NULL || t->reply_bytes < sizeof *time)
        return false;
    memcpy(time, t->reply, sizeof *time);
    return true;
}

static _Atomic bool process_ends;

static void note_end_of_process(void) { atomic_store(&process_ends, true); }

bool ob_process_ends(void) { return atomic_load(&process_ends); }

static void watch_for_end_of_process(void) {
    static bool watched;
    watched = watched || atexit(note_end_of_process) == 0;
}

static void open_locked(session *s) {
    watch_for_end_of_process();
    if (!open_session(s)) {
        atomic_store(&s->state, SESSION_LOST);
        return;
    }
    atomic_store(&s->state, SESSION_OPEN);
    pointers_watch();
    trace_begin(s, ask_time);
}

static void open_once(session *s) {
    if (state_now(s) != SESSION_NEW)
        return;
    pthread_mutex_lock(&open_lock);
    if (state_now(s) == SESSION_NEW)
        open_locked(s);
    pthread_mutex_unlock(&open_lock);
}

bool ob_connect(void) {
    session *s = session_here();
    open_once(s);
    return session_open(s);
}

bool ob_find_backend(ob_backend *to) {
    endpoint found = {0};
    if (!find_backend(&found))
        return false;
    if (found.fd >= 0)
        close(found.fd);
    memcpy(to->uri, found.uri, sizeof to->uri);
    memcpy(to->place, found.found, sizeof to->place);
    to->companion = communicator_of(&found)->companion;
    return true;
}

bool ob_backend_greets(const ob_backend *asked) {
    endpoint to = {.fd = -1};
    char why[512] = "";
    memcpy(to.uri, asked->uri, sizeof to.uri);
    if (greets(&to, answer_expected.all_ms, why, sizeof why))
        return true;
    warn_unusable(asked->uri, asked->place, why);
    return false;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void end(session *s) {
    int open = SESSION_OPEN;
    if (!session_open(s))
        return;
    trace_end(s, ask_time);
    /* The backend sends what it holds before it answers. */
    if (s->logged)
        ask_backend(s, KIND_LOG, NULL, 0);
    call_log_end(s);
    atomic_store(&s->ending, true);
    own_rings_end(s);
    send_last(s);
    atomic_compare_exchange_strong(&s->state, &open, SESSION_ENDED);
}

/* After the program's own exit handlers and destructors; calls later than that are told that the
 * device is gone. */
__attribute__((destructor)) static void end_all(void) {
    for (session *s = atomic_load(&sessions); s != NULL; s = s->next)
        end(s);
}
