/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading and unloading the library: its code stays, so that threads and handlers that point into
 * it do no harm.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void *load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return library;
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    void *library = load(argv[1]);
    uint64_t (*mint)(uint32_t) = (uint64_t(*)(uint32_t))dlsym(library, "ob_handle_mint");
    if (mint == NULL || dlsym(library, "session_ensure") != NULL)
        return 1;
    uint64_t first = mint(3);
    dlclose(library);
    uint64_t second = mint(3);
    library = load(argv[1]);
    uint64_t third = mint(3);
    dlclose(library);
    /* The state stayed too: one runtime a process. */
    return first + 1 == second && second + 1 == third ? 0 : 1;
}
