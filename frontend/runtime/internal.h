/* SPDX-License-Identifier: Apache-2.0
 *
 * What the runtime's files share. Each file has one purpose; its face to the others is here.
 */
#ifndef OUTBOARD_INTERNAL_H
#define OUTBOARD_INTERNAL_H

#include "glibc.h"
#include "outboard.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/uio.h>

/* ---- frames: PROTOCOL.md, "Frames" -------------------------------------------------------------------------------- */

typedef struct frame {
    uint32_t length;
    uint8_t kind;
    uint8_t flags;
    uint16_t call;
    uint32_t library;
    uint32_t lane;
    uint32_t thread;
    int32_t result;
    uint64_t sequence;
    uint64_t acknowledged;
} frame;

_Static_assert(sizeof(frame) == 40, "the header has no padding");

enum {
    KIND_CALL = 1,
    KIND_REPLY = 2,
    KIND_PAYLOAD = 3,
    KIND_OUTPUT = 4,
    KIND_PING = 5,
    KIND_PONG = 6,
    KIND_GOODBYE = 7,
    KIND_THREAD_END = 8,
    KIND_CALLBACK = 9,
    KIND_CALLBACK_DONE = 10,
    KIND_MESSAGE = 11,
    KIND_TRACE = 12,
    KIND_LIBRARY = 13,
    KIND_LOG = 14,
    FLAG_PAYLOAD = 8,
    BODY_LIMIT = (1 << 20) + (64 << 10),
    FRAME_LIMIT = BODY_LIMIT + 40,
    MESSAGE_LIMIT = 64 << 10,
    THREAD_LIMIT = 1 << 16,
};

#define PAYLOAD_LIMIT (2ULL << 30)
#define PAYLOAD_MARK (1ULL << 63)

enum { TAIL_LEAST = 64 << 10 };

static inline uint64_t align8(uint64_t bytes) { return (bytes + 7) & ~7ULL; }

/* ---- log.c -------------------------------------------------------------------------------------------------------- */

/* Replaces what a terminal would obey: the text is the backend's. */
void make_printable(char *text, size_t bytes);

/* ---- threads.c ---------------------------------------------------------------------------------------------------- */

/* An answered call whose success stands until the session sends more. */
typedef struct settled {
    const ob_library *library;      /* NULL if there is none */
    uint32_t number;
    uint32_t lane;
    uint32_t flags;
    uint64_t argument;
    uint64_t sequence;              /* 0 if it failed */
} settled;

typedef struct thread {
    ob_thread public;
    uint8_t *request;               /* header and body of the call being made */
    uint32_t request_capacity;
    const void *payload;            /* the one large part of the call, sent ahead of it */
    uint64_t payload_bytes;
    const void *tail;               /* the call's last part, where it is too large to be worth a copy */
    uint32_t tail_bytes;
    uint8_t *sink;                  /* where the reply's large part belongs, NULL if there is none … */
    uint32_t sink_at;               /* … behind so many bytes of fixed part */
    uint64_t sink_bytes;            /* exactly so many */
    uint8_t *reply;                 /* written by the leader while this thread waits */
    uint32_t reply_capacity;
    uint32_t reply_bytes;
    uint64_t delivered;             /* bytes that went to the sink; they are not in the reply */
    uint64_t beside_up, beside_down; /* bytes that travel beside the thread's next call */
    int32_t result;
    struct call_text *text;         /* of the call being made, for the log; NULL until there is one */
    _Atomic uint64_t awaited;       /* sequence of the call whose reply this thread waits for, 0 if none */
    uint64_t sent;                  /* sequence of this thread's last call */
    uint32_t posted_calls;          /* while callbacks are expected: since the thread's last answer … */
    uint64_t posted_bytes;          /* … and the bytes of their bodies */
    settled settled;
    bool filling;                   /* the leader writes its reply now; under the receive lock */
    struct thread *next_waiting, *previous_waiting; /* under the receive lock */
    pthread_cond_t wake;
} thread;

thread *thread_self(void);                  /* NULL if memory ran out */
void threads_forget(void);                  /* in a forked child, as all …_forget: what was is the parent's */
thread *thread_by_number(uint32_t number);  /* NULL if there is none; under the receive lock */
uint32_t threads_now(void);                 /* how many there are */
bool thread_reserve_request(thread *t, uint32_t bytes);

/* ---- call.c ------------------------------------------------------------------------------------------------------- */

/* Asks something of the session's own, which the backend answers. Returns this thread, which has the answer; NULL if there is none. */
const thread *ask_backend(uint8_t kind, const void *body, uint32_t body_bytes);

/* ---- greet.c, find.c, connect.c ----------------------------------------------------------------------------------- */

enum { ANSWER_MS = 1900 };    /* whoever waits is told within two seconds that a backend does not answer */

typedef struct endpoint {
    char uri[512];              /* unix:PATH, shm:PATH, relay:PATH or tcp://HOST:PORT */
    char found[512];            /* where it was found, for messages */
    int connect_ms;             /* how long connecting may take, 0: as usual */
    void (*late)(const struct endpoint *); /* is told that the backend has not answered for ANSWER_MS; may be NULL */
    int fd;                     /* a connection to it, where finding it took one, else -1 */
} endpoint;

enum { TOKEN_DIGITS = 64 };
enum sharing { SHARE_NEVER, SHARE_WHERE_POSSIBLE, SHARE_ALWAYS }; /* memory with the backend */

bool find_backend(endpoint *to);                /* its connection is the caller's */
#define SYSTEM_SOCKET "/run/outboard/outboard.sock"
bool find_token(char to[TOKEN_DIGITS + 1]);     /* lower-case hexadecimal digits */
int connect_to(const endpoint *to, char *why, size_t limit); /* a descriptor, or -1 */
/* HOST, HOST:PORT or [ADDRESS]:PORT; without a port the usual one, which begins with a colon */
bool split_authority(const char *authority, const char *usual, char *host, size_t limit, char *port, size_t port_limit);
enum sharing sharing_of(const endpoint *to);
extern int greeting_seconds;                    /* what a backend may take to greet */
/* Opens the session. Where the backend's answer is late, it is asked once more whether it greets, and who waits is told. */
bool greet(const endpoint *to, int fd, char *why, size_t limit);
/* Whether it greets this program, asked over a connection of its own: no session begins. */
bool greets(const endpoint *to, int milliseconds, char *why, size_t limit);
bool greet_again(const endpoint *to, int fd, char *why, size_t limit); /* as one more connection of the session */

/* ---- session.c ---------------------------------------------------------------------------------------------------- */

enum session_state { SESSION_NEW, SESSION_OPEN, SESSION_LOST, SESSION_ENDED, SESSION_FORKED };

typedef struct session {
    _Atomic int state;
    int fd;
    _Atomic bool bound;         /* a library has been used that a forked child may not use */
    bool synchronous;           /* OUTBOARD_SYNC=1 */
    bool distant;               /* not every end of the backend closes the connection */
    uint64_t tag;               /* bits of the session in minted handles */
    bool joinable;              /* more connections may be added to it … */
    uint8_t identity[16];       /* … by who knows this */
} session;

extern session the_session;

int32_t session_ensure(const ob_library *library);  /* 0, or the library's result code */
bool session_open(void);
endpoint session_endpoint(void);        /* without a connection */
void session_lost(const char *why);

/* ---- libraries.c -------------------------------------------------------------------------------------------------- */

enum { LIBRARY_ENTRY = 64 };

const ob_library *library_at(uint32_t index);   /* those that the greeting lists; NULL past the last */
void put_library(uint8_t to[LIBRARY_ENTRY], const ob_library *library); /* as the greeting lists it */
/* Has the backend open a library that the greeting did not list, if it has not been asked yet. */
void library_join(const ob_library *library);
void libraries_forget(void);
/* Takes the libraries of a Welcome; false if they are malformed. */
bool backend_libraries(const uint8_t *from, uint32_t bytes, uint32_t count);

/* ---- stream.c ----------------------------------------------------------------------------------------------------- */

struct region_layout;
/* Goes over to rings in a region that the backend sent; false if it cannot be used. */
bool stream_share(int fd, const struct region_layout *layout);
void stream_unshare(void);
bool stream_shared(void);
void stream_shutdown(void);                         /* whoever waits returns */
/* Waits for bytes, at least one; 0 if the session is lost. */
size_t stream_read(void *to, size_t limit);
/* Never waits; 0 if there is no room, or the session is lost. */
size_t stream_write(struct iovec *parts, int count);
/* As the program ends: neither reads, nor waits longer for room, nor tells. */
void stream_write_last(struct iovec left, int timeout_ms);
short stream_wait(short events, int timeout_ms);    /* as poll(2); -1 for ever */

/* A distant backend that works says so every few seconds, so one that is silent for long is lost. */
typedef struct silence {
    int rounds;
    int64_t since_ms;           /* of the round that a signal has cut, 0 if none */
} silence;

extern int stream_round_ms;
void stream_begin(void);                            /* the session is open */
void stream_in_rounds(void);                        /* from here on a backend that says nothing for some rounds is lost */
bool stream_silent(silence *now);                   /* after each round without a byte; true once the session is lost */

bool stream_prepare_bell(void);
void stream_forget(void);
void stream_watch(void);                            /* until there may be bytes, or the bell rings */
void stream_ring_bell(void);

/* ---- send.c ------------------------------------------------------------------------------------------------------- */

/* Drops the first `bytes` of the parts; returns how many parts are left, at the end of the array. */
int parts_drop(struct iovec **parts, int count, size_t bytes);

/* Appends a frame to what is posted; wakes the sender. The frame's sequence is set here. */
void send_post(frame *header, const void *body, uint32_t body_bytes);
/* The same for a call, whose body is the thread's request and tail. A tail has been written when this returns. */
void send_post_call(const thread *t, frame *header, uint32_t body_bytes);
/* Writes everything posted, the payload if there is one, then this frame, whose body is the thread's request and tail. */
void send_now(thread *t, frame *header, uint32_t body_bytes);
uint64_t send_last_sequence(void); /* the number of the last frame of the session */
void send_pong(void);       /* never waits: for who reads */
void send_goodbye(void);    /* and what is posted, within a bounded time */
void send_forget(void);

/* ---- receive.c ---------------------------------------------------------------------------------------------------- */

extern pthread_mutex_t receive_lock;
bool receive_wait(thread *t);           /* until t's reply is there; false if the session is lost */
void receive_until_writable(void);      /* for a writer whom the socket makes wait */
bool receive_prepare_listener(void);    /* once before the first receive_listen; under the receive lock */
void receive_listen(void);              /* until a frame has been read or a callback is due */
void receive_wake_listener(void);       /* under the receive lock */
void receive_forget(void);

/* ---- bulk.c ------------------------------------------------------------------------------------------------------- */

void bulk_shutdown(void);               /* whoever waits for bulk data returns */
void bulk_forget(void);

/* ---- callbacks.c -------------------------------------------------------------------------------------------------- */

bool callbacks_expected(void);                          /* some may be asked for, or have not returned */
bool callback_due(void);                                /* under the receive lock */
bool callback_runs_here(void);                          /* on the calling thread */
bool callback_request(uint64_t number, uint64_t ticket); /* false if there is no such callback */

/* ---- handles.c, cache.c ------------------------------------------------------------------------------------------- */

void handles_forget(void);
void cache_forget(void);

/* ---- trace.c ------------------------------------------------------------------------------------------------------ */

/* As the backend sends it. */
typedef struct trace_record {
    uint64_t sequence;
    uint32_t library;
    uint32_t call;
    uint32_t thread;
    int32_t result;
    uint64_t begin, end;    /* nanoseconds of the backend's clock */
} trace_record;

extern _Atomic bool tracing;
void trace_begin(void);
void trace_end(void);
/* A call that has returned; sequence 0 if it did not travel. */
void trace_call(const ob_call *call, uint64_t sequence, uint64_t large, int32_t result, uint64_t begin);
void trace_backend(const trace_record records[], uint32_t number);
void trace_forget(void);

/* ---- call_log.c --------------------------------------------------------------------------------------------------- */

extern bool call_logging;               /* from before the greeting on */
void call_log_begin(void);              /* before the greeting */
void call_log_backend(const char *text, uint32_t bytes);
void call_log_end(void);
void call_log_forget(void);

/* ---- out.c -------------------------------------------------------------------------------------------------------- */

/* A file for people, written in large pieces; whoever uses it guards it. */
typedef struct out_file {
    int fd;                             /* -1 if there is none */
    bool numbered;                      /* its name has the number of this process */
    size_t length;
    char text[64 << 10];
} out_file;

/* A file that is there is another process's: then the path gets this one's number. Says what hinders it. */
bool out_open(out_file *to, const char *path, const char *what);
/* One that goes with another one, and has its number if that has it; `suffix` follows. */
bool out_open_beside(out_file *to, const out_file *first, const char *path, const char *suffix, const char *what);
void out_add(out_file *to, const char *text, size_t bytes);
void out_flush(out_file *to);
void out_forget(out_file *to);

/* ---- sha256.c, sha256_blocks.c ------------------------------------------------------------------------------------ */

typedef struct part {
    const void *data;
    size_t bytes;
} part;

void sha256(const part parts[], int count, uint8_t out[32]);
/* Goes on from a state with whole blocks of 64 bytes; on any processor, or with what this one has for it. */
void sha256_blocks_anywhere(uint32_t h[8], const uint8_t *from, size_t blocks);
void sha256_blocks(uint32_t h[8], const uint8_t *from, size_t blocks);
void hmac_sha256(part key, const part parts[], int count, uint8_t out[32]);

#endif
