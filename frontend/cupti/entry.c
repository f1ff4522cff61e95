/* SPDX-License-Identifier: Apache-2.0 */
#include "profile.h"

__attribute__((constructor)) static void register_library(void) { ob_register(&ob_cupti); }

/* Each name of the library has a version of its own; that of whoever asks this one itself. */
CUptiResult cuptiGetVersion(uint32_t *version) {
    if (version == NULL)
        return INVALID_PARAMETER;
    *version = NEWEST_VERSION;
    return SUCCESS;
}
