/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that touch a page that is away, or write to one that is only to be read: the handler of
 * SIGSEGV opens a page that is here, and has a pager bring one that is not. Any other fault is the
 * program's own, and goes to the handler that the program has set. Nothing here allocates, and the
 * locks are those of the pages and of what moves (moved.c), under which nobody touches one.
 */
#include "memory/memory.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction programs;       /* written before the handler is set that reads it … */
static struct sigaction earlier;        /* … and the one before, which a newer one takes ours for */

/* A fault that this thread passes on now; one that ended with a jump was passed on from the same
 * frame as the next. */
static _Thread_local struct { const void *context; uintptr_t frame; } passed;

/* Where the processor says what was wrong it need not be tried. */
static touch touched(const void *context) {
#if defined(__x86_64__)
    enum { WRITES = 2 };                /* of the error code of a page fault */
    return (((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & WRITES) != 0 ? TOUCH_WRITES
                                                                                     : TOUCH_READS;
#else
    (void)context;
    return TOUCH_UNKNOWN;
#endif
}

/* The access is made again, and ends the program as without a handler. */
static void fall_back(int signal_number, const siginfo_t *why) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(signal_number, &usual, NULL);
    if (why->si_code <= 0)
        raise(signal_number);
}

static void call(const struct sigaction *action, int signal_number, siginfo_t *why, void *context) {
    sigset_t before, blocked = action->sa_mask;
    if ((action->sa_flags & SA_NODEFER) == 0)
        sigaddset(&blocked, signal_number);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    if ((action->sa_flags & SA_NODEFER) != 0 && !sigismember(&action->sa_mask, signal_number)) {
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, signal_number);
        pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    }
    if ((action->sa_flags & SA_SIGINFO) != 0)
        action->sa_sigaction(signal_number, why, context);
    else
        action->sa_handler(signal_number);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void pass_to(const struct sigaction *action, int signal_number, siginfo_t *why,
                    void *context) {
    bool has_one = (action->sa_flags & SA_SIGINFO) != 0 ||
                   (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
    if (has_one)
        call(action, signal_number, why, context);
    else
        fall_back(signal_number, why);
}

/* A handler that the program has set later may pass on what it cannot use, to ours. */
static void pass_on(int signal_number, siginfo_t *why, void *context, uintptr_t frame) {
    bool comes_back = passed.context == context && frame < passed.frame;
    if (!comes_back) {
        passed.context = context;
        passed.frame = frame;
    }
    pass_to(comes_back ? &earlier : &programs, signal_number, why, context);
    if (!comes_back)
        passed.context = NULL;
}

static bool have_page(const void *where, touch how) {
    uint64_t address = (uint64_t)(uintptr_t)where;
    return moved_settles(address) ||
           (pages_may_have(where, 1) && (pages_open(address, how) || pager_fetch(address, how)));
}

static void on_fault(int signal_number, siginfo_t *why, void *context) {
    int before = errno;
    bool ours = why->si_code == SEGV_ACCERR && !ob_forked() &&
                have_page(why->si_addr, touched(context));
    errno = before;
    if (!ours)
        pass_on(signal_number, why, context, (uintptr_t)__builtin_frame_address(0));
}

static bool are_same(const struct sigaction *one, const struct sigaction *other) {
    return one->sa_flags == other->sa_flags && one->sa_handler == other->sa_handler;
}

static bool is_ours(const struct sigaction *set) {
    return (set->sa_flags & SA_SIGINFO) != 0 && set->sa_sigaction == on_fault;
}

/* A program may set one of its own at any time. */
void faults_catch(void) {
    struct sigaction ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK}, now;
    sigemptyset(&ours.sa_mask);
    pthread_mutex_lock(&lock);
    if (sigaction(SIGSEGV, NULL, &now) == 0 && !is_ours(&now)) {
        if (!are_same(&now, &programs))
            earlier = programs;
        programs = now;
        sigaction(SIGSEGV, &ours, NULL);
    }
    pthread_mutex_unlock(&lock);
}
