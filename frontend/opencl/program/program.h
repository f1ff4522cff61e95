/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs, and what is known of their functions.
 */
#ifndef OUTBOARD_OPENCL_PROGRAM_H
#define OUTBOARD_OPENCL_PROGRAM_H

#include "object/object.h"

/* ---- function.c ------------------------------------------------------------------------------ */

/* Whether a kernel has been made of a function, so that another one surely can be. */
bool function_known(object *program, const char *name);
/* A kernel of it has been made: gives it what is known. */
void function_begins(object *kernel, const char *name);
/* The program is built anew. */
void functions_forget(object *program);
/* An object is about to end: a kernel leaves to its function what it has learnt, a program forgets
 * its functions. */
void functions_end(object *o);

#endif
