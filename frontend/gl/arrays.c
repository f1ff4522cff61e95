/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of vertices (OpenGL 4.6 compatibility profile, section 10.3): which are enabled, and where
 * those lie that the program has in its own memory, as arrays of vertex array object 0 may. The
 * backend has each of them in a buffer, which a draw fills (draws.c), and whose name the program
 * does not see.
 */
#include "gl.h"

#include <search.h>
#include <stdlib.h>

enum {
    ARRAY_BUFFER = 0x8892, ELEMENT_BUFFER = 0x8893, TEXTURE0 = 0x84C0, BGRA = 0x80E1,
    BYTE = 0x1400, UNSIGNED_BYTE = 0x1401, SHORT = 0x1402, UNSIGNED_SHORT = 0x1403, INT = 0x1404,
    UNSIGNED_INT = 0x1405, FLOAT = 0x1406, DOUBLE = 0x140A, HALF_FLOAT = 0x140B, FIXED = 0x140C,
    HALF_FLOAT_OES = 0x8D61, UNSIGNED_2_10_10_10 = 0x8368, INT_2_10_10_10 = 0x8D9F,
    UNSIGNED_10F_11F_11F = 0x8C3B, RESTART = 0x8F9D, RESTART_AT_LAST = 0x8D69, RESTART_NV = 0x8558,
    ATTRIBUTE_BUFFER = 0x889F, ATTRIBUTE_POINTER = 0x8645, NOWHERE = -1, MOST_PUSHED = 16
};

/* ---- a context's */

void arrays_begin(struct gl_context *context) {
    static const int sizes[] = {
        [ARRAY_NORMAL] = 3, [ARRAY_SECONDARY_COLOR] = 3, [ARRAY_FOG_COORD] = 1, [ARRAY_INDEX] = 1,
        [ARRAY_EDGE_FLAG] = 1, [ARRAYS - 1] = 0
    };
    context->object = &context->zero;
    for (int i = 0; i < ARRAYS; i++) {
        struct array *array = &context->vertex.arrays[i];
        array->form.size = sizes[i] == 0 ? 4 : sizes[i];
        array->form.type = i == ARRAY_EDGE_FLAG ? UNSIGNED_BYTE : FLOAT;
        array->place = NOWHERE;
    }
    if (context->own_memory)
        context->vertex.client = UINT32_MAX >> (32 - ARRAYS);
}

struct client_attributes {
    struct client_attributes *next;
    int mask;
    struct pixel_form program[WAYS], backend[WAYS];
    int buffer[WAYS];
    struct vertex_state vertex;
    struct vertex_object object;
};

void arrays_end(struct gl_context *context) {
    tdestroy(context->objects, free);
    while (context->pushed != NULL) {
        struct client_attributes *pushed = context->pushed;
        context->pushed = pushed->next;
        free(pushed);
    }
}

static bool is_zero(const struct gl_context *context) {
    return context->object == &context->zero;
}

uint32_t arrays_here(const struct gl_context *context) {
    return is_zero(context) ? context->vertex.enabled & context->vertex.client : 0;
}

/* An array of the buffer that is lost would be read from nowhere. */
static void lose_buffer(struct gl_context *context, int index) {
    struct array *array = &context->vertex.arrays[index];
    array->buffer = 0;
    array->place = NOWHERE;
    context->zero.pointers[index] = NULL;
    if (context->own_memory)
        context->vertex.client |= 1u << index;
}

void arrays_bind(struct gl_context *context, int target, int buffer) {
    if (target == ARRAY_BUFFER)
        context->vertex.buffer = buffer;
    if (target == ELEMENT_BUFFER)
        context->object->elements = buffer;
}

void arrays_delete(struct gl_context *context, int buffer) {
    if (context->vertex.buffer == buffer)
        context->vertex.buffer = 0;
    if (context->object->elements == buffer)
        context->object->elements = 0;
    for (int i = 0; is_zero(context) && i < ARRAYS; i++)
        if (context->vertex.arrays[i].buffer == buffer)
            lose_buffer(context, i);
}

/* ---- vertex array objects */

static int by_name(const void *one, const void *other) {
    int left = ((const struct vertex_object *)one)->name;
    int right = ((const struct vertex_object *)other)->name;
    return (left > right) - (left < right);
}

/* NULL where it has never been bound. */
static struct vertex_object *known_object(struct gl_context *context, int name) {
    const struct vertex_object wanted = {.name = name};
    void **found = name == 0 ? NULL : tfind(&wanted, &context->objects, by_name);
    return name == 0 ? &context->zero : found == NULL ? NULL : *found;
}

static struct vertex_object *new_object(struct gl_context *context, int name) {
    struct vertex_object *object = calloc(1, sizeof *object);
    if (object == NULL)
        return NULL;
    object->name = name;
    if (tsearch(object, &context->objects, by_name) == NULL) {
        free(object);
        return NULL;
    }
    return object;
}

void glBindVertexArray(int name) {
    struct gl_context *context = gl_current();
    if (context == NULL)
        return;
    struct vertex_object *object = known_object(context, name);
    if (object == NULL)
        object = new_object(context, name);
    if (object == NULL) {
        gl_error(GL_OUT_OF_MEMORY);
        return;
    }
    context->object = object;
    gl_keep(remote_glBindVertexArray(name, 0));
}

static void forget_object(struct gl_context *context, int name) {
    struct vertex_object *object = known_object(context, name);
    if (object == NULL || name == 0)
        return;
    if (context->object == object)
        context->object = &context->zero;
    tdelete(object, &context->objects, by_name);
    free(object);
}

void glDeleteVertexArrays(int n, const int *names) {
    struct gl_context *context = gl_current();
    for (int i = 0; context != NULL && names != NULL && i < n; i++)
        forget_object(context, names[i]);
    gl_keep(remote_glDeleteVertexArrays(n, names, 0));
}

/* ---- pointers */

static uint64_t component(int type) {
    switch (type) {
    case BYTE: case UNSIGNED_BYTE: return 1;
    case SHORT: case UNSIGNED_SHORT: case HALF_FLOAT: case HALF_FLOAT_OES: return 2;
    case INT: case UNSIGNED_INT: case FLOAT: case FIXED: return 4;
    case DOUBLE: return 8;
    default: return 0;
    }
}

uint64_t array_element(const struct array_form *form) {
    if (form->type == UNSIGNED_2_10_10_10 || form->type == INT_2_10_10_10
        || form->type == UNSIGNED_10F_11F_11F)
        return 4;
    bool counted = form->size >= 1 && form->size <= 4;
    return form->size == BGRA ? 4 : counted ? component(form->type) * (uint64_t)form->size : 0;
}

static int32_t send_texture(const struct gl_context *context, int unit,
                            const struct array_form *form, uint64_t offset) {
    int now = context->vertex.unit;
    if (unit == now)
        return remote_glTexCoordPointer(form->size, form->type, form->stride, offset, 0);
    gl_keep(remote_glClientActiveTexture(TEXTURE0 + unit, 0));
    gl_keep(remote_glTexCoordPointer(form->size, form->type, form->stride, offset, 0));
    return remote_glClientActiveTexture(TEXTURE0 + now, 0);
}

static int32_t send_attribute(int index, const struct array_form *form, uint64_t offset) {
    switch (form->kind) {
    case ARRAY_INTEGERS:
        return remote_glVertexAttribIPointer(index, form->size, form->type, form->stride, offset,
                                             0);
    case ARRAY_DOUBLES:
        return remote_glVertexAttribLPointer(index, form->size, form->type, form->stride, offset,
                                             0);
    default:
        return remote_glVertexAttribPointer(index, form->size, form->type,
                                            (unsigned char)form->normalized, form->stride, offset,
                                            0);
    }
}

static int32_t send_pointer(const struct gl_context *context, int index,
                            const struct array_form *form, uint64_t offset) {
    int size = form->size, type = form->type, stride = form->stride;
    switch (index) {
    case ARRAY_VERTEX: return remote_glVertexPointer(size, type, stride, offset, 0);
    case ARRAY_NORMAL: return remote_glNormalPointer(type, stride, offset, 0);
    case ARRAY_COLOR: return remote_glColorPointer(size, type, stride, offset, 0);
    case ARRAY_SECONDARY_COLOR:
        return remote_glSecondaryColorPointer(size, type, stride, offset, 0);
    case ARRAY_FOG_COORD: return remote_glFogCoordPointer(type, stride, offset, 0);
    case ARRAY_INDEX: return remote_glIndexPointer(type, stride, offset, 0);
    case ARRAY_EDGE_FLAG: return remote_glEdgeFlagPointer(stride, offset, 0);
    default: break;
    }
    return index < ARRAY_GENERIC ? send_texture(context, index - ARRAY_TEXTURE, form, offset)
                                 : send_attribute(index - ARRAY_GENERIC, form, offset);
}

void array_is_at(struct gl_context *context, int index, int place, uint64_t offset) {
    struct array *array = &context->vertex.arrays[index];
    if (array->place == place && array->offset == offset)
        return;
    gl_keep(send_pointer(context, index, &array->form, offset));
    array->place = place;
    array->offset = offset;
}

/* A form that OpenGL refuses changes nothing. */
static bool is_form(int index, const struct array_form *form) {
    static const int least[ARRAYS] = {
        [ARRAY_VERTEX] = 2, [ARRAY_COLOR] = 3, [ARRAY_SECONDARY_COLOR] = 3
    };
    return array_element(form) != 0 && form->size >= least[index] && form->stride >= 0;
}

/* The backend checks the arguments, and has the array in the buffer of its uploads. */
static void point_here(struct gl_context *context, int index, const struct array_form *form) {
    struct array *array = &context->vertex.arrays[index];
    if (array->place != NOWHERE && memcmp(&array->form, form, sizeof *form) == 0)
        return;
    gl_keep(remote_glBindBuffer(ARRAY_BUFFER, context->uploads[index], 0));
    gl_keep(send_pointer(context, index, form, 0));
    gl_keep(remote_glBindBuffer(ARRAY_BUFFER, 0, 0));
    if (is_form(index, form)) {
        array->place = index;
        array->offset = 0;
    }
}

/* An array of an object without a buffer is empty: in the backend, which would read addresses of
 * its own, it lies in a buffer of uploads. The program is told of none. */
static void point_nowhere(struct gl_context *context, int index, const struct array_form *form) {
    gl_keep(remote_glBindBuffer(ARRAY_BUFFER, context->uploads[index], 0));
    gl_keep(send_pointer(context, index, form, 0));
    gl_keep(remote_glBindBuffer(ARRAY_BUFFER, 0, 0));
}

static void note_empty(struct vertex_object *object, int index, bool empty) {
    object->empty &= ~(1u << index);
    if (empty)
        object->empty |= 1u << index;
}

static void note_pointer(struct gl_context *context, int index, const struct array_form *form,
                         bool here) {
    struct array *array = &context->vertex.arrays[index];
    array->form = *form;
    array->buffer = context->vertex.buffer;
    context->vertex.client &= ~(1u << index);
    if (here)
        context->vertex.client |= 1u << index;
    else
        array->place = NOWHERE;
}

static void point(int index, const struct array_form *form, const void *pointer) {
    struct gl_context *context = gl_current();
    if (context == NULL)
        return;
    bool here = is_zero(context) && context->own_memory && context->vertex.buffer == 0;
    bool nowhere = !here && pointer == NULL && context->vertex.buffer == 0;
    if ((here || nowhere) && !uploads_made(context))
        return;
    if (here)
        point_here(context, index, form);
    else if (nowhere)
        point_nowhere(context, index, form);
    else
        gl_keep(send_pointer(context, index, form, (uintptr_t)pointer));
    if (!is_form(index, form))
        return;
    context->object->pointers[index] = pointer;
    note_empty(context->object, index, nowhere);
    if (is_zero(context))
        note_pointer(context, index, form, here);
}

/* The index of a fixed array by that of the texture's unit. */
static int texture_array(void) {
    return ARRAY_TEXTURE + (gl_current() == NULL ? 0 : gl_current()->vertex.unit);
}

static const void *address(uint64_t pointer) { return (const void *)(uintptr_t)pointer; }

void glVertexPointer(int size, int type, int stride, uint64_t pointer) {
    point(ARRAY_VERTEX, &(struct array_form){size, type, stride, 0, 0}, address(pointer));
}

void glNormalPointer(int type, int stride, uint64_t pointer) {
    point(ARRAY_NORMAL, &(struct array_form){3, type, stride, 0, 0}, address(pointer));
}

void glColorPointer(int size, int type, int stride, uint64_t pointer) {
    point(ARRAY_COLOR, &(struct array_form){size, type, stride, 0, 0}, address(pointer));
}

void glSecondaryColorPointer(int size, int type, int stride, uint64_t pointer) {
    point(ARRAY_SECONDARY_COLOR, &(struct array_form){size, type, stride, 0, 0}, address(pointer));
}

void glFogCoordPointer(int type, int stride, uint64_t pointer) {
    point(ARRAY_FOG_COORD, &(struct array_form){1, type, stride, 0, 0}, address(pointer));
}

void glIndexPointer(int type, int stride, uint64_t pointer) {
    point(ARRAY_INDEX, &(struct array_form){1, type, stride, 0, 0}, address(pointer));
}

void glEdgeFlagPointer(int stride, uint64_t pointer) {
    point(ARRAY_EDGE_FLAG, &(struct array_form){1, UNSIGNED_BYTE, stride, 0, 0}, address(pointer));
}

void glTexCoordPointer(int size, int type, int stride, uint64_t pointer) {
    point(texture_array(), &(struct array_form){size, type, stride, 0, 0}, address(pointer));
}

/* One whose index OpenGL does not have here is refused there, or here where no buffer is bound. */
static void point_attribute(int index, const struct array_form *form, uint64_t pointer) {
    const struct gl_context *context = gl_current();
    if (index >= 0 && index < ARRAY_ATTRIBUTES)
        point(ARRAY_GENERIC + index, form, address(pointer));
    else if (context != NULL && context->vertex.buffer == 0)
        gl_error(GL_INVALID_VALUE);
    else
        gl_keep(send_attribute(index, form, pointer));
}

void glVertexAttribPointer(int index, int size, int type, unsigned char normalized, int stride,
                           uint64_t pointer) {
    point_attribute(index, &(struct array_form){size, type, stride, normalized, ARRAY_FLOATS},
                    pointer);
}

void glVertexAttribIPointer(int index, int size, int type, int stride, uint64_t pointer) {
    point_attribute(index, &(struct array_form){size, type, stride, 0, ARRAY_INTEGERS}, pointer);
}

void glVertexAttribLPointer(int index, int size, int type, int stride, uint64_t pointer) {
    point_attribute(index, &(struct array_form){size, type, stride, 0, ARRAY_DOUBLES}, pointer);
}

/* ---- what is enabled */

static void enable(int index, bool on) {
    struct gl_context *context = gl_current();
    if (context == NULL || !is_zero(context) || index < 0)
        return;
    uint32_t bit = 1u << index, *enabled = &context->vertex.enabled;
    *enabled = on ? *enabled | bit : *enabled & ~bit;
}

static int attribute(int index) {
    return index >= 0 && index < ARRAY_ATTRIBUTES ? ARRAY_GENERIC + index : -1;
}

/* By its name as GL_…_ARRAY; less than 0 for another one. */
static int fixed_array(int name) {
    switch (name) {
    case 0x8074: return ARRAY_VERTEX;
    case 0x8075: return ARRAY_NORMAL;
    case 0x8076: return ARRAY_COLOR;
    case 0x8077: return ARRAY_INDEX;
    case 0x8078: return texture_array();
    case 0x8079: return ARRAY_EDGE_FLAG;
    case 0x8457: return ARRAY_FOG_COORD;
    case 0x845E: return ARRAY_SECONDARY_COLOR;
    default: return -1;
    }
}

static void note_restart(int name, bool on) {
    struct gl_context *context = gl_current();
    if (context != NULL && (name == RESTART || name == RESTART_NV))
        context->vertex.restarts = on;
    if (context != NULL && name == RESTART_AT_LAST)
        context->vertex.restarts_at_last = on;
}

void arrays_enable(int name, bool on) {
    enable(fixed_array(name), on);
    note_restart(name, on);
}

void glEnableVertexAttribArray(int index) {
    enable(attribute(index), true);
    gl_keep(remote_glEnableVertexAttribArray(index, 0));
}

void glDisableVertexAttribArray(int index) {
    enable(attribute(index), false);
    gl_keep(remote_glDisableVertexAttribArray(index, 0));
}

void glEnableClientState(int array) {
    arrays_enable(array, true);
    gl_keep(remote_glEnableClientState(array, 0));
}

void glDisableClientState(int array) {
    arrays_enable(array, false);
    gl_keep(remote_glDisableClientState(array, 0));
}

void glPrimitiveRestartIndex(int index) {
    struct gl_context *context = gl_current();
    if (context != NULL)
        context->vertex.restart = index;
    gl_keep(remote_glPrimitiveRestartIndex(index, 0));
}

void glClientActiveTexture(int texture) {
    struct gl_context *context = gl_current();
    int unit = texture - TEXTURE0;
    if (context != NULL && unit >= 0 && unit < ARRAY_UNITS)
        context->vertex.unit = unit;
    gl_keep(remote_glClientActiveTexture(texture, 0));
}

static void note_divisor(int index, int divisor) {
    struct gl_context *context = gl_current();
    if (context != NULL && is_zero(context) && attribute(index) >= 0)
        context->vertex.arrays[attribute(index)].divisor = divisor;
}

void glVertexAttribDivisor(int index, int divisor) {
    note_divisor(index, divisor);
    gl_keep(remote_glVertexAttribDivisor(index, divisor, 0));
}

void glVertexBindingDivisor(int binding, int divisor) {
    note_divisor(binding, divisor);
    gl_keep(remote_glVertexBindingDivisor(binding, divisor, 0));
}

/* An array that has a buffer otherwise than by its pointer lies in none of the program's memory. */
static void has_buffer(int index, int buffer, const void *offset) {
    struct gl_context *context = gl_current();
    if (context == NULL || attribute(index) < 0)
        return;
    context->object->pointers[attribute(index)] = offset;
    note_empty(context->object, attribute(index), false);
    if (!is_zero(context))
        return;
    struct array *array = &context->vertex.arrays[attribute(index)];
    array->buffer = buffer;
    array->place = NOWHERE;
    context->vertex.client &= ~(1u << attribute(index));
}

void glBindVertexBuffer(int binding, int buffer, uint64_t offset, int stride) {
    has_buffer(binding, buffer, address(offset));
    gl_keep(remote_glBindVertexBuffer(binding, buffer, offset, stride, 0));
}

void glVertexAttribBinding(int index, int binding) {
    if (index != binding)
        has_buffer(index, 0, NULL);
    gl_keep(remote_glVertexAttribBinding(index, binding, 0));
}

/* ---- several arrays in one */

struct interleaved {
    int texture, color, color_bytes, normal, vertex;    /* how many, bytes of a colour if bytes */
};

/* From GL_V2F on (table 10.8). */
enum { FIRST_INTERLEAVED = 0x2A20 };
static const struct interleaved INTERLEAVED[] = {
    {0, 0, 0, 0, 2}, {0, 0, 0, 0, 3}, {0, 4, 4, 0, 2}, {0, 4, 4, 0, 3}, {0, 3, 0, 0, 3},
    {0, 0, 0, 3, 3}, {0, 4, 0, 3, 3}, {2, 0, 0, 0, 3}, {4, 0, 0, 0, 4}, {2, 4, 4, 0, 3},
    {2, 3, 0, 0, 3}, {2, 0, 0, 3, 3}, {2, 4, 0, 3, 3}, {4, 4, 0, 3, 4},
};

static void turn(int name, bool on) {
    if (on)
        glEnableClientState(name);
    else
        glDisableClientState(name);
}

static void interleave(const struct interleaved *form, int stride, uint64_t at) {
    int color = form->color_bytes != 0 ? form->color_bytes : 4 * form->color;
    if (stride == 0)
        stride = 4 * (form->texture + form->normal + form->vertex) + color;
    turn(0x8079, false);
    turn(0x8077, false);
    turn(0x845E, false);
    turn(0x8457, false);
    turn(0x8078, form->texture != 0);
    turn(0x8076, form->color != 0);
    turn(0x8075, form->normal != 0);
    turn(0x8074, true);
    if (form->texture != 0)
        glTexCoordPointer(form->texture, FLOAT, stride, at);
    at += 4u * (unsigned)form->texture;
    if (form->color != 0)
        glColorPointer(form->color, form->color_bytes != 0 ? UNSIGNED_BYTE : FLOAT, stride, at);
    at += (unsigned)color;
    if (form->normal != 0)
        glNormalPointer(FLOAT, stride, at);
    glVertexPointer(form->vertex, FLOAT, stride, at + 4u * (unsigned)form->normal);
}

void glInterleavedArrays(int format, int stride, const void *pointer) {
    int count = (int)(sizeof INTERLEAVED / sizeof *INTERLEAVED);
    if (format < FIRST_INTERLEAVED || format >= FIRST_INTERLEAVED + count)
        gl_error(GL_INVALID_ENUM);
    else if (stride < 0)
        gl_error(GL_INVALID_VALUE);
    else
        interleave(&INTERLEAVED[format - FIRST_INTERLEAVED], stride, (uintptr_t)pointer);
}

/* ---- state of the program's that is kept with arrays */

static void push(struct gl_context *context, struct client_attributes *to, int mask) {
    to->mask = mask;
    memcpy(to->program, context->program, sizeof to->program);
    memcpy(to->backend, context->backend, sizeof to->backend);
    memcpy(to->buffer, context->buffer, sizeof to->buffer);
    to->vertex = context->vertex;
    to->object = *context->object;
    to->next = context->pushed;
    context->pushed = to;
    context->depth++;
}

void glPushClientAttrib(int mask) {
    struct gl_context *context = gl_current();
    if (context == NULL)
        return;
    if (context->depth < MOST_PUSHED) {
        struct client_attributes *pushed = malloc(sizeof *pushed);
        if (pushed == NULL) {
            gl_error(GL_OUT_OF_MEMORY);
            return;
        }
        push(context, pushed, mask);
    }
    gl_keep(remote_glPushClientAttrib(mask, 0));
}

enum { PIXEL_STORE_BIT = 1, VERTEX_ARRAY_BIT = 2 };

static void pop_pixels(struct gl_context *context, const struct client_attributes *from) {
    memcpy(context->program, from->program, sizeof context->program);
    memcpy(context->backend, from->backend, sizeof context->backend);
    memcpy(context->buffer, from->buffer, sizeof context->buffer);
}

/* An object that has been deleted is not bound again. */
static void pop_arrays(struct gl_context *context, const struct client_attributes *from) {
    struct vertex_object *object = known_object(context, from->object.name);
    if (object != NULL) {
        context->object = object;
        *object = from->object;
    }
    context->vertex = from->vertex;
}

void glPopClientAttrib(void) {
    struct gl_context *context = gl_current();
    if (context == NULL)
        return;
    struct client_attributes *pushed = context->pushed;
    if (pushed != NULL) {
        if ((pushed->mask & PIXEL_STORE_BIT) != 0)
            pop_pixels(context, pushed);
        if ((pushed->mask & VERTEX_ARRAY_BIT) != 0)
            pop_arrays(context, pushed);
        context->pushed = pushed->next;
        context->depth--;
        free(pushed);
    }
    gl_keep(remote_glPopClientAttrib(0));
}

/* ---- what the program asks for */

/* Of an array here the buffer is none. */
static bool is_here(int index) {
    const struct gl_context *context = gl_current();
    if (context == NULL || index < 0)
        return false;
    uint32_t here = is_zero(context) ? context->vertex.client : 0;
    return ((here | context->object->empty) & 1u << index) != 0;
}

/* From GL_VERTEX_ARRAY_BUFFER_BINDING on. */
bool arrays_figure(int name, int *value) {
    enum { FIRST = 0x8896, COUNT = 8, TEXTURES = 4 };
    static const int arrays[COUNT] = {
        ARRAY_VERTEX, ARRAY_NORMAL, ARRAY_COLOR, ARRAY_INDEX, ARRAY_TEXTURE, ARRAY_EDGE_FLAG,
        ARRAY_SECONDARY_COLOR, ARRAY_FOG_COORD
    };
    int at = name - FIRST;
    if (at < 0 || at >= COUNT || !is_here(at == TEXTURES ? texture_array() : arrays[at]))
        return false;
    *value = 0;
    return true;
}

#define ATTRIBUTE_FIGURE(name, type) \
    void name(int index, int pname, type *params) { \
        if (pname == ATTRIBUTE_BUFFER && params != NULL && is_here(attribute(index))) \
            *params = 0; \
        else \
            gl_keep(remote_##name(index, pname, params, gl_values(pname), 0)); \
    }

ATTRIBUTE_FIGURE(glGetVertexAttribdv, double)
ATTRIBUTE_FIGURE(glGetVertexAttribfv, float)
ATTRIBUTE_FIGURE(glGetVertexAttribiv, int)
ATTRIBUTE_FIGURE(glGetVertexAttribIiv, int)
ATTRIBUTE_FIGURE(glGetVertexAttribIuiv, int)
ATTRIBUTE_FIGURE(glGetVertexAttribLdv, double)

static void give_pointer(int index, void **pointer) {
    const struct gl_context *context = gl_current();
    if (context != NULL && pointer != NULL)
        *pointer = (void *)(uintptr_t)context->object->pointers[index];
}

void glGetVertexAttribPointerv(int index, int name, void **pointer) {
    if (name != ATTRIBUTE_POINTER)
        gl_error(GL_INVALID_ENUM);
    else if (attribute(index) < 0)
        gl_error(GL_INVALID_VALUE);
    else
        give_pointer(attribute(index), pointer);
}

/* A pointer that nobody has given, as the functions that would are refused, is none. */
static bool is_never_given(int name) {
    return name == 0x0DF0 || name == 0x0DF3 || name == 0x8244 || name == 0x8245;
}

void glGetPointerv(int name, void **pointer) {
    enum { FIRST = 0x808E, COUNT = 6, ARRAYS_FIRST = 0x8074 };
    int at = name - FIRST;
    int array = at >= 0 && at < COUNT ? fixed_array(ARRAYS_FIRST + at)
                : name == 0x8456 ? ARRAY_FOG_COORD : name == 0x845D ? ARRAY_SECONDARY_COLOR : -1;
    if (array >= 0)
        give_pointer(array, pointer);
    else if (!is_never_given(name))
        gl_error(GL_INVALID_ENUM);
    else if (pointer != NULL)
        *pointer = NULL;
}
