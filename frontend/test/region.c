/* SPDX-License-Identifier: Apache-2.0 */
#include "region.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CLOSE_ON_EXEC = 1, ALLOW_SEALING = 2, ADD_SEALS = 1033, SEAL = 1, SHRINK = 2, GROW = 4 };

region_layout region_usual(void) {
    region_layout layout = {.ring_bytes = 1 << 20};
    layout.bytes = REGION_HEAD + 2 * layout.ring_bytes + (uint64_t)layout.slots * layout.slot_bytes;
    return layout;
}

int region_create(const region_layout *layout) {
    int fd = (int)syscall(SYS_memfd_create, "outboard-region", CLOSE_ON_EXEC | ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, (off_t)layout->bytes) < 0 ||
        fcntl(fd, ADD_SEALS, SHRINK | GROW | SEAL) < 0)
        return -1;
    return fd;
}
