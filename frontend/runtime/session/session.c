/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens and ends the session, and gives up what a forked child has of its parent's: all that takes every part of the runtime.
 */
#include "answers/answers.h"
#include "move/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static bool was_open;

static int state_now(void) { return atomic_load_explicit(&the_session.state, memory_order_acquire); }

/* What the parent has kept is given up, and not freed: another thread of it may have been at it. */
static void forget_session(void) {
    was_open = false;
    session_forget();
    trace_forget();
    call_log_forget();
    stream_forget();
    send_forget();
    receive_forget();
    threads_forget();
    handles_forget();
    libraries_forget();
    join_forget();
    cache_forget();
}

/*
 * The parent's connection is the parent's: the child only closes its copy. Where there was none, or every library that was
 * used may be used anew, the child is a client of its own. Other threads are not in the child: their locks are nobody's.
 */
static void in_child(void) {
    if (the_session.fd >= 0)
        close(the_session.fd);
    the_session.fd = -1;
    bulk_forget();
    open_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (was_open && !atomic_load(&the_session.bound))
        forget_session();
    atomic_store(&the_session.state, was_open ? SESSION_FORKED : SESSION_NEW);
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

static void warn_unusable(const char *uri, const char *place, const char *why) {
    ob_warn("cannot use the backend %s (from %s): %s; 'outboard run --on URI' or OUTBOARD names another", uri, place, why);
}

/* Of several addresses of a host each may be late. */
static void warn_late(const endpoint *to) {
    static bool said;
    if (!said)
        ob_warn("the backend %s (from %s) has not answered for two seconds: is it there, and a backend of Outboard? This program waits for it; "
                "'outboard run --on URI' or OUTBOARD names another", to->uri, to->found);
    said = true;
}

static bool connect_and_greet(const endpoint *to, char *why, size_t limit) {
    the_session.fd = to->fd >= 0 ? to->fd : connect_to(to, why, limit);
    if (the_session.fd < 0)
        return false;
    if (greet(to, the_session.fd, why, limit))
        return true;
    close(the_session.fd);
    the_session.fd = -1;
    return false;
}

static bool open_session(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    endpoint to = {.late = warn_late};
    char why[512] = "";
    pthread_once(&once, watch_forks);
    if (!find_backend(&to)) {
        ob_warn("no backend found (looked at OUTBOARD, outboard.properties in ., the user's configuration folder and /etc/outboard, "
                "$XDG_RUNTIME_DIR/outboard/outboard.sock, " SYSTEM_SOCKET ")%s; "
                "set OUTBOARD=unix:PATH or OUTBOARD=tcp://HOST:PORT, or use 'outboard run -- PROGRAM'",
                ob_system_socket_is_for_others() ? ": " SYSTEM_SOCKET " is not for this user: ask its operator for a lease and a URI, or to be in the socket's group" : "");
        return false;
    }
    call_log_begin();
    the_session.logged = call_logging;
    if (!connect_and_greet(&to, why, sizeof why)) {
        warn_unusable(to.uri, to.found, why);
        return false;
    }
    const char *synchronous = getenv("OUTBOARD_SYNC");
    the_session.synchronous = synchronous != NULL && strcmp(synchronous, "1") == 0;
    the_session.distant = strncmp(to.uri, "tcp:", 4) == 0 || strncmp(to.uri, "relay:", 6) == 0;
    stream_begin();
    if (the_session.distant)
        stream_in_rounds();
    the_session.backend = to;
    the_session.backend.fd = -1;
    the_session.backend.late = NULL;
    was_open = true;
    return true;
}

/* Has the backend send the records that it holds, and tell its time. */
static bool ask_time(uint64_t *time) {
    const thread *t = ask_backend(KIND_TRACE, NULL, 0);
    if (t == NULL || t->reply_bytes < sizeof *time)
        return false;
    memcpy(time, t->reply, sizeof *time);
    return true;
}

static void open_locked(void) {
    if (!open_session()) {
        atomic_store(&the_session.state, SESSION_LOST);
        return;
    }
    atomic_store(&the_session.state, SESSION_OPEN);
    trace_begin(ask_time);
}

bool ob_connect(void) {
    if (state_now() != SESSION_NEW)
        return session_open();
    pthread_mutex_lock(&open_lock);
    if (state_now() == SESSION_NEW)
        open_locked();
    pthread_mutex_unlock(&open_lock);
    return session_open();
}

/* Constructors of libraries run later: they need this one. */
__attribute__((constructor)) static void begin(void) {
    static const session_duties duties = {ob_connect, bulk_shutdown};
    session_has(&duties);
}

bool ob_find_backend(ob_backend *to) {
    endpoint found = {0};
    if (!find_backend(&found))
        return false;
    if (found.fd >= 0)
        close(found.fd);
    memcpy(to->uri, found.uri, sizeof to->uri);
    memcpy(to->place, found.found, sizeof to->place);
    return true;
}

bool ob_backend_greets(const ob_backend *asked) {
    endpoint to = {.fd = -1};
    char why[512] = "";
    memcpy(to.uri, asked->uri, sizeof to.uri);
    if (greets(&to, ANSWER_MS, why, sizeof why))
        return true;
    warn_unusable(asked->uri, asked->place, why);
    return false;
}

/* After the program's own exit handlers and destructors; who calls later still is told that the device is gone. */
__attribute__((destructor)) static void end_session(void) {
    int open = SESSION_OPEN;
    if (!session_open())
        return;
    trace_end(ask_time);
    /* The backend sends what it holds before it answers. */
    if (call_logging)
        ask_backend(KIND_LOG, NULL, 0);
    call_log_end();
    atomic_store(&the_session.ending, true);
    send_goodbye();
    atomic_compare_exchange_strong(&the_session.state, &open, SESSION_ENDED);
}
