/* SPDX-License-Identifier: Apache-2.0
 *
 * News for a tool that observes the program: each call of the driver, and the devices.
 */
#include "entry/entry.h"

void cuda_observe(ob_observed *call) {
    call->context = context_current();
    ob_observed_enters(call);
}

static int of_context(const void *context) {
    CUcontext resolved;
    CUresult result = context_resolve((CUcontext)(uintptr_t)context, &resolved);
    return result == CUDA_SUCCESS ? context_device(resolved) : -1;
}

static const ob_devices devices = {cuda_ordinal_for_program, of_context};

__attribute__((constructor)) static void tell_devices(void) { ob_devices_are(&devices); }
