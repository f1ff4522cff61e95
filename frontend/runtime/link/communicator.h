/* SPDX-License-Identifier: Apache-2.0
 *
 * The communicators of the runtime itself, each in a file of its own, and what they use together.
 * ob_communicator has the capabilities of each.
 */
#ifndef OUTBOARD_COMMUNICATOR_H
#define OUTBOARD_COMMUNICATOR_H

#include "link/link.h"

#include <sys/socket.h>

/* unix.c */
extern const ob_communicator unix_communicator, shm_communicator, relay_communicator,
    tunnel_communicator;
/* virtio.c */
extern const ob_communicator virtio_communicator;
extern const ob_communicator xen_communicator;                                         /* xen.c */
extern const ob_communicator tcp_communicator;                                         /* tcp.c */
extern const ob_communicator vsock_communicator;                                       /* vsock.c */

/* ---- connect.c ------------------------------------------------------------------------------- */

/* A host that does not answer is an error within seconds; the waiting user gets a word before that.
 * */
bool connect_patiently(const endpoint *to, int fd, const struct sockaddr *address, socklen_t bytes);
/* Closes the descriptor, says what errno means and what helps; -1. */
int connect_failed(int fd, char *why, size_t limit, const char *what);

/* ---- unix.c ---------------------------------------------------------------------------------- */

int connect_unix(const endpoint *to, const char *path, char *why, size_t limit);

/* ---- xen.c ----------------------------------------------------------------------------------- */

/* The only one without a socket. */
carrier connect_xen(const endpoint *to, char *why, size_t limit);

/* ---- communicators.c ------------------------------------------------------------------------- */

/* Returns the text after the two slashes of a URI with a host; NULL if there are none. */
const char *after_slashes(const char *rest);

#endif
