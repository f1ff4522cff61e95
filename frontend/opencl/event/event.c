/* SPDX-License-Identifier: Apache-2.0
 *
 * Events. When the program learns that one is over, what was read before is in its place.
 */
#include "event/event.h"

#include <stdlib.h>

enum {
    CL_COMPLETE = 0,
    CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3,
    CL_PROFILING_COMMAND_QUEUED = 0x1280,
    TIMES = 5,      /* CL_PROFILING_COMMAND_QUEUED to CL_PROFILING_COMMAND_COMPLETE */
};

/* ---- waits and times ------------------------------------------------------------------------- */

/* Remembered beside the answers that the specification has names for: an event's times; of a queue,
 * that the program asks for such. */
#define TIMES_KNOWN 0xF0000001u
#define TIMES_WANTED 0xF0000002u

static object *queue_of(const object *event) {
    return event->first != NULL && event->first->kind == OB_OPENCL_QUEUE ? event->first : NULL;
}

static bool wants_times(object *event) {
    object *queue = queue_of(event);
    bool wanted;
    return queue != NULL && object_recall(queue, TIMES_WANTED, &wanted, sizeof wanted);
}

/* A program that asks one event of a queue for its times asks each, so the times come with the end
 * of the wait. */
static int wait_timed(object *event) {
    uint64_t times[TIMES] = {0};
    int result = wants_times(event) ? remote_outboardWaitTimed((cl_event)(void *)event, times, 0)
                                    : ob_opencl.not_supported;
    if (result == CL_SUCCESS)
        object_remember(event, TIMES_KNOWN, times, sizeof times);
    return result;
}

int clWaitForEvents(int count, const cl_event *events) {
    object *only = count == 1 && events != NULL ? object_at(events[0], KIND_BIT(EVENT)) : NULL;
    int result = only != NULL ? wait_timed(only) : ob_opencl.not_supported;
    if (result == ob_opencl.not_supported)
        result = remote_clWaitForEvents(count, events, 0);
    return landings_arrive(result);
}

/* 0 if it is not known. */
static uint64_t known_time(object *event, int name) {
    uint64_t times[TIMES] = {0};
    unsigned int which = (unsigned int)name - CL_PROFILING_COMMAND_QUEUED;
    return which < TIMES && object_recall(event, TIMES_KNOWN, times, sizeof times) ? times[which]
                                                                                   : 0;
}

int clGetEventProfilingInfo(cl_event event, int name, uint64_t size, void *value,
                            uint64_t *size_ret) {
    object *o = object_at(event, KIND_BIT(EVENT));
    uint64_t known = o == NULL ? 0 : known_time(o, name);
    if (known != 0)
        return info_give(&known, sizeof known, size, value, size_ret);
    int result = remote_clGetEventProfilingInfo(event, name, size, value, size_ret, 0);
    if (result == CL_SUCCESS && queue_of(o) != NULL && !wants_times(o))
        object_remember(queue_of(o), TIMES_WANTED, &(bool){true}, sizeof(bool));
    return result;
}

/* ---- functions of the program ---------------------------------------------------------------- */

typedef struct told {
    void (*notify)(cl_event, int, void *);
    void *data;
    cl_event event;
    int status;
} told;

/* The backend tells that the event has come so far, not what has become of it. */
static void tell(void *data) {
    told *one = data;
    int32_t now = one->status;
    int result =
        one->status == CL_COMPLETE
            ? clGetEventInfo(one->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof now, &now, NULL)
            : CL_SUCCESS;
    if (result != CL_SUCCESS)
        now = result;
    one->notify(one->event, now < CL_COMPLETE ? now : one->status, one->data);
    clReleaseEvent(one->event);
    free(one);
}

int clSetEventCallback(cl_event event, int at, void (*notify)(cl_event, int, void *), void *data) {
    if (object_at(event, KIND_BIT(EVENT)) == NULL)
        return CL_INVALID_EVENT;
    if (notify == NULL || at < CL_COMPLETE || at > 2)
        return CL_INVALID_VALUE;
    told *one = malloc(sizeof *one);
    if (one == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    *one = (told){notify, data, event, at};
    clRetainEvent(event);
    int result = remote_clSetEventCallback(event, at, tell, one, 0);
    if (ob_callback_refused(&ob_opencl, result, tell, one)) {
        clReleaseEvent(event);
        free(one);
    }
    return result;
}
