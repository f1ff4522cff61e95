/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTBOARD_VSOCK_H
#define OUTBOARD_VSOCK_H

#include "link/communicator.h"

enum { VSOCK_FAMILY = 40 };

/* struct sockaddr_vm of the kernel. */
typedef struct vsock_address {
    uint16_t family, reserved;
    uint32_t port, cid;
    uint8_t flags, zero[3];
} vsock_address;

/* Parses the text after "vsock:"; false if it is malformed. */
bool vsock_parse(const char *rest, vsock_address *to);
/* Whether this machine is a guest that has vsock. */
bool vsock_in_guest(void);

#endif
