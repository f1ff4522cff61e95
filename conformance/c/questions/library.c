/* SPDX-License-Identifier: Apache-2.0
 * The library that is asked.
 */
#include "questions.h"

#include <dlfcn.h>

static void *handle;

bool library_load(const char *path) {
    handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (handle == NULL)
        fprintf(stderr, "%s\n", dlerror());
    return handle != NULL;
}

void *library_entry(const char *name) { return dlsym(handle, name); }
