/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's calls: the outermost one of a thread takes a number, which is that of all that it
 * causes, and is recorded when it returns. Calls of the driver come from our entries, those of the
 * runtime from the runtime itself.
 */
#include "profile.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FUNCTIONS = OB_RUNTIME_FUNCTIONS };

/* cuda/callbacks.tsv */
enum {
    LAUNCH = 307,
    LAUNCH_PTSZ = 442,
    LAUNCH_COOPERATIVE = 477,
    LAUNCH_COOPERATIVE_PTSZ = 478,
    LAUNCH_EX = 652,
    LAUNCH_EX_PTSZ = 653,
};

/* A call of the runtime, as the runtime describes it (seen with cudart 11.8, 12.4 and 13.0). */
typedef struct runtime_call {
    uint64_t size, context_number, stream_number, unknown;
    uint64_t *data;
    int32_t *result;
    const char *name;
    const void *arguments;
    void *context, *stream;
    uint32_t function, site;
    const char *symbol;
} runtime_call;

_Static_assert(offsetof(runtime_call, data) == 0x20 && offsetof(runtime_call, context) == 0x40 &&
                   offsetof(runtime_call, symbol) == 0x58,
               "as the runtime has it");

/* The outermost call of a thread that is under way. */
typedef struct current {
    uint32_t depth;             /* with those in it; 0: there is none */
    uint32_t epoch;             /* of an earlier watch: its end may not have been told */
    uint32_t correlation;
    uint64_t begun;
    bool calls_back;            /* the subscriber runs */
} current;

static _Thread_local current mine;
static _Atomic uint32_t epoch, correlations, thread_type;
static _Atomic bool off[2][FUNCTIONS];          /* not to be recorded */

uint32_t thread_number(void) {
    return atomic_load_explicit(&thread_type, memory_order_relaxed) == 1
               ? (uint32_t)syscall(SYS_gettid)
               : (uint32_t)(uintptr_t)pthread_self();
}

static _Atomic bool *choice(enum kind kind, uint32_t function) {
    return function < FUNCTIONS ? &off[kind == KIND_RUNTIME][function] : NULL;
}

static bool is_chosen(enum kind kind, uint32_t function) {
    const _Atomic bool *excluded = choice(kind, function);
    return excluded != NULL && !atomic_load_explicit(excluded, memory_order_relaxed);
}

CUptiResult calls_choose(enum kind kind, uint32_t function, bool on) {
    _Atomic bool *excluded = choice(kind, function);
    if (excluded == NULL)
        return INVALID_PARAMETER;
    atomic_store(excluded, !on);
    return SUCCESS;
}

void calls_choose_all(enum kind kind) {
    for (uint32_t function = 0; function < FUNCTIONS; function++)
        atomic_store(&off[kind == KIND_RUNTIME][function], false);
}

/* ---- begin and end --------------------------------------------------------------------------- */

static void begins(void) {
    uint32_t now = atomic_load_explicit(&epoch, memory_order_relaxed);
    if (mine.epoch != now)
        mine = (current){.epoch = now};
    if (mine.depth++ > 0)
        return;
    mine.correlation = atomic_fetch_add_explicit(&correlations, 1, memory_order_relaxed) + 1;
    mine.begun = clock_now();
    ob_note_for(&(ob_note){.number = mine.correlation, .begun = mine.begun});
}

static void put(enum kind kind, uint32_t function, int32_t result) {
    if (!buffers_wanted() || !is_chosen(kind, function))
        return;
    if (activity_is_on(KIND_EXTERNAL_CORRELATION))
        correlation_put(mine.correlation);
    if (!activity_is_on(kind))
        return;
    api_record record = {
        .kind = kind,
        .function = function,
        .start = mine.begun,
        .end = clock_now(),
        .process = (uint32_t)getpid(),
        .thread = thread_number(),
        .correlation = mine.correlation,
        .result = (uint32_t)result,
    };
    buffers_put(&record, sizeof record);
}

/* One whose begin came before the watch is not recorded. */
static bool is_current(void) {
    return mine.epoch == atomic_load_explicit(&epoch, memory_order_relaxed) && mine.depth > 0;
}

static void ends(enum kind kind, uint32_t function, int32_t result) {
    if (!is_current())
        return;
    if (--mine.depth > 0)
        return;
    ob_note_for(&(ob_note){0});
    put(kind, function, result);
}

/* ---- the subscriber -------------------------------------------------------------------------- */

/* Its own calls are not told to it. */
static void call_back(enum domain domain, uint32_t function, callback_data *data) {
    if (mine.calls_back || !callbacks_wanted(domain, function))
        return;
    mine.calls_back = true;
    data->correlation = mine.correlation;
    callbacks_call(domain, function, data);
    mine.calls_back = false;
}

/* The name of the kernel that a call launches; NULL for other calls. */
static const char *symbol_of(const ob_observed *call) {
    const ob_devices *devices = ob_devices_known();
    const void *const *arguments = call->arguments;
    switch (call->function) {
    case LAUNCH:
    case LAUNCH_PTSZ:
    case LAUNCH_COOPERATIVE:
    case LAUNCH_COOPERATIVE_PTSZ: return devices != NULL ? devices->name_of(arguments[0]) : NULL;
    case LAUNCH_EX:
    case LAUNCH_EX_PTSZ: return devices != NULL ? devices->name_of(arguments[1]) : NULL;
    default: return NULL;
    }
}

static void tell_driver(ob_observed *call, uint32_t site) {
    if (mine.calls_back || !callbacks_wanted(DOMAIN_DRIVER, call->function))
        return;
    call_back(DOMAIN_DRIVER, call->function,
              &(callback_data){
                  .site = site,
                  .function = call->name,
                  .arguments = call->arguments,
                  .result = &call->result,
                  .symbol = symbol_of(call),
                  .context = call->context,
                  .context_number = number_of_context(call->context),
                  .data = &call->data,
              });
}

static void tell_runtime(uint32_t function, const runtime_call *call) {
    call_back(DOMAIN_RUNTIME, function,
              &(callback_data){
                  .site = call->site,
                  .function = call->name,
                  .arguments = call->arguments,
                  .result = call->result,
                  .symbol = call->symbol,
                  .context = call->context,
                  .context_number = (uint32_t)call->context_number,
                  .data = call->data,
              });
}

/* ---- what is told of calls ------------------------------------------------------------------- */

static void driver_enters(ob_observed *call) {
    begins();
    tell_driver(call, 0);
    waits_enter(call);
}

static void driver_leaves(ob_observed *call) {
    if (is_current())
        waits_leave(call, mine.correlation);
    tell_driver(call, 1);
    ends(KIND_DRIVER, call->function, call->result);
    timeline_after(call->function, call->result);
}

static void runtime_called(uint32_t function, void *record) {
    const runtime_call *call = record;
    if (call->size < sizeof *call)
        return;
    if (call->site == 0)
        begins();
    tell_runtime(function, call);
    if (call->site != 0)
        ends(KIND_RUNTIME, function, call->result != NULL ? *call->result : 0);
}

static const ob_tool tool = {driver_enters, driver_leaves, runtime_called};

bool calls_watch(bool observed, bool noted) {
    static _Atomic bool was;
    if (!ob_notes(noted))
        return false;
    if (atomic_exchange(&was, observed) == observed)
        return true;
    if (observed)
        atomic_fetch_add(&epoch, 1);
    ob_observe(&tool, observed);
    return true;
}

/* ---- the functions --------------------------------------------------------------------------- */

CUptiResult cuptiActivityEnableRuntimeApi(uint32_t function, uint8_t enable) {
    return calls_choose(KIND_RUNTIME, function, enable != 0);
}

CUptiResult cuptiActivityEnableDriverApi(uint32_t function, uint8_t enable) {
    return calls_choose(KIND_DRIVER, function, enable != 0);
}

/* CUpti_ActivityThreadIdType: 0 as pthreads have it, 1 as the system */
CUptiResult cuptiSetThreadIdType(uint32_t type) {
    if (type > 1)
        return INVALID_PARAMETER;
    atomic_store(&thread_type, type);
    return SUCCESS;
}

CUptiResult cuptiGetThreadIdType(uint32_t *type) {
    if (type == NULL)
        return INVALID_PARAMETER;
    *type = atomic_load(&thread_type);
    return SUCCESS;
}
