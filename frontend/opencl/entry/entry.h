/* SPDX-License-Identifier: Apache-2.0
 *
 * How programs and loaders find functions: by name, and in the loader's table.
 */
#ifndef OUTBOARD_OPENCL_ENTRY_H
#define OUTBOARD_OPENCL_ENTRY_H

#include "program/program.h"

/* ---- dispatch.c ------------------------------------------------------------------------------ */

extern const void *const opencl_dispatch[];

#endif
