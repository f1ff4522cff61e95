/* SPDX-License-Identifier: Apache-2.0 */
#include "xen/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
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

enum { NOBODY, LISTENS, OTHERS_WAIT };

/* An event that nobody has heard is still there: none is lost between the look at the word and this
 * sleep. */
static bool listen_for_event(xen_channel *c, const doorbell *bell, int timeout_ms) {
    struct pollfd any[3] = {
        {.fd = c->event.fd, .events = POLLIN},
        {.fd = bell->beside, .events = POLLIN},
        {.fd = c->rouse, .events = POLLIN},
    };
    eventfd_t count;
    bool woken = poll(any, 3, timeout_ms) != 0;
    if (any[0].revents != 0)
        c->devices->hear(&c->event);
    if (any[2].revents != 0)
        eventfd_read(c->rouse, &count);
    return woken;
}

static doorbell bell_of_others(xen_channel *c) {
    return (doorbell){.kind = &futex_doorbell, .word = &c->heard};
}

static void stop_listening(xen_channel *c) {
    doorbell others = bell_of_others(c);
    if (atomic_exchange(&c->listener, NOBODY) != OTHERS_WAIT)
        return;
    atomic_fetch_add(&c->heard, 1);
    doorbell_ring(&others);
}

/* Who hears an event takes it away, and it names no receiver: so one thread listens, and ends the
 * sleep of the others, too. The word is looked at once nobody else listens any more. */
static bool await_event(const doorbell *bell, uint32_t word, int timeout_ms) {
    xen_channel *c = bell->by;
    doorbell others = bell_of_others(c);
    uint32_t heard = atomic_load(&c->heard);
    int cancellation;
    bool woken = true;
    if (atomic_exchange(&c->listener, OTHERS_WAIT) != NOBODY)
        return doorbell_sleep(&others, heard, timeout_ms);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    if (atomic_load(bell->word) == word && !atomic_load(&c->over))
        woken = listen_for_event(c, bell, timeout_ms);
    stop_listening(c);
    pthread_setcancelstate(cancellation, NULL);
    return woken;
}

/* This side's own bell is for its sleepers. */
static void send_event(const doorbell *bell) {
    const xen_channel *c = bell->by;
    if (bell == &c->rings.own)
        eventfd_write(c->rouse, 1);
    else
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
    *c = (xen_channel){
        .devices = by,
        .pages = {.base = MAP_FAILED, .fd = -1},
        .event = {.fd = -1},
        .rouse = -1,
    };
}

static size_t length_of(const xen_channel *c) { return (size_t)c->pages.count * XEN_PAGE; }

/* The side's own byte tells of it as long as it is there. */
static bool come(xen_channel *c, enum channel_side side) {
    uint8_t *base = c->pages.base;
    bool client = side == CLIENT_SIDE;
    size_t own = client ? CLIENT_HERE : BACKEND_HERE, other = client ? BACKEND_HERE : CLIENT_HERE;
    if (!c->devices->leave_word(&c->pages, own, &c->event))
        return false;
    channel_over(&c->rings, base, &layout, side, &event_channel);
    c->rings.own.by = c->rings.other.by = c;
    c->here = (_Atomic uint8_t *)(base + own);
    c->there = (_Atomic uint8_t *)(base + other);
    atomic_store(c->here, 1);
    c->devices->ring(&c->event);
    /* A child that had them would keep them from going with this process. */
    return madvise(base, length_of(c), MADV_DONTFORK) == 0;
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
    c->rouse = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (c->rouse < 0)
        return fail(c, "an eventfd", why, limit);
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

void xen_channel_end(xen_channel *c) {
    atomic_store(&c->over, true);
    atomic_store(c->here, 0);
    c->devices->ring(&c->event);
    eventfd_write(c->rouse, 1);
}

bool xen_channel_is_over(const xen_channel *c) {
    return atomic_load(&c->over) || !xen_channel_is_used(c);
}

static void go_on(ring *r, const ring *from) {
    atomic_store(&r->at, atomic_load(&from->at));
    r->other = from->other;
}

/* What held the old pages and the old event goes with their descriptors. */
bool xen_channel_replace(xen_channel *c, xen_channel *of) {
    size_t bytes = length_of(c);
    if (mremap(of->pages.base, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, c->pages.base) ==
            MAP_FAILED ||
        dup3(of->pages.fd, c->pages.fd, O_CLOEXEC) < 0 ||
        dup3(of->event.fd, c->event.fd, O_CLOEXEC) < 0)
        return false;
    c->pages.index = of->pages.index;
    c->event.port = of->event.port;
    go_on(&c->rings.in, &of->rings.in);
    go_on(&c->rings.out, &of->rings.out);
    atomic_store(&c->over, false);
    xen_channel_forget(of);
    return true;
}

void xen_channel_forget(xen_channel *c) {
    const int all[] = {c->pages.fd, c->event.fd, c->rouse};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] >= 0)
            close(all[i]);
    nothing(c, c->devices);
}

void xen_channel_close(xen_channel *c) {
    if (c->here != NULL) {
        atomic_store(c->here, 0);
        c->devices->ring(&c->event);
    }
    if (c->pages.base != MAP_FAILED)
        munmap(c->pages.base, length_of(c));
    xen_channel_forget(c);
}
