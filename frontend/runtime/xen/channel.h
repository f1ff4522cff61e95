/* SPDX-License-Identifier: Apache-2.0
 *
 * A byte stream each way between two domains: the rings of PROTOCOL.md, "Shared memory", in pages
 * that the program's domain grants, and an event channel that wakes. docs/xen.md says how the two
 * sides find each other. The other side may write anything anywhere in the pages, and may go at any
 * time.
 */
#ifndef OUTBOARD_XEN_CHANNEL_H
#define OUTBOARD_XEN_CHANNEL_H

#include "xen/devices.h"
#include "xen/store.h"

#include "ring/ring.h"

#include <stdatomic.h>

enum { RING_BYTES = 256 << 10, CHANNEL_PAGES = (REGION_HEAD + 2 * RING_BYTES) / XEN_PAGE };

typedef struct xen_channel {
    const xen_devices *devices;
    xen_pages pages;
    xen_event event;
    channel rings;
    _Atomic uint8_t *here, *there; /* whether this side, and the other one, uses the pages */
    int rouse;                     /* an eventfd(2) for sleepers of this side, where it has some */
    _Atomic bool over;             /* nobody sleeps any more */
    _Atomic uint32_t listener;     /* one of the sleepers listens for all … */
    _Atomic uint32_t heard;        /* … and counts what the others are told */
} xen_channel;

/* The words of one side to the other over the xenstore. */
typedef struct xen_offer {
    uint32_t port;
    uint32_t grants[CHANNEL_PAGES];
} xen_offer;

/* Long enough for any offer. */
enum { OFFER_TEXT = (CHANNEL_PAGES + 1) * 11 };

void xen_offer_write(const xen_offer *offer, char text[OFFER_TEXT]);
/* False if that is not what xen_offer_write makes. */
bool xen_offer_parse(xen_offer *offer, const char *text);

/* The program's side: makes a channel, and the offer for that domain. The channel stays where it
 * is. Both fail with a line. */
bool xen_channel_make(xen_channel *c, const xen_devices *by, int domain, xen_offer *offer,
                      char *why, size_t limit);
/* The other side: uses what that domain offers. */
bool xen_channel_take(xen_channel *c, const xen_devices *by, int domain, const xen_offer *offer,
                      char *why, size_t limit);
/* Whether the other side uses the pages: it has come, and has not gone. */
bool xen_channel_is_used(const xen_channel *c);
/* Tells the other side that this one has gone, and wakes all sleepers, as shutdown(2) does. */
void xen_channel_end(xen_channel *c);
/* Whether either side has gone. */
bool xen_channel_is_over(const xen_channel *c);
/* `of` goes on as `c`, which has ended: at the addresses and with the descriptors of that, so that
 * threads may look at it meanwhile. Nobody reads or writes. False if the system refuses. */
bool xen_channel_replace(xen_channel *c, xen_channel *of);
void xen_channel_close(xen_channel *c);
/* In a child of fork(2): closes its copies, and tells nobody. The pages are not mapped there. */
void xen_channel_forget(xen_channel *c);

#endif
