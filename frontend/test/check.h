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

/* Runs the cases, or only the one named on the command line; a case that takes longer than a minute
 * (five under a sanitizer) has failed. */
int run_cases(const test_case cases[], int argc, char **argv);

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
/* Whether all threads of this process sleep for so long, but for moments. */
bool rests_for(int milliseconds);
double now_us(void);
double cpu_us(void);

#endif
