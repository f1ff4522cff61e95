/* SPDX-License-Identifier: Apache-2.0
 * The cases: they follow from the table of functions.
 */
#include "answers.h"

enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS };

const char *const STATE_NAMES[STATES] = {
    [NORMAL] = "normal",
    [UNINITIALISED] = "uninitialised",
    [NO_CONTEXT] = "no-context",
    [OTHER_CONTEXT] = "other-context",
    [CAPTURED] = "captured",
    [BESIDE_CAPTURE] = "beside-capture",
    [LOCAL_CAPTURE] = "thread-local-capture",
    [RELAXED_CAPTURE] = "relaxed-capture",
    [OTHER_THREADS_CAPTURE] = "other-threads-capture",
    [AFTER_FAULT] = "after-fault",
    [PER_THREAD] = "per-thread",
    [IN_CALLBACK] = "callback",
    [IN_CHILD] = "forked-child",
    [IN_DESTRUCTOR] = "destructor",
};

static const char *const CLASS_NAMES[] = {
    [VALID] = "valid",        [IS_NULL] = "null",         [ZEROS] = "zeros",
    [ONES] = "ones",          [STRAY] = "stray",          [OTHER_KIND] = "other-kind",
    [ENDED] = "ended",        [LEGACY] = "legacy",        [THREADS_OWN] = "per-thread",
    [IS_ODD] = "odd",         [BEYOND] = "beyond",        [HUGE_VALUE] = "huge",
    [MOST] = "most",          [HOST] = "host",            [MANAGED] = "managed",
    [PAGE_LOCKED] = "locked", [EMPTY] = "empty",          [UNKNOWN] = "unknown",
};

/* Functions that reach beyond the process, or that put a machine's devices out of service. */
static const char *const NEVER[] = {"cuMulticast", "cuCheckpoint", "cuCoredump", "cuLogs",
                                    "cuEGL",       "cuGL",         "cuVDPAU",    "cuGraphicsEGL",
                                    "cuGraphicsGL", "cuGraphicsVDPAU"};

static test_case *made;
static size_t count, room;

static bool is_never(const char *name) {
    for (size_t i = 0; i < sizeof NEVER / sizeof *NEVER; i++)
        if (strncmp(name, NEVER[i], strlen(NEVER[i])) == 0)
            return true;
    return false;
}

static void add(enum state state, int function, int parameter, enum class class, word number) {
    if (count == room) {
        room = room == 0 ? 4096 : room * 2;
        made = realloc(made, room * sizeof *made);
        if (made == NULL)
            abort();
    }
    made[count++] = (test_case){state, function, parameter, class, number, 0};
}

static void add_all(int function, int parameter, const enum class *classes) {
    for (; *classes != VALID; classes++)
        add(NORMAL, function, parameter, *classes, 0);
}

static bool is_enumeration(const char *name) {
    static const char *const NAMES[] = {"attribute", "limit",  "type",   "mode",  "config",
                                        "option",    "advice", "format", "target", "scope"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(name, NAMES[i]) == 0)
            return true;
    return false;
}

static word last_number(const char *function, const char *parameter) {
    if (strcmp(parameter, "attribute") != 0)
        return 8;
    return strcmp(function, "cuDeviceGetAttribute") == 0 ? 150 : 24;
}

static void add_numbers(int function, int parameter, const function_parameter *about) {
    static const enum class LONGS[] = {IS_NULL, IS_ODD, BEYOND, HUGE_VALUE, MOST, VALID};
    static const enum class INTS[] = {IS_NULL, IS_ODD, BEYOND, MOST, VALID};
    static const enum class SHORTS[] = {IS_NULL, MOST, VALID};
    add_all(function, parameter, about->bytes == 8 ? LONGS : about->bytes == 4 ? INTS : SHORTS);
    if (is_enumeration(about->name)) {
        word last = last_number(FUNCTIONS[function].name, about->name);
        for (word number = 1; number <= last; number++)
            add(NORMAL, function, parameter, NUMBERED, number);
    } else if (strcmp(about->name, "flags") == 0) {
        for (word number = 1; number <= 64; number *= 2)
            add(NORMAL, function, parameter, NUMBERED, number);
    }
}

static void add_addresses(int function, int parameter) {
    static const enum class CLASSES[] = {IS_NULL, IS_ODD,  BEYOND,      STRAY, ENDED,
                                         HOST,    MANAGED, PAGE_LOCKED, VALID};
    add_all(function, parameter, CLASSES);
}

static void add_handles(int function, int parameter, const function_parameter *about) {
    static const enum class CLASSES[] = {IS_NULL, OTHER_KIND, ZEROS, ENDED, VALID};
    static const enum class STREAMS[] = {LEGACY, THREADS_OWN, VALID};
    add_all(function, parameter, CLASSES);
    if (strcmp(about->type, "CUstream") == 0)
        add_all(function, parameter, STREAMS);
}

static void add_parameter(int function, int parameter) {
    static const enum class TEXTS[] = {IS_NULL, EMPTY, UNKNOWN, VALID};
    static const enum class BLOCKS[] = {IS_NULL, ZEROS, ONES, VALID};
    static const enum class POINTERS[] = {IS_NULL, VALID};
    const function_parameter *about = &FUNCTIONS[function].parameters[parameter];
    switch (about->role) {
    case HANDLE: add_handles(function, parameter, about); break;
    case ADDRESS: add_addresses(function, parameter); break;
    case NUMBER: add_numbers(function, parameter, about); break;
    case TEXT: add_all(function, parameter, TEXTS); break;
    case INPUT: add_all(function, parameter, BLOCKS); break;
    case STRUCTURE: add_all(function, parameter, BLOCKS + 1); break;
    case FLOAT: break;
    default: add_all(function, parameter, POINTERS); break;
    }
}

static bool in_state(const function_of_library *function, enum state state) {
    if (state == PER_THREAD)
        return function->per_thread != NULL;
    return function->call != NULL || state <= NO_CONTEXT;
}

static int compare_fragility(const void *a, const void *b) {
    const test_case *one = a, *other = b;
    if (one->state != other->state)
        return one->state < other->state ? -1 : 1;
    if (case_fragile(one) == case_fragile(other))
        return one->order < other->order ? -1 : 1;
    return case_fragile(one) ? 1 : -1;
}

size_t cases_make(test_case **cases) {
    for (int state = 0; state < STATES; state++) {
        for (int i = 0; i < FUNCTION_COUNT; i++) {
            const function_of_library *function = &FUNCTIONS[i];
            if (is_never(function->name) || !in_state(function, (enum state)state))
                continue;
            add((enum state)state, i, -1, VALID, 0);
            for (int p = 0; state == NORMAL && p < function->count; p++)
                add_parameter(i, p);
        }
    }
    for (size_t i = 0; i < count; i++)
        made[i].order = i;
    qsort(made, count, sizeof *made, compare_fragility);
    *cases = made;
    return count;
}

void case_name(const test_case *one, char *text, size_t size) {
    const function_of_library *function = &FUNCTIONS[one->function];
    const char *name = one->state == PER_THREAD ? function->per_thread : function->name;
    int used = snprintf(text, size, "%s %s", STATE_NAMES[one->state], name);
    if (one->parameter < 0)
        return;
    const char *parameter = function->parameters[one->parameter].name;
    if (one->class == NUMBERED)
        snprintf(text + used, size - (size_t)used, " %s=%u", parameter, (unsigned)one->number);
    else
        snprintf(text + used, size - (size_t)used, " %s=%s", parameter, CLASS_NAMES[one->class]);
}

bool case_fragile(const test_case *one) {
    if (one->parameter < 0)
        return false;
    switch (one->class) {
    case ZEROS:
    case ONES:
    case OTHER_KIND: return true;
    case ENDED: return FUNCTIONS[one->function].parameters[one->parameter].role == HANDLE;
    default: return false;
    }
}
