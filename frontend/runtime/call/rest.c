/* SPDX-License-Identifier: Apache-2.0
 *
 * Resting before a long wait. A thread that waits for an answer looks for it, which takes a whole
 * processor, and so does the driver's wait in the backend: natively that one alone does. Where the
 * last waits for the same call were long, the next one is too, and most of it can be slept away.
 * An answer that comes early ends the rest where it comes through memory or a socket of this
 * thread's own. Else it is taken when the rest is over, still sooner than those before it came.
 */
#include "call/call.h"

static foreseen *kind_of_wait(thread *t, const ob_call *call) {
    foreseen *its = &t->waits[call->number % WAIT_KINDS];
    foreseen_for(its, call->library->id << 16 | call->number);
    return its;
}

uint64_t rest_before_answer(thread *t, const ob_call *call) {
    uint64_t begun = now_ns();
    uint32_t ns = foreseen_rest(kind_of_wait(t, call));
    if (ns > 0 && thread_uses_ring(t))
        stream_rest_further(t->session, own_ring_index(t->ring) - 1, ns);
    else if (ns > 0)
        stream_rest(t->way, ns);
    return begun;
}

void rest_learn(thread *t, const ob_call *call, uint64_t begun) {
    foreseen_took(kind_of_wait(t, call), now_ns() - begun);
}
