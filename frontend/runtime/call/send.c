/* SPDX-License-Identifier: Apache-2.0
 *
 * Sending. Over a socket posted frames gather in a buffer that a sender thread writes out, so that
 * a post costs a copy and batches form under load; a thread that needs an answer writes out the
 * buffer and its own frame at once. Over shared memory a frame is written to the ring straight
 * away.
 *
 * Order: the thread that writes to the stream holds `write_lock`, `post_lock` guards the buffer and
 * is held for moments only. A sequence number is given under post_lock, and a frame that is written
 * directly gets its number while holding both, so numbers leave in order. Over shared memory all
 * frames are written directly, and write_lock alone does.
 */
#include "call/call.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

enum {
    BUFFER = 256 << 10,
    DIRECT = BUFFER / 4,    /* larger posts are not worth a copy */
    LINGER_NS = 40000,      /* a sender that has nothing to do looks again so often … */
    /* … so many times before it sleeps: waking it costs the poster a system call */
    LINGER_ROUNDS = 4,
    TIMER_SLACK_NS = 1000,
    GOODBYE_MS = 500,       /* what the end of a program waits for a backend that does not read */
    /* of frames that are sent by the way: a PONG, a BULK_LOST */
    OWED_BYTES = 2 * sizeof(frame) + sizeof(uint64_t),
};

struct sending {
    pthread_mutex_t write_lock, post_lock;
    pthread_cond_t posted_some;
    uint8_t *buffers[2];        /* with room for what is owed */
    uint8_t *filling;           /* one of them */
    _Atomic uint32_t filled;
    /* written under post_lock, or under write_lock where memory is shared */
    _Atomic uint64_t sequence;
    bool sender_sleeps, sender_runs;
    _Atomic uint32_t owed;      /* a bit a kind of frame; set under post_lock */
    uint64_t bulk_lost;         /* what such a frame says; under post_lock */
};

bool send_make(session *s) {
    struct sending *own = s->sending = session_part(sizeof *own);
    if (own == NULL)
        return false;
    pthread_mutex_init(&own->write_lock, NULL);
    pthread_mutex_init(&own->post_lock, NULL);
    pthread_cond_init(&own->posted_some, NULL);
    own->buffers[0] = malloc(BUFFER + OWED_BYTES);
    own->buffers[1] = malloc(BUFFER + OWED_BYTES);
    own->filling = own->buffers[0];
    return own->buffers[0] != NULL && own->buffers[1] != NULL;
}

static uint32_t filled_now(const struct sending *own) {
    return atomic_load_explicit(&own->filled, memory_order_relaxed);
}

uint64_t send_last_sequence(const session *s) {
    return atomic_load_explicit(&session_root(s)->sending->sequence, memory_order_relaxed);
}

/* All connections of a session have their numbers from one place. */
static uint64_t next_sequence(const session *s) {
    struct sending *own = session_root(s)->sending;
    if (order_is_needed(s))
        return atomic_fetch_add(&own->sequence, 1) + 1;
    uint64_t next = atomic_load_explicit(&own->sequence, memory_order_relaxed) + 1;
    atomic_store_explicit(&own->sequence, next, memory_order_relaxed);
    return next;
}

/* How far a number is behind a frame's; 0 for what is not. */
static int32_t distance(uint64_t sequence, uint64_t named) {
    uint64_t behind = named < sequence ? sequence - named : 0;
    return behind < INT32_MAX ? (int32_t)behind : INT32_MAX;
}

/* The frame's number, and how much of the backend's bytes this side has. The number that a frame
 * itself names then has another place. */
static void number(session *s, frame *header) {
    header->sequence = next_sequence(s);
    if (s->shared && s->lasting == NULL)
        return;
    if (header->kind == KIND_CALL || header->kind == KIND_THREAD_END)
        header->result = distance(header->sequence, header->acknowledged);
    header->acknowledged = lasting_tell(s);
}

void send_in_order(session *s, uint32_t ring) {
    struct sending *own = s->sending;
    pthread_mutex_lock(&own->write_lock);
    pthread_mutex_lock(&own->post_lock);
    order_begins(s, ring, send_last_sequence(s));
    pthread_mutex_unlock(&own->post_lock);
    pthread_mutex_unlock(&own->write_lock);
}

/* ---- writing, under write_lock --------------------------------------------------------------- */

int parts_drop(struct iovec **parts, int count, size_t bytes) {
    while (count > 0 && bytes >= (*parts)->iov_len) {
        bytes -= (*parts)->iov_len;
        ++*parts;
        count--;
    }
    if (count > 0) {
        (*parts)->iov_base = (uint8_t *)(*parts)->iov_base + bytes;
        (*parts)->iov_len -= bytes;
    }
    return count;
}

/* While the socket is full, reads what comes, so that two full sockets cannot block each other. */
static bool write_rest(session *s, struct iovec *parts, int count) {
    while (count > 0) {
        size_t n = stream_write(s, parts, count);
        if (!session_open(s))
            return false;
        if (n > 0)
            count = parts_drop(&parts, count, n);
        else
            receive_until_writable(s);
    }
    return true;
}

static size_t total(const struct iovec *parts, int count) {
    size_t bytes = 0;
    while (count > 0)
        bytes += parts[--count].iov_len;
    return bytes;
}

/* Between two frames: the backend may wait for this before it says what it has. */
static bool write_word(session *s) {
    frame header = {.length = sizeof header, .kind = KIND_PONG, .acknowledged = lasting_tell(s)};
    return write_rest(s, &(struct iovec){&header, sizeof header}, 1);
}

/* Until the parts can be kept: they are whole frames, and once they begin nothing comes between. */
static bool await_room(session *s, size_t bytes) {
    while (session_open(s) && !lasting_has_room(s, bytes)) {
        if (lasting_owes(s))
            write_word(s);
        else
            receive_until_room(s, bytes);
    }
    return session_open(s);
}

/* Writes everything. A thread that is cancelled while it writes would take the others with it; a
 * ring with room has no place for that. */
static bool write_parts(session *s, struct iovec *parts, int count) {
    int cancellation;
    count = parts_drop(&parts, count, 0);
    if (s->shared && s->lasting == NULL && count > 0)
        count = parts_drop(&parts, count, stream_write(s, parts, count));
    if (count == 0)
        return true;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    bool written = await_room(s, total(parts, count)) && write_rest(s, parts, count);
    pthread_setcancelstate(cancellation, NULL);
    return written;
}

/* Under post_lock. */
static void append(struct sending *own, const void *data, uint32_t bytes) {
    if (bytes > 0)
        memcpy(own->filling + filled_now(own), data, bytes);
    atomic_store_explicit(&own->filled, filled_now(own) + bytes, memory_order_relaxed);
}

/* Under post_lock. */
static void append_frame(session *s, uint8_t kind, const void *body, uint32_t bytes) {
    frame header = {.length = (uint32_t)sizeof header + bytes, .kind = kind};
    number(s, &header);
    append(s->sending, &header, sizeof header);
    append(s->sending, body, bytes);
}

/* Under post_lock. */
static void append_owed(session *s) {
    struct sending *own = s->sending;
    uint32_t owed = atomic_exchange(&own->owed, 0);
    if ((owed & 1u << KIND_PONG) != 0)
        append_frame(s, KIND_PONG, NULL, 0);
    if ((owed & 1u << KIND_BULK_LOST) != 0)
        append_frame(s, KIND_BULK_LOST, &own->bulk_lost, sizeof own->bulk_lost);
}

/* Takes what is posted; under both locks. */
static struct iovec take_posted(session *s) {
    struct sending *own = s->sending;
    append_owed(s);
    struct iovec full = {.iov_base = own->filling, .iov_len = filled_now(own)};
    own->filling = own->buffers[own->filling == own->buffers[0]];
    atomic_store_explicit(&own->filled, 0, memory_order_relaxed);
    return full;
}

/* Takes what is posted and numbers the frame that is written after it. Where memory is shared,
 * nothing gathers but what is owed. */
static struct iovec take_posted_before(session *s, frame *header) {
    struct sending *own = s->sending;
    if (s->shared && atomic_load_explicit(&own->owed, memory_order_relaxed) == 0) {
        number(s, header);
        return (struct iovec){NULL, 0};
    }
    pthread_mutex_lock(&own->post_lock);
    struct iovec posted = take_posted(s);
    number(s, header);
    pthread_mutex_unlock(&own->post_lock);
    return posted;
}

static void flush(session *s) {
    struct sending *own = s->sending;
    pthread_mutex_lock(&own->write_lock);
    pthread_mutex_lock(&own->post_lock);
    struct iovec posted = take_posted(s);
    pthread_mutex_unlock(&own->post_lock);
    write_parts(s, &posted, 1);
    pthread_mutex_unlock(&own->write_lock);
}

/* ---- the sender ------------------------------------------------------------------------------ */

static void await_posts(struct sending *own) {
    for (int round = 0; round < LINGER_ROUNDS; round++) {
        nanosleep(&(struct timespec){.tv_nsec = LINGER_NS}, NULL);
        if (filled_now(own) > 0)
            return;
    }
    pthread_mutex_lock(&own->post_lock);
    while (filled_now(own) == 0 && own->owed == 0) {
        own->sender_sleeps = true;
        pthread_cond_wait(&own->posted_some, &own->post_lock);
    }
    own->sender_sleeps = false;
    pthread_mutex_unlock(&own->post_lock);
}

static void *sender(void *of) {
    session *s = of;
    prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
    while (session_open(s)) {
        flush(s);
        await_posts(s->sending);
    }
    return NULL;
}

/* Releases post_lock after a post, and wakes the sender. */
static void unlock_and_wake(struct sending *own) {
    bool wake = own->sender_sleeps;
    own->sender_sleeps = false;
    pthread_mutex_unlock(&own->post_lock);
    if (wake)
        pthread_cond_signal(&own->posted_some);
}

/* ---- posting --------------------------------------------------------------------------------- */

/* Leaves with post_lock held. */
static void lock_with_room(session *s, uint32_t bytes) {
    struct sending *own = s->sending;
    pthread_mutex_lock(&own->post_lock);
    while (filled_now(own) + bytes > BUFFER) {
        pthread_mutex_unlock(&own->post_lock);
        flush(s);
        pthread_mutex_lock(&own->post_lock);
    }
}

static void post_copy(session *s, frame *header, const void *body, uint32_t body_bytes) {
    struct sending *own = s->sending;
    lock_with_room(s, header->length);
    number(s, header);
    append(own, header, sizeof *header);
    append(own, body, body_bytes);
    own->sender_runs = own->sender_runs || ob_start_thread(NULL, sender, s);
    bool unserved = !own->sender_runs;
    unlock_and_wake(own);
    if (unserved)
        flush(s);
}

static const uint8_t padding[8];

static bool gathers(const session *s, const frame *header) {
    return header->length <= DIRECT && !s->shared;
}

void send_post(session *s, frame *header, const void *body, uint32_t body_bytes) {
    header->length = (uint32_t)sizeof *header + body_bytes;
    if (gathers(s, header))
        post_copy(s, header, body, body_bytes);
    else
        send_urgently(s, header, body, body_bytes);
}

void send_urgently(session *s, frame *header, const void *body, uint32_t body_bytes) {
    header->length = (uint32_t)sizeof *header + body_bytes;
    pthread_mutex_lock(&s->sending->write_lock);
    struct iovec posted = take_posted_before(s, header);
    struct iovec parts[] = {posted, {header, sizeof *header}, {(void *)body, body_bytes}};
    write_parts(s, parts, 3);
    pthread_mutex_unlock(&s->sending->write_lock);
}

/* In the thread's own ring, or under write_lock. */
static bool write_of(const thread *t, struct iovec *parts, int count) {
    return thread_uses_ring(t) ? own_ring_write(t, parts, count)
                               : write_parts(t->way, parts, count);
}

/* After what is posted: the header as it is now, and what the thread has of the call. */
static void write_call(const thread *t, const frame *header, uint32_t body_bytes,
                       struct iovec posted) {
    memcpy(t->request, header, sizeof *header);
    struct iovec parts[] = {
        posted,
        {t->request, sizeof *header + body_bytes},
        {(void *)t->tail, t->tail_bytes},
        {(void *)padding, align8(t->tail_bytes) - t->tail_bytes},
    };
    write_of(t, parts, t->tail_bytes > 0 ? 4 : 2);
}

/* Takes write_lock. */
static void lock_to_write(thread *t) {
    pthread_mutex_t *lock = &t->way->sending->write_lock;
    if (pthread_mutex_trylock(lock) == 0)
        return;
    own_ring_met(t);
    pthread_mutex_lock(lock);
}

void send_post_call(thread *t, frame *header, uint32_t body_bytes) {
    session *s = t->way;
    header->length = (uint32_t)(sizeof *header + body_bytes + align8(t->tail_bytes));
    if (thread_uses_ring(t)) {
        number(s, header);
        write_call(t, header, body_bytes, (struct iovec){NULL, 0});
        return;
    }
    if (t->tail_bytes == 0 && gathers(s, header)) {
        post_copy(s, header, t->request + sizeof *header, body_bytes);
        return;
    }
    lock_to_write(t);
    struct iovec posted = take_posted_before(s, header);
    write_call(t, header, body_bytes, posted);
    pthread_mutex_unlock(&s->sending->write_lock);
}

/* One of a kind is enough, however often it is owed before it leaves. */
static void owe(session *s, uint8_t kind) {
    struct sending *own = s->sending;
    pthread_mutex_lock(&own->post_lock);
    own->owed |= 1u << kind;
    own->sender_runs = own->sender_runs || ob_start_thread(NULL, sender, s);
    unlock_and_wake(own);
}

void send_pong(session *s) { owe(s, KIND_PONG); }

void send_bulk_lost(session *s, uint64_t transfer) {
    struct sending *own = s->sending;
    pthread_mutex_lock(&own->post_lock);
    own->bulk_lost = transfer;
    pthread_mutex_unlock(&own->post_lock);
    owe(s, KIND_BULK_LOST);
}

/* ---- sending at once ------------------------------------------------------------------------- */

/* The one large part of a call, in frames ahead of it. */
static bool write_payload(const thread *t, const frame *call) {
    const uint8_t *from = t->payload;
    for (uint64_t left = t->payload_bytes; left > 0;) {
        uint32_t bytes = left < OB_CHUNK ? (uint32_t)left : OB_CHUNK;
        uint32_t padded = (uint32_t)align8(bytes);
        frame header = *call;
        header.length = (uint32_t)sizeof header + padded;
        header.kind = KIND_PAYLOAD;
        header.flags = 0;
        header.call = 0;
        header.result = (int32_t)bytes;
        struct iovec parts[3] = {
            {&header, sizeof header}, {(void *)from, bytes}, {(void *)padding, padded - bytes}};
        if (!write_of(t, parts, 3))
            return false;
        from += bytes;
        left -= bytes;
    }
    return true;
}

static void send_through_ring(thread *t, frame *header, uint32_t body_bytes) {
    number(t->session, header);
    atomic_store_explicit(&t->awaited, header->sequence, memory_order_release);
    if (t->payload_bytes > 0) {
        header->flags |= FLAG_PAYLOAD;
        write_payload(t, header);
    }
    write_call(t, header, body_bytes, (struct iovec){NULL, 0});
}

void send_now(thread *t, frame *header, uint32_t body_bytes) {
    header->length = (uint32_t)(sizeof *header + body_bytes + align8(t->tail_bytes));
    if (thread_uses_ring(t)) {
        send_through_ring(t, header, body_bytes);
        return;
    }
    lock_to_write(t);
    struct iovec posted = take_posted_before(t->way, header);
    atomic_store_explicit(&t->awaited, header->sequence, memory_order_release);
    if (t->payload_bytes > 0) {
        header->flags |= FLAG_PAYLOAD;
        write_parts(t->way, &posted, 1);
        posted.iov_len = 0;
        write_payload(t, header);
    }
    write_call(t, header, body_bytes, posted);
    pthread_mutex_unlock(&t->way->sending->write_lock);
}

/* ---- the end --------------------------------------------------------------------------------- */

static bool lock_within(pthread_mutex_t *lock, int milliseconds) {
    for (; pthread_mutex_trylock(lock) != 0; milliseconds--) {
        if (milliseconds == 0)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return true;
}

void send_last(session *s) {
    struct sending *own = s->sending;
    if (!session_open(s) || !lock_within(&own->write_lock, GOODBYE_MS))
        return;
    if (lock_within(&own->post_lock, GOODBYE_MS)) {
        own->owed = 0;
        if (s->of == NULL && filled_now(own) + sizeof(frame) <= BUFFER)
            append_frame(s, KIND_GOODBYE, NULL, 0);
        struct iovec posted = take_posted(s);
        pthread_mutex_unlock(&own->post_lock);
        stream_write_last(s, posted, GOODBYE_MS);
    }
    pthread_mutex_unlock(&own->write_lock);
}
