/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads with a context each, at the same time, of one display; they share textures with that of
 * the first thread. Each sees what is current to itself alone.
 */
#include "gl.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 50, SIZE = 8, COLOR = 0x4000, RGBA = 0x1908, BYTES = 0x1401 };

static screen first;
static int shared;
static uint8_t last[THREADS][4];

static void *draw(void *argument) {
    int number = (int)(intptr_t)argument;
    CHECK(GL(unsigned, eglBindAPI, int)(OPENGL) == 1);
    CHECK(GL(void *, eglGetCurrentContext, void)() == NULL);
    void *context = GL(void *, eglCreateContext, void *, void *, void *, const int *)(
        first.display, first.config, first.context, NULL);
    const int size[] = {0x3057, SIZE, 0x3056, SIZE, 0x3038};
    void *surface = GL(void *, eglCreatePbufferSurface, void *, void *, const int *)(
        first.display, first.config, size);
    unsigned (*current)(void *, void *, void *, void *) = function("eglMakeCurrent");
    CHECK(context != NULL && surface != NULL);
    CHECK(current(first.display, surface, surface, context) == 1);
    CHECK(GL(unsigned char, glIsTexture, int)(shared) == 1);
    for (int i = 0; i < ROUNDS; i++) {
        uint8_t pixels[4 * SIZE * SIZE];
        float part = (float)(number * ROUNDS + i) / 255.0f;
        GL(void, glClearColor, float, float, float, float)(part, 1 - part, 0, 1);
        GL(void, glClear, int)(COLOR);
        GL(void, glReadPixels, int, int, int, int, int, int, void *)(0, 0, SIZE, SIZE, RGBA, BYTES,
                                                                     pixels);
        CHECK(pixels[0] == number * ROUNDS + i && pixels[4 * SIZE * SIZE - 4] == pixels[0]);
        memcpy(last[number], pixels, 4);
        GL(void, glEnable, int)(number % 2 == 0 ? 1 : 0x0BE2);
        CHECK(error() == (number % 2 == 0 ? 0x500 : 0));
    }
    CHECK(current(first.display, NULL, NULL, NULL) == 1);
    CHECK(GL(unsigned, eglDestroyContext, void *, void *)(first.display, context) == 1);
    CHECK(GL(unsigned, eglDestroySurface, void *, void *)(first.display, surface) == 1);
    return NULL;
}

int main(void) {
    load();
    first = open_screen(SIZE, SIZE, NULL);
    GL(void, glGenTextures, int, int *)(1, &shared);
    GL(void, glBindTexture, int, int)(0x0DE1, shared);
    GL(void, glFinish, void)();
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, draw, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(GL(void *, eglGetCurrentContext, void)() == first.context);
    print_digest("threads", last, sizeof last);
    close_screen(&first);
    printf("passed\n");
    return 0;
}
