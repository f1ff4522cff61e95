/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers of what records and callbacks are about. Records of devices have those of where the
 * devices are, so the backend is asked, once for each object; while it records nothing they are
 * numbers of our own.
 */
#include "profile.h"

#include <pthread.h>

/* As RecordForm.java has them. */
enum what { CONTEXT = 0, STREAM = 1, GRAPH = 2, EXECUTABLE = 3, NODE = 4 };

enum { PLACES = 4096, DEFAULT_STREAM = 7 };

/* CUstream */
enum { LEGACY = 1, PER_THREAD = 2 };

typedef struct numbered {
    enum what what;
    const void *context, *object;
    uint64_t number;            /* 0: nothing is known here; NONE: it has none there */
} numbered;

#define NONE UINT64_MAX

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static numbered places[PLACES];    /* under the lock; one of another object gives way */

static numbered *place_of(enum what what, const void *context, const void *object) {
    uint64_t mixed = (uint64_t)(uintptr_t)object * UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= (uint64_t)(uintptr_t)context + (uint64_t)what;
    return &places[(mixed * UINT64_C(0x9e3779b97f4a7c15)) >> 52];
}

static uint64_t find(enum what what, const void *context, const void *object) {
    pthread_mutex_lock(&lock);
    const numbered *place = place_of(what, context, object);
    bool same = place->what == what && place->context == context && place->object == object;
    uint64_t number = same ? place->number : 0;
    pthread_mutex_unlock(&lock);
    return number;
}

static void keep(enum what what, const void *context, const void *object, uint64_t number) {
    pthread_mutex_lock(&lock);
    *place_of(what, context, object) = (numbered){what, context, object, number};
    pthread_mutex_unlock(&lock);
}

/* 0 where there is none. */
static uint64_t number_of(enum what what, const void *context, const void *object) {
    if (!activity_was_asked() || (context == NULL && object == NULL))
        return 0;
    uint64_t number = find(what, context, object);
    if (number == 0) {
        CUptiResult result = remote_outboardActivityNumber(
            (int)what, (int64_t)(intptr_t)context, (int64_t)(intptr_t)object, &number, OB_ORDERED);
        number = result == SUCCESS && number != 0 ? number : NONE;
        keep(what, context, object, number);
    }
    return number == NONE ? 0 : number;
}

static uint64_t own_number(const void *object) { return (uint32_t)(uintptr_t)object; }

/* ---- contexts and streams -------------------------------------------------------------------- */

CUptiResult cuptiGetDeviceId(void *context, uint32_t *device) {
    const ob_devices *devices = ob_devices_known();
    int found = devices != NULL ? devices->of_context(context) : -1;
    if (device == NULL || found < 0)
        return device == NULL ? INVALID_PARAMETER : INVALID_CONTEXT;
    *device = (uint32_t)found;
    return SUCCESS;
}

/* Where nobody records, the number is that of the device's primary context, which nearly all
 * programs have alone. */
CUptiResult cuptiGetContextId(void *context, uint32_t *number) {
    uint32_t device = 0;
    CUptiResult result = number == NULL ? INVALID_PARAMETER : cuptiGetDeviceId(context, &device);
    uint64_t known = result == SUCCESS ? number_of(CONTEXT, context, NULL) : 0;
    if (result == SUCCESS)
        *number = known != 0 ? (uint32_t)known : device + 1;
    return result;
}

uint32_t number_of_context(const void *context) {
    uint32_t number = 0;
    return cuptiGetContextId((void *)(uintptr_t)context, &number) == SUCCESS ? number : 0;
}

CUptiResult number_of_stream(const void *context, const void *stream, bool per_thread,
                             uint32_t *number) {
    uintptr_t its = (uintptr_t)stream;
    if (its == PER_THREAD || (per_thread && its == 0))
        return NOT_SUPPORTED;
    uint64_t known = number_of(STREAM, context, its == LEGACY ? NULL : stream);
    *number = known != 0      ? (uint32_t)known
              : its <= LEGACY ? (uint32_t)DEFAULT_STREAM
                              : (uint32_t)own_number(stream);
    return SUCCESS;
}

CUptiResult cuptiGetStreamIdEx(void *context, void *stream, uint8_t per_thread, uint32_t *number) {
    return number == NULL ? INVALID_PARAMETER
                          : number_of_stream(context, stream, per_thread != 0, number);
}

CUptiResult cuptiGetStreamId(void *context, void *stream, uint32_t *number) {
    return cuptiGetStreamIdEx(context, stream, 0, number);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static uint64_t number_of_part(enum what what, const void *object) {
    uint64_t known = number_of(what, NULL, object);
    return known != 0 ? known : own_number(object);
}

CUptiResult cuptiGetGraphId(void *graph, uint32_t *number) {
    if (graph == NULL || number == NULL)
        return INVALID_PARAMETER;
    *number = (uint32_t)number_of_part(GRAPH, graph);
    return SUCCESS;
}

CUptiResult cuptiGetGraphExecId(void *executable, uint32_t *number) {
    if (executable == NULL || number == NULL)
        return INVALID_PARAMETER;
    *number = (uint32_t)number_of_part(EXECUTABLE, executable);
    return SUCCESS;
}

CUptiResult cuptiGetGraphNodeId(void *node, uint64_t *number) {
    if (node == NULL || number == NULL)
        return INVALID_PARAMETER;
    *number = number_of_part(NODE, node);
    return SUCCESS;
}
