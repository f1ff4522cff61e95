/* SPDX-License-Identifier: Apache-2.0
 *
 * The one session of a process: opened by the first call, lost once, never opened again.
 */
#include "internal.h"

#include <stdlib.h>
#include <unistd.h>

enum { LIBRARIES = 16 };

session the_session = {.fd = -1};

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static const ob_library *libraries[LIBRARIES];
static _Atomic uint32_t library_count;

void ob_register(const ob_library *library) {
    uint32_t at = atomic_fetch_add(&library_count, 1);
    if (at < LIBRARIES)
        libraries[at] = library;
}

const ob_library *session_library(uint32_t index) {
    return index < LIBRARIES && index < atomic_load(&library_count) ? libraries[index] : NULL;
}

bool ob_forked(void) { return atomic_load_explicit(&the_session.state, memory_order_relaxed) == SESSION_FORKED; }

/* The parent's connection is the parent's: the child only closes its copy. */
static void in_child(void) {
    if (atomic_load(&the_session.state) != SESSION_OPEN)
        return;
    close(the_session.fd);
    the_session.fd = -1;
    atomic_store(&the_session.state, SESSION_FORKED);
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

void session_lost(const char *why) {
    int open = SESSION_OPEN;
    if (!atomic_compare_exchange_strong(&the_session.state, &open, SESSION_LOST))
        return;
    ob_warn("the backend is lost: %s", why);
}

static bool open_session(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    endpoint to = {0};
    char why[512] = "";
    if (!find_backend(&to)) {
        ob_warn("no backend found (looked at OUTBOARD, outboard.properties, $XDG_RUNTIME_DIR/outboard and /run/outboard); "
                "set OUTBOARD=unix:PATH or tcp://HOST:PORT, or use 'outboard run -- PROGRAM'");
        return false;
    }
    int fd = connect_to(&to, why, sizeof why);
    if (fd < 0 || !greet(fd, why, sizeof why)) {
        ob_warn("cannot use the backend %s (from %s): %s", to.uri, to.found, why);
        if (fd >= 0)
            close(fd);
        return false;
    }
    const char *synchronous = getenv("OUTBOARD_SYNC");
    the_session.fd = fd;
    the_session.synchronous = synchronous != NULL && strcmp(synchronous, "1") == 0;
    pthread_once(&once, watch_forks);
    return true;
}

static void open_once(void) {
    pthread_mutex_lock(&open_lock);
    if (atomic_load(&the_session.state) == SESSION_NEW)
        atomic_store(&the_session.state, open_session() ? SESSION_OPEN : SESSION_LOST);
    pthread_mutex_unlock(&open_lock);
}

int32_t session_ensure(const ob_library *library) {
    int state = atomic_load_explicit(&the_session.state, memory_order_acquire);
    if (state == SESSION_NEW) {
        open_once();
        state = atomic_load(&the_session.state);
    }
    switch (state) {
    case SESSION_OPEN:
        return 0;
    case SESSION_FORKED:
        return library->not_initialized;
    default:
        return library->unavailable;
    }
}
