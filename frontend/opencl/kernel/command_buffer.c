/* SPDX-License-Identifier: Apache-2.0
 *
 * Command buffers: commands that are recorded once and run often (cl_khr_command_buffer). One is an
 * owner of the objects that its commands were given, as the extension has it.
 *
 * A run is posted if what is known of the command buffer says that nothing is wrong with it; else
 * it is answered, with the device's code.
 */
#include "kernel/kernel.h"

enum {
    CL_COMMAND_BUFFER_FLAGS_KHR = 0x1293,
    CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR = 0x1298,
    CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR = 1 << 0,
};

static object *buffer_at(const void *address) {
    return object_at(address, KIND_BIT(COMMANDBUFFER));
}

/* ---- recording ------------------------------------------------------------------------------- */

static const uint64_t USED = KIND_BIT(MEMORY) | KIND_BIT(KERNEL);

static void lose(void *buffer, void *used) {
    (void)buffer;
    opencl_release(used, USED);
}

void opencl_own(void *buffer, void *used) {
    if (opencl_retain(used, USED) &&
        object_on_end(buffer, KIND_BIT(COMMANDBUFFER), CL_INVALID_COMMAND_BUFFER_KHR, lose, used) !=
            CL_SUCCESS)
        lose(buffer, used);
}

/* ---- running --------------------------------------------------------------------------------- */

/* Remembered beside the answers that the specification has names for: that it is finalized, as the
 * interface has it, and how it runs. */
#define FINALIZED 0xF0000004u
#define RUNS 0xF0000005u

/* How a command buffer runs, once it is finalized. */
typedef struct runs {
    bool at_a_time;         /* there may be several at a time */
    /* waits for the queue that had begun at the last one, UINT64_MAX if it was in another queue */
    uint64_t last;
} runs;

/* Of one that is finalized. */
static bool how_it_runs(object *buffer, runs *how) {
    uint64_t properties[3] = {0};
    if (buffer == NULL || object_recall(buffer, RUNS, how, sizeof *how))
        return buffer != NULL;
    if (!object_recall(buffer, FINALIZED, &(uint32_t){0}, sizeof(uint32_t)))
        return false;
    object_recall(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, properties, sizeof properties);
    *how = (runs){properties[0] == CL_COMMAND_BUFFER_FLAGS_KHR &&
                      (properties[1] & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR) != 0,
                  0};
    object_remember(buffer, RUNS, how, sizeof *how);
    return true;
}

/* A wait for all of the queue that began after the last run has waited for that run too. */
static bool run_is_valid(object *buffer, bool plain) {
    runs how;
    return plain && how_it_runs(buffer, &how) &&
           (how.at_a_time || how.last <= buffer->first->waits_over);
}

static void note_run(object *buffer, bool elsewhere) {
    runs how;
    if (!how_it_runs(buffer, &how) || how.at_a_time)
        return;
    how.last = elsewhere ? UINT64_MAX : buffer->first->waits_begun + 1;
    object_remember(buffer, RUNS, &how, sizeof how);
}

int clEnqueueCommandBufferKHR(int queue_count, const cl_command_queue *queues,
                              cl_command_buffer_khr buffer, int waits, const cl_event *list,
                              cl_event *event) {
    object *o = buffer_at(buffer);
    bool elsewhere = queue_count != 0 || queues != NULL;
    bool posted = run_is_valid(o, !elsewhere && waits == 0 && list == NULL);
    int result = remote_clEnqueueCommandBufferKHR(queue_count, queues, buffer, waits, list, event,
                                                  posted ? 0 : OB_ANSWER);
    if (result != CL_SUCCESS)
        return result;
    note_run(o, elsewhere);
    if (elsewhere && event != NULL)
        object_belongs((object *)*event, (object *)queues[0]);
    return CL_SUCCESS;
}
