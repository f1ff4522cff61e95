/* SPDX-License-Identifier: Apache-2.0
 *
 * Many connections of programs over one port, to a backend at its other end.
 */
#ifndef OUTBOARD_MULTIPLEX_H
#define OUTBOARD_MULTIPLEX_H

#include "place.h"
#include "port.h"

/* Until it is told to end, or its program and all connections have ended. */
void multiplex(port *at, const place *from, bool of_all);

#endif
