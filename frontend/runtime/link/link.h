/* SPDX-License-Identifier: Apache-2.0
 *
 * The connection: which backend, how to reach it, the greeting, the state of a session, its stream
 * of bytes.
 */
#ifndef OUTBOARD_RUNTIME_LINK_H
#define OUTBOARD_RUNTIME_LINK_H

#include "base/base.h"
#include "base/idle.h"
#include "base/wire.h"
#include "link/carrier.h"

#include <sys/uio.h>

/* ---- frames: PROTOCOL.md, "Frames" ----------------------------------------------------------- */

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

WIRE_FRAME_IS(frame);
/* Generated code, and plug-ins, have names of their own. */
_Static_assert((int)OB_ANSWER == FLAG_ANSWER && (int)OB_PER_THREAD == FLAG_PER_THREAD, "flags");
_Static_assert((int)OB_ORDERED == FLAG_ORDERED && (int)OB_LAST == FLAG_LAST, "flags");
_Static_assert((int)OB_CHUNK == CHUNK_BYTES && (int)OB_REPLY_MOST == REPLY_LIMIT, "bounds");

enum { RING_LIMIT = 17 };       /* of a program's threads */
_Static_assert((int)RING_LIMIT - 1 == REGION_FUNCTIONS_SLOT, "no ring of a thread is there");

#define PAYLOAD_MARK (1ULL << 63)

enum { TAIL_LEAST = 64 << 10 };

static inline uint64_t align8(uint64_t bytes) { return (bytes + 7) & ~7ULL; }

/* ---- greet.c, find.c, communicators.c -------------------------------------------------------- */

/* How long a backend's answer may take until whoever waits is told that it does not answer. After
 * the first part it is asked once more, whether it greets. */
typedef struct answer_time {
    int first_ms, all_ms;
    const char *words;          /* for people: of which it is a little less */
} answer_time;

/* Ten seconds: one that has ended closes its socket, so one that says nothing is there, and its
 * machine is busy. */
extern answer_time answer_expected;

typedef struct endpoint {
    char uri[512];              /* unix:PATH, shm:PATH, relay:PATH or tcp://HOST:PORT */
    char found[512];            /* where it was found, for messages */
    int connect_ms;             /* how long connecting may take, 0: as usual */
    /* is told that the backend has not answered for its answer_time; may be NULL */
    void (*late)(const struct endpoint *);
    int fd; /* a socket to it, where finding it took one, else -1 */
} endpoint;

enum { TOKEN_DIGITS = 64 };

bool find_backend(endpoint *to);                /* its connection is the caller's */
const char *backend_name(const endpoint *of);   /* for people: what a relay passes on to */
#define SYSTEM_SOCKET "/run/outboard/outboard.sock"
bool find_token(char to[TOKEN_DIGITS + 1]);     /* lower-case hexadecimal digits */
carrier connect_to(const endpoint *to, char *why, size_t limit); /* or none */
/* The capabilities of its communicator; none where there is no communicator. */
const ob_communicator *communicator_of(const endpoint *to);
/* HOST, HOST:PORT or [ADDRESS]:PORT; without a port the usual one, which begins with a colon */
bool split_authority(const char *authority, const char *usual, char *host, size_t limit, char *port,
                     size_t port_limit);
enum ob_sharing sharing_of(const endpoint *to);
/* Whether the backend may have memory of this machine's hypervisor, beside a communicator that has
 * none. */
bool may_share_with_host(const endpoint *to);
extern int greeting_seconds;                    /* what a backend may take to greet */

/* ---- state.c --------------------------------------------------------------------------------- */

enum session_state { SESSION_NEW, SESSION_OPEN, SESSION_LOST, SESSION_ENDED, SESSION_FORKED };

typedef struct session session;

/* Functions of the folders above that the session needs. */
typedef struct session_duties {
    void (*open)(session *s);   /* opens the session if need be */
    void (*lost)(session *s);   /* whoever waits elsewhere than at the stream returns */
    /* the session has another connection, over which the backend is to hear something soon */
    void (*restored)(session *s);
    /* connections of the session are taken for lost: those with a bit, from the first one on */
    void (*suspects)(session *s, uint32_t connections);
    /* the backend has lost its connections for bulk data, and transfers up to this one */
    void (*bulk_lost)(session *s, uint64_t transfer);
} session_duties;

/* A session with a backend: the facts that all of the runtime asks for, and each part's own state,
 * of which only that part knows more. */
struct session {
    _Atomic int state;
    carrier carrier;
    session *next;              /* of the process, the last one made first */
    /* A further connection, for the calls of one thread, is a session in whose place this one
     * stands for all but bytes and frames; NULL: it is one itself. */
    session *of;
    uint32_t line;              /* the number of such a connection, from 1 on */
    bool opened;                /* once, whatever has become of it */
    _Atomic bool bound;         /* a library has been used that a forked child may not use */
    bool synchronous;           /* OUTBOARD_SYNC=1 */
    /* one more than the lane whose context is lost, as far as is known; 0: none */
    _Atomic uint32_t lost;
    bool distant;               /* not every end of the backend closes the connection */
    bool passes;                /* descriptors, beside the bytes */
    /* frames travel through rings in memory that the backend shares, or did so at first */
    bool shared;
    /* bits of all handles of the session, which tell it from the process's others */
    uint64_t tag;
    bool joinable;              /* more connections may be added to it … */
    uint8_t identity[16];       /* … by who knows this */
    bool answers_at_length;     /* the backend's replies may come in several frames */
    bool logged;                /* calls are: the backend is asked for its log, too */
    _Atomic bool traced;        /* calls are */
    _Atomic bool ending;        /* the backend is told goodbye */
    /* without a connection; before it opens, the one to open it with, or none */
    endpoint backend;
    pthread_mutex_t loss_lock;
    const session_duties *above;

    struct stream *stream;
    struct lasting *lasting;    /* NULL where the session ends with its connection */
    struct farewell *farewell;  /* NULL where it does not */
    struct served_libraries *libraries;
    struct trace *trace;
    struct call_log *log;
    struct sending *sending;
    struct receiving *receiving;
    struct threads *threads;
    struct ordering *ordering;
    struct own_rings *own_rings;
    struct handles *handles;
    struct callbacks *callbacks;
    struct joining *joining;
    struct cache *cache;
    struct bulk *bulk;
};

/* Itself, or the one that it is a further connection of. */
static inline session *session_root(const session *s) {
    return s->of != NULL ? s->of : (session *)s;
}

/* The session of the calling thread: the process's first one unless it has taken another. */
session *session_here(void);
/* The process's first session from here on. */
void session_is_first(session *s);
/* The calling thread's session from here on; NULL for the first. */
void session_take(session *s);
/* Memory for a part of a session: zeros, on cache lines of its own, for as long as the process;
 * NULL if there is none. */
void *session_part(size_t bytes);

/* false if memory ran out, as all …_make… */
bool session_make_link(session *s, const session_duties *above);
/* 0, or the library's result code */
int32_t session_ensure(session *s, const ob_library *library);
bool session_open(const session *s);
void session_lost(session *s, const char *why);
/* For people: the cause of a loss, and what the backend says of the session's end. */
void session_gone(char *said, size_t limit, const char *cause, const char *why);
/* this process is a child: what was is the parent's */
void session_forked(void);

/* ---- greet.c --------------------------------------------------------------------------------- */

/* The state that a session needs to go on over another connection. */
typedef struct resumption {
    /* for so long the backend waits for one; 0: the session ends with its connection */
    uint32_t seconds;
    uint32_t epoch;             /* of the last one */
    char key[TOKEN_DIGITS + 1]; /* to be proven by both sides */
} resumption;

/* Opens the session. Where the backend's answer is late, it is asked once more whether it greets,
 * and who waits is told. */
bool greet(session *s, const endpoint *to, carrier over, resumption *how, char *why, size_t limit);
/* Whether it greets this program, asked over a connection of its own: no session begins. */
bool greets(const endpoint *to, int milliseconds, char *why, size_t limit);
enum returned { RETURNED, RETURN_LATER, RETURN_NEVER };
/* As the session's connection from here on; `has` is what this side has of the stream, then what
 * the other has. */
enum returned greet_return(session *s, const endpoint *to, carrier over, int milliseconds,
                           resumption *how, uint64_t *has, char *why, size_t limit);
/* as one more connection of the session: for bulk data, or of the number that it has */
bool greet_again(session *s, const endpoint *to, carrier over, char *why, size_t limit);

/* ---- lasting.c ------------------------------------------------------------------------------- */

/* from the first frame on; false if memory ran out */
bool lasting_begin(session *s, const resumption *how);
/* The same of a further connection, as its session; also where that is not lasting. */
bool lasting_begin_beside(session *line);
uint32_t lasting_generation(const session *s);
/* As stream_take. */
ssize_t lasting_receive(session *s, void *to, size_t limit);
/* Sends what the socket has room for, and keeps it; there is room. Bytes, or a negated error
 * number. */
ssize_t lasting_send(session *s, struct iovec *parts, int count);
bool lasting_restore(session *s, uint32_t generation, const char *why); /* see stream_broken */

/* All of these may be asked of any session. */
/* what the next frame says that this side has of the stream */
uint64_t lasting_tell(session *s);
bool lasting_owes(const session *s);                      /* whether that should be soon */
/* what a frame says that the other side has; false if it cannot */
bool lasting_acknowledged(session *s, uint64_t bytes);
bool lasting_has_room(session *s, size_t bytes);          /* to keep them */
/* until there is more, of a lasting one */
void lasting_await_room(session *s, int milliseconds);

/* ---- farewell.c ------------------------------------------------------------------------------ */

extern int farewell_answer_ms;
/* from the first frame on, of one that is not lasting; false if memory ran out */
bool farewell_begin(session *s, const resumption *how);
/* It is lost with its connection; the backend is asked why. */
void farewell(session *s, const char *cause);

/* ---- libraries.c ----------------------------------------------------------------------------- */

/* those that the greeting lists; NULL past the last */
const ob_library *library_at(uint32_t index);
/* as the greeting lists it */
void put_library(uint8_t to[HELLO_ENTRY_END], const ob_library *library);
/* once the session has opened */
bool backend_has(session *s, const ob_library *library, uint32_t call);
/* whether it has been greeted with, or asked for */
bool library_known(session *s, const ob_library *library);
/* Adds one that the backend has been asked for, with its answer; NULL, or what is malformed: it has
 * none of its calls. One at a time. */
void library_add(session *s, const ob_library *library, const uint8_t *from, uint32_t bytes);
bool libraries_full(const session *s);
bool libraries_make(session *s);
/* Sets OB_UNUSUAL_OBSERVED of all, or takes it back, also of those that come later. */
void libraries_observe(bool on);
void libraries_forget(void);
/* Takes the libraries of a Welcome; false if they are malformed. */
bool backend_libraries(session *s, const uint8_t *from, uint32_t bytes, uint32_t count);

/* ---- stream.c -------------------------------------------------------------------------------- */

struct region_layout;
struct doorbell_kind;
bool stream_make(session *s);
/* Goes over to rings in a region that the backend sent; false if it cannot be used. */
bool stream_share(session *s, int fd, const struct region_layout *layout,
                  const struct doorbell_kind *bells);
void stream_unshare(session *s);
/* it has gone over, and has not come back */
bool stream_in_memory(const session *s);
/* a descriptor of the memory that the hypervisor shares, with the rings in it, or -1 */
int stream_memory(const session *s);
uint64_t stream_memory_bytes(const session *s);           /* of all of it */
/* Comes back from them, for a session that goes on over another connection: the old one has been
 * shut down, and nobody reads or writes. Where the bytes lie that were written last, as
 * channel_written. */
size_t stream_leave_memory(session *s, struct iovec parts[2], uint64_t *end);
/* The bytes that are there now, as recv(2); EPROTO if the other side broke the rules. Nobody waits
 * where there are rings. */
ssize_t stream_take(session *s, void *to, size_t limit);
/* As much as there is room for; bytes, or a negated error number. */
ssize_t stream_put(session *s, struct iovec *parts, int count);
void stream_shutdown(session *s);                         /* whoever waits returns */
/* Waits for bytes, at least one; 0 if the session is lost. */
size_t stream_read(session *s, void *to, size_t limit);
/* Never waits; 0 if there is no room, or the session is lost. */
size_t stream_write(session *s, struct iovec *parts, int count);
/* As the program ends: neither reads, nor waits longer for room, nor tells. */
void stream_write_last(session *s, struct iovec left, int timeout_ms);
short stream_wait(session *s, short events, int timeout_ms);    /* as poll(2); -1 for ever */
/* The same of a further connection, also until there is something to read over the session's first
 * one, or that has ended, if `both`: *first has these events. Both are sockets. */
short stream_wait_beside(const session *line, short events, bool both, int timeout_ms,
                         short *first);

/* A distant backend that works says so every few seconds, so one that is silent for long is lost.
 */
typedef struct silence {
    int rounds;
    int64_t since_ms;           /* of the round that a signal has cut, 0 if none */
} silence;

extern int stream_round_ms;
void stream_begin(session *s);                            /* the session is open */
/* how long a thread may look for what another one reads */
uint32_t stream_looks_ns(const session *s);
/* Waits for a while until some of these connections have ended, and says which. */
void stream_wait_for_ends(session *const *all, bool *ended, int count, int timeout_ms);
/* looks whether there is something to read over a socket, before whoever reads sleeps */
void stream_look_for_bytes(const session *s);
/* Sleeps until something may have come, or for so long, less than a second; not at all where a
 * thread would not look for an answer, but sleep. */
void stream_rest(const session *s, uint32_t ns);
void stream_rest_further(session *s, uint32_t number, uint32_t ns); /* the same of a ring */
/* looks for it, unless too many of the program's threads do */
void stream_look(const session *s, patience *p, bool (*there)(const void *), const void *what);
/* from here on a backend that says nothing for some rounds is lost */
void stream_in_rounds(session *s);
/* after each round without a byte; true if that is a loss, of all connections then */
bool stream_silent(const session *s, silence *now);
uint32_t stream_generation(const session *s);             /* of the connection */
/* That connection is lost. Waits for another one where the session outlives it, else asks why it is
 * over; false if the session is lost. */
bool stream_broken(session *s, uint32_t generation, const char *why);

/* Further rings beside the first, from 0 on; false if there are none of this number. */
bool stream_further(session *s, uint32_t number);
/* From now on the reader of one of them looks for no longer before it sleeps. */
void stream_look_further(session *s, uint32_t number, uint32_t most_ns);
/* Of one of them; 0 if nothing has come in so many ms, or the session is lost. */
size_t stream_read_further(session *s, uint32_t number, void *to, size_t limit, int nap_ms);
/* The same where there is no room. */
size_t stream_write_further(session *s, uint32_t number, struct iovec *parts, int count,
                            int nap_ms);
bool stream_has_some(const session *s);     /* over the first rings */

bool stream_prepare_bell(session *s);
/* until there may be bytes, or the bell rings */
void stream_watch(session *s);
void stream_ring_bell(session *s);

#endif
