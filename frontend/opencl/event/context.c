/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts, parts of devices and queues: their properties are lists of the program, in which there
 * may be objects.
 */
#include "event/event.h"

#include <stdlib.h>

enum {
    CL_CONTEXT_PLATFORM = 0x1084,
    CL_CONTEXT_INTEROP_USER_SYNC = 0x1085,
    CL_CONTEXT_DEVICES = 0x1081,
    CL_CONTEXT_PROPERTIES = 0x1082,
    CL_DEVICE_PARTITION_BY_COUNTS = 0x1087,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_TYPE_CPU = 2,
};

/* The platform that the properties name, NULL where they name none. */
static int read_properties(const intptr_t *properties, cl_platform_id *platform) {
    *platform = NULL;
    for (const intptr_t *at = properties; at != NULL && *at != 0; at += 2) {
        if (*at == CL_CONTEXT_PLATFORM)
            *platform = (cl_platform_id)at[1];
        else if (*at != CL_CONTEXT_INTEROP_USER_SYNC)
            return CL_INVALID_PROPERTY;
        if (named_before((const uint64_t *)properties, (const uint64_t *)at))
            return CL_INVALID_PROPERTY;
        if (*at == CL_CONTEXT_PLATFORM && object_at(*platform, KIND_BIT(PLATFORM)) == NULL)
            return CL_INVALID_PLATFORM;
    }
    return CL_SUCCESS;
}

/* ---- errors ---------------------------------------------------------------------------------- */

enum { LONGEST_TEXT = 4096 };

/* Whom to tell of a context's errors; it stays, as one may be on its way when the context ends. */
typedef struct watcher {
    void (*notify)(const char *, const void *, size_t, void *);
    void *data;
    uint64_t number;
} watcher;

static watcher *watch(void (*notify)(const char *, const void *, size_t, void *), void *data) {
    static _Atomic uint64_t numbers;
    watcher *one = malloc(sizeof *one);
    if (one != NULL)
        *one = (watcher){notify, data, ++numbers};
    return one;
}

static void tell(void *data) {
    const watcher *one = data;
    char text[LONGEST_TEXT];
    if (remote_outboardContextError(one->number, sizeof text, text, 0) == CL_SUCCESS)
        one->notify(text, NULL, 0, one->data);
}

/* ---- contexts -------------------------------------------------------------------------------- */

static void wait_as_fits(unsigned int count, const cl_device_id *devices) {
    uint64_t type = 0;
    for (unsigned int i = 0; i < count; i++)
        if (clGetDeviceInfo(devices[i], CL_DEVICE_TYPE, sizeof type, &type, NULL) == CL_SUCCESS &&
            (type & CL_DEVICE_TYPE_CPU) != 0)
            ob_wait_beside_device();
}

static int make_watched(cl_platform_id platform, unsigned int count, const cl_device_id *devices,
                        watcher *by, cl_context *made) {
    if (by == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    int result = remote_outboardCreateWatchedContext(platform, (int)count, devices, by->number,
                                                     tell, by, made, 0);
    if (ob_callback_refused(&ob_opencl, result, tell, by))
        free(by);
    return result;
}

static int make(const intptr_t *properties, unsigned int count, const cl_device_id *devices,
                void (*notify)(const char *, const void *, size_t, void *), void *data,
                cl_context *made) {
    cl_platform_id platform;
    int result = count == 0 || devices == NULL || (notify == NULL && data != NULL)
                     ? CL_INVALID_VALUE
                     : read_properties(properties, &platform);
    if (result != CL_SUCCESS)
        return result;
    result = notify == NULL ? remote_clCreateContext(platform, (int)count, devices, made, 0)
                            : make_watched(platform, count, devices, watch(notify, data), made);
    if (result != CL_SUCCESS)
        return result;
    wait_as_fits(count, devices);
    object_remember((object *)*made, CL_CONTEXT_DEVICES, devices, count * sizeof *devices);
    object_remember((object *)*made, CL_CONTEXT_PROPERTIES, properties,
                    (size_t)list_length((const uint64_t *)properties) * sizeof *properties);
    return CL_SUCCESS;
}

cl_context clCreateContext(const intptr_t *properties, unsigned int count,
                           const cl_device_id *devices,
                           void (*notify)(const char *, const void *, size_t, void *), void *data,
                           int *errcode_ret) {
    cl_context made = NULL;
    set_result(errcode_ret, make(properties, count, devices, notify, data, &made));
    return made;
}

static int make_of_type(const intptr_t *properties, uint64_t type,
                        void (*notify)(const char *, const void *, size_t, void *), void *data,
                        cl_context *made) {
    cl_platform_id platform;
    int count = 0, result = notify == NULL && data != NULL ? CL_INVALID_VALUE
                                                           : read_properties(properties, &platform);
    if (result == CL_SUCCESS)
        result = clGetDeviceIDs(platform, type, 0, NULL, &count);
    if (result != CL_SUCCESS)
        return result;
    cl_device_id *devices = calloc((size_t)count, sizeof *devices);
    result = devices == NULL ? CL_OUT_OF_HOST_MEMORY
                             : clGetDeviceIDs(platform, type, count, devices, NULL);
    if (result == CL_SUCCESS)
        result = make(properties, (unsigned int)count, devices, notify, data, made);
    free(devices);
    return result;
}

cl_context clCreateContextFromType(const intptr_t *properties, uint64_t type,
                                   void (*notify)(const char *, const void *, size_t, void *),
                                   void *data, int *errcode_ret) {
    cl_context made = NULL;
    set_result(errcode_ret, make_of_type(properties, type, notify, data, &made));
    return made;
}

int clSetContextDestructorCallback(cl_context context, void (*notify)(cl_context, void *),
                                   void *data) {
    return object_on_end(context, KIND_BIT(CONTEXT), CL_INVALID_CONTEXT,
                         (void (*)(void *, void *))notify, data);
}

/* One way to divide with its value and a 0; the list of numbers of compute units ends with a 0 of
 * its own. */
static int partition_length(const uint64_t *properties) {
    int counts = 1;
    if (properties[0] != CL_DEVICE_PARTITION_BY_COUNTS)
        return list_length(properties);
    while (properties[counts] != 0)
        counts++;
    return counts + 2;
}

int clCreateSubDevices(cl_device_id device, const uint64_t *properties, int count,
                       cl_device_id *devices, int *count_ret) {
    if (properties == NULL)
        return CL_INVALID_VALUE;
    return remote_clCreateSubDevices(device, properties, partition_length(properties), count,
                                     devices, count_ret, 0);
}

/* ---- queues ---------------------------------------------------------------------------------- */

/* A wait for all of a queue has its number. */
uint64_t opencl_learning(void *queue) {
    object *o = object_at(queue, KIND_BIT(QUEUE));
    return o == NULL ? 0 : ++o->waits_begun;
}

int32_t opencl_learnt(void *queue, uint64_t learning, int32_t result) {
    int learnt = landings_arrive(result);
    if (learning != 0 && learnt == CL_SUCCESS)
        ((object *)queue)->waits_over = learning;
    return learnt;
}
