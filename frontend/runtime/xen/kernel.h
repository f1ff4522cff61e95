/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests to the kernel's devices. Linux declares them in xen/gntalloc.h, xen/gntdev.h and
 * xen/evtchn.h, which not every system has.
 */
#ifndef OUTBOARD_XEN_KERNEL_H
#define OUTBOARD_XEN_KERNEL_H

#include <stdint.h>
#include <sys/ioctl.h>

enum { CLEAR_BYTE = 1, SEND_EVENT = 2, GRANT_WRITABLE = 1 };

struct alloc_grants {
    uint16_t domain, flags;
    uint32_t count;
    uint64_t index;
    uint32_t grants[]; /* one in the number of the request */
};

struct map_grants {
    uint32_t count, padding;
    uint64_t index;
    struct {
        uint32_t domain, grant;
    } from[]; /* likewise */
};

struct unmap_notify {
    uint64_t index;
    uint32_t action, port;
};

struct bind_unbound {
    uint32_t domain;
};

struct bind_to_domain {
    uint32_t domain, port;
};

struct notify_port {
    uint32_t port;
};

#define GNTALLOC_ALLOC _IOC(_IOC_NONE, 'G', 5, 24)
#define GNTALLOC_NOTIFY _IOC(_IOC_NONE, 'G', 7, sizeof(struct unmap_notify))
#define GNTDEV_MAP _IOC(_IOC_NONE, 'G', 0, 24)
#define GNTDEV_NOTIFY _IOC(_IOC_NONE, 'G', 7, sizeof(struct unmap_notify))
#define EVTCHN_TO_DOMAIN _IOC(_IOC_NONE, 'E', 1, sizeof(struct bind_to_domain))
#define EVTCHN_UNBOUND _IOC(_IOC_NONE, 'E', 2, sizeof(struct bind_unbound))
#define EVTCHN_NOTIFY _IOC(_IOC_NONE, 'E', 4, sizeof(struct notify_port))

#endif
