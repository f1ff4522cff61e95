/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels: their arguments and their starts; buffers of recorded commands.
 */
#ifndef OUTBOARD_OPENCL_KERNEL_H
#define OUTBOARD_OPENCL_KERNEL_H

#include "memory/memory.h"
#include "program/program.h"

#endif
