/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts: those that a context has, which are asked for once, and lists of the program's.
 */
#include "gl.h"

#include <stdlib.h>

enum { TEXT_ROOM = 32 << 10, NO_INDEX = -1 };

/* A text of the context, read once; NULL if there is none. */
static const char *text_of(int name, int index) {
    struct gl_context *context = gl_current();
    if (context == NULL)
        return NULL;
    for (struct text *text = context->texts; text != NULL; text = text->next)
        if (text->name == name && text->index == index)
            return text->text;
    char read[TEXT_ROOM];
    int32_t result = index == NO_INDEX
                         ? remote_glGetString(name, read, sizeof read, 0)
                         : remote_glGetStringi(name, index, read, sizeof read, 0);
    if (result != 0 || read[0] == '\0') {
        gl_keep(result);
        return NULL;
    }
    struct text *text = malloc(sizeof *text);
    if (text == NULL || (text->text = strdup(read)) == NULL) {
        free(text);
        gl_error(GL_OUT_OF_MEMORY);
        return NULL;
    }
    text->name = name;
    text->index = index;
    text->next = context->texts;
    context->texts = text;
    return text->text;
}

const unsigned char *glGetString(int name) {
    return (const unsigned char *)text_of(name, NO_INDEX);
}

const unsigned char *glGetStringi(int name, int index) {
    return (const unsigned char *)text_of(name, index < 0 ? NO_INDEX - 1 : index);
}

/* Strings one after the other, each with its NUL if that is wanted. NULL without memory, and where
 * a string is missing. */
static char *join(int count, const char *const *strings, const int *lengths, bool ends,
                  int *bytes) {
    size_t all = 0;
    for (int i = 0; i < count; i++) {
        if (strings[i] == NULL)
            return NULL;
        bool given = lengths != NULL && lengths[i] >= 0;
        all += (given ? (size_t)lengths[i] : strlen(strings[i])) + ends;
    }
    char *joined = all > INT32_MAX ? NULL : malloc(all + 1), *to = joined;
    for (int i = 0; joined != NULL && i < count; i++) {
        bool given = lengths != NULL && lengths[i] >= 0;
        size_t length = (given ? (size_t)lengths[i] : strlen(strings[i])) + ends;
        memcpy(to, strings[i], length);
        to += length;
    }
    *bytes = (int)all;
    return joined;
}

void glShaderSource(int shader, int count, const char *const *strings, const int *lengths) {
    int bytes;
    char *joined = count < 0 || strings == NULL ? NULL
                                                : join(count, strings, lengths, false, &bytes);
    if (joined == NULL) {
        gl_error(GL_INVALID_VALUE);
        return;
    }
    gl_keep(remote_glShaderSource(shader, joined, bytes, 0));
    free(joined);
}

void glTransformFeedbackVaryings(int program, int count, const char *const *varyings, int mode) {
    int bytes;
    char *joined = count < 0 || (count > 0 && varyings == NULL)
                       ? NULL : join(count, varyings, NULL, true, &bytes);
    if (joined == NULL) {
        gl_error(GL_INVALID_VALUE);
        return;
    }
    gl_keep(remote_glTransformFeedbackVaryings(program, count, joined, bytes, mode, 0));
    free(joined);
}

void glGetUniformIndices(int program, int count, const char *const *strings, int *indices) {
    int bytes;
    char *joined = count < 0 || (count > 0 && strings == NULL)
                       ? NULL : join(count, strings, NULL, true, &bytes);
    if (joined == NULL) {
        gl_error(GL_INVALID_VALUE);
        return;
    }
    gl_keep(remote_glGetUniformIndices(program, count, joined, bytes, indices, 0));
    free(joined);
}

static int length_of(int length, const char *text) {
    return text == NULL ? 0 : length < 0 ? (int)strlen(text) : length;
}

void glObjectLabel(int identifier, int name, int length, const char *label) {
    gl_keep(remote_glObjectLabel(identifier, name, length_of(length, label), label, 0));
}

void glPushDebugGroup(int source, int id, int length, const char *message) {
    gl_keep(remote_glPushDebugGroup(source, id, length_of(length, message), message, 0));
}

void glDebugMessageInsert(int source, int type, int id, int severity, int length,
                          const char *message) {
    gl_keep(remote_glDebugMessageInsert(source, type, id, severity, length_of(length, message),
                                        message, 0));
}
