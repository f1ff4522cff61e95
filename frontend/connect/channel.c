/* SPDX-License-Identifier: Apache-2.0 */
#include "channel.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { OWED = WINDOW / 4 };

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

void channel_begin(channel *c, int fd) {
    *c = (channel){.fd = fd, .credit = WINDOW, .theirs = WINDOW};
}

void channel_close(channel *c) {
    close(c->fd);
    free(c->down);
    *c = (channel){.fd = -1};
}

/* ---- to the program -------------------------------------------------------------------------- */

/* Bytes that a program which has gone does not take count as delivered for the other side. */
static uint32_t give(channel *c, const uint8_t *from, uint32_t bytes) {
    ssize_t n = c->gone ? (ssize_t)bytes : send(c->fd, from, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR) {
        c->gone = c->up_over = true;
        n = (ssize_t)bytes;
    }
    c->owed += n > 0 ? (uint32_t)n : 0;
    return n > 0 ? (uint32_t)n : 0;
}

static void tell_down(channel *c) {
    if (!c->down_over || c->down_bytes > 0 || c->told_down)
        return;
    c->told_down = true;
    shutdown(c->fd, SHUT_WR);
}

static void give_held(channel *c) {
    while (c->down_bytes > 0) {
        uint32_t part = least(c->down_bytes, WINDOW - c->down_begin),
                 given = give(c, c->down + c->down_begin, part);
        c->down_begin = (c->down_begin + given) % WINDOW;
        c->down_bytes -= given;
        if (given < part)
            return;
    }
    tell_down(c);
}

/* There is room: the other side had credit for it. */
static bool hold(channel *c, const uint8_t *from, uint32_t bytes) {
    if (bytes > 0 && c->down == NULL && (c->down = malloc(WINDOW)) == NULL)
        return false;
    while (bytes > 0) {
        uint32_t at = (c->down_begin + c->down_bytes) % WINDOW, part = least(bytes, WINDOW - at);
        memcpy(c->down + at, from, part);
        c->down_bytes += part;
        from += part;
        bytes -= part;
    }
    return true;
}

static bool take_data(channel *c, const port_frame *f) {
    if (c->down_over || f->bytes > c->theirs)
        return false;
    c->theirs -= f->bytes;
    uint32_t given = c->down_bytes == 0 ? give(c, f->body, f->bytes) : 0;
    return hold(c, f->body + given, f->bytes - given);
}

static bool take_credit(channel *c, uint32_t bytes) {
    c->credit += bytes;
    return c->credit <= WINDOW;
}

bool channel_take(channel *c, const port_frame *f) {
    switch (f->kind) {
    case FRAME_DATA:
        return take_data(c, f);
    case FRAME_CREDIT:
        return take_credit(c, f->bytes);
    case FRAME_CLOSE:
        c->forsaken = c->up_over = c->told_up = true;
        break;
    case FRAME_END:
        if (c->down_over)
            return false;
        break;
    default:
        return false;
    }
    c->down_over = true;
    tell_down(c);
    return true;
}

/* ---- from the program ------------------------------------------------------------------------ */

/* One that has hung up says so for ever, so it is not asked while nothing can be done about it. */
void channel_interests(const channel *c, bool moves, struct pollfd *to) {
    bool reads = moves && !c->up_over && c->credit > 0, gives = c->down_bytes > 0 && !c->gone;
    bool ends = !c->gone && (c->up_over || c->id == 0);
    *to = (struct pollfd){.fd = reads || gives || ends ? c->fd : -1,
                          .events = (short)((reads ? POLLIN : 0) | (gives ? POLLOUT : 0))};
}

void channel_ready(channel *c, short events) {
    bool over = (events & (POLLERR | POLLHUP)) != 0;
    c->readable = over || (events & POLLIN) != 0;
    c->gone = c->gone || (over && (c->up_over || c->id == 0));
    if (c->gone || over || (events & POLLOUT) != 0)
        give_held(c);
}

static bool hung_up(const channel *c) {
    struct pollfd state = {.fd = c->fd};
    return poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR)) != 0;
}

static void put_data(channel *c, epoch *e) {
    if (!c->readable || c->up_over || c->credit == 0)
        return;
    ssize_t n = recv(c->fd, epoch_body(e), least(PIECE, c->credit), MSG_DONTWAIT);
    c->readable = false;
    if (n > 0) {
        epoch_put(e, FRAME_DATA, c->id, (uint32_t)n);
        c->credit -= (uint32_t)n;
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        c->up_over = true;
        c->gone = n < 0 || hung_up(c);
    }
}

static void put_credit(channel *c, epoch *e) {
    if (c->owed < OWED || c->down_over)
        return;
    epoch_put(e, FRAME_CREDIT, c->id, c->owed);
    c->theirs += c->owed;
    c->owed = 0;
}

static void put_end(channel *c, epoch *e) {
    if (!c->up_over || c->forsaken)
        return;
    if (c->gone) {
        epoch_put(e, FRAME_CLOSE, c->id, 0);
        c->forsaken = c->told_up = c->down_over = true;
        c->down_bytes = 0;
        c->told_down = true;
    } else if (!c->told_up) {
        epoch_put(e, FRAME_END, c->id, 0);
        c->told_up = true;
    }
}

void channel_put(channel *c, epoch *e, uint32_t *last) {
    if (c->id == 0) {
        c->id = ++*last;
        epoch_put(e, FRAME_OPEN, c->id, 0);
    }
    if (epoch_has_room(e))
        put_credit(c, e);
    if (epoch_has_room(e))
        put_data(c, e);
    if (epoch_has_room(e))
        put_end(c, e);
}

bool channel_done(const channel *c) {
    return (c->told_up && c->told_down) || (c->id == 0 && c->gone);
}
