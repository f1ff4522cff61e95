/* SPDX-License-Identifier: Apache-2.0
 *
 * Libraries that came after the greeting: the backend is asked for each of them once.
 */
#include "call/call.h"

struct joining {
    pthread_mutex_t lock;       /* one at a time */
};

bool join_make(session *s) {
    s->joining = session_part(sizeof *s->joining);
    if (s->joining != NULL)
        pthread_mutex_init(&s->joining->lock, NULL);
    return s->joining != NULL;
}

static void join(session *s, const ob_library *library) {
    uint8_t entry[HELLO_ENTRY_END];
    if (thread_of(s) == NULL || libraries_full(s))
        return;
    put_library(entry, library);
    const thread *t = ask_backend(s, KIND_LIBRARY, entry, sizeof entry);
    bool answered = t != NULL && t->result == 0;
    if (session_open(s))
        library_add(s, library, answered ? t->reply : NULL, answered ? t->reply_bytes : 0);
}

void library_join(session *s, const ob_library *library) {
    if (library_known(s, library))
        return;
    pthread_mutex_lock(&s->joining->lock);
    if (!library_known(s, library))
        join(s, library);
    pthread_mutex_unlock(&s->joining->lock);
}
