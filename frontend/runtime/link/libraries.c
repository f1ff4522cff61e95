/* SPDX-License-Identifier: Apache-2.0
 *
 * The libraries of this process, and which of their calls the backend has.
 */
#include "link/link.h"

#include <stdlib.h>

enum { LIBRARIES = 16, NAME = 24, ENTRY = 40, WORDS = 1024 };

typedef struct served {
    _Atomic(const ob_library *) library; /* of this process, once one has been found to be it */
    char name[NAME];
    uint32_t id, words;
    uint64_t *calls;
} served;

/* Not the session's lock: constructors run while the loader is locked, and connecting may load objects. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const ob_library *libraries[LIBRARIES];

/* Entries are written before they are counted, and stay. */
static served backend[LIBRARIES];
static _Atomic uint32_t backend_count;

void ob_register(const ob_library *library) {
    pthread_mutex_lock(&lock);
    uint32_t at = 0;
    while (at < LIBRARIES && libraries[at] != NULL && libraries[at] != library)
        at++;
    if (at < LIBRARIES)
        libraries[at] = library;
    pthread_mutex_unlock(&lock);
}

const ob_library *library_at(uint32_t index) {
    pthread_mutex_lock(&lock);
    const ob_library *library = index < LIBRARIES ? libraries[index] : NULL;
    pthread_mutex_unlock(&lock);
    return library;
}

void put_library(uint8_t to[LIBRARY_ENTRY], const ob_library *library) {
    memset(to, 0, LIBRARY_ENTRY);
    memcpy(to, library->name, strnlen(library->name, NAME - 1));
    memcpy(to + 24, &library->id, sizeof library->id);
    memcpy(to + 28, &library->level, sizeof library->level);
    memcpy(to + 32, library->digest, sizeof library->digest);
}

static uint32_t get32(const uint8_t *from) {
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

/* Returns the bytes of one entry, 0 if it is malformed. */
static uint32_t take_library(const uint8_t *from, uint32_t bytes, served *to) {
    uint32_t words = bytes < ENTRY ? WORDS + 1 : get32(from + 32);
    if (words > WORDS || words * 8 > bytes - ENTRY || memchr(from, '\0', NAME) == NULL)
        return 0;
    *to = (served){.id = get32(from + 24), .words = words, .calls = malloc(words * 8 + 1)};
    memcpy(to->name, from, NAME);
    if (to->calls == NULL)
        return 0;
    memcpy(to->calls, from + ENTRY, words * 8);
    return ENTRY + words * 8;
}

/* Of a greeting before, which did not succeed. */
static void forget_libraries(void) {
    for (; backend_count > 0; backend_count--)
        free(backend[backend_count - 1].calls);
}

bool backend_libraries(const uint8_t *from, uint32_t bytes, uint32_t count) {
    forget_libraries();
    for (; count > 0; count--) {
        served one;
        uint32_t taken = take_library(from, bytes, &one);
        if (taken == 0)
            return false;
        from += taken;
        bytes -= taken;
        if (backend_count < LIBRARIES)
            backend[backend_count++] = one;
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

static const served *served_by_backend(const ob_library *library) {
    uint32_t count = atomic_load_explicit(&backend_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++)
        if (is(&backend[i], library))
            return &backend[i];
    return NULL;
}

bool ob_backend_has(const ob_library *library, uint32_t call) {
    const served *one = served_by_backend(library);
    return one != NULL && call / 64 < one->words && (one->calls[call / 64] >> call % 64 & 1) != 0;
}

/* ---- libraries that came after the greeting ----------------------------------------------------------------------- */

bool library_known(const ob_library *library) { return served_by_backend(library) != NULL; }

bool libraries_full(void) { return backend_count == LIBRARIES; }

/* One that the backend lacks is kept with no calls, so that it is asked for once. */
void library_add(const ob_library *library, const uint8_t *from, uint32_t bytes) {
    served one = {.id = library->id};
    if (from == NULL || take_library(from, bytes, &one) == 0)
        one = (served){.id = library->id};
    memcpy(one.name, library->name, strnlen(library->name, NAME - 1));
    backend[backend_count] = one;
    atomic_fetch_add_explicit(&backend_count, 1, memory_order_release);
}

void libraries_forget(void) {
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    backend_count = 0;
}
