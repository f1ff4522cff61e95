/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames over a port, whose bytes may begin or be cut anywhere: docs/port.md. An epoch is a pair of
 * nonces, one of each side; frames are taken only in an epoch, and each ends with its taker's
 * nonce.
 */
#ifndef OUTBOARD_EPOCH_H
#define OUTBOARD_EPOCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAME_OPEN = 1, FRAME_DATA, FRAME_CREDIT, FRAME_END, FRAME_CLOSE };
enum {
    PIECE = 64 << 10,       /* most bytes of a frame's body */
    WINDOW = 256 << 10,     /* so many bytes of a channel may be on their way */
    HEADER = 16,
    SEAL = 8,
    FRAME_MOST = HEADER + PIECE + SEAL,
    PORT_ROOM = 4 * FRAME_MOST,
};

typedef struct port_bytes {
    uint8_t bytes[PORT_ROOM];
    size_t begin;
    size_t end;
} port_bytes;

typedef struct epoch {
    uint64_t own;
    uint64_t other;         /* 0: there is no epoch yet */
    port_bytes in;
    port_bytes out;
} epoch;

typedef struct port_frame {
    uint32_t kind;
    uint32_t channel;
    uint32_t bytes;         /* of the body, or of credit */
    const uint8_t *body;    /* until the next is taken */
} port_frame;

/* On a port that has just been opened, or whose other side broke the rules: nothing of before
 * counts. False without random numbers. */
bool epoch_begin(epoch *e);
bool epoch_stands(const epoch *e);

enum epoch_taken { EPOCH_NOTHING, EPOCH_FRAME, EPOCH_OVER };
/* The next frame, or that the epoch is over: all its channels are, and another one is on its way.
 */
enum epoch_taken epoch_take(epoch *e, port_frame *to);
/* The other side broke the rules in a frame. */
void epoch_break(epoch *e);

/* Moves bytes to where their room begins. */
void port_close_up(port_bytes *b);
/* Where reading puts bytes, and how many. */
uint8_t *epoch_reads(epoch *e, size_t *room);
/* Whether there is room for one more frame of any kind. */
bool epoch_has_room(const epoch *e);
/* Where the body of the next frame is to lie. */
uint8_t *epoch_body(epoch *e);
void epoch_put(epoch *e, uint32_t kind, uint32_t channel, uint32_t bytes);

#endif
