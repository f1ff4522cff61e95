/* SPDX-License-Identifier: Apache-2.0
 *
 * Two domains of Xen, 0 and GUEST, in place of xen/devices.c: their devices are files of the
 * working folder, so that programs share them, and their xenstore is a thread in each process that
 * asks it.
 */
#ifndef OUTBOARD_DOMAINS_H
#define OUTBOARD_DOMAINS_H

#include "xen/devices.h"

enum { GUEST = 3 };

/* A file of this name there says that GUEST is gone, once the watcher is told of anything. */
#define GUEST_IS_GONE "gone"

extern int domains_refusal;         /* an error that granting ends with */
extern bool domains_leave_no_word;

/* A key in GUEST's folder of offers; the number of keys there. */
void domains_put(const char *name, const char *value);
int domains_keys(void);

#endif
