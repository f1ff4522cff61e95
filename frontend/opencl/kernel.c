/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments of kernels. A program gives the address of a value, and does not say what the value is: one that is as long as a pointer and
 * is the address of a living object of the process is taken to be that object. (A number would have to be such an address by chance.)
 */
#include "objects.h"

static const uint64_t OBJECTS = KIND_BIT(MEMORY) | KIND_BIT(SAMPLER) | KIND_BIT(QUEUE);

int clSetKernelArg(cl_kernel kernel, int index, uint64_t size, const void *value) {
    void *word = NULL;
    if (value != NULL && size == sizeof word)
        memcpy(&word, value, sizeof word);
    return object_at(word, OBJECTS) != NULL ? remote_outboardSetKernelObject(kernel, index, word, 0)
                                            : remote_clSetKernelArg(kernel, index, size, value, 0);
}
