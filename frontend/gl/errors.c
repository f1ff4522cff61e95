/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors: OpenGL keeps them in a context, EGL in a thread. A call's result may be of either.
 */
#include "gl.h"

static _Thread_local int last_of_egl = EGL_SUCCESS;

void gl_error(int error) {
    struct gl_context *context = gl_current();
    if (context != NULL && context->error == 0)
        context->error = error;
}

/* A result of EGL's in a call of OpenGL is about the backend: it is lost, or has no room. */
void gl_keep(int32_t result) {
    if (result != 0)
        gl_error(result < EGL_FIRST_ERROR ? result
                 : result == EGL_BAD_ALLOC ? GL_OUT_OF_MEMORY : GL_CONTEXT_LOST);
}

int glGetError(void) {
    struct gl_context *context = gl_current();
    if (context == NULL)
        return 0;
    int error = context->error, found = 0;
    context->error = 0;
    if (error == 0)
        gl_keep(remote_glGetError(&found, 0));
    if (error == 0 && found == 0) {
        error = context->error;
        context->error = 0;
    }
    return error != 0 ? error : found;
}

void egl_error(int error) { last_of_egl = error; }

bool egl_succeeds(int32_t result) {
    switch (result) {
    case 0: last_of_egl = EGL_SUCCESS; break;
    case GL_INVALID_VALUE: last_of_egl = EGL_BAD_PARAMETER; break;
    case GL_INVALID_OPERATION: last_of_egl = EGL_BAD_ACCESS; break;
    case GL_OUT_OF_MEMORY: last_of_egl = EGL_BAD_ALLOC; break;
    default: last_of_egl = result;
    }
    return result == 0;
}

int eglGetError(void) {
    int error = last_of_egl;
    last_of_egl = EGL_SUCCESS;
    return error;
}

void egl_refuse(const char *name, bool *said, int error) {
    ob_refuse(&ob_gl, name, said);
    last_of_egl = error;
}
