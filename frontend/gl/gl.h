/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenGL and EGL in the program: what its contexts are, and what of them the frontend knows itself.
 */
#ifndef OUTBOARD_GL_GL_H
#define OUTBOARD_GL_GL_H

#include "gl.remote.h"

#pragma GCC visibility push(hidden)

enum {
    GL_INVALID_ENUM = 0x500,
    GL_INVALID_VALUE = 0x501,
    GL_INVALID_OPERATION = 0x502,
    GL_OUT_OF_MEMORY = 0x505,
    GL_CONTEXT_LOST = 0x507,
    EGL_FIRST_ERROR = 0x3000,
    EGL_SUCCESS = 0x3000,
    EGL_BAD_ACCESS = 0x3002,
    EGL_BAD_ALLOC = 0x3003,
    EGL_BAD_ATTRIBUTE = 0x3004,
    EGL_BAD_CONTEXT = 0x3006,
    EGL_BAD_MATCH = 0x3009,
    EGL_BAD_NATIVE_PIXMAP = 0x300A,
    EGL_BAD_NATIVE_WINDOW = 0x300B,
    EGL_BAD_PARAMETER = 0x300C,
    EGL_BAD_DEVICE_EXT = 0x322B,
    EGL_NONE = 0x3038,
    EGL_EXTENSIONS = 0x3055,
    EGL_OPENGL_ES_API = 0x30A0,
    EGL_OPENGL_API = 0x30A2,
    EGL_TRUE = 1,
};

/* The form of pixels in memory (OpenGL 4.6, tables 8.1 and 18.1), as numbers from GL_PACK_… or
 * GL_UNPACK_… on. */
enum {
    PIXEL_SWAP_BYTES, PIXEL_LSB_FIRST, PIXEL_ROW_LENGTH, PIXEL_SKIP_ROWS, PIXEL_SKIP_PIXELS,
    PIXEL_ALIGNMENT, PIXEL_SKIP_IMAGES, PIXEL_IMAGE_HEIGHT, PIXEL_FIGURES
};
struct pixel_form {
    int figures[PIXEL_FIGURES];
};
enum pixel_way { UNPACK, PACK, WAYS };

/* A buffer that the program has mapped. */
struct mapping {
    struct mapping *next;
    int target, access;
    uint64_t offset, bytes;
    uint8_t *memory;
};

struct text {
    struct text *next;
    int name, index;
    char *text;
};

struct gl_context {
    struct gl_context *next;
    EGLContext handle;
    bool current, ended;
    int error;                          /* of this side, that the program has not asked for */
    struct pixel_form program[WAYS], backend[WAYS];
    int buffer[WAYS];                   /* that pixels go to or come from; 0: none */
    struct mapping *mappings;
    struct text *texts;
};

/* The calling thread's, NULL if none is current. */
struct gl_context *gl_current(void);
/* The context of a new handle is known from now on; false without memory. */
bool gl_context_begins(EGLContext handle);
/* It is ended once it is current to no thread. */
void gl_context_ends(EGLContext handle);
/* Of a context that is the calling thread's from now on; NULL for none. */
void gl_context_is_current(EGLContext handle);

/* Keeps an error of OpenGL for the program; the first one stays. */
void gl_error(int error);
/* The calling thread's last error of EGL is this result of a call, or its success. */
bool egl_succeeds(int32_t result);
/* It is one of ours. */
void egl_error(int error);
/* A function of EGL that is not served, by name, with its documented error. */
void egl_refuse(const char *name, bool *said, int error);

/* The system's libEGL, by which this library is called. */
struct egl_exports;
void egl_dispatches_by(const struct egl_exports *exports);
/* The API that is bound to the calling thread. */
int egl_api(void);
/* A function that finds a call's vendor, NULL if there is none; and its number with libEGL. */
void *egl_dispatcher(const char *name);
void egl_dispatcher_is(const char *name, int index);
/* A function of ours; NULL if there is none. */
void *egl_find(const char *name);

/* Length of a list of pairs, with its end; 0 for none. */
int egl_length(const int *list);

/* ---- figures of the form of pixels */
void pixels_begin(struct gl_context *context);
/* Whether the program's figure of that name is known here. */
bool pixels_figure(int name, int *value);

/* ---- values of one name */
int gl_values(int name);

#pragma GCC visibility pop

#endif
