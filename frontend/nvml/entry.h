/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTBOARD_NVML_ENTRY_H
#define OUTBOARD_NVML_ENTRY_H

#include "nvml.remote.h"

#pragma GCC visibility push(hidden)

/* The program has initialised the library, or ended it as often. */
void nvml_begins(void);
void nvml_ends(void);

#pragma GCC visibility pop

#endif
