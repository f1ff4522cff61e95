/* SPDX-License-Identifier: Apache-2.0 */
#include "observe/observe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void out_flush(out_file *to) {
    if (to->fd >= 0 && !write_whole(to->fd, to->text, to->length)) {
        ob_warn("a log or trace ends here: %s", strerror(errno));
        out_forget(to);
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

static void open_as(out_file *to, const char *path, const char *suffix, int how) {
    char name[4096], number[16] = "";
    if (to->numbered)
        snprintf(number, sizeof number, ".%d", (int)getpid());
    errno = ENAMETOOLONG;
    to->length = 0;
    to->fd = -1;
    if ((size_t)snprintf(name, sizeof name, "%s%s%s", path, number, suffix) < sizeof name)
        to->fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | how, 0666);
}

static bool tell(const out_file *opened, const char *path, const char *suffix, const char *what) {
    if (opened->fd < 0)
        ob_warn("no %s: cannot write %s%s: %s", what, path, suffix, strerror(errno));
    return opened->fd >= 0;
}

bool out_open(out_file *to, const char *path, const char *what) {
    to->numbered = false;
    open_as(to, path, "", O_EXCL);
    to->numbered = to->fd < 0 && errno == EEXIST;
    if (to->numbered)
        open_as(to, path, "", O_TRUNC);
    return tell(to, path, "", what);
}

bool out_open_beside(out_file *to, const out_file *first, const char *path, const char *suffix,
                     const char *what) {
    to->numbered = first->numbered;
    open_as(to, path, suffix, O_TRUNC);
    return tell(to, path, suffix, what);
}

void out_forget(out_file *to) {
    if (to->fd >= 0)
        close(to->fd);
    to->fd = -1;
    to->length = 0;
}
