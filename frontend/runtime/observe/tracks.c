/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices in a trace: each has tracks of its own, one a stream, and each piece of work an arrow
 * from the call that asked for it. Work is told later than its call has returned, so the latest
 * calls are remembered.
 */
#include "observe/observe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 1 << 18, TRACKS = 1024, NAME = 512, EVENT = 1024 };

/* A place is used again by the sequence that is so many later. */
typedef struct asking_call {
    uint64_t sequence, begin;
    uint32_t thread;
} asking_call;

struct tracks {
    asking_call calls[CALLS];
    uint32_t count;             /* of tracks that have a name; others have their numbers */
    uint64_t named[TRACKS];     /* device and stream */
    uint64_t arrows;
};

tracks *tracks_make(void) { return calloc(1, sizeof(tracks)); }

void tracks_call(tracks *own, uint64_t sequence, uint32_t thread, uint64_t begin) {
    own->calls[sequence % CALLS] =
        (asking_call){.sequence = sequence, .begin = begin, .thread = thread};
}

static const asking_call *call_of(const tracks *own, uint64_t sequence) {
    const asking_call *call = &own->calls[sequence % CALLS];
    return call->sequence == sequence && sequence != 0 ? call : NULL;
}

static void add(out_file *to, const char *event, int bytes) {
    if (bytes > 0 && bytes < EVENT)
        out_add(to, event, (size_t)bytes);
}

/* Names are the program's or a backend's: what has a meaning in the file is left out of them, and
 * so is what is not ASCII, as a name may be cut anywhere. */
static void put_name(char to[NAME], const char *name) {
    size_t at = 0;
    for (; *name != '\0' && at < NAME - 1; name++)
        if (*name >= ' ' && *name <= '~' && *name != '"' && *name != '\\')
            to[at++] = *name;
    to[at] = '\0';
}

/* ---- names of tracks ------------------------------------------------------------------------- */

static void name_track(out_file *to, uint32_t process, uint32_t device, uint32_t stream,
                       bool is_first) {
    char event[EVENT];
    if (is_first)
        add(to, event,
            snprintf(event, sizeof event,
                     ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,"
                     "\"args\":{\"name\":\"GPU %u\"}}",
                     process, device));
    add(to, event,
        snprintf(event, sizeof event,
                 ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,"
                 "\"args\":{\"name\":\"stream %u\"}}",
                 process, stream, stream));
}

static void see_track(tracks *own, out_file *to, uint32_t process, const ob_work *work) {
    uint64_t track = (uint64_t)work->device << 32 | work->stream;
    bool has_device = false;
    for (uint32_t i = 0; i < own->count; i++) {
        if (own->named[i] == track)
            return;
        has_device = has_device || own->named[i] >> 32 == work->device;
    }
    if (own->count == TRACKS)
        return;
    own->named[own->count++] = track;
    name_track(to, process, work->device, work->stream, !has_device);
}

/* ---- work ------------------------------------------------------------------------------------ */

#define TIME "%" PRIu64 ".%03u"
#define ARROW ",\n{\"name\":\"work\",\"cat\":\"work\",\"ph\":"
#define OF_TIME(nanos) (nanos) / 1000, (unsigned)((nanos) % 1000)

static void put_arrow(tracks *own, out_file *to, const asking_call *call, const ob_work *work,
                      uint64_t begin, uint32_t program, uint32_t process) {
    char event[EVENT];
    uint64_t arrow = ++own->arrows;
    add(to, event,
        snprintf(event, sizeof event,
                 ARROW "\"s\",\"id\":%" PRIu64 ",\"pid\":%u,\"tid\":%u,\"ts\":" TIME "}"
                 ARROW "\"f\",\"bp\":\"e\",\"id\":%" PRIu64 ",\"pid\":%u,\"tid\":%u,"
                 "\"ts\":" TIME "}",
                 arrow, program, call->thread, OF_TIME(call->begin), arrow, process, work->stream,
                 OF_TIME(begin)));
}

static void put_figures(char *to, size_t limit, const ob_work *work) {
    const int32_t *grid = work->grid, *block = work->block;
    if (grid == NULL || block == NULL)
        snprintf(to, limit, ",\"bytes\":%" PRIu64, work->bytes);
    else
        snprintf(to, limit, ",\"grid\":[%d,%d,%d],\"block\":[%d,%d,%d]", grid[0], grid[1], grid[2],
                 block[0], block[1], block[2]);
}

/* No work begins before its call, however the clocks differ. */
void tracks_work(tracks *own, out_file *to, const ob_work *work, int64_t ahead, uint32_t program,
                 uint32_t first) {
    char event[EVENT], name[NAME], figures[128];
    const asking_call *call = call_of(own, work->sequence);
    uint32_t process = first + work->device;
    uint64_t begin = work->begin - (uint64_t)ahead, end = work->end - (uint64_t)ahead;
    if (call != NULL && begin < call->begin)
        begin = call->begin;
    uint64_t span = end > begin ? end - begin : 0;
    put_name(name, work->name);
    put_figures(figures, sizeof figures, work);
    see_track(own, to, process, work);
    add(to, event,
        snprintf(event, sizeof event,
                 ",\n{\"name\":\"%s\",\"cat\":\"device\",\"ph\":\"X\",\"pid\":%u,\"tid\":%u,"
                 "\"ts\":" TIME ",\"dur\":" TIME ",\"args\":{\"sequence\":%" PRIu64 "%s}}",
                 name, process, work->stream, OF_TIME(begin), OF_TIME(span), work->sequence,
                 figures));
    if (call != NULL)
        put_arrow(own, to, call, work, begin, program, process);
}
