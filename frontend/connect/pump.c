/* SPDX-License-Identifier: Apache-2.0
 *
 * One thread for both directions: neither socket waits, and what cannot be passed on is not read.
 */
#include "pump.h"

#include "base/clock.h"
#include "base/idle.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>

enum {
    ROOM = 64 << 10,
    LOOK_MS = 5000,         /* so often it is asked whether the backend's host still acknowledges */
    SILENT_MS = 15000,
    LINGER_MS = 5000,       /* for the backend's goodbye to a program that has gone */
};

typedef struct buffer {
    uint8_t *bytes;
    int begin;
    int end;
} buffer;

typedef struct flow {
    tls_connection *secure;
    int plain;
    buffer up;              /* to the backend */
    buffer down;
    bool up_over;           /* the program writes no more */
    bool down_over;         /* the backend writes no more */
    bool told_up;           /* and the other side has been told */
    bool told_down;
    bool gone;              /* the program can be told nothing any more */
    bool write_waits;       /* the library has bytes that the socket does not take */
    patience patience;
    const char *broken;
} flow;

static bool is_empty(const buffer *b) { return b->begin == b->end; }

static bool breaks(flow *f, const char *why) {
    if (f->broken == NULL)
        f->broken = why;
    return false;
}

/* ---- each step says whether it moved anything ------------------------------------------------ */

static bool take_plain(flow *f) {
    if (f->up_over || !is_empty(&f->up))
        return false;
    ssize_t n = recv(f->plain, f->up.bytes, ROOM, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    f->up_over = n <= 0;
    f->up.begin = 0;
    f->up.end = n > 0 ? (int)n : 0;
    return true;
}

/* Notes why the library could not go on; returns whether that is the end. */
static bool stuck(flow *f, int result) {
    switch (lib.error(f->secure->tls, result)) {
    case OPENSSL_ERROR_WANT_READ:
        return false;
    case OPENSSL_ERROR_WANT_WRITE:
        f->write_waits = true;
        return false;
    case OPENSSL_ERROR_ZERO_RETURN:
        f->down_over = true;
        return true;
    default:
        return breaks(f, "the encrypted connection broke");
    }
}

static bool give_secure(flow *f) {
    if (is_empty(&f->up)) {
        if (!f->up_over || f->told_up)
            return false;
        lib.clear_errors();
        int told = lib.shutdown(f->secure->tls);
        f->told_up = told >= 0;
        return f->told_up || stuck(f, told);
    }
    lib.clear_errors();
    int n = lib.write(f->secure->tls, f->up.bytes + f->up.begin, f->up.end - f->up.begin);
    if (n <= 0)
        return stuck(f, n);
    f->up.begin += n;
    return true;
}

static bool take_secure(flow *f) {
    if (f->down_over || f->down.end == ROOM)
        return false;
    lib.clear_errors();
    int n = lib.read(f->secure->tls, f->down.bytes + f->down.end, ROOM - f->down.end);
    if (n <= 0)
        return stuck(f, n);
    f->down.end += n;
    return true;
}

static bool give_plain(flow *f) {
    if (is_empty(&f->down)) {
        if (!f->down_over || f->told_down)
            return false;
        f->told_down = true;
        shutdown(f->plain, SHUT_WR);
        return true;
    }
    ssize_t n = send(f->plain, f->down.bytes + f->down.begin, (size_t)(f->down.end - f->down.begin),
                     MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        f->gone = true;
        n = f->down.end - f->down.begin;
    }
    if (n <= 0)
        return false;
    f->down.begin += (int)n;
    if (is_empty(&f->down))
        f->down.begin = f->down.end = 0;
    return true;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static void interests(const flow *f, struct pollfd sockets[2]) {
    short plain = (short)((!f->up_over && is_empty(&f->up) ? POLLIN : 0) |
                          (!is_empty(&f->down) ? POLLOUT : 0));
    short secure = (short)((!f->down_over && f->down.end < ROOM ? POLLIN : 0) |
                           (f->write_waits ? POLLOUT : 0));
    /* A descriptor that has hung up would never let it sleep. */
    sockets[0] = (struct pollfd){.fd = plain != 0 ? f->plain : -1, .events = plain};
    sockets[1] = (struct pollfd){.fd = secure != 0 ? f->secure->fd : -1, .events = secure};
}

static bool is_there(const void *what) {
    struct pollfd sockets[2];
    interests(what, sockets);
    return poll(sockets, 2, 0) != 0;
}

/* A host that has gone acknowledges nothing; one whose backend does not read does, and is asked
 * again and again by this kernel. */
static bool is_silent(int fd) {
    struct tcp_info info = {0};
    socklen_t bytes = sizeof info;
    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &bytes) == 0 && info.tcpi_unacked > 0 &&
           info.tcpi_last_ack_recv > SILENT_MS;
}

static bool has_hung_up(int fd) {
    struct pollfd socket = {.fd = fd};
    return poll(&socket, 1, 0) > 0;
}

static void await(flow *f) {
    struct pollfd sockets[2];
    f->gone = f->gone || (f->up_over && has_hung_up(f->plain));
    if (patience_pays(&f->patience, is_there, f))
        return;
    interests(f, sockets);
    int ready = poll(sockets, 2, f->gone ? LINGER_MS : LOOK_MS);
    if (ready == 0 && f->gone)
        breaks(f, "");
    if (ready == 0 && is_silent(f->secure->fd))
        breaks(f, "the backend's host is silent");
}

static bool is_done(const flow *f) {
    return f->broken != NULL || (f->told_up && (f->told_down || f->gone) && f->down_over);
}

const char *pump(tls_connection *secure, int plain) {
    flow f = {
        .secure = secure, .plain = plain, .up.bytes = malloc(ROOM), .down.bytes = malloc(ROOM)};
    f.patience = patience_of(processors_to_spare() ? SPIN_FRAMES_NS : 0);
    if (f.up.bytes == NULL || f.down.bytes == NULL)
        breaks(&f, "out of memory");
    while (!is_done(&f)) {
        f.write_waits = false;
        bool moved = take_plain(&f);
        moved |= give_secure(&f);
        moved |= take_secure(&f);
        moved |= give_plain(&f);
        if (!moved && !is_done(&f))
            await(&f);
    }
    free(f.up.bytes);
    free(f.down.bytes);
    return f.broken != NULL && *f.broken != '\0' ? f.broken : NULL;
}
