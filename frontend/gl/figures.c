/* SPDX-License-Identifier: Apache-2.0
 *
 * Figures of a context that the program asks for by name.
 */
#include "gl.h"

enum { BLOCK_UNIFORMS = 0x8A42, BLOCK_UNIFORM_INDICES = 0x8A43 };
enum { FLOAT = 0x1406, INT = 0x1404, UNSIGNED_INT = 0x1405, UNIFORM_WORDS = 32 };

#define FIGURE(name, type, from) \
    void name(int pname, type *data) { \
        int figure; \
        if (data != NULL && (pixels_figure(pname, &figure) || arrays_figure(pname, &figure))) \
            *data = (type)(from); \
        else \
            gl_keep(remote_##name(pname, data, gl_values(pname), 0)); \
    }

FIGURE(glGetIntegerv, int, figure)
FIGURE(glGetFloatv, float, figure)
FIGURE(glGetDoublev, double, figure)
FIGURE(glGetBooleanv, unsigned char, figure != 0)
FIGURE(glGetInteger64v, uint64_t, figure)

static void uniform(int program, int location, int type, void *values) {
    uint32_t words[UNIFORM_WORDS];
    int count = 0;
    int32_t result = remote_outboardGetUniform(program, location, type, words, &count, 0);
    gl_keep(result);
    if (result == 0 && count > 0 && count <= UNIFORM_WORDS)
        memcpy(values, words, 4u * (unsigned)count);
}

void glGetUniformfv(int program, int location, float *values) {
    uniform(program, location, FLOAT, values);
}

void glGetUniformiv(int program, int location, int *values) {
    uniform(program, location, INT, values);
}

void glGetUniformuiv(int program, int location, int *values) {
    uniform(program, location, UNSIGNED_INT, values);
}

void glGetActiveUniformBlockiv(int program, int index, int name, int *values) {
    int many = 1;
    if (name == BLOCK_UNIFORM_INDICES)
        gl_keep(remote_glGetActiveUniformBlockiv(program, index, BLOCK_UNIFORMS, &many, 1, 0));
    gl_keep(remote_glGetActiveUniformBlockiv(program, index, name, values, many, 0));
}
