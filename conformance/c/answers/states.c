/* SPDX-License-Identifier: Apache-2.0
 * Puts a process into a state, and makes calls in it.
 */
#include "answers.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT_ROOM = 512, ARGUMENTS = 20, SUCCESS = 0 };

static const run *running;

/* ---- names that say what a function does ----------------------------------------------------- */

static bool has(const char *text, const char *part) { return strstr(text, part) != NULL; }

static bool has_any(const char *text, const char *const *parts) {
    for (; *parts != NULL; parts++)
        if (has(text, *parts))
            return true;
    return false;
}

/* A call that succeeds changes what is not an object of its own. */
static bool changes_device(const char *function) {
    static const char *const PARTS[] = {
        "cuCtxSet",    "cuCtxDestroy", "cuCtxCreate", "cuCtxP",     "cuCtxDetach",
        "cuDeviceSet", "PrimaryCtx",   "SetMemPool",  "PoolSet",    "cuProfiler",
        "PeerAccess",  "cuMemFree",    "cuMemHostUnregister",       "cuModuleUnload",
        NULL,
    };
    return has_any(function, PARTS);
}

static bool ends_objects(const char *function) {
    static const char *const PARTS[] = {"Destroy", "Unload",   "Release", "Reset",   "Free",
                                        "Detach",  "Complete", "Unmap",   "Unregister", NULL};
    return has_any(function, PARTS);
}

/* ---- one call -------------------------------------------------------------------------------- */

static int call_with_zeros(void *entry) {
    return ((int (*)(word, word, word, word, word, word, word, word, word, word, word, word))entry)(
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

static const char *function_name(const test_case *one) {
    const function_of_library *function = &FUNCTIONS[one->function];
    return one->state == PER_THREAD ? function->per_thread : function->name;
}

static int call(const test_case *one, const word *arguments) {
    const function_of_library *function = &FUNCTIONS[one->function];
    void *entry = driver_entry(function_name(one));
    return function->call == NULL ? call_with_zeros(entry) : (int)function->call(entry, arguments);
}

/* An innocent program's next calls: the first answer that is no success. */
static int innocent(void) {
    int result = CALL(cuCtxSynchronize);
    if (result == SUCCESS)
        result = CALL(cuMemsetD8_v2, object_memory(), 0, 4096);
    return result == SUCCESS ? CALL(cuCtxSynchronize) : result;
}

/* How a state is entered before a call, and left after it. */
typedef struct way {
    void (*enter)(const test_case *one);
    /* The answer to what comes after. */
    int (*leave)(const test_case *one, int result, const word *arguments);
    const char *label;
    int expected;
} way;

/* Of the last call. */
static int last_result;

static int run_one(size_t index, const way *way, const word *handles) {
    const test_case *one = &running->cases[index];
    const function_of_library *function = &FUNCTIONS[one->function];
    word arguments[ARGUMENTS];
    char written[TEXT_ROOM], answer[TEXT_ROOM + 64];
    arguments_make(one, arguments);
    for (int i = 0; handles != NULL && i < function->count; i++)
        if (function->parameters[i].role == HANDLE)
            arguments[i] = handles[i];
    running->begun(index);
    if (driver_entry(function_name(one)) == NULL) {
        running->ended(index, "absent");
        return way->expected;
    }
    way->enter(one);
    int result = call(one, arguments);
    last_result = result;
    arguments_written(one, arguments, written, sizeof written);
    int after = way->leave(one, result, arguments);
    int used = snprintf(answer, sizeof answer, "%d%s", result, written);
    if (after != way->expected)
        snprintf(answer + used, sizeof answer - (size_t)used, " %s=%d", way->label, after);
    running->ended(index, answer);
    return after;
}

/* ---- states of a thread ---------------------------------------------------------------------- */

static void enter_nothing(const test_case *one) { (void)one; }

static int leave_normal(const test_case *one, int result, const word *arguments) {
    (void)one, (void)result, (void)arguments;
    return innocent();
}

static void enter_no_context(const test_case *one) {
    (void)one;
    CALL(cuCtxSetCurrent, NULL);
}

static int leave_no_context(const test_case *one, int result, const word *arguments) {
    (void)one, (void)result, (void)arguments;
    return CALL(cuCtxSynchronize);
}

static void enter_other_context(const test_case *one) {
    (void)one;
    CALL(cuCtxSetCurrent, object_other_context());
}

/* ---- captures -------------------------------------------------------------------------------- */

static int began;
static pthread_t capturing_thread;
static pthread_barrier_t in_capture, to_end;
static int ended_by_thread;

static void begin(int mode) { began = CALL(cuStreamBeginCapture_v2, object_stream(), mode); }
static void enter_global(const test_case *one) {
    (void)one;
    begin(0);
}
static void enter_local(const test_case *one) {
    (void)one;
    begin(1);
}
static void enter_relaxed(const test_case *one) {
    (void)one;
    begin(2);
}

static int end(void) {
    CUgraph graph = NULL;
    if (began != SUCCESS)
        return -began;
    int result = CALL(cuStreamEndCapture, object_stream(), &graph);
    if (result == SUCCESS && graph != NULL)
        CALL(cuGraphDestroy, graph);
    return result;
}

static int leave_capture(const test_case *one, int result, const word *arguments) {
    (void)arguments;
    /* The stream is no more. */
    return result == SUCCESS && has(function_name(one), "StreamDestroy") ? SUCCESS : end();
}

static void *capture_in_thread(void *nothing) {
    CALL(cuCtxSetCurrent, object_context());
    begin(0);
    pthread_barrier_wait(&in_capture);
    pthread_barrier_wait(&to_end);
    ended_by_thread = end();
    return nothing;
}

static void enter_other_threads(const test_case *one) {
    (void)one;
    pthread_barrier_init(&in_capture, NULL, 2);
    pthread_barrier_init(&to_end, NULL, 2);
    if (pthread_create(&capturing_thread, NULL, capture_in_thread, NULL) != 0)
        abort();
    pthread_barrier_wait(&in_capture);
}

static int leave_other_threads(const test_case *one, int result, const word *arguments) {
    (void)one, (void)result, (void)arguments;
    pthread_barrier_wait(&to_end);
    pthread_join(capturing_thread, NULL);
    return ended_by_thread;
}

static const way WAYS[STATES] = {
    [NORMAL] = {enter_nothing, leave_normal, "after", 0},
    [PER_THREAD] = {enter_nothing, leave_normal, "after", 0},
    [NO_CONTEXT] = {enter_no_context, leave_no_context, "after", 201},
    [OTHER_CONTEXT] = {enter_other_context, leave_normal, "after", 0},
    [CAPTURED] = {enter_global, leave_capture, "end", 0},
    [BESIDE_CAPTURE] = {enter_global, leave_capture, "end", 0},
    [LOCAL_CAPTURE] = {enter_local, leave_capture, "end", 0},
    [RELAXED_CAPTURE] = {enter_relaxed, leave_capture, "end", 0},
    [OTHER_THREADS_CAPTURE] = {enter_other_threads, leave_other_threads, "end", 0},
};

/* A call may have begun a capture, or changed how captures are. */
static void end_captures(const test_case *one) {
    const char *function = function_name(one);
    if (has(function, "ExchangeStreamCaptureMode"))
        CALL(cuThreadExchangeStreamCaptureMode, &(int){0});
    if (!has(function, "BeginCapture"))
        return;
    CUgraph graph;
    const CUstream streams[] = {object_stream(), object_other_stream(), (CUstream)2};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        CALL(cuStreamEndCapture, streams[i], &graph);
}

/* Whether the process is as before, if need be with all objects made anew. */
static bool is_restored(const test_case *one) {
    const char *function = function_name(one);
    CUcontext current = NULL;
    end_captures(one);
    objects_forget_used(function);
    CALL(cuCtxGetCurrent, &current);
    if (current != object_context())
        CALL(cuCtxSetCurrent, object_context());
    bool changed = last_result == SUCCESS && changes_device(function);
    if (!changed && innocent() == SUCCESS)
        return true;
    return objects_renew() && innocent() == SUCCESS;
}

static void run_in_thread(void) {
    if (!objects_make())
        return;
    for (size_t i = running->from; i < running->to; i++) {
        const test_case *one = &running->cases[i];
        run_one(i, &WAYS[one->state], NULL);
        if (!is_restored(one))
            return;
    }
}

/* ---- before there is anything ---------------------------------------------------------------- */

static int leave_uninitialised(const test_case *one, int result, const word *arguments) {
    (void)one, (void)result, (void)arguments;
    return CALL(cuDeviceGetCount, &(int){0});
}

static void run_uninitialised(void) {
    static const way WAY = {enter_nothing, leave_uninitialised, "after", 3};
    for (size_t i = running->from; i < running->to; i++)
        if (run_one(i, &WAY, NULL) != WAY.expected)
            return;
}

/* ---- where no object can be made any more ---------------------------------------------------- */

/* Handles of each case, made in time. */
static word *kept;

static void keep_handles(void) {
    kept = calloc(running->to - running->from, ARGUMENTS * sizeof *kept);
    if (kept == NULL)
        abort();
    for (size_t i = running->from; i < running->to; i++) {
        const test_case *one = &running->cases[i];
        if (ends_objects(function_name(one)))
            objects_forget_used(function_name(one));
        arguments_make(one, kept + (i - running->from) * ARGUMENTS);
        if (ends_objects(function_name(one)))
            objects_forget_used(function_name(one));
    }
    objects_make_all();
}

static void run_kept(const way *way) {
    for (size_t i = running->from; i < running->to; i++) {
        const char *function = function_name(&running->cases[i]);
        int after = run_one(i, way, kept + (i - running->from) * ARGUMENTS);
        if (after != way->expected || (last_result == SUCCESS && has(function, "PrimaryCtx")))
            return;
    }
}

static void prepare_kept(void) {
    if (!objects_make_all())
        return;
    keep_handles();
    objects_freeze(true);
}

static int leave_stuck(const test_case *one, int result, const word *arguments) {
    (void)one, (void)result, (void)arguments;
    return CALL(cuCtxSynchronize);
}

static void run_after_fault(void) {
    static const way WAY = {enter_nothing, leave_stuck, "after", 700};
    prepare_kept();
    CALL(cuLaunchKernel, object_wild_kernel(), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
    CALL(cuCtxSynchronize);
    run_kept(&WAY);
}

static void run_in_child(void) {
    prepare_kept();
    /* What a driver says there is not known beforehand. */
    pid_t child = fork();
    if (child == 0) {
        way way = {enter_nothing, leave_stuck, "after", CALL(cuCtxSynchronize)};
        run_kept(&way);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
}

static bool in_destructor;

static void run_in_destructor(void) {
    prepare_kept();
    in_destructor = true;
    exit(0);
}

__attribute__((destructor)) static void run_at_the_end(void) {
    if (!in_destructor)
        return;
    way way = {enter_nothing, leave_stuck, "after", CALL(cuCtxSynchronize)};
    run_kept(&way);
}

/* ---- in a function that a stream calls ------------------------------------------------------- */

static size_t called;

static int leave_callback(const test_case *one, int result, const word *arguments) {
    (void)one, (void)result, (void)arguments;
    return SUCCESS;
}

static void in_callback(void *handles) {
    static const way WAY = {enter_nothing, leave_callback, "after", 0};
    run_one(called, &WAY, handles);
    /* The thread that calls such functions is the driver's, and serves the next one too. */
    CALL(cuCtxSetCurrent, NULL);
}

static void run_in_callback(void) {
    prepare_kept();
    for (called = running->from; called < running->to; called++) {
        const test_case *one = &running->cases[called];
        CALL(cuLaunchHostFunc, object_other_stream(), in_callback,
             kept + (called - running->from) * ARGUMENTS);
        if (CALL(cuStreamSynchronize, object_other_stream()) != SUCCESS || innocent() != SUCCESS ||
            (last_result == SUCCESS && has(function_name(one), "PrimaryCtx")))
            return;
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

void state_run(const run *run) {
    running = run;
    switch (run->cases[run->from].state) {
    case UNINITIALISED: run_uninitialised(); break;
    case AFTER_FAULT: run_after_fault(); break;
    case IN_CALLBACK: run_in_callback(); break;
    case IN_CHILD: run_in_child(); break;
    case IN_DESTRUCTOR: run_in_destructor(); break;
    default: run_in_thread(); break;
    }
}
