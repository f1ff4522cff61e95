/* SPDX-License-Identifier: Apache-2.0
 *
 * Landlock (linux/landlock.h): it asks about each opening, so that a descriptor of something that
 * is not shown opens nothing anew. Its system calls and structures are written down here, since
 * the headers of a machine may be older than its kernel.
 */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };

/* The first versions with a right to refer, to truncate, for TCP, for a device's ioctl, and with
 * scopes. */
enum { HAS_REFER = 2, HAS_TRUNCATE = 3, HAS_NET = 4, HAS_IOCTL = 5, HAS_SCOPES = 6 };

enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    FIRST_RIGHTS = (1 << 13) - 1,
    REFER = 1 << 13,
    TRUNCATE = 1 << 14,
    IOCTL_DEV = 1 << 15,
    FOR_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
};

enum { BIND_TCP = 1 << 0, CONNECT_TCP = 1 << 1 };
/* No scope for abstract sockets: the network namespace has none, and the worker has yet to connect
 * the one that it was given. */
enum { SCOPE_SIGNALS = 1 << 1 };

typedef struct ruleset {
    uint64_t files, net, scoped;
} ruleset;

typedef struct __attribute__((packed)) beneath {
    uint64_t allowed;
    int32_t folder;
} beneath;

/* The size that a version knows. */
static size_t size_of(int version) {
    return version >= HAS_SCOPES ? sizeof(ruleset)
           : version >= HAS_NET  ? sizeof(uint64_t) * 2
                                 : sizeof(uint64_t);
}

static ruleset of_version(int version) {
    ruleset all = {
        .files = FIRST_RIGHTS, .net = BIND_TCP | CONNECT_TCP, .scoped = SCOPE_SIGNALS};
    all.files |= version >= HAS_REFER ? REFER : 0;
    all.files |= version >= HAS_TRUNCATE ? TRUNCATE : 0;
    all.files |= version >= HAS_IOCTL ? IOCTL_DEV : 0;
    return all;
}

static void allow(int rules, const char *path, bool is_folder, uint64_t rights) {
    beneath rule = {.allowed = is_folder ? rights : rights & FOR_FILES,
                    .folder = open(path, O_PATH | O_CLOEXEC)};
    if (rule.folder < 0 || syscall(ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0) != 0)
        refused(path);
    close(rule.folder);
}

static void allow_shown(int rules, const shown *one, uint64_t all) {
    if (one->tree >= 0 && one->use == SHOWN_WRITE)
        allow(rules, one->path, one->is_folder, all & ~(uint64_t)EXECUTE);
}

int take_landlock(const confinement *c) {
    long version = syscall(CREATE_RULESET, NULL, 0, RULESET_VERSION);
    if (version < 1)
        return 0;
    ruleset all = of_version((int)version);
    int rules = (int)syscall(CREATE_RULESET, &all, size_of((int)version), 0);
    if (rules < 0)
        refused("Landlock");
    allow(rules, "/", true, EXECUTE | READ_FILE | READ_DIR);
    allow(rules, "/dev", true, all.files & (WRITE_FILE | READ_FILE | READ_DIR | IOCTL_DEV));
    allow(rules, "/dev/shm", true, all.files);
    allow(rules, "/tmp", true, all.files);
    for (int i = 0; i < c->shown_count; i++)
        allow_shown(rules, &c->shown[i], all.files);
    if (syscall(RESTRICT_SELF, rules, 0) != 0)
        refused("Landlock");
    close(rules);
    return (int)version;
}
