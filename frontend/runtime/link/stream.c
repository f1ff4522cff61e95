/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes between this process and the backend: over the socket, or over rings in shared memory beside it. Then the socket
 * stays open: it tells when the backend has gone, and descriptors are passed over it.
 */
#include "link/link.h"
#include "link/ring.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

enum {
    CHECK_MS = 250,         /* who sleeps on a ring looks so often whether the other side is still there */
    SILENT_ROUNDS = 3,
};

int stream_round_ms = 5000;

static channel rings;
static bool shared;
static patience socket_patience;
static int bell = -1;               /* wakes who watches */
static _Atomic bool rung;

bool stream_share(int fd, const region_layout *layout) {
    shared = channel_map(&rings, fd, layout, CLIENT_SIDE);
    return shared;
}

void stream_unshare(void) {
    if (shared)
        channel_unmap(&rings);
    shared = false;
}

void stream_forget(void) { stream_unshare(); }

bool stream_shared(void) { return shared; }

bool ob_passes(void) { return shared && session_open(); }

static void look_at_most(uint32_t ring_ns, uint32_t socket_ns) {
    if (shared)
        channel_limit(&rings, ring_ns);
    patience_limit(&socket_patience, socket_ns);
}

void ob_wait_asleep(void) { look_at_most(SPIN_NS, 0); }

void ob_wait_beside_device(void) { look_at_most(SPIN_SHARED_NS, SPIN_SHARED_NS); }

/* The socket carries nothing else; the byte is for the descriptor to travel with. */
bool ob_pass(int fd) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.header = {.cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    struct iovec byte = {&(char){0}, 1};
    struct msghdr message = {.msg_iov = &byte, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    return ob_passes() && sendmsg(the_session.fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

/* Whoever waits here returns. */
void stream_shutdown(void) {
    shutdown(the_session.fd, SHUT_RDWR);
    if (shared)
        channel_rouse(&rings);
}

/* ---- the rings' other side ---------------------------------------------------------------------------------------- */

static short look(short events, int timeout_ms) {
    struct pollfd socket = {.fd = the_session.fd, .events = events};
    errno = 0;
    return poll(&socket, 1, timeout_ms) > 0 ? socket.revents : 0;
}

static bool gone(void) { return look(POLLRDHUP, 0) != 0; }

static uint32_t wishes(short events) { return ((events & POLLIN) != 0 ? FOR_DATA : 0) | ((events & POLLOUT) != 0 ? FOR_ROOM : 0); }

static short ready(short events) {
    bool in = (events & POLLIN) != 0 && channel_readable(&rings), out = (events & POLLOUT) != 0 && channel_writable(&rings);
    return (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0));
}

/* Also returns when the session has been lost, or the bell has rung where it is listened for. */
static short sleep_on_rings(short events, const _Atomic bool *hint, int timeout_ms) {
    short now = ready(events);
    for (int left = timeout_ms; now == 0 && left != 0 && session_open() && (hint == NULL || !atomic_load(hint));) {
        int nap = left < 0 || left > CHECK_MS ? CHECK_MS : left;
        bool timely = channel_sleep(&rings, wishes(events), hint, nap);
        now = ready(events);
        if (!timely && now == 0 && gone())
            session_lost("it closed the connection");
        left -= left < 0 || timely ? 0 : nap;
    }
    return now;
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

static size_t lost(const char *why) {
    session_lost(why);
    return 0;
}

/* Rounds are counted and not time, in which this process may have been stopped; signals do not make them longer. */
bool stream_silent(silence *now) {
    if (!the_session.distant)
        return false;
    int64_t ms = (int64_t)(now_ns() / 1000000);
    bool over = errno != EINTR || (now->since_ms != 0 && ms - now->since_ms >= stream_round_ms);
    if (over || now->since_ms == 0)
        now->since_ms = ms;
    now->rounds += over;
    if (now->rounds == SILENT_ROUNDS)
        lost("it is silent");
    return now->rounds == SILENT_ROUNDS;
}

void stream_in_rounds(void) {
    struct timeval round = {.tv_sec = stream_round_ms / 1000, .tv_usec = stream_round_ms % 1000 * 1000};
    setsockopt(the_session.fd, SOL_SOCKET, SO_RCVTIMEO, &round, sizeof round);
}

void stream_begin(void) { socket_patience = patience_of(processors_to_spare() ? SPIN_ANSWER_NS : 0); }

/* The end of the stream and an error have come, too. */
static bool came(const void *unused) {
    char byte;
    (void)unused;
    return recv(the_session.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || errno != EAGAIN;
}

static size_t read_socket(void *to, size_t limit) {
    silence before = {0};
    patience_pays(&socket_patience, came, NULL);
    for (;;) {
        ssize_t n = recv(the_session.fd, to, limit, 0);
        if (n > 0)
            return (size_t)n;
        if (n == 0)
            return lost("it closed the connection");
        if (errno != EINTR && errno != EAGAIN)
            return lost(strerror(errno));
        if (stream_silent(&before))
            return 0;
    }
}

static size_t read_ring(void *to, size_t limit) {
    for (;;) {
        size_t n = channel_read(&rings, to, limit);
        if (n == CHANNEL_BROKEN)
            return lost("it broke the rules of shared memory");
        if (n > 0 || !session_open())
            return n;
        if (!channel_spin(&rings))
            sleep_on_rings(POLLIN, NULL, -1);
    }
}

size_t stream_read(void *to, size_t limit) { return shared ? read_ring(to, limit) : read_socket(to, limit); }

/* ---- writing ------------------------------------------------------------------------------------------------------ */

/* Bytes written, or a negated error number. */
static ssize_t try_write(struct iovec *parts, int count) {
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
    if (shared) {
        size_t n = channel_write(&rings, parts, count);
        return n != CHANNEL_BROKEN ? (ssize_t)n : -EPROTO;
    }
    ssize_t n = sendmsg(the_session.fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    return n >= 0 ? n : errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

size_t stream_write(struct iovec *parts, int count) {
    ssize_t n = try_write(parts, count);
    return n >= 0 ? (size_t)n : lost(strerror((int)-n));
}

void stream_write_last(struct iovec left, int timeout_ms) {
    while (left.iov_len > 0 && stream_wait(POLLOUT, timeout_ms) > 0) {
        ssize_t n = try_write(&left, 1);
        if (n <= 0)
            return;
        left.iov_base = (uint8_t *)left.iov_base + n;
        left.iov_len -= (size_t)n;
    }
}

/* ---- waiting ------------------------------------------------------------------------------------------------------ */

short stream_wait(short events, int timeout_ms) { return shared ? sleep_on_rings(events, NULL, timeout_ms) : look(events, timeout_ms); }

bool stream_prepare_bell(void) {
    if (bell < 0)
        bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return bell >= 0;
}

void stream_ring_bell(void) {
    atomic_store(&rung, true);
    eventfd_write(bell, 1);
    if (shared)
        channel_rouse(&rings);
}

void stream_watch(void) {
    eventfd_t count;
    struct pollfd either[2] = {{.fd = the_session.fd, .events = POLLIN}, {.fd = bell, .events = POLLIN}};
    if (shared)
        sleep_on_rings(POLLIN, &rung, -1);
    else
        poll(either, 2, -1);
    atomic_store(&rung, false);
    eventfd_read(bell, &count);
}
