/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTBOARD_COMPANION_H
#define OUTBOARD_COMPANION_H

#include <sys/types.h>

/* Serves programs a virtio-serial port, whose device is found by its name unless it is given. An
 * exit status. */
int serve_port(const char *name, const char *file, pid_t program);

#endif
