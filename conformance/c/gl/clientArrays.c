/* SPDX-License-Identifier: Apache-2.0
 *
 * Vertices and indices in the program's memory, as OpenGL before 3.1 and OpenGL ES 2 have them:
 * fixed and generic arrays, interleaved ones, indices of each type, lists, and state that is kept
 * and asked for. Errors of OpenGL are printed too.
 */
#include "gl.h"

#include <stddef.h>

enum {
    SIZE = 48, POINTS = 0, TRIANGLES = 4, STRIP = 5, QUADS = 7, RGBA = 0x1908, BYTES = 0x1401,
    SHORTS = 0x1403, INTS = 0x1405, FLOAT = 0x1406, ARRAY_BUFFER = 0x8892, ELEMENT_BUFFER = 0x8893,
    STATIC = 0x88E4, VERTICES = 0x8074, NORMALS = 0x8075, COLORS = 0x8076, COORDINATES = 0x8078,
    TEXTURE1 = 0x84C1, COLOR_AND_DEPTH = 0x4100
};

/* The calls that are made most. */
static void (*draw_arrays)(int, int, int);
static void (*draw_elements)(int, int, int, const void *);
static void (*enable)(int), (*disable)(int);
static void (*vertices)(int, int, int, const void *), (*colors)(int, int, int, const void *);
static void (*attribute)(int, int, int, unsigned char, int, const void *);
static void (*bind)(int, int);

/* Of a context that is new. */
static void begin(void) {
    GL(void, glClear, int)(COLOR_AND_DEPTH);
    *(void **)&draw_arrays = function("glDrawArrays");
    *(void **)&draw_elements = function("glDrawElements");
    *(void **)&attribute = function("glVertexAttribPointer");
    *(void **)&bind = function("glBindBuffer");
}

static void find_fixed(void) {
    *(void **)&enable = function("glEnableClientState");
    *(void **)&disable = function("glDisableClientState");
    *(void **)&vertices = function("glVertexPointer");
    *(void **)&colors = function("glColorPointer");
}

static void print_image(const char *what) {
    static uint8_t pixels[4 * SIZE * SIZE];
    GL(void, glReadPixels, int, int, int, int, int, int, void *)(0, 0, SIZE, SIZE, RGBA, BYTES,
                                                                 pixels);
    print_digest(what, pixels, sizeof pixels);
    GL(void, glClear, int)(COLOR_AND_DEPTH);
    printf("error %x\n", (unsigned)error());
}

static int figure(int name) {
    int value = -1;
    GL(void, glGetIntegerv, int, int *)(name, &value);
    return value;
}

static int buffer(int where, size_t bytes, const void *data) {
    int name = 0;
    GL(void, glGenBuffers, int, int *)(1, &name);
    bind(where, name);
    GL(void, glBufferData, int, int64_t, const void *, int)(where, (int64_t)bytes, data, STATIC);
    return name;
}

static const float BOX[8][3] = {
    {9, 9, 9}, {9, 9, 9}, {9, 9, 9}, {9, 9, 9},
    {-0.8f, -0.6f, 0}, {0.7f, -0.5f, 0.1f}, {0.6f, 0.9f, 0}, {-0.5f, 0.4f, -0.1f}};
static const uint8_t TINTS[8][4] = {{0}, {0}, {0}, {0}, {255, 0, 0, 255}, {0, 255, 0, 255},
                                    {0, 0, 255, 255}, {255, 255, 0, 255}};

/* From a later vertex on, beside an array that is not enabled and must not be read. */
static void separate(void) {
    GL(void, glNormalPointer, int, int, const void *)(FLOAT, 0, (const void *)8);
    vertices(3, FLOAT, 0, BOX);
    colors(4, BYTES, 0, TINTS);
    enable(VERTICES);
    GL(void, glEnable, int)(COLORS);
    draw_arrays(QUADS, 4, 4);
    print_image("separate");
    static const int first[] = {4, 5, 0}, count[] = {3, 3, 0};
    GL(void, glMultiDrawArrays, int, const int *, const int *, int)(TRIANGLES, first, count, 3);
    print_image("several");
}

struct mixed {
    float coordinate[2];
    uint8_t color[4];
    float place[3];
};

static const struct mixed MIXED[5] = {
    {{0, 0}, {255, 0, 0, 255}, {-0.9f, -0.9f, 0}}, {{1, 0}, {0, 255, 0, 255}, {0.9f, -0.7f, 0}},
    {{1, 1}, {0, 0, 255, 255}, {0.8f, 0.8f, 0}}, {{0, 1}, {9, 99, 255, 255}, {-0.7f, 0.9f, 0}},
    {{0.5f, 0.5f}, {255, 255, 255, 255}, {0, 0, 0}}};

static void point_to(const struct mixed *them) {
    vertices(3, FLOAT, sizeof *them, them->place);
    colors(4, BYTES, sizeof *them, them->color);
}

static void indexed(void) {
    static const uint8_t bytes[] = {4, 0, 1, 4, 2, 3};
    static const uint16_t shorts[] = {4, 1, 2, 4, 3, 0};
    static const uint32_t ints[] = {1, 2, 4};
    struct mixed changing[5];
    memcpy(changing, MIXED, sizeof changing);
    point_to(changing);
    draw_elements(TRIANGLES, 6, BYTES, bytes);
    print_image("bytes");
    changing[4].place[0] = 0.4f;
    draw_elements(TRIANGLES, 6, SHORTS, shorts);
    print_image("shorts");
    draw_elements(TRIANGLES, 3, INTS, ints);
    GL(void, glDrawRangeElements, int, int, int, int, int, const void *)(TRIANGLES, 0, 4, 3, SHORTS,
                                                                         shorts + 3);
    print_image("ints");
    const void *const both[] = {bytes, bytes + 3};
    GL(void, glMultiDrawElements, int, const int *, int, const void *const *, int)(
        TRIANGLES, (const int[]){3, 3}, BYTES, both, 2);
    print_image("lists");
    GL(void, glDrawElementsBaseVertex, int, int, int, const void *, int)(
        TRIANGLES, 3, SHORTS, (const uint16_t[]){0, 1, 2}, 2);
    print_image("based");
}

/* Of vertices and indices one is here and the other in a buffer. */
static void halves(void) {
    static const uint16_t order[] = {0, 1, 2, 0, 2, 3};
    point_to(MIXED);
    int indices = buffer(ELEMENT_BUFFER, sizeof order, order);
    draw_elements(TRIANGLES, 3, SHORTS, (const void *)6);
    print_image("indices there");
    bind(ELEMENT_BUFFER, 0);
    int there = buffer(ARRAY_BUFFER, sizeof MIXED, MIXED);
    vertices(3, FLOAT, sizeof *MIXED, (const void *)offsetof(struct mixed, place));
    draw_elements(TRIANGLES, 6, SHORTS, order);
    print_image("vertices there");
    printf("bound %d %d %d\n", figure(0x8894) == there, figure(0x8896) == there, figure(0x8898));
    int object = 0;
    GL(void, glGenVertexArrays, int, int *)(1, &object);
    GL(void, glBindVertexArray, int)(object);
    vertices(3, FLOAT, sizeof *MIXED, (const void *)offsetof(struct mixed, place));
    enable(VERTICES);
    draw_elements(TRIANGLES, 6, SHORTS, order);
    print_image("object");
    bind(ARRAY_BUFFER, 0);
    vertices(3, FLOAT, sizeof *MIXED, MIXED->place);
    printf("refused %x\n", (unsigned)error());
    GL(void, glBindVertexArray, int)(0);
    GL(void, glDeleteVertexArrays, int, const int *)(1, &object);
    GL(void, glDeleteBuffers, int, const int *)(2, (const int[]){indices, there});
}

/* A list has the vertices of the moment that it was made in. */
static void list(void) {
    struct mixed changing[5];
    memcpy(changing, MIXED, sizeof changing);
    GL(void, glInterleavedArrays, int, int, const void *)(0x2A29, 0, changing);
    int made = GL(int, glGenLists, int)(1);
    GL(void, glNewList, int, int)(made, 0x1300);
    draw_arrays(QUADS, 0, 4);
    GL(void, glEndList, void)();
    memset(changing, 0, sizeof changing);
    GL(void, glCallList, int)(made);
    print_image("list");
    disable(COORDINATES);
}

static void textures(void) {
    static const uint8_t image[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 9, 9, 255};
    int name = 0;
    GL(void, glActiveTexture, int)(TEXTURE1);
    GL(void, glGenTextures, int, int *)(1, &name);
    GL(void, glBindTexture, int, int)(0x0DE1, name);
    GL(void, glTexParameteri, int, int, int)(0x0DE1, 0x2801, 0x2600);
    GL(void, glTexImage2D, int, int, int, int, int, int, int, int, const void *)(
        0x0DE1, 0, RGBA, 2, 2, 0, RGBA, BYTES, image);
    GL(void, glEnable, int)(0x0DE1);
    point_to(MIXED);
    GL(void, glClientActiveTexture, int)(TEXTURE1);
    GL(void, glTexCoordPointer, int, int, int, const void *)(2, FLOAT, sizeof *MIXED, MIXED);
    enable(COORDINATES);
    GL(void, glClientActiveTexture, int)(0x84C0);
    draw_arrays(QUADS, 0, 4);
    print_image("textured");
    GL(void, glDisable, int)(0x0DE1);
    GL(void, glClientActiveTexture, int)(TEXTURE1);
    disable(COORDINATES);
    GL(void, glClientActiveTexture, int)(0x84C0);
    void *pointer = NULL;
    GL(void, glGetPointerv, int, void **)(0x808E, &pointer);
    CHECK(pointer == MIXED->place);
    printf("size %d stride %d buffer %d\n", figure(0x807A), figure(0x807C), figure(0x8896));
}

static void kept(void) {
    point_to(MIXED);
    GL(void, glPushClientAttrib, int)(-1);
    GL(void, glPixelStorei, int, int)(0x0D05, 1);
    GL(void, glPixelStorei, int, int)(0x0D02, 60);
    vertices(2, SHORTS - 1, 0, (const void *)8);
    disable(COLORS);
    GL(void, glPopClientAttrib, void)();
    printf("kept %d %d %d\n", figure(0x0D05), figure(0x0D02), figure(0x807A));
    draw_arrays(QUADS, 0, 4);
    print_image("kept");
    GL(void, glPopClientAttrib, void)();
    printf("nothing is kept %x\n", (unsigned)error());
}

static void wrong(void) {
    draw_arrays(QUADS, 0, -1);
    printf("count %x\n", (unsigned)error());
    draw_elements(TRIANGLES, 3, FLOAT, MIXED);
    printf("type %x\n", (unsigned)error());
    draw_elements(TRIANGLES, -3, BYTES, MIXED);
    printf("count of indices %x\n", (unsigned)error());
    vertices(5, FLOAT, 0, MIXED);
    printf("size %x\n", (unsigned)error());
    draw_arrays(QUADS, 0, 4);
    print_image("nothing changed");
}

/* An array of more bytes than one upload has. */
static void big(void) {
    enum { COUNT = 8300, STRIDE = 2048 };
    uint8_t *memory = calloc(COUNT, STRIDE);
    CHECK(memory != NULL);
    for (int i = 0; i < COUNT; i++) {
        const float place[2] = {(float)i / COUNT * 1.8f - 0.9f, (float)(i % 7) / 4 - 0.8f};
        memcpy(memory + (size_t)i * STRIDE, place, sizeof place);
    }
    disable(COLORS);
    vertices(2, FLOAT, STRIDE, memory);
    draw_arrays(POINTS, 1, COUNT - 1);
    print_image("big");
    free(memory);
}

static int shader(int kind, const char *source) {
    int made = GL(int, glCreateShader, int)(kind), done = 0;
    GL(void, glShaderSource, int, int, const char *const *, const int *)(made, 1, &source, NULL);
    GL(void, glCompileShader, int)(made);
    GL(void, glGetShaderiv, int, int, int *)(made, 0x8B81, &done);
    CHECK(done == 1);
    return made;
}

static void use(const char *vertex, const char *fragment) {
    int made = GL(int, glCreateProgram, void)();
    GL(void, glAttachShader, int, int)(made, shader(0x8B31, vertex));
    GL(void, glAttachShader, int, int)(made, shader(0x8B30, fragment));
    GL(void, glBindAttribLocation, int, int, const char *)(made, 0, "place");
    GL(void, glBindAttribLocation, int, int, const char *)(made, 1, "shift");
    GL(void, glLinkProgram, int)(made);
    GL(void, glUseProgram, int)(made);
}

/* Numbers of vertices, instances, and indices that begin a strip. */
static void generic(void) {
    static const float places[][2] = {{9, 9}, {-0.9f, -0.9f}, {-0.5f, -0.9f}, {-0.9f, -0.4f},
                                      {-0.4f, -0.5f}};
    static const float shifts[][2] = {{0, 0}, {0.5f, 0.3f}, {1, 0.9f}};
    use("#version 130\nin vec2 place; in vec2 shift; flat out vec3 its;\n"
        "void main() { its = vec3(float(gl_VertexID) / 4.0, shift);\n"
        "  gl_Position = vec4(place + shift, 0, 1); }\n",
        "#version 130\nflat in vec3 its; void main() { gl_FragColor = vec4(its, 1); }\n");
    disable(VERTICES);
    void (*on)(int) = function("glEnableVertexAttribArray");
    on(0);
    on(1);
    attribute(0, 2, FLOAT, 0, 0, places);
    attribute(1, 2, FLOAT, 0, 0, shifts);
    GL(void, glVertexAttribDivisor, int, int)(1, 2);
    GL(void, glDrawArraysInstanced, int, int, int, int)(STRIP, 1, 4, 5);
    print_image("instances");
    GL(void, glEnable, int)(0x8F9D);
    GL(void, glPrimitiveRestartIndex, int)(0xFFFF);
    static const uint16_t order[] = {1, 2, 3, 0xFFFF, 2, 3, 4};
    GL(void, glDrawElementsInstanced, int, int, int, const void *, int)(STRIP, 7, SHORTS, order, 3);
    print_image("restarts");
    GL(void, glDisable, int)(0x8F9D);
    int bound = -1;
    void *pointer = NULL;
    GL(void, glGetVertexAttribiv, int, int, int *)(1, 0x889F, &bound);
    GL(void, glGetVertexAttribPointerv, int, int, void **)(1, 0x8645, &pointer);
    CHECK(bound == 0 && pointer == shifts);
}

static void embedded(void) {
    const int version[] = {0x3098, 2, 0x3038};
    screen s = open_screen_of(OPENGL_ES, ES2_BIT, SIZE, SIZE, version);
    begin();
    static const int8_t places[][2] = {{-100, -100}, {120, -90}, {0, 110}};
    static const uint16_t order[] = {2, 0, 1};
    use("attribute vec2 place; attribute vec3 shift; varying vec3 its;\n"
        "void main() { its = shift; gl_Position = vec4(place, 0, 1); }\n",
        "precision mediump float; varying vec3 its;\n"
        "void main() { gl_FragColor = vec4(its, 1); }\n");
    attribute(0, 2, BYTES - 1, 1, 0, places);
    attribute(1, 3, BYTES, 1, 4, TINTS[4]);
    GL(void, glEnableVertexAttribArray, int)(0);
    GL(void, glEnableVertexAttribArray, int)(1);
    draw_elements(TRIANGLES, 3, SHORTS, order);
    print_image("embedded");
    const int indices = buffer(ELEMENT_BUFFER, sizeof order, order);
    draw_elements(TRIANGLES, 3, SHORTS, NULL);
    print_image("embedded, indices there");
    GL(void, glDeleteBuffers, int, const int *)(1, &indices);
    GL(void, glDisableVertexAttribArray, int)(1);
    draw_arrays(TRIANGLES, 0, 3);
    print_image("embedded, one array");
    close_screen(&s);
}

int main(void) {
    load();
    screen s = open_screen(SIZE, SIZE, NULL);
    begin();
    find_fixed();
    separate();
    indexed();
    halves();
    list();
    textures();
    kept();
    wrong();
    big();
    generic();
    close_screen(&s);
    embedded();
    printf("passed\n");
    return 0;
}
