/* SPDX-License-Identifier: Apache-2.0 */
#include "ring/doorbell.h"
#include "base/clock.h"
#include "base/glibc.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- a futex --------------------------------------------------------------------------------- */

static bool sleep_for(const doorbell *bell, uint32_t word, const struct timespec *most) {
    return syscall(SYS_futex, bell->word, FUTEX_WAIT, word, most, NULL, 0) == 0 ||
           errno != ETIMEDOUT;
}

static bool sleep_on_word(const doorbell *bell, uint32_t word, int timeout_ms) {
    struct timespec timeout = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
    return sleep_for(bell, word, timeout_ms < 0 ? NULL : &timeout);
}

void futex_doorbell_rest(const doorbell *bell, uint32_t word, uint32_t ns) {
    sleep_for(bell, word, &(struct timespec){.tv_nsec = ns});
}

static void wake_word(const doorbell *bell) {
    syscall(SYS_futex, bell->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

const doorbell_kind futex_doorbell = {sleep_on_word, wake_word};

/* ---- an eventfd ------------------------------------------------------------------------------ */

/* A ring that came before the word was looked at wakes for nothing. */
static bool await_event(const doorbell *bell, uint32_t word, int timeout_ms) {
    struct pollfd either[2] = {{.fd = bell->fd, .events = POLLIN},
                               {.fd = bell->beside, .events = POLLIN}};
    eventfd_t count;
    if (atomic_load(bell->word) != word)
        return true;
    bool woken = poll(either, 2, timeout_ms) != 0;
    eventfd_read(bell->fd, &count);
    return woken;
}

static void send_event(const doorbell *bell) { eventfd_write(bell->fd, 1); }

const doorbell_kind event_doorbell = {await_event, send_event};

/* ---- a byte over a stream -------------------------------------------------------------------- */

/* False at the end of the stream. */
static bool drop_bytes(int fd) {
    char bytes[64];
    ssize_t n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    return n > 0 || (n < 0 && errno == EAGAIN);
}

/* A byte names no receiver: the thread that takes it ends the sleep of the others, too. */
static bool await_turn(const doorbell *bell, int timeout_ms) {
    struct timespec until = wall_time_in(timeout_ms);
    if (pthread_mutex_timedlock(bell->turn, &until) != 0)
        return false;
    pthread_mutex_unlock(bell->turn);
    return true;
}

/* Another thread that took this one's byte has changed the word first. */
static bool await_byte(const doorbell *bell, uint32_t word, int timeout_ms) {
    int cancellation;
    if (pthread_mutex_trylock(bell->turn) != 0)
        return atomic_load(bell->word) != word || await_turn(bell, timeout_ms);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    bool woken = await_event(bell, word, timeout_ms);
    bool there = drop_bytes(bell->beside);
    pthread_mutex_unlock(bell->turn);
    pthread_setcancelstate(cancellation, NULL);
    return woken && there;
}

/* Where there is no room, the other side has bytes that it has not looked at. */
static void send_byte(const doorbell *bell) {
    if (bell->fd >= 0)
        send_event(bell);
    else
        send(bell->beside, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

const doorbell_kind stream_doorbell = {await_byte, send_byte};
