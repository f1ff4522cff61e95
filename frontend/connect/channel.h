/* SPDX-License-Identifier: Apache-2.0
 *
 * One connection of a program, as a channel of a port.
 */
#ifndef OUTBOARD_CHANNEL_H
#define OUTBOARD_CHANNEL_H

#include "epoch.h"

typedef struct channel {
    int fd;                 /* -1: there is none */
    uint32_t id;            /* 0: the other side does not know it yet */
    uint32_t credit;        /* so many bytes the other side takes yet */
    uint32_t theirs;        /* so many it may send yet */
    uint32_t owed;          /* bytes that have been delivered, for which it gets credit */
    /* a ring of WINDOW bytes that the program has not taken; NULL until it is needed */
    uint8_t *down;
    uint32_t down_begin;
    uint32_t down_bytes;
    bool readable;          /* the program may have written */
    bool up_over;           /* the program writes no more */
    bool told_up;           /* and the other side has been told */
    bool gone;              /* the program takes no more either */
    bool down_over;         /* the other side writes no more */
    bool told_down;         /* and the program has been told */
    bool forsaken;          /* the other side takes no more either */
} channel;

void channel_begin(channel *c, int fd);
void channel_close(channel *c);

/* The events to poll a program for, its end among them; the descriptor is -1 where it is not to be
 * polled. */
struct pollfd;
void channel_interests(const channel *c, bool moves, struct pollfd *to);
void channel_ready(channel *c, short events);

/* Frames of the other side; false if it broke the rules. */
bool channel_take(channel *c, const port_frame *f);
/* Sends what there is to be sent, as far as there is room. */
void channel_put(channel *c, epoch *e, uint32_t *last);
/* Whether both sides have nothing more to say, or the program has gone before the other side knew
 * it. */
bool channel_done(const channel *c);

#endif
