/* SPDX-License-Identifier: Apache-2.0 */
#include "channel.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MORE "root raises /sys/module/xen_gntalloc/parameters/limit"

/* Bytes of the region's head, behind the words of the rings. */
enum { CLIENT_HERE = 1024, BACKEND_HERE = 1152 };

static const region_layout layout = {
    .bytes = REGION_HEAD + 2 * RING_BYTES,
    .ring_bytes = RING_BYTES,
};

/* ---- the event channel as a doorbell --------------------------------------------------------- */

/* An event that nobody has heard is still there: none is lost between the look at the word and this
 * sleep. */
static bool await_event(const doorbell *bell, uint32_t word, int timeout_ms) {
    struct pollfd either[2] = {
        {.fd = bell->fd, .events = POLLIN},
        {.fd = bell->beside, .events = POLLIN},
    };
    const xen_channel *c = bell->by;
    (void)word;
    bool woken = poll(either, 2, timeout_ms) != 0;
    if (either[0].revents != 0)
        c->devices->hear(&c->event);
    return woken;
}

static void send_event(const doorbell *bell) {
    const xen_channel *c = bell->by;
    c->devices->ring(&c->event);
}

static const doorbell_kind event_channel = {await_event, send_event};

/* ---- offers ---------------------------------------------------------------------------------- */

void xen_offer_write(const xen_offer *offer, char text[OFFER_TEXT]) {
    int length = snprintf(text, OFFER_TEXT, "%u", (unsigned)offer->port);
    for (unsigned i = 0; i < CHANNEL_PAGES; i++)
        length += snprintf(text + length, (size_t)(OFFER_TEXT - length), " %u",
            (unsigned)offer->grants[i]);
}

/* Decimal digits alone: strtoul would take more. */
static bool parse_number(const char **text, uint32_t *number) {
    uint64_t value = 0;
    const char *at = *text;
    for (; *at >= '0' && *at <= '9' && value <= UINT32_MAX; at++)
        value = value * 10 + (uint64_t)(*at - '0');
    bool is_one = at != *text && value <= UINT32_MAX;
    *text = at;
    *number = (uint32_t)value;
    return is_one;
}

bool xen_offer_parse(xen_offer *offer, const char *text) {
    if (!parse_number(&text, &offer->port))
        return false;
    for (unsigned i = 0; i < CHANNEL_PAGES; i++)
        if (*text++ != ' ' || !parse_number(&text, &offer->grants[i]))
            return false;
    return *text == '\0';
}

/* ---- a channel ------------------------------------------------------------------------------- */

static bool fail(xen_channel *c, const char *what, char *why, size_t limit) {
    snprintf(why, limit, "%s: %s", what, strerror(errno));
    xen_channel_close(c);
    return false;
}

static void nothing(xen_channel *c, const xen_devices *by) {
    *c = (xen_channel){.devices = by, .pages = {.base = MAP_FAILED, .fd = -1}, .event = {.fd = -1}};
}

/* The side's own byte tells of it as long as it is there. */
static bool come(xen_channel *c, enum channel_side side) {
    uint8_t *base = c->pages.base;
    bool client = side == CLIENT_SIDE;
    size_t own = client ? CLIENT_HERE : BACKEND_HERE, other = client ? BACKEND_HERE : CLIENT_HERE;
    if (!c->devices->leave_word(&c->pages, own, &c->event))
        return false;
    channel_over(&c->rings, base, &layout, side, &event_channel);
    c->rings.own.by = c->rings.other.by = c;
    c->rings.own.fd = c->event.fd;
    c->here = (_Atomic uint8_t *)(base + own);
    c->there = (_Atomic uint8_t *)(base + other);
    atomic_store(c->here, 1);
    c->devices->ring(&c->event);
    return true;
}

bool xen_channel_make(xen_channel *c, const xen_devices *by, int domain, xen_offer *offer,
    char *why, size_t limit) {
    nothing(c, by);
    if (!by->grant(domain, CHANNEL_PAGES, offer->grants, &c->pages)) {
        bool full = errno == ENOSPC;
        return fail(c, full ? "pages (" MORE ")" : "pages (/dev/xen/gntalloc)", why, limit);
    }
    memset(c->pages.base, 0, REGION_HEAD);
    if (!by->offer(domain, &c->event))
        return fail(c, "an event channel (/dev/xen/evtchn)", why, limit);
    offer->port = c->event.port;
    return come(c, CLIENT_SIDE) || fail(c, "word of this side's end", why, limit);
}

bool xen_channel_take(xen_channel *c, const xen_devices *by, int domain, const xen_offer *offer,
    char *why, size_t limit) {
    nothing(c, by);
    if (!by->map(domain, CHANNEL_PAGES, offer->grants, &c->pages))
        return fail(c, "mapping pages (/dev/xen/gntdev)", why, limit);
    if (!by->join(domain, offer->port, &c->event))
        return fail(c, "the event channel (/dev/xen/evtchn)", why, limit);
    return come(c, BACKEND_SIDE) || fail(c, "word of this side's end", why, limit);
}

bool xen_channel_is_used(const xen_channel *c) { return atomic_load(c->there) != 0; }

void xen_channel_close(xen_channel *c) {
    if (c->here != NULL) {
        atomic_store(c->here, 0);
        c->devices->ring(&c->event);
    }
    if (c->pages.base != MAP_FAILED)
        munmap(c->pages.base, (size_t)c->pages.count * XEN_PAGE);
    if (c->pages.fd >= 0)
        close(c->pages.fd);
    if (c->event.fd >= 0)
        close(c->event.fd);
    nothing(c, c->devices);
}
