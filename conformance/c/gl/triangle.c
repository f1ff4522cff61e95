/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of OpenGL 3.3: shaders, a texture, a frame buffer, buffers that are mapped, pixels that
 * go through a buffer, uniforms and errors. Its digests have all that it reads.
 */
#include "gl.h"

enum {
    SIZE = 64, CORE = 1, TRIANGLES = 4, ARRAY_BUFFER = 0x8892, ELEMENT_BUFFER = 0x8893,
    PACK_BUFFER = 0x88EB, UNPACK_BUFFER = 0x88EC, STATIC = 0x88E4, FLOAT = 0x1406, SHORTS = 0x1403,
    BYTES = 0x1401, RGBA = 0x1908, RGB = 0x1907, RGBA8 = 0x8058, RGB8 = 0x8051, TEXTURE = 0x0DE1,
    FRAMEBUFFER = 0x8D40, ATTACHMENT = 0x8CE0, COMPLETE = 0x8CD5, COLOR = 0x4000,
    COMPILED = 0x8B81, LINKED = 0x8B82, UNPACK_ALIGNMENT = 0x0CF5, UNPACK_ROW_LENGTH = 0x0CF2,
    UNPACK_SKIP_PIXELS = 0x0CF4, MAG_FILTER = 0x2800, MIN_FILTER = 0x2801, LINEAR = 0x2601
};

static const char *const VERTEX[] = {
    "#version 330\n", "in vec2 place; in vec3 color; out vec3 its; uniform mat4 turn;\n",
    "void main() { its = color; gl_Position = turn * vec4(place, 0, 1); }\n"};
static const char *const FRAGMENT[] = {
    "#version 330\nin vec3 its; out vec4 made; uniform sampler2D image;\n",
    "void main() { made = vec4(its, 1) * texture(image, its.xy * 2.0); }\n"};

static int shader(int kind, int count, const char *const *source) {
    int made = GL(int, glCreateShader, int)(kind), done = 0;
    GL(void, glShaderSource, int, int, const char *const *, const int *)(made, count, source, NULL);
    GL(void, glCompileShader, int)(made);
    GL(void, glGetShaderiv, int, int, int *)(made, COMPILED, &done);
    if (!done) {
        char why[1024];
        GL(void, glGetShaderInfoLog, int, int, int *, char *)(made, sizeof why, NULL, why);
        fprintf(stderr, "%s\n", why);
        exit(1);
    }
    return made;
}

static int program(void) {
    int made = GL(int, glCreateProgram, void)(), done = 0;
    GL(void, glAttachShader, int, int)(made, shader(0x8B31, 3, VERTEX));
    GL(void, glAttachShader, int, int)(made, shader(0x8B30, 2, FRAGMENT));
    GL(void, glBindAttribLocation, int, int, const char *)(made, 0, "place");
    GL(void, glBindAttribLocation, int, int, const char *)(made, 1, "color");
    GL(void, glLinkProgram, int)(made);
    GL(void, glGetProgramiv, int, int, int *)(made, LINKED, &done);
    CHECK(done == 1);
    return made;
}

static void store_data(int where, size_t bytes, const void *data) {
    GL(void, glBufferData, int, int64_t, const void *, int)(where, (int64_t)bytes, data, STATIC);
}

static int one(const char *generator) {
    int name = 0;
    ((void (*)(int, int *))function(generator))(1, &name);
    CHECK(name != 0);
    return name;
}

/* Three columns of five in a wider image. */
static void texture(void) {
    uint8_t image[5 * 9 * 3];
    for (size_t i = 0; i < sizeof image; i++)
        image[i] = (uint8_t)(i * 37 + 11);
    void (*store)(int, int) = function("glPixelStorei");
    GL(void, glBindTexture, int, int)(TEXTURE, one("glGenTextures"));
    store(UNPACK_ALIGNMENT, 1);
    store(UNPACK_ROW_LENGTH, 9);
    store(UNPACK_SKIP_PIXELS, 2);
    GL(void, glTexImage2D, int, int, int, int, int, int, int, int, const void *)(
        TEXTURE, 0, RGB8, 3, 5, 0, RGB, BYTES, image);
    int skipped = 0;
    GL(void, glGetIntegerv, int, int *)(UNPACK_SKIP_PIXELS, &skipped);
    CHECK(skipped == 2);
    store(UNPACK_ROW_LENGTH, 0);
    store(UNPACK_SKIP_PIXELS, 0);
    GL(void, glTexParameteri, int, int, int)(TEXTURE, MAG_FILTER, LINEAR);
    GL(void, glTexParameteri, int, int, int)(TEXTURE, MIN_FILTER, LINEAR);
    uint8_t back[3 * 5 * 3];
    GL(void, glPixelStorei, int, int)(0x0D05, 1);
    GL(void, glGetTexImage, int, int, int, int, void *)(TEXTURE, 0, RGB, BYTES, back);
    CHECK(memcmp(back, image + 2 * 3, 9) == 0 && memcmp(back + 9, image + 11 * 3, 9) == 0);
}

/* Writes what is drawn through a mapped buffer, and reads it in the same way. */
static void vertices(void) {
    static const float data[] = {0, 0.8f, 1, 0, 0, -0.6f, -0.8f, 0, 1, 0, 0.6f, -0.8f, 0, 0, 1};
    static const uint16_t order[] = {2, 0, 1};
    GL(void, glBindVertexArray, int)(one("glGenVertexArrays"));
    GL(void, glBindBuffer, int, int)(ARRAY_BUFFER, one("glGenBuffers"));
    store_data(ARRAY_BUFFER, sizeof data, NULL);
    float *mapped = GL(void *, glMapBufferRange, int, int64_t, int64_t, int)(ARRAY_BUFFER, 0,
                                                                             sizeof data, 2 | 8);
    CHECK(mapped != NULL);
    memcpy(mapped, data, sizeof data);
    CHECK(GL(unsigned char, glUnmapBuffer, int)(ARRAY_BUFFER) == 1);
    mapped = GL(void *, glMapBuffer, int, int)(ARRAY_BUFFER, 0x88B8);
    CHECK(mapped != NULL && memcmp(mapped, data, sizeof data) == 0);
    CHECK(GL(unsigned char, glUnmapBuffer, int)(ARRAY_BUFFER) == 1);
    void (*attribute)(int, int, int, unsigned char, int, const void *) =
        function("glVertexAttribPointer");
    attribute(0, 2, FLOAT, 0, 20, NULL);
    attribute(1, 3, FLOAT, 0, 20, (const void *)8);
    GL(void, glEnableVertexAttribArray, int)(0);
    GL(void, glEnableVertexAttribArray, int)(1);
    GL(void, glBindBuffer, int, int)(ELEMENT_BUFFER, one("glGenBuffers"));
    store_data(ELEMENT_BUFFER, sizeof order, order);
}

static void target(void) {
    int image = one("glGenTextures"), now = 0;
    GL(void, glGetIntegerv, int, int *)(0x8069, &now);
    GL(void, glBindTexture, int, int)(TEXTURE, image);
    GL(void, glTexImage2D, int, int, int, int, int, int, int, int, const void *)(
        TEXTURE, 0, RGBA8, SIZE, SIZE, 0, RGBA, BYTES, NULL);
    GL(void, glBindFramebuffer, int, int)(FRAMEBUFFER, one("glGenFramebuffers"));
    GL(void, glFramebufferTexture2D, int, int, int, int, int)(FRAMEBUFFER, ATTACHMENT, TEXTURE,
                                                              image, 0);
    CHECK(GL(int, glCheckFramebufferStatus, int)(FRAMEBUFFER) == COMPLETE);
    GL(void, glBindTexture, int, int)(TEXTURE, now);
    GL(void, glViewport, int, int, int, int)(0, 0, SIZE, SIZE);
}

/* The same image read at once, and through a buffer. */
static void read_image(const char *what) {
    static uint8_t pixels[4 * SIZE * SIZE];
    void (*read)(int, int, int, int, int, int, void *) = function("glReadPixels");
    read(0, 0, SIZE, SIZE, RGBA, BYTES, pixels);
    print_digest(what, pixels, sizeof pixels);
    GL(void, glBindBuffer, int, int)(PACK_BUFFER, one("glGenBuffers"));
    store_data(PACK_BUFFER, sizeof pixels + 16, NULL);
    read(0, 0, SIZE, SIZE, RGBA, BYTES, (void *)16);
    static uint8_t buffer[sizeof pixels];
    GL(void, glGetBufferSubData, int, int64_t, int64_t, void *)(PACK_BUFFER, 16, sizeof buffer,
                                                                buffer);
    CHECK(memcmp(pixels, buffer, sizeof buffer) == 0);
    GL(void, glBindBuffer, int, int)(PACK_BUFFER, 0);
}

static void figures(int made, int turn) {
    float matrix[16], color[4];
    GL(void, glGetUniformfv, int, int, float *)(made, turn, matrix);
    CHECK(matrix[0] == 0.75f && matrix[15] == 1.0f);
    GL(void, glGetFloatv, int, float *)(0x0C22, color);
    CHECK(color[0] == 0.25f && color[3] == 1.0f);
    int box[4] = {-1, -1, -1, -1};
    GL(void, glGetIntegerv, int, int *)(0x0BA2, box);
    CHECK(box[0] == 0 && box[2] == SIZE && box[3] == SIZE);
    char name[32];
    int length = 0, size = 0, type = 0;
    GL(void, glGetActiveUniform, int, int, int, int *, int *, int *, char *)(
        made, 0, sizeof name, &length, &size, &type, name);
    CHECK((size_t)length == strlen(name) && size == 1);
    const char *extension = GL(const char *, glGetStringi, int, int)(0x1F03, 0);
    CHECK(extension != NULL && strncmp(extension, "GL_", 3) == 0);
}

int main(void) {
    load();
    const int version[] = {0x3098, 3, 0x30FB, 3, 0x30FD, CORE, 0x3038};
    screen s = open_screen(16, 16, version);
    int made = program(), turn = GL(int, glGetUniformLocation, int, const char *)(made, "turn");
    CHECK(turn >= 0 && GL(int, glGetUniformLocation, int, const char *)(made, "none") == -1);
    texture();
    vertices();
    target();
    GL(void, glUseProgram, int)(made);
    GL(void, glClearColor, float, float, float, float)(0.25f, 0.5f, 0.75f, 1.0f);
    for (int i = 0; i < 4; i++) {
        const float matrix[16] = {0.75f, 0.1f * (float)i, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        GL(void, glUniformMatrix4fv, int, int, unsigned char, const float *)(turn, 1, 0, matrix);
        GL(void, glClear, int)(COLOR);
        GL(void, glDrawElements, int, int, int, const void *)(TRIANGLES, 3, SHORTS, NULL);
        read_image("drawn");
    }
    figures(made, turn);
    CHECK(error() == 0);
    /* The program's memory, where a buffer is needed. */
    GL(void, glBindBuffer, int, int)(ARRAY_BUFFER, 0);
    GL(void, glVertexAttribPointer, int, int, int, unsigned char, int, const void *)(
        0, 2, FLOAT, 0, 0, &s);
    CHECK(error() == 0x502);
    GL(void, glEnable, int)(1);
    CHECK(error() == 0x500);
    close_screen(&s);
    printf("passed\n");
    return 0;
}
