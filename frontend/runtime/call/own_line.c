/* SPDX-License-Identifier: Apache-2.0
 *
 * Connections that a thread of the program has to itself: PROTOCOL.md, "Connections of threads".
 * Each has bytes, posted frames and a reader of its own, and comes back by itself when it is lost.
 * All else is the session's: its state, its threads and the numbers of frames.
 */
#include "call/call.h"

#include <stdlib.h>

bool line_can_be(const session *s) { return s->joinable && s->carrier.pages == NULL; }

/* Those that a session has are as many as there may ever be, and stay. */
static session *make(session *s, uint32_t number) {
    session *line = session_part(sizeof *line);
    if (line == NULL)
        return NULL;
    line->of = s;
    line->line = number;
    line->carrier = NO_CARRIER;
    line->above = s->above;
    line->distant = s->distant;
    line->joinable = s->joinable;
    line->answers_at_length = s->answers_at_length;
    line->backend = s->backend;
    memcpy(line->identity, s->identity, sizeof line->identity);
    line->threads = s->threads;
    line->ordering = s->ordering;
    line->own_rings = s->own_rings;
    line->callbacks = s->callbacks;
    return stream_make(line) && send_make(line) && receive_make(line) ? line : NULL;
}

static bool connect_to_session(session *line) {
    char why[256];
    line->carrier = connect_to(&line->backend, why, sizeof why);
    if (!carrier_is_there(line->carrier))
        return false;
    if (line->carrier.pages == NULL &&
        greet_again(line, &line->backend, line->carrier, why, sizeof why) &&
        lasting_begin_beside(line))
        return true;
    carrier_close(&line->carrier);
    return false;
}

session *line_open(session *s, uint32_t number) {
    int cancellation;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    session *line = make(s, number);
    bool open = line != NULL && connect_to_session(line);
    if (open) {
        stream_begin(line);
        if (line->distant)
            stream_in_rounds(line);
    }
    pthread_setcancelstate(cancellation, NULL);
    return open ? line : NULL;
}
