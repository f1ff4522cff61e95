/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments of kernels, and their starts.
 *
 * A program gives the address of a value, and does not say what the value is: one that is as long as a pointer and is the address of a
 * living object of the process is taken to be that object. (A number would have to be such an address by chance.)
 *
 * What an argument is already is not set again; and what must be right, as its like has been taken before, is posted. Programs set all
 * arguments ahead of each start: hashcat 34 of them, of which ten change.
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
#define ARGUMENTS 0xF0000001u
#define LIMITS 0xF0000002u

/* ---- arguments ---------------------------------------------------------------------------------------------------- */

static const uint64_t OBJECTS = KIND_BIT(MEMORY) | KIND_BIT(SAMPLER) | KIND_BIT(QUEUE);

enum given {
    NUMBER,
    ZERO,       /* as long as a pointer: a value, or memory that is not there */
    SHARED,     /* among work-items: a size without a value */
    OBJECT,
};

/* What the backend has taken last. */
typedef struct argument {
    bool set;
    bool known;             /* what follows is what it is */
    bool number;            /* some value has been taken that was surely one */
    enum given given;
    uint64_t size;
    uint64_t object;        /* its handle, or 0 */
    uint64_t buffer_bytes;  /* of one that is a buffer, else 0 */
} argument;

static object *kernel_at(cl_kernel kernel) { return object_at(kernel, KIND_BIT(KERNEL)); }

static argument *arguments_of(object *kernel) { return object_keep(kernel, ARGUMENTS, MOST_ARGUMENTS * sizeof(argument)); }

/* NULL where nothing is remembered. */
static argument *argument_at(object *kernel, unsigned int index) {
    argument *all = kernel == NULL || index >= MOST_ARGUMENTS ? NULL : arguments_of(kernel);
    return all == NULL ? NULL : all + index;
}

static argument given_object(const object *o) {
    return (argument){.known = true, .given = OBJECT, .size = sizeof o, .object = o->handle};
}

static argument given_value(uint64_t size, const void *value, const void *word) {
    enum given given = value == NULL ? SHARED : size == sizeof word && word == NULL ? ZERO : NUMBER;
    return (argument){.known = true, .number = given == NUMBER, .given = given, .size = size};
}

static bool unchanged(const argument *before, const argument *now) {
    return now->given != NUMBER && before->known && before->given == now->given && before->size == now->size && before->object == now->object;
}

/* A value in the place of one of its size; a buffer of the kernel's context in the place of one that is as large. */
static bool surely_taken(const argument *before, const argument *now, object *kernel, object *given) {
    if (!before->known || before->size != now->size)
        return false;
    return given == NULL ? before->number && now->given != SHARED
                         : now->buffer_bytes > 0 && now->buffer_bytes <= before->buffer_bytes && context_of(given) == context_of(kernel);
}

static int note_set(int result, argument *before, argument now) {
    if (before == NULL)
        return result;
    now.set = before->set || result == CL_SUCCESS;
    now.known = now.known && result == CL_SUCCESS;
    now.number = now.number || (now.object == 0 && before->number);
    *before = now;
    return result;
}

int clSetKernelArg(cl_kernel kernel, int index, uint64_t size, const void *value) {
    void *word = NULL;
    if (value != NULL && size == sizeof word)
        memcpy(&word, value, sizeof word);
    object *given = object_at(word, OBJECTS), *k = kernel_at(kernel);
    argument now = given != NULL ? given_object(given) : given_value(size, value, word), *before = argument_at(k, (unsigned int)index);
    if (before != NULL && unchanged(before, &now))
        return CL_SUCCESS;
    if (given != NULL && given->kind == OB_OPENCL_MEMORY)
        now.buffer_bytes = buffer_bytes((cl_mem)(void *)given);
    uint32_t flags = before != NULL && surely_taken(before, &now, k, given) ? 0 : OB_ANSWER;
    return note_set(given != NULL ? remote_outboardSetKernelObject(kernel, index, word, flags)
                                  : remote_clSetKernelArg(kernel, index, size, value, flags),
                    before, now);
}

int clSetKernelArgSVMPointer(cl_kernel kernel, unsigned int index, const void *value) {
    return note_set(remote_clSetKernelArgSVMPointer(kernel, (int)index, (uint64_t)(uintptr_t)value, 0), argument_at(kernel_at(kernel), index),
                    (argument){0});
}

cl_kernel clCloneKernel(cl_kernel source, int *errcode_ret) {
    cl_kernel made = NULL;
    set_result(errcode_ret, remote_clCloneKernel(source, &made, 0));
    argument *from = made == NULL ? NULL : arguments_of((object *)source), *to = made == NULL ? NULL : arguments_of((object *)made);
    if (from != NULL && to != NULL)
        memcpy(to, from, MOST_ARGUMENTS * sizeof *to);
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
    const argument *all = arguments_of(kernel);
    uint32_t set = 0;
    while (all != NULL && set < arguments && set < MOST_ARGUMENTS && all[set].set)
        set++;
    return set == arguments;
}

bool kernel_lacks_arguments(cl_kernel kernel) {
    object *o = kernel_at(kernel);
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
    object *q = object_at(queue, KIND_BIT(QUEUE)), *k = kernel_at(kernel);
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
