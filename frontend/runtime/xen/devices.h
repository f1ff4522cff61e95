/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices of a domain under Xen: pages that it grants to another domain, pages that another one
 * has granted, event channels, and the xenstore. The kernel has them in /dev/xen; a test has its
 * own. A function that fails says why in errno.
 */
#ifndef OUTBOARD_XEN_DEVICES_H
#define OUTBOARD_XEN_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XEN_PAGE = 4096, XEN_MOST_PAGES = 256, XEN_DOMAINS = 0x7ff0 };

typedef struct xen_pages {
    void *base;
    unsigned count;
    int fd;         /* of the device, which gives the pages back as it is closed */
    uint64_t index; /* where the device has them */
} xen_pages;

/* One end of an event channel. Its descriptor is readable once the other end has rung. */
typedef struct xen_event {
    int fd;
    uint32_t port;
} xen_event;

typedef struct xen_devices {
    bool (*grant)(int domain, unsigned count, uint32_t grants[], xen_pages *to);
    bool (*map)(int domain, unsigned count, const uint32_t grants[], xen_pages *to);
    /* As the pages go, however this process ends: that byte of them becomes 0, and the event's
     * other end rings. */
    bool (*leave_word)(const xen_pages *pages, size_t byte, const xen_event *event);
    bool (*offer)(int domain, xen_event *to); /* a new channel, for that domain to join */
    bool (*join)(int domain, uint32_t port, xen_event *to); /* the channel at its port */
    void (*ring)(const xen_event *event);
    void (*hear)(const xen_event *event); /* takes what has rung; never waits */
    int (*store)(void);                   /* a connection to the xenstore */
} xen_devices;

extern const xen_devices xen_kernel;

#endif
