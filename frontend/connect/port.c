/* SPDX-License-Identifier: Apache-2.0 */
#include "port.h"

#include "base/clock.h"
#include "link/virtio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { AGAIN_MS = 250 };

/* ---- the file -------------------------------------------------------------------------------- */

bool port_find(port *p, const char *name, const char *given) {
    p->fd = -1;
    if (given != NULL)
        return (size_t)snprintf(p->file, sizeof p->file, "%s", given) < sizeof p->file;
    snprintf(p->file, sizeof p->file, "/dev/virtio-ports/%s", name);
    if (access(p->file, F_OK) == 0)
        return true;
    /* A guest without udev has no links with the names of ports. */
    char same[VIRTIO_NAME], device[VIRTIO_NAME];
    bool found = virtio_find(name, same, device);
    if (found)
        snprintf(p->file, sizeof p->file, "/dev/%s", device);
    return found;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int connect_socket(const char *file) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(file) >= sizeof address.sun_path)
        return errno = ENAMETOOLONG, -1;
    strcpy(address.sun_path, file);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

/* A file that cannot be opened as a device is a socket, and is connected to. */
int port_open(port *p) {
    p->fd = open(p->file, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    p->socket = p->fd < 0 && errno == ENXIO;
    if (p->socket)
        p->fd = connect_socket(p->file);
    return p->fd >= 0 ? 0 : errno;
}

static void look_again(port *p) {
    p->there = false;
    p->look_ns = now_ns() + AGAIN_MS * UINT64_C(1000000);
}

/* A device is open for any comer; a socket, or a device that was unplugged, is of no more use. */
static void lose(port *p, bool useless) {
    if (useless || p->socket) {
        close(p->fd);
        p->fd = -1;
    }
    look_again(p);
}

bool port_came(port *p) {
    if (now_ns() < p->look_ns)
        return false;
    look_again(p);
    if (p->fd < 0 && port_open(p) != 0)
        return false;
    struct pollfd state = {.fd = p->fd, .events = POLLOUT};
    int events = poll(&state, 1, 0) > 0 ? state.revents : 0;
    if ((events & POLLHUP) != 0)
        lose(p, (events & POLLERR) != 0);
    else
        p->there = true;
    return p->there;
}

int port_wait_ms(const port *p) {
    uint64_t now = now_ns();
    if (p->there)
        return -1;
    return p->look_ns <= now ? 0 : (int)((p->look_ns - now) / 1000000) + 1;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static size_t moved(port *p, ssize_t n) {
    if (n > 0)
        return (size_t)n;
    if (n == 0 || (errno != EAGAIN && errno != EINTR))
        lose(p, n < 0);
    return 0;
}

size_t port_read(port *p, void *to, size_t limit) {
    return limit > 0 ? moved(p, read(p->fd, to, limit)) : 0;
}

size_t port_write(port *p, const void *from, size_t bytes) {
    return bytes > 0 ? moved(p, write(p->fd, from, bytes)) : 0;
}
