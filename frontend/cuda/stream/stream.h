/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams: the order of their calls, events, captures and functions of the program.
 */
#ifndef OUTBOARD_CUDA_STREAM_H
#define OUTBOARD_CUDA_STREAM_H

#include "device/device.h"

#pragma GCC visibility push(hidden)

/* ---- order.c: calls of several contexts ------------------------------------------------------ */

/* A stream has been made, or an event recorded, in the current lane. */
void order_note(const void *handle);

/* ---- capture.c ------------------------------------------------------------------------------- */

/* Whether a stream captures, or why that cannot be told; asks only while captures have begun that
 * have not ended. */
CUresult capture_find(CUstream stream, uint32_t flags, bool *captures);
/* Where the next node of a stream goes; valid until the thread asks again. */
typedef struct capture_point {
    CUgraph graph;
    const CUgraphNode *dependencies;
    const CUgraphEdgeData *edges;   /* NULL if they are all plain */
    uint64_t count;
} capture_point;
CUresult capture_locate(CUstream stream, uint32_t flags, capture_point *at);
/* 0, or the error of what cannot be captured. */
CUresult capture_forbids(CUstream stream, uint32_t flags);

/* What captures prohibit: 0, or the error, and the captures end with one. The calls that a thread's
 * mode of capture is about; those that say something of a stream; both but of a captured one; those
 * that wait for all of a context. */
CUresult capture_prohibits_unsafe(void);
CUresult capture_prohibits_in(CUstream stream);
CUresult capture_prohibits_elsewhere(CUstream stream);
CUresult capture_prohibits_waiting(void);
/* Whether an error has ended a stream's capture, as far as is known here. */
bool capture_has_failed(CUstream stream);
/* The same for what is in the order of the legacy stream. */
CUresult capture_prohibits_legacy(void);

/* ---- host_function.c ------------------------------------------------------------------------- */

/* Waits for a stream if functions of the program have been posted that have not run yet: they may
 * write host memory. */
CUresult host_functions_settle(CUstream stream, uint32_t flags);
/* A graph has one. */
void host_functions_captured(void);

#pragma GCC visibility pop

#endif
