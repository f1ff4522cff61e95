/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes between this process and the backend: over the socket, or over rings in shared memory
 * beside it. Then the socket stays open: it tells when the backend has gone, and descriptors are
 * passed over it. Or over rings in pages of Xen's, without a socket.
 */
#include "link/link.h"
#include "ring/ring.h"
#include "xen/xen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /* a sleeper on a ring looks so often whether the other side is still there */
    CHECK_MS = 250,
    SILENT_ROUNDS = 3,
};

int stream_round_ms = 5000;

struct stream {
    channel rings;              /* where memory is shared */
    _Atomic bool left;          /* they are not used any more */
    channel further[RING_LIMIT];    /* the last one is of functions */
    _Atomic uint32_t opened;    /* of these; a bit each */
    int memory;                 /* that they lie in, where the hypervisor shares it; else -1 */
    patience socket_patience;
    lookers lookers;            /* the program's threads */
    doorbell bell;              /* wakes who watches */
    _Atomic uint32_t rung;
};

bool stream_make(session *s) {
    s->stream = session_part(sizeof *s->stream);
    if (s->stream == NULL)
        return false;
    s->stream->bell.fd = s->stream->memory = -1;
    s->stream->lookers.processors = processors();
    return true;
}

void stream_unshare(session *s) {
    if (s->shared)
        channel_unmap(&s->stream->rings);
    if (s->stream->memory >= 0)
        close(s->stream->memory);
    s->stream->memory = -1;
    s->shared = false;
}

static bool share_with_host(session *s, int fd) {
    s->stream->memory = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return s->stream->memory >= 0 && channel_rings_over(&s->stream->rings, s->carrier.fd);
}

bool stream_share(session *s, int fd, const region_layout *layout, const doorbell_kind *bells) {
    s->shared = channel_map(&s->stream->rings, fd, layout, CLIENT_SIDE, bells);
    if (s->shared && bells == &stream_doorbell && !share_with_host(s, fd))
        stream_unshare(s);
    return s->shared;
}

bool stream_in_memory(const session *s) {
    return s->shared && !atomic_load_explicit(&s->stream->left, memory_order_acquire);
}

int stream_memory(const session *s) { return s->stream->memory; }

uint64_t stream_memory_bytes(const session *s) { return ring_memory_length(s->stream->memory); }

/* The rings that bytes travel through; NULL where a socket carries them. */
static channel *rings_of(const session *s) {
    if (stream_in_memory(s))
        return &s->stream->rings;
    return s->carrier.pages != NULL ? &s->carrier.pages->rings : NULL;
}

/* A sleeper beside the rings looks again. */
size_t stream_leave_memory(session *s, struct iovec parts[2], uint64_t *end) {
    channel *rings = &s->stream->rings;
    channel_leave(rings);
    atomic_store(&s->stream->left, true);
    channel_rouse(rings);
    return channel_written(rings, parts, end);
}

bool ob_passes(void) {
    const session *s = session_here();
    return s->shared && s->passes && session_open(s);
}

static void look_at_most(const session *s, uint32_t ring_ns, uint32_t socket_ns) {
    channel *rings = rings_of(s);
    if (rings != NULL)
        channel_limit(rings, ring_ns);
    patience_limit(&s->stream->socket_patience, socket_ns);
}

void ob_wait_asleep(void) { look_at_most(session_here(), SPIN_NS, 0); }

/* A ring whose looks leave the processor takes none from the device; shorter ones than a wake-up
 * would never pay. */
void ob_wait_beside_device(void) {
    const session *s = session_here();
    const channel *rings = rings_of(s);
    bool leaves = rings != NULL && rings->patience.yields;
    look_at_most(s, leaves ? SPIN_FAR_NS : SPIN_SHARED_NS, SPIN_SHARED_NS);
}

/* The socket carries nothing else; the byte is for the descriptor to travel with. */
bool ob_pass(int fd) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.header = {.cmsg_len = CMSG_LEN(sizeof fd),
                            .cmsg_level = SOL_SOCKET,
                            .cmsg_type = SCM_RIGHTS}};
    struct iovec byte = {&(char){0}, 1};
    struct msghdr message = {.msg_iov = &byte,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    return ob_passes() &&
           sendmsg(session_here()->carrier.fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

/* Threads that wait here return. */
void stream_shutdown(session *s) {
    carrier_shutdown(s->carrier);
    for (uint32_t i = 0; i < RING_LIMIT; i++)
        if ((atomic_load(&s->stream->opened) & 1u << i) != 0)
            channel_rouse(&s->stream->further[i]);
    if (stream_in_memory(s))
        channel_rouse(&s->stream->rings);
}

/* ---- the rings' other side ------------------------------------------------------------------- */

static short look(const session *s, short events, int timeout_ms) {
    struct pollfd socket = {.fd = s->carrier.fd, .events = events};
    errno = 0;
    return poll(&socket, 1, timeout_ms) > 0 ? socket.revents : 0;
}

/* A socket beside the rings is asked where nothing has come for a while. */
static bool gone(const session *s, bool quiet) {
    return s->carrier.pages != NULL ? xen_channel_is_over(s->carrier.pages)
                                    : quiet && look(s, POLLRDHUP, 0) != 0;
}

static uint32_t wishes(short events) {
    return ((events & POLLIN) != 0 ? FOR_DATA : 0) | ((events & POLLOUT) != 0 ? FOR_ROOM : 0);
}

static short ready(const channel *rings, short events) {
    bool in = (events & POLLIN) != 0 && channel_readable(rings),
         out = (events & POLLOUT) != 0 && channel_writable(rings);
    return (short)((in ? POLLIN : 0) | (out ? POLLOUT : 0));
}

static bool is_still_there(const session *s, const channel *rings, uint32_t generation) {
    return session_open(s) && rings_of(s) == rings && stream_generation(s) == generation;
}

/* Also returns when the session has been lost, has left the rings or has another connection, or the
 * bell has rung where it is listened for. */
static short sleep_on_rings(session *s, channel *rings, short events, const _Atomic uint32_t *hint,
                            int timeout_ms) {
    uint32_t generation = stream_generation(s);
    short now = ready(rings, events);
    for (int left = timeout_ms; now == 0 && left != 0 && is_still_there(s, rings, generation) &&
                                (hint == NULL || !atomic_load(hint));) {
        int nap = left < 0 || left > CHECK_MS ? CHECK_MS : left;
        bool timely = gone(s, false) || channel_sleep(rings, wishes(events), hint, nap);
        bool ended = gone(s, !timely);
        now = ready(rings, events);
        if (now == 0 && ended)
            stream_broken(s, generation, "it closed the connection");
        left -= left < 0 || timely ? 0 : nap;
    }
    return now;
}

/* ---- memory of the program's ----------------------------------------------------------------- */

/* A system call says of memory that is not there what it says of a connection: no. The fault is the
 * program's, and happens here as it does where a ring's bytes are copied. */
static void touch(void *memory, size_t bytes, bool writes) {
    enum { PAGE = 4096 }; /* the smallest there is */
    volatile uint8_t *at = memory, *end = at + bytes;
    while (at < end) {
        uint8_t byte = *at;
        if (writes)
            *at = byte;
        at += PAGE - (uintptr_t)at % PAGE;
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static size_t lost(session *s, const char *why) {
    session_lost(s, why);
    return 0;
}

uint32_t stream_generation(const session *s) { return lasting_generation(s); }

bool stream_broken(session *s, uint32_t generation, const char *why) {
    if (s->lasting != NULL)
        return lasting_restore(s, generation, why);
    farewell(session_root(s), why);
    return false;
}

/* Rounds are counted and not time, in which this process may have been stopped; signals do not make
 * them longer. */
bool stream_silent(const session *s, silence *now) {
    if (!s->distant)
        return false;
    int64_t ms = (int64_t)(now_ns() / 1000000);
    bool over = errno != EINTR || (now->since_ms != 0 && ms - now->since_ms >= stream_round_ms);
    if (over || now->since_ms == 0)
        now->since_ms = ms;
    now->rounds += over;
    if (now->rounds != SILENT_ROUNDS)
        return false;
    s->above->suspects(session_root(s), ~(1u << s->line));
    return true;
}

void stream_in_rounds(session *s) {
    struct timeval round = {.tv_sec = stream_round_ms / 1000,
                            .tv_usec = stream_round_ms % 1000 * 1000};
    setsockopt(s->carrier.fd, SOL_SOCKET, SO_RCVTIMEO, &round, sizeof round);
}

void stream_begin(session *s) {
    s->stream->socket_patience = patience_of(processors_to_spare() ? SPIN_ANSWER_NS : 0);
}

uint32_t stream_looks_ns(const session *s) {
    return atomic_load_explicit(&s->stream->socket_patience.most_ns, memory_order_relaxed);
}

/* Those of all its connections together. */
static lookers *lookers_of(const session *s) { return &session_root(s)->stream->lookers; }

void stream_look(const session *s, patience *p, bool (*there)(const void *), const void *what) {
    const channel *rings = rings_of(s);
    looking how = lookers_join(lookers_of(s), rings != NULL ? channel_programs(rings) : 0);
    if (how == LOOKS_BRIEFLY)
        return;
    patience_pays_as(p, UINT32_MAX, how == LOOKS_AND_YIELDS, there, what);
    lookers_leave(lookers_of(s));
}

/* Who looks without a processor of his own looks no longer than waking takes; what leaves the
 * processor after each look needs none. */
static bool spin(const session *s, channel *rings) {
    if (rings->patience.yields)
        return channel_spin(rings, LOOKS_FREELY);
    looking how = lookers_join(lookers_of(s), channel_programs(rings));
    bool came = channel_spin(rings, how);
    if (how != LOOKS_BRIEFLY)
        lookers_leave(lookers_of(s));
    return came;
}

/* The end of the stream and an error have come, too. */
static bool came(const void *what) {
    const session *s = what;
    char byte;
    return recv(s->carrier.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || errno != EAGAIN;
}

void stream_look_for_bytes(const session *s) {
    stream_look(s, &s->stream->socket_patience, came, s);
}

/* Where many programs share the processors the wait is slept away as a whole. */
static bool would_look(const session *s, uint32_t programs) {
    const lookers *all = lookers_of(s);
    return all->processors >= PLENTY && lookers_most(all, programs) > 0;
}

static void rest_on(const session *s, channel *rings, uint32_t ns) {
    if (would_look(s, channel_programs(rings)))
        channel_rest(rings, ns);
}

void stream_rest(const session *s, uint32_t ns) {
    channel *rings = rings_of(s);
    struct pollfd socket = {.fd = s->carrier.fd, .events = POLLIN};
    if (rings != NULL)
        rest_on(s, rings, ns);
    else if (would_look(s, 0))
        ppoll(&socket, 1, &(struct timespec){.tv_nsec = ns}, NULL);
}

void stream_rest_further(session *s, uint32_t number, uint32_t ns) {
    rest_on(s, &s->stream->further[number], ns);
}

/* There is nothing in the ring, or nothing that can be. */
static ssize_t none_in_ring(size_t n) {
    errno = n == CHANNEL_BROKEN ? EPROTO : EAGAIN;
    return -1;
}

ssize_t stream_take(session *s, void *to, size_t limit) {
    channel *rings = rings_of(s);
    if (rings == NULL)
        return recv(s->carrier.fd, to, limit, 0);
    size_t n = channel_read(rings, to, limit);
    return n > 0 && n != CHANNEL_BROKEN ? (ssize_t)n : none_in_ring(n);
}

static ssize_t receive_some(session *s, void *to, size_t limit) {
    return s->lasting != NULL ? lasting_receive(s, to, limit) : stream_take(s, to, limit);
}

/* Why the connection is lost after so many bytes, fewer than one; NULL if it is not. */
static const char *loss(const session *s, ssize_t n, silence *before) {
    if (n == 0)
        return "it closed the connection";
    if (errno != EINTR && errno != EAGAIN)
        return strerror(errno);
    return stream_silent(s, before) ? "it is silent" : NULL;
}

static size_t read_socket(session *s, void *to, size_t limit) {
    silence before = {0};
    stream_look_for_bytes(s);
    for (;;) {
        uint32_t generation = stream_generation(s);
        ssize_t n = receive_some(s, to, limit);
        if (n > 0)
            return (size_t)n;
        if (n < 0 && errno == EFAULT)
            touch(to, limit, true);
        const char *why = loss(s, n, &before);
        if (why != NULL && !stream_broken(s, generation, why))
            return 0;
        before = why != NULL ? (silence){0} : before;
    }
}

/* What lies in a ring is not what the other side of it wrote. Memory of a host that a machine has
 * been moved away from is gone, which is nobody's fault. */
static const char *nonsense(const session *s) {
    return s->stream->memory >= 0
               ? "the memory that this machine shares with its host is not what it was: the "
                 "machine was moved or restored, or the backend broke the rules of shared memory"
               : "it broke the rules of shared memory";
}

/* Waits where the ring had nothing. Why the connection is lost; NULL if it is not. */
static const char *loss_beside(session *s, silence *before) {
    if (errno != EAGAIN)
        return errno == EPROTO ? nonsense(s) : strerror(errno);
    channel *rings = rings_of(s);
    if (rings == NULL || spin(s, rings))
        return NULL;
    bool nothing = sleep_on_rings(s, rings, POLLIN, NULL, s->distant ? stream_round_ms : -1) == 0;
    return nothing && stream_silent(s, before) ? "it is silent" : NULL;
}

/* 0 also once the session has left the rings. */
static size_t read_ring(session *s, void *to, size_t limit) {
    silence before = {0};
    while (rings_of(s) != NULL && session_open(s)) {
        uint32_t generation = stream_generation(s);
        ssize_t n = receive_some(s, to, limit);
        if (n > 0)
            return (size_t)n;
        const char *why = loss_beside(s, &before);
        if (why != NULL)
            stream_broken(s, generation, why);
    }
    return 0;
}

size_t stream_read(session *s, void *to, size_t limit) {
    size_t n = rings_of(s) != NULL ? read_ring(s, to, limit) : 0;
    return n > 0 || !session_open(s) ? n : read_socket(s, to, limit);
}

/* ---- writing --------------------------------------------------------------------------------- */

ssize_t stream_put(session *s, struct iovec *parts, int count) {
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
    channel *rings = rings_of(s);
    if (rings != NULL && gone(s, false))
        return -EPIPE;
    if (rings != NULL) {
        size_t n = channel_write(rings, parts, count);
        return n != CHANNEL_BROKEN ? (ssize_t)n : -EPROTO;
    }
    ssize_t n = sendmsg(s->carrier.fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    return n >= 0 ? n : errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

static ssize_t try_write(session *s, struct iovec *parts, int count) {
    return s->lasting != NULL ? lasting_send(s, parts, count) : stream_put(s, parts, count);
}

size_t stream_write(session *s, struct iovec *parts, int count) {
    uint32_t generation = stream_generation(s);
    ssize_t n = try_write(s, parts, count);
    for (int i = 0; i < count && n == -EFAULT; i++)
        touch(parts[i].iov_base, parts[i].iov_len, false);
    if (n < 0)
        stream_broken(s, generation, strerror((int)-n));
    return n >= 0 ? (size_t)n : 0;
}

void stream_write_last(session *s, struct iovec left, int timeout_ms) {
    while (left.iov_len > 0 && stream_wait(s, POLLOUT, timeout_ms) > 0) {
        ssize_t n = try_write(s, &left, 1);
        if (n <= 0)
            return;
        left.iov_base = (uint8_t *)left.iov_base + n;
        left.iov_len -= (size_t)n;
    }
}

/* ---- rings beside the first ----------------------------------------------------------------- */

bool stream_further(session *s, uint32_t number) {
    struct stream *own = s->stream;
    if (!stream_in_memory(s) || own->rings.own.kind != &futex_doorbell ||
        !channel_slot(&own->rings, number, &own->further[number]))
        return false;
    atomic_fetch_or(&own->opened, 1u << number);
    return true;
}

void stream_look_further(session *s, uint32_t number, uint32_t most_ns) {
    channel_limit(&s->stream->further[number], most_ns);
}

/* Sleeps a while and returns 0; the session is lost where the backend has gone. */
static size_t sleep_beside(session *s, channel *rings, uint32_t what, int nap_ms) {
    if (!channel_sleep(rings, what, NULL, nap_ms) && gone(s, true))
        stream_broken(s, stream_generation(s), "it closed the connection");
    return 0;
}

size_t stream_read_further(session *s, uint32_t number, void *to, size_t limit, int nap_ms) {
    channel *rings = &s->stream->further[number];
    size_t n;
    do {
        n = channel_read(rings, to, limit);
    } while (n == 0 && session_open(s) && spin(s, rings));
    if (n == CHANNEL_BROKEN)
        return lost(s, nonsense(s));
    return n > 0 || !session_open(s) ? n : sleep_beside(s, rings, FOR_DATA, nap_ms);
}

size_t stream_write_further(session *s, uint32_t number, struct iovec *parts, int count,
                            int nap_ms) {
    channel *rings = &s->stream->further[number];
    size_t n = channel_write(rings, parts, count);
    if (n == CHANNEL_BROKEN)
        return lost(s, nonsense(s));
    return n > 0 || !session_open(s) ? n : sleep_beside(s, rings, FOR_ROOM, nap_ms);
}

bool stream_has_some(const session *s) {
    const channel *rings = rings_of(s);
    return rings != NULL && channel_readable(rings);
}

/* ---- waiting --------------------------------------------------------------------------------- */

short stream_wait(session *s, short events, int timeout_ms) {
    channel *rings = rings_of(s);
    short now = rings != NULL ? sleep_on_rings(s, rings, events, NULL, timeout_ms) : 0;
    return now != 0 || rings_of(s) != NULL ? now : look(s, events, timeout_ms);
}

short stream_wait_beside(const session *line, short events, bool both, int timeout_ms,
                         short *first) {
    struct pollfd sockets[2] = {{.fd = line->carrier.fd, .events = events},
                                {.fd = line->of->carrier.fd, .events = POLLIN | POLLRDHUP}};
    errno = 0;
    int ready = poll(sockets, both ? 2 : 1, timeout_ms);
    *first = ready > 0 && both ? sockets[1].revents : 0;
    return ready > 0 ? sockets[0].revents : 0;
}

void stream_wait_for_ends(session *const *all, bool *ended, int count, int timeout_ms) {
    struct pollfd sockets[RING_LIMIT];
    for (int i = 0; i < count; i++)
        sockets[i] = (struct pollfd){.fd = all[i]->carrier.fd, .events = POLLRDHUP};
    int ready = poll(sockets, (nfds_t)count, timeout_ms);
    for (int i = 0; i < count; i++)
        ended[i] = ready > 0 && sockets[i].revents != 0;
}

bool stream_prepare_bell(session *s) {
    struct stream *own = s->stream;
    if (own->bell.fd < 0)
        own->bell = (doorbell){.kind = &event_doorbell,
                               .word = &own->rung,
                               .fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
                               .beside = s->carrier.fd};
    return own->bell.fd >= 0;
}

void stream_ring_bell(session *s) {
    atomic_store(&s->stream->rung, 1);
    channel *rings = rings_of(s);
    if (rings != NULL)
        channel_rouse(rings);
    else
        doorbell_ring(&s->stream->bell);
}

void stream_watch(session *s) {
    channel *rings = rings_of(s);
    if (rings != NULL)
        sleep_on_rings(s, rings, POLLIN, &s->stream->rung, -1);
    else
        doorbell_sleep(&s->stream->bell, 0, -1);
    atomic_store(&s->stream->rung, 0);
}
