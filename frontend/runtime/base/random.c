/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A container's root may have no devices, a kernel before 3.17 not the system call (which glibc
 * wraps since 2.25 only). */
bool random_bytes(uint8_t *to, size_t bytes) {
    if (syscall(SYS_getrandom, to, bytes, 0) == (long)bytes)
        return true;
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    bool read_whole = fd >= 0 && read(fd, to, bytes) == (ssize_t)bytes;
    if (fd >= 0)
        close(fd);
    return read_whole;
}
