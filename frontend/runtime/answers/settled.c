/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers that hold as long as the session sends nothing. A frame of whatever kind ends it, so
 * nothing has to know what work a call may add. Such are waits that need no wait: a success of the
 * thread's last such call. Where there are several rings, a call may be on its way that has a lower
 * number; there they hold until a call has returned that touches the same object, or everything.
 */
#include "answers/answers.h"
#include "base/clock.h"

static uint64_t argument_of(const ob_call *call) {
    uint64_t argument = 0;
    memcpy(&argument, call->body,
           call->body_bytes < sizeof argument ? call->body_bytes : sizeof argument);
    return argument;
}

static bool stands(const thread *t, const settled *now) {
    const settled *last = &t->settled;
    return last->library == now->library && last->number == now->number &&
           last->lane == now->lane && last->flags == now->flags &&
           last->argument == now->argument && last->sequence != 0 &&
           (order_is_needed(t->session)
                ? order_stands(t->session, now->argument, &last->stamp)
                : last->sequence == send_last_sequence(t->session));
}

void ob_note_settled(const ob_library *library, uint32_t number, uint64_t argument,
                     uint32_t flags) {
    thread *t = thread_self();
    if (t != NULL)
        t->settled = (settled){library, number, t->public.lane, flags, argument, t->sent,
                               t->stamp};
}

int32_t ob_send_settling(ob_call *call, uint32_t flags) {
    thread *t = thread_that_calls(call);
    settled now = {call->library, call->number, t->public.lane, flags, argument_of(call), 0,
                   {false, 0, 0}};
    if (stands(t, &now)) {
        if (t->session->traced)
            trace_call(t->session, call, t->public.number, 0, 0, 0, now_ns());
        return 0;
    }
    t->settles = true;
    int32_t result = ob_send(call, OB_ANSWER | flags);
    t->settles = false;
    now.sequence = result == 0 ? call->sequence : 0;
    now.stamp = t->stamp;
    t->settled = now;
    return result;
}
