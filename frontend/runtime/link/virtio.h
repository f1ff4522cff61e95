/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTBOARD_VIRTIO_H
#define OUTBOARD_VIRTIO_H

#include "link/communicator.h"

/* as long as the path of a socket may be; as a name of a port, with its end */
enum { VIRTIO_PATH = 108, VIRTIO_NAME = 65 };

/* Whether it can be the name of a port. */
bool virtio_name(const char *name);
/* Finds a port of this machine by its name, or by the beginning of that before a star: its name and
 * its device in /dev. */
bool virtio_find(const char *wanted, char name[VIRTIO_NAME], char device[VIRTIO_NAME]);
/* The companion's socket for a port: the user's, or the one for all users of this machine, which
 * root's is. False if there is none. */
bool virtio_socket(const char *name, bool of_all, char to[VIRTIO_PATH]);

#endif
