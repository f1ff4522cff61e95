/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes in bulk, and the memory that they lie in.
 */
#ifndef OUTBOARD_RUNTIME_MOVE_H
#define OUTBOARD_RUNTIME_MOVE_H

#include "call/call.h"

void bulk_shutdown(void);               /* whoever waits for bulk data returns */
void bulk_forget(void);

#endif
