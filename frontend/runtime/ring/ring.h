/* SPDX-License-Identifier: Apache-2.0
 *
 * Two rings in shared memory, one byte stream each way: PROTOCOL.md, "Shared memory". Knows nothing
 * of sessions and frames. The other side may write anything to the region: its bytes are copied
 * once and checked in the copy.
 */
#ifndef OUTBOARD_RING_H
#define OUTBOARD_RING_H

#include "base/idle.h"
#include "base/wire.h"
#include "ring/doorbell.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* As the backend announces it. */
typedef struct region_layout {
    uint64_t bytes;         /* of the whole region */
    uint64_t ring_bytes;    /* of each ring */
    uint32_t slots;         /* further rings, a pair each … */
    uint32_t slot_bytes;    /* … of so many bytes, with their words */
    uint64_t offset;        /* in memory that both sides have already … */
    /* … where this number stands in the region; 0 of a region that is a file of its own */
    uint64_t mark;
} region_layout;

/* Before the first ring lie REGION_HEAD bytes, and REGION_PLACED more in memory that both sides
 * have already: a page that the backend alone writes. */
enum {
    REGION_SLOT_LIMIT = REGION_MOST_SLOTS,
    FOR_DATA = REGION_FOR_DATA, /* what a side waits for */
    FOR_ROOM = REGION_FOR_ROOM,
};

enum channel_side { BACKEND_SIDE, CLIENT_SIDE };

/* One direction, as one side sees it. */
typedef struct ring {
    uint8_t *data;
    uint64_t mask;
    /* this side's position; the other side writes to the region's copies as it likes */
    _Atomic uint64_t at;
    uint64_t other;             /* the other side's, as last seen */
    _Atomic uint64_t *written, *read;
} ring;

/* Reading is for one thread at a time, and so is writing. */
typedef struct channel {
    uint8_t *base;
    region_layout layout;
    ring in, out;
    doorbell own, other;        /* of the sleeper on this side, and on the other */
    patience patience;          /* the reader's */
    pthread_mutex_t turn;       /* of those who sleep, where the doorbells have them take turns */
} channel;

#define CHANNEL_BROKEN SIZE_MAX

/* Bytes of the memory of a descriptor, a file's or a device's; 0 if that cannot be known. */
uint64_t ring_memory_length(int fd);

/* Maps a region whose length, and seals or mark, hold what the layout promises; false if they do
 * not, or it cannot be mapped. The channel stays where it is. */
bool channel_map(channel *c, int fd, const region_layout *layout, enum channel_side side,
                 const doorbell_kind *bells);
/* In memory that the caller has mapped, and unmaps: of the layout's length, which the caller
 * vouches for. */
void channel_over(channel *c, void *base, const region_layout *layout, enum channel_side side,
                  const doorbell_kind *bells);
/* The rings in a slot of the region, for the client; they end with the region. False if there is no
 * such slot. */
bool channel_slot(const channel *whole, uint32_t number, channel *slot);
/* For stream_doorbell: the socket beside the region; false if the system has no more descriptors.
 */
bool channel_rings_over(channel *c, int socket);
void channel_unmap(channel *c);
/* The other side, beside that socket, is left: nobody looks at the socket, or rings over it, once
 * this returns. It has been shut down, and nobody reads or writes. */
void channel_leave(channel *c);
/* Where the last bytes lie that this side has written, a ring's at most, which are counted; none if
 * the memory is another machine's by now. `end` is the count of all that it has written. */
size_t channel_written(const channel *c, struct iovec parts[2], uint64_t *end);

/* Copies what there is, or what there is room for; 0 if there is nothing, CHANNEL_BROKEN if the
 * other side broke the rules. */
size_t channel_read(channel *c, void *to, size_t limit);
size_t channel_write(channel *c, const struct iovec *parts, int count);

/* Any thread may ask. */
bool channel_readable(const channel *c);
bool channel_writable(const channel *c);

/* How many programs use the backend at the same time, as it says; 0: it does not. */
uint32_t channel_programs(const channel *c);
/* Looks for a while whether there is something to read, as long as that has been worth while; for
 * the reader. */
bool channel_spin(channel *c, looking how);
/* From now on it does not look for longer. */
void channel_limit(channel *c, uint32_t most_ns);
/* Sleeps until FOR_DATA, FOR_ROOM or either may hold, `hint` is set, or time is up (then false). */
bool channel_sleep(channel *c, uint32_t what, const _Atomic uint32_t *hint, int timeout_ms);
/* Sleeps until there may be something to read, or for so long, less than a second; not at all where
 * no futex wakes. */
void channel_rest(channel *c, uint32_t ns);
/* Wakes the sleeper on this side. */
void channel_rouse(channel *c);

#endif
