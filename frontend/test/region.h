/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a region as a backend does; for tests and benchmarks.
 */
#ifndef OUTBOARD_REGION_H
#define OUTBOARD_REGION_H

#include "ring/ring.h"

region_layout region_usual(void);
int region_create(const region_layout *layout); /* a descriptor, or -1 */

#endif
