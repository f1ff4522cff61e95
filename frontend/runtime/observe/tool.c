/* SPDX-License-Identifier: Apache-2.0
 *
 * A tool that observes the program's calls: libraries tell of them, a profiler hears of them.
 * Neither knows the other, and without a tool a call asks one word.
 */
#include "observe/observe.h"

static _Atomic(const ob_tool *) tool_here;
static _Atomic(const ob_devices *) devices_known;
static uint8_t runtime_functions[OB_RUNTIME_FLAGS];

static const ob_tool *tool_now(void) {
    return atomic_load_explicit(&tool_here, memory_order_acquire);
}

/* A call that is under way tells of its end all the same, so that the tool stays. */
void ob_observe(const ob_tool *tool, bool on) {
    atomic_store_explicit(&tool_here, tool, memory_order_release);
    libraries_observe(on);
    for (int i = 0; i < OB_RUNTIME_FLAGS; i++)
        __atomic_store_n(&runtime_functions[i], on ? 1 : 0, __ATOMIC_RELAXED);
}

uint8_t *ob_observed_functions(void) { return runtime_functions; }

void ob_observed_enters(ob_observed *call) {
    const ob_tool *tool = tool_now();
    call->told = tool != NULL;
    if (call->told)
        tool->enters(call);
}

void ob_observed_leaves(ob_observed *call) {
    if (call->told)
        tool_now()->leaves(call);
}

void ob_observed_runtime(uint32_t function, void *record) {
    const ob_tool *tool = tool_now();
    if (tool != NULL && record != NULL)
        tool->runtime(function, record);
}

void ob_devices_are(const ob_devices *devices) { atomic_store(&devices_known, devices); }

const ob_devices *ob_devices_known(void) { return atomic_load(&devices_known); }
