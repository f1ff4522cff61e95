/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of a session for people: trace, report, log of calls.
 */
#ifndef OUTBOARD_RUNTIME_OBSERVE_H
#define OUTBOARD_RUNTIME_OBSERVE_H

#include "link/link.h"

/* ---- call_text.c: the text of a call, as the logs of both sides have it. Its form, and that of
 * signatures: CallText.java  */

enum { CALL_PARAMETERS = 64 };

typedef struct call_text {
    const char *const *structures;
    const char *signature;
    bool per_thread;            /* stream 0 is the thread's own */
    bool writes;                /* past the call: what it has written */
    uint64_t values[CALL_PARAMETERS];
    int64_t counts[CALL_PARAMETERS];
    char *text;
    size_t length, capacity;
} call_text;

/* Takes what a call reads, before it is made; a text that there is no room for is cut. */
void call_text_begin(call_text *to, const char *const structures[], const char *signature,
                     const uint64_t values[], bool per_thread);
/* Adds the result and what the call has written. */
void call_text_end(call_text *to, int32_t result);

/* ---- trace.c --------------------------------------------------------------------------------- */

/* As the backend sends it. */
typedef struct trace_record {
    uint64_t sequence;
    uint32_t library;
    uint32_t call;
    uint32_t thread;
    int32_t result;
    uint64_t begin, end;    /* nanoseconds of the backend's clock */
} trace_record;

/* Has the backend send the records that it holds, and tell its time; false if it does not answer.
 */
typedef bool (*trace_asks)(session *s, uint64_t *time);
bool trace_make(session *s);
void trace_begin(session *s, trace_asks ask);
void trace_end(session *s, trace_asks ask);
/* A call of a thread that has returned; sequence 0 if it did not travel. */
void trace_call(session *s, const ob_call *call, uint32_t thread, uint64_t sequence, uint64_t large,
                int32_t result, uint64_t begin);
void trace_backend(session *s, const trace_record records[], uint32_t number);
void trace_forget(session *s);             /* in a forked child: the file is the parent's */

/* ---- tracks.c: what devices have done, in a trace; under its lock -------------------------- */

struct out_file;
typedef struct tracks tracks;
tracks *tracks_make(void);      /* NULL: there is no room */
/* A call that has travelled, which may have asked for work. */
void tracks_call(tracks *own, uint64_t sequence, uint32_t thread, uint64_t begin);
/* `program` is the number of the program's own tracks, and the first device's comes at `first`. */
void tracks_work(tracks *own, struct out_file *to, const ob_work *work, int64_t ahead,
                 uint32_t program, uint32_t first);

/* ---- notes.c -------------------------------------------------------------------------------- */

extern _Atomic bool notes_wanted;
void note_sent(uint64_t sequence);

/* A call has been sent. */
static inline void note_call(uint64_t sequence) {
    if (__builtin_expect(atomic_load_explicit(&notes_wanted, memory_order_relaxed), 0))
        note_sent(sequence);
}

/* ---- call_log.c ------------------------------------------------------------------------------ */

bool call_log_make(session *s);
void call_log_begin(session *s);        /* before the greeting */
/* A call that has travelled, and what it has got. */
void call_log_program(session *s, uint64_t sequence, uint32_t thread, const call_text *text);
void call_log_backend(session *s, const char *text, uint32_t bytes);
void call_log_end(session *s);                /* the backend has sent what it held */
void call_log_forget(session *s);

/* ---- out.c ----------------------------------------------------------------------------------- */

/* A file for people, written in large pieces; its user guards it. */
typedef struct out_file {
    int fd;                             /* -1 if there is none */
    bool numbered;                      /* its name has the number of this process */
    size_t length;
    char text[64 << 10];
} out_file;

/* A file that is there is another process's: then the path gets this one's number. Says what
 * hinders it. */
bool out_open(out_file *to, const char *path, const char *what);
/* One that goes with another one, and has its number if that has it; `suffix` follows. */
bool out_open_beside(out_file *to, const out_file *first, const char *path, const char *suffix,
                     const char *what);
void out_add(out_file *to, const char *text, size_t bytes);
void out_flush(out_file *to);
void out_forget(out_file *to);

#endif
