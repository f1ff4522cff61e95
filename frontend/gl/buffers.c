/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers: which ones are bound, and mappings. A mapped buffer is memory of the program's: it is
 * read when it is mapped and written when it is unmapped or flushed. So no mapping can last while
 * the device uses the buffer (GL_MAP_PERSISTENT_BIT), which is refused.
 */
#include "gl.h"

#include <stdlib.h>

enum {
    PIXEL_PACK_BUFFER = 0x88EB, PIXEL_UNPACK_BUFFER = 0x88EC, BUFFER_SIZE = 0x8764,
    READ_ONLY = 0x88B8, WRITE_ONLY = 0x88B9, READ_WRITE = 0x88BA, BUFFER_MAP_POINTER = 0x88BD,
    MAP_READ = 1, MAP_WRITE = 2, MAP_INVALIDATE = 4 | 8, MAP_FLUSH_EXPLICIT = 16,
    MAP_PERSISTENT = 64 | 128
};

static void note_buffer(struct gl_context *context, int target, int buffer) {
    if (target == PIXEL_PACK_BUFFER)
        context->buffer[PACK] = buffer;
    if (target == PIXEL_UNPACK_BUFFER)
        context->buffer[UNPACK] = buffer;
    arrays_bind(context, target, buffer);
}

static void forget_buffer(struct gl_context *context, int buffer) {
    for (int way = 0; way < WAYS; way++)
        if (context->buffer[way] == buffer)
            context->buffer[way] = 0;
    arrays_delete(context, buffer);
}

void glBindBuffer(int target, int buffer) {
    struct gl_context *context = gl_current();
    if (context != NULL)
        note_buffer(context, target, buffer);
    gl_keep(remote_glBindBuffer(target, buffer, 0));
}

void glDeleteBuffers(int n, const int *buffers) {
    struct gl_context *context = gl_current();
    for (int i = 0; context != NULL && buffers != NULL && i < n; i++)
        if (buffers[i] != 0)
            forget_buffer(context, buffers[i]);
    gl_keep(remote_glDeleteBuffers(n, buffers, 0));
}

/* ---- mappings, by the target that the buffer is bound to */

static struct mapping **mapped_at(struct gl_context *context, int target) {
    struct mapping **place = &context->mappings;
    while (*place != NULL && (*place)->target != target)
        place = &(*place)->next;
    return place;
}

void *glMapBufferRange(int target, uint64_t offset, uint64_t length, int access) {
    static bool said;
    struct gl_context *context = gl_current();
    if (context == NULL)
        return NULL;
    if ((access & MAP_PERSISTENT) != 0) {
        gl_keep(ob_refuse(&ob_gl, "GL_MAP_PERSISTENT_BIT", &said));
        return NULL;
    }
    if (length == 0 || *mapped_at(context, target) != NULL) {
        gl_error(GL_INVALID_OPERATION);
        return NULL;
    }
    if ((int64_t)length < 0 || length > OB_REPLY_MOST - OB_CHUNK) {
        gl_error((int64_t)length < 0 ? GL_INVALID_VALUE : GL_OUT_OF_MEMORY);
        return NULL;
    }
    struct mapping *mapping = calloc(1, sizeof *mapping);
    if (mapping != NULL)
        mapping->memory = malloc(length);
    int32_t result = mapping == NULL || mapping->memory == NULL ? GL_OUT_OF_MEMORY : 0;
    /* The rest stays as it is. */
    if (result == 0 && ((access & MAP_READ) != 0 || (access & MAP_INVALIDATE) == 0))
        result = remote_outboardReadBuffer(target, offset, mapping->memory, length, 0);
    if (result != 0) {
        gl_keep(result);
        if (mapping != NULL)
            free(mapping->memory);
        free(mapping);
        return NULL;
    }
    mapping->target = target;
    mapping->access = access;
    mapping->offset = offset;
    mapping->bytes = length;
    mapping->next = context->mappings;
    context->mappings = mapping;
    return mapping->memory;
}

void *glMapBuffer(int target, int access) {
    int bytes = 0;
    gl_keep(remote_glGetBufferParameteriv(target, BUFFER_SIZE, &bytes, 1, 0));
    int ways = access == READ_ONLY ? MAP_READ
               : access == WRITE_ONLY ? MAP_WRITE
               : access == READ_WRITE ? MAP_READ | MAP_WRITE : 0;
    if (ways == 0) {
        gl_error(GL_INVALID_ENUM);
        return NULL;
    }
    return glMapBufferRange(target, 0, (uint64_t)bytes, ways);
}

void glGetBufferPointerv(int target, int name, void **pointer) {
    struct gl_context *context = gl_current();
    if (name != BUFFER_MAP_POINTER || pointer == NULL) {
        gl_error(GL_INVALID_ENUM);
    } else if (context != NULL) {
        struct mapping *mapping = *mapped_at(context, target);
        *pointer = mapping == NULL ? NULL : mapping->memory;
    }
}

void glFlushMappedBufferRange(int target, uint64_t offset, uint64_t length) {
    struct gl_context *context = gl_current();
    struct mapping *mapping = context == NULL ? NULL : *mapped_at(context, target);
    if (mapping == NULL || (mapping->access & MAP_FLUSH_EXPLICIT) == 0) {
        gl_error(GL_INVALID_OPERATION);
        return;
    }
    if (offset > mapping->bytes || length > mapping->bytes - offset) {
        gl_error(GL_INVALID_VALUE);
        return;
    }
    gl_keep(remote_glBufferSubData(target, mapping->offset + offset, length,
                                   mapping->memory + offset, 0));
}

unsigned char glUnmapBuffer(int target) {
    struct gl_context *context = gl_current();
    struct mapping **place = context == NULL ? NULL : mapped_at(context, target);
    if (place == NULL || *place == NULL) {
        gl_error(GL_INVALID_OPERATION);
        return 0;
    }
    struct mapping *mapping = *place;
    *place = mapping->next;
    if ((mapping->access & (MAP_WRITE | MAP_FLUSH_EXPLICIT)) == MAP_WRITE)
        gl_keep(remote_glBufferSubData(target, mapping->offset, mapping->bytes, mapping->memory,
                                       0));
    free(mapping->memory);
    free(mapping);
    return EGL_TRUE;
}
