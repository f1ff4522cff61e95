/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers about functions, kernels and contexts that stay until the program changes something.
 * Libraries ask for the same figures before each launch, and each question that travels waits for
 * everything that was posted before it.
 *
 * A kernel and its functions change together. Functions that a module handed out may be those of a
 * kernel too, without this side knowing: a change on the one side of that border ends what is
 * remembered on the other.
 */
#include "facts/facts.h"

#include <pthread.h>
#include <stdlib.h>

enum { ANSWERS = 64 };

typedef struct answer {
    struct answer *next;
    question asked;
    int64_t value;
} answer;

/* As of when the answers hold. */
typedef struct moment {
    uint32_t life, across, kernel;
} moment;

typedef struct memory {
    moment since;
    uint32_t changes;
    unsigned int count;
    answer *answers;
} memory;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static known_table memories;    /* pointers to them */
/* Under the lock. */
static uint32_t lives;
static uint32_t changes_of[2];  /* of kernels and their functions, of other functions */

static memory *memory_of(uint64_t key) {
    memory *const *known = known_find(&memories, key);
    if (known != NULL)
        return *known;
    memory *fresh = calloc(1, sizeof *fresh);
    known = fresh != NULL ? known_keep(&memories, key, &fresh, sizeof fresh) : NULL;
    if (known == NULL || *known != fresh)
        free(fresh);
    return known != NULL ? *known : NULL;
}

static void forget(memory *m) {
    for (answer *one = m->answers, *next; one != NULL; one = next) {
        next = one->next;
        free(one);
    }
    m->answers = NULL;
    m->count = 0;
    m->changes++;
}

static moment moment_of(const topic *about) {
    const memory *kernel = about->group != 0 && about->group != about->key ? memory_of(about->group)
                                                                           : NULL;
    return (moment){lives, about->key != about->group ? changes_of[about->group != 0] : 0,
                    kernel != NULL ? kernel->changes : 0};
}

/* The answers that are remembered and still hold; NULL if memory ran out. */
static memory *recall(const topic *about) {
    memory *m = memory_of(about->key);
    moment now = moment_of(about);
    if (m != NULL && memcmp(&m->since, &now, sizeof now) != 0) {
        forget(m);
        m->since = now;
    }
    return m;
}

static answer *search(const memory *m, const question *asked) {
    answer *one = m->answers;
    while (one != NULL && memcmp(&one->asked, asked, sizeof *asked) != 0)
        one = one->next;
    return one;
}

bool remembered(const topic *about, const question *asked, int64_t *value, uint32_t *ticket) {
    pthread_mutex_lock(&lock);
    const memory *m = recall(about);
    const answer *known = m != NULL ? search(m, asked) : NULL;
    if (known != NULL)
        *value = known->value;
    *ticket = m != NULL ? m->changes : 0;
    pthread_mutex_unlock(&lock);
    return known != NULL;
}

static void keep(memory *m, const question *asked, int64_t value) {
    answer *one = search(m, asked) == NULL && m->count < ANSWERS ? malloc(sizeof *one) : NULL;
    if (one == NULL)
        return;
    *one = (answer){m->answers, *asked, value};
    m->answers = one;
    m->count++;
}

void remember(const topic *about, const question *asked, int64_t value, uint32_t ticket) {
    pthread_mutex_lock(&lock);
    memory *m = recall(about);
    if (m != NULL && m->changes == ticket)
        keep(m, asked, value);
    pthread_mutex_unlock(&lock);
}

void remember_first(const topic *about, const question asked[], const int64_t values[], int count) {
    pthread_mutex_lock(&lock);
    bool first = known_find(&memories, about->key) == NULL &&
                 known_find(&memories, about->group) == NULL;
    memory *m = first ? recall(about) : NULL;
    for (int i = 0; m != NULL && i < count; i++)
        keep(m, &asked[i], values[i]);
    pthread_mutex_unlock(&lock);
}

void remember_change(const topic *about, const question *made, int64_t value) {
    pthread_mutex_lock(&lock);
    memory *whole = memory_of(about->group != 0 ? about->group : about->key);
    if (whole != NULL && (about->group == 0 || about->group == about->key))
        forget(whole);
    else if (whole != NULL)
        whole->changes++;
    changes_of[about->group == 0]++;
    memory *m = recall(about);
    if (m != NULL && made != NULL)
        keep(m, made, value);
    pthread_mutex_unlock(&lock);
}

void remember_end(void) {
    pthread_mutex_lock(&lock);
    lives++;
    pthread_mutex_unlock(&lock);
}
