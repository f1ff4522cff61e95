/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"

#include <signal.h>

bool ob_start_thread(pthread_t *id, void *(*run)(void *), void *argument) {
    sigset_t all, before;
    pthread_t started;
    sigfillset(&all);
    /* of what the thread itself touches: a function of the program may touch managed memory */
    sigdelset(&all, SIGSEGV);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool runs = pthread_create(&started, NULL, run, argument) == 0;
    if (runs && id != NULL)
        *id = started;
    else if (runs)
        pthread_detach(started);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return runs;
}
