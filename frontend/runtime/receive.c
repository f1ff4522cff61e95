/* SPDX-License-Identifier: Apache-2.0
 *
 * Receiving. There is no reader thread on the way of an answer: of the threads that wait, one leads. It reads frames,
 * hands each reply to the thread it belongs to, and passes the lead on when its own has come.
 */
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BUFFER = 64 << 10 };

pthread_mutex_t receive_lock = PTHREAD_MUTEX_INITIALIZER;

/* Under receive_lock. */
static bool led;
static pthread_cond_t lead_free = PTHREAD_COND_INITIALIZER;
static bool listener_waits;

/* The leader's own. */
static uint8_t buffer[BUFFER] __attribute__((aligned(64)));
static uint32_t begin, end;

static bool lost(const char *why) {
    session_lost(why);
    return false;
}

static ssize_t receive_some(void *to, size_t limit, int flags) {
    for (;;) {
        ssize_t n = recv(the_session.fd, to, limit, flags);
        if (n >= 0 || errno != EINTR)
            return n;
    }
}

/* Makes at least `bytes` lie in the buffer. */
static bool fill(uint32_t bytes) {
    if (begin == end)
        begin = end = 0;
    if (BUFFER - begin < bytes) {
        memmove(buffer, buffer + begin, end - begin);
        end -= begin;
        begin = 0;
    }
    while (end - begin < bytes) {
        ssize_t n = receive_some(buffer + end, BUFFER - end, 0);
        if (n <= 0)
            return lost(n == 0 ? "it closed the connection" : strerror(errno));
        end += (uint32_t)n;
    }
    return true;
}

/* Takes `bytes` of a body; what is not in the buffer yet is read to its place directly. */
static bool take(void *to, uint32_t bytes) {
    uint32_t ready = end - begin < bytes ? end - begin : bytes;
    memcpy(to, buffer + begin, ready);
    begin += ready;
    for (uint32_t done = ready; done < bytes;) {
        ssize_t n = receive_some((uint8_t *)to + done, bytes - done, 0);
        if (n <= 0)
            return lost(n == 0 ? "it closed the connection" : strerror(errno));
        done += (uint32_t)n;
    }
    return true;
}

static bool room_for_reply(thread *t, uint32_t bytes) {
    if (bytes <= t->reply_capacity)
        return true;
    uint8_t *larger = realloc(t->reply, bytes);
    if (larger == NULL)
        return false;
    t->reply = larger;
    t->reply_capacity = bytes;
    return true;
}

static bool take_reply(const frame *header, uint32_t bytes) {
    pthread_mutex_lock(&receive_lock);
    thread *t = thread_by_number(header->thread);
    bool expected = t != NULL && __atomic_load_n(&t->awaited, __ATOMIC_ACQUIRE) == header->sequence;
    pthread_mutex_unlock(&receive_lock);
    /* The thread waits, so it cannot end and its buffers are the leader's. */
    if (!expected || !room_for_reply(t, bytes))
        return lost(expected ? "out of memory" : "it answered a call that nobody made");
    if (!take(t->reply, bytes))
        return false;
    t->reply_bytes = bytes;
    t->result = header->result;
    pthread_mutex_lock(&receive_lock);
    __atomic_store_n(&t->awaited, 0, __ATOMIC_RELEASE);
    if (t->waiting)
        pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&receive_lock);
    return true;
}

/* Text for the program's own output or error stream. */
static bool take_text(const frame *header, uint32_t bytes, FILE *stream, int fd) {
    char *text = malloc(bytes + 1u);
    if (text == NULL)
        return lost("out of memory");
    bool taken = take(text, bytes);
    uint32_t length = (uint32_t)header->result < bytes ? (uint32_t)header->result : bytes;
    fflush(stream);
    for (uint32_t done = 0; taken && done < length;) {
        ssize_t n = write(fd, text + done, length - done);
        if (n <= 0 && errno != EINTR)
            break;
        done += n > 0 ? (uint32_t)n : 0;
    }
    free(text);
    return taken;
}

static bool take_callback(uint32_t bytes) {
    uint64_t body[2];
    if (bytes != sizeof body)
        return lost("it sent a malformed callback");
    if (!take(body, sizeof body))
        return false;
    callback_run(body[0], body[1]);
    return true;
}

static bool take_nothing(uint32_t bytes) {
    uint8_t scratch[256];
    for (; bytes > 0; bytes -= bytes < sizeof scratch ? bytes : (uint32_t)sizeof scratch)
        if (!take(scratch, bytes < sizeof scratch ? bytes : (uint32_t)sizeof scratch))
            return false;
    return true;
}

static bool take_frame(void) {
    frame header;
    if (!fill(sizeof header))
        return false;
    memcpy(&header, buffer + begin, sizeof header);
    begin += sizeof header;
    if (header.length < sizeof header || header.length > FRAME_LIMIT || header.length % 8 != 0)
        return lost("it sent a malformed frame");
    uint32_t bytes = header.length - (uint32_t)sizeof header;
    switch (header.kind) {
    case KIND_REPLY:
        return take_reply(&header, bytes);
    case KIND_OUTPUT:
        return take_text(&header, bytes, stdout, STDOUT_FILENO);
    case KIND_MESSAGE:
        return take_text(&header, bytes, stderr, STDERR_FILENO);
    case KIND_CALLBACK:
        return take_callback(bytes);
    case KIND_PING: {
        frame pong = {.kind = KIND_PONG};
        send_post(&pong, NULL, 0);
        return take_nothing(bytes);
    }
    case KIND_GOODBYE:
        return lost("it ended the session");
    default:
        return take_nothing(bytes);
    }
}

/* Under receive_lock. */
static void give_up_lead(void) {
    led = false;
    thread *next = thread_any_waiting();
    if (next != NULL)
        pthread_cond_signal(&next->wake);
    else if (listener_waits)
        pthread_cond_signal(&lead_free);
}

static bool session_open(void) { return atomic_load_explicit(&the_session.state, memory_order_acquire) == SESSION_OPEN; }

static bool answered(const thread *t) { return __atomic_load_n(&t->awaited, __ATOMIC_ACQUIRE) == 0; }

/* Under receive_lock: leads until t's reply has come. */
static void lead(thread *t) {
    led = true;
    pthread_mutex_unlock(&receive_lock);
    while (!answered(t) && session_open() && take_frame())
        continue;
    pthread_mutex_lock(&receive_lock);
    if (!session_open())
        threads_wake_all();
    give_up_lead();
}

bool receive_wait(thread *t) {
    pthread_mutex_lock(&receive_lock);
    while (!answered(t) && session_open()) {
        if (!led) {
            lead(t);
        } else {
            t->waiting = true;
            pthread_cond_wait(&t->wake, &receive_lock);
            t->waiting = false;
        }
    }
    /* Woken to lead, but answered meanwhile: somebody else must. */
    if (!led)
        give_up_lead();
    pthread_mutex_unlock(&receive_lock);
    return answered(t);
}

static bool something_arrived(void) {
    struct pollfd socket = {.fd = the_session.fd, .events = POLLIN};
    return begin != end || poll(&socket, 1, 0) > 0;
}

void receive_available(void) {
    pthread_mutex_lock(&receive_lock);
    bool mine = !led;
    led = true;
    pthread_mutex_unlock(&receive_lock);
    if (!mine)
        return;
    while (session_open() && something_arrived() && take_frame())
        continue;
    pthread_mutex_lock(&receive_lock);
    give_up_lead();
    pthread_mutex_unlock(&receive_lock);
}

void receive_listen(void) {
    pthread_mutex_lock(&receive_lock);
    while (led && session_open()) {
        listener_waits = true;
        pthread_cond_wait(&lead_free, &receive_lock);
        listener_waits = false;
    }
    led = true;
    pthread_mutex_unlock(&receive_lock);
    struct pollfd socket = {.fd = the_session.fd, .events = POLLIN};
    if (session_open() && (begin != end || poll(&socket, 1, -1) > 0))
        take_frame();
    pthread_mutex_lock(&receive_lock);
    if (!session_open())
        threads_wake_all();
    give_up_lead();
    pthread_mutex_unlock(&receive_lock);
}
