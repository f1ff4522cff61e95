/* SPDX-License-Identifier: Apache-2.0
 *
 * Sending. Over a socket posted frames gather in a buffer that a sender thread writes out, so that a post costs a copy and
 * batches form under load; whoever needs an answer writes out the buffer and its own frame at once. Over shared memory a
 * frame is written to the ring straight away.
 *
 * Order: `write_lock` is held by who writes to the stream, `post_lock` guards the buffer and is held for moments only. A
 * sequence number is given under post_lock, and a frame that is written directly gets its number while holding both, so
 * numbers leave in order. Over shared memory all frames are written directly, and write_lock alone does.
 */
#include "call/call.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

enum {
    BUFFER = 256 << 10,
    DIRECT = BUFFER / 4,    /* larger posts are not worth a copy */
    LINGER_NS = 40000,      /* a sender that has nothing to do looks again so often … */
    LINGER_ROUNDS = 4,      /* … so many times before it sleeps: waking it costs the poster a system call */
    TIMER_SLACK_NS = 1000,
    GOODBYE_MS = 500,       /* what the end of a program waits for a backend that does not read */
};

static pthread_mutex_t write_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t post_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted_some = PTHREAD_COND_INITIALIZER;
static uint8_t buffers[2][BUFFER + sizeof(frame)] __attribute__((aligned(64))); /* with room for a pong */
static uint8_t *filling = buffers[0];
static _Atomic uint32_t filled;
static _Atomic uint64_t sequence; /* written under post_lock, or under write_lock where memory is shared */
static bool sender_sleeps, sender_runs;
static _Atomic bool pong_owed; /* set under post_lock */

static uint32_t filled_now(void) { return atomic_load_explicit(&filled, memory_order_relaxed); }

uint64_t send_last_sequence(void) { return atomic_load_explicit(&sequence, memory_order_relaxed); }

static uint64_t next_sequence(void) {
    uint64_t next = send_last_sequence() + 1;
    atomic_store_explicit(&sequence, next, memory_order_relaxed);
    return next;
}

/* ---- writing, under write_lock ------------------------------------------------------------------------------------ */

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
static bool write_rest(struct iovec *parts, int count) {
    while (count > 0) {
        size_t n = stream_write(parts, count);
        if (!session_open())
            return false;
        if (n > 0)
            count = parts_drop(&parts, count, n);
        else
            receive_until_writable();
    }
    return true;
}

/* Writes everything. A thread that is cancelled while it writes would take the others with it; a ring with room has no place for that. */
static bool write_parts(struct iovec *parts, int count) {
    int cancellation;
    count = parts_drop(&parts, count, 0);
    if (stream_shared() && count > 0)
        count = parts_drop(&parts, count, stream_write(parts, count));
    if (count == 0)
        return true;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    bool written = write_rest(parts, count);
    pthread_setcancelstate(cancellation, NULL);
    return written;
}

/* Under post_lock. */
static void append(const void *data, uint32_t bytes) {
    if (bytes > 0)
        memcpy(filling + filled_now(), data, bytes);
    atomic_store_explicit(&filled, filled_now() + bytes, memory_order_relaxed);
}

/* Under post_lock. */
static void append_bare(uint8_t kind) {
    frame header = {.length = sizeof header, .kind = kind, .sequence = next_sequence()};
    append(&header, sizeof header);
}

/* Takes what is posted; under both locks. */
static struct iovec take_posted(void) {
    if (pong_owed)
        append_bare(KIND_PONG);
    pong_owed = false;
    struct iovec full = {.iov_base = filling, .iov_len = filled_now()};
    filling = filling == buffers[0] ? buffers[1] : buffers[0];
    atomic_store_explicit(&filled, 0, memory_order_relaxed);
    return full;
}

/* Takes what is posted and numbers the frame that is written after it. Where memory is shared, nothing gathers but a pong. */
static struct iovec take_posted_before(frame *header) {
    if (stream_shared() && !atomic_load_explicit(&pong_owed, memory_order_relaxed)) {
        header->sequence = next_sequence();
        return (struct iovec){NULL, 0};
    }
    pthread_mutex_lock(&post_lock);
    struct iovec posted = take_posted();
    header->sequence = next_sequence();
    pthread_mutex_unlock(&post_lock);
    return posted;
}

static void flush(void) {
    pthread_mutex_lock(&write_lock);
    pthread_mutex_lock(&post_lock);
    struct iovec posted = take_posted();
    pthread_mutex_unlock(&post_lock);
    write_parts(&posted, 1);
    pthread_mutex_unlock(&write_lock);
}

/* ---- the sender --------------------------------------------------------------------------------------------------- */

static void await_posts(void) {
    for (int round = 0; round < LINGER_ROUNDS; round++) {
        nanosleep(&(struct timespec){.tv_nsec = LINGER_NS}, NULL);
        if (filled_now() > 0)
            return;
    }
    pthread_mutex_lock(&post_lock);
    while (filled_now() == 0 && !pong_owed) {
        sender_sleeps = true;
        pthread_cond_wait(&posted_some, &post_lock);
    }
    sender_sleeps = false;
    pthread_mutex_unlock(&post_lock);
}

static void *sender(void *unused) {
    (void)unused;
    prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
    while (session_open()) {
        flush();
        await_posts();
    }
    return NULL;
}

/* Ends the hold of post_lock of who has posted something. */
static void unlock_and_wake(void) {
    bool wake = sender_sleeps;
    sender_sleeps = false;
    pthread_mutex_unlock(&post_lock);
    if (wake)
        pthread_cond_signal(&posted_some);
}

/* ---- posting ------------------------------------------------------------------------------------------------------ */

/* Leaves with post_lock held. */
static void lock_with_room(uint32_t bytes) {
    pthread_mutex_lock(&post_lock);
    while (filled_now() + bytes > BUFFER) {
        pthread_mutex_unlock(&post_lock);
        flush();
        pthread_mutex_lock(&post_lock);
    }
}

static void post_copy(frame *header, const void *body, uint32_t body_bytes) {
    lock_with_room(header->length);
    header->sequence = next_sequence();
    append(header, sizeof *header);
    append(body, body_bytes);
    sender_runs = sender_runs || ob_start_thread(NULL, sender, NULL);
    bool unserved = !sender_runs;
    unlock_and_wake();
    if (unserved)
        flush();
}

static const uint8_t padding[8];

static bool gathers(const frame *header) { return header->length <= DIRECT && !stream_shared(); }

void send_post(frame *header, const void *body, uint32_t body_bytes) {
    header->length = (uint32_t)sizeof *header + body_bytes;
    if (gathers(header)) {
        post_copy(header, body, body_bytes);
        return;
    }
    pthread_mutex_lock(&write_lock);
    struct iovec posted = take_posted_before(header);
    struct iovec parts[] = {posted, {header, sizeof *header}, {(void *)body, body_bytes}};
    write_parts(parts, 3);
    pthread_mutex_unlock(&write_lock);
}

/* Under write_lock, after what is posted: the header as it is now, and what the thread has of the call. */
static void write_call(const thread *t, const frame *header, uint32_t body_bytes, struct iovec posted) {
    memcpy(t->request, header, sizeof *header);
    struct iovec parts[] = {
        posted,
        {t->request, sizeof *header + body_bytes},
        {(void *)t->tail, t->tail_bytes},
        {(void *)padding, align8(t->tail_bytes) - t->tail_bytes},
    };
    write_parts(parts, t->tail_bytes > 0 ? 4 : 2);
}

void send_post_call(const thread *t, frame *header, uint32_t body_bytes) {
    header->length = (uint32_t)(sizeof *header + body_bytes + align8(t->tail_bytes));
    if (t->tail_bytes == 0 && gathers(header)) {
        post_copy(header, t->request + sizeof *header, body_bytes);
        return;
    }
    pthread_mutex_lock(&write_lock);
    struct iovec posted = take_posted_before(header);
    write_call(t, header, body_bytes, posted);
    pthread_mutex_unlock(&write_lock);
}

/* One is enough for several pings that came before it left. */
void send_pong(void) {
    pthread_mutex_lock(&post_lock);
    pong_owed = true;
    sender_runs = sender_runs || ob_start_thread(NULL, sender, NULL);
    unlock_and_wake();
}

/* ---- sending at once ---------------------------------------------------------------------------------------------- */

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
        struct iovec parts[3] = {{&header, sizeof header}, {(void *)from, bytes}, {(void *)padding, padded - bytes}};
        if (!write_parts(parts, 3))
            return false;
        from += bytes;
        left -= bytes;
    }
    return true;
}

void send_now(thread *t, frame *header, uint32_t body_bytes) {
    header->length = (uint32_t)(sizeof *header + body_bytes + align8(t->tail_bytes));
    pthread_mutex_lock(&write_lock);
    struct iovec posted = take_posted_before(header);
    atomic_store_explicit(&t->awaited, header->sequence, memory_order_release);
    if (t->payload_bytes > 0) {
        header->flags |= FLAG_PAYLOAD;
        write_parts(&posted, 1);
        posted.iov_len = 0;
        write_payload(t, header);
    }
    write_call(t, header, body_bytes, posted);
    pthread_mutex_unlock(&write_lock);
}

/* ---- the end ------------------------------------------------------------------------------------------------------ */

static bool lock_within(pthread_mutex_t *lock, int milliseconds) {
    for (; pthread_mutex_trylock(lock) != 0; milliseconds--) {
        if (milliseconds == 0)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return true;
}

void send_goodbye(void) {
    if (!lock_within(&write_lock, GOODBYE_MS))
        return;
    if (lock_within(&post_lock, GOODBYE_MS)) {
        pong_owed = false;
        if (filled_now() + sizeof(frame) <= BUFFER)
            append_bare(KIND_GOODBYE);
        struct iovec posted = take_posted();
        pthread_mutex_unlock(&post_lock);
        stream_write_last(posted, GOODBYE_MS);
    }
    pthread_mutex_unlock(&write_lock);
}

void send_forget(void) {
    write_lock = post_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    posted_some = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    filling = buffers[0];
    filled = 0;
    sequence = 0;
    sender_sleeps = sender_runs = pong_owed = false;
}
