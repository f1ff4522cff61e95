/* SPDX-License-Identifier: Apache-2.0
 *
 * Mapped memory objects: a copy in the program, read when it is mapped and written back when the
 * mapping ends. An object that is to use the program's memory is mapped there, one in memory that
 * both sides have where it is.
 */
#include "memory/memory.h"

#include <stdlib.h>

enum {
    CL_EVENT_COMMAND_TYPE = 0x11D1,
    CL_COMMAND_MAP_BUFFER = 0x11FB,
    CL_COMMAND_MAP_IMAGE = 0x11FC,
    CL_COMMAND_UNMAP_MEM_OBJECT = 0x11FD,
    PAGE = 4096,
};

typedef struct mapping {
    struct mapping *next;
    object *memory;
    unsigned char *at;          /* what the program was given */
    void *copy;                 /* where that is memory of ours, else NULL */
    bool image, writes, in_place;   /* the last: the device's own memory */
    bool hidden;                /* the program may write there and not read */
    uint64_t origin[3], region[3];      /* of a buffer: its offset and size, in the first ones */
    uint64_t row_pitch, slice_pitch;
} mapping;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mapping *mappings;

/* How many mappings a memory object has now. */
static void count(object *memory, int more) {
    uint32_t now = 0;
    object_recall(memory, CL_MEM_MAP_COUNT, &now, sizeof now);
    now += (uint32_t)more;
    object_remember(memory, CL_MEM_MAP_COUNT, &now, sizeof now);
}

static void keep(mapping *m) {
    opencl_retain(m->memory, KIND_BIT(MEMORY));
    pthread_mutex_lock(&lock);
    m->next = mappings;
    mappings = m;
    count(m->memory, 1);
    pthread_mutex_unlock(&lock);
}

static mapping *take(const object *memory, const void *at) {
    pthread_mutex_lock(&lock);
    mapping **place = &mappings;
    while (*place != NULL && ((*place)->memory != memory || (*place)->at != at))
        place = &(*place)->next;
    mapping *found = *place;
    if (found != NULL) {
        *place = found->next;
        count(found->memory, -1);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void forget(mapping *m) {
    free(m->copy);
    free(m);
}

static bool map_writes(uint64_t flags) {
    return (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
}

static bool may_map(uint64_t access, uint64_t flags) {
    bool reads = (flags & CL_MAP_READ) != 0;
    return !(reads && (access & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0) &&
           !(map_writes(flags) && (access & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0);
}

/* Memory for it: where it has a place already, or a copy. */
static bool place(mapping *m, unsigned char *at, uint64_t bytes) {
    m->at = at;
    if (at == NULL && posix_memalign(&m->copy, PAGE, bytes) == 0)
        m->at = m->copy;
    return m->at != NULL;
}

/* Leaves none with a result: an error of before, what the program said it would not do, or that
 * there is no memory for it. */
static mapping *prepare(object *memory, uint64_t flags, int *result) {
    uint64_t access = *result == CL_SUCCESS ? host_access(memory) : 0;
    if (*result == CL_SUCCESS && !may_map(access, flags))
        *result = CL_INVALID_OPERATION;
    mapping *m = *result == CL_SUCCESS ? calloc(1, sizeof *m) : NULL;
    if (m == NULL) {
        *result = *result == CL_SUCCESS ? CL_OUT_OF_HOST_MEMORY : *result;
        return NULL;
    }
    *m = (mapping){.memory = memory,
                   .writes = map_writes(flags),
                   .hidden = (access & CL_MEM_HOST_WRITE_ONLY) != 0};
    return m;
}

static mapping *placed(mapping *m, unsigned char *at, uint64_t bytes, int *result) {
    if (place(m, at, bytes))
        return m;
    forget(m);
    *result = CL_OUT_OF_HOST_MEMORY;
    return NULL;
}

int command_type(cl_event event, uint32_t type) {
    object_remember((object *)event, CL_EVENT_COMMAND_TYPE, &type, sizeof type);
    return CL_SUCCESS;
}

int order(cl_command_queue queue, bool blocking, int waits, const cl_event *wait_list,
          cl_event *event) {
    cl_event own = NULL, *place = event != NULL ? event : &own;
    int result = clEnqueueMarkerWithWaitList(queue, waits, wait_list, place);
    if (result == CL_SUCCESS && blocking)
        result = clWaitForEvents(1, place);
    if (own != NULL)
        clReleaseEvent(own);
    return result;
}

/* ---- buffers --------------------------------------------------------------------------------- */

static mapping *map_buffer(object *memory, uint64_t flags, uint64_t offset, uint64_t size,
                           int *result) {
    uint64_t whole;
    *result =
        memory_type((cl_mem)(void *)memory) != BUFFER
            ? CL_INVALID_MEM_OBJECT
            : clGetMemObjectInfo((cl_mem)(void *)memory, CL_MEM_SIZE, sizeof whole, &whole, NULL);
    if (*result == CL_SUCCESS && (size == 0 || offset > whole || size > whole - offset))
        *result = CL_INVALID_VALUE;
    mapping *m = prepare(memory, flags, result);
    if (m == NULL)
        return NULL;
    unsigned char *at = shared_at((cl_mem)(void *)memory, offset, size),
                  *host = memory_place(memory);
    m->in_place = at != NULL;
    m->origin[0] = offset;
    m->region[0] = size;
    return placed(m, at == NULL && host != NULL ? host + offset : at, size, result);
}

static void *mapped(mapping *m, int result, cl_event *event, uint32_t type, int *errcode_ret) {
    set_result(errcode_ret, result);
    if (result != CL_SUCCESS) {
        if (m != NULL)
            forget(m);
        return NULL;
    }
    if (event != NULL)
        command_type(*event, type);
    keep(m);
    return m->at;
}

static int map_in_place(cl_command_queue queue, const mapping *m, bool blocking, uint64_t flags,
                        int waits, const cl_event *wait_list, cl_event *event) {
    awaited w;
    cl_mem memory = (cl_mem)(void *)m->memory;
    uint32_t answered = blocking ? 0 : OB_ANSWER;
    begin_wait(&w, blocking, event);
    return after_write(
        m->image ? remote_outboardMapSharedImage(queue, memory, flags, m->origin, m->region, waits,
                                                 wait_list, w.event, answered)
                 : remote_outboardMapShared(queue, memory, flags, m->origin[0], m->region[0], waits,
                                            wait_list, w.event, answered),
        &w);
}

/* Where the copy of a mapped region goes in the program. */
static int rows_of(const mapping *m, box *b) {
    *b = flat_box(m->at, m->region[0]);
    return m->image ? image_box(b, (cl_mem)(void *)m->memory, m->at, m->region, m->row_pitch,
                                m->slice_pitch)
                    : CL_SUCCESS;
}

static int copy_out(cl_command_queue queue, const mapping *m, cl_mem to, int waits,
                    const cl_event *wait_list, cl_event *event) {
    cl_mem memory = (cl_mem)(void *)m->memory;
    return m->image ? clEnqueueCopyImageToBuffer(queue, memory, to, m->origin, m->region, 0, waits,
                                                 wait_list, event)
                    : clEnqueueCopyBuffer(queue, memory, to, m->origin[0], 0, m->region[0], waits,
                                          wait_list, event);
}

/* A region that is mapped only for writing may be written in part: the rest is read from a copy
 * that the device makes. */
static int bring_hidden(cl_command_queue queue, const mapping *m, bool blocking, int waits,
                        const cl_event *wait_list, cl_event *event) {
    static const uint64_t start[3];
    box to;
    cl_event copied;
    int result = rows_of(m, &to);
    cl_mem copy = result != CL_SUCCESS
                      ? NULL
                      : clCreateBuffer((cl_context)(void *)context_of(m->memory), CL_MEM_READ_WRITE,
                                       box_bytes(&to), NULL, &result);
    if (copy == NULL)
        return result;
    result = copy_out(queue, m, copy, waits, wait_list, &copied);
    if (result == CL_SUCCESS) {
        const uint64_t rows[] = {to.row, to.rows, to.slices};
        result = clEnqueueReadBufferRect(queue, copy, blocking, start, start, rows, 0, 0,
                                         to.row_pitch, to.slice_pitch, m->at, 1, &copied, event);
        clReleaseEvent(copied);
    }
    clReleaseMemObject(copy);
    return result;
}

/* The bytes that the program is to see, to where it is to see them. */
static int bring(cl_command_queue queue, const mapping *m, bool blocking, uint64_t flags, int waits,
                 const cl_event *wait_list, cl_event *event) {
    if (m->in_place)
        return map_in_place(queue, m, blocking, flags, waits, wait_list, event);
    if ((flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0)
        return order(queue, blocking, waits, wait_list, event);
    if (m->hidden)
        return bring_hidden(queue, m, blocking, waits, wait_list, event);
    cl_mem memory = (cl_mem)(void *)m->memory;
    return m->image
               ? clEnqueueReadImage(queue, memory, blocking, m->origin, m->region, m->row_pitch,
                                    m->slice_pitch, m->at, (unsigned int)waits, wait_list, event)
               : clEnqueueReadBuffer(queue, memory, blocking, m->origin[0], m->region[0], m->at,
                                     (unsigned int)waits, wait_list, event);
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, unsigned int blocking,
                         uint64_t flags, size_t offset, size_t size, unsigned int waits,
                         const cl_event *wait_list, cl_event *event, int *errcode_ret) {
    int result;
    mapping *m = map_buffer(object_at(buffer, KIND_BIT(MEMORY)), flags, offset, size, &result);
    if (m != NULL)
        result = bring(queue, m, blocking != 0, flags, (int)waits, wait_list, event);
    return mapped(m, result, event, CL_COMMAND_MAP_BUFFER, errcode_ret);
}

/* ---- images ---------------------------------------------------------------------------------- */

/* In its place already: where the device has it, or the program. Elsewhere it has no gaps. */
static int image_place(object *memory, const uint64_t *origin, const uint64_t *region, box *b,
                       bool *in_place) {
    cl_mem image = (cl_mem)(void *)memory;
    int result = origin == NULL ? CL_INVALID_VALUE : image_box(b, image, NULL, region, 0, 0);
    *in_place = result == CL_SUCCESS && shared_at(image, 0, 0) != NULL;
    if (*in_place)
        return shared_image_box(b, image, origin, region) ? CL_SUCCESS : CL_INVALID_VALUE;
    return result == CL_SUCCESS && memory_place(memory) != NULL
               ? image_part(b, image, memory_place(memory), origin, region)
               : result;
}

static mapping *map_image(object *memory, uint64_t flags, const uint64_t *origin,
                          const uint64_t *region, int *result) {
    box b;
    bool in_place = false;
    uint32_t type = memory_type((cl_mem)(void *)memory);
    *result = type < IMAGE2D || type > IMAGE1D_BUFFER
                  ? CL_INVALID_MEM_OBJECT
                  : image_place(memory, origin, region, &b, &in_place);
    mapping *m = prepare(memory, flags, result);
    if (m == NULL)
        return NULL;
    m->image = true;
    m->in_place = in_place;
    m->row_pitch = b.row_pitch;
    m->slice_pitch = b.slice_pitch;
    memcpy(m->origin, origin, sizeof m->origin);
    memcpy(m->region, region, sizeof m->region);
    return placed(m, b.to, box_bytes(&b), result);
}

static void give_pitches(const mapping *m, size_t *row_pitch, size_t *slice_pitch) {
    uint32_t type = memory_type((cl_mem)(void *)m->memory);
    *row_pitch = m->row_pitch;
    if (slice_pitch != NULL)
        *slice_pitch =
            type == IMAGE3D || type == IMAGE2D_ARRAY || type == IMAGE1D_ARRAY ? m->slice_pitch : 0;
}

void *clEnqueueMapImage(cl_command_queue queue, cl_mem image, unsigned int blocking, uint64_t flags,
                        const size_t *origin, const size_t *region, size_t *row_pitch,
                        size_t *slice_pitch, unsigned int waits, const cl_event *wait_list,
                        cl_event *event, int *errcode_ret) {
    int result;
    mapping *m = map_image(object_at(image, KIND_BIT(MEMORY)), flags, origin, region, &result);
    if (m != NULL)
        result = row_pitch == NULL
                     ? CL_INVALID_VALUE
                     : bring(queue, m, blocking != 0, flags, (int)waits, wait_list, event);
    if (m != NULL && result == CL_SUCCESS)
        give_pitches(m, row_pitch, slice_pitch);
    return mapped(m, result, event, CL_COMMAND_MAP_IMAGE, errcode_ret);
}

/* ---- the end of a mapping -------------------------------------------------------------------- */

static int write_back(cl_command_queue queue, const mapping *m, int waits,
                      const cl_event *wait_list, cl_event *event) {
    cl_mem memory = (cl_mem)(void *)m->memory;
    if (m->in_place)
        return remote_outboardUnmapShared(queue, memory, shared_offset(memory, m->at), waits,
                                          wait_list, event, OB_ANSWER);
    if (!m->writes)
        return clEnqueueMarkerWithWaitList(queue, waits, wait_list, event);
    return m->image ? clEnqueueWriteImage(queue, memory, 0, m->origin, m->region, m->row_pitch,
                                          m->slice_pitch, m->at, waits, wait_list, event)
                    : clEnqueueWriteBuffer(queue, memory, 0, m->origin[0], m->region[0], m->at,
                                           waits, wait_list, event);
}

int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *at, unsigned int waits,
                            const cl_event *wait_list, cl_event *event) {
    object *o = object_at(memory, KIND_BIT(MEMORY));
    if (object_at(queue, KIND_BIT(QUEUE)) == NULL)
        return CL_INVALID_COMMAND_QUEUE;
    if (o == NULL)
        return CL_INVALID_MEM_OBJECT;
    mapping *m = take(o, at);
    if (m == NULL)
        return CL_INVALID_VALUE;
    /* Nobody has waited for what was to be there, and so nobody has written there. */
    if (landing_forget(m->at))
        m->writes = false;
    int result = write_back(queue, m, (int)waits, wait_list, event);
    if (result == CL_SUCCESS && event != NULL)
        command_type(*event, CL_COMMAND_UNMAP_MEM_OBJECT);
    forget(m);
    opencl_release(memory, KIND_BIT(MEMORY));
    return result;
}
