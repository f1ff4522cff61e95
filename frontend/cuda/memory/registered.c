/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that the program registers. It has to be there, which the kernel says. Memory that
 * the program shares with other processes is a mapping of a file: the backend maps the same part of
 * the file at the same address. The file is opened again by its name or by a descriptor that the
 * program still has. Private memory moves into a file of ours first, at the same address (moved.c).
 */
#include "memory/mappings.h"
#include "memory/memory.h"

#include "base/glibc.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAPPED = 2 }; /* CU_MEMHOSTREGISTER_DEVICEMAP */

static bool is_shared_file(const mapping *one) {
    return strcmp(one->access, "rw-s") == 0 && one->inode != 0;
}

static bool holds(const mapping *one, uint64_t address, uint64_t bytes) {
    return address >= one->begin && address < one->end && bytes <= one->end - address;
}

/* The shared mapping of a file that has the whole range. */
static bool find(uint64_t address, uint64_t bytes, mapping *to) {
    mappings all = mappings_open();
    bool found = false;
    while (!found && mappings_next(&all, to))
        found = is_shared_file(to) && holds(to, address, bytes);
    mappings_close(&all);
    return found;
}

/* Whether mappings that fit have the whole range; `unsaid` where the kernel does not say. */
static bool have_all(uint64_t address, uint64_t bytes, bool (*fits)(const mapping *),
                     bool unsaid) {
    mappings all = mappings_open();
    uint64_t at = address, end = address + bytes;
    mapping one;
    bool said = all.file != NULL;
    while (at < end && mappings_next(&all, &one) && one.begin <= at)
        if (at < one.end && fits(&one))
            at = one.end;
    mappings_close(&all);
    return at >= end || (!said && unsaid);
}

static bool can_be_read(const mapping *one) { return one->access[0] == 'r'; }

static bool can_be_both(const mapping *one) { return can_be_read(one) && one->access[1] == 'w'; }

bool registered_is_there(uint64_t address, uint64_t bytes, bool written) {
    return have_all(address, bytes, written ? can_be_both : can_be_read, true);
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

static CUresult share_file(const mapping *file, range *pages) {
    int fd = open_file(file);
    if (fd < 0)
        return CUDA_SUCCESS;
    CUresult result = shared_register(fd, file->offset + (pages->base - file->begin), pages);
    close(fd);
    return result;
}

/* ---- memory of the program alone ------------------------------------------------------------- */

/* A thread that moves the stack that it stands on could not be told of a fault there. */
static bool is_on_this_stack(const range *pages) {
    pthread_attr_t now;
    void *lowest;
    size_t bytes;
    if (pthread_getattr_np(pthread_self(), &now) != 0)
        return true;
    pthread_attr_getstack(&now, &lowest, &bytes);
    pthread_attr_destroy(&now);
    uint64_t low = (uint64_t)(uintptr_t)lowest;
    return pages->base < low + bytes && pages->base + pages->bytes > low;
}

/* Large pages move as a whole only. */
static bool can_move(const mapping *one) {
    return strcmp(one->access, "rw-p") == 0 && strncmp(one->path, "[stack", 6) != 0 &&
           strstr(one->path, "hugepage") == NULL;
}

static bool is_private(const range *pages) {
    return have_all(pages->base, pages->bytes, can_move, false) && !is_on_this_stack(pages);
}

/* The backend maps the file before the pages move: what it refuses stays where it is. */
static CUresult share_private(range *pages) {
    if (!is_private(pages) || !moved_room(pages->bytes, &pages->offset))
        return CUDA_SUCCESS;
    CUresult result = shared_register(moved_file(), pages->offset, pages);
    if (pages->shared && !moved_there(pages->base, pages->bytes, pages->offset)) {
        remote_outboardHostUnmap(pages->base, OB_ORDERED);
        pages->shared = false;
    }
    pages->moved = pages->shared;
    if (!pages->moved)
        moved_back(pages->offset, pages->bytes);
    return result;
}

/* ---- both ------------------------------------------------------------------------------------ */

CUresult registered_share(range *memory, uint32_t flags) {
    range pages = pages_of(memory);
    mapping file;
    if (!ob_passes())
        return CUDA_SUCCESS;
    bool asked = (memory->flags & MAPPED) != 0, found = find(pages.base, pages.bytes, &file);
    pages.flags = flags;
    /* Moving costs as much as several copies: who only copies may do so once. */
    CUresult result = found   ? share_file(&file, &pages)
                      : asked ? share_private(&pages)
                              : CUDA_SUCCESS;
    memory->shared = pages.shared;
    memory->moved = pages.moved;
    memory->offset = pages.moved ? pages.offset : 0;
    memory->device =
        pages.shared && pages.device != 0 ? pages.device + (memory->base - pages.base) : 0;
    return result;
}

CUresult registered_end(const range *memory) {
    range pages = pages_of(memory);
    CUresult result = memory->shared ? remote_outboardHostUnmap(pages.base, OB_ORDERED)
                                     : CUDA_SUCCESS;
    if (memory->moved)
        moved_back(memory->offset, pages.bytes);
    return result;
}
