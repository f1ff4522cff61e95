/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend as a program: `peer FOLDER` listens on a socket there, prints its URI and serves one connection.
 */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    setenv("HOME", argv[1], 1);
    fake *f = fake_start(fake_serve, false);
    puts(f->uri);
    fflush(stdout);
    fake_join(f);
    return 0;
}
