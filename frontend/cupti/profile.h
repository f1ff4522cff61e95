/* SPDX-License-Identifier: Apache-2.0
 *
 * The profiling library: what its files have in common. Records are of the newest forms that are
 * known; each form only adds to the one before it, so that readers of older ones find theirs.
 */
#ifndef OUTBOARD_PROFILE_H
#define OUTBOARD_PROFILE_H

#include "base/glibc.h"
#include "cupti.remote.h"

#include <stdatomic.h>

#pragma GCC visibility push(hidden)

/* CUptiResult */
enum {
    SUCCESS = 0,
    INVALID_PARAMETER = 1,
    INVALID_CONTEXT = 3,
    INVALID_OPERATION = 7,
    OUT_OF_MEMORY = 8,
    MAX_LIMIT_REACHED = 12,
    NOT_INITIALIZED = 15,
    QUEUE_EMPTY = 18,
    INVALID_KIND = 21,
    NOT_SUPPORTED = 27,
    MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED = 39,
    UNKNOWN_ERROR = 999,
};

enum { NEWEST_VERSION = 130001 };

/* CUpti_ActivityKind, those that there are */
enum kind {
    KIND_MEMCPY = 1,
    KIND_MEMSET = 2,
    KIND_KERNEL = 3,
    KIND_DRIVER = 4,
    KIND_RUNTIME = 5,
    KIND_CONCURRENT_KERNEL = 10,
    KIND_MARKER = 12,
    KIND_MARKER_DATA = 13,
    KIND_OVERHEAD = 17,
    KIND_MEMCPY2 = 22,
    KIND_CUDA_EVENT = 36,
    KIND_SYNCHRONIZATION = 38,
    KIND_EXTERNAL_CORRELATION = 39,
    KIND_GRAPH_TRACE = 51,
    KINDS = 64,
};

/* ---- records, as programs read them ---------------------------------------------------------- */

/* Bytes from one to the next: room for forms that are newer than those known here. */
enum { RECORD_MOST = 256 };

typedef struct api_record {
    uint32_t kind, function;
    uint64_t start, end;
    uint32_t process, thread, correlation, result;
} api_record;

typedef struct external_record {
    uint32_t kind, external_kind;
    uint64_t id;
    uint32_t correlation, reserved;
} external_record;

typedef struct __attribute__((packed, aligned(8))) kernel_record {
    uint32_t kind;
    uint8_t cache, shared_configuration;
    uint16_t registers;
    uint32_t partition_requested, partition_executed;
    uint64_t start, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3];
    int32_t static_shared, dynamic_shared;
    uint32_t local_per_thread, local_total;
    uint32_t correlation;
    int64_t grid_id;
    const char *name;
    void *reserved;
    uint64_t queued, submitted;
    uint8_t launch_type, carveout_requested, carveout, padding;
    uint32_t shared_executed;
    uint64_t graph_node;
    uint32_t shared_limit, graph;
    void *access_policy;
    uint32_t channel, channel_type, cluster[3], cluster_policy;
    uint64_t local_total_wide;
    uint8_t later[RECORD_MOST - 200];
} kernel_record;

typedef struct __attribute__((packed, aligned(8))) copy_record {
    uint32_t kind;
    uint8_t copy_kind, source_kind, target_kind, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, correlation, runtime_correlation, pad;
    void *reserved;
    uint64_t graph_node;
    uint32_t graph, channel, channel_type;
    uint8_t device_launched, pad2[3];
    uint64_t copies;
    uint8_t later[32];
} copy_record;

typedef struct __attribute__((packed, aligned(8))) peer_record {
    uint32_t kind;
    uint8_t copy_kind, source_kind, target_kind, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream;
    uint32_t source_device, source_context, target_device, target_context;
    uint32_t correlation;
    void *reserved;
    uint64_t graph_node;
    uint32_t graph, channel, channel_type, pad;
    uint8_t later[32];
} peer_record;

typedef struct __attribute__((packed, aligned(8))) fill_record {
    uint32_t kind, value;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, correlation;
    uint16_t flags, memory_kind;
    uint32_t pad;
    void *reserved;
    uint64_t graph_node;
    uint32_t graph, channel, channel_type;
    uint8_t device_launched, pad2[3];
    uint8_t later[40];
} fill_record;

typedef struct graph_record {
    uint32_t kind, correlation;
    uint64_t start, end;
    uint32_t device, graph, context, stream;
    void *reserved;
    uint32_t end_device, end_context;
} graph_record;

typedef struct wait_record {
    uint32_t kind, type;
    uint64_t start, end;
    uint32_t correlation, context, stream, event;
    uint64_t event_record;
    uint32_t result, pad;
} wait_record;

typedef struct event_record {
    uint32_t kind, correlation, context, stream, event, pad, device, pad2;
    void *reserved;
    uint64_t device_time, record;
} event_record;

/* CUpti_ActivityObjectKind */
enum { OBJECT_THREAD = 2 };

typedef struct overhead_record {
    uint32_t kind, overhead, object, process, thread, pad;
    uint64_t start, end;
    uint32_t correlation, reserved;
    void *data;
} overhead_record;

typedef struct marker_record {
    uint32_t kind, flags;
    uint64_t time;
    uint32_t number, object, process, thread, pad, pad2;
    const char *name, *domain;
} marker_record;

typedef struct marker_data_record {
    uint32_t kind, flags, number, payload_kind;
    uint64_t payload;
    uint32_t color, category;
} marker_data_record;

_Static_assert(sizeof(graph_record) == 56 && sizeof(wait_record) == 56 &&
                   sizeof(event_record) == 56 && offsetof(event_record, device_time) == 40 &&
                   sizeof(overhead_record) == 56 && offsetof(overhead_record, start) == 24 &&
                   sizeof(marker_record) == 56 && offsetof(marker_record, name) == 40 &&
                   sizeof(marker_data_record) == 32,
               "as CUPTI 13.0 has them");
_Static_assert(sizeof(api_record) == 40 && sizeof(external_record) == 24 &&
                   offsetof(kernel_record, grid) == 52 && offsetof(kernel_record, name) == 104 &&
                   offsetof(kernel_record, graph_node) == 144 &&
                   offsetof(kernel_record, channel) == 168 &&
                   offsetof(kernel_record, later) == 200 && sizeof(kernel_record) == RECORD_MOST &&
                   offsetof(copy_record, correlation) == 44 &&
                   offsetof(copy_record, graph_node) == 64 && offsetof(copy_record, later) == 96 &&
                   offsetof(peer_record, correlation) == 60 &&
                   offsetof(peer_record, graph_node) == 72 && offsetof(peer_record, later) == 96 &&
                   offsetof(fill_record, memory_kind) == 50 &&
                   offsetof(fill_record, graph_node) == 64 && offsetof(fill_record, later) == 88,
               "as CUPTI 13.0 has them");

/* ---- names.c, made of the lists of functions ------------------------------------------------- */

extern const char *const driver_names[], *const runtime_names[];
extern const uint32_t driver_name_count, runtime_name_count;

/* ---- clock.c: the program's clock of records ------------------------------------------------- */

uint64_t clock_now(void);
/* Compares it with the backend's, for the first time since records begin, or again. False if that
 * does not answer. */
bool clock_compare(bool first);
/* A time of the backend's. */
uint64_t clock_of(uint64_t theirs);

/* ---- buffers.c ------------------------------------------------------------------------------- */

/* Whether the program takes records. */
bool buffers_wanted(void);
/* Has one ready: programs ask for what there is only while a buffer is out. */
void buffers_begin(void);
/* Copies a record into a buffer; one for which the program has no room is counted. */
void buffers_put(const void *record, size_t bytes);
void buffers_lost(uint64_t records);
/* Hands out what there is. */
void buffers_end(void);

/* ---- correlation.c --------------------------------------------------------------------------- */

/* Records what a call of the calling thread belongs to for the program. */
void correlation_put(uint32_t correlation);

/* ---- calls.c: the program's calls ------------------------------------------------------------ */

/* As the program wants it in records. */
uint32_t thread_number(void);

/* From now on the program's calls are observed, and noted for what devices record; or no more. */
bool calls_watch(bool observed, bool noted);
/* Whether calls of a function are recorded; kind is KIND_DRIVER or KIND_RUNTIME. */
CUptiResult calls_choose(enum kind kind, uint32_t function, bool on);
void calls_choose_all(enum kind kind);

/* ---- waits.c: waits of the program, and events that it records ------------------------------- */

void waits_enter(ob_observed *call);
/* The call has returned; it belongs to the program's call of this number. */
void waits_leave(const ob_observed *call, uint32_t correlation);

/* ---- numbers.c: of what records are about, as the backend has them --------------------------- */

uint32_t number_of_context(const void *context);
/* NOT_SUPPORTED for a stream of each thread's own. */
CUptiResult number_of_stream(const void *context, const void *stream, bool per_thread,
                             uint32_t *number);

/* ---- activity.c ------------------------------------------------------------------------------ */

bool activity_is_on(enum kind kind);
/* The work of the calling thread from a time until now (CUpti_ActivityOverheadKind). */
overhead_record overhead_of(uint32_t what, uint64_t start);
bool activity_was_asked(void);          /* of the backend, ever */
/* The kinds or the callbacks have changed. */
CUptiResult activity_changed(void);
void activity_end(void);

/* ---- device.c: what devices have done -------------------------------------------------------- */

/* Takes all that the backend has. Not behind all earlier calls: what is done already, and nothing
 * while another thread takes. */
CUptiResult device_take(bool behind_all);

/* ---- timeline.c: devices in a session's trace ------------------------------------------------ */

bool timeline_watches(void);    /* the program's calls */
bool timeline_is_on(void);      /* devices record for it */
void timeline_lost(uint64_t records);
/* All that there is, where devices record for it. */
void timeline_take(void);
/* A call of the driver has returned. */
void timeline_after(uint32_t function, int32_t result);

/* ---- callbacks.c ----------------------------------------------------------------------------- */

/* CUpti_CallbackDomain */
enum domain { DOMAIN_DRIVER = 1, DOMAIN_RUNTIME = 2, DOMAIN_RESOURCE = 3, DOMAINS = 8 };

/* CUpti_CallbackData */
typedef struct callback_data {
    uint32_t site;              /* 0 at the begin, 1 at the end */
    const char *function;
    const void *arguments;
    void *result;
    const char *symbol;
    void *context;
    uint32_t context_number;
    uint64_t *data;             /* the subscriber's, from begin to end */
    uint32_t correlation;
} callback_data;

bool callbacks_any(void);       /* of calls */
bool callbacks_wanted(enum domain domain, uint32_t function);
void callbacks_call(enum domain domain, uint32_t function, const callback_data *data);
void callbacks_end(void);

#pragma GCC visibility pop

#endif
