/* SPDX-License-Identifier: Apache-2.0
 *
 * A root folder in memory. Mounts of what is shown are made while the machine's own files can be
 * seen, are read-only before anybody can use them, and are put in their places when nothing else
 * is there any more.
 */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The same numbers on each architecture (linux/mount.h, which glibc's own header excludes). */
enum { OPEN_TREE = 428, MOVE_MOUNT = 429, FSOPEN = 430, FSCONFIG = 431, FSMOUNT = 432 };
enum { MOUNT_SETATTR = 442 };
enum { TREE_CLONE = 1, TREE_CLOEXEC = O_CLOEXEC, RECURSIVE = 0x8000 };
enum { FROM_DESCRIPTOR = 4 };
enum { CONFIG_CREATE = 6, CLOSED_BY_EXEC = 1 };
enum { ATTR_RDONLY = 1, ATTR_NOSUID = 2, ATTR_NODEV = 4, ATTR_NOEXEC = 8 };

typedef struct mount_attributes {
    uint64_t set, clear, propagation, user_namespace;
} mount_attributes;

enum { LINK = 4096 };

static const char place[] = "/tmp";
static const char *const plain_devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                            "/dev/urandom"};

static uint64_t attributes(shown_use use) {
    switch (use) {
    case SHOWN_READ:
        return ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV;
    case SHOWN_WRITE:
        return ATTR_NOSUID | ATTR_NODEV | ATTR_NOEXEC;
    default:
        return ATTR_RDONLY | ATTR_NOSUID | ATTR_NOEXEC;
    }
}

static int tree(const char *path, shown_use use, bool *is_folder) {
    int made = (int)syscall(OPEN_TREE, AT_FDCWD, path, TREE_CLONE | TREE_CLOEXEC | RECURSIVE);
    if (made < 0) {
        if (errno == ENOENT || errno == ENOTDIR || errno == EACCES)
            return -1;
        refused(path);
    }
    mount_attributes wanted = {.set = attributes(use)};
    struct stat file;
    if (syscall(MOUNT_SETATTR, made, "", AT_EMPTY_PATH | RECURSIVE, &wanted, sizeof wanted) != 0 ||
        fstat(made, &file) != 0)
        refused(path);
    *is_folder = S_ISDIR(file.st_mode);
    return made;
}

static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* Whether the file is in something else that is shown, by its own name. */
static bool is_shown(const confinement *c, const char *path, const char *file) {
    for (int i = 0; i < c->shown_count; i++) {
        const char *other = c->shown[i].path;
        if (strcmp(other, path) != 0 && (strcmp(other, file) == 0 || is_below(file, other)))
            return true;
    }
    return false;
}

/* A link stays one: libraries look for files beside the folder that they are really in. */
static char *link_of(const confinement *c, const char *path) {
    char text[LINK], *file = realpath(path, NULL);
    ssize_t length = file == NULL ? -1 : readlink(path, text, sizeof text);
    bool inside = length > 0 && length < LINK && is_shown(c, path, file);
    free(file);
    return inside ? strndup(text, (size_t)length) : NULL;
}

static void find(const confinement *c, shown *one) {
    one->link = link_of(c, one->path);
    if (one->link == NULL)
        one->tree = tree(one->path, one->use, &one->is_folder);
}

/* The processes of this namespace; while the machine's /proc can be seen, as the kernel demands. */
static int processes(void) {
    int system = (int)syscall(FSOPEN, "proc", CLOSED_BY_EXEC);
    if (system < 0 || syscall(FSCONFIG, system, CONFIG_CREATE, NULL, NULL, 0) != 0)
        refused("/proc of its own");
    int made =
        (int)syscall(FSMOUNT, system, CLOSED_BY_EXEC, ATTR_NOSUID | ATTR_NODEV | ATTR_NOEXEC);
    if (made < 0)
        refused("/proc of its own");
    close(system);
    return made;
}

static void make_parents(const char *path) {
    char part[PATH_MAX];
    if (strlen(path) >= sizeof part) {
        errno = ENAMETOOLONG;
        refused(path);
    }
    for (const char *end = strchr(path + 1, '/'); end != NULL; end = strchr(end + 1, '/')) {
        size_t length = (size_t)(end - path);
        memcpy(part, path, length);
        part[length] = '\0';
        mkdir(part, 0755);
    }
}

/* Something for a mount to cover. It may be there, in what is shown already. */
static void make_place(const char *path, bool is_folder) {
    make_parents(path);
    if (is_folder)
        mkdir(path, 0755);
    else
        close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0444));
}

static void put(int made, const char *path, bool is_folder) {
    make_place(path, is_folder);
    if (syscall(MOVE_MOUNT, made, "", AT_FDCWD, path, FROM_DESCRIPTOR) != 0)
        refused(path);
}

static void put_shown(const shown *one) {
    if (one->tree >= 0)
        put(one->tree, one->path, one->is_folder);
    if (one->link != NULL) {
        make_parents(one->path);
        if (symlink(one->link, one->path) != 0 && errno != EEXIST && errno != EROFS)
            refused(one->path);
    }
}

static void put_memory(const char *path, const char *options) {
    make_place(path, true);
    if (mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options) != 0)
        refused(path);
}

/* From here on the machine's files are out of reach. */
static void leave_machine(void) {
    if (mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,nr_inodes=4096,mode=755") !=
        0)
        refused("a root folder in memory");
    if (chdir(place) != 0 || syscall(SYS_pivot_root, ".", ".") != 0)
        refused("a root folder of its own");
    if (umount2(".", MNT_DETACH) != 0 || chdir("/") != 0)
        refused("the machine's files");
}

void take_root(confinement *c) {
    bool no_folder;
    int devices[sizeof plain_devices / sizeof *plain_devices];
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        refused("mounts of its own");
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if ((devices[i] = tree(plain_devices[i], SHOWN_DEVICE, &no_folder)) < 0)
            refused(plain_devices[i]);
    for (shown *one = c->shown; one < c->shown + c->shown_count; one++)
        find(c, one);
    int proc = processes();
    leave_machine();
    /* Before what is shown: Outboard, or Java, may be installed below it. */
    put_memory("/tmp", "size=256m,nr_inodes=16384,mode=1777");
    for (const shown *one = c->shown; one < c->shown + c->shown_count; one++)
        put_shown(one);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        put(devices[i], plain_devices[i], false);
    put(proc, "/proc", true);
    put_memory("/dev/shm", "size=256m,nr_inodes=1024,mode=1777");
    if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) != 0)
        refused("a root folder that is read only");
}
