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
    FLAG_PAYLOAD = 8,
    BODY_LIMIT = (1 << 20) + (64 << 10),
    FRAME_LIMIT = BODY_LIMIT + 40,
    MESSAGE_LIMIT = 64 << 10,
    THREAD_LIMIT = 1 << 16,
};

#define PAYLOAD_LIMIT (2ULL << 30)
#define PAYLOAD_MARK (1ULL << 63)

static inline uint64_t align8(uint64_t bytes) { return (bytes + 7) & ~7ULL; }

/* ---- threads.c ---------------------------------------------------------------------------------------------------- */

typedef struct thread {
    ob_thread public;
    uint8_t *request;           /* header and body of the call being made */
    uint32_t request_capacity;
    const void *payload;        /* the one large part of the call, sent ahead of it */
    uint64_t payload_bytes;
    uint8_t *reply;             /* written by the leader while this thread waits */
    uint32_t reply_capacity;
    uint32_t reply_bytes;
    int32_t result;
    uint64_t awaited;           /* sequence of the call whose reply this thread waits for, 0 if none */
    bool waiting;               /* counts as a follower */
    pthread_cond_t wake;
} thread;

thread *thread_self(void);                  /* NULL if memory ran out */
thread *thread_by_number(uint32_t number);  /* NULL if there is none; under the receive lock */
thread *thread_any_waiting(void);           /* a follower that could lead; under the receive lock */
void threads_wake_all(void);                /* under the receive lock */
bool thread_reserve_request(thread *t, uint32_t bytes);

/* ---- session.c ---------------------------------------------------------------------------------------------------- */

enum session_state { SESSION_NEW, SESSION_OPEN, SESSION_LOST, SESSION_FORKED };

typedef struct session {
    _Atomic int state;
    int fd;
    bool synchronous;           /* OUTBOARD_SYNC=1 */
    uint64_t tag;               /* bits of the session in minted handles */
} session;

extern session the_session;

int32_t session_ensure(const ob_library *library);  /* 0, or the library's result code */
void session_lost(const char *why);
const ob_library *session_library(uint32_t index);  /* those that the Hello lists; NULL past the last */

/* ---- greet.c, find.c, connect.c ----------------------------------------------------------------------------------- */

typedef struct endpoint {
    char uri[512];              /* unix:PATH or tcp://HOST:PORT */
    char found[512];            /* where it was found, for messages */
} endpoint;

bool find_backend(endpoint *to);
bool find_token(char *to, size_t limit);            /* 64 hexadecimal digits */
int connect_to(const endpoint *to, char *why, size_t limit); /* a descriptor, or -1 */
bool greet(int fd, char *why, size_t limit);

/* ---- send.c ------------------------------------------------------------------------------------------------------- */

void send_reset(void);
/* Appends a frame to what is posted; wakes the sender. The frame's sequence is set here. */
void send_post(frame *header, const void *body, uint32_t body_bytes);
/* Writes everything posted, the payload if there is one, then this frame. Returns its sequence. */
uint64_t send_now(thread *t, frame *header, uint32_t body_bytes);
void send_flush_at_exit(void);

/* ---- receive.c ---------------------------------------------------------------------------------------------------- */

extern pthread_mutex_t receive_lock;
void receive_reset(void);
bool receive_wait(thread *t);       /* until t's reply is there; false if the session is lost */
void receive_available(void);       /* handles what has arrived, if nobody else reads; called by writers that would block */
void receive_listen(void);          /* reads until something arrived, as a leader of last resort */

/* ---- callbacks.c -------------------------------------------------------------------------------------------------- */

void callback_run(uint64_t number, uint64_t ticket);

/* ---- sha256.c ----------------------------------------------------------------------------------------------------- */

void hmac_sha256(const uint8_t *key, size_t key_bytes, const void *const parts[], const size_t sizes[], int count, uint8_t out[32]);

#endif
