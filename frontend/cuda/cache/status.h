/* SPDX-License-Identifier: Apache-2.0
 *
 * The types of files. The C library's fstat and fstatat are too young (base/glibc.h); where
 * programs have 64 bits the kernel's own calls fill the same structure.
 */
#ifndef OUTBOARD_CUDA_CACHE_STATUS_H
#define OUTBOARD_CUDA_CACHE_STATUS_H

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(sizeof(void *) == 8, "struct stat is the kernel's");

static inline bool cache_status(int fd, struct stat *found) {
    return syscall(SYS_fstat, fd, found) == 0;
}

/* Of a link, not of what it leads to. */
static inline bool cache_status_at(int folder, const char *name, struct stat *found) {
    return syscall(SYS_newfstatat, folder, name, found, AT_SYMLINK_NOFOLLOW) == 0;
}

#endif
