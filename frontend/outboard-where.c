/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the backend that a program started here would use; exit status 1 and no output if there is none.
 */
#include "runtime/outboard.h"

#include <stdio.h>

int main(int argc, char **argv) {
    char uri[512];
    bool check = argc == 2 && strcmp(argv[1], "--check") == 0;
    if (argc > 2 || (argc == 2 && !check)) {
        fprintf(stderr, "usage: outboard-where [--check]\n  prints the backend that a program would use; --check also connects to it\n");
        return 2;
    }
    if (!ob_backend_uri(uri, sizeof uri) || (check && !ob_connect()))
        return 1;
    printf("%s\n", uri);
    return 0;
}
