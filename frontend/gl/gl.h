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

/* Arrays of vertices: fixed ones, one of each unit of textures, and generic ones. */
enum {
    ARRAY_VERTEX, ARRAY_NORMAL, ARRAY_COLOR, ARRAY_SECONDARY_COLOR, ARRAY_FOG_COORD, ARRAY_INDEX,
    ARRAY_EDGE_FLAG, ARRAY_TEXTURE, ARRAY_UNITS = 8, ARRAY_GENERIC = ARRAY_TEXTURE + ARRAY_UNITS,
    ARRAY_ATTRIBUTES = 16, ARRAYS = ARRAY_GENERIC + ARRAY_ATTRIBUTES
};
enum array_kind { ARRAY_FLOATS, ARRAY_INTEGERS, ARRAY_DOUBLES };
struct array_form {
    int size, type, stride, normalized;
    enum array_kind kind;
};

/* An array of vertex array object 0. */
struct array {
    struct array_form form;
    int divisor, buffer;
    int place;                          /* of those that hold uploads, where the backend has it */
    uint64_t offset;                    /* in it */
};

/* A vertex array object: what it has that the backend is not asked for. */
struct vertex_object {
    int name, elements;                 /* the buffer that indices come from */
    uint32_t empty;                     /* arrays that have neither a buffer nor memory */
    const void *pointers[ARRAYS];
};

/* What glPushClientAttrib keeps of arrays. */
struct vertex_state {
    int buffer, unit;                   /* GL_ARRAY_BUFFER, and textures' client unit */
    bool restarts, restarts_at_last;
    int restart;                        /* an index that begins a primitive */
    uint32_t enabled, client;           /* of object 0: which, and which of them lie here */
    struct array arrays[ARRAYS];
};

struct client_attributes;

/* Capabilities, by the names that are kept (caps.c). */
struct caps {
    uint32_t known, on;
    bool begun, listing;                /* between glBegin and glEnd, glNewList and glEndList */
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
    bool own_memory;                    /* arrays may lie in the program's memory */
    struct vertex_state vertex;
    struct vertex_object zero, *object; /* the one that is bound */
    void *objects;                      /* a tree (tsearch) of the others */
    int uploads[ARRAYS + 1];            /* names of buffers, 0: not made yet */
    struct caps caps;
    struct client_attributes *pushed;
    int depth;                          /* how many are pushed */
};

/* The calling thread's, NULL if none is current. */
struct gl_context *gl_current(void);
/* The context of a new handle is known from now on; false without memory. */
bool gl_context_begins(EGLContext handle, bool own_memory);
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

/* ---- arrays of vertices, and draws from them */
void arrays_begin(struct gl_context *context);
void arrays_end(struct gl_context *context);
void arrays_bind(struct gl_context *context, int target, int buffer);
void arrays_delete(struct gl_context *context, int buffer);
/* An array, or indices that begin primitives, by a name that glEnable takes too. */
void arrays_enable(int name, bool on);
/* Whether the figure of that name is known here. */
bool arrays_figure(int name, int *value);
/* Where uploads go, made once a context; false where they cannot be. */
bool uploads_made(struct gl_context *context);
/* Arrays that the next draw takes from the program's memory. */
uint32_t arrays_here(const struct gl_context *context);
/* Bytes of an array's element; 0 for a form that OpenGL does not have. */
uint64_t array_element(const struct array_form *form);
/* Has the backend read an array at an offset in one of the buffers of uploads, which is bound. */
void array_is_at(struct gl_context *context, int index, int place, uint64_t offset);

/* ---- values of one name */
int gl_values(int name);

#pragma GCC visibility pop

#endif
