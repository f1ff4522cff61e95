/* SPDX-License-Identifier: Apache-2.0
 * The driver that is asked.
 */
#include "sequences.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *handle;

bool driver_load(const char *library) {
    handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    if (handle == NULL)
        fprintf(stderr, "%s\n", dlerror());
    return handle != NULL;
}

void *driver_entry(const char *name) {
    void *found = dlsym(handle, name);
    if (found == NULL) {
        fprintf(stderr, "no %s\n", name);
        abort();
    }
    return found;
}
