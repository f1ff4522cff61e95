/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about a program's functions. Programs make kernels of one again and again (CLBlast three
 * for each product of matrices): the facts that a kernel has learnt when it ends are its function's
 * next one's to begin with, until the program is built anew.
 */
#include "program/program.h"

#include <pthread.h>
#include <stdlib.h>

enum { LONGEST_NAME = 256 };

/* Remembered beside the answers that the specification has names for: of a kernel what it was made
 * of, of a program its functions. */
#define ORIGIN 0xF0000004u
#define FUNCTIONS 0xF0000005u

typedef struct function {
    struct function *next;
    answer *answers;
    char name[LONGEST_NAME];
} function;

typedef struct functions {
    function *first;
    uint64_t build;         /* how often the program may have been built anew */
} functions;

typedef struct origin {
    uint64_t build;
    char name[LONGEST_NAME];
} origin;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static functions *functions_of(object *program) {
    return object_keep(program, FUNCTIONS, sizeof(functions));
}

static function *find(const functions *all, const char *name) {
    function *f = all == NULL ? NULL : all->first;
    while (f != NULL && strcmp(f->name, name) != 0)
        f = f->next;
    return f;
}

static function *find_or_make(functions *all, const char *name) {
    function *f = find(all, name);
    if (f != NULL || (f = calloc(1, sizeof *f)) == NULL)
        return f;
    strcpy(f->name, name);
    f->next = all->first;
    return all->first = f;
}

bool function_known(object *program, const char *name) {
    pthread_mutex_lock(&lock);
    bool known = find(functions_of(program), name) != NULL;
    pthread_mutex_unlock(&lock);
    return known;
}

/* A longer name is not learnt of. */
static void note_origin(object *kernel, const functions *all, const char *name) {
    origin from = {.build = all->build};
    if (strlen(name) >= sizeof from.name)
        return;
    strcpy(from.name, name);
    object_remember(kernel, ORIGIN, &from, sizeof from);
}

void function_begins(object *kernel, const char *name) {
    pthread_mutex_lock(&lock);
    const functions *all = functions_of(kernel->first);
    const function *f = find(all, name);
    if (f != NULL)
        answers_copy(kernel, f->answers);
    if (all != NULL)
        note_origin(kernel, all, name);
    pthread_mutex_unlock(&lock);
}

static void keep_learnt(object *kernel) {
    origin from;
    if (!object_recall(kernel, ORIGIN, &from, sizeof from))
        return;
    pthread_mutex_lock(&lock);
    functions *all = functions_of(kernel->first);
    function *f = all != NULL && all->build == from.build ? find_or_make(all, from.name) : NULL;
    if (f != NULL) {
        answers_free(f->answers);
        f->answers = kernel->answers;
        kernel->answers = NULL;
    }
    pthread_mutex_unlock(&lock);
}

void functions_forget(object *program) {
    pthread_mutex_lock(&lock);
    functions *all = functions_of(program);
    for (function *f; all != NULL && (f = all->first) != NULL;) {
        all->first = f->next;
        answers_free(f->answers);
        free(f);
    }
    if (all != NULL)
        all->build++;
    pthread_mutex_unlock(&lock);
}

void functions_end(object *o) {
    if (o->kind == OB_OPENCL_PROGRAM)
        functions_forget(o);
    if (o->kind == OB_OPENCL_KERNEL)
        keep_learnt(o);
}
