/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the backend that a program started here would use; exit status 1 and no output if there is none.
 */
#include "runtime/internal.h"

#include <stdio.h>

int main(int argc, char **argv) {
    endpoint to = {0};
    bool check = argc == 2 && strcmp(argv[1], "--check") == 0;
    if (argc > 2 || (argc == 2 && !check)) {
        fprintf(stderr, "usage: outboard-where [--check]\n  prints the backend that a program would use; --check also connects to it\n");
        return 2;
    }
    if (!find_backend(&to))
        return 1;
    if (check) {
        char why[512] = "";
        int fd = connect_to(&to, why, sizeof why);
        if (fd < 0 || !greet(fd, why, sizeof why)) {
            fprintf(stderr, "outboard: cannot use the backend %s (from %s): %s\n", to.uri, to.found, why);
            return 1;
        }
    }
    printf("%s\n", to.uri);
    return 0;
}
