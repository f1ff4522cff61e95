/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the backend's, in the current context, of which the program has pages.
 */
#include "memory/memory.h"

/* A program that has something of its own where the memory lies cannot use it. */
CUresult pages_allocate(uint64_t bytes, void **memory) {
    CUdeviceptr address;
    CUresult result = remote_outboardPagesAllocate(&address, bytes, 0);
    if (result != CUDA_SUCCESS)
        return result;
    result = pages_begin(address, bytes, context_current(), true);
    if (result != CUDA_SUCCESS)
        remote_cuMemFree_v2(address, 0);
    *memory = (void *)(uintptr_t)address;
    return result;
}
