/* SPDX-License-Identifier: Apache-2.0 */
#include "confine.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef CLONE_NEWCGROUP
#define CLONE_NEWCGROUP 0x02000000
#endif

enum { LINE = 64 };

static const int all =
    CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

static void say(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    ssize_t length = (ssize_t)strlen(text);
    if (file < 0 || write(file, text, strlen(text)) != length)
        refused(path);
    close(file);
}

/* The user namespace has this user and its group, and nobody else. */
static void map(const char *path, unsigned id) {
    char line[LINE];
    snprintf(line, sizeof line, "%u %u 1\n", id, id);
    say(path, line);
}

static void take_user_namespace(void) {
    unsigned user = geteuid(), group = getegid();
    if (unshare(CLONE_NEWUSER) != 0)
        refused("a user namespace (user.max_user_namespaces, or a rule of AppArmor's)");
    /* Files of this process are its user's again only now that it can be looked at. */
    say("/proc/self/setgroups", "deny");
    map("/proc/self/gid_map", group);
    map("/proc/self/uid_map", user);
}

void take_namespaces(const confinement *c) {
    if (!c->has_user)
        take_user_namespace();
    if (unshare(all) != 0)
        refused("namespaces");
}
