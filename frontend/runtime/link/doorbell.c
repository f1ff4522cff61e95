/* SPDX-License-Identifier: Apache-2.0 */
#include "link/doorbell.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- a futex ------------------------------------------------------------------------------------------------------ */

static bool sleep_on_word(const doorbell *bell, uint32_t word, int timeout_ms) {
    struct timespec timeout = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
    return syscall(SYS_futex, bell->word, FUTEX_WAIT, word, timeout_ms < 0 ? NULL : &timeout, NULL, 0) == 0 || errno != ETIMEDOUT;
}

static void wake_word(const doorbell *bell) { syscall(SYS_futex, bell->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0); }

const doorbell_kind futex_doorbell = {sleep_on_word, wake_word};

/* ---- an eventfd --------------------------------------------------------------------------------------------------- */

/* A ring that came before the word was looked at wakes for nothing. */
static bool await_event(const doorbell *bell, uint32_t word, int timeout_ms) {
    struct pollfd either[2] = {{.fd = bell->fd, .events = POLLIN}, {.fd = bell->beside, .events = POLLIN}};
    eventfd_t count;
    if (atomic_load(bell->word) != word)
        return true;
    bool woken = poll(either, 2, timeout_ms) != 0;
    eventfd_read(bell->fd, &count);
    return woken;
}

static void send_event(const doorbell *bell) { eventfd_write(bell->fd, 1); }

const doorbell_kind event_doorbell = {await_event, send_event};
