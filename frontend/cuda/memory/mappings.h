/* SPDX-License-Identifier: Apache-2.0
 *
 * The mappings of the program, as the kernel says (proc(5), /proc/self/maps).
 */
#ifndef OUTBOARD_CUDA_MAPPINGS_H
#define OUTBOARD_CUDA_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct mapping {
    uint64_t begin, end, offset;
    dev_t device;
    uint64_t inode;             /* 0: of no file */
    char access[5];             /* as in "rw-s" */
    char path[512];             /* empty if the line had none, or a longer one */
} mapping;

/* Mappings in the order of their addresses. */
typedef struct mappings {
    FILE *file;                 /* NULL where the system does not say */
    char *line;
    size_t room;
} mappings;

mappings mappings_open(void);
bool mappings_next(mappings *all, mapping *to);
void mappings_close(mappings *all);

#endif
