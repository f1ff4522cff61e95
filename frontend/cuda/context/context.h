/* SPDX-License-Identifier: Apache-2.0
 *
 * How contexts are made and how they end.
 */
#ifndef OUTBOARD_CUDA_CONTEXT_H
#define OUTBOARD_CUDA_CONTEXT_H

#include "memory/memory.h"

#pragma GCC visibility push(hidden)

/* ---- ended.c --------------------------------------------------------------------------------- */

void context_end(CUcontext context);            /* destructors run, ranges are forgotten */

/* ---- primary.c: green contexts use the primary one of their device -------------------------- */

void primary_retained(int backend_ordinal);
bool primary_released(int backend_ordinal);     /* whether that was the last use */

#pragma GCC visibility pop

#endif
