/* SPDX-License-Identifier: Apache-2.0
 *
 * A program with a runtime that is older than any that was tried is told so, once, whatever it asks
 * for. The runtime is a file of that name, made of this one; the argument of the program is what is
 * expected.
 */
#include "cuda.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((visibility("default"))) int ask_for_tables(void);

#ifdef RUNTIME
int ask_for_tables(void) {
    static const unsigned char unknown[16] = {1};
    const void *table;
    int first = cuGetExportTable(&table, unknown);
    return first == cuGetExportTable(&table, unknown) ? first : -1;
}
#else
int main(int argc, char **argv) {
    enum { INVALID_VALUE = 1 };
    char said[1024] = "";
    int ends[2], kept = dup(2);
    if (argc != 2 || pipe(ends) != 0 || kept < 0)
        return 2;
    dup2(ends[1], 2);
    int result = ask_for_tables();
    dup2(kept, 2);
    close(ends[1]);
    if (read(ends[0], said, sizeof said - 1) < 0)
        return 2;
    const char *line = strchr(said, '\n');
    int right = *argv[1] == '\0' ? *said == '\0'
                                 : strstr(said, argv[1]) != NULL && line != NULL && line[1] == '\0';
    if (result == INVALID_VALUE && right)
        return 0;
    fprintf(stderr, "older.c: result %d, said '%s', not '%s'\n", result, said, argv[1]);
    return 1;
}
#endif
