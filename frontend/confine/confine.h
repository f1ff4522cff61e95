/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps by which a worker's process is confined. Each one ends the process where the kernel
 * refuses it, so that none is left out. docs/isolation.md says what they are for.
 */
#ifndef OUTBOARD_CONFINE_H
#define OUTBOARD_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { MOST_SHOWN = 256, MOST_GROUPS = 32 };

/* What may be done with something that the worker sees. */
typedef enum { SHOWN_READ, SHOWN_WRITE, SHOWN_DEVICE } shown_use;

typedef struct shown {
    const char *path;
    shown_use use;
    int tree;                   /* the mount that shows it; -1 where there is none */
    char *link;                 /* where it is a link into something else that is shown */
    bool is_folder;
} shown;

typedef struct confinement {
    shown shown[MOST_SHOWN];
    int shown_count;
    uid_t user;                 /* which it becomes; without one there is a user namespace */
    bool has_user;
    gid_t groups[MOST_GROUPS];
    int group_count;
    unsigned processors;        /* the most that it may use; 0 for all */
} confinement;

/* Ends this process with status 125, and a line that says what failed and why (errno). */
_Noreturn void refused(const char *what);

/* Namespaces of its own, for the children of this process; it has one thread. */
void take_namespaces(const confinement *c);

/* A root folder with what is shown, and nothing else. In the first process of a namespace. */
void take_root(confinement *c);

/* The user, its groups, and no capability. */
void take_user(const confinement *c);

/* Bounds for what it can use up. */
void take_limits(const confinement *c);

/* Landlock's rules for what is shown; returns the version that the kernel has, 0 for none. */
int take_landlock(const confinement *c);

/* Waits for the end of a worker, and passes on a part of what it says at a descriptor. Returns the
 * status to end with. */
int guard(pid_t worker, int said);

/* Has the signals come to guard and to nobody else; before there is a worker. */
void prepare_guard(void);

/* What prepare_guard did is not for the worker. */
void forget_guard(void);

#endif
