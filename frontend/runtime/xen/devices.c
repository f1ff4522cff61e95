/* SPDX-License-Identifier: Apache-2.0 */
#include "xen/devices.h"

#include "xen/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int open_device(const char *path) { return open(path, O_RDWR | O_CLOEXEC); }

static bool close_failed(int fd) {
    int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return false;
}

/* ---- pages ----------------------------------------------------------------------------------- */

static bool map_pages(int fd, uint64_t index, unsigned count, xen_pages *to) {
    void *base =
        mmap(NULL, (size_t)count * XEN_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)index);
    if (base == MAP_FAILED)
        return close_failed(fd);
    *to = (xen_pages){.base = base, .count = count, .fd = fd, .index = index};
    return true;
}

static bool grant(int domain, unsigned count, uint32_t grants[], xen_pages *to) {
    union {
        struct alloc_grants request;
        uint8_t room[sizeof(struct alloc_grants) + XEN_MOST_PAGES * sizeof *grants];
    } all = {.request = {.domain = (uint16_t)domain, .flags = GRANT_WRITABLE, .count = count}};
    int fd = open_device("/dev/xen/gntalloc");
    if (fd < 0 || ioctl(fd, GNTALLOC_ALLOC, &all) != 0)
        return close_failed(fd);
    memcpy(grants, all.request.grants, count * sizeof *grants);
    return map_pages(fd, all.request.index, count, to);
}

static bool map(int domain, unsigned count, const uint32_t grants[], xen_pages *to) {
    union {
        struct map_grants request;
        uint8_t room[sizeof(struct map_grants) + XEN_MOST_PAGES * 2 * sizeof *grants];
    } all = {.request = {.count = count}};
    for (unsigned i = 0; i < count; i++) {
        all.request.from[i].domain = (uint32_t)domain;
        all.request.from[i].grant = grants[i];
    }
    int fd = open_device("/dev/xen/gntdev");
    if (fd < 0 || ioctl(fd, GNTDEV_MAP, &all) != 0)
        return close_failed(fd);
    return map_pages(fd, all.request.index, count, to);
}

/* Both devices number this request alike. */
static bool leave_word(const xen_pages *pages, size_t byte, const xen_event *event) {
    _Static_assert(GNTALLOC_NOTIFY == GNTDEV_NOTIFY, "one request for both devices");
    struct unmap_notify last = {pages->index + byte, CLEAR_BYTE | SEND_EVENT, event->port};
    return ioctl(pages->fd, GNTALLOC_NOTIFY, &last) == 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The request returns the port. */
static bool bind_port(unsigned long request, void *what, xen_event *to) {
    int fd = open("/dev/xen/evtchn", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    int port = fd < 0 ? -1 : ioctl(fd, request, what);
    if (port < 0)
        return close_failed(fd);
    *to = (xen_event){.fd = fd, .port = (uint32_t)port};
    return true;
}

static bool offer(int domain, xen_event *to) {
    return bind_port(EVTCHN_UNBOUND, &(struct bind_unbound){(uint32_t)domain}, to);
}

static bool join(int domain, uint32_t port, xen_event *to) {
    return bind_port(EVTCHN_TO_DOMAIN, &(struct bind_to_domain){(uint32_t)domain, port}, to);
}

static void ring(const xen_event *event) {
    ioctl(event->fd, EVTCHN_NOTIFY, &(struct notify_port){event->port});
}

/* An event that is written back may come again. */
static void hear(const xen_event *event) {
    uint32_t port;
    if (read(event->fd, &port, sizeof port) != sizeof port)
        return;
    ssize_t written = write(event->fd, &port, sizeof port);
    (void)written;
}

/* ---- the xenstore ---------------------------------------------------------------------------- */

static int store(void) { return open_device("/dev/xen/xenbus"); }

const xen_devices xen_kernel = {grant, map, leave_word, offer, join, ring, hear, store};
