/* SPDX-License-Identifier: Apache-2.0
 *
 * Pointers of the program that lead nowhere: the program ends as it would have, and a line before
 * says which call was given what. Only where nobody handles SIGSEGV when the session opens: another
 * handler has a use for faults, or words of its own.
 */
#include "call/call.h"

#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>

static uintptr_t instruction(const void *context) {
    const ucontext_t *was = context;
#if defined(__x86_64__)
    return (uintptr_t)was->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)was->uc_mcontext.pc;
#else
    (void)was;
    return 0;
#endif
}

/* A stub reads structures before its call travels, and writes results behind it. */
static bool in_stub(const made_call *made, uintptr_t at) {
    enum { NEAR = 64 << 10 };
    uintptr_t stub = (uintptr_t)made->stub;
    return at > stub - NEAR && at < stub + NEAR;
}

static void say(const made_call *made, const void *address) {
    const char *name = made->library->names != NULL ? made->library->names[made->number] : NULL;
    char of[96] = "";
    uintptr_t at = (uintptr_t)address, from = (uintptr_t)made->data;
    if (made->data != NULL && at >= from && at - from < made->bytes)
        snprintf(of, sizeof of, " of the argument %p (%llu bytes)", made->data,
                 (unsigned long long)made->bytes);
    ob_warn("%s: there is no memory of the program's at the address %p%s: it was freed, or is not "
            "the program's; the program ends with SIGSEGV",
            name != NULL ? name : made->library->name, address, of);
}

/* The access is made again, and ends the program as without a handler. */
static void on_fault(int signal_number, siginfo_t *why, void *context) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    const thread *t = thread_last();
    if (t != NULL && t->made.library != NULL && why->si_code > 0 &&
        (t->made.travels || in_stub(&t->made, instruction(context))))
        say(&t->made, why->si_addr);
    sigaction(signal_number, &usual, NULL);
    if (why->si_code <= 0)
        raise(signal_number);
}

void pointers_watch(void) {
    struct sigaction ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK}, set;
    sigemptyset(&ours.sa_mask);
    if (sigaction(SIGSEGV, NULL, &set) == 0 && (set.sa_flags & SA_SIGINFO) == 0 &&
        set.sa_handler == SIG_DFL)
        sigaction(SIGSEGV, &ours, NULL);
}
