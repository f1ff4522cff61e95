/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void out_flush(out_file *to) {
    for (size_t done = 0; done < to->length && to->fd >= 0;) {
        ssize_t n = write(to->fd, to->text + done, to->length - done);
        if (n < 0 && errno != EINTR) {
            ob_warn("a log or trace ends here: %s", strerror(errno));
            out_forget(to);
        }
        done += n > 0 ? (size_t)n : 0;
    }
    to->length = 0;
}

void out_add(out_file *to, const char *text, size_t bytes) {
    while (bytes > 0 && to->fd >= 0) {
        size_t room = sizeof to->text - to->length, piece = bytes < room ? bytes : room;
        memcpy(to->text + to->length, text, piece);
        to->length += piece;
        text += piece;
        bytes -= piece;
        if (to->length == sizeof to->text)
            out_flush(to);
    }
}

bool out_open(out_file *to, const char *path, const char *suffix, const char *what) {
    char name[4096];
    to->length = 0;
    to->fd = -1;
    if ((size_t)snprintf(name, sizeof name, "%s%s", path, suffix) < sizeof name)
        to->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (to->fd < 0 && errno == EEXIST && (size_t)snprintf(name, sizeof name, "%s.%d%s", path, (int)getpid(), suffix) < sizeof name)
        to->fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (to->fd < 0)
        ob_warn("no %s: cannot write %s%s: %s", what, path, suffix, strerror(errno));
    return to->fd >= 0;
}

void out_forget(out_file *to) {
    if (to->fd >= 0)
        close(to->fd);
    to->fd = -1;
    to->length = 0;
}
