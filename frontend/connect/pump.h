/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTBOARD_PUMP_H
#define OUTBOARD_PUMP_H

#include "tls.h"

/* Passes bytes on, both ways, until both directions have ended or the connection breaks. NULL if
 * all went well. */
const char *pump(tls_connection *secure, int plain);

#endif
