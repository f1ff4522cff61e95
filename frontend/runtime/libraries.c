/* SPDX-License-Identifier: Apache-2.0
 *
 * The libraries of this process, and which of their calls the backend has.
 */
#include "internal.h"

#include <stdlib.h>

enum { LIBRARIES = 16, NAME = 24, ENTRY = 40, WORDS = 1024 };

typedef struct served {
    char name[NAME];
    uint32_t id, words;
    uint64_t *calls;
} served;

/* Not the session's lock: constructors run while the loader is locked, and connecting may load objects. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const ob_library *libraries[LIBRARIES];

/* Written before the session opens. */
static served backend[LIBRARIES];
static uint32_t backend_count;

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
    while (backend_count > 0)
        free(backend[--backend_count].calls);
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

bool ob_backend_has(const ob_library *library, uint32_t call) {
    for (uint32_t i = 0; i < backend_count; i++)
        if (backend[i].id == library->id && strcmp(backend[i].name, library->name) == 0)
            return call / 64 < backend[i].words && (backend[i].calls[call / 64] >> call % 64 & 1) != 0;
    return false;
}
