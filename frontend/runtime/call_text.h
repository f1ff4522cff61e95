/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a call, as the logs of both sides have it. What it looks like, and what signatures are: CallText.java.
 */
#ifndef OUTBOARD_CALL_TEXT_H
#define OUTBOARD_CALL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CALL_PARAMETERS = 64 };

typedef struct call_text {
    const char *const *structures;
    const char *signature;
    bool per_thread;            /* stream 0 is the thread's own */
    bool writes;                /* past the call: what it has written */
    uint64_t values[CALL_PARAMETERS];
    int64_t counts[CALL_PARAMETERS];
    char *text;
    size_t length, capacity;
} call_text;

/* Takes what a call reads, before it is made; a text that there is no room for is cut. */
void call_text_begin(call_text *to, const char *const structures[], const char *signature, const uint64_t values[], bool per_thread);
/* Adds the result and what the call has written. */
void call_text_end(call_text *to, int32_t result);

#endif
