/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's contexts, and which one is current to a thread.
 */
#include "gl.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gl_context *all;
static _Thread_local struct gl_context *mine;

struct gl_context *gl_current(void) { return mine; }

static struct gl_context *find(EGLContext handle) {
    struct gl_context *context = all;
    while (context != NULL && (context->handle != handle || context->ended))
        context = context->next;
    return context;
}

bool gl_context_begins(EGLContext handle, bool own_memory) {
    struct gl_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return false;
    context->handle = handle;
    context->own_memory = own_memory;
    pixels_begin(context);
    arrays_begin(context);
    pthread_mutex_lock(&lock);
    context->next = all;
    all = context;
    pthread_mutex_unlock(&lock);
    return true;
}

static void free_context(struct gl_context *context) {
    while (context->texts != NULL) {
        struct text *text = context->texts;
        context->texts = text->next;
        free(text->text);
        free(text);
    }
    while (context->mappings != NULL) {
        struct mapping *mapping = context->mappings;
        context->mappings = mapping->next;
        free(mapping->memory);
        free(mapping);
    }
    arrays_end(context);
    free(context);
}

/* Under the lock: forgets one that is over. */
static void drop(struct gl_context *context) {
    if (context->current || !context->ended)
        return;
    struct gl_context **place = &all;
    while (*place != context)
        place = &(*place)->next;
    *place = context->next;
    free_context(context);
}

void gl_context_ends(EGLContext handle) {
    pthread_mutex_lock(&lock);
    struct gl_context *context = find(handle);
    if (context != NULL) {
        context->ended = true;
        drop(context);
    }
    pthread_mutex_unlock(&lock);
}

void gl_context_is_current(EGLContext handle) {
    pthread_mutex_lock(&lock);
    if (mine == NULL || mine->handle != handle || mine->ended) {
        struct gl_context *before = mine;
        mine = handle == NULL ? NULL : find(handle);
        if (mine != NULL)
            mine->current = true;
        if (before != NULL) {
            before->current = false;
            drop(before);
        }
    }
    pthread_mutex_unlock(&lock);
}
