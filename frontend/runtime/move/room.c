/* SPDX-License-Identifier: Apache-2.0
 *
 * Room in memory that this machine shares with its host, of which the backend assigns ranges. A
 * session that is lost leaves its ranges to its program, while the backend assigns them again. So a
 * lock of this machine's kernel says which process has one.
 */
#include "move/move.h"

#include <fcntl.h>
#include <unistd.h>

#ifndef F_OFD_SETLK
#define F_OFD_SETLK 37
#endif
/* The locks lie beyond every file's end: where no machine lies between, the backend has locks of
 * its own in the same file. */
#define LOCKS (1ULL << 62)

static bool set_lock(short kind, uint64_t offset, uint64_t bytes) {
    struct flock range = {.l_type = kind,
                          .l_whence = SEEK_SET,
                          .l_start = (off_t)(LOCKS + offset),
                          .l_len = (off_t)bytes};
    return fcntl(stream_memory(session_here()), F_OFD_SETLK, &range) == 0;
}

bool ob_has_room(void) {
    const session *s = session_here();
    return stream_memory(s) >= 0 && stream_in_memory(s) && session_open(s);
}

static bool lies_within(uint64_t offset, uint64_t bytes) {
    uint64_t length = stream_memory_bytes(session_here()), page = (uint64_t)sysconf(_SC_PAGESIZE);
    return offset % page == 0 && bytes <= length && offset <= length - bytes;
}

int ob_room_take(uint64_t offset, uint64_t bytes) {
    if (!ob_has_room() || !lies_within(offset, bytes) || !set_lock(F_WRLCK, offset, bytes))
        return -1;
    int fd = fcntl(stream_memory(session_here()), F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        ob_room_give(offset, bytes);
    return fd;
}

void ob_room_give(uint64_t offset, uint64_t bytes) { set_lock(F_UNLCK, offset, bytes); }
