/* SPDX-License-Identifier: Apache-2.0
 *
 * Where programs connect to, and for how long: a Unix socket, and the program that the companion
 * runs for.
 */
#ifndef OUTBOARD_PLACE_H
#define OUTBOARD_PLACE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include <sys/un.h>

enum { LOOK_MS = 200 };

typedef struct place {
    pid_t program;              /* 0: nobody's */
    /* becomes readable when the program ends; -1 where there is no such thing */
    int watch;
    char folder[64];            /* made for this socket alone; empty where it is not */
    struct sockaddr_un address;
    int listener;
    int lock;                   /* of the one companion that serves a path which others know */
} place;

extern volatile sig_atomic_t told_to_end;

__attribute__((format(printf, 1, 2))) void warn(const char *format, ...);

void place_watch(place *p, pid_t program);
bool place_listen_privately(place *p);
/* At a path that is known, with that mode; false if it cannot. */
bool place_listen(place *p, mode_t mode);
/* Whether this process is the one that serves the path; it is until it ends. -1: it cannot be
 * known. */
int place_is_ours(place *p);
void place_remove(const place *p);
/* A connection of this user's or root's, or of anybody's; -1 if there is none. */
int place_accept(const place *p, bool of_all);
/* Whether the program that it runs for is still there. */
bool place_wanted(const place *p);
void end_on_signals(void);
bool go_into_background(void);

#endif
