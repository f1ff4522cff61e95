/* SPDX-License-Identifier: Apache-2.0
 *
 * One call: begin, append, send, take. PROTOCOL.md, "Bodies".
 */
#include "call/call.h"
#include "base/clock.h"

#include <stdlib.h>

/* The most that all threads together post without an answer while callbacks are expected; half of
 * the room of a lane of the backend. */
enum { BEHIND_CALLS = 512, BEHIND_BYTES = 8 << 20 };

static _Atomic(bool (*)(const void *, uint64_t)) may_be_away;

void ob_copy_where(bool (*is_such)(const void *memory, uint64_t bytes)) {
    atomic_store(&may_be_away, is_such);
}

bool is_to_be_copied(const void *memory, uint64_t bytes) {
    bool (*is_such)(const void *, uint64_t) =
        atomic_load_explicit(&may_be_away, memory_order_acquire);
    return is_such != NULL && memory != NULL && is_such(memory, bytes);
}

/* Few are so long. */
static void forget_reply(thread *t) {
    free(t->reply);
    t->reply = NULL;
    t->reply_capacity = 0;
}

int32_t ob_begin(ob_call *call, const ob_library *library, uint32_t number, uint32_t fixed) {
    session *s = session_here();
    int32_t result = session_ensure(s, library);
    if (result != 0)
        return result;
    if (!backend_has(s, library, number)) {
        library_join(s, library);
        if (!backend_has(s, library, number))
            return library->not_supported;
    }
    thread *t = thread_of(s);
    uint32_t bytes = (uint32_t)align8(fixed);
    if (t != NULL)
        own_ring_seek(t);
    if (t == NULL || !thread_reserve_request(t, (uint32_t)sizeof(frame) + bytes))
        return library->out_of_memory;
    t->made = (made_call){.library = library,
                          .number = number,
                          .travels = true,
                          .stub = __builtin_return_address(0)};
    t->through_ring = t->ring != NULL && library->several_rings;
    session *own = t->through_ring ? own_ring_way(t->ring) : NULL;
    t->way = own != NULL ? own : s;
    t->payload_bytes = 0;
    t->tail_bytes = 0;
    if (t->reply_capacity > BODY_LIMIT)
        forget_reply(t);
    if (t->copied != NULL) {
        free(t->copied);
        t->copied = NULL;
    }
    *call = (ob_call){.library = library,
                      .thread = &t->public,
                      .number = number,
                      .body = t->request + sizeof(frame),
                      .body_bytes = bytes,
                      .logged = s->logged};
    memset(call->body, 0, bytes);
    return 0;
}

static int32_t append_payload(ob_call *call, thread *t, const void *data, uint64_t bytes) {
    if (t->payload_bytes > 0 || bytes > PAYLOAD_LIMIT)
        return call->library->invalid_value;
    if (is_to_be_copied(data, bytes)) {
        t->copied = malloc(bytes);
        if (t->copied == NULL)
            return call->library->out_of_memory;
        data = memcpy(t->copied, data, bytes);
    }
    t->payload = data;
    t->payload_bytes = bytes;
    ob_set_u64(call, call->body_bytes, bytes | PAYLOAD_MARK);
    call->body_bytes += 8;
    return 0;
}

/* Of a part that another one follows. */
static void copy_tail(ob_call *call, thread *t) {
    uint32_t bytes = t->tail_bytes, padded = (uint32_t)align8(bytes);
    if (bytes > 0)
        memcpy(call->body + call->body_bytes, t->tail, bytes);
    memset(call->body + call->body_bytes + bytes, 0, padded - bytes);
    call->body_bytes += padded;
    t->tail_bytes = 0;
}

int32_t ob_append(ob_call *call, const void *data, uint64_t bytes) {
    thread *t = thread_that_calls(call);
    uint64_t inlined = bytes > OB_CHUNK ? 0 : align8(bytes);
    uint64_t total = call->body_bytes + align8(t->tail_bytes) + 8 + inlined;
    if (total > BODY_LIMIT)
        return call->library->invalid_value;
    if (!thread_reserve_request(t, (uint32_t)(sizeof(frame) + total)))
        return call->library->out_of_memory;
    call->body = t->request + sizeof(frame);
    if (t->tail_bytes > 0)
        copy_tail(call, t);
    t->made.data = data;
    t->made.bytes = bytes;
    if (bytes > OB_CHUNK)
        return append_payload(call, t, data, bytes);
    ob_set_u64(call, call->body_bytes, bytes);
    call->body_bytes += 8;
    t->tail = data;
    t->tail_bytes = (uint32_t)bytes;
    if (bytes < TAIL_LEAST || is_to_be_copied(data, bytes))
        copy_tail(call, t);
    return 0;
}

/* ---- the reply ------------------------------------------------------------------------------- */

static bool is_among(const int32_t *list, int32_t result) {
    while (list != NULL && *list != 0 && *list != result)
        list++;
    return list != NULL && *list != 0;
}

int32_t ob_malformed(const ob_call *call) {
    session_lost(thread_that_calls(call)->session, "it sent a malformed reply");
    return call->library->unavailable;
}

/* The library's result of a call that has been answered. */
static int32_t take_reply(ob_call *call, const thread *t) {
    if (t->result != 0 && !is_among(call->also, t->result))
        return t->result;
    call->reply = t->reply;
    call->reply_bytes = t->reply_bytes;
    call->delivered = t->delivered;
    if (!reply_fits(call))
        return ob_malformed(call);
    reply_hand_out(call);
    return t->result;
}

/* ---- sending --------------------------------------------------------------------------------- */

/* A thread that is cancelled while it leads or writes would take the others with it. */
static int32_t answer(ob_call *call, thread *t, frame *header) {
    int cancellation;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    t->reply_bytes = 0;
    t->delivered = 0;
    reply_choose_sink(call, t);
    t->posted_calls = 0;
    t->posted_bytes = 0;
    send_now(t, header, call->body_bytes);
    uint64_t begun = rest_before_answer(t, call);
    bool answered = thread_uses_ring(t) ? receive_in_ring(t) : receive_wait(t);
    rest_learn(t, call, begun);
    atomic_store(&t->awaited, 0);
    pthread_setcancelstate(cancellation, NULL);
    return answered ? take_reply(call, t) : call->library->unavailable;
}

/* A device that waits for a function of the program may hold up all that is posted. Once the
 * backend has no room for more it reads no further, and so not that the function has returned. */
static bool is_far_ahead(thread *t, uint64_t bytes) {
    if (!callbacks_expected(t->session)) {
        t->posted_calls = 0;
        t->posted_bytes = 0;
        return false;
    }
    t->posted_calls++;
    t->posted_bytes += bytes;
    return t->posted_calls > BEHIND_CALLS / threads_now(t->session) ||
           t->posted_bytes > BEHIND_BYTES / threads_now(t->session);
}

static int32_t post(const ob_call *call, thread *t, frame *header) {
    send_post_call(t, header, call->body_bytes);
    return session_open(t->session) ? 0 : call->library->unavailable;
}

/* ---- lanes whose context is lost ------------------------------------------------------------- */

static bool is_lost(session *s, uint32_t lane) {
    return atomic_load_explicit(&s->lost, memory_order_relaxed) == lane + 1;
}

static void find(session *s, uint32_t lane) {
    if (is_lost(s, lane))
        atomic_store_explicit(&s->lost, 0, memory_order_relaxed);
}

bool ob_lane_lost(uint32_t lane) { return is_lost(session_here(), lane); }
void ob_lane_found(uint32_t lane) { find(session_here(), lane); }

static void lose(session *s, const ob_library *library, uint32_t lane) {
    atomic_store_explicit(&s->lost, lane + 1, memory_order_relaxed);
    if (library->unusual != NULL)
        atomic_fetch_or(library->unusual, OB_UNUSUAL_LOST);
}

/* In a lost lane calls that would be posted are answered, so that each reports the loss itself;
 * after a success the lane is lost no more. */
static void learn(session *s, const ob_call *call, uint32_t lane, int32_t result,
                  bool would_be_posted) {
    if (result != 0 && is_among(call->library->lasting, result))
        lose(s, call->library, lane);
    else if (result == 0 && would_be_posted)
        find(s, lane);
}

int32_t ob_send(ob_call *call, uint32_t flags) {
    thread *t = thread_that_calls(call);
    bool would_be_posted = (flags & OB_ANSWER) == 0, traced = t->session->traced;
    t->reply_most = reply_most(call);
    if (t->reply_most > (t->session->answers_at_length ? OB_REPLY_MOST : BODY_LIMIT))
        return call->library->invalid_value;
    /* A payload is the caller's memory: it has been sent when the call returns. */
    if (t->session->synchronous || t->payload_bytes > 0 ||
        (would_be_posted && (is_lost(t->session, t->public.lane) ||
                             is_far_ahead(t, call->body_bytes + t->tail_bytes))))
        flags |= OB_ANSWER;
    frame header = {
        .kind = KIND_CALL,
        .flags = (uint8_t)flags,
        .call = (uint16_t)call->number,
        .library = call->library->id,
        .lane = t->public.lane,
        .thread = t->public.number,
    };
    call->flags = flags;
    uint32_t ring = t->through_ring ? own_ring_index(t->ring) : 0;
    order_seen seen;
    header.acknowledged = order_fence(t->session, call, ring, &seen);
    call->reply = NULL;
    call->reply_bytes = 0;
    call->delivered = 0;
    uint64_t begin = traced ? now_ns() : 0, large = t->payload_bytes + align8(t->tail_bytes);
    int32_t result = (flags & OB_ANSWER) != 0 ? answer(call, t, &header) : post(call, t, &header);
    t->stamp = t->settles ? order_stamp_of(call, &seen)
                          : order_sent(t->session, call, ring, &seen, header.sequence);
    if ((flags & OB_ANSWER) != 0)
        learn(t->session, call, header.lane, result, would_be_posted);
    call->sequence = t->sent = header.sequence;
    note_call(header.sequence);
    if (traced) {
        call->delivered += t->beside_down;
        trace_call(t->session, call, t->public.number, header.sequence, large + t->beside_up,
                   result, begin);
    }
    t->beside_up = t->beside_down = 0;
    t->made.travels = false;
    return result;
}

const thread *ask_backend(session *s, uint8_t kind, const void *body, uint32_t body_bytes) {
    thread *t = thread_of(s);
    frame header = {.kind = kind};
    int cancellation;
    if (t == NULL || !thread_reserve_request(t, (uint32_t)sizeof header + body_bytes))
        return NULL;
    header.thread = t->public.number;
    if (body_bytes > 0)
        memcpy(t->request + sizeof header, body, body_bytes);
    t->through_ring = false;
    t->way = s;
    t->payload_bytes = t->tail_bytes = t->reply_bytes = 0;
    t->reply_most = 0;
    t->sink = NULL;
    t->delivered = 0;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    send_now(t, &header, body_bytes);
    bool answered = receive_wait(t);
    atomic_store(&t->awaited, 0);
    pthread_setcancelstate(cancellation, NULL);
    return answered ? t : NULL;
}
