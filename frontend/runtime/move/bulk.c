/* SPDX-License-Identifier: Apache-2.0
 *
 * Bulk data: large copies over connections of their own, where the backend takes more than one of a
 * session and memory is not shared. A copy is one call on the session's first connection; its bytes
 * are cut into pieces that travel over whichever of the others is free. One copy at a time goes
 * that way, others as they always do: a thread that waits for a stream must not hold up the one
 * that it waits for. Where the session outlives its connections, the loss of one of these ends all
 * of them, and so does a return of the session, whose network was away from all. The backend is
 * told, as it may see nothing of it. A transfer that is cut begins again, over others. PROTOCOL.md,
 * "Bulk data".
 */
#include "move/move.h"
#include "base/clock.h"
#include "base/idle.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum {
    USUAL = 4,              /* connections, where processors are to spare */
    MOST = 8,
    PIECE = OB_CHUNK,
    SCRATCH = 64 << 10,
    LISTENS = 50,             /* to the session's first connection, in a round */
    SILENT_LISTENS = 3 * LISTENS,
    TRIES = 4,              /* of a transfer that is cut; then its bytes travel with calls */
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
    bool cut;               /* a connection was lost meanwhile */
} transfer;

/* One more connection of the session; its two threads know it by this. */
typedef struct connection {
    session *session;
    carrier carrier;            /* none until it is there */
    bool broken;                /* who leaves it last closes it */
    int users;
    bool served;                /* by its threads, which stay */
} connection;

struct bulk {
    pthread_mutex_t one;        /* held by whose transfer it is, from begin to end */
    bool tried;
    int connections;
    int cancellation;           /* of that thread */

    pthread_mutex_t lock;
    pthread_cond_t wanted;      /* a sender has something to do */
    pthread_cond_t moved;
    uint32_t losses;
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
        own->all[i] = (connection){.session = s, .carrier = NO_CARRIER};
    return true;
}

/* ---- the threads of a connection ------------------------------------------------------------- */

/* Waits until it is connected; none once the session is lost. */
static carrier enter(connection *mine) {
    session *s = mine->session;
    struct bulk *own = s->bulk;
    pthread_mutex_lock(&own->lock);
    while ((!carrier_is_there(mine->carrier) || mine->broken) && session_open(s))
        pthread_cond_wait(&own->wanted, &own->lock);
    carrier over = session_open(s) ? mine->carrier : NO_CARRIER;
    mine->users += carrier_is_there(over);
    pthread_mutex_unlock(&own->lock);
    return over;
}

/* Under lock. */
static void close_unused(connection *mine) {
    if (!mine->broken || mine->users > 0)
        return;
    carrier_close(&mine->carrier);
    mine->broken = false;
}

static void leave(connection *mine) {
    struct bulk *own = mine->session->bulk;
    pthread_mutex_lock(&own->lock);
    mine->users--;
    close_unused(mine);
    pthread_cond_broadcast(&own->wanted);
    pthread_mutex_unlock(&own->lock);
}

/* Under lock. */
static void break_all(struct bulk *own) {
    own->now.cut = own->now.over = true;
    own->losses++;
    own->connections = 0;
    own->tried = false;
    for (int i = 0; i < MOST; i++)
        if (carrier_is_there(own->all[i].carrier)) {
            own->all[i].broken = true;
            carrier_shutdown(own->all[i].carrier);
            close_unused(&own->all[i]);
        }
    pthread_cond_broadcast(&own->wanted);
    pthread_cond_signal(&own->moved);
}

/* One of them is lost, if it was not given up before. */
static void broken(session *s, const connection *mine, const char *why) {
    struct bulk *own = s->bulk;
    if (s->lasting == NULL) {
        stream_broken(s, stream_generation(s), why);
        return;
    }
    pthread_mutex_lock(&own->lock);
    bool first = mine == NULL || !mine->broken;
    uint64_t latest = own->now.number;
    if (first)
        break_all(own);
    pthread_mutex_unlock(&own->lock);
    if (first)
        send_bulk_lost(s, latest);
}

static void leave_memory(struct bulk *own, uint64_t come) {
    pthread_mutex_lock(&own->lock);
    own->now.busy--;
    own->now.come += come;
    pthread_cond_signal(&own->moved);
    pthread_mutex_unlock(&own->lock);
}

/* Waits for a piece to send; false after a loss. */
static bool next_piece(const connection *mine, piece *p, uint8_t **from) {
    session *s = mine->session;
    struct bulk *own = s->bulk;
    pthread_mutex_lock(&own->lock);
    while (session_open(s) && !mine->broken &&
           (!own->now.up || own->now.over || own->now.begun == own->now.bytes))
        pthread_cond_wait(&own->wanted, &own->lock);
    bool open = session_open(s) && !mine->broken;
    if (open) {
        uint64_t left = own->now.bytes - own->now.begun;
        *p = (piece){.transfer = own->now.number,
                     .offset = own->now.begun,
                     .bytes = left < PIECE ? (uint32_t)left : PIECE};
        *from = own->now.memory + own->now.begun;
        own->now.begun += p->bytes;
        own->now.busy++;
    }
    pthread_mutex_unlock(&own->lock);
    return open;
}

static bool send_whole(carrier over, const piece *p, uint8_t *from) {
    struct iovec parts[2] = {{(void *)p, sizeof *p}, {from, p->bytes}}, *left = parts;
    for (int count = 2; count > 0;) {
        ssize_t n = carrier_send(over, left, count);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            count = parts_drop(&left, count, (size_t)n);
    }
    return true;
}

static const char lost_one[] = "a connection for bulk data broke";

static void send_pieces(const connection *mine, carrier over) {
    session *s = mine->session;
    piece p;
    uint8_t *from;
    for (bool sent = true; sent && next_piece(mine, &p, &from);) {
        sent = send_whole(over, &p, from);
        if (!sent)
            broken(s, mine, lost_one);
        leave_memory(s->bulk, 0);
    }
}

static void *sender(void *of) {
    connection *mine = of;
    for (carrier over = enter(mine); carrier_is_there(over); over = enter(mine)) {
        send_pieces(mine, over);
        leave(mine);
    }
    return NULL;
}

/* False at the end of the connection. */
static bool receive_whole(carrier over, uint8_t *to, size_t bytes) {
    while (bytes > 0) {
        ssize_t n = carrier_receive(over, to, bytes);
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
                (!current || (!own->now.up && p->offset <= own->now.bytes &&
                              p->bytes <= own->now.bytes - p->offset));
    if (fits && current) {
        *to = own->now.memory + p->offset;
        own->now.busy++;
    }
    pthread_mutex_unlock(&own->lock);
    return fits;
}

static bool discard(carrier over, uint32_t bytes) {
    uint8_t scratch[SCRATCH];
    bool whole = true;
    for (uint32_t left = bytes, chunk; left > 0 && whole; left -= chunk) {
        chunk = left < SCRATCH ? left : SCRATCH;
        whole = receive_whole(over, scratch, chunk);
    }
    return whole;
}

/* False where the connection is of no more use. */
static bool receive_piece(const connection *mine, carrier over) {
    session *s = mine->session;
    struct bulk *own = s->bulk;
    piece p;
    uint8_t *to;
    if (!receive_whole(over, (uint8_t *)&p, sizeof p)) {
        broken(s, mine, lost_one);
        return false;
    }
    if (!place(own, &p, &to)) {
        session_lost(s, "it broke the rules of bulk data");
        return false;
    }
    bool whole = to != NULL ? receive_whole(over, to, p.bytes) : discard(over, p.bytes);
    if (!whole)
        broken(s, mine, lost_one);
    if (to != NULL)
        leave_memory(own, whole ? p.bytes : 0);
    return whole;
}

static void *receiver(void *of) {
    connection *mine = of;
    for (carrier over = enter(mine); carrier_is_there(over); over = enter(mine)) {
        while (receive_piece(mine, over))
            continue;
        leave(mine);
    }
    return NULL;
}

/* ---- the connections ------------------------------------------------------------------------- */

static carrier join(session *s) {
    char why[256];
    endpoint to = s->backend;
    carrier over = connect_to(&to, why, sizeof why);
    if (carrier_is_there(over) && !greet_again(s, &to, over, why, sizeof why))
        carrier_close(&over);
    return over;
}

/* Threads first: a connection that is there is served. One that cannot be had is done without. */
static bool add_connection(connection *mine) {
    session *s = mine->session;
    struct bulk *own = s->bulk;
    mine->served = mine->served ||
                   (ob_start_thread(NULL, sender, mine) && ob_start_thread(NULL, receiver, mine));
    carrier over = mine->served ? join(s) : NO_CARRIER;
    if (!carrier_is_there(over))
        return false;
    pthread_mutex_lock(&own->lock);
    while (carrier_is_there(mine->carrier) && session_open(s))
        pthread_cond_wait(&own->wanted, &own->lock);
    mine->carrier = over;
    bool open = session_open(s);
    pthread_cond_broadcast(&own->wanted);
    pthread_mutex_unlock(&own->lock);
    if (!open)
        bulk_shutdown(s);
    return open;
}

static int wanted_connections(void) {
    const char *set = secure_getenv("OUTBOARD_BULK");
    long number = set != NULL ? strtol(set, NULL, 10) : processors_to_spare() ? USUAL : 0;
    return number < 0 ? 0 : number > MOST ? MOST : (int)number;
}

/* Under lock. Those that were made after a loss go too, so that all come together the next time. A
 * session that came back meanwhile counted none of them, and asked for others: where there are any,
 * they do. */
static void settle_connections(struct bulk *own, int made, uint32_t losses_before) {
    if (losses_before != own->losses)
        break_all(own);
    else
        own->connections = made;
    own->tried = own->tried || own->connections > 0;
}

static void connect_all(struct bulk *own) {
    int made = 0;
    pthread_mutex_lock(&own->lock);
    uint32_t losses = own->losses;
    pthread_mutex_unlock(&own->lock);
    for (int most = wanted_connections(); made < most && add_connection(&own->all[made]);)
        made++;
    pthread_mutex_lock(&own->lock);
    settle_connections(own, made, losses);
    pthread_mutex_unlock(&own->lock);
}

/* ---- transfers ------------------------------------------------------------------------------- */

/* Makes the connections, once, and again after a loss. */
static void prepare(struct bulk *own) {
    pthread_mutex_lock(&own->lock);
    bool before = own->tried;
    own->tried = true;
    pthread_mutex_unlock(&own->lock);
    if (!before)
        connect_all(own);
}

/* Returns the transfer's number; 0 where there is no connection. */
static uint64_t announce(struct bulk *own, bool up, void *memory, uint64_t bytes) {
    uint64_t number = 0;
    pthread_mutex_lock(&own->lock);
    if (own->connections > 0) {
        number = own->now.number + 1;
        own->now = (transfer){.number = number, .up = up, .memory = memory, .bytes = bytes};
    }
    if (up)
        pthread_cond_broadcast(&own->wanted);
    pthread_mutex_unlock(&own->lock);
    return number;
}

uint64_t ob_bulk_begin(bool up, void *memory, uint64_t bytes) {
    session *s = session_here();
    struct bulk *own = s->bulk;
    if (!s->joinable || stream_in_memory(s) || is_to_be_copied(memory, bytes) || !session_open(s) ||
        pthread_mutex_trylock(&own->one) != 0)
        return 0;
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    prepare(own);
    uint64_t number = announce(own, up, memory, bytes);
    if (number == 0) {
        pthread_mutex_unlock(&own->one);
        pthread_setcancelstate(before, NULL);
        return 0;
    }
    own->cancellation = before;
    thread *t = thread_of(s);
    if (t != NULL)
        *(up ? &t->beside_up : &t->beside_down) = bytes;
    return number;
}

/* Under lock. */
static bool is_done(const session *s) {
    const struct bulk *own = s->bulk;
    bool whole = own->now.over || !session_open(s) ||
                 (own->now.up ? own->now.begun : own->now.come) >= own->now.bytes;
    return whole && own->now.busy == 0;
}

/* Under lock: waits for a while, or until a thread has left the memory. A change of the clock cuts
 * one wait short. */
static bool wait_a_little(struct bulk *own) {
    struct timespec until = wall_time_in(stream_round_ms / LISTENS);
    return pthread_cond_timedwait(&own->moved, &own->lock, &until) == 0;
}

/* Under lock. The call has been answered, so what still comes or goes is under way. The backend
 * alone may see that it is lost, and says so over a connection that nobody else need read. */
static void settle(session *s) {
    struct bulk *own = s->bulk;
    for (int silent = 0; !is_done(s);) {
        silent = wait_a_little(own) ? 0 : silent + 1;
        if (silent == 0)
            continue;
        pthread_mutex_unlock(&own->lock);
        receive_what_came(s);
        if (silent == SILENT_LISTENS && s->distant) {
            if (is_verbose())
                ob_warn("a transfer begins again: its connections were silent");
            broken(s, NULL, "it is silent");
        }
        pthread_mutex_lock(&own->lock);
    }
}

/* Under lock. The backend has all bytes of what went up once it has said so. */
static bool begins_again(const transfer *t, bool succeeded) {
    return t->cut && (!succeeded || (!t->up && t->come < t->bytes));
}

/* Returns whether the transfer was cut, so that it begins again. */
static bool finish(session *s, bool succeeded) {
    struct bulk *own = s->bulk;
    pthread_mutex_lock(&own->lock);
    own->now.over = own->now.over || !succeeded;
    settle(s);
    own->now.over = true;
    bool again = begins_again(&own->now, succeeded);
    pthread_mutex_unlock(&own->lock);
    int before = own->cancellation;
    pthread_mutex_unlock(&own->one);
    pthread_setcancelstate(before, NULL);
    return again;
}

bool ob_bulk_end(bool succeeded) {
    session *s = session_here();
    return !finish(s, succeeded) && session_open(s);
}

/* The backend may see a loss before this side does, or alone: its answer ends these connections. */
bool ob_bulk(bool up, void *memory, uint64_t bytes, const ob_bulk_calls *calls, void *with,
             int32_t *result) {
    session *s = session_here();
    for (int tries = 0; tries < TRIES && session_open(s); tries++) {
        uint64_t number =
            bytes >= OB_BULK_LEAST && memory != NULL ? ob_bulk_begin(up, memory, bytes) : 0;
        if (number == 0)
            return false;
        *result = calls->move(with, number);
        if (*result == calls->library->unavailable && s->lasting != NULL)
            broken(s, NULL, lost_one);
        if (*result != 0)
            calls->drop(with, number);
        if (!finish(s, *result == 0) && session_open(s))
            return true;
    }
    *result = calls->library->unavailable;
    return !session_open(s);
}

/* Where this side has seen it too, a later transfer goes over other connections. */
void bulk_lost(session *s, uint64_t last) {
    struct bulk *own = s->bulk;
    pthread_mutex_lock(&own->lock);
    bool news = own->connections > 0 && last >= own->now.number;
    pthread_mutex_unlock(&own->lock);
    if (news)
        broken(s, NULL, lost_one);
}

void bulk_restored(session *s) {
    struct bulk *own = s->bulk;
    pthread_mutex_lock(&own->lock);
    bool any = own->connections > 0;
    own->tried = own->tried && any;
    pthread_mutex_unlock(&own->lock);
    if (any)
        broken(s, NULL, lost_one);
}

/* ---- the end --------------------------------------------------------------------------------- */

void bulk_shutdown(session *s) {
    struct bulk *own = s->bulk;
    pthread_mutex_lock(&own->lock);
    for (int i = 0; i < MOST; i++)
        if (carrier_is_there(own->all[i].carrier))
            carrier_shutdown(own->all[i].carrier);
    pthread_cond_broadcast(&own->wanted);
    pthread_cond_signal(&own->moved);
    pthread_mutex_unlock(&own->lock);
}

void bulk_forget(const session *s) {
    for (int i = 0; i < MOST; i++)
        carrier_forget(&s->bulk->all[i].carrier);
}
