/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments of kernels, and their starts.
 *
 * A program gives the address of a value, and does not say what the value is: one that is as long
 * as a pointer and is the address of a living object of the process is taken to be that object. (A
 * number would have to be such an address by chance.)
 *
 * An argument that has its value already is not set again. A value that must be right, because a
 * similar one has been taken before, is posted. Programs set all arguments ahead of each start:
 * hashcat 34 of them, of which ten change.
 *
 * A start is posted if what is known of the kernel says that nothing is wrong with it; else it is
 * answered, with the device's code.
 */
#include "kernel/kernel.h"

enum {
    CL_DEVICE_MAX_WORK_ITEM_SIZES = 0x1005,
    CL_QUEUE_DEVICE = 0x1091,
    CL_KERNEL_NUM_ARGS = 0x1191,
    CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,
    CL_KERNEL_COMPILE_WORK_GROUP_SIZE = 0x11B1,
    CL_KERNEL_LOCAL_MEM_SIZE = 0x11B2,
    CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE = 0x11B3,
    CL_KERNEL_PRIVATE_MEM_SIZE = 0x11B4,
    DIMENSIONS = 3,
    MOST_ARGUMENTS = 64,
};

/* Remembered beside the answers that the specification has names for. */
#define ARGUMENTS 0xF0000001u
#define LIMITS 0xF0000002u

/* ---- arguments ------------------------------------------------------------------------------- */

static const uint64_t OBJECTS = KIND_BIT(MEMORY) | KIND_BIT(SAMPLER) | KIND_BIT(QUEUE);

enum given {
    NUMBER,
    ZERO,       /* as long as a pointer: a value, or memory that is not there */
    SHARED,     /* among work-items: a size without a value */
    OBJECT,
};

/* The value that the backend has taken last. */
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

static argument *arguments_of(object *kernel) {
    return object_keep(kernel, ARGUMENTS, MOST_ARGUMENTS * sizeof(argument));
}

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
    return now->given != NUMBER && before->set && before->known && before->given == now->given &&
           before->size == now->size && before->object == now->object;
}

/* A value in the place of one of its size; a buffer of the kernel's context in the place of one
 * that is as large. */
static bool surely_taken(const argument *before, const argument *now, object *kernel,
                         object *given) {
    if (!before->known || before->size != now->size)
        return false;
    return given == NULL ? before->number && now->given != SHARED
                         : now->buffer_bytes > 0 && now->buffer_bytes <= before->buffer_bytes &&
                               context_of(given) == context_of(kernel);
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
    argument now = given != NULL ? given_object(given) : given_value(size, value, word),
             *before = argument_at(k, (unsigned int)index);
    if (before != NULL && unchanged(before, &now))
        return CL_SUCCESS;
    if (given != NULL && given->kind == OB_OPENCL_MEMORY)
        now.buffer_bytes = buffer_bytes((cl_mem)(void *)given);
    uint32_t flags = before != NULL && surely_taken(before, &now, k, given) ? 0 : OB_ANSWER;
    return note_set(given != NULL ? remote_outboardSetKernelObject(kernel, index, word, flags)
                                  : remote_clSetKernelArg(kernel, index, size, value, flags),
                    before, now);
}

/* The function's facts tell the kinds of the arguments; none is set yet. */
static void begin(object *kernel, const char *name) {
    function_begins(kernel, name);
    argument *all = arguments_of(kernel);
    for (int i = 0; all != NULL && i < MOST_ARGUMENTS; i++)
        all[i].set = false;
}

/* An older backend has no kernels but those that are waited for. */
static int make(cl_program program, const char *name, cl_kernel *made) {
    static _Atomic bool posts;
    object *o = object_at(program, KIND_BIT(PROGRAM));
    bool known = posts && o != NULL && name != NULL && function_known(o, name);
    int result = remote_outboardCreateKernel(program, name, made, known ? 0 : OB_ANSWER);
    if (result == ob_opencl.not_supported)
        return remote_clCreateKernel(program, name, made, 0);
    posts = posts || result == CL_SUCCESS;
    return result;
}

cl_kernel clCreateKernel(cl_program program, const char *name, int *errcode_ret) {
    cl_kernel made = NULL;
    set_result(errcode_ret, make(program, name, &made));
    if (made != NULL)
        begin((object *)made, name);
    return made;
}

int clSetKernelArgSVMPointer(cl_kernel kernel, unsigned int index, const void *value) {
    return note_set(
        remote_clSetKernelArgSVMPointer(kernel, (int)index, (uint64_t)(uintptr_t)value, 0),
        argument_at(kernel_at(kernel), index), (argument){0});
}

/* ---- on a device ----------------------------------------------------------------------------- */

/* An answer about a device; the last one's that was asked about is remembered. */
typedef struct on_device {
    cl_device_id device;
    uint64_t bytes;
    _Alignas(uint64_t) unsigned char value[DIMENSIONS * sizeof(uint64_t)];
} on_device;

static uint32_t place_of(int name) { return 0xE0000000u | (uint32_t)name; }

static bool shares_memory(object *kernel) {
    const argument *all = arguments_of(kernel);
    for (int i = 0; all != NULL && i < MOST_ARGUMENTS; i++)
        if (all[i].set && (!all[i].known || all[i].given == SHARED))
            return true;
    return all == NULL;
}

/* The memory that work-items share depends on arguments, and what a group may be on that. */
static bool stays(object *kernel, int name) {
    return name == CL_KERNEL_COMPILE_WORK_GROUP_SIZE ||
           name == CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE ||
           name == CL_KERNEL_PRIVATE_MEM_SIZE ||
           ((name == CL_KERNEL_LOCAL_MEM_SIZE || name == CL_KERNEL_WORK_GROUP_SIZE) &&
            !shares_memory(kernel));
}

static int learn_on_device(object *kernel, cl_device_id device, int name, on_device *to) {
    *to = (on_device){.device = device};
    int result = remote_clGetKernelWorkGroupInfo((cl_kernel)(void *)kernel, device, name,
                                                 sizeof to->value, to->value, &to->bytes, 0);
    if (result == CL_SUCCESS)
        object_remember(kernel, place_of(name), to, sizeof *to);
    return result;
}

int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, int name, uint64_t size,
                             void *value, uint64_t *size_ret) {
    object *k = kernel_at(kernel);
    on_device known;
    if (k == NULL || !stays(k, name))
        return remote_clGetKernelWorkGroupInfo(kernel, device, name, size, value, size_ret, 0);
    int result = object_recall(k, place_of(name), &known, sizeof known) && known.device == device
                     ? CL_SUCCESS
                     : learn_on_device(k, device, name, &known);
    return result == CL_SUCCESS ? info_give(known.value, known.bytes, size, value, size_ret)
                                : result;
}

/* ---- starts ---------------------------------------------------------------------------------- */

/* The limits of a device for a kernel. */
typedef struct limits {
    cl_device_id device;
    uint32_t arguments;
    uint64_t group, compiled[DIMENSIONS], items[DIMENSIONS];
} limits;

static bool ask_limits(cl_kernel kernel, limits *to) {
    cl_device_id device = to->device;
    return clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof to->arguments, &to->arguments,
                           NULL) == CL_SUCCESS &&
           clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof to->group,
                                    &to->group, NULL) == CL_SUCCESS &&
           clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                    sizeof to->compiled, to->compiled, NULL) == CL_SUCCESS &&
           clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof to->items, to->items,
                           NULL) == CL_SUCCESS;
}

static bool limits_of(object *kernel, object *queue, limits *to) {
    cl_device_id device = NULL;
    if (!object_recall(queue, CL_QUEUE_DEVICE, &device, sizeof device))
        return false;
    if (object_recall(kernel, LIMITS, to, sizeof *to) && to->device == device)
        return true;
    memset(to, 0, sizeof *to);
    to->device = device;
    return ask_limits((cl_kernel)(void *)kernel, to) &&
           object_remember(kernel, LIMITS, to, sizeof *to);
}

static bool all_set(object *kernel, uint32_t arguments) {
    const argument *all = arguments_of(kernel);
    uint32_t set = 0;
    while (all != NULL && set < arguments && set < MOST_ARGUMENTS && all[set].set)
        set++;
    return set == arguments;
}

int32_t opencl_complete(void *kernel) {
    object *o = kernel_at(kernel);
    uint32_t arguments = 0;
    bool lacks = o != NULL &&
                 clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL) ==
                     CL_SUCCESS &&
                 arguments <= MOST_ARGUMENTS && !all_set(o, arguments);
    return lacks ? CL_INVALID_KERNEL_ARGS : CL_SUCCESS;
}

/* Groups that fit, and fit into the whole without a rest. */
static bool fits(const limits *l, int dimensions, const uint64_t *global, const uint64_t *local) {
    uint64_t group = 1;
    for (int i = 0; i < dimensions; i++) {
        if (global[i] == 0 || global[i] > UINT32_MAX)
            return false;
        if (local == NULL)
            continue;
        if (local[i] == 0 || local[i] > l->items[i] || global[i] % local[i] != 0 ||
            (group *= local[i]) > l->group)
            return false;
    }
    return true;
}

/* The groups that the function itself demands (reqd_work_group_size). */
static bool as_compiled(const limits *l, int dimensions, const uint64_t *local) {
    for (int i = 0; i < DIMENSIONS && l->compiled[0] != 0; i++)
        if (local == NULL || l->compiled[i] != (i < dimensions ? local[i] : 1))
            return false;
    return true;
}

static bool all_events(object *context, int waits, const cl_event *list) {
    if (waits < 0 || (waits == 0) != (list == NULL))
        return false;
    for (int i = 0; i < waits; i++)
        if (context_of(object_at(list[i], KIND_BIT(EVENT))) != context)
            return false;
    return true;
}

static bool start_is_valid(cl_command_queue queue, cl_kernel kernel, int dimensions,
                           const uint64_t *offset, const uint64_t *global, const uint64_t *local,
                           int waits, const cl_event *list) {
    object *q = object_at(queue, KIND_BIT(QUEUE)), *k = kernel_at(kernel);
    limits known;
    bool plain = q != NULL && k != NULL && dimensions >= 1 && dimensions <= DIMENSIONS &&
                 offset == NULL && global != NULL && context_of(q) == context_of(k) &&
                 all_events(context_of(q), waits, list);
    return plain && limits_of(k, q, &known) && all_set(k, known.arguments) &&
           fits(&known, dimensions, global, local) && as_compiled(&known, dimensions, local);
}

int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, int dimensions,
                           const uint64_t *offset, const uint64_t *global, const uint64_t *local,
                           int waits, const cl_event *list, cl_event *event) {
    bool posted = start_is_valid(queue, kernel, dimensions, offset, global, local, waits, list);
    return remote_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits,
                                         list, event, posted ? 0 : OB_ANSWER);
}
