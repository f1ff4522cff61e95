/* SPDX-License-Identifier: Apache-2.0
 *
 * The thinnest program: clears a surface, reads it and says what it has.
 */
#include "gl.h"

enum { WIDTH = 33, HEIGHT = 17, COLOR = 0x4000, RGBA = 0x1908, RGB = 0x1907, BYTES = 0x1401 };

int main(void) {
    load();
    screen s = open_screen(WIDTH, HEIGHT, NULL);
    GL(void, glClearColor, float, float, float, float)(0.25f, 0.5f, 0.75f, 1.0f);
    GL(void, glClear, int)(COLOR);
    GL(void, glEnable, int)(0x0C11);
    GL(void, glScissor, int, int, int, int)(3, 5, 7, 2);
    GL(void, glClearColor, float, float, float, float)(1.0f, 0.0f, 0.0f, 0.0f);
    GL(void, glClear, int)(COLOR);
    static uint8_t pixels[4 * WIDTH * HEIGHT];
    GL(void, glReadPixels, int, int, int, int, int, int, void *)(0, 0, WIDTH, HEIGHT, RGBA, BYTES,
                                                                 pixels);
    CHECK(error() == 0);
    /* 63.75 is 63 on some GPUs: OpenGL leaves open how it is rounded (4.3, 2.3.4.2). */
    CHECK(pixels[0] == 64 || pixels[0] == 63);
    CHECK((pixels[1] == 128 || pixels[1] == 127) && pixels[2] == 191 && pixels[3] == 255);
    const uint8_t *inside = pixels + 4 * (5 * WIDTH + 3);
    CHECK(inside[0] == 255 && inside[1] == 0 && inside[2] == 0 && inside[3] == 0);
    print_digest("cleared", pixels, sizeof pixels);
    /* Rows of 99 bytes with a byte between them, which stays as it was. */
    static uint8_t rows[100 * HEIGHT];
    memset(rows, 0xA5, sizeof rows);
    GL(void, glReadPixels, int, int, int, int, int, int, void *)(0, 0, WIDTH, HEIGHT, RGB, BYTES,
                                                                 rows);
    CHECK(rows[99] == 0xA5 && rows[100] == 64);
    print_digest("with gaps", rows, sizeof rows);
    GL(void, glClear, int)(1);
    CHECK(error() == 0x501);
    CHECK(error() == 0);
    close_screen(&s);
    printf("passed\n");
    return 0;
}
