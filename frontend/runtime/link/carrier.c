/* SPDX-License-Identifier: Apache-2.0 */
#include "link/carrier.h"

#include "base/clock.h"
#include "xen/xen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NAP_MS = 250 };

static ssize_t failed(int error) {
    errno = error;
    return -1;
}

/* ---- pages ----------------------------------------------------------------------------------- */

/* The end is asked for first: what the other side has written before it went is taken. */
static ssize_t receive_through(xen_channel *c, void *to, size_t limit) {
    bool over = xen_channel_is_over(c);
    size_t n = channel_read(&c->rings, to, limit);
    if (n == CHANNEL_BROKEN)
        return failed(EPROTO);
    if (n > 0 || over)
        return (ssize_t)n;
    channel_sleep(&c->rings, FOR_DATA, NULL, NAP_MS);
    return failed(EINTR);
}

static ssize_t send_through(xen_channel *c, const struct iovec *parts, int count) {
    if (xen_channel_is_over(c))
        return failed(EPIPE);
    size_t n = channel_write(&c->rings, parts, count);
    if (n == CHANNEL_BROKEN)
        return failed(EPROTO);
    if (n > 0)
        return (ssize_t)n;
    channel_sleep(&c->rings, FOR_ROOM, NULL, NAP_MS);
    return failed(EINTR);
}

/* An event may tell of something else. */
static bool await_bytes(xen_channel *c, int milliseconds) {
    uint64_t now = now_ns(), end = now + (uint64_t)milliseconds * 1000000;
    for (; now < end && !xen_channel_is_over(c) && !channel_readable(&c->rings); now = now_ns())
        channel_sleep(&c->rings, FOR_DATA, NULL, (int)((end - now) / 1000000) + 1);
    return xen_channel_is_over(c) || channel_readable(&c->rings);
}

/* ---- either ---------------------------------------------------------------------------------- */

ssize_t carrier_receive(carrier c, void *to, size_t limit) {
    return c.pages != NULL ? receive_through(c.pages, to, limit) : recv(c.fd, to, limit, 0);
}

ssize_t carrier_send(carrier c, struct iovec *parts, int count) {
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
    return c.pages != NULL ? send_through(c.pages, parts, count)
                           : sendmsg(c.fd, &message, MSG_NOSIGNAL);
}

bool carrier_await(carrier c, int milliseconds) {
    struct pollfd socket = {.fd = c.fd, .events = POLLIN};
    return c.pages != NULL ? await_bytes(c.pages, milliseconds)
                           : poll(&socket, 1, milliseconds) != 0;
}

void carrier_shutdown(carrier c) {
    if (c.pages != NULL)
        xen_channel_end(c.pages);
    else
        shutdown(c.fd, SHUT_RDWR);
}

bool carrier_replace(carrier c, carrier *by) {
    bool replaced = c.pages != NULL ? xen_channel_replace(c.pages, by->pages)
                                    : dup3(by->fd, c.fd, O_CLOEXEC) >= 0;
    if (replaced)
        carrier_forget(by);
    return replaced;
}

void carrier_close(carrier *c) {
    if (c->pages != NULL)
        xen_channel_close(c->pages);
    carrier_forget(c);
}

void carrier_forget(carrier *c) {
    if (c->pages != NULL)
        xen_channel_forget(c->pages);
    free(c->pages);
    if (c->fd >= 0)
        close(c->fd);
    *c = NO_CARRIER;
}
