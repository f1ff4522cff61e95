/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of a session for people: OUTBOARD_TRACE=FILE writes each call with its times on both
 * sides (Chrome trace format: chrome://tracing, ui.perfetto.dev), OUTBOARD_REPORT=1 prints a table
 * at the end of the program. The backend's times come with TRACE frames (PROTOCOL.md) and are moved
 * to this side's clock. What devices have done is told by the library that a profiler asks, too.
 */
#include "observe/observe.h"
#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LIBRARIES = 8, EVENT = 512, CLOCK_ROUNDS = 8, PROGRAM = 1, BACKEND = 2, DEVICES = 3 };

typedef struct tally {
    uint64_t calls, trips, sent, received, nanos;
} tally;

typedef struct row {
    const char *name;
    tally counts;
} row;

struct trace {
    bool reports;
    int64_t backend_ahead;      /* its clock minus ours */
    pthread_mutex_t lock;

    /* Under the lock. */
    tally *tallies[LIBRARIES];
    const ob_library *libraries[LIBRARIES];
    out_file file;
    tracks *devices;
};

static void (*_Atomic take_work)(void);

bool trace_make(session *s) {
    struct trace *own = s->trace = session_part(sizeof *own);
    if (own == NULL)
        return false;
    pthread_mutex_init(&own->lock, NULL);
    own->file.fd = -1;
    return true;
}

/* ---- the file, under the lock ---------------------------------------------------------------- */

static void write_event(struct trace *own, const char *name, int side, uint32_t number,
                        uint64_t begin, uint64_t end, const char *arguments) {
    char event[EVENT];
    uint64_t span = end - begin;
    int bytes = snprintf(event, sizeof event,
                         ",\n{\"name\":\"%.64s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%u,\"ts\":%" PRIu64
                         ".%03u,\"dur\":%" PRIu64 ".%03u,\"args\":{%s}}",
                         name, side, number, begin / 1000, (unsigned)(begin % 1000), span / 1000,
                         (unsigned)(span % 1000), arguments);
    out_add(&own->file, event, (size_t)bytes);
}

static const char *name_of(const ob_library *library, uint32_t number, char spare[32]) {
    const char *name = library != NULL && library->names != NULL && number <= library->level
                           ? library->names[number]
                           : NULL;
    if (name != NULL)
        return name;
    snprintf(spare, 32, "call %u", number);
    return spare;
}

static bool open_file(struct trace *own, const char *path) {
    char start[EVENT];
    if (!out_open(&own->file, path, "trace"))
        return false;
    int bytes = snprintf(
        start, sizeof start,
        "[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"program\"}},\n"
        "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"backend\"}}",
        PROGRAM, BACKEND);
    out_add(&own->file, start, (size_t)bytes);
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Under the lock. NULL if there is no room. */
static tally *tally_of(struct trace *own, const ob_call *call) {
    int at = 0;
    while (at < LIBRARIES && own->libraries[at] != NULL && own->libraries[at] != call->library)
        at++;
    if (at == LIBRARIES || call->number > call->library->level)
        return NULL;
    if (own->tallies[at] == NULL)
        own->tallies[at] = calloc(call->library->level + 1u, sizeof(tally));
    own->libraries[at] = call->library;
    return own->tallies[at] == NULL ? NULL : &own->tallies[at][call->number];
}

/* Bytes of the reply, also of what went to its place directly. */
static uint64_t received(const ob_call *call) {
    return call->reply_bytes + (call->delivered > 0 ? 8 + align8(call->delivered) : 0);
}

static void count(struct trace *own, const ob_call *call, uint64_t sent, uint64_t nanos) {
    tally *counts = tally_of(own, call);
    if (counts == NULL)
        return;
    counts->calls++;
    counts->trips += sent > 0 && (call->flags & OB_ANSWER) != 0;
    counts->sent += sent;
    counts->received += sent > 0 && (call->flags & OB_ANSWER) != 0 ? received(call) + sizeof(frame)
                                                                   : 0;
    counts->nanos += nanos;
}

void trace_call(session *s, const ob_call *call, uint32_t thread, uint64_t sequence,
                uint64_t payload, int32_t result, uint64_t begin) {
    struct trace *own = s->trace;
    uint64_t end = now_ns();
    uint64_t sent = sequence == 0 ? 0 : sizeof(frame) + call->body_bytes + payload;
    char spare[32], arguments[160];
    pthread_mutex_lock(&own->lock);
    count(own, call, sent, end - begin);
    if (own->devices != NULL && sequence != 0)
        tracks_call(own->devices, sequence, thread, begin);
    if (own->file.fd >= 0) {
        snprintf(arguments, sizeof arguments,
                 "\"sequence\":%" PRIu64 ",\"result\":%d,\"sent\":%" PRIu64 ",\"received\":%" PRIu64
                 ",\"answered\":%s",
                 sequence, result, sent, sequence == 0 ? 0 : received(call),
                 (call->flags & OB_ANSWER) != 0 ? "true" : "false");
        write_event(own, name_of(call->library, call->number, spare), PROGRAM, thread, begin, end,
                    arguments);
    }
    pthread_mutex_unlock(&own->lock);
}

static const ob_library *library_by_id(uint32_t id) {
    const ob_library *library = library_at(0);
    for (uint32_t i = 1; library != NULL && library->id != id; i++)
        library = library_at(i);
    return library;
}

void trace_backend(session *s, const trace_record records[], uint32_t number) {
    struct trace *own = s->trace;
    char spare[32], arguments[80];
    pthread_mutex_lock(&own->lock);
    for (uint32_t i = 0; i < number && own->file.fd >= 0; i++) {
        const trace_record *one = &records[i];
        const char *name = name_of(library_by_id(one->library), one->call, spare);
        snprintf(arguments, sizeof arguments, "\"sequence\":%" PRIu64 ",\"result\":%d",
                 one->sequence, one->result);
        write_event(own, name, BACKEND, one->thread, one->begin - (uint64_t)own->backend_ahead,
                    one->end - (uint64_t)own->backend_ahead, arguments);
    }
    pthread_mutex_unlock(&own->lock);
}

void ob_trace_work_from(void (*take)(void)) { atomic_store(&take_work, take); }

void ob_trace_work(const ob_work *work) {
    struct trace *own = session_here()->trace;
    pthread_mutex_lock(&own->lock);
    if (own->file.fd >= 0 && own->devices != NULL)
        tracks_work(own->devices, &own->file, work, own->backend_ahead, PROGRAM, DEVICES);
    pthread_mutex_unlock(&own->lock);
}

/* ---- begin and end --------------------------------------------------------------------------- */

/* The quickest answer tells best; on one machine both sides have the same clock, and nothing is
 * moved. */
static void compare_clocks(session *s, trace_asks ask) {
    struct trace *own = s->trace;
    uint64_t best = UINT64_MAX, theirs;
    for (int round = 0; round < CLOCK_ROUNDS; round++) {
        uint64_t begin = now_ns();
        if (!ask(s, &theirs))
            return;
        uint64_t took = now_ns() - begin;
        if (took < best) {
            best = took;
            own->backend_ahead = (int64_t)(theirs - begin - took / 2);
        }
    }
    if ((uint64_t)llabs(own->backend_ahead) <= best)
        own->backend_ahead = 0;
}

/* Other threads may call already: their calls of that time are in the trace, perhaps by the
 * backend's clock. */
void trace_begin(session *s, trace_asks ask) {
    struct trace *own = s->trace;
    const char *path = secure_getenv("OUTBOARD_TRACE"),
               *report = secure_getenv("OUTBOARD_REPORT");
    own->reports = report != NULL && strcmp(report, "1") == 0;
    bool traces = path != NULL && *path != '\0' && open_file(own, path);
    if (traces)
        own->devices = tracks_make();
    s->traced = own->reports || traces;
    if (traces)
        compare_clocks(s, ask);
}

static int by_time(const void *left, const void *right) {
    uint64_t a = ((const row *)left)->counts.nanos, b = ((const row *)right)->counts.nanos;
    return (a < b) - (a > b);
}

static void print_row(const char *name, const tally *counts) {
    fprintf(stderr, "%-40s %10" PRIu64 " %11" PRIu64 " %14" PRIu64 " %14" PRIu64 " %12.3f %10.3f\n",
            name, counts->calls, counts->trips, counts->sent, counts->received,
            (double)counts->nanos / 1e6,
            (double)counts->nanos / 1e3 / (double)(counts->calls > 0 ? counts->calls : 1));
}

static void print_library(const ob_library *library, const tally *counts) {
    char(*spare)[32] = calloc(library->level + 1u, sizeof *spare);
    row *rows = calloc(library->level + 1u, sizeof *rows);
    tally all = {0};
    size_t used = 0;
    for (uint32_t i = 0; i <= library->level && rows != NULL && spare != NULL; i++) {
        if (counts[i].calls == 0)
            continue;
        rows[used++] = (row){name_of(library, i, spare[i]), counts[i]};
        all.calls += counts[i].calls;
        all.trips += counts[i].trips;
        all.sent += counts[i].sent;
        all.received += counts[i].received;
        all.nanos += counts[i].nanos;
    }
    if (used > 0)
        qsort(rows, used, sizeof *rows, by_time);
    for (size_t i = 0; i < used; i++)
        print_row(rows[i].name, &rows[i].counts);
    print_row("all", &all);
    free(rows);
    free(spare);
}

static void print_report(const struct trace *own) {
    fflush(stdout);
    for (int i = 0; i < LIBRARIES && own->libraries[i] != NULL && own->tallies[i] != NULL; i++) {
        fprintf(stderr,
                "\noutboard: process %d, %s: what was not answered in the program itself\n"
                "%-40s %10s %11s %14s %14s %12s %10s\n",
                (int)getpid(), own->libraries[i]->soname, "function", "calls", "round trips",
                "bytes sent", "bytes received", "time, ms", "mean, us");
        print_library(own->libraries[i], own->tallies[i]);
    }
}

void trace_end(session *s, trace_asks ask) {
    struct trace *own = s->trace;
    void (*take)(void) = atomic_load(&take_work);
    uint64_t theirs;
    if (!s->traced)
        return;
    if (own->file.fd >= 0 && take != NULL)
        take();
    if (own->file.fd >= 0)
        ask(s, &theirs);
    pthread_mutex_lock(&own->lock);
    if (own->file.fd >= 0) {
        out_add(&own->file, "]\n", 2);
        out_flush(&own->file);
    }
    if (own->reports)
        print_report(own);
    pthread_mutex_unlock(&own->lock);
}

/* The child's calls are in a file of its own. */
void trace_forget(session *s) { out_forget(&s->trace->file); }
