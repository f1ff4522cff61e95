/* SPDX-License-Identifier: Apache-2.0
 *
 * Result codes and their names, and what is kept of answers: facts that stay, and answers that hold
 * until something is changed. Numbers and layouts, here and in the other folders: CUDA Driver API
 * reference, 13.0.
 */
#ifndef OUTBOARD_CUDA_FACTS_H
#define OUTBOARD_CUDA_FACTS_H

#include "cuda.remote.h"
#include "base/glibc.h"

#include <pthread.h>
#include <stdatomic.h>

#pragma GCC visibility push(hidden)

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_ALREADY_MAPPED = 208,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_OPERATING_SYSTEM = 304,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_ILLEGAL_STATE = 401,
    CUDA_ERROR_LOSSY_QUERY = 402,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
    CUDA_ERROR_NOT_PERMITTED = 800,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904,
    CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906,
    CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908,
    CUDA_ERROR_UNKNOWN = 999,
};

/* ---- facts.c: facts about handles, kept for the life of the process -------------------------- */

typedef struct known_entry known_entry;
typedef struct known_table {
    _Atomic(known_entry *) heads[1 << 12];
} known_table;

const void *known_find(const known_table *table, uint64_t handle); /* NULL if there is none */
/* Keeps a copy; returns it (or the one that another thread kept first), NULL if memory ran out. */
const void *known_keep(known_table *table, uint64_t handle, const void *fact, size_t bytes);

/* ---- remembered.c: answers that hold until something is changed ------------------------------ */

/* Keys that change together have the same group; 0 for none. Where it is the key itself, the
 * answers end with a change of that alone. */
typedef cuda_topic topic;
/* Compared byte by byte. */
typedef cuda_question question;

/* The ticket is for remember(), which keeps nothing if there has been a change since. */
bool remembered(const topic *about, const question *asked, int64_t *value, uint32_t *ticket);
void remember(const topic *about, const question *asked, int64_t value, uint32_t ticket);
/* Answers that came unasked: they are kept if nothing has been asked or changed of this yet. */
void remember_first(const topic *about, const question asked[], const int64_t values[], int count);
/* Something has been changed: `made`, if not NULL, to the value. */
void remember_change(const topic *about, const question *made, int64_t value);
/* A context, a module or a library is about to end, or has. */
void remember_end(void);

/* ---- unusual.c: what is not as usual in this process ----------------------------------------- */

enum {
    UNUSUAL_BEFORE = 1,         /* cuInit has not succeeded */
    UNUSUAL_END = 2,            /* the process exits */
    UNUSUAL_FORKED = 4,         /* this is a child of the one that initialised the driver */
    UNUSUAL_CAPTURES = 8,       /* some have begun and not ended */
    UNUSUAL_CALLBACKS = 16,     /* streams may call functions of the program */
    UNUSUAL_CONTEXTS = 32,      /* a thread may have one current that is not there (any more) */
    UNUSUAL_KEPT = 64,          /* memory that streams have freed is not the device's yet */
};

void unusual_begins(uint32_t what);
void unusual_ends(uint32_t what);
bool unusual_is(uint32_t what);
/* The function that gives such memory back, before calls that are to find it free. */
void unusual_give_back_with(void (*all)(void));
void unusual_give_back(void);

#pragma GCC visibility pop

#endif
