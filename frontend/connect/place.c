/* SPDX-License-Identifier: Apache-2.0 */
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BACKLOG = 64, PIDFD_OPEN = 434 };

volatile sig_atomic_t told_to_end;

static void on_signal(int signal) {
    (void)signal;
    told_to_end = 1;
}

void warn(const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "outboard: %s\n", line);
}

/* ---- the socket ------------------------------------------------------------------------------ */

static bool listen_here(place *p, mode_t mode) {
    p->address.sun_family = AF_UNIX;
    p->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    umask(0777 & ~mode);
    return p->listener >= 0 &&
           bind(p->listener, (struct sockaddr *)&p->address, sizeof p->address) == 0 &&
           listen(p->listener, BACKLOG) == 0;
}

/* The folder is this user's alone, whatever the mode of a socket may mean where it lies. */
bool place_listen_privately(place *p) {
    const char *runtime = getenv("XDG_RUNTIME_DIR"), *temporary = getenv("TMPDIR");
    const char *bases[] = {runtime, temporary, "/tmp"};
    for (size_t i = 0; i < sizeof bases / sizeof *bases && *p->folder == '\0'; i++) {
        if (bases[i] != NULL &&
            (size_t)snprintf(p->folder, sizeof p->folder, "%s/outboard-connect.XXXXXX", bases[i]) <
                sizeof p->folder &&
            mkdtemp(p->folder) != NULL)
            break;
        *p->folder = '\0';
    }
    snprintf(p->address.sun_path, sizeof p->address.sun_path, "%s/backend.sock", p->folder);
    return *p->folder != '\0' && listen_here(p, 0600);
}

bool place_listen(place *p, mode_t mode) {
    unlink(p->address.sun_path);
    return listen_here(p, mode);
}

/* The lock ends with its process, however that ends; its file stays. */
int place_is_ours(place *p) {
    char path[sizeof p->address.sun_path + 8];
    snprintf(path, sizeof path, "%s.lock", p->address.sun_path);
    if (p->lock < 0)
        p->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (p->lock < 0)
        return -1;
    return flock(p->lock, LOCK_EX | LOCK_NB) == 0;
}

void place_remove(const place *p) {
    unlink(p->address.sun_path);
    if (*p->folder != '\0')
        rmdir(p->folder);
}

static bool is_ours(int fd) {
    struct ucred peer = {.uid = (uid_t)-1};
    socklen_t bytes = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 &&
           (peer.uid == getuid() || peer.uid == 0);
}

int place_accept(const place *p, bool of_all) {
    int fd = accept4(p->listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0 || of_all || is_ours(fd))
        return fd;
    close(fd);
    return -1;
}

/* ---- for how long ---------------------------------------------------------------------------- */

void place_watch(place *p, pid_t program) {
    p->program = program;
    if (program != 0)
        p->watch = (int)syscall(PIDFD_OPEN, program, 0);
}

bool place_wanted(const place *p) {
    struct pollfd watch = {.fd = p->watch, .events = POLLIN};
    if (p->program == 0)
        return true;
    return p->watch >= 0 ? poll(&watch, 1, 0) == 0 : kill(p->program, 0) == 0 || errno == EPERM;
}

/* In a session of its own, and none of the program's children: its signals and its waiting are its
 * own. */
bool go_into_background(void) {
    pid_t child = fork();
    if (child > 0)
        _exit(0);
    return child == 0 && setsid() >= 0 && freopen("/dev/null", "r", stdin) != NULL &&
           freopen("/dev/null", "w", stdout) != NULL;
}

void end_on_signals(void) {
    struct sigaction end = {.sa_handler = on_signal}, nothing = {.sa_handler = SIG_IGN};
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGINT, &end, NULL);
    sigaction(SIGHUP, &end, NULL);
    sigaction(SIGPIPE, &nothing, NULL);
}
