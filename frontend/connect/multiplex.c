/* SPDX-License-Identifier: Apache-2.0
 *
 * One thread: nothing in it waits but poll(2), and what cannot be passed on is not read.
 */
#include "multiplex.h"

#include "channel.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHANNELS = 512 };
enum { LISTENER, WATCH, PORT, OTHERS };

typedef struct multiplexer {
    port *at;
    const place *from;
    bool of_all;
    epoch epoch;
    channel channels[CHANNELS];
    int count;              /* the first ones of them are open */
    int first;              /* whose turn it is */
    uint32_t last;          /* channel that the other side has been told of */
    struct pollfd events[CHANNELS + OTHERS];
} multiplexer;

/* ---- channels -------------------------------------------------------------------------------- */

static void forget(multiplexer *m, int which) {
    channel_close(&m->channels[which]);
    m->channels[which] = m->channels[--m->count];
}

/* Those that the other side knew of; programs that came meanwhile stay. */
static void forget_epoch(multiplexer *m) {
    for (int i = m->count - 1; i >= 0; i--)
        if (m->channels[i].id != 0)
            forget(m, i);
    m->last = 0;
}

static channel *find(multiplexer *m, uint32_t id) {
    for (int i = 0; i < m->count; i++)
        if (m->channels[i].id == id)
            return &m->channels[i];
    return NULL;
}

static void admit(multiplexer *m) {
    int fd = place_accept(m->from, m->of_all);
    if (fd < 0)
        return;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    channel_begin(&m->channels[m->count++], fd);
}

/* ---- the port -------------------------------------------------------------------------------- */

/* A frame of a channel that has ended here meanwhile means nothing. */
static bool take(multiplexer *m, const port_frame *f) {
    channel *c = f->channel != 0 && f->channel <= m->last ? find(m, f->channel) : NULL;
    if (c == NULL)
        return f->channel != 0 && f->channel <= m->last && f->kind != FRAME_OPEN;
    return channel_take(c, f);
}

static void take_all(multiplexer *m) {
    port_frame f;
    enum epoch_taken taken;
    while ((taken = epoch_take(&m->epoch, &f)) != EPOCH_NOTHING) {
        bool over = taken == EPOCH_OVER;
        if (!over && !take(m, &f)) {
            epoch_break(&m->epoch);
            over = true;
        }
        if (over)
            forget_epoch(m);
    }
}

static void read_port(multiplexer *m) {
    size_t room;
    uint8_t *to = epoch_reads(&m->epoch, &room);
    m->epoch.in.end += port_read(m->at, to, room);
    take_all(m);
}

static void write_port(multiplexer *m) {
    port_bytes *out = &m->epoch.out;
    size_t n;
    while (m->at->there &&
           (n = port_write(m->at, out->bytes + out->begin, out->end - out->begin)) > 0)
        out->begin += n;
    port_close_up(out);
}

/* Bytes that were read of a port which has gone are dropped. */
static void look_for_port(multiplexer *m) {
    if (m->at->there || !port_came(m->at))
        return;
    m->epoch.in.begin = m->epoch.in.end = 0;
    epoch_break(&m->epoch);
}

static void lose_port(multiplexer *m) {
    forget_epoch(m);
    m->epoch.other = 0;
}

/* ---- a round --------------------------------------------------------------------------------- */

static void put_all(multiplexer *m) {
    if (!epoch_stands(&m->epoch))
        return;
    for (int i = 0; i < m->count && epoch_has_room(&m->epoch); i++)
        channel_put(&m->channels[(m->first + i) % m->count], &m->epoch, &m->last);
    m->first = m->count > 0 ? (m->first + 1) % m->count : 0;
}

static void bury(multiplexer *m) {
    for (int i = m->count - 1; i >= 0; i--)
        if (channel_done(&m->channels[i]))
            forget(m, i);
}

static int await(multiplexer *m, bool wanted) {
    bool moves = epoch_stands(&m->epoch) && epoch_has_room(&m->epoch);
    bool writes = m->epoch.out.end > m->epoch.out.begin;
    struct pollfd *events = m->events, *channels = events + OTHERS;
    int longest = port_wait_ms(m->at);
    events[LISTENER] =
        (struct pollfd){.fd = m->count < CHANNELS ? m->from->listener : -1, .events = POLLIN};
    events[WATCH] = (struct pollfd){.fd = wanted ? m->from->watch : -1, .events = POLLIN};
    events[PORT] = (struct pollfd){.fd = m->at->there ? m->at->fd : -1,
                                   .events = (short)(POLLIN | (writes ? POLLOUT : 0))};
    for (int i = 0; i < m->count; i++)
        channel_interests(&m->channels[i], moves, &channels[i]);
    if (wanted && m->from->program != 0 && m->from->watch < 0 && (longest < 0 || longest > LOOK_MS))
        longest = LOOK_MS;
    return poll(events, (nfds_t)(OTHERS + m->count), longest);
}

static void move(multiplexer *m) {
    int count = m->count;
    for (int i = 0; i < count; i++)
        channel_ready(&m->channels[i], m->events[OTHERS + i].revents);
    if (m->events[LISTENER].revents != 0)
        admit(m);
    bool was_there = m->at->there;
    if (m->events[PORT].revents != 0)
        read_port(m);
    put_all(m);
    write_port(m);
    if (was_there && !m->at->there)
        lose_port(m);
    bury(m);
}

void multiplex(port *at, const place *from, bool of_all) {
    multiplexer *m = calloc(1, sizeof *m);
    bool wanted = true;
    if (m == NULL) {
        warn("out of memory");
        return;
    }
    *m = (multiplexer){.at = at, .from = from, .of_all = of_all};
    while (!told_to_end && (wanted || m->count > 0)) {
        look_for_port(m);
        write_port(m);
        if (await(m, wanted) >= 0)
            move(m);
        wanted = wanted && place_wanted(from);
    }
    while (m->count > 0)
        forget(m, 0);
    free(m);
}
