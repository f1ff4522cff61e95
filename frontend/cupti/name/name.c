/* SPDX-License-Identifier: Apache-2.0
 *
 * The profiling library under one of the names by which programs ask for it. It is loaded into
 * every process that is run with Outboard, as a program that has CUPTI along a path of its own
 * takes what is loaded already: so it needs no other library, not even the C library, and loads the
 * one that does the work when it is first called. No function has more than eight arguments, nor
 * one that is no integer or pointer; those that a caller has not given are looked at by nobody.
 */
#include <stddef.h>
#include <stdint.h>

enum { LAZY = 1, INVALID_PARAMETER = 1, NOT_INITIALIZED = 15 };

typedef int64_t function(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);

/* Absent before glibc 2.34 where nothing has loaded libdl: then nobody calls either. */
extern void *dlopen(const char *file, int flags) __attribute__((weak, visibility("default")));
extern void *dlsym(void *library, const char *name) __attribute__((weak, visibility("default")));

static function *find(function **known, const char *name) {
    function *found = __atomic_load_n(known, __ATOMIC_ACQUIRE);
    if (found != NULL || dlopen == NULL || dlsym == NULL)
        return found;
    void *library = dlopen("liboutboard-cupti.so", LAZY);
    if (library != NULL) {
        void *symbol = dlsym(library, name);
        found = (function *)(uintptr_t)symbol;
        __atomic_store_n(known, found, __ATOMIC_RELEASE);
    }
    return found;
}

#define FUNCTION(name)                                                                             \
    extern int64_t name(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f,          \
                        int64_t g, int64_t h) __attribute__((visibility("default")));              \
    int64_t name(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g,      \
                 int64_t h) {                                                                      \
        static function *known;                                                                    \
        function *found = find(&known, #name);                                                     \
        return found != NULL ? found(a, b, c, d, e, f, g, h) : NOT_INITIALIZED;                    \
    }
#include "functions.h"

/* NVTX calls it, in the library that NVTX_INJECTION64_PATH names; 1 is success. */
extern int32_t InitializeInjectionNvtx2(void *tables) __attribute__((visibility("default")));
int32_t InitializeInjectionNvtx2(void *tables) {
    return cuptiNvtxInitialize2((int64_t)(intptr_t)tables, 0, 0, 0, 0, 0, 0, 0) == 0;
}

/* For a backend that looks for the vendor's. */
extern const char outboard_cupti __attribute__((visibility("default")));
const char outboard_cupti = 1;

extern int32_t cuptiGetVersion(uint32_t *version) __attribute__((visibility("default")));
int32_t cuptiGetVersion(uint32_t *version) {
    if (version == NULL)
        return INVALID_PARAMETER;
    *version = LIBRARY_VERSION;
    return 0;
}
