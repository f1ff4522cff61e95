/* SPDX-License-Identifier: Apache-2.0
 *
 * The device of a virtio-serial port. One process at a time has it open. Its other side comes and
 * goes: meanwhile it has hung up.
 */
#ifndef OUTBOARD_PORT_H
#define OUTBOARD_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct port {
    char file[256];
    int fd;
    bool socket;            /* a Unix socket stands for the device */
    bool there;             /* so is the other side, as far as is known */
    uint64_t look_ns;       /* when it is looked for again */
} port;

/* Finds the file of a port by its name, unless it is given. False if there is none. */
bool port_find(port *p, const char *name, const char *given);
/* 0, or an error number. */
int port_open(port *p);
/* Whether the other side has come; to be asked while it is not there. */
bool port_came(port *p);
/* In so many milliseconds that is to be asked again; -1: not at all. */
int port_wait_ms(const port *p);
/* Bytes, 0 if there are none or no room for any; after an error the other side counts as gone. */
size_t port_read(port *p, void *to, size_t limit);
size_t port_write(port *p, const void *from, size_t bytes);

#endif
