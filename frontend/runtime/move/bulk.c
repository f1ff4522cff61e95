/* SPDX-License-Identifier: Apache-2.0
 *
 * Bulk data: large copies over connections of their own, where the backend takes more than one of a session and memory is not shared.
 * A copy is one call on the session's first connection; its bytes are cut into pieces that travel over whichever of the
 * others is free. One copy at a time goes that way, others as they always do: who waits for a stream must not hold up whom it
 * waits for. PROTOCOL.md, "Bulk data".
 */
#include "move/move.h"
#include "base/idle.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    USUAL = 4,              /* connections, where processors are to spare */
    MOST = 8,
    PIECE = OB_CHUNK,
    SCRATCH = 64 << 10,
    SILENT_ROUNDS = 3,
};

typedef struct piece {
    uint64_t transfer;
    uint64_t offset;
    uint32_t bytes;
    uint32_t zero;
} piece;

_Static_assert(sizeof(piece) == 24, "the header of a piece has no padding");

/* The latest transfer. */
typedef struct transfer {
    uint64_t number;
    bool up;
    uint8_t *memory;        /* the program's */
    uint64_t bytes;
    uint64_t begun;         /* going up: the bytes that a sender has taken on */
    uint64_t come;          /* going down */
    int busy;               /* threads that are at the memory */
    bool over;              /* nobody begins another piece of it */
} transfer;

/* One more connection of the session; its two threads know it by this. */
typedef struct connection {
    session *session;
    int fd;                     /* -1 until it is there */
} connection;

struct bulk {
    pthread_mutex_t one;        /* held by whose transfer it is, from begin to end */
    bool tried;
    int connections;
    int cancellation;           /* of that thread */

    pthread_mutex_t lock;
    pthread_cond_t wanted;      /* a sender has something to do */
    pthread_cond_t moved;
    transfer now;
    connection all[MOST];
};

bool bulk_make(session *s) {
    struct bulk *own = s->bulk = session_part(sizeof *own);
    if (own == NULL)
        return false;
    pthread_mutex_init(&own->one, NULL);
    pthread_mutex_init(&own->lock, NULL);
    pthread_cond_init(&own->wanted, NULL);
    pthread_cond_init(&own->moved, NULL);
    for (int i = 0; i < MOST; i++)
        own->all[i] = (connection){s, -1};
    return true;
}

/* ---- the threads of a connection ---------------------------------------------------------------------------------- */

/* Under lock: until it is connected. -1 after a loss. */
static int await_socket(const connection *mine) {
    session *s = mine->session;
    struct bulk *own = s->bulk;
    while (mine->fd < 0 && session_open(s))
        pthread_cond_wait(&own->wanted, &own->lock);
    return session_open(s) ? mine->fd : -1;
}

static int my_socket(const connection *mine) {
    struct bulk *own = mine->session->bulk;
    pthread_mutex_lock(&own->lock);
    int fd = await_socket(mine);
    pthread_mutex_unlock(&own->lock);
    return fd;
}

static void leave_memory(struct bulk *own, uint64_t come) {
    pthread_mutex_lock(&own->lock);
    own->now.busy--;
    own->now.come += come;
    pthread_cond_signal(&own->moved);
    pthread_mutex_unlock(&own->lock);
}

/* Waits for a piece to send; false after a loss. */
static bool next_piece(session *s, piece *p, uint8_t **from) {
    struct bulk *own = s->bulk;
    pthread_mutex_lock(&own->lock);
    while (session_open(s) && (!own->now.up || own->now.over || own->now.begun == own->now.bytes))
        pthread_cond_wait(&own->wanted, &own->lock);
    bool open = session_open(s);
    if (open) {
        uint64_t left = own->now.bytes - own->now.begun;
        *p = (piece){.transfer = own->now.number, .offset = own->now.begun, .bytes = left < PIECE ? (uint32_t)left : PIECE};
        *from = own->now.memory + own->now.begun;
        own->now.begun += p->bytes;
        own->now.busy++;
    }
    pthread_mutex_unlock(&own->lock);
    return open;
}

static bool send_whole(int fd, const piece *p, uint8_t *from) {
    struct iovec parts[2] = {{(void *)p, sizeof *p}, {from, p->bytes}}, *left = parts;
    for (int count = 2; count > 0;) {
        struct msghdr message = {.msg_iov = left, .msg_iovlen = (size_t)count};
        ssize_t n = sendmsg(fd, &message, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            count = parts_drop(&left, count, (size_t)n);
    }
    return true;
}

static void *sender(void *mine) {
    session *s = ((connection *)mine)->session;
    piece p;
    uint8_t *from;
    int fd = my_socket(mine);
    while (fd >= 0 && next_piece(s, &p, &from)) {
        bool sent = send_whole(fd, &p, from);
        leave_memory(s->bulk, 0);
        if (!sent)
            session_lost(s, "a connection for bulk data broke");
    }
    return NULL;
}

/* False at the end of the connection. */
static bool receive_whole(int fd, uint8_t *to, size_t bytes) {
    while (bytes > 0) {
        ssize_t n = recv(fd, to, bytes, 0);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        to += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Where a piece belongs, NULL where it comes too late; false if it breaks the rules. */
static bool place(struct bulk *own, const piece *p, uint8_t **to) {
    *to = NULL;
    pthread_mutex_lock(&own->lock);
    bool current = p->transfer == own->now.number && !own->now.over;
    bool fits = p->bytes > 0 && p->bytes <= PIECE && p->transfer <= own->now.number &&
                (!current || (!own->now.up && p->offset <= own->now.bytes && p->bytes <= own->now.bytes - p->offset));
    if (fits && current) {
        *to = own->now.memory + p->offset;
        own->now.busy++;
    }
    pthread_mutex_unlock(&own->lock);
    return fits;
}

static bool discard(int fd, uint32_t bytes) {
    uint8_t scratch[SCRATCH];
    bool whole = true;
    for (uint32_t left = bytes, chunk; left > 0 && whole; left -= chunk) {
        chunk = left < SCRATCH ? left : SCRATCH;
        whole = receive_whole(fd, scratch, chunk);
    }
    return whole;
}

static const char *receive_piece(struct bulk *own, int fd) {
    static const char broken[] = "a connection for bulk data broke";
    piece p;
    uint8_t *to;
    if (!receive_whole(fd, (uint8_t *)&p, sizeof p))
        return broken;
    if (!place(own, &p, &to))
        return "it broke the rules of bulk data";
    bool whole = to != NULL ? receive_whole(fd, to, p.bytes) : discard(fd, p.bytes);
    if (to != NULL)
        leave_memory(own, whole ? p.bytes : 0);
    return whole ? NULL : broken;
}

static void *receiver(void *mine) {
    session *s = ((connection *)mine)->session;
    const char *why = NULL;
    int fd = my_socket(mine);
    while (fd >= 0 && why == NULL)
        why = receive_piece(s->bulk, fd);
    if (why != NULL)
        session_lost(s, why);
    return NULL;
}

/* ---- the connections ---------------------------------------------------------------------------------------------- */

static int join(session *s) {
    char why[256];
    endpoint to = s->backend;
    int fd = connect_to(&to, why, sizeof why);
    if (fd >= 0 && !greet_again(s, &to, fd, why, sizeof why)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Threads first: a connection that is there is served. One that cannot be had is done without. */
static bool add_connection(connection *mine) {
    session *s = mine->session;
    struct bulk *own = s->bulk;
    bool served = ob_start_thread(NULL, sender, mine) && ob_start_thread(NULL, receiver, mine);
    int fd = served ? join(s) : -1;
    if (fd < 0)
        return false;
    pthread_mutex_lock(&own->lock);
    mine->fd = fd;
    bool open = session_open(s);
    pthread_cond_broadcast(&own->wanted);
    pthread_mutex_unlock(&own->lock);
    if (!open)
        bulk_shutdown(s);
    return open;
}

static int wanted_connections(void) {
    const char *set = getenv("OUTBOARD_BULK");
    long number = set != NULL ? strtol(set, NULL, 10) : processors_to_spare() ? USUAL : 0;
    return number < 0 ? 0 : number > MOST ? MOST : (int)number;
}

static void connect_all(struct bulk *own) {
    for (int most = wanted_connections(); own->connections < most && add_connection(&own->all[own->connections]);)
        own->connections++;
}

/* ---- transfers ---------------------------------------------------------------------------------------------------- */

uint64_t ob_bulk_begin(bool up, void *memory, uint64_t bytes) {
    session *s = session_here();
    struct bulk *own = s->bulk;
    if (!s->joinable || s->shared || !session_open(s) || pthread_mutex_trylock(&own->one) != 0)
        return 0;
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    if (!own->tried)
        connect_all(own);
    own->tried = true;
    if (own->connections == 0) {
        pthread_mutex_unlock(&own->one);
        pthread_setcancelstate(before, NULL);
        return 0;
    }
    own->cancellation = before;
    thread *t = thread_of(s);
    if (t != NULL)
        *(up ? &t->beside_up : &t->beside_down) = bytes;
    pthread_mutex_lock(&own->lock);
    uint64_t number = own->now.number + 1;
    own->now = (transfer){.number = number, .up = up, .memory = memory, .bytes = bytes};
    if (up)
        pthread_cond_broadcast(&own->wanted);
    pthread_mutex_unlock(&own->lock);
    return number;
}

/* Under lock. */
static bool is_done(const session *s) {
    const struct bulk *own = s->bulk;
    bool whole = own->now.over || !session_open(s) || (own->now.up ? own->now.begun : own->now.come) >= own->now.bytes;
    return whole && own->now.busy == 0;
}

/* Under lock: waits for a round, or until a thread has left the memory. Who sets the clock cuts one round short. */
static bool wait_round(struct bulk *own) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    int64_t ns = until.tv_nsec + stream_round_ms % 1000 * (int64_t)1000000;
    until.tv_sec += stream_round_ms / 1000 + ns / 1000000000;
    until.tv_nsec = ns % 1000000000;
    return pthread_cond_timedwait(&own->moved, &own->lock, &until) == 0;
}

/* Under lock. The call has been answered, so what still comes or goes is under way. */
static void settle(session *s) {
    struct bulk *own = s->bulk;
    for (int silent = 0; !is_done(s);) {
        silent = wait_round(own) ? 0 : silent + 1;
        if (silent == SILENT_ROUNDS && s->distant) {
            pthread_mutex_unlock(&own->lock);
            session_lost(s, "it is silent");
            pthread_mutex_lock(&own->lock);
        }
    }
}

bool ob_bulk_end(bool succeeded) {
    session *s = session_here();
    struct bulk *own = s->bulk;
    pthread_mutex_lock(&own->lock);
    own->now.over = own->now.over || !succeeded;
    settle(s);
    own->now.over = true;
    pthread_mutex_unlock(&own->lock);
    int before = own->cancellation;
    pthread_mutex_unlock(&own->one);
    pthread_setcancelstate(before, NULL);
    return session_open(s);
}

bool ob_bulk(bool up, void *memory, uint64_t bytes, const ob_bulk_calls *calls, void *with, int32_t *result) {
    uint64_t number = bytes >= OB_BULK_LEAST && memory != NULL ? ob_bulk_begin(up, memory, bytes) : 0;
    if (number == 0)
        return false;
    *result = calls->move(with, number);
    if (*result != 0)
        calls->drop(with, number);
    if (!ob_bulk_end(*result == 0))
        *result = calls->library->unavailable;
    return true;
}

/* ---- the end ------------------------------------------------------------------------------------------------------ */

void bulk_shutdown(session *s) {
    struct bulk *own = s->bulk;
    pthread_mutex_lock(&own->lock);
    for (int i = 0; i < MOST; i++)
        if (own->all[i].fd >= 0)
            shutdown(own->all[i].fd, SHUT_RDWR);
    pthread_cond_broadcast(&own->wanted);
    pthread_cond_signal(&own->moved);
    pthread_mutex_unlock(&own->lock);
}

void bulk_forget(const session *s) {
    for (int i = 0; i < MOST; i++)
        if (s->bulk->all[i].fd >= 0)
            close(s->bulk->all[i].fd);
}
