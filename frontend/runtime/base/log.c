/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Controls of one byte, and those that UTF-8 has behind 0xc2. */
static size_t steering(const unsigned char *text, size_t left) {
    if (*text < ' ' || *text == 0x7f)
        return *text != '\n' && *text != '\t';
    return *text == 0xc2 && left > 1 && text[1] >= 0x80 && text[1] < 0xa0 ? 2 : 0;
}

void make_printable(char *text, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        memset(text + i, '?', steering((const unsigned char *)text + i, bytes - i));
}

/* A program may have made its standard output one that does not wait. */
static bool comes_free(int fd) {
    struct pollfd room = {.fd = fd, .events = POLLOUT};
    return poll(&room, 1, -1) > 0 || errno == EINTR;
}

bool write_whole(int fd, const char *text, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        ssize_t n = write(fd, text + done, bytes - done);
        if (n < 0 && errno != EINTR && (errno != EAGAIN || !comes_free(fd)))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool asks(const char *variable) {
    const char *asked = secure_getenv(variable);
    return asked != NULL && strcmp(asked, "1") == 0;
}

bool is_verbose(void) { return asks("OUTBOARD_VERBOSE"); }

bool is_quiet(void) { return asks("OUTBOARD_QUIET"); }

void ob_warn(const char *format, ...) {
    char line[1024];
    int start = snprintf(line, sizeof line, "outboard: ");
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line + start, sizeof line - (size_t)start - 1, format, arguments);
    va_end(arguments);
    if (length < 0 || is_quiet())
        return;
    size_t bytes = strlen(line);
    line[bytes++] = '\n';
    /* At once, so that lines of several processes do not mix. */
    write_whole(STDERR_FILENO, line, bytes);
}
