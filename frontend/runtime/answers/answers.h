/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers that need no round trip: those that never change, and those that stand while nothing is
 * sent.
 */
#ifndef OUTBOARD_RUNTIME_ANSWERS_H
#define OUTBOARD_RUNTIME_ANSWERS_H

#include "call/call.h"

bool cache_make(session *s);

#endif
