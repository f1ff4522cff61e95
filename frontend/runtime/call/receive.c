/* SPDX-License-Identifier: Apache-2.0
 *
 * Receiving. There is no reader thread on the way of an answer: of the threads that wait, one
 * leads. It reads frames, hands each reply to the thread it belongs to, and passes the lead on when
 * its own has come. A writer whom the socket makes wait leads too, and so does the thread of the
 * callbacks while one is due to come. The leader never writes.
 */
#include "call/call.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    BUFFER = 64 << 10,
    /* a waiting writer looks so often whether somebody still reads */
    LED_ELSEWHERE_MS = 10,
    /* who waits at a connection of its own looks so often whether somebody reads the first one */
    BESIDE_MS = 250,
    TEXT_NAP_NS = 50000,
};

/* Bytes that come, and those that have come and are not taken: the leader's, of all threads, or
 * those of a thread's own ring, which need no buffer. */
typedef struct inlet {
    const thread *owner;        /* whose own ring it is, or NULL */
    uint32_t begin, end;
    uint8_t *buffer;
} inlet;

struct receiving {
    pthread_mutex_t lock;

    /* Under the lock; a thread that only looks whether somebody leads does so without it. */
    _Atomic bool led;
    thread *waiting;
    bool listener_waits;        /* for the lead to be free */
    bool listener_watches;      /* the stream, and the bell */
    pthread_cond_t listener_wake;

    inlet in;                   /* the leader's own */
    thread *sole;               /* that has the connection to itself; under the lock */
    _Atomic uint32_t texts;     /* that have come over the first connection */
};

bool receive_make(session *s) {
    struct receiving *own = s->receiving = session_part(sizeof *own);
    if (own == NULL)
        return false;
    pthread_mutex_init(&own->lock, NULL);
    pthread_cond_init(&own->listener_wake, NULL);
    own->in.buffer = malloc(BUFFER);
    return own->in.buffer != NULL;
}

pthread_mutex_t *receive_lock(const session *s) { return &s->receiving->lock; }

static bool lost(session *s, const char *why) {
    session_lost(s, why);
    return false;
}

/* ---- bytes, by the leader, or of a thread's own ring ----------------------------------------- */

static size_t read_some(session *s, const inlet *in, void *to, size_t limit) {
    return in->owner != NULL ? own_ring_read(in->owner, to, limit) : stream_read(s, to, limit);
}

/* Makes at least `bytes` lie in the buffer. */
static bool fill(session *s, uint32_t bytes) {
    inlet *own = &s->receiving->in;
    if (own->begin == own->end)
        own->begin = own->end = 0;
    if (BUFFER - own->begin < bytes) {
        memmove(own->buffer, own->buffer + own->begin, own->end - own->begin);
        own->end -= own->begin;
        own->begin = 0;
    }
    while (own->end - own->begin < bytes) {
        size_t n = stream_read(s, own->buffer + own->end, BUFFER - own->end);
        if (n == 0)
            return false;
        own->end += (uint32_t)n;
    }
    return true;
}

/* Takes `bytes` of a body; bytes that are not in the buffer yet are read to their place directly.
 * */
static bool take_from(session *s, inlet *own, void *to, uint32_t bytes) {
    uint32_t done = own->end - own->begin < bytes ? own->end - own->begin : bytes;
    if (done > 0)
        memcpy(to, own->buffer + own->begin, done);
    own->begin += done;
    while (done < bytes) {
        size_t n = read_some(s, own, (uint8_t *)to + done, bytes - done);
        if (n == 0)
            return false;
        done += (uint32_t)n;
    }
    return true;
}

static bool take(session *s, void *to, uint32_t bytes) {
    return take_from(s, &s->receiving->in, to, bytes);
}

/* ---- frames, by the leader ------------------------------------------------------------------- */

static bool room_for_reply(thread *t, uint64_t bytes) {
    if (bytes <= t->reply_capacity)
        return true;
    uint8_t *larger = realloc(t->reply, bytes);
    if (larger == NULL)
        return false;
    t->reply = larger;
    t->reply_capacity = (uint32_t)bytes;
    return true;
}

/* The thread that a reply is for; from here on it stays, and its reply is the leader's. */
static thread *claim(session *s, const frame *header) {
    pthread_mutex_lock(&s->receiving->lock);
    thread *t = header->sequence == 0 ? NULL
                : s->of != NULL       ? s->receiving->sole
                                      : thread_by_number(s, header->thread);
    if (t != NULL && atomic_load(&t->awaited) != header->sequence)
        t = NULL;
    if (t != NULL)
        t->filling = true;
    pthread_mutex_unlock(&s->receiving->lock);
    return t;
}

static void hand_over(session *s, thread *t, bool whole) {
    pthread_mutex_lock(&s->receiving->lock);
    t->filling = false;
    if (whole)
        atomic_store_explicit(&t->awaited, 0, memory_order_release);
    pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&s->receiving->lock);
}

/* The bytes before the large part; false where that has not the length that was asked for. */
static bool take_head(session *s, inlet *in, thread *t) {
    uint32_t head = t->sink_at + 8;
    uint64_t length;
    if (!room_for_reply(t, head))
        return lost(s, "out of memory");
    if (!take_from(s, in, t->reply, head))
        return false;
    memcpy(&length, t->reply + t->sink_at, sizeof length);
    return length == t->sink_bytes || lost(s, "it sent a malformed reply");
}

/* So many bytes of the large part and its padding, of which `begin` have been taken. */
static bool take_large(session *s, inlet *in, thread *t, uint64_t begin, uint32_t bytes) {
    uint8_t padding[8];
    uint64_t left = begin < t->sink_bytes ? t->sink_bytes - begin : 0;
    uint32_t large = left < bytes ? (uint32_t)left : bytes;
    return (large == 0 || take_from(s, in, t->sink + begin, large)) &&
           take_from(s, in, padding, bytes - large);
}

static bool is_for_sink(const thread *t, const frame *header) {
    return t->sink != NULL && header->result == 0;
}

/* The next bytes of a reply whose large part goes to its place. */
static bool take_to_sink(session *s, inlet *in, thread *t, uint32_t bytes) {
    uint32_t head = t->sink_at + 8;
    if (t->reply_bytes > 0)
        return take_large(s, in, t, t->reply_bytes - head, bytes);
    if (bytes < head)
        return lost(s, "it sent a malformed reply");
    return take_head(s, in, t) && take_large(s, in, t, 0, bytes - head);
}

static bool take_to_reply(session *s, inlet *in, thread *t, uint64_t room, uint32_t bytes) {
    return room_for_reply(t, room) ? take_from(s, in, t->reply + t->reply_bytes, bytes)
                                   : lost(s, "out of memory");
}

static void has_been_delivered(thread *t) {
    t->reply_bytes = t->sink_at;
    t->delivered = t->sink_bytes;
}

static bool take_body(session *s, inlet *in, thread *t, const frame *header, uint32_t bytes) {
    if (!is_for_sink(t, header) || bytes != t->sink_at + 8 + align8(t->sink_bytes)) {
        bool whole = take_to_reply(s, in, t, bytes, bytes);
        t->reply_bytes = bytes;
        return whole;
    }
    bool whole = take_to_sink(s, in, t, bytes);
    has_been_delivered(t);
    return whole;
}

/* A body in several frames is never longer than the thread asked for, and one with a large part
 * never shorter; all of them have one result. */
static bool take_more(session *s, inlet *in, thread *t, const frame *header, uint32_t bytes) {
    bool other = t->reply_bytes > 0 && header->result != t->result, sinks = is_for_sink(t, header);
    if (other || bytes == 0 || bytes > t->reply_most - t->reply_bytes)
        return lost(s, "it sent a malformed reply");
    bool whole = sinks ? take_to_sink(s, in, t, bytes)
                       : take_to_reply(s, in, t, t->reply_most, bytes);
    t->reply_bytes += bytes;
    if (!sinks || (header->flags & FLAG_MORE) != 0)
        return whole;
    if (t->reply_bytes != t->reply_most)
        return lost(s, "it sent a malformed reply");
    has_been_delivered(t);
    return whole;
}

/* All of its next frame. */
static bool take_frame_of(session *s, inlet *in, thread *t, const frame *header, uint32_t bytes) {
    bool several = (header->flags & FLAG_MORE) != 0 || t->reply_bytes > 0;
    bool whole = several ? take_more(s, in, t, header, bytes) : take_body(s, in, t, header, bytes);
    t->result = header->result;
    t->texts = header->lane;
    return whole;
}

static bool take_reply(session *s, const frame *header, uint32_t bytes) {
    thread *t = claim(s, header);
    if (t == NULL)
        return lost(s, "it answered a call that nobody made");
    bool whole = take_frame_of(s, &s->receiving->in, t, header, bytes);
    hand_over(s, t, whole && (header->flags & FLAG_MORE) == 0);
    return whole;
}

/* The header's result says how many bytes of the padded body are text. */
static char *take_text(session *s, const frame *header, uint32_t bytes) {
    if (header->result < 0 || (uint32_t)header->result > bytes) {
        lost(s, "it sent a malformed text");
        return NULL;
    }
    char *text = malloc(bytes + 1u);
    if (text == NULL)
        lost(s, "out of memory");
    else if (!take(s, text, bytes)) {
        free(text);
        text = NULL;
    }
    return text;
}

/* A kernel's printed text is the program's own output, after the text that the program has printed
 * itself. */
static bool take_output(session *s, const frame *header, uint32_t bytes) {
    char *text = take_text(s, header, bytes);
    if (text == NULL)
        return false;
    fflush(stdout);
    write_whole(STDOUT_FILENO, text, (uint32_t)header->result);
    free(text);
    atomic_fetch_add(&s->receiving->texts, 1);
    return true;
}

static bool take_message(session *s, const frame *header, uint32_t bytes) {
    char *text = take_text(s, header, bytes);
    if (text == NULL)
        return false;
    make_printable(text, (uint32_t)header->result);
    if (!is_quiet())
        write_whole(STDERR_FILENO, text, (uint32_t)header->result);
    free(text);
    atomic_fetch_add(&s->receiving->texts, 1);
    return true;
}

static bool take_log(session *s, const frame *header, uint32_t bytes) {
    if (!s->logged)
        return lost(s, "it sent a log that nobody asked for");
    char *text = take_text(s, header, bytes);
    if (text == NULL)
        return false;
    call_log_backend(s, text, (uint32_t)header->result);
    free(text);
    return true;
}

static bool take_callback(session *s, const frame *header, uint32_t bytes) {
    uint64_t body[2];
    if (bytes != sizeof body)
        return lost(s, "it sent a malformed callback");
    if (!take(s, body, sizeof body))
        return false;
    return callback_request(s, body[0], body[1], header->result) ||
           lost(s, "it asked for a callback that nobody registered");
}

static bool take_trace(session *s, uint32_t bytes) {
    uint32_t number = bytes / sizeof(trace_record);
    if (!s->traced || number == 0 || bytes % sizeof(trace_record) != 0)
        return lost(s, "it sent a malformed trace");
    trace_record *records = malloc(bytes);
    if (records == NULL)
        return lost(s, "out of memory");
    bool whole = take(s, records, bytes);
    if (whole)
        trace_backend(s, records, number);
    free(records);
    return whole;
}

static bool take_bulk_lost(session *s, uint32_t bytes) {
    uint64_t transfer;
    if (bytes != sizeof transfer)
        return lost(s, "it sent a malformed frame");
    if (!take(s, &transfer, sizeof transfer))
        return false;
    s->above->bulk_lost(s, transfer);
    return true;
}

static bool take_nothing(session *s, uint32_t bytes) {
    return bytes == 0 || lost(s, "it sent a malformed frame");
}

static bool has_length(session *s, const frame *header) {
    return (header->length >= sizeof *header && header->length <= FRAME_LIMIT &&
            header->length % 8 == 0) ||
           lost(s, "it sent a malformed frame");
}

/* A connection of a thread brings answers, and words about bytes. */
static bool has_place(session *s, uint8_t kind) {
    return s->of == NULL || kind == KIND_REPLY || kind == KIND_PONG ||
           lost(s, "it sent a frame over the connection of a thread that has no place there");
}

static bool take_next(session *s) {
    inlet *own = &s->receiving->in;
    frame header;
    if (!fill(s, sizeof header))
        return false;
    memcpy(&header, own->buffer + own->begin, sizeof header);
    own->begin += sizeof header;
    if (!lasting_acknowledged(s, header.acknowledged))
        return lost(s, "it has what was never sent");
    if (!has_length(s, &header) || !has_place(s, header.kind))
        return false;
    uint32_t bytes = header.length - (uint32_t)sizeof header;
    switch (header.kind) {
    case KIND_REPLY:
        return take_reply(s, &header, bytes);
    case KIND_OUTPUT:
        return take_output(s, &header, bytes);
    case KIND_MESSAGE:
        return take_message(s, &header, bytes);
    case KIND_CALLBACK:
        return take_callback(s, &header, bytes);
    case KIND_TRACE:
        return take_trace(s, bytes);
    case KIND_LOG:
        return take_log(s, &header, bytes);
    case KIND_PING:
        send_pong(s);
        return take_nothing(s, bytes);
    case KIND_PONG:
        if (header.result != 0 && s->lasting != NULL)
            s->above->suspects(session_root(s), (uint32_t)header.result & ~(1u << s->line));
        return take_nothing(s, bytes);
    case KIND_BULK_LOST:
        return take_bulk_lost(s, bytes);
    case KIND_GOODBYE:
        return lost(s, "it ended the session");
    default:
        return lost(s, "it sent a frame of an unknown kind");
    }
}

static bool take_frame(session *s) {
    bool taken = take_next(s);
    if (taken && lasting_owes(s))
        send_pong(s);
    return taken;
}

/* ---- the lead -------------------------------------------------------------------------------- */

static bool answered(const thread *t) {
    return atomic_load_explicit(&t->awaited, memory_order_acquire) == 0;
}

static bool take_lead(session *s) {
    struct receiving *own = s->receiving;
    pthread_mutex_lock(&own->lock);
    bool mine = !own->led;
    own->led = true;
    pthread_mutex_unlock(&own->lock);
    return mine;
}

bool receive_prepare_listener(session *s) { return stream_prepare_bell(s); }

/* The leader may have read the listener's event before the listener watched. */
void receive_wake_listener(session *s) {
    struct receiving *own = s->receiving;
    if (own->listener_waits)
        pthread_cond_signal(&own->listener_wake);
    if (own->listener_watches)
        stream_ring_bell(s);
}

/* Under the lock. One follower leads next; after a loss all of them go. Without one, what has been
 * read beyond an answer is the listener's, who would not see it come. */
static void pass_lead(session *s) {
    struct receiving *own = s->receiving;
    own->led = false;
    for (thread *t = own->waiting; t != NULL; t = t->next_waiting) {
        pthread_cond_signal(&t->wake);
        if (session_open(s))
            return;
    }
    if (own->listener_waits)
        pthread_cond_signal(&own->listener_wake);
    if (own->listener_watches && own->in.begin != own->in.end)
        stream_ring_bell(s);
}

static void give_up_lead(session *s) {
    struct receiving *own = s->receiving;
    pthread_mutex_lock(&own->lock);
    pass_lead(s);
    pthread_mutex_unlock(&own->lock);
}

/* ---- waiting, by the leader ------------------------------------------------------------------ */

/* Beside a connection of a thread somebody reads the first one: what the backend has for the
 * program comes there, and it may wait until that is read. A round without a byte returns 0. */
static short await_beside(session *s, short events, int most_ms) {
    session *first = s->of;
    short there = 0;
    for (int left = most_ms < 0 ? BESIDE_MS : most_ms; session_open(s) && left > 0;) {
        /* One that has ended is the watch's. */
        bool both = (there & ~POLLIN) == 0 && !atomic_load(&first->receiving->led);
        int nap = left < BESIDE_MS ? left : BESIDE_MS;
        short now = stream_wait_beside(s, events, both, nap, &there);
        if (now != 0)
            return now;
        if (there == POLLIN)
            receive_what_came(first);
        else if (most_ms >= 0 && there == 0)
            left -= nap;
    }
    errno = 0;
    return 0;
}

static short await_events(session *s, short events, int most_ms) {
    return s->of != NULL ? await_beside(s, events, most_ms) : stream_wait(s, events, most_ms);
}

/* Waits for such events, and takes a frame unless there is room to write. Returns the events. */
static short take_while_waiting(session *s, short events, silence *before) {
    const struct receiving *own = s->receiving;
    uint32_t generation = stream_generation(s);
    short ready = own->in.begin == own->in.end
                      ? await_events(s, events, s->distant ? stream_round_ms : -1)
                      : POLLIN;
    bool silent = ready == 0 && stream_silent(s, before);
    if (silent)
        stream_broken(s, generation, "it is silent");
    if (silent || (ready != 0 && (ready & POLLOUT) == 0 && take_frame(s)))
        *before = (silence){0};
    return ready;
}

/* One that has a connection to itself. */
static void lead_beside(session *s, const thread *t) {
    silence before = {0};
    stream_look_for_bytes(s);
    while (!answered(t) && session_open(s))
        take_while_waiting(s, POLLIN, &before);
}

/* Under the lock: leads until t's reply has come. */
static void lead(session *s, thread *t) {
    struct receiving *own = s->receiving;
    own->led = true;
    pthread_mutex_unlock(&own->lock);
    if (s->of != NULL)
        lead_beside(s, t);
    else
        while (!answered(t) && session_open(s) && take_frame(s))
            continue;
    pthread_mutex_lock(&own->lock);
    pass_lead(s);
}

static bool goes_on(const void *what) {
    const thread *t = what;
    return answered(t) || !atomic_load_explicit(&t->way->receiving->led, memory_order_acquire);
}

/* Under the lock, but for the looking itself. */
static bool look_before_sleep(struct receiving *own, thread *t) {
    uint32_t most_ns = stream_looks_ns(t->way);
    if (most_ns == 0)
        return false;
    patience_limit(&t->patience, most_ns);
    pthread_mutex_unlock(&own->lock);
    stream_look(t->way, &t->patience, goes_on, t);
    pthread_mutex_lock(&own->lock);
    return goes_on(t);
}

/* Under the lock: waits until it is answered, or should lead. */
static void follow(struct receiving *own, thread *t) {
    if (look_before_sleep(own, t))
        return;
    t->previous_waiting = NULL;
    t->next_waiting = own->waiting;
    if (own->waiting != NULL)
        own->waiting->previous_waiting = t;
    own->waiting = t;
    pthread_cond_wait(&t->wake, &own->lock);
    if (t->previous_waiting != NULL)
        t->previous_waiting->next_waiting = t->next_waiting;
    else
        own->waiting = t->next_waiting;
    if (t->next_waiting != NULL)
        t->next_waiting->previous_waiting = t->previous_waiting;
}

/* The text of a kernel, say, comes over the first connection before a call returns that waits
 * for the kernel. */
static void await_texts(const thread *t) {
    session *first = t->session;
    const _Atomic uint32_t *texts = &first->receiving->texts;
    while ((int32_t)(t->texts - atomic_load(texts)) > 0 && session_open(first)) {
        receive_what_came(first);
        if ((int32_t)(t->texts - atomic_load(texts)) > 0)
            nanosleep(&(struct timespec){.tv_nsec = TEXT_NAP_NS}, NULL);
    }
}

static bool wait_for_answer(thread *t) {
    session *s = t->way;
    struct receiving *own = s->receiving;
    bool woken = false;
    pthread_mutex_lock(&own->lock);
    while (!answered(t) && (session_open(s) || t->filling)) {
        if (!own->led) {
            lead(s, t);
        } else {
            own_ring_met(t);
            follow(own, t);
            woken = true;
        }
    }
    /* Perhaps it was woken to lead and answered meanwhile: somebody else must. */
    if (woken && !own->led)
        pass_lead(s);
    pthread_mutex_unlock(&own->lock);
    return answered(t);
}

bool receive_wait(thread *t) {
    bool answered = wait_for_answer(t);
    if (answered && t->way != t->session)
        await_texts(t);
    return answered;
}

void receive_for(session *line, thread *sole) {
    pthread_mutex_lock(&line->receiving->lock);
    line->receiving->sole = sole;
    pthread_mutex_unlock(&line->receiving->lock);
}

/* ---- who reads without waiting for an answer ------------------------------------------------- */

void receive_until_writable(session *s) {
    if (!take_lead(s)) {
        stream_wait(s, POLLOUT, LED_ELSEWHERE_MS);
        return;
    }
    silence before = {0};
    for (bool writable = false; !writable && session_open(s);)
        writable = (take_while_waiting(s, POLLIN | POLLOUT, &before) & POLLOUT) != 0;
    give_up_lead(s);
}

/* A frame that could not be kept does not leave; it may wait for a word of this side. */
void receive_until_room(session *s, size_t bytes) {
    if (!take_lead(s)) {
        lasting_await_room(s, LED_ELSEWHERE_MS);
        return;
    }
    silence before = {0};
    while (session_open(s) && !lasting_has_room(s, bytes) && !lasting_owes(s))
        take_while_waiting(s, POLLIN, &before);
    give_up_lead(s);
}

/* Under the lock. */
static void await_lead(session *s) {
    struct receiving *own = s->receiving;
    own->listener_waits = true;
    while (own->led && session_open(s) && !callback_due(s))
        pthread_cond_wait(&own->listener_wake, &own->lock);
    own->listener_waits = false;
}

static void watch(session *s) {
    struct receiving *own = s->receiving;
    stream_watch(s);
    pthread_mutex_lock(&own->lock);
    own->listener_watches = false;
    pthread_mutex_unlock(&own->lock);
}

/* Returns whether there may be something to read that nobody else reads. */
static bool await_frame(session *s) {
    struct receiving *own = s->receiving;
    pthread_mutex_lock(&own->lock);
    await_lead(s);
    bool quiet = !own->led && session_open(s) && !callback_due(s);
    own->listener_watches = quiet && own->in.begin == own->in.end;
    bool watching = own->listener_watches;
    pthread_mutex_unlock(&own->lock);
    if (watching)
        watch(s);
    return quiet;
}

void receive_what_came(session *s) {
    const struct receiving *own = s->receiving;
    if (!take_lead(s))
        return;
    while (session_open(s) && (own->in.begin != own->in.end || stream_wait(s, POLLIN, 0) != 0) &&
           take_frame(s))
        continue;
    give_up_lead(s);
}

/* Watches without leading, so that a thread that makes a call meanwhile reads its answer itself. */
void receive_listen(session *s) {
    if (await_frame(s))
        receive_what_came(s);
}

/* ---- a thread's own ring --------------------------------------------------------------------- */

static bool take_own_frame(session *s, inlet *in, thread *t) {
    frame header;
    if (!take_from(s, in, &header, sizeof header) || !has_length(s, &header))
        return false;
    if (header.kind != KIND_REPLY || header.sequence != atomic_load(&t->awaited))
        return lost(s, "it answered a call that nobody made");
    bool whole = take_frame_of(s, in, t, &header, header.length - (uint32_t)sizeof header);
    if (whole && (header.flags & FLAG_MORE) == 0)
        atomic_store_explicit(&t->awaited, 0, memory_order_release);
    return whole;
}

/* What a kernel has printed comes through the first ring, before the answer to a call that waits
 * for the kernel. */
bool receive_in_ring(thread *t) {
    session *s = t->session;
    inlet in = {.owner = t};
    while (!answered(t) && session_open(s) && take_own_frame(s, &in, t))
        continue;
    while (stream_has_some(s) && s->receiving->led && session_open(s))
        sched_yield();
    if (stream_has_some(s))
        receive_what_came(s);
    return answered(t);
}
