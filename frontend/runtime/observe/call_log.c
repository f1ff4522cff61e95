/* SPDX-License-Identifier: Apache-2.0
 *
 * The log of calls: OUTBOARD_LOG=FILE writes each call that travels as the program made it to FILE, and as the backend called its
 * driver to FILE.backend; the second comes with LOG frames (PROTOCOL.md). Of a call that went well both have the same line.
 */
#include "observe/observe.h"

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

void call_log_program(uint64_t sequence, uint32_t thread, const call_text *text) {
    char numbers[48];
    int bytes = snprintf(numbers, sizeof numbers, "%" PRIu64 " %u ", sequence, thread);
    pthread_mutex_lock(&lock);
    out_add(&program, numbers, (size_t)bytes);
    out_add(&program, text->text, text->length);
    out_add(&program, "\n", 1);
    pthread_mutex_unlock(&lock);
}

void call_log_backend(const char *text, uint32_t bytes) {
    pthread_mutex_lock(&lock);
    out_add(&backend, text, bytes);
    pthread_mutex_unlock(&lock);
}

void call_log_end(void) {
    if (!call_logging)
        return;
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
