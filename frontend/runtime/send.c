/* SPDX-License-Identifier: Apache-2.0
 *
 * Sending. Posted frames gather in a buffer that a sender thread writes out, so that a post costs a copy and batches form
 * under load; whoever needs an answer writes out the buffer and its own frame at once.
 *
 * Order: `write_lock` is held by who writes to the socket, `post_lock` guards the buffer. A sequence number is given under
 * post_lock, and a frame that is written directly gets its number while holding both, so numbers leave in order.
 */
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

enum {
    BUFFER = 256 << 10,
    LINGER_NS = 50000,  /* a sender that has nothing to do looks again so often … */
    LINGER_ROUNDS = 4,  /* … so many times before it sleeps: waking it costs the poster a system call */
};

static pthread_mutex_t write_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t post_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted_some = PTHREAD_COND_INITIALIZER;
static uint8_t buffers[2][BUFFER] __attribute__((aligned(64)));
static uint8_t *filling = buffers[0];
static uint32_t filled;
static uint64_t sequence;
static bool sender_sleeps, sender_runs;

/* Writes everything; while the socket is full, reads what comes, so that two full sockets cannot block each other. */
static bool write_parts(struct iovec *parts, int count) {
    while (count > 0) {
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
        ssize_t n = sendmsg(the_session.fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EAGAIN) {
            struct pollfd socket = {.fd = the_session.fd, .events = POLLIN | POLLOUT};
            if (poll(&socket, 1, -1) > 0 && (socket.revents & POLLOUT) == 0)
                receive_available();
            n = 0;
        } else if (n < 0 && errno == EINTR) {
            n = 0;
        } else if (n < 0) {
            session_lost(strerror(errno));
            return false;
        }
        while (count > 0 && (size_t)n >= parts->iov_len) {
            n -= (ssize_t)parts->iov_len;
            parts++;
            count--;
        }
        if (count > 0) {
            parts->iov_base = (uint8_t *)parts->iov_base + n;
            parts->iov_len -= (size_t)n;
        }
    }
    return true;
}

/* Takes what is posted; under both locks. */
static struct iovec swap_buffers(void) {
    struct iovec full = {.iov_base = filling, .iov_len = filled};
    filling = filling == buffers[0] ? buffers[1] : buffers[0];
    filled = 0;
    return full;
}

static void flush(void) {
    pthread_mutex_lock(&write_lock);
    pthread_mutex_lock(&post_lock);
    struct iovec full = swap_buffers();
    pthread_mutex_unlock(&post_lock);
    if (full.iov_len > 0)
        write_parts(&full, 1);
    pthread_mutex_unlock(&write_lock);
}

static void linger(void) {
    struct timespec moment = {.tv_nsec = LINGER_NS};
    nanosleep(&moment, NULL);
}

/* Returns when something is posted. */
static void await_posts(void) {
    for (int round = 0; round < LINGER_ROUNDS; round++) {
        linger();
        if (__atomic_load_n(&filled, __ATOMIC_RELAXED) > 0)
            return;
    }
    pthread_mutex_lock(&post_lock);
    while (filled == 0) {
        sender_sleeps = true;
        pthread_cond_wait(&posted_some, &post_lock);
    }
    sender_sleeps = false;
    pthread_mutex_unlock(&post_lock);
}

static void *sender(void *unused) {
    (void)unused;
    for (;;) {
        await_posts();
        flush();
    }
    return NULL;
}

/* The program's signals are for its own threads. */
static void start_sender(void) {
    sigset_t all, before;
    pthread_t id;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    sender_runs = pthread_create(&id, NULL, sender, NULL) == 0;
    if (sender_runs)
        pthread_detach(id);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void append(const void *data, uint32_t bytes) {
    memcpy(filling + filled, data, bytes);
    __atomic_store_n(&filled, filled + bytes, __ATOMIC_RELAXED);
}

static void post_small(frame *header, const void *body, uint32_t body_bytes) {
    for (;;) {
        pthread_mutex_lock(&post_lock);
        if (filled + header->length <= BUFFER)
            break;
        pthread_mutex_unlock(&post_lock);
        flush();
    }
    header->sequence = ++sequence;
    append(header, sizeof *header);
    append(body, body_bytes);
    bool wake = sender_sleeps;
    sender_sleeps = false;
    if (!sender_runs)
        start_sender();
    pthread_mutex_unlock(&post_lock);
    if (wake)
        pthread_cond_signal(&posted_some);
}

static uint64_t write_with_posted(frame *header, struct iovec *parts, int count) {
    pthread_mutex_lock(&post_lock);
    parts[0] = swap_buffers();
    header->sequence = ++sequence;
    pthread_mutex_unlock(&post_lock);
    struct iovec *first = parts[0].iov_len > 0 ? parts : parts + 1;
    write_parts(first, count - (int)(first - parts));
    return header->sequence;
}

void send_post(frame *header, const void *body, uint32_t body_bytes) {
    static const uint8_t nothing[8];
    header->length = (uint32_t)sizeof *header + body_bytes;
    if (header->length <= BUFFER / 4) {
        post_small(header, body != NULL ? body : nothing, body_bytes);
        return;
    }
    struct iovec parts[3] = {{0}, {header, sizeof *header}, {(void *)body, body_bytes}};
    pthread_mutex_lock(&write_lock);
    write_with_posted(header, parts, 3);
    pthread_mutex_unlock(&write_lock);
}

/* The one large part of a call, in frames ahead of it. */
static void write_payload(thread *t, const frame *call) {
    static const uint8_t padding[8];
    const uint8_t *from = t->payload;
    for (uint64_t left = t->payload_bytes; left > 0;) {
        uint32_t bytes = left < OB_CHUNK ? (uint32_t)left : OB_CHUNK;
        uint32_t padded = (uint32_t)align8(bytes);
        frame header = {.length = 40 + padded, .kind = KIND_PAYLOAD, .library = call->library, .lane = call->lane, .thread = call->thread, .sequence = call->sequence};
        header.result = (int32_t)bytes;
        struct iovec parts[3] = {{&header, sizeof header}, {(void *)from, bytes}, {(void *)padding, padded - bytes}};
        if (!write_parts(parts, 3))
            return;
        from += bytes;
        left -= bytes;
    }
}

uint64_t send_now(thread *t, frame *header, uint32_t body_bytes) {
    header->length = (uint32_t)sizeof *header + body_bytes;
    pthread_mutex_lock(&write_lock);
    struct iovec parts[2] = {{0}, {t->request, header->length}};
    pthread_mutex_lock(&post_lock);
    parts[0] = swap_buffers();
    header->sequence = ++sequence;
    pthread_mutex_unlock(&post_lock);
    __atomic_store_n(&t->awaited, header->sequence, __ATOMIC_RELEASE);
    if (t->payload_bytes > 0) {
        header->flags |= FLAG_PAYLOAD;
        write_parts(parts, 1);
        parts[0].iov_len = 0;
        write_payload(t, header);
    }
    memcpy(t->request, header, sizeof *header);
    struct iovec *first = parts[0].iov_len > 0 ? parts : parts + 1;
    write_parts(first, 2 - (int)(first - parts));
    pthread_mutex_unlock(&write_lock);
    return header->sequence;
}

/* A program may end right after it posted: what the sender has not written yet is written here, if nobody is at it. */
__attribute__((destructor)) static void flush_at_exit(void) {
    if (atomic_load(&the_session.state) != SESSION_OPEN || pthread_mutex_trylock(&write_lock) != 0)
        return;
    struct iovec full = swap_buffers();
    if (full.iov_len > 0)
        write_parts(&full, 1);
    pthread_mutex_unlock(&write_lock);
}
