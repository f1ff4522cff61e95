/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of a folder that processes share without a lock: each is written under a name of its own
 * and then takes its place as a whole; a reader believes none that is not whole. A file's time is
 * that of its last use.
 */
#include "cache/cache.h"

#include "cache/status.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_all(int file, uint8_t *to, uint64_t bytes) {
    for (uint64_t done = 0; done < bytes;) {
        ssize_t n = read(file, to + done, bytes - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (uint64_t)n;
    }
    return true;
}

/* A regular file of this user's that others cannot write, and not a larger one than are kept. */
static bool is_own(int file, uint64_t most, uint64_t *bytes) {
    struct stat found;
    if (!cache_status(file, &found))
        return false;
    *bytes = (uint64_t)found.st_size;
    return S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
           (found.st_mode & (S_IWGRP | S_IWOTH)) == 0 && *bytes > 0 && *bytes <= most;
}

static bool take(int file, uint64_t most, cache_image *image) {
    cache_image read = {0};
    if (!is_own(file, most, &read.bytes) || (read.content = malloc(read.bytes)) == NULL)
        return false;
    if (!read_all(file, read.content, read.bytes)) {
        cache_image_end(&read);
        return false;
    }
    return cache_image_take(image, &read);
}

bool cache_files_load(const cache_folder *folder, cache_image *image) {
    char name[CACHE_NAME_BYTES];
    cache_image_name(image, name);
    int file = openat(folder->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 && errno == ENOENT)
        return false;
    bool taken = file >= 0 && take(file, folder->most, image);
    if (taken)
        (void)futimens(file, NULL);
    else
        (void)unlinkat(folder->fd, name, 0);
    if (file >= 0)
        close(file);
    return taken;
}

/* ---- room ------------------------------------------------------------------------------------ */

typedef struct kept {
    char *name;
    struct timespec used;
    uint64_t bytes;
} kept;

typedef struct listing {
    kept *files;
    size_t count, room;
    uint64_t bytes;
} listing;

/* On disk files take whole blocks: so many small ones have a bound too. */
static uint64_t on_disk(const struct stat *file) {
    enum { BLOCK = 4096 };
    return ((uint64_t)file->st_size + BLOCK - 1) / BLOCK * BLOCK;
}

static bool grow(listing *all) {
    size_t room = all->room == 0 ? 64 : all->room * 2;
    kept *files = realloc(all->files, room * sizeof *files);
    if (files == NULL)
        return false;
    all->files = files;
    all->room = room;
    return true;
}

static void list_one(listing *all, const char *name, const struct stat *file) {
    char *copy;
    if ((all->count == all->room && !grow(all)) || (copy = strdup(name)) == NULL)
        return;
    all->files[all->count++] = (kept){copy, file->st_mtim, on_disk(file)};
    all->bytes += on_disk(file);
}

static void list(listing *all, int folder) {
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = again >= 0 ? fdopendir(again) : NULL;
    struct dirent *entry;
    struct stat file;
    if (entries == NULL) {
        if (again >= 0)
            close(again);
        return;
    }
    while ((entry = readdir(entries)) != NULL)
        if (cache_status_at(folder, entry->d_name, &file) && !S_ISDIR(file.st_mode))
            list_one(all, entry->d_name, &file);
    closedir(entries);
}

static int oldest_first(const void *left, const void *right) {
    const struct timespec *a = &((const kept *)left)->used, *b = &((const kept *)right)->used;
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec ? -1 : 1;
    return (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

/* Removes files that were used longest ago, until the others leave room. */
static void make_room(const cache_folder *folder, uint64_t bytes) {
    listing all = {0};
    list(&all, folder->fd);
    if (all.bytes + bytes > folder->most)
        qsort(all.files, all.count, sizeof *all.files, oldest_first);
    for (size_t i = 0; i < all.count; i++) {
        if (all.bytes + bytes > folder->most && unlinkat(folder->fd, all.files[i].name, 0) == 0)
            all.bytes -= all.files[i].bytes;
        free(all.files[i].name);
    }
    free(all.files);
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool write_all(int file, const uint8_t *from, uint64_t bytes) {
    for (uint64_t done = 0; done < bytes;) {
        ssize_t n = write(file, from + done, bytes - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (uint64_t)n;
    }
    return true;
}

/* Of this process on this machine at this moment; another one of that name is not written over. */
static void name_newcomer(char *name, size_t limit) {
    static _Atomic unsigned int number;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, limit, "new-%jx-%lx-%x-%x", (uintmax_t)now.tv_sec, (unsigned long)now.tv_nsec,
             (unsigned int)getpid(), atomic_fetch_add(&number, 1));
}

static bool write_as(const cache_folder *folder, const char *name, const cache_image *image) {
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int file = openat(folder->fd, name, flags, 0600);
    if (file < 0)
        return false;
    bool written = write_all(file, image->content, image->bytes);
    return close(file) == 0 && written;
}

bool cache_files_keep(const cache_folder *folder, const cache_image *image) {
    char newcomer[CACHE_NAME_BYTES], name[CACHE_NAME_BYTES];
    uint64_t bytes = on_disk(&(struct stat){.st_size = (off_t)image->bytes});
    if (bytes > folder->most)
        return false;
    name_newcomer(newcomer, sizeof newcomer);
    cache_image_name(image, name);
    make_room(folder, bytes);
    if (write_as(folder, newcomer, image) && renameat(folder->fd, newcomer, folder->fd, name) == 0)
        return true;
    (void)unlinkat(folder->fd, newcomer, 0);
    return false;
}
