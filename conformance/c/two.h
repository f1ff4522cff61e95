/* SPDX-License-Identifier: Apache-2.0
 * The common part of programs of two processes. The program forks before it touches CUDA; parent
 * and child tell each other names and turns over a socket.
 */
#ifndef OUTBOARD_TWO_H
#define OUTBOARD_TWO_H

#include "case.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int other;               /* the socket */
static CUcontext primary;

static inline void begin(void) {
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
}

static inline void tell(const void *what, size_t bytes) {
    CHECK(write(other, what, bytes) == (ssize_t)bytes);
}
static inline void hear(void *what, size_t bytes) {
    CHECK(recv(other, what, bytes, MSG_WAITALL) == (ssize_t)bytes);
}
static inline void turn(void) { tell("", 1); }
static inline void await_turn(void) {
    char unused;
    hear(&unused, 1);
}

typedef struct two {
    const char *name;
    void (*parent)(void), (*child)(void);
    int killed; /* the parent is, in the end */
} two;

/* The one that may be killed runs in the child process. */
static int run_both(const two *both) {
    int pair[2], status;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    pid_t first = fork();
    if (first == 0) {
        close(pair[0]);
        other = pair[1];
        begin();
        both->parent();
        exit(0);
    }
    close(pair[1]);
    other = pair[0];
    begin();
    both->child();
    waitpid(first, &status, 0);
    int killed = both->killed && WIFSIGNALED(status);
    CHECK(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    puts("ok");
    return 0;
}

/* The main function: runs the case that the command line names. */
static inline int run_two(const two *cases, size_t count, int argc, char **argv) {
    for (size_t i = 0; argc == 2 && i < count; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            return run_both(&cases[i]);
    fprintf(stderr, "usage: %s CASE\n", argv[0]);
    return 2;
}

#endif
