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

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER; /* held by whose transfer it is, from begin to end */
static bool tried;
static int connections;
static int cancellation;    /* of that thread */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;    /* a sender has something to do */
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static transfer now;
static int sockets[MOST] = {-1, -1, -1, -1, -1, -1, -1, -1};

/* ---- the threads of a connection ---------------------------------------------------------------------------------- */

/* Under lock: until it is connected. -1 after a loss. */
static int await_socket(const int *mine) {
    while (*mine < 0 && session_open())
        pthread_cond_wait(&wanted, &lock);
    return session_open() ? *mine : -1;
}

static int my_socket(const int *mine) {
    pthread_mutex_lock(&lock);
    int fd = await_socket(mine);
    pthread_mutex_unlock(&lock);
    return fd;
}

static void leave_memory(uint64_t come) {
    pthread_mutex_lock(&lock);
    now.busy--;
    now.come += come;
    pthread_cond_signal(&moved);
    pthread_mutex_unlock(&lock);
}

/* Waits for a piece to send; false after a loss. */
static bool next_piece(piece *p, uint8_t **from) {
    pthread_mutex_lock(&lock);
    while (session_open() && (!now.up || now.over || now.begun == now.bytes))
        pthread_cond_wait(&wanted, &lock);
    bool open = session_open();
    if (open) {
        uint64_t left = now.bytes - now.begun;
        *p = (piece){.transfer = now.number, .offset = now.begun, .bytes = left < PIECE ? (uint32_t)left : PIECE};
        *from = now.memory + now.begun;
        now.begun += p->bytes;
        now.busy++;
    }
    pthread_mutex_unlock(&lock);
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
    piece p;
    uint8_t *from;
    int fd = my_socket(mine);
    while (fd >= 0 && next_piece(&p, &from)) {
        bool sent = send_whole(fd, &p, from);
        leave_memory(0);
        if (!sent)
            session_lost("a connection for bulk data broke");
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
static bool place(const piece *p, uint8_t **to) {
    *to = NULL;
    pthread_mutex_lock(&lock);
    bool current = p->transfer == now.number && !now.over;
    bool fits = p->bytes > 0 && p->bytes <= PIECE && p->transfer <= now.number &&
                (!current || (!now.up && p->offset <= now.bytes && p->bytes <= now.bytes - p->offset));
    if (fits && current) {
        *to = now.memory + p->offset;
        now.busy++;
    }
    pthread_mutex_unlock(&lock);
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

static const char *receive_piece(int fd) {
    static const char broken[] = "a connection for bulk data broke";
    piece p;
    uint8_t *to;
    if (!receive_whole(fd, (uint8_t *)&p, sizeof p))
        return broken;
    if (!place(&p, &to))
        return "it broke the rules of bulk data";
    bool whole = to != NULL ? receive_whole(fd, to, p.bytes) : discard(fd, p.bytes);
    if (to != NULL)
        leave_memory(whole ? p.bytes : 0);
    return whole ? NULL : broken;
}

static void *receiver(void *mine) {
    const char *why = NULL;
    int fd = my_socket(mine);
    while (fd >= 0 && why == NULL)
        why = receive_piece(fd);
    if (why != NULL)
        session_lost(why);
    return NULL;
}

/* ---- the connections ---------------------------------------------------------------------------------------------- */

static int join(void) {
    char why[256];
    endpoint to = the_session.backend;
    int fd = connect_to(&to, why, sizeof why);
    if (fd >= 0 && !greet_again(&to, fd, why, sizeof why)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Threads first: a connection that is there is served. One that cannot be had is done without. */
static bool add_connection(int *mine) {
    bool served = ob_start_thread(NULL, sender, mine) && ob_start_thread(NULL, receiver, mine);
    int fd = served ? join() : -1;
    if (fd < 0)
        return false;
    pthread_mutex_lock(&lock);
    *mine = fd;
    bool open = session_open();
    pthread_cond_broadcast(&wanted);
    pthread_mutex_unlock(&lock);
    if (!open)
        bulk_shutdown();
    return open;
}

static int wanted_connections(void) {
    const char *set = getenv("OUTBOARD_BULK");
    long number = set != NULL ? strtol(set, NULL, 10) : processors_to_spare() ? USUAL : 0;
    return number < 0 ? 0 : number > MOST ? MOST : (int)number;
}

static void connect_all(void) {
    for (int most = wanted_connections(); connections < most && add_connection(&sockets[connections]);)
        connections++;
}

/* ---- transfers ---------------------------------------------------------------------------------------------------- */

uint64_t ob_bulk_begin(bool up, void *memory, uint64_t bytes) {
    if (!the_session.joinable || stream_shared() || !session_open() || pthread_mutex_trylock(&one) != 0)
        return 0;
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    if (!tried)
        connect_all();
    tried = true;
    if (connections == 0) {
        pthread_mutex_unlock(&one);
        pthread_setcancelstate(before, NULL);
        return 0;
    }
    cancellation = before;
    thread *t = thread_self();
    if (t != NULL)
        *(up ? &t->beside_up : &t->beside_down) = bytes;
    pthread_mutex_lock(&lock);
    uint64_t number = now.number + 1;
    now = (transfer){.number = number, .up = up, .memory = memory, .bytes = bytes};
    if (up)
        pthread_cond_broadcast(&wanted);
    pthread_mutex_unlock(&lock);
    return number;
}

/* Under lock. */
static bool is_done(void) {
    bool whole = now.over || !session_open() || (now.up ? now.begun : now.come) >= now.bytes;
    return whole && now.busy == 0;
}

/* Under lock: waits for a round, or until a thread has left the memory. Who sets the clock cuts one round short. */
static bool wait_round(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    int64_t ns = until.tv_nsec + stream_round_ms % 1000 * (int64_t)1000000;
    until.tv_sec += stream_round_ms / 1000 + ns / 1000000000;
    until.tv_nsec = ns % 1000000000;
    return pthread_cond_timedwait(&moved, &lock, &until) == 0;
}

/* Under lock. The call has been answered, so what still comes or goes is under way. */
static void settle(void) {
    for (int silent = 0; !is_done();) {
        silent = wait_round() ? 0 : silent + 1;
        if (silent == SILENT_ROUNDS && the_session.distant) {
            pthread_mutex_unlock(&lock);
            session_lost("it is silent");
            pthread_mutex_lock(&lock);
        }
    }
}

bool ob_bulk_end(bool succeeded) {
    pthread_mutex_lock(&lock);
    now.over = now.over || !succeeded;
    settle();
    now.over = true;
    pthread_mutex_unlock(&lock);
    int before = cancellation;
    pthread_mutex_unlock(&one);
    pthread_setcancelstate(before, NULL);
    return session_open();
}

/* ---- the end ------------------------------------------------------------------------------------------------------ */

void bulk_shutdown(void) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST; i++)
        if (sockets[i] >= 0)
            shutdown(sockets[i], SHUT_RDWR);
    pthread_cond_broadcast(&wanted);
    pthread_cond_signal(&moved);
    pthread_mutex_unlock(&lock);
}

void bulk_forget(void) {
    one = lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    wanted = moved = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    for (int i = 0; i < MOST; i++) {
        if (sockets[i] >= 0)
            close(sockets[i]);
        sockets[i] = -1;
    }
    tried = false;
    connections = 0;
    now = (transfer){0};
}
