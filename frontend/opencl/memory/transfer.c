/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and writes. Those that wait cost one round trip: the read is posted, and fetching it says
 * also what was wrong with it.
 */
#include "memory/memory.h"

#include <stdlib.h>

static const uint64_t origin[3];

/* ---- after the command ----------------------------------------------------------------------- */

int land(int result, uint64_t number, bool wait, const box *to, cl_event *event) {
    if (result != CL_SUCCESS)
        return result;
    if (!wait)
        return landing_expect(number, to);
    result = landing_fetch(number, to);
    if (result != CL_SUCCESS && event != NULL) {
        object_drop(*event);
        *event = NULL;
    }
    return result;
}

static uint32_t flags_of(bool posted) { return posted ? 0 : OB_ANSWER; }

void begin_wait(awaited *w, int blocking, cl_event *event) {
    *w = (awaited){.waits = blocking != 0, .event = event};
    if (w->waits && event == NULL)
        w->event = &w->own;
}

int after_write(int result, awaited *w) {
    if (result != CL_SUCCESS || !w->waits)
        return result;
    result = clWaitForEvents(1, w->event);
    if (result != CL_SUCCESS && result != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) {
        object_drop(*w->event);
        *w->event = NULL;
    } else if (w->event == &w->own) {
        clReleaseEvent(w->own);
    }
    return result;
}

/* A transfer that the program does not wait for may wait where that holds nothing up. */
static bool may_wait(unsigned int blocking, unsigned int waits) {
    return blocking || (waits == 0 && commands_go_on());
}

static bool through_area(unsigned int blocking, unsigned int waits, uint64_t bytes) {
    return may_wait(blocking, waits) && area_takes(bytes);
}

/* A program that wants the command's event wants its times too, which exist where the device
 * copies. */
static bool in_place(unsigned int blocking, uint64_t size, unsigned int waits,
                     const cl_event *event) {
    return size >= AREA_LEAST && event == NULL && may_wait(blocking, waits);
}

static bool flat_in_place(part *p, unsigned int blocking, uint64_t offset, uint64_t size,
                          unsigned int waits, const cl_event *event) {
    p->there = flat_box(
        in_place(blocking, size, waits, event) ? shared_at(p->memory, offset, size) : NULL, size);
    return p->there.to != NULL;
}

/* Whether a queue and a part of a buffer go together. `never` is what the memory must not have been
 * made with. */
static bool part_of_buffer(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size,
                           uint64_t never) {
    const object *context = context_of(object_at(queue, KIND_BIT(QUEUE)));
    object *o = object_at(buffer, KIND_BIT(MEMORY));
    uint64_t bytes = context != NULL && o != NULL && o->first == context &&
                             (host_access(o) & never) == 0
                         ? buffer_bytes(buffer)
                         : 0;
    return size > 0 && offset <= bytes && size <= bytes - offset;
}

/* Whether nothing can be wrong with a command on a part of a buffer, which is then posted, as
 * starts of kernels are. (Parts of buffers may begin where a device has none begin.) */
static bool command_is_valid(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size,
                             int waits, const cl_event *list, uint64_t never) {
    return waits == 0 && list == NULL && part_of_buffer(queue, buffer, offset, size, never);
}

enum {
    NEVER_READ = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
    NEVER_WRITTEN = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS
};

/* ---- bulk data ------------------------------------------------------------------------------- */

typedef struct bulk_copy {
    cl_command_queue queue;
    cl_mem buffer;
    uint64_t offset, size;
    bool reads;
    int blocking, waits;
    const cl_event *list;
} bulk_copy;

static int32_t bulk_move(void *with, uint64_t transfer) {
    const bulk_copy *c = with;
    return c->reads ? remote_outboardBulkRead(c->queue, c->buffer, c->offset, c->size, transfer,
                                              c->waits, c->list, 0)
                    : remote_outboardBulkWrite(c->queue, c->buffer, c->offset, c->size, transfer,
                                               c->blocking, c->waits, c->list, 0);
}

/* A copy is several commands there, which have no event in common. If its part of the buffer is
 * wrong, a call that has all of it reports the error. */
static bool bulk(const bulk_copy *copy, void *memory, const cl_event *event, int *result) {
    static const ob_bulk_calls calls = {&ob_opencl, bulk_move, bulk_drop};
    bulk_copy c = *copy;
    if (event != NULL ||
        !part_of_buffer(c.queue, c.buffer, c.offset, c.size,
                        c.reads ? NEVER_READ : NEVER_WRITTEN) ||
        !ob_bulk(!c.reads, memory, c.size, &calls, &c, result))
        return false;
    if (c.blocking)
        *result = landings_arrive(*result);
    return true;
}

/* ---- buffers --------------------------------------------------------------------------------- */

enum { LITTLE = 32 << 10 };     /* a read that comes with its answer, which holds nothing else up */

/* A backend that cannot do so says that it is not supported. */
static int read_at_once(cl_command_queue queue, cl_mem buffer, uint64_t offset, const box *to,
                        int waits, const cl_event *list) {
    int result = box_bytes(to) <= LITTLE ? remote_outboardRead(queue, buffer, offset, box_bytes(to),
                                                               to->to, waits, list, 0)
                                         : ob_opencl.not_supported;
    return result == ob_opencl.not_supported ? result : landings_arrive(result);
}

int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, unsigned int blocking, size_t offset,
                        size_t size, void *data, unsigned int waits, const cl_event *wait_list,
                        cl_event *event) {
    part from = {.memory = buffer};
    box to = flat_box(data, size);
    if (data == NULL || size == 0 || size > PTRDIFF_MAX)
        return CL_INVALID_VALUE;
    if (flat_in_place(&from, blocking, offset, size, waits, event))
        return shared_read(queue, &from, &to, (int)waits, wait_list);
    if (through_area(blocking, waits, size))
        return area_read(queue, buffer, offset, size, data, (int)waits, wait_list, event);
    bulk_copy copy = {queue, buffer, offset, size, true, 1, (int)waits, wait_list};
    int result;
    if (blocking && bulk(&copy, data, event, &result))
        return result;
    int read = blocking && event == NULL
                   ? read_at_once(queue, buffer, offset, &to, (int)waits, wait_list)
                   : ob_opencl.not_supported;
    if (read != ob_opencl.not_supported)
        return read;
    uint64_t number = landing_number();
    bool posted = blocking ||
                  command_is_valid(queue, buffer, offset, size, (int)waits, wait_list, NEVER_READ);
    return land(remote_clEnqueueReadBuffer(queue, buffer, 0, offset, size, number, (int)waits,
                                           wait_list, event, flags_of(posted)),
                number, blocking, &to, event);
}

/* more goes to its place in the backend in parts, ahead of the call */
enum { LARGE = 1 << 20 };

static _Atomic uint64_t staged;

typedef struct staging {
    uint64_t number, bytes;
} staging;

static int32_t stage_in_bulk(void *with, uint64_t transfer) {
    const staging *s = with;
    return remote_outboardBulkStage(s->number, s->bytes, transfer, 0);
}

/* The call that it is for reports errors. */
uint64_t stage(const void *data, uint64_t bytes) {
    static const ob_bulk_calls calls = {&ob_opencl, stage_in_bulk, bulk_drop};
    if (bytes <= LARGE)
        return 0;
    staging s = {++staged, bytes};
    int unused;
    if (!ob_bulk(true, (void *)(uintptr_t)data, bytes, &calls, &s, &unused))
        remote_outboardStage(s.number, 0, data, bytes, bytes, 0);
    return s.number;
}

static int write_buffer(cl_command_queue queue, cl_mem buffer, int blocking, uint64_t offset,
                        uint64_t size, const void *data, int waits, const cl_event *wait_list,
                        cl_event *event) {
    uint64_t number = stage(data, size);
    uint32_t flags = flags_of(
        blocking || command_is_valid(queue, buffer, offset, size, waits, wait_list, NEVER_WRITTEN));
    return number != 0 ? remote_outboardWriteStaged(queue, buffer, offset, size, number, waits,
                                                    wait_list, event, flags)
                       : remote_clEnqueueWriteBuffer(queue, buffer, 0, offset, size, data, waits,
                                                     wait_list, event, flags);
}

int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, int blocking, uint64_t offset,
                         uint64_t size, const void *data, int waits, const cl_event *wait_list,
                         cl_event *event) {
    awaited w;
    if (data == NULL || size > PTRDIFF_MAX)
        return CL_INVALID_VALUE;
    part to = {.memory = buffer};
    box from = flat_box((void *)(uintptr_t)data, size);
    if (flat_in_place(&to, (unsigned int)blocking, offset, size, (unsigned int)waits, event))
        return shared_write(queue, &to, &from, waits, wait_list);
    if (through_area((unsigned int)blocking, (unsigned int)waits, size))
        return area_write(queue, buffer, offset, size, data, waits, wait_list, event);
    bulk_copy copy = {queue, buffer, offset, size, false, blocking, waits, wait_list};
    int result;
    if (bulk(&copy, from.to, event, &result))
        return result;
    begin_wait(&w, blocking, event);
    return after_write(
        write_buffer(queue, buffer, blocking, offset, size, data, waits, wait_list, w.event), &w);
}

bool rectangle(box *b, void *data, const uint64_t *at, const uint64_t *region, uint64_t row_pitch,
               uint64_t slice_pitch) {
    if (data == NULL || at == NULL || region == NULL || region[0] == 0 || region[1] == 0 ||
        region[2] == 0)
        return false;
    row_pitch = row_pitch == 0 ? region[0] : row_pitch;
    slice_pitch = slice_pitch == 0 ? region[1] * row_pitch : slice_pitch;
    if (row_pitch < region[0] || slice_pitch < region[1] * row_pitch ||
        slice_pitch % row_pitch != 0)
        return false;
    *b = (box){(unsigned char *)data + at[2] * slice_pitch + at[1] * row_pitch + at[0],
               region[0],
               region[1],
               region[2],
               row_pitch,
               slice_pitch};
    return true;
}

int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, unsigned int blocking,
                            const size_t *buffer_origin, const size_t *host_origin,
                            const size_t *region, size_t buffer_row_pitch,
                            size_t buffer_slice_pitch, size_t host_row_pitch,
                            size_t host_slice_pitch, void *data, unsigned int waits,
                            const cl_event *wait_list, cl_event *event) {
    part from = {.memory = buffer};
    box to;
    uint64_t number = landing_number();
    if (!rectangle(&to, data, host_origin, region, host_row_pitch, host_slice_pitch))
        return CL_INVALID_VALUE;
    if (in_place(blocking, box_bytes(&to), waits, event) &&
        shared_box(&from.there, buffer, buffer_origin, region, buffer_row_pitch,
                   buffer_slice_pitch))
        return shared_read(queue, &from, &to, (int)waits, wait_list);
    return land(remote_clEnqueueReadBufferRect(queue, buffer, 0, buffer_origin, origin, region,
                                               buffer_row_pitch, buffer_slice_pitch, 0, 0, number,
                                               (int)waits, wait_list, event, flags_of(blocking)),
                number, blocking, &to, event);
}

int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, int blocking,
                             const uint64_t *buffer_origin, const uint64_t *host_origin,
                             const uint64_t *region, uint64_t buffer_row_pitch,
                             uint64_t buffer_slice_pitch, uint64_t host_row_pitch,
                             uint64_t host_slice_pitch, const void *data, int waits,
                             const cl_event *wait_list, cl_event *event) {
    part to = {.memory = buffer};
    box from;
    if (!rectangle(&from, (void *)(uintptr_t)data, host_origin, region, host_row_pitch,
                   host_slice_pitch))
        return CL_INVALID_VALUE;
    if (in_place((unsigned int)blocking, box_bytes(&from), (unsigned int)waits, event) &&
        shared_box(&to.there, buffer, buffer_origin, region, buffer_row_pitch, buffer_slice_pitch))
        return shared_write(queue, &to, &from, waits, wait_list);
    const void *packed = box_packed(&from);
    if (packed == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    awaited w;
    begin_wait(&w, blocking, event);
    uint64_t number = stage(packed, box_bytes(&from));
    int result = number != 0
                     ? remote_outboardWriteStagedRect(queue, buffer, buffer_origin, region,
                                                      buffer_row_pitch, buffer_slice_pitch, number,
                                                      waits, wait_list, w.event, OB_ANSWER)
                     : remote_clEnqueueWriteBufferRect(queue, buffer, 0, buffer_origin, origin,
                                                       region, buffer_row_pitch, buffer_slice_pitch,
                                                       0, 0, packed, box_bytes(&from), waits,
                                                       wait_list, w.event, OB_ANSWER);
    if (packed != from.to)
        free((void *)(uintptr_t)packed);
    return after_write(result, &w);
}

int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, uint64_t from_offset,
                        uint64_t to_offset, uint64_t size, int waits, const cl_event *wait_list,
                        cl_event *event) {
    bool posted = from != to &&
                  command_is_valid(queue, from, from_offset, size, waits, wait_list, 0) &&
                  command_is_valid(queue, to, to_offset, size, waits, wait_list, 0);
    return remote_clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, waits,
                                      wait_list, event, flags_of(posted));
}

/* ---- images ---------------------------------------------------------------------------------- */

/* Bytes: four numbers of four. A backend answers for formats alone that are not known here. */
enum { MOST_PIXEL = 16 };

static bool rows_are_slices(cl_mem image) { return memory_type(image) == IMAGE1D_ARRAY; }

int image_box(box *b, cl_mem image, void *data, const uint64_t *region, uint64_t row_pitch,
              uint64_t slice_pitch) {
    uint64_t element;
    int result = clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL);
    if (result != CL_SUCCESS)
        return result;
    if (element > MOST_PIXEL)
        return CL_OUT_OF_HOST_MEMORY;
    if (region == NULL || region[0] == 0 || region[1] == 0 || region[2] == 0)
        return CL_INVALID_VALUE;
    uint64_t row = region[0] * element;
    row_pitch = row_pitch == 0 ? row : row_pitch;
    /* The rows of an array of rows are its slices. */
    bool slices = rows_are_slices(image);
    slice_pitch = slice_pitch == 0 ? row_pitch * (slices ? 1 : region[1]) : slice_pitch;
    if (row_pitch < row)
        return CL_INVALID_VALUE;
    *b = slices ? (box){data, row, 1, region[1], row_pitch, slice_pitch}
                : (box){data, row, region[1], region[2], row_pitch, slice_pitch};
    return CL_SUCCESS;
}

int image_part(box *b, cl_mem image, void *base, const uint64_t *at, const uint64_t *region) {
    uint64_t element = 0, row = 0, slice = 0;
    clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL);
    clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof row, &row, NULL);
    clGetImageInfo(image, CL_IMAGE_SLICE_PITCH, sizeof slice, &slice, NULL);
    int result = image_box(b, image, base, region, row, slice);
    if (result == CL_SUCCESS)
        b->to += at[0] * element + (rows_are_slices(image)
                                        ? at[1] * b->slice_pitch
                                        : at[1] * b->row_pitch + at[2] * b->slice_pitch);
    return result;
}

static bool image_in_place(part *p, unsigned int blocking, const box *host, unsigned int waits,
                           const cl_event *event) {
    return in_place(blocking, box_bytes(host), waits, event) &&
           shared_image_box(&p->there, p->memory, p->origin, p->region);
}

int clEnqueueReadImage(cl_command_queue queue, cl_mem image, unsigned int blocking,
                       const size_t *at, const size_t *region, size_t row_pitch, size_t slice_pitch,
                       void *data, unsigned int waits, const cl_event *wait_list, cl_event *event) {
    part from = {.memory = image, .origin = at, .region = region};
    box to;
    uint64_t number = landing_number();
    int result = data == NULL ? CL_INVALID_VALUE
                              : image_box(&to, image, data, region, row_pitch, slice_pitch);
    if (result != CL_SUCCESS)
        return result;
    if (image_in_place(&from, blocking, &to, waits, event))
        return shared_read(queue, &from, &to, (int)waits, wait_list);
    return land(remote_clEnqueueReadImage(queue, image, 0, at, region, 0, 0, number, box_bytes(&to),
                                          (int)waits, wait_list, event, flags_of(blocking)),
                number, blocking, &to, event);
}

int clEnqueueWriteImage(cl_command_queue queue, cl_mem image, int blocking, const uint64_t *at,
                        const uint64_t *region, uint64_t row_pitch, uint64_t slice_pitch,
                        const void *data, int waits, const cl_event *wait_list, cl_event *event) {
    part to = {.memory = image, .origin = at, .region = region};
    box from;
    int result = data == NULL ? CL_INVALID_VALUE
                              : image_box(&from, image, (void *)(uintptr_t)data, region, row_pitch,
                                          slice_pitch);
    if (result != CL_SUCCESS)
        return result;
    if (image_in_place(&to, (unsigned int)blocking, &from, (unsigned int)waits, event))
        return shared_write(queue, &to, &from, waits, wait_list);
    const void *packed = box_packed(&from);
    if (packed == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    awaited w;
    begin_wait(&w, blocking, event);
    uint64_t number = stage(packed, box_bytes(&from));
    result =
        number != 0
            ? remote_outboardWriteStagedImage(queue, image, at, region, number, box_bytes(&from),
                                              waits, wait_list, w.event, OB_ANSWER)
            : remote_clEnqueueWriteImage(queue, image, 0, at, region, 0, 0, packed,
                                         box_bytes(&from), waits, wait_list, w.event, OB_ANSWER);
    if (packed != from.to)
        free((void *)(uintptr_t)packed);
    return after_write(result, &w);
}
