/* SPDX-License-Identifier: Apache-2.0
 *
 * Context-local storage: libraries keep a value with a context under a key of their own, and look
 * it up in nearly every call. So each thread remembers its last answer, which holds until anything
 * is stored or removed anywhere.
 */
#include "device/device.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct item {
    CUcontext context;
    void *key, *value;
    storage_destructor *destructor;
} item;

typedef struct answer {
    uint64_t version;           /* 0: none */
    CUcontext context;
    void *key, *value;
} answer;

/* A process has a few libraries and contexts: unsorted. */
static item *items;
static size_t count, capacity;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static _Atomic uint64_t version = 1;
static _Thread_local answer last;

static item *find(CUcontext context, const void *key) {
    for (size_t i = 0; i < count; i++)
        if (items[i].context == context && items[i].key == key)
            return &items[i];
    return NULL;
}

static item *grow(void) {
    if (count == capacity) {
        size_t larger = capacity == 0 ? 16 : capacity * 2;
        item *moved = realloc(items, larger * sizeof *moved);
        if (moved == NULL)
            return NULL;
        items = moved;
        capacity = larger;
    }
    return &items[count++];
}

static void begin_change(void) {
    pthread_rwlock_wrlock(&lock);
    atomic_fetch_add(&version, 1);
}

CUresult storage_put(CUcontext context, void *key, void *value, storage_destructor *destructor) {
    begin_change();
    item *one = find(context, key);
    if (one == NULL)
        one = grow();
    if (one != NULL)
        *one = (item){context, key, value, destructor};
    pthread_rwlock_unlock(&lock);
    return one != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult storage_delete(CUcontext context, void *key) {
    begin_change();
    item *one = find(context, key);
    if (one != NULL)
        *one = items[--count];
    pthread_rwlock_unlock(&lock);
    return one != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static bool look_up(answer *found) {
    pthread_rwlock_rdlock(&lock);
    const item *one = find(found->context, found->key);
    if (one != NULL) {
        found->value = one->value;
        found->version = atomic_load(&version);
    }
    pthread_rwlock_unlock(&lock);
    return one != NULL;
}

CUresult storage_get(void **value, CUcontext context, void *key) {
    if (last.version != atomic_load_explicit(&version, memory_order_acquire) ||
        last.context != context || last.key != key) {
        answer found = {.context = context, .key = key};
        if (!look_up(&found))
            return CUDA_ERROR_INVALID_HANDLE;
        last = found;
    }
    *value = last.value;
    return CUDA_SUCCESS;
}

static bool take_one(CUcontext context, item *taken) {
    bool found = false;
    begin_change();
    for (size_t i = 0; i < count && !found; i++) {
        found = items[i].context == context;
        if (found) {
            *taken = items[i];
            items[i] = items[--count];
        }
    }
    pthread_rwlock_unlock(&lock);
    return found;
}

/* The destructors may call the driver, and this storage. */
void storage_end(CUcontext context) {
    item one;
    while (take_one(context, &one))
        if (one.destructor != NULL)
            one.destructor(one.context, one.key, one.value);
}
