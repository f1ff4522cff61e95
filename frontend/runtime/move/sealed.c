/* SPDX-License-Identifier: Apache-2.0
 *
 * Files in memory that cannot shrink, so that a process which maps one need not fear a signal.
 */
#include "outboard.h"

#include "base/glibc.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033
#endif
enum { NEVER_SHRINKS = 1 | 2, NEVER_GROWS = 4 }; /* F_SEAL_SEAL, _SHRINK; _GROW */
enum { CLOSED_BY_EXEC = 1, SEALABLE = 2 }; /* memfd_create(2) */

static int sealed(const char *name, uint64_t bytes, int seals) {
    int fd = (int)syscall(SYS_memfd_create, name, CLOSED_BY_EXEC | SEALABLE);
    if (fd >= 0 && (ftruncate(fd, (off_t)bytes) != 0 || fcntl(fd, F_ADD_SEALS, seals) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

int ob_sealed_file(const char *name, uint64_t bytes) {
    return sealed(name, bytes, NEVER_SHRINKS | NEVER_GROWS);
}

int ob_growing_file(const char *name) { return sealed(name, 0, NEVER_SHRINKS); }
