/* SPDX-License-Identifier: Apache-2.0
 *
 * Runtimes that are older than any that was tried (docs/runtimes.md): functions that they ask a
 * driver for may not be here, and then they end with errors that name nothing. A runtime that is in
 * the program itself has no version that could be seen.
 */
#include "entry/entry.h"

#include <link.h>
#include <stdio.h>

enum { OLDEST_MAJOR = 10, OLDEST_MINOR = 2 };

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static int find_older(struct dl_phdr_info *library, size_t bytes, void *found) {
    int major, minor = 0;
    const char *name = library->dlpi_name != NULL ? name_of(library->dlpi_name) : "";
    (void)bytes;
    if (sscanf(name, "libcudart.so.%d.%d", &major, &minor) < 1 || major > OLDEST_MAJOR ||
        (major == OLDEST_MAJOR && minor >= OLDEST_MINOR))
        return 0;
    snprintf(found, 256, "%s", library->dlpi_name);
    return 1;
}

void older_runtime_say(void) {
    static atomic_flag said = ATOMIC_FLAG_INIT;
    char path[256];
    if (dl_iterate_phdr(find_older, path) != 0 && !atomic_flag_test_and_set(&said))
        ob_warn("the program has loaded %s, which is older than any CUDA runtime that was tried "
                "here (%d.%d): it may end with errors that name nothing; "
                "build the program with a newer toolkit",
                path, OLDEST_MAJOR, OLDEST_MINOR);
}
