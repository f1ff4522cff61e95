/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared virtual memory: no device says that it has it, and there is none to be had.
 */
#include "objects.h"

void *clSVMAlloc(cl_context context, uint64_t flags, size_t size, unsigned int alignment) {
    (void)context, (void)flags, (void)size, (void)alignment;
    return NULL;
}

void clSVMFree(cl_context context, void *pointer) { (void)context, (void)pointer; }
