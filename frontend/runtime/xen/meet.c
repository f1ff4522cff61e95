/* SPDX-License-Identifier: Apache-2.0 */
#include "xen/xen.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 160, NAME = 32, LOOK_MS = 100 };

static const char scheme[] = "xen:";

int xen_domain(const char *uri) {
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0)
        return -1;
    const char *digits = uri + sizeof scheme - 1;
    size_t length = strspn(digits, "0123456789");
    if (length == 0 || length > 5 || digits[length] != '\0')
        return -1;
    long domain = strtol(digits, NULL, 10);
    return domain < XEN_DOMAINS ? (int)domain : -1;
}

/* ---- the program's side ---------------------------------------------------------------------- */

static bool is_used_within(const xen_channel *c, int wait_ms) {
    struct pollfd event = {.fd = c->event.fd, .events = POLLIN};
    uint64_t end = now_ns() + (uint64_t)wait_ms * 1000000;
    while (!xen_channel_is_used(c) && now_ns() < end)
        if (poll(&event, 1, LOOK_MS) > 0)
            c->devices->hear(&c->event);
    return xen_channel_is_used(c);
}

/* Its own part of the xenstore, which a domain may write as it is; no other channel of the domain
 * has that port. */
static bool publish(store *s, const xen_channel *c, const xen_offer *offer, int wait_ms, char *why,
                    size_t limit) {
    char path[PATH], text[OFFER_TEXT];
    snprintf(path, sizeof path, "data/outboard/%u", (unsigned)offer->port);
    xen_offer_write(offer, text);
    if (!store_write(s, path, text)) {
        snprintf(why, limit, "the xenstore (/dev/xen/xenbus): %s", strerror(errno));
        return false;
    }
    bool used = is_used_within(c, wait_ms);
    store_remove(s, path);
    if (!used)
        snprintf(
            why, limit,
            "nobody takes the channel there: 'outboard-xen' has to run in the backend's domain");
    return used;
}

bool xen_meet(xen_channel *c, const xen_devices *by, int domain, int wait_ms, char *why,
              size_t limit) {
    xen_offer offer;
    if (!xen_channel_make(c, by, domain, &offer, why, limit))
        return false;
    store s = {.fd = by->store()};
    if (s.fd < 0)
        snprintf(why, limit, "the xenstore (/dev/xen/xenbus): %s", strerror(errno));
    bool met = s.fd >= 0 && publish(&s, c, &offer, wait_ms, why, limit);
    if (s.fd >= 0)
        close(s.fd);
    if (!met)
        xen_channel_close(c);
    return met;
}

/* ---- the other side -------------------------------------------------------------------------- */

bool xen_expect(xen_visitors *v, const xen_devices *by, int domain) {
    *v = (xen_visitors){.store.fd = by->store(), .domain = domain};
    v->next = v->names;
    snprintf(v->folder, sizeof v->folder, "/local/domain/%d/data/outboard", domain);
    return v->store.fd >= 0 && store_watch(&v->store, "@releaseDomain") &&
           store_watch(&v->store, v->folder);
}

bool xen_look(xen_visitors *v) {
    v->store.fired = false;
    if (!store_list(&v->store, v->folder, v->names))
        v->names[0] = v->names[1] = '\0';
    v->next = v->names;
    return store_knows_domain(&v->store, v->domain);
}

/* Its key goes first, so that it is taken once. */
static bool take(xen_visitors *v, const char *name, xen_offer *offer) {
    char path[PATH], text[STORE_PAYLOAD + 2];
    if (strlen(name) >= NAME)
        return false;
    snprintf(path, sizeof path, "%s/%s", v->folder, name);
    return store_read(&v->store, path, text) && store_remove(&v->store, path) &&
           xen_offer_parse(offer, text);
}

bool xen_next_offer(xen_visitors *v, xen_offer *offer) {
    while (*v->next != '\0') {
        const char *name = v->next;
        v->next += strlen(name) + 1;
        if (take(v, name, offer))
            return true;
    }
    return false;
}
