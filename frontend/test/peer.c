/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend as a program: `peer FOLDER [CONNECTIONS]` listens on a socket there, prints its
 * URI and serves one connection, or so many, one after the other.
 */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>

static int connections = 1;

static void serve(fake *f) {
    fake_serve(f);
    for (int i = 1; i < connections; i++)
        fake_serve_next(f);
}

int main(int argc, char **argv) {
    if (argc != 2 && argc != 3)
        return 2;
    if (argc == 3)
        connections = atoi(argv[2]);
    setenv("HOME", argv[1], 1);
    fake *f = fake_start(serve, false);
    puts(f->uri);
    fflush(stdout);
    fake_join(f);
    return 0;
}
