/* SPDX-License-Identifier: Apache-2.0
 *
 * A backend for tests: a thread of the test's process that speaks the protocol, well or badly.
 */
#ifndef OUTBOARD_FAKE_H
#define OUTBOARD_FAKE_H

#include "move/move.h"
#include "check.h"
#include "region.h"

/* The fake's calls. */
enum {
    CALL_ECHO = 1,      /* the reply's body is the request's */
    CALL_FILL = 2,      /* u64 n: the reply is one variable part of n bytes of the pattern */
    CALL_PAYLOAD = 3,   /* u64: replies the payload's bytes and their sum */
    CALL_FAIL = 4,      /* fails with RESULT_FAILED */
    CALL_COUNT = 5,     /* replies how many calls there were before it */
    /* u64 number: asks for the callback, replies when it has returned; posted: asks */
    CALL_CALLBACK = 6,
    CALL_PRINT = 7,     /* text: has it printed */
    CALL_LEFT_OUT = 9,  /* the backend says that it lacks it */
    CALL_LEVEL = 40,
    RESULT_FAILED = 42,
};

extern const ob_library test_library;

typedef struct fake fake;
typedef void (*fake_script)(fake *);

struct fake {
    fake *before;               /* the one started before: all stay to the end */
    fake_script script;
    int listener, fd;
    bool tcp;
    bool shm;                   /* offers a region: where the tests run with MEDIUM=shm */
    bool joinable;              /* takes more connections of the session */
    uint16_t grace;             /* seconds that the session outlives its connection */
    region_layout layout;       /* of the region that it offers */
    /* one that the client has already: its descriptor does not travel; 0: none */
    int region;
    channel rings;
    char uri[128];
    uint64_t sequence;          /* of the last frame that came */
    _Atomic uint64_t calls;     /* that came, posted or not */
    _Atomic uint64_t ended_thread; /* of the last THREAD_END */
    _Atomic uint32_t opened;    /* libraries asked for after the greeting */
    _Atomic bool goodbye;
    _Atomic int bulk_losses;    /* that the client has told of */
    _Atomic bool closed;        /* the connection has ended */
    uint64_t payload_bytes, payload_sum;
    uint32_t hello_bytes;
    uint8_t hello[MESSAGE_LIMIT];
    uint8_t body[BODY_LIMIT];
    pthread_t thread;
};

/* Whether the tests run over it: unix, shm or xen. */
bool is_medium(const char *name);
/* Listens, sets OUTBOARD and runs the script with the one connection in a thread. */
fake *fake_start(fake_script script, bool tcp);
void fake_join(fake *f);

void fake_read_hello(fake *f);
void fake_welcome(fake *f, const uint8_t proof[32]);
/* Offers a region; whether the client took it. */
bool fake_offer(fake *f, int fd, const region_layout *layout);
bool fake_challenge(fake *f, const char *token); /* and welcomes who has the token */
void fake_await_end(fake *f);                   /* of the client's side, whatever comes */
void fake_admit(fake *f);                       /* on TCP challenges, then welcomes */
void fake_greet(fake *f);                       /* reads the hello, and admits */

bool fake_get(fake *f, void *to, size_t bytes); /* false at the end */
bool fake_put(fake *f, const void *from, size_t bytes);
bool fake_read(fake *f, frame *to);             /* the body is in f->body */
void fake_send(fake *f, uint8_t kind, int32_t result, const void *body, uint32_t bytes);
void fake_reply(fake *f, const frame *call, int32_t result, const void *body, uint32_t bytes);
void fake_handle(fake *f, const frame *one);    /* as fake_serve does with each */
void fake_serve(fake *f);                       /* greets, then until the end */
void fake_serve_next(fake *f);                  /* the same with the next connection */

/* The client's side of the calls above. */
void expect_echo(ob_call *call);                /* the reply is the request, as it is by now */
int32_t call_echo(uint64_t value, uint64_t *back);
int32_t call_plain(uint32_t number, uint32_t flags);
uint64_t call_count(void);

#endif
