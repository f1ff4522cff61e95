/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that the program registers. It has to be there, which the kernel says (proc(5),
 * /proc/self/maps). What the program shares with other processes is a mapping of a file: the
 * backend maps the same part of the file at the same address. The file is opened again by its name
 * or by a descriptor that the program still has.
 */
#include "memory/memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

typedef struct mapping {
    uint64_t begin, end, offset;
    dev_t device;
    uint64_t inode;
    char access[5];         /* as in "rw-s" */
    char path[512];         /* empty if the line had none, or a longer one */
} mapping;

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

/* Mappings in the order of their addresses. */
typedef struct mappings {
    FILE *file;             /* NULL where the system does not say */
    char *line;
    size_t room;
} mappings;

static mappings open_mappings(void) {
    return (mappings){.file = fopen("/proc/self/maps", "re")};
}

static bool next(mappings *all, mapping *to) {
    return all->file != NULL && getline(&all->line, &all->room, all->file) > 0 &&
           parse(all->line, to);
}

static void close_mappings(mappings *all) {
    free(all->line);
    if (all->file != NULL)
        fclose(all->file);
}

static bool is_shared_file(const mapping *one) {
    return strcmp(one->access, "rw-s") == 0 && one->inode != 0;
}

static bool holds(const mapping *one, uint64_t address, uint64_t bytes) {
    return address >= one->begin && address < one->end && bytes <= one->end - address;
}

/* The shared mapping of a file that has the whole range. */
static bool find(uint64_t address, uint64_t bytes, mapping *to) {
    mappings all = open_mappings();
    bool found = false;
    while (!found && next(&all, to))
        found = is_shared_file(to) && holds(to, address, bytes);
    close_mappings(&all);
    return found;
}

bool registered_is_there(uint64_t address, uint64_t bytes, bool written) {
    mappings all = open_mappings();
    uint64_t at = address, end = address + bytes;
    mapping one;
    bool said = all.file != NULL;
    while (at < end && next(&all, &one) && one.begin <= at)
        if (at < one.end && one.access[0] == 'r' && (one.access[1] == 'w' || !written))
            at = one.end;
    close_mappings(&all);
    return at >= end || !said;
}

/* By the system call, whose structure is the C library's: fstat(2) is a symbol of newer C libraries
 * only. */
static bool is_same(int fd, const mapping *file) {
    struct stat is;
    return syscall(SYS_fstat, fd, &is) == 0 && S_ISREG(is.st_mode) && is.st_dev == file->device &&
           is.st_ino == file->inode;
}

static int open_same(const char *path, const mapping *file) {
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && !is_same(fd, file)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* A file that has no name any more, or never had one. */
static int open_by_descriptor(const mapping *file) {
    int fd = -1;
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *one; folder != NULL && fd < 0 && (one = readdir(folder)) != NULL;) {
        char path[32];
        int number = atoi(one->d_name);
        snprintf(path, sizeof path, "/proc/self/fd/%d", number);
        fd = is_same(number, file) ? open_same(path, file) : -1;
    }
    if (folder != NULL)
        closedir(folder);
    return fd;
}

static int open_file(const mapping *file) {
    int fd = file->path[0] == '/' ? open_same(file->path, file) : -1;
    return fd >= 0 ? fd : open_by_descriptor(file);
}

/* The pages that it lies in. */
static range pages_of(const range *memory) {
    range pages = *memory;
    pages.base &= ~((uint64_t)sysconf(_SC_PAGESIZE) - 1);
    pages.bytes = shared_size(memory->base + memory->bytes - pages.base);
    return pages;
}

CUresult registered_share(range *memory) {
    range pages = pages_of(memory);
    mapping file;
    if (!ob_passes() || !find(pages.base, pages.bytes, &file))
        return CUDA_SUCCESS;
    int fd = open_file(&file);
    if (fd < 0)
        return CUDA_SUCCESS;
    CUresult result = shared_register(fd, file.offset + (pages.base - file.begin), &pages);
    close(fd);
    memory->shared = pages.shared;
    memory->device = pages.device != 0 ? pages.device + (memory->base - pages.base) : 0;
    return result;
}

CUresult registered_end(const range *memory) {
    return memory->shared ? remote_outboardHostUnmap(pages_of(memory).base, OB_ORDERED)
                          : CUDA_SUCCESS;
}
