/* SPDX-License-Identifier: Apache-2.0
 * Records how an OpenCL answers: each function with each class of value of each parameter. It needs
 * libc and a libOpenCL.so.1.
 */
#ifndef OUTBOARD_QUESTIONS_H
#define OUTBOARD_QUESTIONS_H

#include <functions.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t word;

enum { PARAMETERS = 20 };

/* ---- library.c ------------------------------------------------------------------------------- */

/* False where there is none. */
bool library_load(const char *path);
/* A function by name; NULL where there is none. */
void *library_entry(const char *name);
/* Calls one whose prototype is declared. */
#define CALL(name, ...) (((__typeof__(&name))library_entry(#name))(__VA_ARGS__))

/* ---- objects.c ------------------------------------------------------------------------------- */

/* Makes what calls need; false where the library does not let it. */
bool objects_make(void);
/* A handle of a type, for a parameter of a function, which may use it up. */
word object_of(const char *type, const char *function, const char *parameter);
/* The beginning of a list of handles, or of texts. */
bool object_list(const char *type, const char *function, word *first);
/* The answer to a call that has nothing to do with the one before. */
int object_innocent(void);

/* ---- arguments.c ----------------------------------------------------------------------------- */

/* Valid ones, and what is behind pointers. */
void arguments_make(const function_of_library *function, word *arguments);
/* One of a class in place of a valid one: its name; NULL behind the last. */
const char *argument_of_class(const function_of_library *function, int parameter, int class,
                              word *value);
/* The result that a call has put out beside what it made. */
int argument_result(const function_of_library *function, const word *arguments);
/* How many bytes an answer to a question has; -1 where that is no question. */
long argument_size(const function_of_library *function, const word *arguments);

#endif
