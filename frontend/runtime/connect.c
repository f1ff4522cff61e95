/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { CONNECT_SECONDS = 10 };

static int failed(int fd, char *why, size_t limit, const char *what) {
    snprintf(why, limit, "%s: %s", what, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

/* The connection that a signal interrupted goes on by itself. */
static bool finish_connecting(int fd) {
    struct pollfd socket = {.fd = fd, .events = POLLOUT};
    int error = ETIMEDOUT;
    socklen_t bytes = sizeof error;
    int ready;
    while ((ready = poll(&socket, 1, CONNECT_SECONDS * 1000)) < 0 && errno == EINTR)
        continue;
    if (ready > 0)
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &bytes);
    errno = error;
    return error == 0;
}

/* A host that does not answer is an error within seconds. */
static bool connect_within(int fd, const struct sockaddr *address, socklen_t bytes) {
    struct timeval bounded = {.tv_sec = CONNECT_SECONDS}, unbounded = {0};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &bounded, sizeof bounded);
    int result;
    do
        result = connect(fd, address, bytes);
    while (result < 0 && errno == EINTR && address->sa_family == AF_UNIX);
    bool connected = result == 0 || (errno == EINTR && finish_connecting(fd));
    int error = errno == EINPROGRESS ? ETIMEDOUT : errno;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &unbounded, sizeof unbounded);
    errno = error;
    return connected;
}

static int connect_unix(const char *path, char *why, size_t limit) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        snprintf(why, limit, "the path of the socket is longer than %zu bytes", sizeof address.sun_path - 1);
        return -1;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || !connect_within(fd, (struct sockaddr *)&address, sizeof address))
        return failed(fd, why, limit, path);
    return fd;
}

/* For who does not wait for the backend; who does sees that it is silent. No TCP_USER_TIMEOUT: it would also end a
 * connection whose other end is there and does not read, as a backend does whose queues are full. */
static void tune(int fd) {
    int on = 1, idle = 5, interval = 3, count = 3;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

static bool is_port(const char *text) {
    return strspn(text, "0123456789") == strlen(text) && *text != '\0' && strtoul(text, NULL, 10) <= UINT16_MAX;
}

bool split_authority(const char *authority, const char *usual, char *host, size_t limit, char *port, size_t port_limit) {
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
    return *rest == ':' && (size_t)snprintf(port, port_limit, "%s", rest + 1) < port_limit && is_port(port);
}

static int connect_tcp(const char *authority, char *why, size_t limit) {
    char host[256], port[16];
    if (!split_authority(authority, ":14900", host, sizeof host, port, sizeof port)) {
        snprintf(why, limit, "'%s' is not HOST:PORT, with a port of at most 65535", authority);
        return -1;
    }
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
    int error = getaddrinfo(host, port, &hints, &list);
    if (error != 0) {
        snprintf(why, limit, "%s: %s", host, gai_strerror(error));
        return -1;
    }
    int fd = -1;
    for (struct addrinfo *one = list; one != NULL && fd < 0; one = one->ai_next) {
        fd = socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
        if (fd < 0 || !connect_within(fd, one->ai_addr, one->ai_addrlen))
            fd = failed(fd, why, limit, authority);
    }
    freeaddrinfo(list);
    if (fd >= 0)
        tune(fd);
    return fd;
}

/* Before glibc 2.34 they are in a library of their own, which the program may have or not. */
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlerror

static size_t scheme_length(const char *uri) {
    size_t length = 0;
    while (isalnum((unsigned char)uri[length]))
        length++;
    return uri[length] == ':' ? length : 0;
}

/* Other schemes are those of plug-ins: outboard-connect-SCHEME.so, on the loader's path, has the function outboard_connect(uri, why,
 * limit). It returns a connected descriptor, or -1 and says why. */
static int connect_by_plug_in(const char *uri, char *why, size_t limit) {
    size_t length = scheme_length(uri);
    char name[64];
    if (length == 0 || (size_t)snprintf(name, sizeof name, "outboard-connect-%.*s.so", (int)length, uri) >= sizeof name || &dlopen == NULL) {
        snprintf(why, limit, "it is neither unix:PATH, shm:PATH nor tcp://HOST[:PORT]");
        return -1;
    }
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    int (*connect_with)(const char *, char *, size_t) = NULL;
    if (library != NULL)
        *(void **)&connect_with = dlsym(library, "outboard_connect");
    if (connect_with == NULL) {
        snprintf(why, limit, "it is neither unix:PATH, shm:PATH nor tcp://HOST[:PORT], nor of a plug-in (%s)", dlerror());
        return -1;
    }
    return connect_with(uri, why, limit);
}

static bool is(const endpoint *to, const char *scheme) { return strncmp(to->uri, scheme, strlen(scheme)) == 0; }

int connect_to(const endpoint *to, char *why, size_t limit) {
    if (is(to, "unix:"))
        return connect_unix(to->uri + strlen("unix:"), why, limit);
    if (is(to, "shm:"))
        return connect_unix(to->uri + strlen("shm:"), why, limit);
    if (is(to, "relay:"))
        return connect_unix(to->uri + strlen("relay:"), why, limit);
    if (is(to, "tcp://"))
        return connect_tcp(to->uri + strlen("tcp://"), why, limit);
    if (is(to, "tls://")) {
        snprintf(why, limit, "this program does not encrypt itself: run it with outboard-run or 'outboard run', or start outboard-connect");
        return -1;
    }
    return connect_by_plug_in(to->uri, why, limit);
}

/* Only a Unix socket passes descriptors; OUTBOARD_SHM=0 does without. */
enum sharing sharing_of(const endpoint *to) {
    const char *wanted = getenv("OUTBOARD_SHM");
    if (is(to, "shm:"))
        return SHARE_ALWAYS;
    bool refused = wanted != NULL && strcmp(wanted, "0") == 0;
    return is(to, "unix:") && !refused ? SHARE_WHERE_POSSIBLE : SHARE_NEVER;
}
