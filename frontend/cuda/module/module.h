/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions and kernels: their figures, their launches, and linking.
 */
#ifndef OUTBOARD_CUDA_MODULE_H
#define OUTBOARD_CUDA_MODULE_H

#include "image/image.h"
#include "memory/memory.h"

#pragma GCC visibility push(hidden)

/* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES */
enum { MAX_DYNAMIC_SHARED_BYTES = 8 };

/* ---- launch.c -------------------------------------------------------------------------------- */

/* Most bytes of parameters: CUDA C++ Programming Guide, "Function Parameters". */
enum { PARAMETER_LIMIT = 32764 };

/* Parameters as they travel. */
typedef struct launch_bytes {
    const void *bytes;
    uint64_t size;
} launch_bytes;

CUresult launch_facts(CUfunction function, const FunctionFacts **facts);
/* Of a function or kernel that has been asked about before, else NULL. */
const FunctionFacts *launch_facts_known(const void *function);
/* NULL if memory ran out */
const FunctionFacts *launch_facts_keep(const void *function, const FunctionFacts *facts);
/* Where a parameter lies among the packed ones. */
typedef struct launch_place {
    uint32_t offset, size;
} launch_place;

/* False where the function's facts make no sense. */
bool launch_place_of(const FunctionFacts *facts, int parameter, launch_place *place);
/* Packs parameters as the function's layout says, until the thread's next launch or packing. */
CUresult launch_pack(CUfunction function, void **parameters, void **extra, launch_bytes *to);

/* Launches with a configuration whose attributes have been checked. */
CUresult launch_configured(const CUlaunchConfig *config, CUfunction function, void **parameters,
                           void **extra, uint32_t flags);

/* ---- function.c ------------------------------------------------------------------------------ */

CUresult function_name(CUfunction function, const char **name);

#pragma GCC visibility pop

#endif
