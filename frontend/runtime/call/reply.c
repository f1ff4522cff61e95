/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of replies. A call says how the reply to a success looks: nothing of one that looks
 * otherwise is used.
 */
#include "call/call.h"

uint64_t reply_most(const ob_call *call) {
    uint64_t bytes = call->fixed;
    for (uint32_t i = 0; i < call->count; i++) {
        const ob_part *one = &call->parts[i];
        if (one->bytes > OB_REPLY_MOST)
            return UINT64_MAX;
        bytes += one->to == NULL ? 0 : 8 + align8(one->bytes);
    }
    return bytes;
}

void reply_choose_sink(const ob_call *call, thread *t) {
    const ob_part *one = call->parts;
    t->sink = NULL;
    if (call->count != 1 || one->text || one->bytes < TAIL_LEAST || one->to == NULL ||
        is_to_be_copied(one->to, one->bytes))
        return;
    t->sink = one->to;
    t->sink_at = call->fixed;
    t->sink_bytes = one->bytes;
}

/* The next part of the reply at `at`, or NULL; its place among them is in `i`. */
static const ob_part *next_part(const ob_call *call, uint32_t *i) {
    while (*i < call->count && call->parts[*i].to == NULL)
        ++*i;
    return *i < call->count ? &call->parts[*i] : NULL;
}

static bool is_length(const ob_call *call, const ob_part *one, uint64_t at, uint64_t length) {
    const uint8_t *bytes = call->reply + at + 8;
    if (!one->text || one->bytes == 0)
        return length == one->bytes;
    bool ends = at + 8 + align8(length) == call->reply_bytes;
    return (ends ? length <= one->bytes : length == one->bytes) &&
           memchr(bytes, '\0', length) != NULL;
}

bool reply_fits(const ob_call *call) {
    uint64_t at = call->fixed, length, bytes = call->reply_bytes;
    const ob_part *one;
    if (call->delivered > 0)
        return at == bytes;
    for (uint32_t i = 0; (one = next_part(call, &i)) != NULL; i++) {
        if (bytes < at + 8)
            return false;
        memcpy(&length, call->reply + at, 8);
        if (length > bytes - at - 8 || !is_length(call, one, at, length))
            return false;
        at += 8 + align8(length);
    }
    return at == bytes;
}

void reply_hand_out(const ob_call *call) {
    uint64_t at = call->fixed, length;
    const ob_part *one;
    if (call->delivered > 0)
        return;
    for (uint32_t i = 0; (one = next_part(call, &i)) != NULL; i++) {
        memcpy(&length, call->reply + at, 8);
        memcpy(one->to, call->reply + at + 8, length);
        at += 8 + align8(length);
    }
}
