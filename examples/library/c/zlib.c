/* SPDX-License-Identifier: Apache-2.0 */
#include "zlib.remote.h"

__attribute__((constructor)) static void register_library(void) { ob_register(&ob_zlib); }

gzFile gzopen(const char *path, const char *mode) {
    gzFile file = NULL;
    return remote_gzopen(path, mode, &file, 0) == 0 ? file : NULL;
}

gzFile gzopen64(const char *path, const char *mode) { return gzopen(path, mode); }

int gzread(gzFile file, void *to, unsigned length) {
    int read = -1;
    return remote_gzread(file, to, (int)length, &read, 0) == 0 ? read : -1;
}

int gzwrite(gzFile file, const void *from, unsigned length) {
    int written = 0;
    return remote_gzwrite(file, from, (int)length, &written, 0) == 0 ? written : 0;
}
