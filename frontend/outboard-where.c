/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the backend that a program started here would use; no output if there is none, and exit status 1, or 3 where the system's socket
 * is there and is not for this user.
 */
#include "runtime/outboard.h"

#include <stdio.h>

enum { NONE = 1, MISUSED = 2, FOR_OTHERS = 3 };

int main(int argc, char **argv) {
    char uri[512];
    bool check = argc == 2 && strcmp(argv[1], "--check") == 0;
    if (argc > 2 || (argc == 2 && !check)) {
        fprintf(stderr, "usage: outboard-where [--check]\n  prints the backend that a program would use; --check also connects to it\n");
        return MISUSED;
    }
    if (!ob_backend_uri(uri, sizeof uri))
        return ob_system_socket_is_for_others() ? FOR_OTHERS : NONE;
    if (check && !ob_connect())
        return NONE;
    printf("%s\n", uri);
    return 0;
}
