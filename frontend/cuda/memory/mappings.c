/* SPDX-License-Identifier: Apache-2.0
 *
 * The mappings of the program.
 */
#include "memory/mappings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

/* "begin-end perms offset major:minor inode path" */
static bool parse(const char *line, mapping *to) {
    unsigned long long begin, end, offset, inode;
    unsigned int first, second;
    char access[5];
    int path = 0;
    if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &begin, &end, access, &offset, &first,
               &second, &inode, &path) < 7)
        return false;
    *to = (mapping){.begin = begin,
                    .end = end,
                    .offset = offset,
                    .device = makedev(first, second),
                    .inode = inode};
    size_t length = path > 0 ? strcspn(line + path, "\n") : 0;
    if (length < sizeof to->path)
        memcpy(to->path, line + path, length);
    memcpy(to->access, access, sizeof access);
    return true;
}

mappings mappings_open(void) { return (mappings){.file = fopen("/proc/self/maps", "re")}; }

bool mappings_next(mappings *all, mapping *to) {
    return all->file != NULL && getline(&all->line, &all->room, all->file) > 0 &&
           parse(all->line, to);
}

void mappings_close(mappings *all) {
    free(all->line);
    if (all->file != NULL)
        fclose(all->file);
}
