/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OUTBOARD_WHERE_H
#define OUTBOARD_WHERE_H

#include <stdbool.h>

/* Says on standard error why a program would start and see no GPU, or not start, if its file tells:
 * as 'outboard doctor' does. `libraries` is the folder of the frontend's. False where the program
 * cannot start with them. */
bool look_at_program(const char *program, const char *libraries);

#endif
