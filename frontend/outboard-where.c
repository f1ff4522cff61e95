/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the backend that a program started here would use; no output if there is none, and exit
 * status 1, or 3 where the system's socket is there and is not for this user. With --place also
 * where that was found, in a second line. With --check it says that there is none, or asks the
 * backend whether it greets this user; the exit status is 4 if it does not. A backend behind a
 * companion is not asked: the companion runs for a program. With --look it looks at a program
 * instead, and at no backend; the exit status is 4 where the program cannot start.
 */
#include "runtime/outboard.h"

#include "outboard-where.h"

#include <stdio.h>

enum { NONE = 1, MISUSED = 2, FOR_OTHERS = 3, UNUSABLE = 4 };

int main(int argc, char **argv) {
    ob_backend backend;
    bool check = argc == 2 && strcmp(argv[1], "--check") == 0,
         place = argc == 2 && strcmp(argv[1], "--place") == 0;
    if (argc == 4 && strcmp(argv[1], "--look") == 0)
        return look_at_program(argv[2], argv[3]) ? 0 : UNUSABLE;
    if (argc > 2 || (argc == 2 && !check && !place)) {
        fprintf(stderr,
                "usage: outboard-where [--place | --check | --look PROGRAM LIBRARIES]\n"
                "  prints the backend that a program would use; --place prints also where that was "
                "found;\n"
                "  --check does that, and asks the backend whether it would serve a program;\n"
                "  --look says why a program would start and load none of the LIBRARIES\n");
        return MISUSED;
    }
    if (!ob_find_backend(&backend)) {
        if (check)
            ob_say_no_backend();
        return ob_system_socket_is_for_others() ? FOR_OTHERS : NONE;
    }
    printf("%s\n", backend.uri);
    if (check || place)
        printf("%s\n", backend.place);
    return check && !backend.companion && !ob_backend_greets(&backend) ? UNUSABLE : 0;
}
