/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts and surfaces of EGL. Windows and pixmaps are refused: they are of a display that the
 * backend does not have.
 */
#include "gl.h"

enum {
    CONTEXT_MAJOR = 0x3098, CONTEXT_MINOR = 0x30FB, CONTEXT_FLAGS = 0x30FC,
    FORWARD_COMPATIBLE_BIT = 2, CONTEXT_PROFILE = 0x30FD, CORE_BIT = 1, COMPATIBLE_BIT = 2,
    CONTEXT_FORWARD_COMPATIBLE = 0x31B1
};

int egl_length(const int *list) {
    int length = 0;
    while (list[length] != EGL_NONE)
        length += 2;
    return length + 1;
}

static const int NOTHING[] = {EGL_NONE};

static const int *given(const int *list) { return list == NULL ? NOTHING : list; }

/* An attribute's value in a list; another one where it is not there. */
static int value_in(const int *list, int attribute, int otherwise) {
    for (; *list != EGL_NONE; list += 2)
        if (*list == attribute)
            return list[1];
    return otherwise;
}

/* Core profiles have no arrays in the program's memory, and no context without deprecated
 * functions has (EGL_KHR_create_context). */
static bool has_own_memory(const int *list) {
    if (egl_api() != EGL_OPENGL_API)
        return true;
    int major = value_in(list, CONTEXT_MAJOR, 1), minor = value_in(list, CONTEXT_MINOR, 0);
    bool profiles = major > 3 || (major == 3 && minor >= 2);
    bool forward = (value_in(list, CONTEXT_FLAGS, 0) & FORWARD_COMPATIBLE_BIT) != 0
                   || value_in(list, CONTEXT_FORWARD_COMPATIBLE, 0) != 0;
    bool compatible = (value_in(list, CONTEXT_PROFILE, CORE_BIT) & COMPATIBLE_BIT) != 0;
    return profiles ? compatible && !forward : major < 3 || !forward;
}

EGLContext eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share,
                            const int *attributes) {
    const int *list = given(attributes);
    EGLContext context = NULL;
    if (!egl_succeeds(remote_eglCreateContext(display, config, share, list, egl_length(list),
                                              egl_api(), &context, 0)))
        return NULL;
    if (!gl_context_begins(context, has_own_memory(list))) {
        remote_eglDestroyContext(display, context, 0);
        egl_error(EGL_BAD_ALLOC);
        return NULL;
    }
    return context;
}

unsigned eglDestroyContext(EGLDisplay display, EGLContext context) {
    if (context == NULL) {
        egl_error(EGL_BAD_CONTEXT);
        return 0;
    }
    if (!egl_succeeds(remote_eglDestroyContext(display, context, 0)))
        return 0;
    gl_context_ends(context);
    return EGL_TRUE;
}

EGLSurface eglCreatePbufferSurface(EGLDisplay display, EGLConfig config, const int *attributes) {
    const int *list = given(attributes);
    EGLSurface surface = NULL;
    return egl_succeeds(remote_eglCreatePbufferSurface(display, config, list, egl_length(list),
                                                       &surface, 0))
               ? surface : NULL;
}

unsigned eglDestroySurface(EGLDisplay display, EGLSurface surface) {
    return egl_succeeds(remote_eglDestroySurface(display, surface, 0));
}

static _Thread_local struct {
    EGLDisplay display;
    EGLSurface draw, read;
} now;

/* A context that is current already is not made so once more. */
unsigned eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context) {
    if (context != NULL && gl_current() != NULL && gl_current()->handle == context
        && !gl_current()->ended && now.display == display && now.draw == draw && now.read == read) {
        egl_error(EGL_SUCCESS);
        return EGL_TRUE;
    }
    if (!egl_succeeds(remote_eglMakeCurrent(display, draw, read, context, egl_api(), 0)))
        return 0;
    now.display = display;
    now.draw = draw;
    now.read = read;
    gl_context_is_current(context);
    return EGL_TRUE;
}

unsigned eglReleaseThread(void) {
    if (gl_current() != NULL)
        eglMakeCurrent(now.display, NULL, NULL, NULL);
    egl_error(EGL_SUCCESS);
    return EGL_TRUE;
}

unsigned eglQueryContext(EGLDisplay display, EGLContext context, int attribute, int *value) {
    if (value == NULL) {
        egl_error(EGL_BAD_PARAMETER);
        return 0;
    }
    return egl_succeeds(remote_eglQueryContext(display, context, attribute, value, 0));
}

unsigned eglQuerySurface(EGLDisplay display, EGLSurface surface, int attribute, int *value) {
    if (value == NULL) {
        egl_error(EGL_BAD_PARAMETER);
        return 0;
    }
    return egl_succeeds(remote_eglQuerySurface(display, surface, attribute, value, 0));
}

unsigned eglSurfaceAttrib(EGLDisplay display, EGLSurface surface, int attribute, int value) {
    return egl_succeeds(remote_eglSurfaceAttrib(display, surface, attribute, value, 0));
}

unsigned eglSwapBuffers(EGLDisplay display, EGLSurface surface) {
    return egl_succeeds(remote_eglSwapBuffers(display, surface, 0));
}

unsigned eglSwapInterval(EGLDisplay display, int interval) {
    (void)display, (void)interval;
    egl_error(EGL_SUCCESS);
    return EGL_TRUE;
}

unsigned eglBindAPI(int api) {
    bool known = api == EGL_OPENGL_API || api == EGL_OPENGL_ES_API;
    egl_error(known ? EGL_SUCCESS : EGL_BAD_PARAMETER);
    return known;
}

unsigned eglWaitClient(void) {
    return gl_current() == NULL || egl_succeeds(remote_glFinish(0));
}

unsigned eglWaitGL(void) { return eglWaitClient(); }

unsigned eglWaitNative(int engine) {
    (void)engine;
    egl_error(EGL_SUCCESS);
    return EGL_TRUE;
}

/* ---- what wants a window */

#define REFUSE_SURFACE(name, error, native, list) \
    EGLSurface name(EGLDisplay display, EGLConfig config, void *native, const list *attributes) { \
        static bool said; \
        (void)display, (void)config, (void)native, (void)attributes; \
        egl_refuse(#name, &said, error); \
        return NULL; \
    }

REFUSE_SURFACE(eglCreateWindowSurface, EGL_BAD_NATIVE_WINDOW, window, int)
REFUSE_SURFACE(eglCreatePlatformWindowSurface, EGL_BAD_NATIVE_WINDOW, window, intptr_t)
REFUSE_SURFACE(eglCreatePixmapSurface, EGL_BAD_NATIVE_PIXMAP, pixmap, int)
REFUSE_SURFACE(eglCreatePlatformPixmapSurface, EGL_BAD_NATIVE_PIXMAP, pixmap, intptr_t)

/* No configuration here says that a texture can be bound to its surfaces. */
unsigned eglBindTexImage(EGLDisplay display, EGLSurface surface, int buffer) {
    static bool said;
    (void)display, (void)surface, (void)buffer;
    egl_refuse("eglBindTexImage", &said, EGL_BAD_MATCH);
    return 0;
}

unsigned eglReleaseTexImage(EGLDisplay display, EGLSurface surface, int buffer) {
    static bool said;
    (void)display, (void)surface, (void)buffer;
    egl_refuse("eglReleaseTexImage", &said, EGL_BAD_MATCH);
    return 0;
}

EGLSurface eglCreatePbufferFromClientBuffer(EGLDisplay display, int type, void *buffer,
                                            EGLConfig config, const int *attributes) {
    static bool said;
    (void)display, (void)type, (void)buffer, (void)config, (void)attributes;
    egl_refuse("eglCreatePbufferFromClientBuffer", &said, EGL_BAD_PARAMETER);
    return NULL;
}

unsigned eglCopyBuffers(EGLDisplay display, EGLSurface surface, void *pixmap) {
    static bool said;
    (void)display, (void)surface, (void)pixmap;
    egl_refuse("eglCopyBuffers", &said, EGL_BAD_NATIVE_PIXMAP);
    return 0;
}
