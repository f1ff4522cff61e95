/* SPDX-License-Identifier: Apache-2.0
 *
 * News for a tool that observes the program: each call of the driver, and the devices.
 */
#include "entry/entry.h"
#include "module/module.h"

#include <dlfcn.h>
#include <stdlib.h>

/* Absent before glibc 2.34 where nothing has loaded libdl. */
#pragma weak dlopen

void cuda_observe(ob_observed *call) {
    call->context = context_current();
    ob_observed_enters(call);
}

static int of_context(const void *context) {
    CUcontext resolved;
    CUresult result = context_resolve((CUcontext)(uintptr_t)context, &resolved);
    return result == CUDA_SUCCESS ? context_device(resolved) : -1;
}

static const char *name_of(const void *function) {
    const char *name = NULL;
    return function_name((CUfunction)(uintptr_t)function, &name) == CUDA_SUCCESS ? name : NULL;
}

static const ob_devices devices = {cuda_ordinal_for_program, of_context, name_of};

/* Work of devices is in a trace, too: the library that knows of it is otherwise loaded by programs
 * with a profiler alone. */
static void load_profiling(void) {
    const char *trace = getenv("OUTBOARD_TRACE");
    if (trace != NULL && *trace != '\0' && &dlopen != NULL)
        dlopen("liboutboard-cupti.so", RTLD_NOW | RTLD_LOCAL);
}

__attribute__((constructor)) static void begin(void) {
    ob_devices_are(&devices);
    load_profiling();
}
