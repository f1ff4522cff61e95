/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory as descriptors. The driver's descriptor is where the driver is; the program gets one end
 * of a pair of sockets, in which the backend's ticket lies to be read as often as anybody likes, by
 * whichever process has been given the end. The other end is kept here: it hears when the last copy
 * of the program's has been closed, wherever that was.
 */
#include "memory/memory.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static const char MARK[16] = "outboard ticket";

typedef struct letter {
    char mark[sizeof MARK];
    share_ticket content;
} letter;

/* The ends that are kept, and what was written to each. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pollfd *ends;
static share_ticket *tickets;
static nfds_t room;
static _Atomic nfds_t count;

CUresult descriptor_type(int type) {
    return type == FILE_DESCRIPTOR ? driver_ready() : CUDA_ERROR_NOT_SUPPORTED;
}

/* Nothing is made for another type, so that nothing has one. */
CUresult descriptor_made_as(int type) {
    return type == FILE_DESCRIPTOR ? driver_ready() : CUDA_ERROR_INVALID_VALUE;
}

CUresult descriptor_read_as(int type) {
    enum { WIN32 = 2, WIN32_KMT = 4, FABRIC = 8 };
    return type == WIN32 || type == WIN32_KMT || type == FABRIC ? CUDA_ERROR_NOT_SUPPORTED
                                                                : descriptor_made_as(type);
}

/* ---- forks: the ends are the parent's -------------------------------------------------------- */

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void in_parent(void) { pthread_mutex_unlock(&lock); }

static void in_child(void) {
    for (nfds_t i = 0; i < count; i++)
        close(ends[i].fd);
    count = 0;
    pthread_mutex_unlock(&lock);
}

static void watch_forks(void) { pthread_atfork(before_fork, in_parent, in_child); }

/* ---- making ---------------------------------------------------------------------------------- */

static bool grow(void) {
    nfds_t more = room == 0 ? 16 : 2 * room;
    struct pollfd *moved = realloc(ends, more * sizeof *ends);
    if (moved != NULL)
        ends = moved;
    share_ticket *moved_too = moved != NULL ? realloc(tickets, more * sizeof *tickets) : NULL;
    if (moved_too == NULL)
        return false;
    tickets = moved_too;
    room = more;
    return true;
}

static bool keep(int end, const share_ticket *content) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&lock);
    bool fits = count < room || grow();
    if (fits) {
        ends[count] = (struct pollfd){.fd = end};
        tickets[count] = *content;
        count++;
    }
    pthread_mutex_unlock(&lock);
    return fits;
}

/* Exec closes the end that is kept; the program's it may be meant for. */
static bool fill(int kept, int given, const share_ticket *content) {
    letter written = {.content = *content};
    memcpy(written.mark, MARK, sizeof MARK);
    return fcntl(given, F_SETFD, 0) == 0 &&
           send(kept, &written, sizeof written, MSG_NOSIGNAL) == (ssize_t)sizeof written;
}

static CUresult make(const share_ticket *content, int *descriptor) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    if (fill(pair[0], pair[1], content) && keep(pair[0], content)) {
        *descriptor = pair[1];
        return CUDA_SUCCESS;
    }
    close(pair[0]);
    close(pair[1]);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult descriptor_hand_out(const share_ticket *content, void *handle) {
    int descriptor;
    CUresult result = make(content, &descriptor);
    if (result == CUDA_SUCCESS)
        memcpy(handle, &descriptor, sizeof descriptor);
    else
        remote_outboardShareEnd(content->bytes, 0);
    return result;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Takes any number for a descriptor: a receive changes nothing in it and does not wait. */
CUresult descriptor_read(const void *handle, share_ticket *content) {
    letter read;
    ssize_t bytes =
        recv((int)(intptr_t)handle, &read, sizeof read, MSG_PEEK | MSG_DONTWAIT | MSG_TRUNC);
    if (bytes != (ssize_t)sizeof read || memcmp(read.mark, MARK, sizeof MARK) != 0)
        return CUDA_ERROR_UNKNOWN;
    *content = read.content;
    return CUDA_SUCCESS;
}

/* ---- ending ---------------------------------------------------------------------------------- */

/* Takes out one that only this process has an end of. */
static bool take_closed(share_ticket *closed) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (nfds_t i = 0; i < count && !found; i++)
        if (ends[i].revents != 0) {
            found = true;
            *closed = tickets[i];
            close(ends[i].fd);
            count--;
            ends[i] = ends[count];
            tickets[i] = tickets[count];
        }
    pthread_mutex_unlock(&lock);
    return found;
}

static bool any_closed(void) {
    pthread_mutex_lock(&lock);
    bool any = poll(ends, count, 0) > 0;
    pthread_mutex_unlock(&lock);
    return any;
}

void descriptors_sweep(void) {
    share_ticket closed;
    if (atomic_load_explicit(&count, memory_order_relaxed) == 0 || !any_closed())
        return;
    while (take_closed(&closed))
        remote_outboardShareEnd(closed.bytes, 0);
}
