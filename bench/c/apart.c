/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a program on one side's processors (see place.h): usage: apart caller|other PROGRAM ARGS...
 */
#include "place.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int caller = argc > 1 && strcmp(argv[1], "caller") == 0;
    if (argc < 3 || (!caller && strcmp(argv[1], "other") != 0)) {
        fprintf(stderr, "usage: apart caller|other PROGRAM ARGS...\n");
        return 2;
    }
    take_place(caller);
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 127;
}
