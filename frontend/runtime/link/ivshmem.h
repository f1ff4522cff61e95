/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that the hypervisor has given to this machine and to its host: BAR 2 of a PCI device of
 * QEMU's, ivshmem.
 */
#ifndef OUTBOARD_IVSHMEM_H
#define OUTBOARD_IVSHMEM_H

enum { IVSHMEM_MOST = 8 };      /* devices that are looked at */

typedef struct ivshmem {
    int fds[IVSHMEM_MOST];
    int count;                  /* of those that could be opened */
    int error;                  /* why one could not, 0 if none was refused */
} ivshmem;

/* Opens the memory of each device, or the file that OUTBOARD_IVSHMEM names in their place. */
void ivshmem_open(ivshmem *all);
void ivshmem_close(ivshmem *all);

#endif
