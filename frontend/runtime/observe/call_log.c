/* SPDX-License-Identifier: Apache-2.0
 *
 * The log of calls: OUTBOARD_LOG=FILE writes each call that travels as the program made it to FILE,
 * and as the backend called its driver to FILE.backend; the second comes with LOG frames
 * (PROTOCOL.md). Of a call that went well both have the same line.
 */
#include "observe/observe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct call_log {
    pthread_mutex_t lock;
    out_file program, backend;  /* under the lock */
};

bool call_log_make(session *s) {
    struct call_log *own = s->log = session_part(sizeof *own);
    if (own == NULL)
        return false;
    pthread_mutex_init(&own->lock, NULL);
    own->program.fd = own->backend.fd = -1;
    return true;
}

void call_log_begin(session *s) {
    struct call_log *own = s->log;
    const char *path = secure_getenv("OUTBOARD_LOG");
    if (path == NULL || *path == '\0' || s->logged)
        return;
    s->logged = out_open(&own->program, path, "log") &&
                out_open_beside(&own->backend, &own->program, path, ".backend", "log");
}

void call_log_program(session *s, uint64_t sequence, uint32_t thread, const call_text *text) {
    struct call_log *own = s->log;
    char numbers[48];
    int bytes = snprintf(numbers, sizeof numbers, "%" PRIu64 " %u ", sequence, thread);
    pthread_mutex_lock(&own->lock);
    out_add(&own->program, numbers, (size_t)bytes);
    out_add(&own->program, text->text, text->length);
    out_add(&own->program, "\n", 1);
    pthread_mutex_unlock(&own->lock);
}

void call_log_backend(session *s, const char *text, uint32_t bytes) {
    struct call_log *own = s->log;
    pthread_mutex_lock(&own->lock);
    out_add(&own->backend, text, bytes);
    pthread_mutex_unlock(&own->lock);
}

void call_log_end(session *s) {
    struct call_log *own = s->log;
    if (!s->logged)
        return;
    pthread_mutex_lock(&own->lock);
    out_flush(&own->program);
    out_flush(&own->backend);
    pthread_mutex_unlock(&own->lock);
}

/* The child's calls are in files of its own. */
void call_log_forget(session *s) {
    out_forget(&s->log->program);
    out_forget(&s->log->backend);
}
