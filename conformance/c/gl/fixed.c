/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenGL's fixed functions, as older programs use them: vertices one by one, lists, lights,
 * matrices, a stipple, a bitmap, and figures of several values.
 */
#include "gl.h"

enum { SIZE = 48, QUADS = 7, COLOR_AND_DEPTH = 0x4100, RGBA = 0x1908, BYTES = 0x1401,
       LIGHT = 0x4000, POSITION = 0x1203, DIFFUSE = 0x1201, FRONT = 0x0404, COMPILE = 0x1300 };

static void vertex(float x, float y, float z) {
    GL(void, glVertex3f, float, float, float)(x, y, z);
}

static void draw_box(void) {
    GL(void, glBegin, int)(QUADS);
    GL(void, glNormal3f, float, float, float)(0, 0, 1);
    GL(void, glTexCoord2f, float, float)(0, 0);
    vertex(-0.5f, -0.5f, 0);
    GL(void, glTexCoord2f, float, float)(1, 0);
    vertex(0.5f, -0.5f, 0.2f);
    vertex(0.5f, 0.5f, 0);
    vertex(-0.5f, 0.5f, -0.2f);
    GL(void, glEnd, void)();
}

static void lights(void) {
    static const float place[] = {0.5f, 1, 2, 1}, color[] = {1, 0.5f, 0.25f, 1};
    float got[4] = {0};
    void (*light)(int, int, const float *) = function("glLightfv");
    light(LIGHT, POSITION, place);
    light(LIGHT, DIFFUSE, color);
    GL(void, glGetLightfv, int, int, float *)(LIGHT, DIFFUSE, got);
    CHECK(memcmp(got, color, sizeof got) == 0);
    GL(void, glMaterialfv, int, int, const float *)(FRONT, DIFFUSE, place);
    GL(void, glGetMaterialfv, int, int, float *)(FRONT, DIFFUSE, got);
    CHECK(got[2] == 2 && got[3] == 1);
    GL(void, glEnable, int)(0x0B50);
    GL(void, glEnable, int)(LIGHT);
    GL(void, glEnable, int)(0x0B71);
}

static void matrices(void) {
    float matrix[16];
    GL(void, glMatrixMode, int)(0x1701);
    GL(void, glLoadIdentity, void)();
    GL(void, glFrustum, double, double, double, double, double, double)(-1, 1, -1, 1, 1, 10);
    GL(void, glMatrixMode, int)(0x1700);
    GL(void, glTranslatef, float, float, float)(0, 0, -1.5f);
    GL(void, glRotatef, float, float, float, float)(30, 1, 1, 0);
    GL(void, glGetFloatv, int, float *)(0x0BA6, matrix);
    CHECK(matrix[14] == -1.5f && matrix[15] == 1);
}

/* Of an attribute's figures one has four values, the others one. */
static void attributes(void) {
    int figures[5] = {-1, -1, -1, -1, -1};
    float value[4];
    GL(void, glGetVertexAttribiv, int, int, int *)(3, 0x8622, figures);
    CHECK(figures[0] == 0 && figures[1] == -1);
    GL(void, glVertexAttrib4f, int, float, float, float, float)(3, 1, 2, 3, 4);
    GL(void, glGetVertexAttribfv, int, int, float *)(3, 0x8626, value);
    CHECK(value[0] == 1 && value[3] == 4);
}

static void bits(void) {
    static const uint8_t cross[] = {0x81, 0x42, 0x24, 0x18, 0x18, 0x24, 0x42, 0x81};
    uint8_t stipple[128], got[128];
    for (size_t i = 0; i < sizeof stipple; i++)
        stipple[i] = (uint8_t)(i % 3 == 0 ? 0xFF : 0x3C);
    GL(void, glPolygonStipple, const uint8_t *)(stipple);
    GL(void, glGetPolygonStipple, uint8_t *)(got);
    CHECK(memcmp(stipple, got, sizeof got) == 0);
    GL(void, glEnable, int)(0x0B42);
    GL(void, glPixelStorei, int, int)(0x0CF5, 1);
    GL(void, glRasterPos3f, float, float, float)(0, 0, 0);
    GL(void, glBitmap, int, int, float, float, float, float, const uint8_t *)(8, 8, 0, 0, 9, 0,
                                                                              cross);
    static const uint8_t row[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255};
    GL(void, glDrawPixels, int, int, int, int, const void *)(3, 1, RGBA, BYTES, row);
}

int main(void) {
    load();
    screen s = open_screen(SIZE, SIZE, NULL);
    matrices();
    lights();
    attributes();
    int list = GL(int, glGenLists, int)(1);
    CHECK(list != 0);
    GL(void, glNewList, int, int)(list, COMPILE);
    draw_box();
    GL(void, glEndList, void)();
    static uint8_t pixels[4 * SIZE * SIZE];
    for (int i = 0; i < 3; i++) {
        GL(void, glClear, int)(COLOR_AND_DEPTH);
        GL(void, glPushMatrix, void)();
        GL(void, glRotatef, float, float, float, float)(20.0f * (float)i, 0, 0, 1);
        GL(void, glCallList, int)(list);
        GL(void, glPopMatrix, void)();
        if (i == 1)
            bits();
        GL(void, glReadPixels, int, int, int, int, int, int, void *)(0, 0, SIZE, SIZE, RGBA, BYTES,
                                                                     pixels);
        print_digest("fixed", pixels, sizeof pixels);
    }
    CHECK(error() == 0);
    close_screen(&s);
    printf("passed\n");
    return 0;
}
