/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of the call that a thread makes, for the log of calls.
 */
#include "call/call.h"

#include <stdlib.h>

void ob_log_arguments(ob_call *call, const char *signature, const uint64_t values[],
                      uint32_t flags) {
    thread *t = thread_that_calls(call);
    if (t->text == NULL)
        t->text = calloc(1, sizeof *t->text);
    if (t->text == NULL)
        call->logged = false;
    else
        call_text_begin(t->text, call->library->structures, signature, values,
                        (flags & OB_PER_THREAD) != 0);
}

/* A call that was answered here, or could not be sent, is none of the backend's. */
void ob_log_returned(const ob_call *call, int32_t result) {
    thread *t = thread_that_calls(call);
    if (call->sequence == 0)
        return;
    call_text_end(t->text, result);
    call_log_program(t->session, call->sequence, t->public.number, t->text);
}
