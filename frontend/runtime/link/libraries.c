/* SPDX-License-Identifier: Apache-2.0
 *
 * The libraries of this process, and which of their calls the backend has.
 */
#include "link/link.h"

#include <stdlib.h>

enum { LIBRARIES = 16, NAME = AT_WELCOME_ENTRY_NUMBER, WORDS = 1024 };

typedef struct served {
    _Atomic(const ob_library *) library; /* of this process, once one has been found to be it */
    char name[NAME];
    uint32_t id, words;
    uint64_t *calls;
} served;

/* Not the session's lock: constructors run while the loader is locked, and connecting may load
 * objects. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const ob_library *libraries[LIBRARIES];
static bool observed;

/* The libraries that the backend of a session serves. Entries are written before they are counted,
 * and stay. */
struct served_libraries {
    served all[LIBRARIES];
    _Atomic uint32_t count;
};

bool libraries_make(session *s) {
    s->libraries = session_part(sizeof *s->libraries);
    return s->libraries != NULL;
}

static void observe(const ob_library *library) {
    if (library->unusual != NULL && observed)
        atomic_fetch_or(library->unusual, OB_UNUSUAL_OBSERVED);
    else if (library->unusual != NULL)
        atomic_fetch_and(library->unusual, ~(uint32_t)OB_UNUSUAL_OBSERVED);
}

void libraries_observe(bool on) {
    pthread_mutex_lock(&lock);
    observed = on;
    for (uint32_t at = 0; at < LIBRARIES && libraries[at] != NULL; at++)
        observe(libraries[at]);
    pthread_mutex_unlock(&lock);
}

void ob_register(const ob_library *library) {
    pthread_mutex_lock(&lock);
    uint32_t at = 0;
    while (at < LIBRARIES && libraries[at] != NULL && libraries[at] != library)
        at++;
    if (at < LIBRARIES)
        libraries[at] = library;
    if (observed)
        observe(library);
    pthread_mutex_unlock(&lock);
}

const ob_library *library_at(uint32_t index) {
    pthread_mutex_lock(&lock);
    const ob_library *library = index < LIBRARIES ? libraries[index] : NULL;
    pthread_mutex_unlock(&lock);
    return library;
}

void put_library(uint8_t to[HELLO_ENTRY_END], const ob_library *library) {
    memset(to, 0, HELLO_ENTRY_END);
    memcpy(to, library->name, strnlen(library->name, NAME - 1));
    memcpy(to + AT_HELLO_ENTRY_NUMBER, &library->id, sizeof library->id);
    memcpy(to + AT_HELLO_ENTRY_LEVEL, &library->level, sizeof library->level);
    memcpy(to + AT_HELLO_ENTRY_DIGEST, library->digest, sizeof library->digest);
}

static uint32_t get32(const uint8_t *from) {
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

/* Returns the bytes of one entry, 0 if it is malformed. */
static uint32_t take_library(const uint8_t *from, uint32_t bytes, served *to) {
    uint32_t words = bytes < WELCOME_ENTRY_END ? WORDS + 1 : get32(from + AT_WELCOME_ENTRY_WORDS);
    if (words > WORDS || words * 8 > bytes - WELCOME_ENTRY_END || memchr(from, '\0', NAME) == NULL)
        return 0;
    *to = (served){.id = get32(from + AT_WELCOME_ENTRY_NUMBER),
                   .words = words,
                   .calls = malloc(words * 8 + 1)};
    memcpy(to->name, from, NAME);
    if (to->calls == NULL)
        return 0;
    memcpy(to->calls, from + WELCOME_ENTRY_END, words * 8);
    return WELCOME_ENTRY_END + words * 8;
}

/* Of a greeting before, which did not succeed. */
static void forget_libraries(struct served_libraries *own) {
    for (; own->count > 0; own->count--)
        free(own->all[own->count - 1].calls);
}

bool backend_libraries(session *s, const uint8_t *from, uint32_t bytes, uint32_t count) {
    struct served_libraries *own = s->libraries;
    forget_libraries(own);
    for (; count > 0; count--) {
        served one;
        uint32_t taken = take_library(from, bytes, &one);
        if (taken == 0)
            return false;
        from += taken;
        bytes -= taken;
        if (own->count < LIBRARIES)
            own->all[own->count++] = one;
        else
            free(one.calls);
    }
    return true;
}

/* Names are compared once. */
static bool is(served *one, const ob_library *library) {
    if (atomic_load_explicit(&one->library, memory_order_relaxed) == library)
        return true;
    bool same = one->id == library->id && strcmp(one->name, library->name) == 0;
    if (same)
        atomic_store_explicit(&one->library, library, memory_order_relaxed);
    return same;
}

static const served *served_by_backend(session *s, const ob_library *library) {
    struct served_libraries *own = s->libraries;
    uint32_t count = atomic_load_explicit(&own->count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++)
        if (is(&own->all[i], library))
            return &own->all[i];
    return NULL;
}

bool backend_has(session *s, const ob_library *library, uint32_t call) {
    const served *one = served_by_backend(s, library);
    return one != NULL && call / 64 < one->words && (one->calls[call / 64] >> call % 64 & 1) != 0;
}

bool ob_backend_has(const ob_library *library, uint32_t call) {
    return backend_has(session_here(), library, call);
}

/* ---- libraries that came after the greeting -------------------------------------------------- */

bool library_known(session *s, const ob_library *library) {
    return served_by_backend(s, library) != NULL;
}

bool libraries_full(const session *s) { return s->libraries->count == LIBRARIES; }

/* One that the backend lacks is kept with no calls, so that it is asked for once. */
void library_add(session *s, const ob_library *library, const uint8_t *from, uint32_t bytes) {
    served one = {.id = library->id};
    if (from == NULL || take_library(from, bytes, &one) == 0)
        one = (served){.id = library->id};
    memcpy(one.name, library->name, strnlen(library->name, NAME - 1));
    s->libraries->all[s->libraries->count] = one;
    atomic_fetch_add_explicit(&s->libraries->count, 1, memory_order_release);
}

void libraries_forget(void) { lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; }
