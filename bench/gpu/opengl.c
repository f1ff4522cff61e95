/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames that are drawn off-screen and read back. usage: opengl small|full|shared FRAMES
 *   small   640 x 480 by functions of OpenGL 1, many calls a frame, as simulators draw
 *   full    1920 x 1080, few calls a frame: reading it back is the work
 *   shared  as simpleGL: a kernel writes the points of a buffer that OpenGL draws; 640 x 480
 * Prints the median of a frame in microseconds, and fails where the last frame is not the one that
 * it should be.
 */
#include "figure.h"
#undef CHECK
#include "../../conformance/c/gl/gl.h"

enum {
    WIDTH = 640, HEIGHT = 480, FULL_WIDTH = 1920, FULL_HEIGHT = 1080, OBJECTS = 200,
    POINTS_ACROSS = 256, COLOR = 0x4000, TRIANGLES = 4, POINTS = 0, RGBA = 0x1908, BYTES = 0x1401,
    ARRAY_BUFFER = 0x8892, DYNAMIC = 0x88E8, VERTICES = 0x8074, FLOAT = 0x1406, DISCARD = 2
};

static screen s;
static uint8_t *pixels;

static void begin(int width, int height) {
    static const int any[] = {0x3038};
    load();
    s = open_screen(width, height, any);
    pixels = malloc(4 * (size_t)width * (size_t)height);
    GL(void, glViewport, int, int, int, int)(0, 0, width, height);
}

static void read_back(int width, int height) {
    GL(void, glReadPixels, int, int, int, int, int, int, void *)(0, 0, width, height, RGBA, BYTES,
                                                                pixels);
}

/* A red pixel in the middle of it. */
static size_t wrong_middle(int width, int height) {
    const uint8_t *middle = pixels + 4 * ((size_t)height / 2 * (size_t)width + (size_t)width / 2);
    return error() != 0 || middle[0] != 255 || middle[1] != 0;
}

static size_t timed(const char *name, long frames, int width, int height, void (*draw)(int frame)) {
    int64_t *samples = calloc((size_t)frames, sizeof *samples);
    size_t wrong = 0;
    for (long i = -10; i < frames; i++) {
        int64_t start = clock_ns();
        draw((int)(i & 0xFF));
        read_back(width, height);
        if (i >= 0)
            samples[i] = clock_ns() - start;
    }
    wrong += wrong_middle(width, height);
    print_figure(name, percentile(samples, frames, 50));
    free(samples);
    close_screen(&s);
    return wrong;
}

/* ---- many calls */

static void triangle(float at, float size) {
    void (*vertex)(float, float) = GL(void, glVertex2f, float, float);
    vertex(at - size, -size);
    vertex(at + size, -size);
    vertex(at, size);
}

static void draw_objects(int frame) {
    void (*color)(float, float, float) = GL(void, glColor3f, float, float, float);
    GL(void, glClear, int)(COLOR);
    for (int i = 0; i < OBJECTS; i++) {
        GL(void, glPushMatrix, void)();
        GL(void, glTranslatef, float, float, float)((float)frame * 1e-6f, 0, 0);
        color(0, (float)i / OBJECTS, 1);
        GL(void, glBegin, int)(TRIANGLES);
        triangle((float)i / OBJECTS - 0.5f, 0.02f);
        GL(void, glEnd, void)();
        GL(void, glPopMatrix, void)();
    }
    color(1, 0, 0);
    GL(void, glBegin, int)(TRIANGLES);
    triangle(0, 0.2f);
    GL(void, glEnd, void)();
}

static size_t small(long frames) {
    begin(WIDTH, HEIGHT);
    return timed("opengl_small", frames, WIDTH, HEIGHT, draw_objects);
}

/* ---- one large image */

static void draw_background(int frame) {
    GL(void, glClearColor, float, float, float, float)(1, 0, (float)frame / 256, 1);
    GL(void, glClear, int)(COLOR);
}

static size_t full(long frames) {
    begin(FULL_WIDTH, FULL_HEIGHT);
    return timed("opengl_full", frames, FULL_WIDTH, FULL_HEIGHT, draw_background);
}

/* ---- points that a kernel moves */

/* A point at each column and row of a square, in a wave that time moves. */
static const char WAVE[] =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .entry wave(.param .u64 points, .param .u32 across, .param .f32 time)\n"
    "{\n.reg .b64 %rd<4>;\n.reg .b32 %r<5>;\n.reg .f32 %f<13>;\n"
    "ld.param.u64 %rd1, [points];\nld.param.u32 %r1, [across];\nld.param.f32 %f1, [time];\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.u32 %r4, %r2, %r1, %r3;\n"
    "mul.wide.u32 %rd2, %r4, 16;\nadd.u64 %rd3, %rd1, %rd2;\n"
    "cvt.rn.f32.u32 %f2, %r1;\ncvt.rn.f32.u32 %f3, %r3;\ncvt.rn.f32.u32 %f4, %r2;\n"
    "div.approx.f32 %f5, %f3, %f2;\nfma.rn.f32 %f5, %f5, 0f40000000, 0fBF800000;\n"
    "div.approx.f32 %f6, %f4, %f2;\nfma.rn.f32 %f6, %f6, 0f40000000, 0fBF800000;\n"
    "fma.rn.f32 %f7, %f5, 0f40800000, %f1;\nsin.approx.f32 %f8, %f7;\n"
    "fma.rn.f32 %f9, %f6, 0f40800000, %f1;\ncos.approx.f32 %f10, %f9;\n"
    "mul.f32 %f11, %f8, %f10;\nmov.f32 %f12, 0f3F800000;\n"
    "st.global.v4.f32 [%rd3], {%f5, %f6, %f11, %f12};\nret;\n}\n";

static CUgraphicsResource resource;
static CUfunction wave;

static void draw_points(int frame) {
    CUdeviceptr points = 0;
    size_t bytes = 0;
    int across = POINTS_ACROSS;
    float time = (float)frame / 256;
    CHECK(cuGraphicsMapResources(1, &resource, NULL) == 0);
    CHECK(cuGraphicsResourceGetMappedPointer_v2(&points, &bytes, resource) == 0);
    void *arguments[] = {&points, &across, &time};
    CHECK(cuLaunchKernel(wave, POINTS_ACROSS, 1, 1, POINTS_ACROSS, 1, 1, 0, NULL, arguments,
                         NULL) == 0);
    CHECK(cuGraphicsUnmapResources(1, &resource, NULL) == 0);
    GL(void, glClear, int)(COLOR);
    GL(void, glColor3f, float, float, float)(1, 0, 0);
    GL(void, glDrawArrays, int, int, int)(POINTS, 0, POINTS_ACROSS * POINTS_ACROSS);
}

static size_t shared(long frames) {
    CUcontext primary;
    CUmodule module;
    int name = 0;
    begin(WIDTH, HEIGHT);
    CHECK(cuInit(0) == 0 && cuDevicePrimaryCtxRetain(&primary, 0) == 0);
    CHECK(cuCtxSetCurrent(primary) == 0);
    CHECK(cuModuleLoadData(&module, WAVE) == 0);
    CHECK(cuModuleGetFunction(&wave, module, "wave") == 0);
    GL(void, glGenBuffers, int, int *)(1, &name);
    GL(void, glBindBuffer, int, int)(ARRAY_BUFFER, name);
    GL(void, glBufferData, int, intptr_t, const void *, int)(
        ARRAY_BUFFER, 16 * POINTS_ACROSS * POINTS_ACROSS, NULL, DYNAMIC);
    GL(void, glVertexPointer, int, int, int, const void *)(4, FLOAT, 0, NULL);
    GL(void, glEnableClientState, int)(VERTICES);
    GL(void, glPointSize, float)(4);
    CHECK(cuGraphicsGLRegisterBuffer(&resource, name, DISCARD) == 0);
    return timed("opengl_shared", frames, WIDTH, HEIGHT, draw_points);
}

int main(int argc, char **argv) {
    static const named_program PROGRAMS[] = {{"small", small}, {"full", full}, {"shared", shared}};
    return run_named(PROGRAMS, sizeof PROGRAMS / sizeof *PROGRAMS,
                     "opengl small|full|shared FRAMES", argc, argv);
}
