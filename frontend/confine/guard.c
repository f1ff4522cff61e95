/* SPDX-License-Identifier: Apache-2.0
 *
 * The worker's parent, outside of its namespaces: while it is there the worker is, and it reads
 * nothing of the worker's but words for the log.
 */
#include "confine.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 4096, MOST_A_MINUTE = 64 * 1024, MINUTE = 60, SIGNALLED = 128 };

static sigset_t before;
static int signals = -1;

void prepare_guard(void) {
    sigset_t all;
    sigemptyset(&all);
    sigaddset(&all, SIGCHLD);
    sigaddset(&all, SIGUSR1);
    /* The daemon decides when it ends, and not a terminal. */
    sigaddset(&all, SIGINT);
    sigaddset(&all, SIGQUIT);
    sigaddset(&all, SIGHUP);
    sigprocmask(SIG_BLOCK, &all, &before);
    signals = signalfd(-1, &all, SFD_CLOEXEC);
    if (signals < 0)
        refused("signals");
}

void forget_guard(void) {
    close(signals);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

typedef struct log_allowance {
    time_t since;
    ssize_t used;
} log_allowance;

static time_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

/* A terminal that shows the log must not obey the worker. */
static char printable(char byte) {
    return (byte >= ' ' && byte < 0x7f) || byte == '\n' || byte == '\t' ? byte : '?';
}

/* Whether there may be more. What is too much is read and forgotten. */
static bool pass_on(log_allowance *allowance, int said) {
    char piece[PIECE];
    ssize_t n = read(said, piece, sizeof piece);
    if (now() - allowance->since >= MINUTE)
        *allowance = (log_allowance){.since = now()};
    allowance->used += n > 0 ? n : 0;
    for (ssize_t i = 0; i < n; i++)
        piece[i] = printable(piece[i]);
    if (n > 0 && allowance->used <= MOST_A_MINUTE) {
        ssize_t unused = write(STDERR_FILENO, piece, (size_t)n);
        (void)unused;
    }
    return n > 0;
}

/* Whether the worker has ended. The daemon says by SIGUSR1 that it may outlive it. */
static bool has_ended(pid_t worker, int *status) {
    struct signalfd_siginfo signal;
    if (read(signals, &signal, sizeof signal) != sizeof signal)
        return false;
    if (signal.ssi_signo == SIGUSR1)
        prctl(PR_SET_PDEATHSIG, 0);
    return waitpid(worker, status, WNOHANG) == worker;
}

int guard(pid_t worker, int said) {
    log_allowance allowance = {.since = now()};
    struct pollfd from[] = {{.fd = signals, .events = POLLIN}, {.fd = said, .events = POLLIN}};
    int status = 0;
    bool ended = false;
    while (!ended || from[1].fd >= 0) {
        poll(from, 2, -1);
        if (from[1].revents != 0 && !pass_on(&allowance, said))
            from[1].fd = -1;
        if (!ended && from[0].revents != 0 && has_ended(worker, &status)) {
            ended = true;
            from[0].fd = -1;
        }
    }
    return WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}
