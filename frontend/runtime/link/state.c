/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of the one session of a process, which all of the runtime asks for: opened by the first call, lost once, never opened again.
 * What opening and losing it take from above is handed in.
 */
#include "link/link.h"

session the_session = {.fd = -1};

static pthread_mutex_t loss_lock = PTHREAD_MUTEX_INITIALIZER;
static const session_duties *above;

static int state_now(void) { return atomic_load_explicit(&the_session.state, memory_order_acquire); }

bool session_open(void) { return state_now() == SESSION_OPEN; }

bool ob_forked(void) { return state_now() == SESSION_FORKED; }

void session_has(const session_duties *duties) { above = duties; }

void session_forget(void) { loss_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; }

/* The line is out before the first call fails, for that may end the program. The shutdown wakes who waits for the backend. */
void session_lost(const char *why) {
    int cancellation;
    if (!session_open())
        return;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    pthread_mutex_lock(&loss_lock);
    if (session_open()) {
        /* Told goodbye, the backend closes, perhaps before this process has ended. */
        if (!atomic_load(&the_session.ending))
            ob_warn("the backend %s is lost: %s; every further call fails", the_session.backend.uri, why);
        atomic_store(&the_session.state, SESSION_LOST);
        stream_shutdown();
        above->lost();
    }
    pthread_mutex_unlock(&loss_lock);
    pthread_setcancelstate(cancellation, NULL);
}

int32_t session_ensure(const ob_library *library) {
    if (state_now() == SESSION_NEW) {
        ob_register(library);
        above->open();
    }
    switch (state_now()) {
    case SESSION_OPEN:
        if (!library->survives_fork && !atomic_load_explicit(&the_session.bound, memory_order_relaxed))
            atomic_store(&the_session.bound, true);
        return 0;
    case SESSION_FORKED:
        return library->not_initialized;
    default:
        return library->unavailable;
    }
}
