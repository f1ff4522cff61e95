/* SPDX-License-Identifier: Apache-2.0
 *
 * Refuses memory that the program and kernels would use together, where they cannot, and says so.
 */
#include "memory/memory.h"

CUresult unshared_refuse(atomic_flag *said, const char *what, const char *instead) {
    if (atomic_flag_test_and_set(said))
        return CUDA_ERROR_NOT_SUPPORTED;
    if (ob_passes())
        ob_warn("%s is refused: the device, or this memory, does not allow it; %s", what, instead);
    else
        ob_warn("%s is refused: the program and the backend share no memory here; they do on one "
                "machine over --on unix:PATH (without OUTBOARD_SHM=0); "
                "elsewhere %s",
                what, instead);
    return CUDA_ERROR_NOT_SUPPORTED;
}
