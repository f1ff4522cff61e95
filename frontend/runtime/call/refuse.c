/* SPDX-License-Identifier: Apache-2.0 */
#include "call/call.h"

int32_t ob_refuse(const ob_library *library, const char *name, bool *said) {
    if (ob_forked())
        return library->not_initialized;
    if (!__atomic_exchange_n(said, true, __ATOMIC_RELAXED))
        ob_warn("%s is not implemented", name);
    return library->not_supported;
}

int32_t ob_refuse_address(const ob_library *library, const char *name, const char *newer,
                          bool *said) {
    if (!__atomic_exchange_n(said, true, __ATOMIC_RELAXED))
        ob_warn("%s has 32 bits for an address on the device, which lies above them: build the "
                "program with %s",
                name, newer);
    return library->not_supported;
}
