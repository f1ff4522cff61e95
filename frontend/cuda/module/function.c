/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of functions and kernels.
 */
#include "module/module.h"

#include <stdlib.h>

enum { NAME_LIMIT = 1 << 20 };

static known_table names;

static CUresult ask(CUfunction function, const char **name) {
    char *text = malloc(NAME_LIMIT);
    if (text == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = remote_outboardFunctionName(text, NAME_LIMIT, function, 0);
    if (result == CUDA_SUCCESS)
        *name = known_keep(&names, (uint64_t)(uintptr_t)function, text, strlen(text) + 1);
    free(text);
    return result == CUDA_SUCCESS && *name == NULL ? CUDA_ERROR_OUT_OF_MEMORY : result;
}

/* The text has to live as long as the process. */
CUresult function_name(CUfunction function, const char **name) {
    uint64_t handle = (uint64_t)(uintptr_t)function;
    CUresult result = driver_ready();
    if (result == CUDA_SUCCESS && name == NULL)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    *name = known_find(&names, handle);
    return *name != NULL ? CUDA_SUCCESS : ask(function, name);
}

CUresult cuFuncGetName(const char **name, CUfunction function) {
    return function_name(function, name);
}

CUresult cuKernelGetName(const char **name, CUkernel kernel) {
    return function_name((CUfunction)kernel, name);
}
