/* SPDX-License-Identifier: Apache-2.0
 *
 * Waits of the program, and the events that it records: each is a call of the driver, and takes as
 * long as that. A wait for an event names the latest record of that event.
 */
#include "profile.h"

#include <pthread.h>

/* CUpti_ActivitySynchronizationType */
enum type { NO_WAIT = 0, EVENT = 1, STREAM_FOR_EVENT = 2, STREAM = 3, CONTEXT = 4, RECORD };

/* CUPTI_SYNCHRONIZATION_INVALID_VALUE */
#define NOTHING UINT32_MAX

enum { EVENTS = 4096 };

/* Of functions of the driver (cuda/callbacks.tsv), and the places of their arguments from 1 on. */
static const struct function {
    uint32_t number;
    enum type type;
    uint8_t stream, event, context;
    bool per_thread;
} functions[] = {
    {17, CONTEXT, 0, 0, 0, false},            {800, CONTEXT, 0, 0, 1, false},
    {121, EVENT, 0, 1, 0, false},             {126, STREAM, 1, 0, 0, false},
    {440, STREAM, 1, 0, 0, true},             {295, STREAM_FOR_EVENT, 1, 2, 0, false},
    {436, STREAM_FOR_EVENT, 1, 2, 0, true},   {119, RECORD, 2, 1, 0, false},
    {441, RECORD, 2, 1, 0, true},             {587, RECORD, 2, 1, 0, false},
    {588, RECORD, 2, 1, 0, true},
};

static _Atomic bool failed_too;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Under the lock: the latest record of each event, where another event has not its place. */
static struct {
    const void *event;
    uint64_t record;
} latest[EVENTS];
static uint64_t records;

static const struct function *function_of(uint32_t number) {
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i].number == number)
            return &functions[i];
    return NULL;
}

static bool is_wanted(void) {
    return activity_is_on(KIND_SYNCHRONIZATION) || activity_is_on(KIND_CUDA_EVENT);
}

static const void *argument(const ob_observed *call, uint8_t place) {
    return place == 0 ? NULL : ((const void *const *)call->arguments)[place - 1];
}

static size_t place_of(const void *event) {
    return (size_t)(((uint64_t)(uintptr_t)event * UINT64_C(0x9e3779b97f4a7c15)) >> 52);
}

static uint64_t record_of(const void *event) {
    size_t at = place_of(event);
    pthread_mutex_lock(&lock);
    uint64_t record = latest[at].event == event ? latest[at].record : 0;
    pthread_mutex_unlock(&lock);
    return record;
}

static uint64_t new_record(const void *event) {
    size_t at = place_of(event);
    pthread_mutex_lock(&lock);
    uint64_t record = ++records;
    latest[at].event = event;
    latest[at].record = record;
    pthread_mutex_unlock(&lock);
    return record;
}

static uint32_t event_number(const void *event) { return (uint32_t)(uintptr_t)event; }

static uint32_t stream_of(const struct function *its, const ob_observed *call) {
    uint32_t number = NOTHING;
    if (its->stream != 0 && number_of_stream(call->context, argument(call, its->stream),
                                             its->per_thread, &number) != SUCCESS)
        return NOTHING;
    return number;
}

static void put_event(const struct function *its, const ob_observed *call, uint32_t correlation) {
    uint32_t device = 0;
    const void *event = argument(call, its->event);
    if (call->result != 0)
        return;
    uint64_t record = new_record(event);
    if (!activity_is_on(KIND_CUDA_EVENT))
        return;
    cuptiGetDeviceId(call->context, &device);
    event_record one = {
        .kind = KIND_CUDA_EVENT,
        .correlation = correlation,
        .context = number_of_context(call->context),
        .stream = stream_of(its, call),
        .event = event_number(event),
        .device = device,
        .record = record,
    };
    buffers_put(&one, sizeof one);
}

static void put_wait(const struct function *its, const ob_observed *call, uint32_t correlation) {
    const void *event = argument(call, its->event);
    const void *context = its->context != 0 ? argument(call, its->context) : call->context;
    if (call->result != 0 && !atomic_load(&failed_too))
        return;
    wait_record one = {
        .kind = KIND_SYNCHRONIZATION,
        .type = its->type,
        .start = call->begun,
        .end = clock_now(),
        .correlation = correlation,
        .context = number_of_context(context),
        .stream = stream_of(its, call),
        .event = its->event != 0 ? event_number(event) : NOTHING,
        .event_record = its->event != 0 ? record_of(event) : NOTHING,
        .result = (uint32_t)call->result,
    };
    buffers_put(&one, sizeof one);
}

void waits_enter(ob_observed *call) {
    call->begun = is_wanted() && function_of(call->function) != NULL ? clock_now() : 0;
}

void waits_leave(const ob_observed *call, uint32_t correlation) {
    const struct function *its = call->begun != 0 ? function_of(call->function) : NULL;
    if (its == NULL || !buffers_wanted())
        return;
    if (its->type == RECORD)
        put_event(its, call, correlation);
    else if (activity_is_on(KIND_SYNCHRONIZATION))
        put_wait(its, call, correlation);
}

CUptiResult cuptiActivityEnableAllSyncRecords(uint8_t enable) {
    atomic_store(&failed_too, enable != 0);
    return SUCCESS;
}
