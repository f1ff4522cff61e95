/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTBOARD_XEN_CARRY_H
#define OUTBOARD_XEN_CARRY_H

#include "xen/channel.h"

/* Passes bytes on between a socket and a channel, both ways, until either has ended. NULL if all
 * went well, else what the other domain did. */
const char *xen_carry(xen_channel *c, int socket);

#endif
