/* SPDX-License-Identifier: Apache-2.0
 *
 * Libraries that came after the greeting: the backend is asked for each of them once.
 */
#include "call/call.h"

static pthread_mutex_t joining = PTHREAD_MUTEX_INITIALIZER;

static void join(const ob_library *library) {
    uint8_t entry[LIBRARY_ENTRY];
    if (thread_self() == NULL || libraries_full())
        return;
    put_library(entry, library);
    const thread *t = ask_backend(KIND_LIBRARY, entry, sizeof entry);
    bool answered = t != NULL && t->result == 0;
    if (session_open())
        library_add(library, answered ? t->reply : NULL, answered ? t->reply_bytes : 0);
}

void library_join(const ob_library *library) {
    if (library_known(library))
        return;
    pthread_mutex_lock(&joining);
    if (!library_known(library))
        join(library);
    pthread_mutex_unlock(&joining);
}

void join_forget(void) { joining = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; }
