/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments of kernels, and their starts.
 *
 * A program gives the address of a value, and does not say what the value is: one that is as long as a pointer and is the address of a
 * living object of the process is taken to be that object. (A number would have to be such an address by chance.)
 *
 * A start is posted if what is known of the kernel says that nothing is wrong with it; else it is answered, with the device's code.
 */
#include "objects.h"

enum {
    CL_DEVICE_MAX_WORK_ITEM_SIZES = 0x1005,
    CL_QUEUE_DEVICE = 0x1091,
    CL_KERNEL_NUM_ARGS = 0x1191,
    CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,
    CL_KERNEL_COMPILE_WORK_GROUP_SIZE = 0x11B1,
    DIMENSIONS = 3,
    MOST_ARGUMENTS = 64,
};

/* Remembered beside the answers that the specification has names for. */
#define ARGUMENTS_SET 0xF0000001u
#define LIMITS 0xF0000002u

/* ---- arguments ---------------------------------------------------------------------------------------------------- */

static const uint64_t OBJECTS = KIND_BIT(MEMORY) | KIND_BIT(SAMPLER) | KIND_BIT(QUEUE);

static int set(cl_kernel kernel, int index, uint64_t size, const void *value) {
    void *word = NULL;
    if (value != NULL && size == sizeof word)
        memcpy(&word, value, sizeof word);
    return object_at(word, OBJECTS) != NULL ? remote_outboardSetKernelObject(kernel, index, word, 0)
                                            : remote_clSetKernelArg(kernel, index, size, value, 0);
}

/* One bit an argument. */
static uint64_t arguments_set(object *kernel) {
    uint64_t bits = 0;
    object_recall(kernel, ARGUMENTS_SET, &bits, sizeof bits);
    return bits;
}

static int note_set(int result, cl_kernel kernel, unsigned int index) {
    object *o = object_at(kernel, KIND_BIT(KERNEL));
    if (result != CL_SUCCESS || o == NULL || index >= MOST_ARGUMENTS)
        return result;
    uint64_t before = arguments_set(o), after = before | 1ULL << index;
    if (after != before)
        object_remember(o, ARGUMENTS_SET, &after, sizeof after);
    return result;
}

int clSetKernelArg(cl_kernel kernel, int index, uint64_t size, const void *value) {
    return note_set(set(kernel, index, size, value), kernel, (unsigned int)index);
}

int clSetKernelArgSVMPointer(cl_kernel kernel, unsigned int index, const void *value) {
    return note_set(remote_clSetKernelArgSVMPointer(kernel, (int)index, (uint64_t)(uintptr_t)value, 0), kernel, index);
}

cl_kernel clCloneKernel(cl_kernel source, int *errcode_ret) {
    cl_kernel made = NULL;
    set_result(errcode_ret, remote_clCloneKernel(source, &made, 0));
    uint64_t set_there = made == NULL ? 0 : arguments_set((object *)source);
    if (set_there != 0)
        object_remember((object *)made, ARGUMENTS_SET, &set_there, sizeof set_there);
    return made;
}

/* ---- starts ------------------------------------------------------------------------------------------------------- */

/* What a device allows a kernel. */
typedef struct limits {
    cl_device_id device;
    uint32_t arguments;
    uint64_t group, compiled[DIMENSIONS], items[DIMENSIONS];
} limits;

static bool ask_limits(cl_kernel kernel, limits *to) {
    cl_device_id device = to->device;
    return clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof to->arguments, &to->arguments, NULL) == CL_SUCCESS &&
           clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof to->group, &to->group, NULL) == CL_SUCCESS &&
           clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof to->compiled, to->compiled, NULL) == CL_SUCCESS &&
           clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof to->items, to->items, NULL) == CL_SUCCESS;
}

static bool limits_of(object *kernel, object *queue, limits *to) {
    cl_device_id device = NULL;
    if (!object_recall(queue, CL_QUEUE_DEVICE, &device, sizeof device))
        return false;
    if (object_recall(kernel, LIMITS, to, sizeof *to) && to->device == device)
        return true;
    memset(to, 0, sizeof *to);
    to->device = device;
    return ask_limits((cl_kernel)(void *)kernel, to) && object_remember(kernel, LIMITS, to, sizeof *to);
}

static bool all_set(object *kernel, uint32_t arguments) {
    uint64_t all = arguments < MOST_ARGUMENTS ? (1ULL << arguments) - 1 : UINT64_MAX;
    return arguments <= MOST_ARGUMENTS && (arguments_set(kernel) & all) == all;
}

bool kernel_lacks_arguments(cl_kernel kernel) {
    object *o = object_at(kernel, KIND_BIT(KERNEL));
    uint32_t arguments = 0;
    return o != NULL && clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL) == CL_SUCCESS &&
           arguments <= MOST_ARGUMENTS && !all_set(o, arguments);
}

/* Groups that fit, and fit into the whole without a rest. */
static bool fits(const limits *l, int dimensions, const uint64_t *global, const uint64_t *local) {
    uint64_t group = 1;
    for (int i = 0; i < dimensions; i++) {
        if (global[i] == 0 || global[i] > UINT32_MAX)
            return false;
        if (local == NULL)
            continue;
        if (local[i] == 0 || local[i] > l->items[i] || global[i] % local[i] != 0 || (group *= local[i]) > l->group)
            return false;
    }
    return true;
}

static bool surely_right(cl_command_queue queue, cl_kernel kernel, int dimensions, const uint64_t *offset, const uint64_t *global,
                         const uint64_t *local, int waits, const cl_event *list) {
    object *q = object_at(queue, KIND_BIT(QUEUE)), *k = object_at(kernel, KIND_BIT(KERNEL));
    limits known;
    bool plain = q != NULL && k != NULL && dimensions >= 1 && dimensions <= DIMENSIONS && offset == NULL && global != NULL &&
                 waits == 0 && list == NULL && context_of(q) == context_of(k);
    return plain && limits_of(k, q, &known) && known.compiled[0] == 0 && all_set(k, known.arguments) && fits(&known, dimensions, global, local);
}

int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, int dimensions, const uint64_t *offset, const uint64_t *global,
                           const uint64_t *local, int waits, const cl_event *list, cl_event *event) {
    bool posted = surely_right(queue, kernel, dimensions, offset, global, local, waits, list);
    return remote_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, list, event, posted ? 0 : OB_ANSWER);
}
