/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes in bulk, and the memory that they lie in.
 */
#ifndef OUTBOARD_RUNTIME_MOVE_H
#define OUTBOARD_RUNTIME_MOVE_H

#include "call/call.h"

bool bulk_make(session *s);
void bulk_shutdown(session *s);         /* whoever waits for bulk data returns */
void bulk_restored(session *s);         /* more connections can be had again */
/* the backend lacks pieces of transfers up to this one */
void bulk_lost(session *s, uint64_t last);
/* in a forked child: closes its copies of the connections */
void bulk_forget(const session *s);

/* Whether the other side reads each part as soon as it is told of it. */
void ob_large_copy_begin(ob_large_copy *l, uint64_t bytes, bool read_at_once);
/* Returns when the part is copied, and visible to threads that are told of it then. */
void ob_large_copy_part(ob_large_copy *l, void *to, const void *from, uint64_t bytes);
void ob_large_copy_end(ob_large_copy *l);

#endif
