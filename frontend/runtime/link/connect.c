/* SPDX-License-Identifier: Apache-2.0
 *
 * Connecting a socket, whatever its family: never for longer than the endpoint says.
 */
#include "link/communicator.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

enum { CONNECT_MS = 10000 };

/* Advice, where the error's text alone does not help. */
static const char *remedy(int error) {
    switch (error) {
    case ENOENT:
    case ECONNREFUSED:
    case ECONNRESET:
        return ": no backend listens there ('outboard serve' starts one)";
    case ETIMEDOUT:
    case EAGAIN:
        return ": the host, or a firewall before it, does not answer";
    default:
        return "";
    }
}

int connect_failed(int fd, char *why, size_t limit, const char *what) {
    snprintf(why, limit, "%s: %s%s", what, strerror(errno), remedy(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

/* The connection that a signal interrupted goes on by itself, where the family's protocol does;
 * else it begins again. */
static bool goes_on_by_itself(const struct sockaddr *address) {
    return address->sa_family == AF_INET || address->sa_family == AF_INET6;
}

static bool finish_connecting(int fd, int milliseconds) {
    struct pollfd socket = {.fd = fd, .events = POLLOUT};
    int error = ETIMEDOUT;
    socklen_t bytes = sizeof error;
    int ready;
    while ((ready = poll(&socket, 1, milliseconds)) < 0 && errno == EINTR)
        continue;
    if (ready > 0)
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &bytes);
    errno = error;
    return error == 0;
}

static bool connect_within(int milliseconds, int fd, const struct sockaddr *address,
                           socklen_t bytes) {
    struct timeval bounded = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000},
                   unbounded = {0};
    int result;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &bounded, sizeof bounded);
    do
        result = connect(fd, address, bytes);
    while (result < 0 && errno == EINTR && !goes_on_by_itself(address));
    bool connected = result == 0 || (errno == EINTR && finish_connecting(fd, milliseconds));
    int error = errno;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &unbounded, sizeof unbounded);
    errno = error;
    return connected;
}

/* A backend that is so busy that it accepts nobody yet, or a host that is silent. */
static bool goes_on(int error) { return error == EINPROGRESS || error == EAGAIN; }

/* A host that does not answer is an error within seconds; the waiting user gets a word before that.
 * */
bool connect_patiently(const endpoint *to, int fd, const struct sockaddr *address,
                       socklen_t bytes) {
    int limit = to->connect_ms > 0 ? to->connect_ms : CONNECT_MS,
        late = answer_expected.all_ms, first = limit < late ? limit : late;
    bool connected = connect_within(first, fd, address, bytes);
    if (!connected && goes_on(errno) && first < limit) {
        bool again = errno == EAGAIN;
        if (to->late != NULL)
            to->late(to);
        connected = again ? connect_within(limit - first, fd, address, bytes)
                          : finish_connecting(fd, limit - first);
    }
    if (!connected && errno == EINPROGRESS)
        errno = ETIMEDOUT;
    return connected;
}
