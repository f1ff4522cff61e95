/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures what carries a domain's bytes itself: pages of Xen's, and TCP. Domain 0 answers, the
 * other domain asks; no backend and no session take part.
 *
 *     medium answer DOMID PORT      one conversation over pages, then one over TCP
 *     medium ask xen:0|tcp://HOST:PORT
 *
 * A question and an answer have 64 bytes. A question says how many bytes follow it, and how many of
 * those that came last follow the answer.
 */
#include "base/clock.h"
#include "link/carrier.h"
#include "link/link.h"
#include "xen/xen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BULK = 16 << 20, ROUNDS = 1000, WARM_UP = 100, BULK_ROUNDS = 3 };

typedef struct question {
    uint32_t follow, give_back;
    uint8_t rest[56];
} question;

static uint8_t *bulk;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "medium: %s: %s\n", what, why);
    exit(1);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* As the frontend waits: it spins while that has been worth while, then sleeps. */
static ssize_t some(carrier c, uint8_t *bytes, size_t count, bool out) {
    if (c.pages == NULL)
        return out ? send(c.fd, bytes, count, MSG_NOSIGNAL) : recv(c.fd, bytes, count, 0);
    channel *rings = &c.pages->rings;
    bool over = xen_channel_is_over(c.pages);
    size_t n = out ? channel_write(rings, &(struct iovec){bytes, count}, 1)
                   : channel_read(rings, bytes, count);
    if (n == 0 && !over && (out || !channel_spin(rings, LOOKS_FREELY)))
        channel_sleep(rings, out ? FOR_ROOM : FOR_DATA, NULL, 1000);
    return n == CHANNEL_BROKEN || (n == 0 && over) ? -1 : (ssize_t)n;
}

/* False if the other side has gone. */
static bool all(carrier c, void *bytes, size_t count, bool out) {
    for (size_t done = 0; done < count;) {
        ssize_t n = some(c, (uint8_t *)bytes + done, count - done, out);
        if (n < 0 || (n == 0 && c.pages == NULL))
            return false;
        done += (size_t)n;
    }
    return true;
}

/* ---- domain 0 -------------------------------------------------------------------------------- */

static void answer(carrier c) {
    question q;
    while (all(c, &q, sizeof q, false) && q.follow <= BULK && q.give_back <= BULK)
        if (!all(c, bulk, q.follow, false) || !all(c, &q, sizeof q, true) ||
            !all(c, bulk, q.give_back, true))
            return;
}

static void answer_over_pages(int domain) {
    static xen_visitors visitors;
    xen_offer offer;
    xen_channel over;
    char why[256];
    if (!xen_expect(&visitors, &xen_kernel, domain))
        fail("the xenstore", strerror(errno));
    while (xen_look(&visitors) && !xen_next_offer(&visitors, &offer))
        if (!store_take_event(&visitors.store))
            fail("the xenstore", strerror(errno));
    if (!xen_channel_take(&over, &xen_kernel, domain, &offer, why, sizeof why))
        fail("a channel", why);
    answer((carrier){.fd = -1, .pages = &over});
    xen_channel_close(&over);
}

static int listen_at(int port) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int on = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&here, sizeof here) < 0 || listen(listener, 1) < 0)
        fail("listen", strerror(errno));
    return listener;
}

static void answer_over_tcp(int listener) {
    int on = 1, fd = accept(listener, NULL, NULL);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    answer((carrier){.fd = fd});
    close(fd);
}

/* The asker turns from one to the other at once: so it listens from the beginning. */
static void answer_both(int domain, int port) {
    int listener = listen_at(port);
    answer_over_pages(domain);
    answer_over_tcp(listener);
    close(listener);
}

/* ---- the other domain ------------------------------------------------------------------------ */

/* Returns nanoseconds. */
static uint64_t ask(carrier c, uint32_t follow, uint32_t give_back, uint8_t *to) {
    question q = {.follow = follow, .give_back = give_back}, back = {0};
    uint64_t begin = now_ns();
    if (!all(c, &q, sizeof q, true) || !all(c, bulk, follow, true) ||
        !all(c, &back, sizeof back, false) || !all(c, to, give_back, false))
        fail("the other side", "has gone");
    if (memcmp(&q, &back, sizeof q) != 0)
        fail("the answer", "is not the question");
    return now_ns() - begin;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t median(uint64_t *samples, int count) {
    qsort(samples, (size_t)count, sizeof *samples, by_value);
    return samples[count / 2];
}

static void measure_round_trips(carrier c, const char *way) {
    static uint64_t samples[ROUNDS];
    for (int i = -WARM_UP; i < ROUNDS; i++)
        samples[i < 0 ? 0 : i] = ask(c, 0, 0, NULL);
    uint64_t middle = median(samples, ROUNDS);
    printf("medium: over %s 64 bytes there and back: %.1f us (p10 %.1f, p90 %.1f)\n", way,
           (double)middle / 1e3, (double)samples[ROUNDS / 10] / 1e3,
           (double)samples[ROUNDS * 9 / 10] / 1e3);
}

static void measure_bulk(carrier c, const char *way) {
    uint64_t out[BULK_ROUNDS], in[BULK_ROUNDS];
    uint8_t *back = calloc(1, BULK);
    if (back == NULL)
        fail("memory", strerror(errno));
    for (int i = 0; i < BULK_ROUNDS; i++) {
        for (size_t at = 0; at < BULK; at++)
            bulk[at] = (uint8_t)(at * 31 + at / 251 + (size_t)i);
        out[i] = ask(c, BULK, 0, NULL);
        in[i] = ask(c, 0, BULK, back);
        if (memcmp(bulk, back, BULK) != 0)
            fail("the bytes that came back", "are others");
    }
    free(back);
    printf("medium: over %s 16 MiB: %.1f MB/s there, %.1f MB/s back\n", way,
           BULK * 1e3 / (double)median(out, BULK_ROUNDS),
           BULK * 1e3 / (double)median(in, BULK_ROUNDS));
}

static void ask_over(const char *uri) {
    endpoint to = {.fd = -1};
    char why[256];
    snprintf(to.uri, sizeof to.uri, "%s", uri);
    carrier c = connect_to(&to, why, sizeof why);
    if (!carrier_is_there(c))
        fail(uri, why);
    const char *way = c.pages != NULL ? "pages" : "TCP";
    measure_round_trips(c, way);
    measure_bulk(c, way);
    carrier_close(&c);
}

int main(int argc, char **argv) {
    bulk = calloc(1, BULK);
    if (bulk == NULL)
        fail("memory", strerror(errno));
    if (argc == 4 && strcmp(argv[1], "answer") == 0) {
        answer_both(atoi(argv[2]), atoi(argv[3]));
    } else if (argc == 3 && strcmp(argv[1], "ask") == 0) {
        ask_over(argv[2]);
    } else {
        fprintf(stderr, "usage: medium answer DOMID PORT | medium ask URI\n");
        return 2;
    }
    return 0;
}
