/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's log of errors, which says why calls have failed (CUDA Driver API, "Error Log
 * Management Functions"). Here that is said on standard error, so the log is empty: nobody who is
 * registered is ever called.
 */
#include "facts/facts.h"

/* Any address that is ours: all registrations are alike. */
static char registration;

CUresult cuLogsRegisterCallback(void (*callback)(void *, int, char *, size_t), void *data,
                                void **registered) {
    (void)data;
    if (callback == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (registered != NULL)
        *registered = &registration;
    return CUDA_SUCCESS;
}

CUresult cuLogsUnregisterCallback(void *registered) {
    return registered == &registration ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLogsCurrent(unsigned int *position, unsigned int flags) {
    if (position == NULL || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    *position = 0;
    return CUDA_SUCCESS;
}

CUresult cuLogsDumpToFile(unsigned int *position, const char *file, unsigned int flags) {
    (void)position;
    return file == NULL || flags != 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuLogsDumpToMemory(unsigned int *position, char *text, size_t *bytes, unsigned int flags) {
    (void)position;
    if (text == NULL || bytes == NULL || *bytes == 0 || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    text[0] = '\0';
    *bytes = 0;
    return CUDA_SUCCESS;
}
