/* SPDX-License-Identifier: Apache-2.0
 *
 * How a program's domain and the backend's find each other, over the xenstore: docs/xen.md.
 */
#ifndef OUTBOARD_XEN_H
#define OUTBOARD_XEN_H

#include "xen/channel.h"

enum { XEN_WAIT_MS = 10000 };

/* The domain of the backend that is named xen:DOMID; -1 if it is none. */
int xen_domain(const char *uri);

/* The program's side: a channel that the domain uses; false, with a line, if nobody there does
 * within so long. */
bool xen_meet(xen_channel *c, const xen_devices *by, int domain, int wait_ms, char *why,
              size_t limit);

/* The other side, to which a domain offers channels. */
typedef struct xen_visitors {
    store store;
    int domain;
    char folder[64]; /* of its offers */
    char names[STORE_PAYLOAD + 2];
    const char *next; /* of those names */
} xen_visitors;

bool xen_expect(xen_visitors *v, const xen_devices *by, int domain);
/* Another look at the folder; false if the domain is gone. */
bool xen_look(xen_visitors *v);
/* The next offer, which nobody else takes; false if there is none. Malformed ones are left out. */
bool xen_next_offer(xen_visitors *v, xen_offer *offer);

#endif
