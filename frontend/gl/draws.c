/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws. Vertices and indices that one takes of the program's memory go to buffers of this
 * library's before it, at the offsets that they have there, so that numbers of vertices stay.
 */
#include "gl.h"

#include <stdlib.h>

enum {
    ARRAY_BUFFER = 0x8892, ELEMENT_BUFFER = 0x8893, STREAM_DRAW = 0x88E0, UNSIGNED_BYTE = 0x1401,
    UNSIGNED_SHORT = 0x1403, UNSIGNED_INT = 0x1405, ELEMENTS = ARRAYS
};
#define PART (16u << 20)                /* bytes of one upload */
#define MOST ((uint64_t)INT32_MAX)      /* bytes of a buffer of uploads */

struct range {
    int64_t first, last;
};

bool uploads_made(struct gl_context *context) {
    if (context->uploads[0] == 0)
        gl_keep(remote_glGenBuffers(ARRAYS + 1, context->uploads, 0));
    if (context->uploads[0] == 0)
        gl_error(GL_OUT_OF_MEMORY);
    return context->uploads[0] != 0;
}

/* Fills the buffer that is bound: a part of memory, at the offset that it has there. */
static bool fill(int target, const uint8_t *memory, uint64_t from, uint64_t to) {
    bool whole = from == 0 && to <= PART;
    int32_t result = remote_glBufferData(target, to, whole ? memory : NULL, STREAM_DRAW, 0);
    for (uint64_t at = from; result == 0 && !whole && at < to; at += PART)
        result = remote_glBufferSubData(target, at, to - at < PART ? to - at : PART, memory + at,
                                        0);
    gl_keep(result);
    return result == 0;
}

/* ---- arrays */

static uint64_t stride_of(const struct array *array) {
    return array->form.stride != 0 ? (uint64_t)array->form.stride : array_element(&array->form);
}

static uintptr_t address_of(const struct gl_context *context, int index) {
    return (uintptr_t)context->zero.pointers[index];
}

static bool is_in(uint32_t arrays, int index) { return (arrays & 1u << index) != 0; }

/* Whether two arrays can have one upload: elements of the one lie among those of the other. */
static bool is_beside(const struct gl_context *context, int one, int other) {
    const struct array *a = &context->vertex.arrays[one], *b = &context->vertex.arrays[other];
    return stride_of(a) == stride_of(b) && a->divisor == b->divisor
           && address_of(context, one) != 0 && address_of(context, other) != 0;
}

/* Those of them that have one upload with this one, and where it begins. */
static uint32_t beside(const struct gl_context *context, uint32_t arrays, int index,
                       uintptr_t *begin) {
    uint64_t stride = stride_of(&context->vertex.arrays[index]);
    uintptr_t its = address_of(context, index);
    uint32_t group = 1u << index;
    *begin = its;
    for (int i = 0; i < ARRAYS; i++)
        if (is_in(arrays, i) && is_beside(context, index, i) && address_of(context, i) < *begin
            && its - address_of(context, i) < stride)
            *begin = address_of(context, i);
    for (int i = 0; i < ARRAYS; i++)
        if (is_in(arrays, i) && is_beside(context, index, i) && address_of(context, i) >= *begin
            && address_of(context, i) - *begin < stride)
            group |= 1u << i;
    return group;
}

/* Of one that was never given nothing is read. */
static bool upload_nothing(struct gl_context *context, int index) {
    gl_keep(remote_glBindBuffer(ARRAY_BUFFER, context->uploads[index], 0));
    bool done = fill(ARRAY_BUFFER, NULL, 0, 0);
    array_is_at(context, index, index, 0);
    return done;
}

static bool upload(struct gl_context *context, uint32_t group, int index, uintptr_t begin,
                   const struct range *range) {
    uint64_t stride = stride_of(&context->vertex.arrays[index]), end = 0;
    for (int i = 0; i < ARRAYS; i++)
        if (is_in(group, i)) {
            uint64_t bytes = array_element(&context->vertex.arrays[i].form);
            uint64_t its = address_of(context, i) - begin + bytes;
            end = its > end ? its : end;
        }
    if ((uint64_t)range->last > MOST / stride || (uint64_t)range->last * stride > MOST - end) {
        gl_error(GL_OUT_OF_MEMORY);
        return false;
    }
    gl_keep(remote_glBindBuffer(ARRAY_BUFFER, context->uploads[index], 0));
    if (!fill(ARRAY_BUFFER, (const uint8_t *)begin, (uint64_t)range->first * stride,
              (uint64_t)range->last * stride + end))
        return false;
    for (int i = 0; i < ARRAYS; i++)
        if (is_in(group, i))
            array_is_at(context, i, index, address_of(context, i) - begin);
    return true;
}

/* The part of an array that a draw takes: vertices, or by its divisor instances. */
static struct range taken(const struct array *array, const struct range *vertices,
                          const struct range *instances) {
    uint32_t divisor = (uint32_t)array->divisor;
    if (divisor == 0)
        return *vertices;
    return (struct range){instances->first,
                          instances->first + (instances->last - instances->first) / divisor};
}

/* Has what a draw takes where the backend reads it; false where the draw cannot be. */
static bool have_arrays(struct gl_context *context, struct range vertices, struct range instances) {
    bool done = uploads_made(context);
    uint32_t left = arrays_here(context);
    vertices.first = vertices.first < 0 ? 0 : vertices.first;
    for (int i = 0; done && i < ARRAYS; i++) {
        if (!is_in(left, i))
            continue;
        uintptr_t begin;
        uint32_t group = beside(context, left, i, &begin);
        struct range range = taken(&context->vertex.arrays[i], &vertices, &instances);
        if (begin == 0 || range.last < range.first)
            done = upload_nothing(context, i);
        else
            done = upload(context, group, i, begin, &range);
        left &= begin == 0 ? ~(1u << i) : ~group;
    }
    gl_keep(remote_glBindBuffer(ARRAY_BUFFER, context->vertex.buffer, 0));
    return done;
}

/* Numbers without a sign in OpenGL. */
static struct range instances_from(int base, int count) {
    return (struct range){(uint32_t)base, (int64_t)(uint32_t)base + count - 1};
}

/* Before a draw of vertices that follow each other. Wrong arguments are OpenGL's to refuse. */
static bool have_vertices(int first, int count, int instances, int base_instance) {
    struct gl_context *context = gl_current();
    if (context == NULL)
        return false;
    if (arrays_here(context) == 0 || first < 0 || count <= 0 || instances <= 0)
        return true;
    return have_arrays(context, (struct range){first, (int64_t)first + count - 1},
                       instances_from(base_instance, instances));
}

void glDrawArrays(int mode, int first, int count) {
    if (have_vertices(first, count, 1, 0))
        gl_keep(remote_glDrawArrays(mode, first, count, 0));
}

void glDrawArraysInstanced(int mode, int first, int count, int instancecount) {
    if (have_vertices(first, count, instancecount, 0))
        gl_keep(remote_glDrawArraysInstanced(mode, first, count, instancecount, 0));
}

void glDrawArraysInstancedBaseInstance(int mode, int first, int count, int instancecount,
                                       int baseinstance) {
    if (have_vertices(first, count, instancecount, baseinstance))
        gl_keep(remote_glDrawArraysInstancedBaseInstance(mode, first, count, instancecount,
                                                         baseinstance, 0));
}

/* All that several draws take, of which some may take nothing. */
static bool have_all(struct gl_context *context, const int *first, const int *count, int draws) {
    struct range all = {INT64_MAX, -1};
    for (int i = 0; i < draws; i++) {
        if (first[i] < 0 || count[i] < 0)
            return true;
        if (count[i] > 0 && first[i] < all.first)
            all.first = first[i];
        if (count[i] > 0 && (int64_t)first[i] + count[i] - 1 > all.last)
            all.last = (int64_t)first[i] + count[i] - 1;
    }
    return all.last < 0 || have_arrays(context, all, instances_from(0, 1));
}

void glMultiDrawArrays(int mode, const int *first, const int *count, int drawcount) {
    struct gl_context *context = gl_current();
    if (context == NULL)
        return;
    if (arrays_here(context) == 0 || drawcount <= 0 || first == NULL || count == NULL
        || have_all(context, first, count, drawcount))
        gl_keep(remote_glMultiDrawArrays(mode, first, count, drawcount, 0));
}

/* ---- indices */

struct elements {
    int count, type;
    uint64_t indices;                   /* an address, or an offset; in the end an offset */
    int instances, base_vertex, base_instance;
    bool known;                         /* the program says which vertices */
    uint32_t start, end;
    bool bound;                         /* indices come from an upload */
};

static uint64_t index_bytes(int type) {
    switch (type) {
    case UNSIGNED_BYTE: return 1;
    case UNSIGNED_SHORT: return 2;
    case UNSIGNED_INT: return 4;
    default: return 0;
    }
}

static uint32_t index_at(const uint8_t *indices, int type, int64_t at) {
    uint16_t two;
    uint32_t four;
    switch (type) {
    case UNSIGNED_BYTE: return indices[at];
    case UNSIGNED_SHORT: memcpy(&two, indices + 2 * at, sizeof two); return two;
    default: memcpy(&four, indices + 4 * at, sizeof four); return four;
    }
}

/* Which vertices indices name; the last is before the first where they name none. */
static struct range named(const struct vertex_state *vertex, const uint8_t *indices, int count,
                          int type) {
    struct range range = {INT64_MAX, -1};
    uint32_t last = UINT32_MAX >> (32 - 8 * index_bytes(type));
    uint32_t restart = vertex->restarts_at_last ? last : (uint32_t)vertex->restart;
    bool restarts = vertex->restarts || vertex->restarts_at_last;
    for (int64_t i = 0; i < count; i++) {
        uint32_t index = index_at(indices, type, i);
        if (restarts && index == restart)
            continue;
        range.first = index < range.first ? index : range.first;
        range.last = index > range.last ? index : range.last;
    }
    return range;
}

/* Indices in a buffer of the program's are read back for it. */
static bool read_range(const struct vertex_state *vertex, const struct elements *draw,
                       struct range *range) {
    uint64_t bytes = (uint64_t)draw->count * index_bytes(draw->type);
    uint8_t *read = bytes > OB_REPLY_MOST - OB_CHUNK ? NULL : calloc(1, bytes);
    int32_t result = read == NULL ? GL_OUT_OF_MEMORY
                                  : remote_outboardReadBuffer(ELEMENT_BUFFER, draw->indices, read,
                                                              bytes, 0);
    if (result == 0)
        *range = named(vertex, read, draw->count, draw->type);
    gl_keep(result);
    free(read);
    return result == 0;
}

static bool find_range(const struct vertex_state *vertex, const struct elements *draw,
                       const uint8_t *indices, struct range *range) {
    if (indices != NULL)
        *range = named(vertex, indices, draw->count, draw->type);
    else if (draw->known)
        *range = (struct range){draw->start, draw->end};
    else if (!read_range(vertex, draw, range))
        return false;
    range->first += draw->base_vertex;
    range->last += draw->base_vertex;
    return true;
}

/* Has the arrays and indices of a draw; wrong arguments are OpenGL's to refuse. */
static bool have_elements(struct gl_context *context, struct elements *draw) {
    uint64_t bytes = index_bytes(draw->type);
    bool nothing = draw->count <= 0 || bytes == 0 || draw->instances <= 0;
    const uint8_t *here = (const uint8_t *)(uintptr_t)draw->indices;
    if (draw->bound) {
        gl_keep(remote_glBindBuffer(ELEMENT_BUFFER, context->uploads[ELEMENTS], 0));
        draw->indices = 0;
        if (!nothing && !fill(ELEMENT_BUFFER, here, 0, (uint64_t)draw->count * bytes))
            return false;
    }
    if (nothing || arrays_here(context) == 0 || (draw->known && draw->start > draw->end))
        return true;
    struct range range;
    return find_range(&context->vertex, draw, draw->bound ? here : NULL, &range)
           && have_arrays(context, range,
                          instances_from(draw->base_instance, draw->instances));
}

static void end_elements(const struct elements *draw) {
    if (draw->bound)
        gl_keep(remote_glBindBuffer(ELEMENT_BUFFER, 0, 0));
}

/* False where the draw cannot be; else its end follows it. */
static bool begin_elements(struct elements *draw) {
    struct gl_context *context = gl_current();
    if (context == NULL)
        return false;
    draw->bound = context->own_memory && context->object->elements == 0
                  && (draw->indices != 0 || draw->count <= 0);
    if (!draw->bound && arrays_here(context) == 0)
        return true;
    if (!uploads_made(context))
        return false;
    bool done = have_elements(context, draw);
    if (!done)
        end_elements(draw);
    return done;
}

/* Makes a call with the indices of a draw. */
#define WITH_ELEMENTS(draw, call) \
    do { \
        if (begin_elements(draw)) { \
            gl_keep(call); \
            end_elements(draw); \
        } \
    } while (false)

void glDrawElements(int mode, int count, int type, uint64_t indices) {
    struct elements draw = {.count = count, .type = type, .indices = indices, .instances = 1};
    WITH_ELEMENTS(&draw, remote_glDrawElements(mode, count, type, draw.indices, 0));
}

void glDrawElementsBaseVertex(int mode, int count, int type, uint64_t indices, int basevertex) {
    struct elements draw = {.count = count, .type = type, .indices = indices, .instances = 1,
                            .base_vertex = basevertex};
    WITH_ELEMENTS(&draw, remote_glDrawElementsBaseVertex(mode, count, type, draw.indices,
                                                         basevertex, 0));
}

void glDrawRangeElements(int mode, int start, int end, int count, int type, uint64_t indices) {
    struct elements draw = {.count = count, .type = type, .indices = indices, .instances = 1,
                            .known = true, .start = (uint32_t)start, .end = (uint32_t)end};
    WITH_ELEMENTS(&draw, remote_glDrawRangeElements(mode, start, end, count, type, draw.indices,
                                                    0));
}

void glDrawRangeElementsBaseVertex(int mode, int start, int end, int count, int type,
                                   uint64_t indices, int basevertex) {
    struct elements draw = {.count = count, .type = type, .indices = indices, .instances = 1,
                            .known = true, .start = (uint32_t)start, .end = (uint32_t)end,
                            .base_vertex = basevertex};
    WITH_ELEMENTS(&draw, remote_glDrawRangeElementsBaseVertex(mode, start, end, count, type,
                                                              draw.indices, basevertex, 0));
}

void glDrawElementsInstanced(int mode, int count, int type, uint64_t indices, int instancecount) {
    struct elements draw = {.count = count, .type = type, .indices = indices,
                            .instances = instancecount};
    WITH_ELEMENTS(&draw, remote_glDrawElementsInstanced(mode, count, type, draw.indices,
                                                        instancecount, 0));
}

void glDrawElementsInstancedBaseVertex(int mode, int count, int type, uint64_t indices,
                                       int instancecount, int basevertex) {
    struct elements draw = {.count = count, .type = type, .indices = indices,
                            .instances = instancecount, .base_vertex = basevertex};
    WITH_ELEMENTS(&draw, remote_glDrawElementsInstancedBaseVertex(mode, count, type, draw.indices,
                                                                  instancecount, basevertex, 0));
}

void glDrawElementsInstancedBaseInstance(int mode, int count, int type, uint64_t indices,
                                         int instancecount, int baseinstance) {
    struct elements draw = {.count = count, .type = type, .indices = indices,
                            .instances = instancecount, .base_instance = baseinstance};
    WITH_ELEMENTS(&draw,
                  remote_glDrawElementsInstancedBaseInstance(mode, count, type, draw.indices,
                                                             instancecount, baseinstance, 0));
}

void glDrawElementsInstancedBaseVertexBaseInstance(int mode, int count, int type, uint64_t indices,
                                                   int instancecount, int basevertex,
                                                   int baseinstance) {
    struct elements draw = {.count = count, .type = type, .indices = indices,
                            .instances = instancecount, .base_vertex = basevertex,
                            .base_instance = baseinstance};
    WITH_ELEMENTS(&draw, remote_glDrawElementsInstancedBaseVertexBaseInstance(
                             mode, count, type, draw.indices, instancecount, basevertex,
                             baseinstance, 0));
}

/* ---- several draws with indices: one by one where one of them needs something of here */

static bool are_there(const struct gl_context *context) {
    return arrays_here(context) == 0
           && (!context->own_memory || context->object->elements != 0);
}

void glMultiDrawElements(int mode, const int *count, int type, const void *const *indices,
                         int drawcount) {
    struct gl_context *context = gl_current();
    if (context == NULL)
        return;
    if (are_there(context) || drawcount < 0 || count == NULL || indices == NULL) {
        gl_keep(remote_glMultiDrawElements(mode, count, type,
                                           (const uint64_t *)(const void *)indices, drawcount, 0));
        return;
    }
    for (int i = 0; i < drawcount; i++)
        glDrawElements(mode, count[i], type, (uintptr_t)indices[i]);
}

void glMultiDrawElementsBaseVertex(int mode, const int *count, int type,
                                   const void *const *indices, int drawcount,
                                   const int *basevertex) {
    struct gl_context *context = gl_current();
    if (context == NULL)
        return;
    if (are_there(context) || drawcount < 0 || count == NULL || indices == NULL
        || basevertex == NULL) {
        gl_keep(remote_glMultiDrawElementsBaseVertex(
            mode, count, type, (const uint64_t *)(const void *)indices, drawcount, basevertex, 0));
        return;
    }
    for (int i = 0; i < drawcount; i++)
        glDrawElementsBaseVertex(mode, count[i], type, (uintptr_t)indices[i], basevertex[i]);
}

/* ---- what is refused with arrays in the program's memory: which vertices is not known here, or
 * nothing can be uploaded between glBegin and glEnd */

static bool refuses_arrays(const char *name, bool *said) {
    struct gl_context *context = gl_current();
    if (context == NULL || arrays_here(context) == 0)
        return false;
    gl_keep(ob_refuse(&ob_gl, name, said));
    return true;
}

#define REFUSE_ARRAYS(name, parameters, arguments) \
    void name parameters { \
        static bool said; \
        if (!refuses_arrays(#name " with arrays in the program's memory", &said)) \
            gl_keep(remote_##name arguments); \
    }

REFUSE_ARRAYS(glArrayElement, (int i), (i, 0))
REFUSE_ARRAYS(glDrawArraysIndirect, (int mode, uint64_t indirect), (mode, indirect, 0))
REFUSE_ARRAYS(glDrawElementsIndirect, (int mode, int type, uint64_t indirect),
              (mode, type, indirect, 0))
REFUSE_ARRAYS(glMultiDrawArraysIndirect, (int mode, uint64_t indirect, int drawcount, int stride),
              (mode, indirect, drawcount, stride, 0))
REFUSE_ARRAYS(glMultiDrawElementsIndirect,
              (int mode, int type, uint64_t indirect, int drawcount, int stride),
              (mode, type, indirect, drawcount, stride, 0))
