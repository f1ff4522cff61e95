/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA programming guide, 5.2.2: CUDA_CACHE_DISABLE, CUDA_CACHE_PATH, CUDA_CACHE_MAXSIZE. In the
 * folder of these variables, which is the driver's too, the cache has a folder of its own. A result
 * in it is code: only this user's files count, and the folder is nobody else's to write.
 */
#include "cache/cache.h"

#include "cache/status.h"
#include "outboard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define OWN_FOLDER "outboard"

static const uint64_t USUAL_BYTES = UINT64_C(1) << 30, MOST_BYTES = UINT64_C(4) << 30;

/* Nobody's in a program with more rights than its user; empty is unset. */
static const char *variable(const char *name) {
    const char *value = secure_getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

static bool is_disabled(void) {
    const char *value = variable("CUDA_CACHE_DISABLE");
    return value != NULL && strtol(value, NULL, 10) != 0;
}

static uint64_t most_bytes(void) {
    const char *value = variable("CUDA_CACHE_MAXSIZE");
    char *end;
    if (value == NULL || *value < '0' || *value > '9')
        return USUAL_BYTES;
    errno = 0;
    uint64_t bytes = strtoull(value, &end, 10);
    if (*end != '\0')
        return USUAL_BYTES;
    return errno != 0 || bytes > MOST_BYTES ? MOST_BYTES : bytes;
}

static void say(const char *name, const char *why) {
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&said))
        ob_warn("NVRTC's results are not kept: on the way to the cache (in CUDA_CACHE_PATH, else "
                "~/.nv/ComputeCache) the folder '%s' %s; name a folder of your own in "
                "CUDA_CACHE_PATH, or set CUDA_CACHE_DISABLE=1", name, why);
}

static bool is_trusted(int fd, const char *name, mode_t nobody) {
    struct stat found;
    if (!cache_status(fd, &found))
        return false;
    if (found.st_uid != geteuid())
        return say(name, "is another user's"), false;
    if ((found.st_mode & nobody) != 0)
        return say(name, "can be written by other users"), false;
    return true;
}

/* Goes down one folder, which takes the place of the other one; -1 stays. */
static int enter(int above, const char *name, mode_t nobody) {
    if (above < 0)
        return -1;
    (void)mkdirat(above, name, 0700);
    int fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && (errno == ELOOP || errno == ENOTDIR))
        say(name, "is a link, or no folder");
    close(above);
    if (fd >= 0 && !is_trusted(fd, name, nobody)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Links on the way there are the user's own choice. */
static int open_named(const char *path) {
    return *path == '/' ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

static int open_given(const char *path) {
    if (*path == '/')
        (void)mkdir(path, 0700);
    return open_named(path);
}

static int open_usual(const char *home) {
    return enter(enter(open_named(home), ".nv", 0), "ComputeCache", 0);
}

static int open_base(void) {
    const char *path = variable("CUDA_CACHE_PATH"), *home = variable("HOME");
    if (path != NULL)
        return open_given(path);
    return home != NULL ? open_usual(home) : -1;
}

bool cache_folder_open(cache_folder *folder) {
    if (is_disabled())
        return false;
    folder->most = most_bytes();
    folder->fd = enter(open_base(), OWN_FOLDER, S_IWGRP | S_IWOTH);
    return folder->fd >= 0;
}

void cache_folder_close(cache_folder *folder) { close(folder->fd); }
