/* SPDX-License-Identifier: Apache-2.0 */
#include "carry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LINGER_MS = 5000,   /* for the other domain to take what a socket that has ended has left */
};

typedef struct bytes {
    uint8_t data[RING_BYTES];
    size_t begin, end;
} bytes;

typedef struct carriage {
    xen_channel *channel;
    int socket;
    int interest;               /* an epoll(7) of the socket … */
    uint32_t watched;           /* … and what of it is awaited */
    bool dry;                   /* the socket had nothing at the last step */
    bytes out, in;              /* to the other domain, and from it */
    bool socket_over;           /* nothing more comes from there … */
    bool deaf;                  /* … and nothing more goes there */
    bool over;
    const char *broken;
} carriage;

static bool is_empty(const bytes *b) { return b->begin == b->end; }

static void dropped(bytes *b, size_t count) {
    b->begin += count;
    if (is_empty(b))
        b->begin = b->end = 0;
}

static bool would_wait(void) { return errno == EAGAIN || errno == EINTR; }

static bool breaks(carriage *a) {
    a->broken = "the other domain broke the rules of shared memory";
    a->over = true;
    return false;
}

/* ---- steps: each says whether anything moved ------------------------------------------------- */

static bool take_from_socket(carriage *a) {
    bool was_dry = a->dry;
    a->dry = false;
    if (a->socket_over || was_dry || !is_empty(&a->out))
        return false;
    ssize_t n = recv(a->socket, a->out.data, sizeof a->out.data, MSG_DONTWAIT);
    a->dry = n < 0 && would_wait();
    a->socket_over = n <= 0 && !a->dry;
    a->out.end = n > 0 ? (size_t)n : 0;
    return n > 0 || a->socket_over;
}

static bool give_to_ring(carriage *a) {
    struct iovec part = {a->out.data + a->out.begin, a->out.end - a->out.begin};
    if (is_empty(&a->out))
        return false;
    size_t n = channel_write(&a->channel->rings, &part, 1);
    if (n == CHANNEL_BROKEN)
        return breaks(a);
    dropped(&a->out, n);
    return n > 0;
}

static bool take_from_ring(carriage *a) {
    if (!is_empty(&a->in))
        return false;
    size_t n = channel_read(&a->channel->rings, a->in.data, sizeof a->in.data);
    if (n == CHANNEL_BROKEN)
        return breaks(a);
    a->in.end = n;
    return n > 0;
}

static bool give_to_socket(carriage *a) {
    size_t left = a->in.end - a->in.begin;
    if (left == 0)
        return false;
    const uint8_t *from = a->in.data + a->in.begin;
    ssize_t n = a->deaf ? (ssize_t)left : send(a->socket, from, left, MSG_DONTWAIT | MSG_NOSIGNAL);
    a->deaf |= n < 0 && !would_wait();
    dropped(&a->in, n > 0 ? (size_t)n : 0);
    return n > 0 || a->deaf;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* A hang-up is reported whatever is wanted, and nothing would make it go away. */
static void watch_socket(carriage *a) {
    uint32_t reading = !a->socket_over && is_empty(&a->out) ? EPOLLIN : 0;
    uint32_t writing = is_empty(&a->in) ? 0 : EPOLLOUT;
    struct epoll_event wanted = {.events = reading | writing};
    if (wanted.events == a->watched)
        return;
    int how = a->watched == 0 ? EPOLL_CTL_ADD : wanted.events == 0 ? EPOLL_CTL_DEL : EPOLL_CTL_MOD;
    epoll_ctl(a->interest, how, a->socket, &wanted);
    a->watched = wanted.events;
}

/* The other side is asked last: what it has written before it went is taken. */
static void await(carriage *a) {
    uint32_t wanted = (is_empty(&a->in) ? FOR_DATA : 0) | (is_empty(&a->out) ? 0 : FOR_ROOM);
    a->over = !xen_channel_is_used(a->channel) && is_empty(&a->in) &&
        !channel_readable(&a->channel->rings);
    if (a->over)
        return;
    watch_socket(a);
    bool woken =
        channel_sleep(&a->channel->rings, wanted, NULL, a->socket_over ? LINGER_MS : -1);
    a->over |= !woken && a->socket_over;
}

static void finish(carriage *a) { a->over |= a->socket_over && is_empty(&a->out); }

static void carry(carriage *a) {
    while (!a->over) {
        bool moved = take_from_socket(a);
        moved |= give_to_ring(a);
        moved |= take_from_ring(a);
        moved |= give_to_socket(a);
        finish(a);
        if (!moved && !a->over)
            await(a);
    }
}

const char *xen_carry(xen_channel *c, int socket) {
    carriage *a = calloc(1, sizeof *a);
    if (a == NULL)
        return strerror(ENOMEM);
    a->channel = c;
    a->socket = socket;
    a->interest = epoll_create1(EPOLL_CLOEXEC);
    c->rings.own.beside = a->interest;
    if (a->interest >= 0)
        carry(a);
    else
        a->broken = strerror(errno);
    if (a->interest >= 0)
        close(a->interest);
    const char *broken = a->broken;
    free(a);
    return broken;
}
