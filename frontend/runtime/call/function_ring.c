/* SPDX-License-Identifier: Apache-2.0
 *
 * The ring of functions. The backend asks for functions of the program there, and hears there that
 * they have returned: PROTOCOL.md, "The ring of functions". The driver's thread in the backend and
 * the thread that runs the functions wake each other; no thread that reads frames comes between.
 */
#include "call/call.h"

enum { NAP_MS = 250 };          /* a sleeper looks so often whether the backend is still there */

typedef struct asked_frame {
    frame header;
    uint64_t number, ticket;
} asked_frame;

static const thread *ask_for_ring(session *s) {
    uint64_t number = REGION_FUNCTIONS;
    return ask_backend(s, KIND_RING, &number, sizeof number);
}

/* Between two functions it looks for no longer than waking takes: a step of the program may take
 * long. */
bool function_ring_open(session *s) {
    if (!s->shared || s->lasting != NULL || !own_rings_wanted(s) ||
        !stream_further(s, REGION_FUNCTIONS_SLOT))
        return false;
    stream_look_further(s, REGION_FUNCTIONS_SLOT, SPIN_NS);
    const thread *answer = ask_for_ring(s);
    return answer != NULL && answer->result == 0;
}

static bool read_whole(session *s, void *to, size_t bytes) {
    size_t done = 0;
    while (done < bytes && session_open(s))
        done += stream_read_further(s, REGION_FUNCTIONS_SLOT, (uint8_t *)to + done, bytes - done,
                                    NAP_MS);
    return done == bytes;
}

bool function_ring_take(session *s, asked_function *next) {
    asked_frame came;
    if (!read_whole(s, &came, sizeof came))
        return false;
    if (came.header.kind != KIND_CALLBACK || came.header.length != sizeof came) {
        session_lost(s, "it sent a frame that has no place in the ring of functions");
        return false;
    }
    *next = (asked_function){came.number, came.ticket, came.header.result};
    return true;
}

/* Calls that the function itself has posted come before its end. */
static void settle_posted(session *s) {
    thread *t = thread_of(s);
    if (t == NULL || t->posted_calls == 0)
        return;
    ask_for_ring(s);
    t->posted_calls = 0;
}

void function_ring_done(session *s, uint64_t ticket) {
    settle_posted(s);
    frame header = {.length = sizeof header + sizeof ticket, .kind = KIND_CALLBACK_DONE};
    struct iovec all[] = {{&header, sizeof header}, {&ticket, sizeof ticket}}, *parts = all;
    for (int count = 2; count > 0 && session_open(s);)
        count = parts_drop(
            &parts, count,
            stream_write_further(s, REGION_FUNCTIONS_SLOT, parts, count, NAP_MS));
}
