/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime (liboutboard.so) as generated stubs and the hand-written parts of a library see it.
 * One runtime a process, and one view of the devices. Calls are of the calling thread's session,
 * which is the process's first one unless the thread has taken another. PROTOCOL.md has the bytes.
 */
#ifndef OUTBOARD_H
#define OUTBOARD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define OB_API __attribute__((visibility("default")))
#define OB_UNUSED __attribute__((unused))

/* The vendor's result codes that the runtime itself returns; generated, one a library. */
typedef struct ob_library {
    const char *name;       /* at most 23 characters; travels in the handshake */
    const char *soname;
    uint32_t id;            /* number in frames */
    uint32_t level;         /* highest call number */
    uint8_t digest[16];     /* of the spec; informs, never refuses */
    int32_t invalid_value;
    int32_t not_supported;
    int32_t not_initialized;
    int32_t unavailable;
    int32_t out_of_memory;
    /* a child of a process that has used no other library is a client of its own */
    bool survives_fork;
    /* its calls say what they touch, so threads may have rings of their own */
    bool several_rings;
    /* after these each later call in the lane fails too; 0 ends them, NULL: none are */
    const int32_t *lasting;
    /* gets OB_UNUSUAL_LOST with the first of them, and OB_UNUSUAL_OBSERVED; NULL: nobody asks */
    _Atomic uint32_t *unusual;
    const char *const *names; /* of the calls, by number; NULL where there is none */
    const char *const *structures; /* those that signatures refer to */
} ob_library;

enum {
    OB_ANSWER = 1,          /* wait for the reply */
    OB_PER_THREAD = 2,      /* stream 0 is the thread's own */
    OB_ORDERED = 4,         /* names another lane's handle */
    OB_LAST = 16,           /* ends the lane's context, whatever is latched there */
};

/* lower bits are the library's */
enum {
    OB_UNUSUAL_LOST = 1u << 16,
    OB_UNUSUAL_OBSERVED = 1u << 17, /* a tool is to be told of calls */
};

enum {
    OB_CHUNK = 1 << 20,
    OB_REPLY_MOST = 256 << 20,  /* the most bytes of a reply, in however many frames */
};

/* A variable part of a reply. */
typedef struct ob_part {
    void *to;               /* where it goes; NULL: there is none */
    uint64_t bytes;         /* exactly so many; of a text that ends the reply, at most */
    bool text;              /* has a NUL */
} ob_part;

/* A client thread as the runtime numbers it. */
typedef struct ob_thread {
    uint32_t number;
    uint32_t lane;          /* set by the library that has contexts */
} ob_thread;

/* One call being made; lives on the caller's stack, its memory is the thread's. */
typedef struct ob_call {
    const ob_library *library;
    ob_thread *thread;      /* that makes it, in its session */
    uint8_t *body;          /* request: fixed part, then variable parts; moves in ob_append */
    uint32_t body_bytes;
    uint32_t number;
    uint32_t flags;
    /* the reply to a success, of which nothing is missing and nothing more comes: bytes of its
     * fixed part, then the variable parts */
    uint32_t fixed, count;
    const ob_part *parts;
    const int32_t *also;    /* other results with such a reply; 0 ends them, NULL: none */
    /* after ob_send with OB_ANSWER; valid until the thread's next ob_begin */
    const uint8_t *reply;
    uint32_t reply_bytes;
    /* bytes of the reply's only variable part that are in place; its bytes are not in the reply */
    uint64_t delivered;
    uint64_t sequence;      /* after ob_send; 0 if the call did not travel */
    /* what its order with calls of other threads is about; everything, unless it is narrow and
     * not wide */
    bool narrow, wide;
    uint32_t touched;
    uint64_t touches[2];
    bool logged;
} ob_call;

struct endpoint;
struct doorbell_kind;

/* Makes a library known before the session opens: the greeting lists it. Called by its object's
 * constructor. */
OB_API void ob_register(const ob_library *library);

/* Whether the backend has a call of a library; only after the session has opened. ob_begin refuses
 * those that it lacks. */
OB_API bool ob_backend_has(const ob_library *library, uint32_t call);

/* Opens the session if need be; says on standard error what hinders it. */
OB_API bool ob_connect(void);

/* Whether the process has begun to exit: handlers and destructors from before its first session
 * run. */
OB_API bool ob_process_ends(void);

/* ---- communicators --------------------------------------------------------------------------- */

/* memory with the backend */
enum ob_sharing { OB_SHARE_NEVER, OB_SHARE_WHERE_POSSIBLE, OB_SHARE_ALWAYS };

/* Beyond this machine not every end of the other side closes the connection: silence is a loss
 * there, too. */
enum ob_distance { OB_SAME_MACHINE, OB_HYPERVISOR, OB_NETWORK };

/* A way to a backend, and its capabilities; those that are not set it lacks. A plug-in's library,
 * outboard-connect-SCHEME.so, has one under the name outboard_communicator. */
typedef struct ob_communicator {
    const char *scheme;         /* of its URIs, before the colon */
    /* Connects to what follows the colon: a stream socket's descriptor, or -1 and why. `to` is the
     * runtime's own. */
    int (*connect)(const struct endpoint *to, const char *rest, char *why, size_t limit);
    enum ob_sharing shares;     /* whether both sides can map the same memory */
    bool passes;                /* descriptors, beside the bytes */
    /* the operating system says who answers, so the backend need not prove that it knows the
     * token */
    bool vouches;
    enum ob_distance distance;
    bool companion;             /* a program reaches it through a process that runs for it */
    /* Of a communicator that shares memory without passing its descriptor: a descriptor of it, the
     * caller's to close, or -1. */
    int (*region)(int connection, uint64_t bytes);
    /* what wakes a side that sleeps on that memory; NULL: futex(2) */
    const struct doorbell_kind *bells;
} ob_communicator;

/* The backend that a process would use. */
typedef struct ob_backend {
    char uri[512];      /* unix:PATH, tcp://HOST:PORT, … */
    char place[512];    /* where that was found, for people */
    bool companion;     /* what reaches it runs for a program */
} ob_backend;

/* Finds the backend that this process would use; false if there is none. */
OB_API bool ob_find_backend(ob_backend *to);

/* Whether a backend that was found greets this process, asked within ten seconds and without a
 * session; says on standard error what hinders it. */
OB_API bool ob_backend_greets(const ob_backend *backend);

/* Whether the system's socket is there and this user may not use it. */
OB_API bool ob_system_socket_is_for_others(void);

/* Says on standard error where a backend was looked for, and how one is named. */
OB_API void ob_say_no_backend(void);

/* Begins a call: connects the session if need be and gives a zeroed body of `fixed` bytes.
 * Returns 0, or the library's result code (not initialised in a forked child, unavailable after a
 * loss, not permitted in a callback, not supported if the backend lacks the call). */
OB_API int32_t ob_begin(ob_call *call, const ob_library *library, uint32_t number, uint32_t fixed);

/* Appends a variable part: 8 bytes of length, the bytes, padding to 8. Large parts travel as a
 * payload ahead of the call (one such part a call). The bytes may be read as late as in ob_send.
 * Returns 0 or the library's result code. */
OB_API int32_t ob_append(ob_call *call, const void *data, uint64_t bytes);

/* Sends the call; with OB_ANSWER waits for the reply and returns its result, else posts it and
 * returns 0. After a result with outputs the variable parts are in their places. A reply of any
 * other shape than the call says is the loss of the session, and touches nothing. */
OB_API int32_t ob_send(ob_call *call, uint32_t flags);

/* The reply says what it cannot mean: the session is lost. Returns the library's result of a lost
 * backend. */
OB_API int32_t ob_malformed(const ob_call *call);

/* Whether a lasting result has come in a lane and no success after it: there may be others that are
 * lost. What is found to serve is lost no more. */
OB_API bool ob_lane_lost(uint32_t lane);
OB_API void ob_lane_found(uint32_t lane);

/* Sends an answered call whose reply to the same bytes never changes; asks the backend once a
 * process. */
OB_API int32_t ob_send_cached(ob_call *call);

/* Sends an answered call without outputs, of at most 8 bytes, whose success stands until the
 * session sends more: the thread's same call is answered here until then. */
OB_API int32_t ob_send_settling(ob_call *call, uint32_t flags);
/* The thread's last call has seen done what this call would wait for: the same call succeeds while
 * nothing else is sent. */
OB_API void ob_note_settled(const ob_library *library, uint32_t number, uint64_t argument,
                            uint32_t flags);

/* The log of calls, for those that are logged: the program's arguments, before ob_send, and its
 * results. The signature says what the values are (CallText.java); floating-point values are given
 * by their bits, structures by their addresses. */
OB_API void ob_log_arguments(ob_call *call, const char *signature, const uint64_t values[],
                             uint32_t flags);
OB_API void ob_log_returned(const ob_call *call, int32_t result);

OB_API uint64_t ob_handle_mint(uint32_t kind);
/* The lowest `indexes` of a kind are never minted: the library gives them a meaning of its own.
 * Before the first mint. */
OB_API void ob_handle_reserve(uint32_t kind, uint32_t indexes);
OB_API void ob_handle_retire(uint64_t handle);
/* Whether a number is a handle of this session's, by its bits, alive or not. `kinds` is a mask, bit
 * k for kind k. */
OB_API bool ob_handle_formed(uint64_t number, uint64_t kinds);
/* Whether the handle may be alive: minted here and not retired, or minted by the backend. */
OB_API bool ob_handle_plausible(uint64_t handle, uint64_t kinds);

/* Registers a function of the program, to be run once or `repeated`; the number travels in its
 * place. Returns 0 if there is no room. */
OB_API uint64_t ob_callback_register(void (*function)(void *), void *user_data, bool repeated);
/* A repeated one will not be asked for any more, and does not run later. False if there is none. */
OB_API bool ob_callback_forget(void (*function)(void *), void *user_data);
/* After the call that it went with: whether that failed so that the function does not run, and its
 * data are the caller's again. After a loss it may be running, or have run, and so they are not;
 * nor if the backend has asked for it in spite of the failure. */
OB_API bool ob_callback_refused(const ob_library *library, int32_t result, void (*function)(void *),
                                void *user_data);
/* The status that the driver gave the callback that runs on this thread; 0 where it gives none. */
OB_API int32_t ob_callback_status(void);
/* The callback that runs on this thread is a library's own, and makes only calls that wait for
 * nothing. */
OB_API void ob_callback_may_call(void);

/* Whether one runs on this thread, and may not make calls. */
OB_API bool ob_callback_runs_here(void);
/* Whether one runs now. */
OB_API bool ob_callback_runs(void);
/* Does this on the thread of the callbacks behind each of them, before the backend hears that it
 * has returned. */
OB_API void ob_callback_end_with(void (*then)(void));

/* Memory of the program that a system call cannot use, and that must not be touched under a lock:
 * bytes that calls take from there, or bring there, are copied. */
OB_API void ob_copy_where(bool (*may_be_away)(const void *memory, uint64_t bytes));

OB_API ob_thread *ob_self(void);

/* Reserves a range of device addresses, so that no mapping of the program can lie there. False if
 * it is taken. */
OB_API bool ob_reserve(uint64_t address, uint64_t bytes);
/* The same for memory that the program is to have there, by a mapping that takes the reserved one's
 * place: also false where other memory of the program is, which a backend cannot have replaced. */
OB_API bool ob_claim(uint64_t address, uint64_t bytes);
/* That memory has ended; its range stays reserved. Nothing if nothing has been claimed there. */
OB_API void ob_unclaim(uint64_t address);

/* Threads that wait are to sleep and not to look for the answer, as CU_CTX_SCHED_BLOCKING_SYNC
 * asks. */
OB_API void ob_wait_asleep(void);
/* They are to sleep soon: a device computes on processors, maybe this machine's, which looking
 * would take from it. */
OB_API void ob_wait_beside_device(void);

/* The SHA-256 of bytes (FIPS 180-4). */
OB_API void ob_sha256(const void *data, uint64_t bytes, uint8_t digest[32]);

/* Whether descriptors can be passed to the backend: where it shares memory. */
OB_API bool ob_passes(void);
/* A file in memory of so many bytes, for a descriptor to pass; -1 if there is none to be had. */
OB_API int ob_sealed_file(const char *name, uint64_t bytes);
/* The same, empty, that may grow. */
OB_API int ob_growing_file(const char *name);

/* Whether the backend may assign a program room beside the rings, in memory that this machine
 * shares with its host. */
OB_API bool ob_has_room(void);
/* The memory in which a range has been assigned, for the caller to map there and to close; -1 if
 * the range is none, or if another process of this machine still has it, whose own session is lost.
 */
OB_API int ob_room_take(uint64_t offset, uint64_t bytes);
/* After a range has been taken, and is mapped no more. */
OB_API void ob_room_give(uint64_t offset, uint64_t bytes);

/* Passes one, which the backend takes when a call asks for it; in the order of the calls. */
OB_API bool ob_pass(int fd);

/* Moves bulk data over the session's further connections, where it has any: begins a transfer and
 * returns its number, for the call that names it; 0 where the bytes have to travel with calls. */
OB_API uint64_t ob_bulk_begin(bool up, void *memory, uint64_t bytes);
/* The call has been answered: returns when nobody is at the memory any more, and, if it succeeded,
 * all bytes have moved. False if the session is lost. By the thread that began it. */
OB_API bool ob_bulk_end(bool succeeded);

/* bytes: smaller transfers are sent sooner than over several connections */
enum { OB_BULK_LEAST = 2 << 20 };

/* The calls of a library that a transfer consists of. */
typedef struct ob_bulk_calls {
    const ob_library *library;
    /* Names the transfer; returns when the backend has it, or has sent it. The library's result of
     * a lost backend says that the backend has lost it with its connections. */
    int32_t (*move)(void *with, uint64_t transfer);
    /* after one that failed: its later pieces are dropped */
    void (*drop)(void *with, uint64_t transfer);
} ob_bulk_calls;

/* Moves so much that way, and returns when nobody is at the memory any more. False if it has to go
 * otherwise, else the result of the call, or the library's of a lost backend. */
OB_API bool ob_bulk(bool up, void *memory, uint64_t bytes, const ob_bulk_calls *calls, void *with,
                    int32_t *result);

/* A large copy, part by part; of one thread and a helper of its own. */
typedef struct ob_large_copy {
    bool past_caches, wants_help, helped;
    pthread_t helper;
    _Atomic uint64_t asked, done;   /* parts of the helper's */
    uint8_t *to;                    /* the part that is asked for, until it is done */
    const uint8_t *from;
    uint64_t bytes;
} ob_large_copy;

/* A copy between memory of the program and a device that passes through memory which the backend
 * has too. While one side copies a part, the other side copies another. */
typedef struct ob_parts {
    uint64_t bytes, part;       /* of all, and of each part but the last */
    uint8_t *places;            /* so many, one after the other, that the parts pass through */
    uint64_t window;
    const uint8_t *from;        /* the program's memory: to the device; NULL … */
    uint8_t *to;                /* … where it comes from the device */

    /* the step to take next */
    uint64_t index, count;      /* of which part, and its bytes */
    bool starts;                /* asks for its copy between its place and the device, or … */
    bool last;                  /* … waits for that; the last one, where all have succeeded */

    int32_t result;             /* the first that is no success */
    uint64_t begun, over;
    ob_large_copy copying;
} ob_parts;

/* The next step, false after the last. After a failure it waits for all parts that were begun. */
OB_API bool ob_parts_next(ob_parts *p);
/* How the step ended. */
OB_API void ob_parts_done(ob_parts *p, int32_t result);

/* ---- tools: a profiler in the program's process ---------------------------------------------- */

/* A call of the program, as a tool sees it. */
typedef struct ob_observed {
    uint32_t function;          /* by its number for tools */
    const char *name;
    const void *arguments;      /* one after the other, as in a structure; NULL: it has none */
    void *context;              /* the thread's current one */
    int32_t result;             /* once it has returned */
    bool told;                  /* the tool has heard of its begin */
    uint64_t data, begun;       /* the tool's, from its begin to its end */
} ob_observed;

typedef struct ob_tool {
    void (*enters)(ob_observed *call);
    void (*leaves)(ob_observed *call);
    /* a call of the CUDA runtime, as the runtime describes it, at its begin and at its end */
    void (*runtime)(uint32_t function, void *record);
} ob_tool;

/* Has a tool told of calls, or no more; one in the process, for good. */
OB_API void ob_observe(const ob_tool *tool, bool on);
/* By libraries, of calls for which OB_UNUSUAL_OBSERVED stands. */
OB_API void ob_observed_enters(ob_observed *call);
OB_API void ob_observed_leaves(ob_observed *call);
OB_API void ob_observed_runtime(uint32_t function, void *record);

/* Of some functions the runtime looks at the byte of their number, of others at the word (seen with
 * cudart 13.0: cudaGraphLaunch at byte 4 * 311). */
enum { OB_RUNTIME_FUNCTIONS = 1024, OB_RUNTIME_FLAGS = 4 * OB_RUNTIME_FUNCTIONS };
/* Flags of functions of the CUDA runtime, not 0 while a tool is told of their calls. */
OB_API uint8_t *ob_observed_functions(void);

/* A tool's facts of the program's call for which calls travel. */
typedef struct ob_note {
    uint32_t number;            /* of the program's call; 0: none of the program's */
    uint32_t flags;             /* the tool's */
    uint64_t begun;
} ob_note;

/* From now on each call that travels is noted, or no more. False if there is no room. */
OB_API bool ob_notes(bool on);
/* The calling thread's calls from now on are for this one. */
OB_API void ob_note_for(const ob_note *note);

/* Of the program's memory that a copy is about; in a note's flags. */
enum { OB_NOTE_PAGEABLE = 1, OB_NOTE_PAGE_LOCKED = 2 };
/* By libraries: the thread's call is such a copy. */
OB_API void ob_note_copy(bool page_locked);

/* Numbers of devices and names, as a library has them for a tool. */
typedef struct ob_devices {
    /* the program's number of one of the backend's; its result is not 0 where it sees none */
    int32_t (*for_program)(int backend, int *ordinal);
    int (*of_context)(const void *context);     /* the program's; -1 for none */
    /* of a function of device code; NULL where it is none, or has no name */
    const char *(*name_of)(const void *function);
} ob_devices;
OB_API void ob_devices_are(const ob_devices *devices);
OB_API const ob_devices *ob_devices_known(void);     /* NULL: no library has said */
/* Finds the note of a sequence; false where there is none, or it is too old. */
OB_API bool ob_noted(uint64_t sequence, ob_note *to);

/* Work of a device, for the trace of the process's session (OUTBOARD_TRACE). */
typedef struct ob_work {
    uint64_t sequence;          /* of the call that asked for it */
    uint64_t begin, end;        /* nanoseconds of the backend's clock */
    uint32_t device, stream;    /* as the program counts them */
    const char *name;
    const int32_t *grid, *block; /* three numbers each; NULL where it is no kernel */
    uint64_t bytes;             /* that it moves */
} ob_work;
OB_API void ob_trace_work(const ob_work *work);
/* Before the trace ends `take` has the last work told. */
OB_API void ob_trace_work_from(void (*take)(void));

/* A function that is not implemented: says its name once on standard error and returns the
 * library's not-supported code. */
OB_API int32_t ob_refuse(const ob_library *library, const char *name, bool *said);
/* An older function whose 32 bits have no room for the address that the newer one answered: as
 * above. */
OB_API int32_t ob_refuse_address(const ob_library *library, const char *name, const char *newer,
                                 bool *said);

/* True in a child of a process that had a session: nothing may be touched. */
OB_API bool ob_forked(void);

/* Starts a thread that takes none of the program's signals: those are for the program's own.
 * Without a place for its id nobody joins it. */
OB_API bool ob_start_thread(pthread_t *id, void *(*run)(void *), void *argument);

/* Memory that each thread has for itself, made when it is first asked for. Static. */
typedef struct ob_own_memory {
    size_t bytes;
    _Atomic bool made;      /* the key */
    pthread_key_t key;
} ob_own_memory;

/* The calling thread's, zeroed at first, until the thread ends; NULL if there is no room. */
OB_API void *ob_own(ob_own_memory *what);

/* One line on standard error, prefixed "outboard: ". */
OB_API void ob_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The call has an order with those of other threads that touch this object … */
static inline OB_UNUSED void ob_touch(ob_call *call, uint64_t object) {
    call->narrow = true;
    if (call->touched < 2)
        call->touches[call->touched++] = object;
    else
        call->wide = true;
}

static inline void ob_log_result(const ob_call *call, int32_t result) {
    if (call->logged)
        ob_log_returned(call, result);
}

static inline OB_UNUSED uint64_t ob_float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline OB_UNUSED uint64_t ob_double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline void ob_set_u32(ob_call *call, uint32_t offset, uint32_t value) {
    memcpy(call->body + offset, &value, 4);
}
static inline void ob_set_u64(ob_call *call, uint32_t offset, uint64_t value) {
    memcpy(call->body + offset, &value, 8);
}
static inline void ob_set(ob_call *call, uint32_t offset, const void *from, uint32_t bytes) {
    memcpy(call->body + offset, from, bytes);
}

/* How the reply to a success looks; before ob_send. */
static inline void ob_expect(ob_call *call, uint32_t fixed, const ob_part *parts, uint32_t count) {
    call->fixed = fixed;
    call->parts = parts;
    call->count = count;
}

/* Copies from the reply's fixed part, after a result with outputs. */
static inline void ob_get(const ob_call *call, uint32_t offset, void *to, uint32_t bytes) {
    if (to != NULL && offset + bytes <= call->reply_bytes)
        memcpy(to, call->reply + offset, bytes);
}

/* A number of 4 or 8 bytes in that part; one that is negative is too large for all. */
static inline OB_UNUSED uint64_t ob_number(const ob_call *call, uint32_t offset, uint32_t bytes) {
    int64_t number = 0;
    int32_t half = 0;
    ob_get(call, offset, bytes == sizeof half ? (void *)&half : (void *)&number, bytes);
    return (uint64_t)(bytes == sizeof half ? half : number);
}

#endif
