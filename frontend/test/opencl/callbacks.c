/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the program that are told of an event, with a backend of this file: whether it asks
 * for the function, and what it answers then, is the case's. The sanitizers see what is freed
 * twice.
 */
#include "event/event.h"
#include "../check.h"

#include <stdlib.h>

enum { UNAVAILABLE = -5, NOT_SUPPORTED = -59, REFUSED = CL_INVALID_EVENT };

const ob_library ob_opencl = {.unavailable = UNAVAILABLE, .not_supported = NOT_SUPPORTED};

static object event = {.kind = OB_OPENCL_EVENT, .owners = 1};
static int asks, answers, told, status;

/* ---- the backend ----------------------------------------------------------------------------- */

static void (*registered)(void *);
static void *registered_data;

static void ask_for(void) {
    registered(registered_data);
    registered = NULL;
}

int32_t remote_clSetEventCallback(cl_event of, int at, void (*notify)(void *), void *data,
                                  uint32_t flags) {
    CHECK(of == (cl_event)(void *)&event && at == 0 && flags == 0);
    registered = notify;
    registered_data = data;
    if (asks)
        ask_for();
    return answers;
}

bool ob_callback_refused(const ob_library *library, int32_t result, void (*function)(void *),
                         void *data) {
    bool refused = result != 0 && result != library->unavailable;
    CHECK(!refused || (registered == function && registered_data == data));
    return refused;
}

int clGetEventInfo(cl_event of, int name, uint64_t size, void *value, uint64_t *size_ret) {
    (void)of, (void)name, (void)size, (void)value, (void)size_ret;
    return answers;
}

/* ---- what no case reaches, or is nothing here ------------------------------------------------ */

object *object_at(const void *address, uint64_t kinds) {
    return address == &event && (kinds & KIND_BIT(EVENT)) != 0 ? &event : NULL;
}
int clRetainEvent(cl_event of) { return of != NULL && event.owners++ > 0 ? CL_SUCCESS : REFUSED; }
int clReleaseEvent(cl_event of) { return of != NULL && event.owners-- > 0 ? CL_SUCCESS : REFUSED; }
int landings_arrive(int result) { return result; }

int32_t remote_clWaitForEvents(int count, const cl_event *events, uint32_t flags) {
    (void)count, (void)events, (void)flags;
    abort();
}

int32_t remote_outboardWaitTimed(cl_event of, uint64_t *times, uint32_t flags) {
    (void)of, (void)times, (void)flags;
    abort();
}

int32_t remote_clGetEventProfilingInfo(cl_event of, int name, uint64_t size, void *value,
                                       uint64_t *size_ret, uint32_t flags) {
    (void)of, (void)name, (void)size, (void)value, (void)size_ret, (void)flags;
    abort();
}

bool object_remember(object *o, uint32_t name, const void *value, size_t size) {
    (void)o, (void)name, (void)value, (void)size;
    abort();
}

bool object_recall(object *o, uint32_t name, void *value, size_t room) {
    (void)o, (void)name, (void)value, (void)room;
    abort();
}

int info_give(const void *from, size_t bytes, size_t size, void *value, size_t *size_ret) {
    (void)from, (void)bytes, (void)size, (void)value, (void)size_ret;
    abort();
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void note(cl_event of, int now, void *data) {
    CHECK(of == (cl_event)(void *)&event && data == &told);
    status = now;
    told++;
}

static int set(void) { return clSetEventCallback((cl_event)(void *)&event, 0, note, &told); }

static void one_that_runs_later_keeps_the_event_until_then(void) {
    CHECK(set() == CL_SUCCESS && told == 0 && event.owners == 2);
    ask_for();
    CHECK(told == 1 && status == 0 && event.owners == 1);
}

static void one_that_is_refused_leaves_nothing(void) {
    answers = REFUSED;
    CHECK(set() == REFUSED && told == 0 && event.owners == 1);
}

/* The backend asked for the function, and was lost before it answered. */
static void one_that_has_run_is_over_whatever_the_answer(void) {
    asks = 1;
    answers = UNAVAILABLE;
    CHECK(set() == UNAVAILABLE && told == 1 && status == UNAVAILABLE && event.owners == 1);
}

static const test_case CASES[] = {
    {"one-that-runs-later-keeps-the-event-until-then",
     one_that_runs_later_keeps_the_event_until_then},
    {"one-that-is-refused-leaves-nothing", one_that_is_refused_leaves_nothing},
    {"one-that-has-run-is-over-whatever-the-answer", one_that_has_run_is_over_whatever_the_answer},
    {NULL, NULL},
};

int main(int argc, char **argv) { return run_cases(CASES, argc, argv); }
