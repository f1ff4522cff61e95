/* SPDX-License-Identifier: Apache-2.0
 *
 * TCP, tcp://HOST[:PORT].
 */
#include "link/communicator.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

/* For a program that does not wait for the backend; one that waits sees that it is silent. No
 * TCP_USER_TIMEOUT: it would also end a connection whose other end is there and does not read, as a
 * backend does whose queues are full. */
static void tune(int fd) {
    int on = 1, idle = 5, interval = 3, count = 3;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

static bool is_port(const char *text) {
    return strspn(text, "0123456789") == strlen(text) && *text != '\0' &&
           strtoul(text, NULL, 10) <= UINT16_MAX;
}

bool split_authority(const char *authority, const char *usual, char *host, size_t limit, char *port,
                     size_t port_limit) {
    const char *end, *rest;
    if (*authority == '[') {
        authority++;
        end = strchr(authority, ']');
        if (end == NULL)
            return false;
        rest = end + 1;
    } else {
        end = strchrnul(authority, ':');
        rest = end;
    }
    if ((size_t)(end - authority) >= limit || end == authority)
        return false;
    memcpy(host, authority, (size_t)(end - authority));
    host[end - authority] = '\0';
    if (*rest == '\0')
        rest = usual;
    return *rest == ':' && (size_t)snprintf(port, port_limit, "%s", rest + 1) < port_limit &&
           is_port(port);
}

/* Where the time is short all addresses of a host share it. */
static endpoint in_turn(const endpoint *to, const struct addrinfo *list) {
    endpoint each = *to;
    int count = 0;
    for (; list != NULL; list = list->ai_next)
        count++;
    each.connect_ms = (to->connect_ms + count - 1) / count;
    return each;
}

static int connect_tcp(const endpoint *to, const char *rest, char *why, size_t limit) {
    const char *authority = after_slashes(rest);
    char host[256], port[16];
    if (authority == NULL ||
        !split_authority(authority, ":14900", host, sizeof host, port, sizeof port)) {
        snprintf(why, limit, "'%s' is not HOST:PORT, with a port of at most 65535",
                 authority != NULL ? authority : rest);
        return -1;
    }
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
    int error = getaddrinfo(host, port, &hints, &list);
    if (error != 0) {
        snprintf(why, limit, "%s: %s", host, gai_strerror(error));
        return -1;
    }
    const endpoint each = in_turn(to, list);
    int fd = -1;
    for (struct addrinfo *one = list; one != NULL && fd < 0; one = one->ai_next) {
        fd = socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
        if (fd < 0 || !connect_patiently(&each, fd, one->ai_addr, one->ai_addrlen))
            fd = connect_failed(fd, why, limit, authority);
    }
    freeaddrinfo(list);
    if (fd >= 0)
        tune(fd);
    return fd;
}

const ob_communicator tcp_communicator = {
    .scheme = "tcp", .connect = connect_tcp, .distance = OB_NETWORK};
