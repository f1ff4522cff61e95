/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers and images in memory that both sides have, for devices that use the host's memory. Data
 * are in place for a read, a write or a map once the device has been asked for them; nothing is
 * copied on the way.
 *
 * Such memory is new each time: made, passed and met page by page by the first kernel, where the
 * device's own comes from its heap. A program that makes a buffer for each step, for the device
 * alone (a matrix in another order, say), gets the device's own from the second one on: of each
 * size it is remembered whether the last buffer was looked at from here.
 */
#include "memory/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
    LEAST = 1 << 20,            /* passing memory costs more than the copies of smaller buffers */
    MOST_DEVICES = 16,
    /* a prime: sizes are often powers of two, which then have places of their own */
    SIZES = 61,
    CL_CONTEXT_DEVICES = 0x1081,
    CL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
};

/* Remembered beside the answers that the specification has names for. */
#define SHARED 0xF0000003u

typedef struct pages {
    unsigned char *at;
    uint64_t bytes;
    bool buffer;
    _Atomic bool looked_at;
} pages;

/* ---- the device's alone ---------------------------------------------------------------------- */

/* Sizes of which the last buffer was the device's alone: the program has not looked at it. Two that
 * share a place forget each other, which costs time only. */
static _Atomic uint64_t device_only_sizes[SIZES];

static _Atomic uint64_t *place_of(uint64_t bytes) { return &device_only_sizes[bytes % SIZES]; }

static bool expects_no_look(uint64_t bytes) {
    return atomic_load_explicit(place_of(bytes), memory_order_relaxed) == bytes;
}

static void note_end(const pages *its) {
    if (its->buffer && !its->looked_at)
        atomic_store_explicit(place_of(its->bytes), its->bytes, memory_order_relaxed);
}

/* At a buffer that is not in such memory. */
static void note_look(object *buffer) {
    uint64_t bytes = 0;
    if (buffer != NULL && object_recall(buffer, CL_MEM_SIZE, &bytes, sizeof bytes))
        atomic_compare_exchange_strong(place_of(bytes), &bytes, 0);
}

/* ---- making them ----------------------------------------------------------------------------- */

static bool unified(cl_context context) {
    cl_device_id devices[MOST_DEVICES];
    size_t bytes = 0;
    if (clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, &bytes) !=
        CL_SUCCESS)
        return false;
    for (size_t i = 0; i < bytes / sizeof *devices; i++) {
        uint32_t yes = 0;
        if (clGetDeviceInfo(devices[i], CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof yes, &yes, NULL) !=
                CL_SUCCESS ||
            yes == 0)
            return false;
    }
    return true;
}

typedef struct request {
    cl_context context;
    uint64_t flags, size;
    const cl_image_format *format;  /* NULL: a buffer */
    const cl_image_desc *shape;
    cl_mem *made;
} request;

static int make(void *data) {
    const request *r = data;
    return r->format == NULL
               ? remote_outboardCreateSharedBuffer(r->context, r->flags, r->size, r->made, 0)
               : remote_outboardCreateSharedImage(r->context, r->flags, r->format, r->shape,
                                                  r->size, r->made, 0);
}

static void forget(void *memory, void *data) {
    pages *its = data;
    (void)memory;
    note_end(its);
    munmap(its->at, its->bytes);
    free(its);
}

/* The program's questions get the answers for memory that is the device's alone. */
static void remember(object *made, uint64_t flags, pages *its) {
    const void *none = NULL;
    uint64_t given = flags == 0 ? CL_MEM_READ_WRITE : flags;
    object_remember(made, SHARED, &its, sizeof its);
    object_remember(made, CL_MEM_FLAGS, &given, sizeof given);
    object_remember(made, CL_MEM_HOST_PTR, &none, sizeof none);
}

/* Where it lies, NULL if it is to be made otherwise. */
static unsigned char *share(const request *r) {
    if (r->size < LEAST || (r->flags & (CL_MEM_USE_HOST_PTR | HOST_ACCESS)) != 0 || !ob_passes() ||
        !unified(r->context))
        return NULL;
    pages *its = malloc(sizeof *its);
    if (its == NULL)
        return NULL;
    *its = (pages){pass_memory(r->size, make, (void *)(uintptr_t)r), r->size, r->format == NULL,
                   false};
    if (its->at == NULL) {
        free(its);
        return NULL;
    }
    remember((object *)*r->made, r->flags, its);
    object_on_end(*r->made, KIND_BIT(MEMORY), CL_INVALID_MEM_OBJECT, forget, its);
    return its->at;
}

bool shared_make(cl_context context, uint64_t flags, uint64_t size, const void *host,
                 cl_mem *made) {
    if (host == NULL && (flags & CL_MEM_ALLOC_HOST_PTR) == 0 && expects_no_look(size))
        return false;
    unsigned char *at = share(&(request){context, flags, size, NULL, NULL, made});
    if (at != NULL && host != NULL) {
        memcpy(at, host, size);
        shared_at(*made, 0, size); /* counts as a look */
    }
    return at != NULL;
}

unsigned char *shared_make_image(cl_context context, uint64_t flags, const cl_image_format *format,
                                 const cl_image_desc *shape, uint64_t size, cl_mem *made) {
    return share(&(request){context, flags, size, format, shape, made});
}

/* ---- looking at them ------------------------------------------------------------------------- */

unsigned char *shared_at(cl_mem memory, uint64_t offset, uint64_t size) {
    object *o = object_at(memory, KIND_BIT(MEMORY));
    pages *its;
    if (o == NULL || !object_recall(o, SHARED, &its, sizeof its)) {
        note_look(o);
        return NULL;
    }
    its->looked_at = true;
    return size <= its->bytes && offset <= its->bytes - size ? its->at + offset : NULL;
}

/* Bytes from the first to the last one; a box that makes no sense is larger than all there are. */
static uint64_t extent(const box *b, uint64_t most) {
    if (b->row > most || b->rows - 1 > most / b->row_pitch || b->slices - 1 > most / b->slice_pitch)
        return UINT64_MAX;
    return (b->slices - 1) * b->slice_pitch + (b->rows - 1) * b->row_pitch + b->row;
}

bool shared_box(box *b, cl_mem buffer, const uint64_t *at, const uint64_t *region,
                uint64_t row_pitch, uint64_t slice_pitch) {
    unsigned char *base = shared_at(buffer, 0, 0);
    uint64_t most = UINT32_MAX; /* sums and products of such do not overflow */
    if (base == NULL || !rectangle(b, base, at, region, row_pitch, slice_pitch))
        return false;
    if (at[0] > most || at[1] > most || at[2] > most || b->row_pitch > most ||
        b->slice_pitch > most)
        return false;
    return shared_at(buffer, at[2] * b->slice_pitch + at[1] * b->row_pitch + at[0],
                     extent(b, most)) != NULL;
}

bool shared_image_box(box *b, cl_mem image, const uint64_t *at, const uint64_t *region) {
    unsigned char *base = shared_at(image, 0, 0);
    return base != NULL && at != NULL && image_part(b, image, base, at, region) == CL_SUCCESS &&
           shared_at(image, (uint64_t)(b->to - base), extent(b, UINT64_MAX)) != NULL;
}

uint64_t shared_offset(cl_mem memory, const void *at) {
    return (uint64_t)((const unsigned char *)at - shared_at(memory, 0, 0));
}

/* Maps a part for reading or writing; an image's region is as the program gave it. */
static int map(cl_command_queue queue, const part *p, uint64_t flags, int waits,
               const cl_event *list) {
    awaited w;
    begin_wait(&w, 1, NULL);
    return after_write(p->region != NULL
                           ? remote_outboardMapSharedImage(queue, p->memory, flags, p->origin,
                                                           p->region, waits, list, w.event, 0)
                           : remote_outboardMapShared(
                                 queue, p->memory, flags, shared_offset(p->memory, p->there.to),
                                 extent(&p->there, UINT64_MAX), waits, list, w.event, 0),
                       &w);
}

int shared_read(cl_command_queue queue, const part *from, const box *to, int waits,
                const cl_event *list) {
    int result = map(queue, from, CL_MAP_READ, waits, list);
    if (result != CL_SUCCESS)
        return result;
    box_copy(to, &from->there);
    return remote_outboardUnmapShared(
        queue, from->memory, shared_offset(from->memory, from->there.to), 0, NULL, NULL, 0);
}

/* Bytes between rows stay. */
int shared_write(cl_command_queue queue, const part *to, const box *from, int waits,
                 const cl_event *list) {
    uint64_t flags = to->there.rows * to->there.slices == 1 ? CL_MAP_WRITE_INVALIDATE_REGION
                                                            : CL_MAP_WRITE;
    int result = map(queue, to, flags, waits, list);
    if (result != CL_SUCCESS)
        return result;
    box_copy(&to->there, from);
    awaited w;
    begin_wait(&w, 1, NULL);
    return after_write(remote_outboardUnmapShared(queue, to->memory,
                                                  shared_offset(to->memory, to->there.to), 0, NULL,
                                                  w.event, 0),
                       &w);
}
