/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void make_printable(char *text, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)text[i] < ' ' && text[i] != '\n' && text[i] != '\t')
            text[i] = '?';
}

bool is_verbose(void) {
    const char *asked = getenv("OUTBOARD_VERBOSE");
    return asked != NULL && strcmp(asked, "1") == 0;
}

void ob_warn(const char *format, ...) {
    char line[1024];
    int start = snprintf(line, sizeof line, "outboard: ");
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line + start, sizeof line - (size_t)start - 1, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    size_t bytes = strlen(line);
    line[bytes++] = '\n';
    /* One write, so that lines of several processes do not mix. */
    ssize_t written = write(STDERR_FILENO, line, bytes);
    (void)written;
}
