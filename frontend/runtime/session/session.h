/* SPDX-License-Identifier: Apache-2.0
 *
 * The sessions of the process. The first one is there before a library needs it; with which backend
 * it opens is found out then.
 */
#ifndef OUTBOARD_RUNTIME_SESSION_H
#define OUTBOARD_RUNTIME_SESSION_H

#include "answers/answers.h"
#include "move/move.h"

/* A further session, with a backend of its own, which its first call opens: of a thread that has
 * taken it (session_take). It stays. */
session *session_make(const char *uri);

#endif
