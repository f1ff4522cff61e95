/* SPDX-License-Identifier: Apache-2.0
 *
 * EGL and OpenGL for test programs, by name from the system's libEGL: own declarations, so that no
 * vendor's header is needed.
 */
#ifndef CONFORMANCE_GL_H
#define CONFORMANCE_GL_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    ((condition) ? (void)0 \
                 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)))

static void *(*find)(const char *name);

static inline void *function(const char *name) {
    void *found = find(name);
    if (found == NULL)
        fprintf(stderr, "there is no %s\n", name), exit(1);
    return found;
}

/* A function of that name, of the types that it is called with. */
#define GL(type, name, ...) ((type(*)(__VA_ARGS__))function(#name))

static inline int error(void) { return GL(int, glGetError, void)(); }

typedef struct screen {
    void *display, *config, *context, *surface;
} screen;

enum {
    OPENGL = 0x30A2, OPENGL_ES = 0x30A0, PBUFFER = 1, OPENGL_BIT = 8, ES2_BIT = 4,
    SURFACELESS = 0x31DD
};

static inline void load(void) {
    void *library = dlopen("libEGL.so.1", RTLD_NOW);
    if (library == NULL)
        fprintf(stderr, "%s\n", dlerror()), exit(77);
    *(void **)&find = dlsym(library, "eglGetProcAddress");
    CHECK(find != NULL);
}

static inline void *display_of_none(void) {
    void *display = GL(void *, eglGetPlatformDisplay, int, void *, const intptr_t *)(
        SURFACELESS, NULL, NULL);
    CHECK(display != NULL);
    CHECK(GL(unsigned, eglInitialize, void *, int *, int *)(display, NULL, NULL) == 1);
    return display;
}

/* A context, with a surface that it draws into, current to this thread. */
static inline screen open_screen_of(int api, int kind, int width, int height, const int *context) {
    screen s = {display_of_none(), NULL, NULL, NULL};
    int count = 0;
    const int wanted[] = {0x3033, PBUFFER, 0x3040, kind, 0x3024, 8, 0x3023, 8, 0x3022, 8,
                          0x3021, 8, 0x3025, 24, 0x3038};
    CHECK(GL(unsigned, eglChooseConfig, void *, const int *, void **, int, int *)(
              s.display, wanted, &s.config, 1, &count) == 1 && count == 1);
    CHECK(GL(unsigned, eglBindAPI, int)(api) == 1);
    s.context = GL(void *, eglCreateContext, void *, void *, void *, const int *)(
        s.display, s.config, NULL, context);
    CHECK(s.context != NULL);
    const int size[] = {0x3057, width, 0x3056, height, 0x3038};
    s.surface = GL(void *, eglCreatePbufferSurface, void *, void *, const int *)(
        s.display, s.config, size);
    CHECK(s.surface != NULL);
    CHECK(GL(unsigned, eglMakeCurrent, void *, void *, void *, void *)(
              s.display, s.surface, s.surface, s.context) == 1);
    return s;
}

static inline screen open_screen(int width, int height, const int *context) {
    return open_screen_of(OPENGL, OPENGL_BIT, width, height, context);
}

static inline void close_screen(screen *s) {
    CHECK(GL(unsigned, eglMakeCurrent, void *, void *, void *, void *)(s->display, NULL, NULL,
                                                                       NULL) == 1);
    CHECK(GL(unsigned, eglDestroySurface, void *, void *)(s->display, s->surface) == 1);
    CHECK(GL(unsigned, eglDestroyContext, void *, void *)(s->display, s->context) == 1);
    CHECK(GL(unsigned, eglTerminate, void *)(s->display) == 1);
}

/* Prints a digest of bytes (FNV-1a): equal for equal bytes. */
static inline void print_digest(const char *what, const void *bytes, size_t count) {
    uint64_t digest = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        digest = (digest ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    printf("%s %016llx\n", what, (unsigned long long)digest);
}

#endif
