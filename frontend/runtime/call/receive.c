/* SPDX-License-Identifier: Apache-2.0
 *
 * Receiving. There is no reader thread on the way of an answer: of the threads that wait, one leads. It reads frames,
 * hands each reply to the thread it belongs to, and passes the lead on when its own has come. A writer whom the socket
 * makes wait leads too, and so does the thread of the callbacks while one is due to come. Who leads never writes.
 */
#include "call/call.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    BUFFER = 64 << 10,
    LED_ELSEWHERE_MS = 10,          /* a waiting writer looks so often whether somebody still reads */
    LISTENER_BACKOFF_NS = 500000,  /* while others call, the listener leaves them the socket */
};

pthread_mutex_t receive_lock = PTHREAD_MUTEX_INITIALIZER;

/* Under receive_lock. */
static bool led;
static thread *waiting;
static bool listener_waits;     /* for the lead to be free */
static bool listener_watches;   /* the stream, and the bell */
static pthread_cond_t listener_wake = PTHREAD_COND_INITIALIZER;

/* The leader's own. */
static uint8_t buffer[BUFFER] __attribute__((aligned(64)));
static uint32_t begin, end;

static bool lost(const char *why) {
    session_lost(why);
    return false;
}

/* ---- bytes, by the leader ----------------------------------------------------------------------------------------- */

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
        size_t n = stream_read(buffer + end, BUFFER - end);
        if (n == 0)
            return false;
        end += (uint32_t)n;
    }
    return true;
}

/* Takes `bytes` of a body; what is not in the buffer yet is read to its place directly. */
static bool take(void *to, uint32_t bytes) {
    uint32_t done = end - begin < bytes ? end - begin : bytes;
    if (done > 0)
        memcpy(to, buffer + begin, done);
    begin += done;
    while (done < bytes) {
        size_t n = stream_read((uint8_t *)to + done, bytes - done);
        if (n == 0)
            return false;
        done += (uint32_t)n;
    }
    return true;
}

/* ---- frames, by the leader ---------------------------------------------------------------------------------------- */

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

/* The thread that a reply is for; from here on it stays, and its reply is the leader's. */
static thread *claim(const frame *header) {
    pthread_mutex_lock(&receive_lock);
    thread *t = header->sequence != 0 ? thread_by_number(header->thread) : NULL;
    if (t != NULL && atomic_load(&t->awaited) != header->sequence)
        t = NULL;
    if (t != NULL)
        t->filling = true;
    pthread_mutex_unlock(&receive_lock);
    return t;
}

static void hand_over(thread *t, bool whole) {
    pthread_mutex_lock(&receive_lock);
    t->filling = false;
    if (whole)
        atomic_store_explicit(&t->awaited, 0, memory_order_release);
    pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&receive_lock);
}

/* Whether the reply's large part is as expected; then its bytes alone are left to take. */
static bool take_up_to_sink(thread *t, const frame *header, uint32_t bytes, bool *whole) {
    uint32_t head = t->sink_at + 8;
    uint64_t length;
    if (t->sink == NULL || header->result != 0 || t->sink_bytes < TAIL_LEAST || bytes != head + align8(t->sink_bytes))
        return false;
    *whole = room_for_reply(t, bytes) ? take(t->reply, head) : lost("out of memory");
    if (!*whole)
        return true;
    memcpy(&length, t->reply + t->sink_at, sizeof length);
    if (length != t->sink_bytes)
        *whole = lost("it sent a malformed reply");
    return true;
}

static bool take_body(thread *t, const frame *header, uint32_t bytes) {
    uint8_t padding[8];
    bool whole;
    if (!take_up_to_sink(t, header, bytes, &whole))
        return room_for_reply(t, bytes) ? take(t->reply, bytes) : lost("out of memory");
    if (!whole || !take(t->sink, (uint32_t)t->sink_bytes) || !take(padding, (uint32_t)(align8(t->sink_bytes) - t->sink_bytes)))
        return false;
    t->delivered = t->sink_bytes;
    return true;
}

static bool take_reply(const frame *header, uint32_t bytes) {
    thread *t = claim(header);
    if (t == NULL)
        return lost("it answered a call that nobody made");
    bool whole = take_body(t, header, bytes);
    t->reply_bytes = t->delivered > 0 ? t->sink_at : bytes;
    t->result = header->result;
    hand_over(t, whole);
    return whole;
}

static void write_text(int fd, const char *text, uint32_t length) {
    for (uint32_t done = 0; done < length;) {
        ssize_t n = write(fd, text + done, length - done);
        if (n < 0 && errno != EINTR)
            return;
        done += n > 0 ? (uint32_t)n : 0;
    }
}

/* The header's result says how many bytes of the padded body are text. */
static char *take_text(const frame *header, uint32_t bytes) {
    if (header->result < 0 || (uint32_t)header->result > bytes) {
        lost("it sent a malformed text");
        return NULL;
    }
    char *text = malloc(bytes + 1u);
    if (text == NULL)
        lost("out of memory");
    else if (!take(text, bytes)) {
        free(text);
        text = NULL;
    }
    return text;
}

/* What a kernel printed is the program's own output, after what it has printed itself. */
static bool take_output(const frame *header, uint32_t bytes) {
    char *text = take_text(header, bytes);
    if (text == NULL)
        return false;
    fflush(stdout);
    write_text(STDOUT_FILENO, text, (uint32_t)header->result);
    free(text);
    return true;
}

static bool take_message(const frame *header, uint32_t bytes) {
    char *text = take_text(header, bytes);
    if (text == NULL)
        return false;
    make_printable(text, (uint32_t)header->result);
    write_text(STDERR_FILENO, text, (uint32_t)header->result);
    free(text);
    return true;
}

static bool take_log(const frame *header, uint32_t bytes) {
    if (!call_logging)
        return lost("it sent a log that nobody asked for");
    char *text = take_text(header, bytes);
    if (text == NULL)
        return false;
    call_log_backend(text, (uint32_t)header->result);
    free(text);
    return true;
}

static bool take_callback(uint32_t bytes) {
    uint64_t body[2];
    if (bytes != sizeof body)
        return lost("it sent a malformed callback");
    if (!take(body, sizeof body))
        return false;
    return callback_request(body[0], body[1]) || lost("it asked for a callback that nobody registered");
}

static bool take_trace(uint32_t bytes) {
    uint32_t number = bytes / sizeof(trace_record);
    if (!tracing || number == 0 || bytes % sizeof(trace_record) != 0)
        return lost("it sent a malformed trace");
    trace_record *records = malloc(bytes);
    if (records == NULL)
        return lost("out of memory");
    bool whole = take(records, bytes);
    if (whole)
        trace_backend(records, number);
    free(records);
    return whole;
}

static bool take_nothing(uint32_t bytes) {
    return bytes == 0 || lost("it sent a malformed frame");
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
        return take_output(&header, bytes);
    case KIND_MESSAGE:
        return take_message(&header, bytes);
    case KIND_CALLBACK:
        return take_callback(bytes);
    case KIND_TRACE:
        return take_trace(bytes);
    case KIND_LOG:
        return take_log(&header, bytes);
    case KIND_PING:
        send_pong();
        return take_nothing(bytes);
    case KIND_PONG:
        return take_nothing(bytes);
    case KIND_GOODBYE:
        return lost("it ended the session");
    default:
        return lost("it sent a frame of an unknown kind");
    }
}

/* ---- the lead ----------------------------------------------------------------------------------------------------- */

static bool answered(const thread *t) { return atomic_load_explicit(&t->awaited, memory_order_acquire) == 0; }

static bool take_lead(void) {
    pthread_mutex_lock(&receive_lock);
    bool mine = !led;
    led = true;
    pthread_mutex_unlock(&receive_lock);
    return mine;
}

bool receive_prepare_listener(void) { return stream_prepare_bell(); }

/* Whoever leads may have read what the listener watches for, before it watched. */
void receive_wake_listener(void) {
    if (listener_waits)
        pthread_cond_signal(&listener_wake);
    if (listener_watches)
        stream_ring_bell();
}

/* Under receive_lock. One follower leads next; after a loss all of them go. Without one, what has been read beyond an answer is the
 * listener's, who would not see it come. */
static void pass_lead(void) {
    led = false;
    for (thread *t = waiting; t != NULL; t = t->next_waiting) {
        pthread_cond_signal(&t->wake);
        if (session_open())
            return;
    }
    if (listener_waits)
        pthread_cond_signal(&listener_wake);
    if (listener_watches && begin != end)
        stream_ring_bell();
}

static void give_up_lead(void) {
    pthread_mutex_lock(&receive_lock);
    pass_lead();
    pthread_mutex_unlock(&receive_lock);
}

/* Under receive_lock: leads until t's reply has come. */
static void lead(thread *t) {
    led = true;
    pthread_mutex_unlock(&receive_lock);
    while (!answered(t) && session_open() && take_frame())
        continue;
    pthread_mutex_lock(&receive_lock);
    pass_lead();
}

/* Under receive_lock: waits until it is answered, or should lead. */
static void follow(thread *t) {
    t->previous_waiting = NULL;
    t->next_waiting = waiting;
    if (waiting != NULL)
        waiting->previous_waiting = t;
    waiting = t;
    pthread_cond_wait(&t->wake, &receive_lock);
    if (t->previous_waiting != NULL)
        t->previous_waiting->next_waiting = t->next_waiting;
    else
        waiting = t->next_waiting;
    if (t->next_waiting != NULL)
        t->next_waiting->previous_waiting = t->previous_waiting;
}

bool receive_wait(thread *t) {
    bool woken = false;
    pthread_mutex_lock(&receive_lock);
    while (!answered(t) && (session_open() || t->filling)) {
        if (!led) {
            lead(t);
        } else {
            follow(t);
            woken = true;
        }
    }
    /* Perhaps it was woken to lead and answered meanwhile: somebody else must. */
    if (woken && !led)
        pass_lead();
    pthread_mutex_unlock(&receive_lock);
    return answered(t);
}

/* ---- who reads without waiting for an answer ---------------------------------------------------------------------- */

void receive_until_writable(void) {
    if (!take_lead()) {
        stream_wait(POLLOUT, LED_ELSEWHERE_MS);
        return;
    }
    silence before = {0};
    for (bool writable = false; !writable && session_open();) {
        short ready = begin == end ? stream_wait(POLLIN | POLLOUT, the_session.distant ? stream_round_ms : -1) : POLLIN;
        writable = (ready & POLLOUT) != 0;
        if (ready == 0)
            stream_silent(&before);
        else if (!writable && take_frame())
            before = (silence){0};
    }
    give_up_lead();
}

/* Under receive_lock. Returns whether others have led meanwhile. */
static bool await_lead(void) {
    bool others = led;
    listener_waits = true;
    while (led && session_open() && !callback_due())
        pthread_cond_wait(&listener_wake, &receive_lock);
    listener_waits = false;
    return others;
}

static void watch(void) {
    stream_watch();
    pthread_mutex_lock(&receive_lock);
    listener_watches = false;
    pthread_mutex_unlock(&receive_lock);
}

/* Returns whether there may be something to read that nobody else reads. */
static bool await_frame(void) {
    pthread_mutex_lock(&receive_lock);
    bool back_off = await_lead() && !callback_due();
    pthread_mutex_unlock(&receive_lock);
    if (back_off)
        nanosleep(&(struct timespec){.tv_nsec = LISTENER_BACKOFF_NS}, NULL);
    pthread_mutex_lock(&receive_lock);
    bool quiet = !led && session_open() && !callback_due();
    listener_watches = quiet && begin == end;
    bool watching = listener_watches;
    pthread_mutex_unlock(&receive_lock);
    if (watching)
        watch();
    return quiet;
}

/* Watches without leading, so that a thread that makes a call meanwhile reads its answer itself. */
void receive_listen(void) {
    if (!await_frame() || !take_lead())
        return;
    while (session_open() && (begin != end || stream_wait(POLLIN, 0) != 0) && take_frame())
        continue;
    give_up_lead();
}

void receive_forget(void) {
    receive_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    listener_wake = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    led = listener_waits = listener_watches = false;
    waiting = NULL;
    begin = end = 0;
}
