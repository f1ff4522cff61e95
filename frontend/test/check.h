/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases, each in a process of its own because its sessions stay to its end.
 */
#ifndef OUTBOARD_CHECK_H
#define OUTBOARD_CHECK_H

#include "base/sanitizer.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct test_case {
    const char *name;
    void (*run)(void);
} test_case;

/* Ends the case's process if the condition does not hold. */
#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)

/* A case that cannot be had here. */
void skip_if(bool condition);

/* Whether another processor is emulated: its clocks are the emulator's, and so is its
 * /proc/self/exe; a child of a process whose threads run does not survive. */
bool emulated(void);

void check(bool holds, const char *condition, const char *file, int line);

/* How much slower this machine is now than a quiet one: at least 1. Measured once, and told to all
 * processes that are started from here (OUTBOARD_PATIENCE). */
int slowness(void);
/* For so long what has not come may still come. A limit is for what is lost, never for speed. */
int patience_ms(void);
/* Waits until something holds; fails if it does not come about. */
#define AWAIT(condition) \
    do \
        for (int waited = 0; !(condition); waited++) { \
            CHECK(waited < patience_ms() && #condition); \
            sleep_ms(1); \
        } \
    while (0)

/* Runs the cases, or only the one named on the command line; one that takes much longer than
 * patience_ms() has failed. */
int run_cases(const test_case cases[], int argc, char **argv);

/* A process that a case forks has the same limit from here on. */
void limit_process(void);

/* This process is in a folder of its own then, which goes once all cases have run. */
void enter_folder(void);
/* The same, with HOME and the XDG variables set into it and none of the runtime's
 * variables set. */
const char *fresh_folder(void);

/* Diverts a descriptor into a file; diverted() returns what has come so far. */
void divert(int fd);
const char *diverted(void);

void write_file(const char *path, const char *text);
void sleep_ms(int milliseconds);
/* Whether all threads of this process sleep for so long, but for moments, once they have come to
 * rest. */
bool rests_for(int milliseconds);
double now_us(void);
double cpu_us(void);

#endif
