/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls: the threads that make them, frames out and in, the functions and handles of the program
 * that they name.
 */
#ifndef OUTBOARD_RUNTIME_CALL_H
#define OUTBOARD_RUNTIME_CALL_H

#include "base/idle.h"
#include "observe/observe.h"

/* ---- bad_pointer.c --------------------------------------------------------------------------- */

/* The call that a thread makes, or has made last; for words about its pointers. */
typedef struct made_call {
    const ob_library *library;
    uint32_t number;
    bool travels;               /* from its begin until it is answered or posted */
    const void *stub;           /* where it was made, in the library's own code */
    const void *data;           /* the argument that was read last */
    uint64_t bytes;
} made_call;

/* Once a session is open: whoever gives a call a pointer that leads nowhere is told. */
void pointers_watch(void);

/* ---- threads.c ------------------------------------------------------------------------------- */

/* An answered call whose success stands until the session sends more. */
/* How an object that a call touches was behind it; as long as it is so, no call that has returned
 * has touched it since, and none was about everything. */
typedef struct order_stamp {
    bool known;
    uint64_t place, wide;
} order_stamp;

typedef struct settled {
    const ob_library *library;      /* NULL if there is none */
    uint32_t number;
    uint32_t lane;
    uint32_t flags;
    uint64_t argument;
    uint64_t sequence;              /* 0 if it failed */
    order_stamp stamp;              /* where there are several rings */
} settled;

typedef struct own_ring own_ring;

enum { WAIT_KINDS = 8 };

typedef struct thread {
    ob_thread public;
    session *session;               /* whose number it has */
    own_ring *ring;                 /* NULL: it uses the first one, with others */
    uint32_t met;                   /* calls that found another thread in their way */
    bool through_ring;              /* the call being made goes through it */
    session *way;                   /* or rather over this connection, its own or the first one */
    made_call made;
    uint8_t *request;               /* header and body of the call being made */
    uint32_t request_capacity;
    const void *payload;            /* the one large part of the call, sent ahead of it */
    uint64_t payload_bytes;
    void *copied;                   /* the payload of the last call, where it had to be copied */
    /* the call's last part, where it is too large to be worth a copy */
    const void *tail;
    uint32_t tail_bytes;
    /* where the reply's large part belongs, NULL if there is none … */
    uint8_t *sink;
    uint32_t sink_at;               /* … behind so many bytes of fixed part */
    uint64_t sink_bytes;            /* exactly so many */
    uint8_t *reply;                 /* written by the leader while this thread waits */
    uint32_t reply_capacity;
    uint32_t reply_bytes;           /* that have come, of one in several frames */
    uint64_t reply_most;            /* of one in several frames */
    uint64_t delivered;             /* bytes that went to the sink; they are not in the reply */
    uint64_t beside_up, beside_down; /* bytes that travel beside the thread's next call */
    int32_t result;
    uint32_t texts;                 /* the first connection carried so many before its answer */
    /* of the call being made, for the log; NULL until there is one */
    call_text *text;
    /* sequence of the call whose reply this thread waits for, 0 if none */
    _Atomic uint64_t awaited;
    uint64_t sent;                  /* sequence of this thread's last call */
    order_stamp stamp;              /* behind that call */
    bool settles;                   /* the call being made adds no work */
    /* while callbacks are expected: since the thread's last answer … */
    uint32_t posted_calls;
    uint64_t posted_bytes;          /* … and the bytes of their bodies */
    settled settled;
    bool filling;                   /* the leader writes its reply now; under the receive lock */
    struct thread *next_waiting, *previous_waiting; /* under the receive lock */
    pthread_cond_t wake;
    patience patience;              /* while another thread leads */
    foreseen waits[WAIT_KINDS];     /* for answers, by the number of the call */
} thread;

bool threads_make(session *s);
/* The call being made goes through a ring that is no connection. */
static inline bool thread_uses_ring(const thread *t) {
    return t->through_ring && t->way == t->session;
}
static inline thread *thread_that_calls(const ob_call *call) {
    return (thread *)(void *)call->thread;
}
thread *thread_self(void);                  /* of this thread's session; NULL if memory ran out */
const thread *thread_last(void);            /* the one that was asked for last; NULL: none yet */
thread *thread_of(session *s);              /* the same of a session */
void threads_forget(session *s);            /* in a forked child: the old ones are the parent's */
/* NULL if there is none; under the receive lock */
thread *thread_by_number(const session *s, uint32_t number);
uint32_t threads_now(const session *s);     /* how many there are */
bool thread_reserve_request(thread *t, uint32_t bytes);

/* ---- order.c --------------------------------------------------------------------------------- */

#define ORDER_ALL ((uint64_t)INT64_MAX)     /* behind all that was sent before */

/* How the objects that a call touches were, before it was sent. */
typedef struct order_seen {
    bool looked;
    uint64_t places[2], wide;
} order_seen;

bool order_make(session *s);
bool order_is_needed(const session *s);     /* there are several rings */
/* From now on this ring has calls, too; all calls up to this number have been sent over the others,
 * and while it is the first further one, no other is being sent. */
void order_begins(session *s, uint32_t ring, uint64_t sequence);
/* A thread leaves the first ring: what was sent there comes before its calls, also the end of the
 * thread that had its number. */
void order_moves(const session *s, uint64_t sequence);
/* Before a call of a ring is sent: posted calls up to this number are to be issued before it. */
uint64_t order_fence(const session *s, const ob_call *call, uint32_t ring, order_seen *seen);
/* Once it has been posted, or answered, before it returns. */
order_stamp order_sent(const session *s, const ob_call *call, uint32_t ring,
                       const order_seen *seen, uint64_t sequence);
/* Of a call that is not noted: it adds no work. */
order_stamp order_stamp_of(const ob_call *call, const order_seen *seen);
bool order_stands(const session *s, uint64_t object, const order_stamp *stamp);

/* ---- own_ring.c ------------------------------------------------------------------------------ */

bool own_rings_make(session *s);
uint32_t own_ring_meetings(const session *s);   /* that a new thread counts as had */
bool own_rings_wanted(const session *s);        /* there may be others than the first */
void own_ring_met(thread *t);               /* another one was in the way of its call */
void own_ring_seek(thread *t);              /* before a call: where others are in its way */
void own_ring_leave(thread *t);             /* as it ends, and the backend knows */
uint32_t own_ring_index(const own_ring *ring);
session *own_ring_way(const own_ring *ring); /* the connection that it is; NULL if it is none */
void own_rings_shutdown(session *s);        /* threads that wait for connections return */
/* Those of the session's connections with a bit are lost; nothing where there is one alone. */
void own_rings_suspect(session *s, uint32_t connections);
void own_rings_end(session *s);             /* sends what is posted there */
void own_rings_forget(session *s);          /* in a forked child: they are the parent's */
bool own_ring_write(const thread *t, struct iovec *parts, int count);
size_t own_ring_read(const thread *t, void *to, size_t limit); /* 0 if the session is lost */

/* ---- own_line.c ------------------------------------------------------------------------------ */

/* Whether threads of the session may have connections of their own. */
bool line_can_be(const session *s);
/* One that the backend awaits, of this number from 1 on; NULL if it cannot be had. */
session *line_open(session *s, uint32_t number);

/* ---- call.c ---------------------------------------------------------------------------------- */

/* Asks something of the session's own, which the backend answers. Returns this thread, which has
 * the answer; NULL if there is none. */
const thread *ask_backend(session *s, uint8_t kind, const void *body, uint32_t body_bytes);

/* Whether memory of the program is such as ob_copy_where says. */
bool is_to_be_copied(const void *memory, uint64_t bytes);

/* ---- reply.c --------------------------------------------------------------------------------- */

/* The bytes of a whole reply, at most; more than OB_REPLY_MOST where the call asks for too much. */
uint64_t reply_most(const ob_call *call);
/* A large part that is the only one is put into its place as it comes. */
void reply_choose_sink(const ob_call *call, thread *t);
/* Whether the reply that has come is of the shape that the call says. */
bool reply_fits(const ob_call *call);
/* Puts the variable parts of one that fits into their places. */
void reply_hand_out(const ob_call *call);

/* ---- join.c ---------------------------------------------------------------------------------- */

/* Has the backend open a library that the greeting did not list, if it has not been asked yet. */
void library_join(session *s, const ob_library *library);
bool join_make(session *s);

/* ---- send.c ---------------------------------------------------------------------------------- */

/* Drops the first `bytes` of the parts; returns how many parts are left, at the end of the array.
 */
int parts_drop(struct iovec **parts, int count, size_t bytes);

bool send_make(session *s);
/* Appends a frame to what is posted; wakes the sender. The frame's sequence is set here. */
void send_post(session *s, frame *header, const void *body, uint32_t body_bytes);
/* The same, and all that is posted leaves by this thread, before this returns. */
void send_urgently(session *s, frame *header, const void *body, uint32_t body_bytes);
/* The same for a call, whose body is the thread's request and tail. A tail has been written when
 * this returns. */
void send_post_call(thread *t, frame *header, uint32_t body_bytes);
/* Writes everything posted, the payload if there is one, then this frame, whose body is the
 * thread's request and tail. */
void send_now(thread *t, frame *header, uint32_t body_bytes);
/* From now on frames of this ring, too, have numbers in common with the others, and an order. */
void send_in_order(session *s, uint32_t ring);
uint64_t send_last_sequence(const session *s); /* the number of the last frame of the session */
void send_pong(session *s);       /* never waits: for readers */
/* likewise; all transfers up to this one are lost */
void send_bulk_lost(session *s, uint64_t transfer);
/* The posted calls, and over the first connection a goodbye; within a bounded time. */
void send_last(session *s);

/* ---- rest.c ---------------------------------------------------------------------------------- */

/* Sleeps for the most of a wait that is going to be long, as earlier ones for this call's answer
 * were. Returns when the wait began. */
uint64_t rest_before_answer(thread *t, const ob_call *call);
void rest_learn(thread *t, const ob_call *call, uint64_t begun);    /* the answer has come */

/* ---- receive.c ------------------------------------------------------------------------------- */

bool receive_make(session *s);
pthread_mutex_t *receive_lock(const session *s);
/* Until t's reply has come through its own ring; false if the session is lost. */
bool receive_in_ring(thread *t);
bool receive_wait(thread *t);           /* until t's reply is there; false if the session is lost */
/* The thread that has this connection to itself, from before it sends; NULL once it has ended. */
void receive_for(session *line, thread *sole);
void receive_until_writable(session *s);      /* for a writer whom the socket makes wait */
/* for a writer whose bytes cannot be kept, or until the backend should be told something */
void receive_until_room(session *s, size_t bytes);
/* once before the first receive_listen; under the receive lock */
bool receive_prepare_listener(session *s);
void receive_listen(session *s);              /* until a frame has been read or a callback is due */
void receive_what_came(session *s);           /* without waiting, unless another thread reads */
void receive_wake_listener(session *s);       /* under the receive lock */

/* ---- callbacks.c ----------------------------------------------------------------------------- */

bool callbacks_make(session *s);
/* some may be asked for, or have not returned */
bool callbacks_expected(const session *s);
bool callback_due(const session *s);                                /* under the receive lock */
bool callback_runs_here(void);                          /* on the calling thread */
/* false if there is no such callback */
bool callback_request(session *s, uint64_t number, uint64_t ticket, int32_t status);

/* ---- function_ring.c ------------------------------------------------------------------------- */

/* A function that the backend asks for. */
typedef struct asked_function {
    uint64_t number, ticket;
    int32_t status;
} asked_function;

/* Has functions go through their ring; false if there is none. By the thread that runs them. */
bool function_ring_open(session *s);
/* Waits for the next one; false if the session is lost. */
bool function_ring_take(session *s, asked_function *next);
void function_ring_done(session *s, uint64_t ticket);   /* it has returned */

/* ---- handles.c ------------------------------------------------------------------------------- */

bool handles_make(session *s);

#endif
