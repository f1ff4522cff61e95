/* SPDX-License-Identifier: Apache-2.0
 *
 * What carries the bytes of a connection: a stream socket, or pages that this domain of Xen's
 * grants. These functions serve greetings and bulk data; the session's frames have stream.c.
 */
#ifndef OUTBOARD_CARRIER_H
#define OUTBOARD_CARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

struct xen_channel;

typedef struct carrier {
    int fd;                    /* of the socket, else -1 */
    struct xen_channel *pages; /* NULL where there are none */
} carrier;

#define NO_CARRIER ((carrier){.fd = -1})

static inline bool carrier_is_there(carrier c) { return c.fd >= 0 || c.pages != NULL; }

/* As recv(2) and sendmsg(2) of a socket that waits. Where pages carry, a wait also ends after a
 * while, as if a signal had cut it. */
ssize_t carrier_receive(carrier c, void *to, size_t limit);
ssize_t carrier_send(carrier c, struct iovec *parts, int count);
/* Until there may be something to receive; false if time was up. */
bool carrier_await(carrier c, int milliseconds);
/* Threads that wait return, and the other side sees the end. */
void carrier_shutdown(carrier c);
/* Another connection takes the place of one that was shut down, and leaves its own. Threads may
 * wait for the old one meanwhile: nobody receives or sends. False if the system refuses. */
bool carrier_replace(carrier c, carrier *by);
void carrier_close(carrier *c);
/* In a child of fork(2): the connection stays the parent's. */
void carrier_forget(carrier *c);

#endif
