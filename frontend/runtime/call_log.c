/* SPDX-License-Identifier: Apache-2.0
 *
 * The log of calls: OUTBOARD_LOG=FILE writes each call that travels as the program made it to FILE, and as the backend called its
 * driver to FILE.backend; the second comes with LOG frames (PROTOCOL.md). Of a call that went well both have the same line.
 */
#include "internal.h"
#include "call_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

bool call_logging;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static out_file program = {.fd = -1}, backend = {.fd = -1}; /* under the lock */

void call_log_begin(void) {
    const char *path = getenv("OUTBOARD_LOG");
    if (path == NULL || *path == '\0' || call_logging)
        return;
    call_logging = out_open(&program, path, "log") && out_open_beside(&backend, &program, path, ".backend", "log");
}

void ob_log_arguments(ob_call *call, const char *signature, const uint64_t values[], uint32_t flags) {
    thread *t = thread_self();
    if (t->text == NULL)
        t->text = calloc(1, sizeof *t->text);
    if (t->text == NULL)
        call->logged = false;
    else
        call_text_begin(t->text, call->library->structures, signature, values, (flags & OB_PER_THREAD) != 0);
}

/* What is answered here, or could not be sent, is no call of the backend's. */
void ob_log_returned(const ob_call *call, int32_t result) {
    char numbers[48];
    thread *t = thread_self();
    if (call->sequence == 0)
        return;
    call_text_end(t->text, result);
    int bytes = snprintf(numbers, sizeof numbers, "%" PRIu64 " %u ", call->sequence, t->public.number);
    pthread_mutex_lock(&lock);
    out_add(&program, numbers, (size_t)bytes);
    out_add(&program, t->text->text, t->text->length);
    out_add(&program, "\n", 1);
    pthread_mutex_unlock(&lock);
}

void call_log_backend(const char *text, uint32_t bytes) {
    pthread_mutex_lock(&lock);
    out_add(&backend, text, bytes);
    pthread_mutex_unlock(&lock);
}

/* The backend sends what it holds before it answers. */
void call_log_end(void) {
    if (!call_logging)
        return;
    ask_backend(KIND_LOG, NULL, 0);
    pthread_mutex_lock(&lock);
    out_flush(&program);
    out_flush(&backend);
    pthread_mutex_unlock(&lock);
}

/* What the child does is in files of its own. */
void call_log_forget(void) {
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    call_logging = false;
    out_forget(&program);
    out_forget(&backend);
}
