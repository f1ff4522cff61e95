/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of functions and kernels.
 */
#include "module/module.h"

enum { NAME_LIMIT = 64 << 10 };

static known_table names;

/* The text has to live as long as the process. */
static CUresult name_of(CUfunction function, const char **name) {
    static _Thread_local char text[NAME_LIMIT];
    uint64_t handle = (uint64_t)(uintptr_t)function;
    CUresult result = driver_ready();
    if (result == CUDA_SUCCESS && name == NULL)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    *name = known_find(&names, handle);
    if (*name != NULL)
        return CUDA_SUCCESS;
    result = remote_outboardFunctionName(text, NAME_LIMIT, function, 0);
    if (result != CUDA_SUCCESS)
        return result;
    *name = known_keep(&names, handle, text, strnlen(text, NAME_LIMIT - 1) + 1);
    return *name != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuFuncGetName(const char **name, CUfunction function) { return name_of(function, name); }
CUresult cuKernelGetName(const char **name, CUkernel kernel) {
    return name_of((CUfunction)kernel, name);
}
