/* SPDX-License-Identifier: Apache-2.0
 * Records of CUPTI 13.0, for the program that reads them and for the library that stands in for the
 * vendor's.
 */
#ifndef OUTBOARD_CONFORMANCE_CUPTI_H
#define OUTBOARD_CONFORMANCE_CUPTI_H

#include <stdint.h>

typedef struct external {
    uint32_t kind, external_kind;
    uint64_t id;
    uint32_t correlation, reserved;
} external;

typedef struct kernel {
    uint32_t kind;
    uint8_t cache, configuration;
    uint16_t registers;
    uint32_t requested, executed;
    uint64_t start, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3], fixed, dynamic;
    uint32_t local, local_total, correlation;
    int64_t grid_id;
    const char *name;
    uint8_t rest[96];
} kernel;

typedef struct copy {
    uint32_t kind;
    uint8_t copy_kind, source, target, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, correlation;
    uint8_t rest[48];
} copy;

typedef struct fill {
    uint32_t kind, value;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, correlation;
    uint16_t flags, memory;
    uint8_t rest[36];
} fill;

typedef struct graph_trace {
    uint32_t kind, correlation;
    uint64_t start, end;
    uint32_t device, graph, context, stream;
    uint8_t rest[16];
} graph_trace;

typedef struct wait {
    uint32_t kind, type;
    uint64_t start, end;
    uint32_t correlation, context, stream, event;
    uint64_t event_record;
    uint32_t result, pad;
} wait;

typedef struct event {
    uint32_t kind, correlation, context, stream, event, pad, device, pad2;
    void *reserved;
    uint64_t device_time, record;
} event;

typedef struct overhead {
    uint32_t kind, overhead, object, process, thread, pad;
    uint64_t start, end;
    uint8_t rest[16];
} overhead;

typedef struct marker {
    uint32_t kind, flags;
    uint64_t time;
    uint32_t number, object, process, thread, pad, pad2;
    const char *name, *domain;
} marker;

typedef struct marker_data {
    uint32_t kind, flags, number, payload_kind;
    uint64_t payload;
    uint32_t color, category;
} marker_data;

_Static_assert(sizeof(graph_trace) == 56 && sizeof(wait) == 56 && sizeof(event) == 56 &&
                   sizeof(overhead) == 56 && sizeof(marker) == 56 && sizeof(marker_data) == 32,
               "CUPTI 13.0");
_Static_assert(sizeof(kernel) == 208 && sizeof(copy) == 96 && sizeof(fill) == 88, "CUPTI 13.0");

#endif
