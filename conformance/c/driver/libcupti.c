/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for the vendor's CUPTI beside the stand-in for its driver: records of what that does,
 * in CUPTI's forms, handed out on a thread of its own when they are flushed. Each piece of work has
 * a number of its own, and the top of the thread's stack goes with it.
 */
#include "../cupti.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SUCCESS = 0,
    INVALID_PARAMETER = 1,
    INVALID_OPERATION = 7,
    MAX_LIMIT_REACHED = 12,
    QUEUE_EMPTY = 18,
    MEMCPY = 1,
    MEMSET = 2,
    DRIVER = 4,
    KERNEL = 10,
    EXTERNAL = 39,
    KINDS = 64,
    DEPTH = 64,
};

#define EXPORTED extern __attribute__((visibility("default")))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*requested)(uint8_t **, size_t *, size_t *);
static void (*completed)(void *, uint32_t, uint8_t *, size_t, size_t);
static bool on[KINDS];
static uint8_t *buffer;
static size_t size, used, lost;
static uint32_t numbers = 1000;
static _Thread_local uint64_t stack[DEPTH];
static _Thread_local int depth;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void *hand_out(void *unused) {
    (void)unused;
    completed(NULL, 0, buffer, size, used);
    buffer = NULL;
    return NULL;
}

/* On a thread of its own, as the vendor's does. */
static void flush(void) {
    pthread_t thread;
    if (buffer != NULL && pthread_create(&thread, NULL, hand_out, NULL) == 0)
        pthread_join(thread, NULL);
}

static void put(uint32_t kind, const void *record, size_t bytes) {
    size_t most = 0;
    if (!on[kind])
        return;
    if (buffer != NULL && size - used < bytes)
        flush();
    if (buffer == NULL) {
        used = 0;
        requested(&buffer, &size, &most);
    }
    if (buffer == NULL) {
        lost++;
        return;
    }
    memcpy(buffer + used, record, bytes);
    used += bytes;
}

static void observe(int kind, const char *name, const unsigned int shape[6], uint64_t bytes,
                    int copy_or_value) {
    pthread_mutex_lock(&lock);
    uint32_t number = ++numbers;
    uint64_t time = now();
    if (depth > 0 && on[DRIVER])
        put(EXTERNAL, &(external){EXTERNAL, 3, stack[depth - 1], number, 0}, sizeof(external));
    if (kind == KERNEL) {
        kernel one = {.kind = KERNEL, .registers = 16, .start = time, .end = time + 1,
                      .context = 1, .stream = 7, .correlation = number, .name = name};
        memcpy(one.grid, shape, sizeof one.grid);
        memcpy(one.block, shape + 3, sizeof one.block);
        put(KERNEL, &one, sizeof one);
    } else if (kind == MEMCPY) {
        put(MEMCPY,
            &(copy){.kind = MEMCPY, .copy_kind = (uint8_t)copy_or_value,
                    .source = copy_or_value == 1 ? 2 : 3, .target = copy_or_value == 2 ? 2 : 3,
                    .bytes = bytes, .start = time, .end = time + 1, .context = 1, .stream = 7,
                    .correlation = number},
            sizeof(copy));
    } else {
        put(MEMSET,
            &(fill){.kind = MEMSET, .value = (uint32_t)copy_or_value, .bytes = bytes,
                    .start = time, .end = time + 1, .context = 1, .stream = 7,
                    .correlation = number, .memory = 3},
            sizeof(fill));
    }
    pthread_mutex_unlock(&lock);
}

/* ---- the functions --------------------------------------------------------------------------- */

EXPORTED int cuptiGetVersion(uint32_t *version);
EXPORTED int cuptiActivityRegisterCallbacks(void *give, void *take);
EXPORTED int cuptiActivityEnable(uint32_t kind);
EXPORTED int cuptiActivityDisable(uint32_t kind);
EXPORTED int cuptiActivityEnableDriverApi(uint32_t function, uint8_t enable);
EXPORTED int cuptiActivityPushExternalCorrelationId(uint32_t kind, uint64_t id);
EXPORTED int cuptiActivityPopExternalCorrelationId(uint32_t kind, uint64_t *last);
EXPORTED int cuptiActivityFlushAll(uint32_t flags);
EXPORTED int cuptiActivityGetNextRecord(uint8_t *from, size_t valid, void **record);
EXPORTED int cuptiGetTimestamp(uint64_t *time);
EXPORTED int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *dropped);
EXPORTED int cuptiGetContextId(void *context, uint32_t *number);
EXPORTED int cuptiGetStreamIdEx(void *context, void *stream, uint8_t per_thread, uint32_t *number);

int cuptiGetVersion(uint32_t *version) { return *version = 130000, SUCCESS; }

int cuptiActivityRegisterCallbacks(void *give, void *take) {
    requested = (void (*)(uint8_t **, size_t *, size_t *))give;
    completed = (void (*)(void *, uint32_t, uint8_t *, size_t, size_t))take;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    void **observer = driver != NULL ? dlsym(driver, "stand_in_observer") : NULL;
    if (observer == NULL)
        return INVALID_OPERATION;
    *observer = (void *)observe;
    return SUCCESS;
}

static int set(uint32_t kind, bool to) {
    if (kind >= KINDS)
        return INVALID_PARAMETER;
    pthread_mutex_lock(&lock);
    on[kind] = to;
    pthread_mutex_unlock(&lock);
    return SUCCESS;
}

int cuptiActivityEnable(uint32_t kind) { return set(kind, true); }
int cuptiActivityDisable(uint32_t kind) { return set(kind, false); }

int cuptiActivityEnableDriverApi(uint32_t function, uint8_t enable) {
    (void)function, (void)enable;
    return SUCCESS;
}

int cuptiActivityPushExternalCorrelationId(uint32_t kind, uint64_t id) {
    if (kind != 3 || depth == DEPTH)
        return INVALID_PARAMETER;
    stack[depth++] = id;
    return SUCCESS;
}

int cuptiActivityPopExternalCorrelationId(uint32_t kind, uint64_t *last) {
    (void)kind, (void)last;
    if (depth == 0)
        return QUEUE_EMPTY;
    depth--;
    return SUCCESS;
}

int cuptiActivityFlushAll(uint32_t flags) {
    (void)flags;
    pthread_mutex_lock(&lock);
    flush();
    pthread_mutex_unlock(&lock);
    return SUCCESS;
}

static size_t size_of(const void *record) {
    uint32_t kind;
    memcpy(&kind, record, sizeof kind);
    return kind == KERNEL ? sizeof(kernel) : kind == MEMCPY ? sizeof(copy)
                                         : kind == MEMSET   ? sizeof(fill)
                                                            : sizeof(external);
}

int cuptiActivityGetNextRecord(uint8_t *from, size_t valid, void **record) {
    uint8_t *next = *record == NULL ? from : (uint8_t *)*record + size_of(*record);
    if (next >= from + valid)
        return MAX_LIMIT_REACHED;
    *record = next;
    return SUCCESS;
}

/* As all records here have them. */
int cuptiGetContextId(void *context, uint32_t *number) {
    (void)context;
    return *number = 1, SUCCESS;
}

int cuptiGetStreamIdEx(void *context, void *stream, uint8_t per_thread, uint32_t *number) {
    (void)context, (void)stream, (void)per_thread;
    return *number = 7, SUCCESS;
}

int cuptiGetTimestamp(uint64_t *time) { return *time = now(), SUCCESS; }

int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *dropped) {
    (void)context, (void)stream;
    pthread_mutex_lock(&lock);
    *dropped = lost;
    lost = 0;
    pthread_mutex_unlock(&lock);
    return SUCCESS;
}
