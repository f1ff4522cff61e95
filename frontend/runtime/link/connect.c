/* SPDX-License-Identifier: Apache-2.0 */
#include "link/link.h"

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

enum { CONNECT_MS = 10000 };

/* What would help, where the error's text alone does not say. */
static const char *remedy(int error) {
    switch (error) {
    case ENOENT:
    case ECONNREFUSED:
        return ": no backend listens there ('outboard serve' starts one)";
    case ETIMEDOUT:
    case EAGAIN:
        return ": the host, or a firewall before it, does not answer";
    default:
        return "";
    }
}

static int failed(int fd, char *why, size_t limit, const char *what) {
    snprintf(why, limit, "%s: %s%s", what, strerror(errno), remedy(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

/* The connection that a signal interrupted goes on by itself. */
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

static bool connect_within(int milliseconds, int fd, const struct sockaddr *address, socklen_t bytes) {
    struct timeval bounded = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000}, unbounded = {0};
    int result;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &bounded, sizeof bounded);
    do
        result = connect(fd, address, bytes);
    while (result < 0 && errno == EINTR && address->sa_family == AF_UNIX);
    bool connected = result == 0 || (errno == EINTR && finish_connecting(fd, milliseconds));
    int error = errno;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &unbounded, sizeof unbounded);
    errno = error;
    return connected;
}

/* A backend that is so busy that it accepts nobody yet, or a host that is silent. */
static bool goes_on(int error) { return error == EINPROGRESS || error == EAGAIN; }

/* A host that does not answer is an error within seconds; a word to whoever waits comes before that. */
static bool connect_patiently(const endpoint *to, int fd, const struct sockaddr *address, socklen_t bytes) {
    int limit = to->connect_ms > 0 ? to->connect_ms : CONNECT_MS, first = limit < ANSWER_MS ? limit : ANSWER_MS;
    bool connected = connect_within(first, fd, address, bytes);
    if (!connected && goes_on(errno) && first < limit) {
        bool again = errno == EAGAIN;
        if (to->late != NULL)
            to->late(to);
        connected = again ? connect_within(limit - first, fd, address, bytes) : finish_connecting(fd, limit - first);
    }
    if (!connected && errno == EINPROGRESS)
        errno = ETIMEDOUT;
    return connected;
}

static int connect_unix(const endpoint *to, const char *path, char *why, size_t limit) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        snprintf(why, limit, "the path of the socket is longer than %zu bytes", sizeof address.sun_path - 1);
        return -1;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || !connect_patiently(to, fd, (struct sockaddr *)&address, sizeof address))
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

/* Where the time is short all addresses of a host share it. */
static endpoint in_turn(const endpoint *to, const struct addrinfo *list) {
    endpoint each = *to;
    int count = 0;
    for (; list != NULL; list = list->ai_next)
        count++;
    each.connect_ms = (to->connect_ms + count - 1) / count;
    return each;
}

static int connect_tcp(const endpoint *to, const char *authority, char *why, size_t limit) {
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
    const endpoint each = in_turn(to, list);
    int fd = -1;
    for (struct addrinfo *one = list; one != NULL && fd < 0; one = one->ai_next) {
        fd = socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
        if (fd < 0 || !connect_patiently(&each, fd, one->ai_addr, one->ai_addrlen))
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
        return connect_unix(to, to->uri + strlen("unix:"), why, limit);
    if (is(to, "shm:"))
        return connect_unix(to, to->uri + strlen("shm:"), why, limit);
    if (is(to, "relay:"))
        return connect_unix(to, to->uri + strlen("relay:"), why, limit);
    if (is(to, "tcp://"))
        return connect_tcp(to, to->uri + strlen("tcp://"), why, limit);
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
