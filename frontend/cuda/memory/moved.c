/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of the program alone that becomes pages of one file, at the same address, so that the
 * backend can map it too; and back. Pages that move are closed to writers: a thread that writes to
 * one meanwhile waits in the handler of SIGSEGV (fault.c) and then writes. Readers see one or the
 * other, which hold the same. A system call that would write there fails with EFAULT.
 *
 * A child of fork has copies of its own, made before the fork, as it has of pages that a device
 * uses. Nothing here allocates while pages are closed: they may be the allocator's.
 */
#include "memory/mappings.h"
#include "memory/memory.h"

#include "base/glibc.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* So much is closed at a time. */
#define PIECE (16ULL << 20)

/* Of whoever moves pages, and of a fork. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Under the lock, but for `fd`, which stays once it is there. */
static struct {
    int fd;                     /* -1 until the first room */
    dev_t device;
    uint64_t inode;
    uint64_t end;               /* no room is given twice */
} file = {.fd = -1};

/* Of all addresses that ever moved. */
static _Atomic uint64_t lowest = UINT64_MAX, highest;

static _Atomic bool closed;     /* some pages are, to writers */

static void *at(uint64_t address) { return (void *)(uintptr_t)address; }

/* ---- what lies in the file ------------------------------------------------------------------- */

static bool is_ours(const mapping *one) {
    return one->access[3] == 's' && one->inode == file.inode && one->device == file.device;
}

static void cut(mapping *one, uint64_t offset, uint64_t bytes) {
    uint64_t end = one->offset + (one->end - one->begin);
    if (end > offset + bytes)
        one->end -= end - (offset + bytes);
    if (one->offset < offset) {
        one->begin += offset - one->offset;
        one->offset = offset;
    }
}

/* The next part of the room that is mapped; the program may have moved or ended some. */
static bool next_in(mappings *all, uint64_t offset, uint64_t bytes, mapping *to) {
    while (mappings_next(all, to))
        if (is_ours(to) && to->offset < offset + bytes &&
            to->offset + (to->end - to->begin) > offset) {
            cut(to, offset, bytes);
            return true;
        }
    return false;
}

static int access_of(const mapping *one) {
    return (one->access[0] == 'r' ? PROT_READ : 0) | (one->access[1] == 'w' ? PROT_WRITE : 0) |
           (one->access[2] == 'x' ? PROT_EXEC : 0);
}

static void *map_alone(uint64_t bytes) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static bool read_all(uint64_t offset, uint8_t *to, uint64_t bytes) {
    for (uint64_t done = 0; done < bytes;) {
        ssize_t n = pread(file.fd, to + done, bytes - done, (off_t)(offset + done));
        if (n <= 0)
            return false;
        done += (uint64_t)n;
    }
    return true;
}

static bool write_all(uint64_t offset, const uint8_t *from, uint64_t bytes) {
    for (uint64_t done = 0; done < bytes;) {
        ssize_t n = pwrite(file.fd, from + done, bytes - done, (off_t)(offset + done));
        if (n <= 0)
            return false;
        done += (uint64_t)n;
    }
    return true;
}

/* ---- forks ----------------------------------------------------------------------------------- */

typedef struct copy {
    mapping part;
    void *memory;               /* MAP_FAILED where there is none to be had */
} copy;

static copy *copies;            /* from before a fork until behind it */
static size_t copied, room_for_copies;

static bool add_copy(const mapping *part) {
    if (copied == room_for_copies) {
        size_t more = room_for_copies == 0 ? 16 : 2 * room_for_copies;
        copy *larger = realloc(copies, more * sizeof *copies);
        if (larger == NULL)
            return false;
        copies = larger;
        room_for_copies = more;
    }
    copies[copied++] = (copy){*part, MAP_FAILED};
    return true;
}

static void fill(copy *one) {
    uint64_t bytes = one->part.end - one->part.begin;
    one->memory = map_alone(bytes);
    if (one->memory != MAP_FAILED && !read_all(one->part.offset, one->memory, bytes)) {
        munmap(one->memory, bytes);
        one->memory = MAP_FAILED;
    }
}

static void before_fork(void) {
    mapping part;
    pthread_mutex_lock(&lock);
    mappings all = mappings_open();
    copied = 0;
    while (next_in(&all, 0, INT64_MAX, &part) && add_copy(&part))
        continue;
    mappings_close(&all);
    for (size_t i = 0; i < copied; i++)
        fill(&copies[i]);
}

static void in_parent(void) {
    for (size_t i = 0; i < copied; i++)
        if (copies[i].memory != MAP_FAILED)
            munmap(copies[i].memory, copies[i].part.end - copies[i].part.begin);
    copied = 0;
    pthread_mutex_unlock(&lock);
}

/* Without a copy the child at least writes to pages of its own. */
static void in_child(void) {
    for (size_t i = 0; i < copied; i++) {
        const mapping *part = &copies[i].part;
        uint64_t bytes = part->end - part->begin;
        if (copies[i].memory == MAP_FAILED)
            mmap(at(part->begin), bytes, access_of(part), MAP_PRIVATE | MAP_FIXED, file.fd,
                 (off_t)part->offset);
        else if (mprotect(copies[i].memory, bytes, access_of(part)) == 0)
            mremap(copies[i].memory, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
                   at(part->begin));
    }
    copied = 0;
    close(file.fd);
    file.fd = -1;
    file.end = 0;
    pthread_mutex_unlock(&lock);
}

static void watch_forks(void) { pthread_atfork(before_fork, in_parent, in_child); }

/* ---- room ------------------------------------------------------------------------------------ */

/* Under the lock. By the system call: fstat(2) is a symbol of newer C libraries only. */
static bool make_file(void) {
    struct stat is;
    if (file.fd >= 0)
        return true;
    int fd = ob_growing_file("outboard-registered");
    if (fd < 0 || syscall(SYS_fstat, fd, &is) != 0) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    file.fd = fd;
    file.device = is.st_dev;
    file.inode = is.st_ino;
    return true;
}

/* A file that would be longer than the program may make any is a signal. */
static bool may_be_so_long(uint64_t bytes) {
    struct rlimit most;
    return getrlimit(RLIMIT_FSIZE, &most) == 0 &&
           (most.rlim_cur == RLIM_INFINITY || bytes <= most.rlim_cur);
}

/* Under the lock. */
static bool grow(uint64_t bytes, uint64_t *offset) {
    uint64_t end = file.end + bytes;
    if (!make_file() || end > INT64_MAX || !may_be_so_long(end) ||
        ftruncate(file.fd, (off_t)end) != 0)
        return false;
    *offset = file.end;
    file.end = end;
    return true;
}

/* Its pages are there from the start. */
bool moved_room(uint64_t bytes, uint64_t *offset) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!shared_can_be(bytes))
        return false;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&lock);
    bool has_room = grow(bytes, offset);
    pthread_mutex_unlock(&lock);
    if (!has_room || fallocate(file.fd, 0, (off_t)*offset, (off_t)bytes) == 0)
        return has_room;
    moved_back(*offset, bytes);
    return false;
}

int moved_file(void) { return file.fd; }

/* ---- there ----------------------------------------------------------------------------------- */

static void note_addresses(uint64_t address, uint64_t bytes) {
    if (address < atomic_load(&lowest))
        atomic_store(&lowest, address);
    if (address + bytes > atomic_load(&highest))
        atomic_store(&highest, address + bytes);
}

/* From here on writers wait. */
static bool close_to_writers(uint64_t address, uint64_t bytes) {
    faults_catch();
    atomic_store(&closed, true);
    return mprotect(at(address), bytes, PROT_READ) == 0;
}

/* Under the lock. */
static bool move_piece(uint64_t address, uint64_t bytes, uint64_t offset) {
    if (close_to_writers(address, bytes) && write_all(offset, at(address), bytes) &&
        mmap(at(address), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE | MAP_FIXED,
             file.fd, (off_t)offset) != MAP_FAILED)
        return true;
    mprotect(at(address), bytes, PROT_READ | PROT_WRITE);
    return false;
}

bool moved_there(uint64_t address, uint64_t bytes, uint64_t offset) {
    bool moves = true;
    for (uint64_t done = 0, now; done < bytes && moves; done += now) {
        now = bytes - done < PIECE ? bytes - done : PIECE;
        pthread_mutex_lock(&lock);
        note_addresses(address, bytes);
        moves = move_piece(address + done, now, offset + done);
        atomic_store(&closed, false);
        pthread_mutex_unlock(&lock);
    }
    return moves;
}

/* ---- and back -------------------------------------------------------------------------------- */

static bool bring_back(const mapping *part) {
    uint64_t bytes = part->end - part->begin;
    void *alone = map_alone(bytes);
    if (alone == MAP_FAILED)
        return false;
    pthread_mutex_lock(&lock);
    note_addresses(part->begin, bytes); /* the program may have moved it */
    bool back = close_to_writers(part->begin, bytes) &&
                read_all(part->offset, alone, bytes) &&
                mprotect(alone, bytes, access_of(part)) == 0 &&
                mremap(alone, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at(part->begin)) !=
                    MAP_FAILED;
    if (!back)
        mprotect(at(part->begin), bytes, access_of(part));
    atomic_store(&closed, false);
    pthread_mutex_unlock(&lock);
    if (!back)
        munmap(alone, bytes);
    return back;
}

/* Each look at the mappings finds the first of those that are left. */
static bool bring_all_back(uint64_t offset, uint64_t bytes) {
    bool found = true, back = true;
    while (found && back) {
        mapping part;
        mappings all = mappings_open();
        back = all.file != NULL;
        found = next_in(&all, offset, bytes, &part);
        mappings_close(&all);
        back = back && (!found || bring_back(&part));
    }
    return back;
}

void moved_back(uint64_t offset, uint64_t bytes) {
    if (bring_all_back(offset, bytes))
        fallocate(file.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset,
                  (off_t)bytes);
}

/* ---- who writes meanwhile -------------------------------------------------------------------- */

/* The kernel tries, and changes nothing: it adds no bit to the word. */
static bool can_be_written(uint64_t address) {
    uint32_t nobody = 0;
    return syscall(SYS_futex, &nobody, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 0, NULL,
                   at(address & ~(uint64_t)3),
                   FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_LT, 0)) >= 0;
}

/* The lock is nothing for a handler: whoever writes may be in the allocator, and whoever has the
 * lock may wait for that. */
bool moved_settles(uint64_t address) {
    const struct timespec nap = {.tv_nsec = 20000};
    if (address < atomic_load_explicit(&lowest, memory_order_relaxed) ||
        address >= atomic_load_explicit(&highest, memory_order_relaxed))
        return false;
    while (atomic_load(&closed) && !can_be_written(address))
        nanosleep(&nap, NULL);
    return can_be_written(address);
}
