/* SPDX-License-Identifier: Apache-2.0
 *
 * Command buffers: commands that are recorded once and run often (cl_khr_command_buffer). One is an owner of the objects that its
 * commands were given, as the extension has it.
 *
 * A run is posted if what is known of the command buffer says that nothing is wrong with it; else it is answered, with the device's code.
 */
#include "kernel/kernel.h"

enum {
    CL_COMMAND_BUFFER_FLAGS_KHR = 0x1293,
    CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR = 0x1298,
    CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR = 1 << 0,
};

static object *buffer_at(const void *address) { return object_at(address, KIND_BIT(COMMANDBUFFER)); }

/* ---- recording ---------------------------------------------------------------------------------------------------- */

static const uint64_t USED = KIND_BIT(MEMORY) | KIND_BIT(KERNEL);

static void lose(void *buffer, void *used) {
    (void)buffer;
    opencl_release(used, USED);
}

void opencl_own(void *buffer, void *used) {
    if (opencl_retain(used, USED) &&
        object_on_end(buffer, KIND_BIT(COMMANDBUFFER), CL_INVALID_COMMAND_BUFFER_KHR, lose, used) != CL_SUCCESS)
        lose(buffer, used);
}

/* PoCL 3.1 would not come back from recording a kernel that lacks an argument. */
int clCommandNDRangeKernelKHR(cl_command_buffer_khr buffer, cl_command_queue queue, const uint64_t *properties, cl_kernel kernel,
                              int dimensions, const uint64_t *offset, const uint64_t *global, const uint64_t *local, int points,
                              const int *list, int *point, uint64_t *command) {
    if (buffer_at(buffer) != NULL && kernel_lacks_arguments(kernel))
        return CL_INVALID_KERNEL_ARGS;
    int result = remote_clCommandNDRangeKernelKHR(buffer, queue, properties, list_length(properties), kernel, dimensions, offset, global,
                                                  local, points, list, point, command, 0);
    if (result == CL_SUCCESS)
        opencl_own(buffer, kernel);
    return result;
}

/* ---- running ------------------------------------------------------------------------------------------------------ */

/* Remembered beside the answers that the specification has names for. */
#define RUNS 0xF0000004u

/* How a command buffer runs, once it is finalized. */
typedef struct runs {
    bool at_a_time;         /* there may be several at a time */
    uint64_t last;          /* waits for the queue that had begun at the last one, UINT64_MAX if it was in another queue */
} runs;

int clFinalizeCommandBufferKHR(cl_command_buffer_khr buffer) {
    int result = remote_clFinalizeCommandBufferKHR(buffer, 0);
    uint64_t properties[3] = {0};
    if (result != CL_SUCCESS || object_recall(buffer_at(buffer), RUNS, &(runs){0}, sizeof(runs)))
        return result;
    object_recall(buffer_at(buffer), CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, properties, sizeof properties);
    bool at_a_time = properties[0] == CL_COMMAND_BUFFER_FLAGS_KHR && (properties[1] & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR) != 0;
    object_remember(buffer_at(buffer), RUNS, &(runs){at_a_time, 0}, sizeof(runs));
    return result;
}

/* Whoever waits for all of the queue, and began to do so later, has waited for the last run too. */
static bool surely_right(object *buffer, bool plain) {
    runs how;
    return plain && buffer != NULL && object_recall(buffer, RUNS, &how, sizeof how) && (how.at_a_time || how.last <= buffer->first->waits_over);
}

static void note_run(object *buffer, bool elsewhere) {
    runs how;
    if (!object_recall(buffer, RUNS, &how, sizeof how) || how.at_a_time)
        return;
    how.last = elsewhere ? UINT64_MAX : buffer->first->waits_begun + 1;
    object_remember(buffer, RUNS, &how, sizeof how);
}

int clEnqueueCommandBufferKHR(int queue_count, const cl_command_queue *queues, cl_command_buffer_khr buffer, int waits,
                              const cl_event *list, cl_event *event) {
    object *o = buffer_at(buffer);
    bool elsewhere = queue_count != 0 || queues != NULL;
    bool posted = surely_right(o, !elsewhere && waits == 0 && list == NULL);
    int result = remote_clEnqueueCommandBufferKHR(queue_count, queues, buffer, waits, list, event, posted ? 0 : OB_ANSWER);
    if (result != CL_SUCCESS)
        return result;
    note_run(o, elsewhere);
    if (elsewhere && event != NULL)
        object_belongs((object *)*event, (object *)queues[0]);
    return CL_SUCCESS;
}
