/* SPDX-License-Identifier: Apache-2.0
 *
 * Why a session is over that ends with its connection: PROTOCOL.md, "Resumption". A backend that
 * ends a session just ends its worker, whatever that does, so that the connection ends without a
 * word, in the middle of a frame perhaps. The reason is asked for over another one.
 */
#include "link/link.h"

#include <stdio.h>

enum { CONNECT_MS = 500 };

/* The backend sees the end of a worker a little later than we do. */
int farewell_answer_ms = 5000;

struct farewell {
    resumption key;
};

bool farewell_begin(session *s, const resumption *how) {
    s->farewell = session_part(sizeof *s->farewell);
    if (s->farewell != NULL)
        s->farewell->key = *how;
    return s->farewell != NULL;
}

static bool ask(session *s, char *why, size_t limit) {
    resumption key = s->farewell->key;
    endpoint to = s->backend;
    uint64_t nothing = 0;
    to.connect_ms = CONNECT_MS;
    carrier over = connect_to(&to, why, limit);
    if (!carrier_is_there(over))
        return false;
    enum returned answer =
        greet_return(s, &to, over, farewell_answer_ms, &key, &nothing, why, limit);
    carrier_close(&over);
    return answer == RETURN_NEVER;
}

void farewell(session *s, const char *cause) {
    int cancellation;
    char why[256] = "", said[512];
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    if (s->farewell != NULL && session_open(s) && !atomic_load(&s->ending) &&
        ask(s, why, sizeof why)) {
        session_gone(said, sizeof said, cause, why);
        cause = said;
    }
    session_lost(s, cause);
    pthread_setcancelstate(cancellation, NULL);
}
