/* SPDX-License-Identifier: Apache-2.0
 * Buffers and textures of OpenGL that CUDA reads and writes. usage: graphics CASE…
 */
#include "case.h"
#undef CHECK
#include "gl/gl.h"

enum { COUNT = 3000, ARRAY_BUFFER = 0x8892, DYNAMIC = 0x88E8, WORDS = 256 };
enum { TEXTURE = 0x0DE1, RGBA = 0x1908, RGBA8 = 0x8058, BYTE = 0x1401, WIDTH = 10, HEIGHT = 6 };
enum { READ_ONLY = 1, DISCARD = 2, ARRAY_MEMORY = 3, HOST_MEMORY = 1 };

static screen s;
static CUfunction add;
static int numbers[COUNT];

static void prepare(void) {
    static const int wanted[] = {0x3098, 3, 0x30FB, 2, 0x3038};
    CUcontext primary;
    CUmodule module;
    load();
    s = open_screen(16, 16, wanted);
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuModuleLoadData(&module, ADD_KERNEL));
    MUST(cuModuleGetFunction(&add, module, "add"));
}

static void launch(CUdeviceptr to, int count, int what) {
    void *arguments[] = {&to, &count, &what};
    MUST(cuLaunchKernel(add, (count + WORDS - 1) / WORDS, 1, 1, WORDS, 1, 1, 0, NULL, arguments,
                        NULL));
}

/* A buffer with the numbers from here on. */
static int make_buffer(int first) {
    int buffer = 0;
    for (int i = 0; i < COUNT; i++)
        numbers[i] = first + i;
    GL(void, glGenBuffers, int, int *)(1, &buffer);
    GL(void, glBindBuffer, int, int)(ARRAY_BUFFER, buffer);
    GL(void, glBufferData, int, intptr_t, const void *, int)(ARRAY_BUFFER, sizeof numbers, numbers,
                                                             DYNAMIC);
    return buffer;
}

static void check_buffer(int first) {
    memset(numbers, 0, sizeof numbers);
    GL(void, glGetBufferSubData, int, intptr_t, intptr_t, void *)(ARRAY_BUFFER, 0, sizeof numbers,
                                                                  numbers);
    for (int i = 0; i < COUNT; i++)
        CHECK(numbers[i] == first + i);
    CHECK(error() == 0);
}

static CUdeviceptr map(CUgraphicsResource resource) {
    CUdeviceptr at = 0;
    size_t bytes = 0;
    MUST(cuGraphicsMapResources(1, &resource, NULL));
    MUST(cuGraphicsResourceGetMappedPointer_v2(&at, &bytes, resource));
    CHECK(at != 0 && bytes == sizeof numbers);
    return at;
}

static void buffer(void) {
    CUgraphicsResource resource;
    int name = make_buffer(100);
    MUST(cuGraphicsGLRegisterBuffer(&resource, name, 0));
    for (int round = 0; round < 3; round++) {
        launch(map(resource), COUNT, 7);
        MUST(cuGraphicsUnmapResources(1, &resource, NULL));
        check_buffer(107 + 10 * round);
        /* OpenGL's own writes are CUDA's the next time. */
        for (int i = 0; i < COUNT; i++)
            numbers[i] = 110 + 10 * round + i;
        GL(void, glBufferSubData, int, intptr_t, intptr_t, const void *)(
            ARRAY_BUFFER, 0, sizeof numbers, numbers);
    }
    CUdeviceptr at = map(resource);
    int last = 0;
    MUST(cuMemcpyDtoH_v2(&last, at + sizeof numbers - 4, 4));
    CHECK(last == 130 + COUNT - 1);
    MUST(cuGraphicsUnmapResources(1, &resource, NULL));
    MUST(cuGraphicsUnregisterResource(resource));
    GL(void, glDeleteBuffers, int, const int *)(1, &name);
}

/* On a stream, of which nobody waits but OpenGL. */
static void stream(void) {
    CUgraphicsResource resources[2];
    CUstream stream;
    MUST(cuStreamCreate(&stream, 1));
    int names[] = {make_buffer(0), make_buffer(50)};
    for (int i = 0; i < 2; i++)
        MUST(cuGraphicsGLRegisterBuffer(&resources[i], names[i], 0));
    MUST(cuGraphicsMapResources(2, resources, stream));
    CUdeviceptr at[2];
    size_t bytes;
    for (int i = 0; i < 2; i++)
        MUST(cuGraphicsResourceGetMappedPointer_v2(&at[i], &bytes, resources[i]));
    MUST(cuMemcpyDtoDAsync_v2(at[0], at[1], bytes, stream));
    MUST(cuGraphicsUnmapResources(2, resources, stream));
    GL(void, glBindBuffer, int, int)(ARRAY_BUFFER, names[0]);
    check_buffer(50);
    for (int i = 0; i < 2; i++)
        MUST(cuGraphicsUnregisterResource(resources[i]));
    MUST(cuStreamDestroy_v2(stream));
}

static void rectangle_of(rectangle *copy, void *array, void *host, int to_host) {
    memset(copy, 0, sizeof *copy);
    copy->source.type = to_host ? ARRAY_MEMORY : HOST_MEMORY;
    copy->destination.type = to_host ? HOST_MEMORY : ARRAY_MEMORY;
    copy->source.array = to_host ? array : NULL;
    copy->destination.array = to_host ? NULL : array;
    copy->source.host = to_host ? NULL : host;
    copy->destination.host = to_host ? host : NULL;
    copy->source.pitch = copy->destination.pitch = 4 * WIDTH;
    copy->width = 4 * WIDTH;
    copy->height = HEIGHT;
}

static void image(void) {
    static uint8_t pixels[4 * WIDTH * HEIGHT], found[4 * WIDTH * HEIGHT];
    CUgraphicsResource resource;
    CUarray array;
    rectangle copy;
    int name = 0;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(3 * i);
    GL(void, glGenTextures, int, int *)(1, &name);
    GL(void, glBindTexture, int, int)(TEXTURE, name);
    GL(void, glTexParameteri, int, int, int)(TEXTURE, 0x2801, 0x2600);
    GL(void, glTexImage2D, int, int, int, int, int, int, int, int, const void *)(
        TEXTURE, 0, RGBA8, WIDTH, HEIGHT, 0, RGBA, BYTE, pixels);
    MUST(cuGraphicsGLRegisterImage(&resource, name, TEXTURE, 0));
    MUST(cuGraphicsMapResources(1, &resource, NULL));
    MUST(cuGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
    rectangle_of(&copy, array, found, 1);
    MUST(cuMemcpy2D_v2((void *)&copy));
    CHECK(memcmp(found, pixels, sizeof pixels) == 0);
    for (size_t i = 0; i < sizeof found; i++)
        found[i] ^= 0x5A;
    rectangle_of(&copy, array, found, 0);
    MUST(cuMemcpy2D_v2((void *)&copy));
    MUST(cuGraphicsUnmapResources(1, &resource, NULL));
    GL(void, glGetTexImage, int, int, int, int, void *)(TEXTURE, 0, RGBA, BYTE, pixels);
    CHECK(memcmp(found, pixels, sizeof pixels) == 0 && error() == 0);
    MUST(cuGraphicsUnregisterResource(resource));
}

static void wrong(void) {
    CUgraphicsResource resource;
    CUarray array;
    CUdeviceptr at;
    size_t bytes;
    int name = make_buffer(0);
    CHECK(cuGraphicsGLRegisterBuffer(&resource, name + 1000, 0) != 0);
    MUST(cuGraphicsGLRegisterBuffer(&resource, name, 0));
    CHECK(cuGraphicsResourceGetMappedPointer_v2(&at, &bytes, resource) == 211);
    CHECK(cuGraphicsUnmapResources(1, &resource, NULL) == 211);
    MUST(cuGraphicsMapResources(1, &resource, NULL));
    CHECK(cuGraphicsMapResources(1, &resource, NULL) == 208);
    CHECK(cuGraphicsSubResourceGetMappedArray(&array, resource, 0, 0) == 212);
    MUST(cuGraphicsUnmapResources(1, &resource, NULL));
    MUST(cuGraphicsUnregisterResource(resource));
    CHECK(cuGraphicsMapResources(1, &resource, NULL) == 400);
    close_screen(&s);
    CHECK(cuGraphicsGLRegisterBuffer(&resource, name, 0) != 0);
}

static const test_case cases[] = {
    {"buffer", buffer}, {"stream", stream}, {"image", image}, {"wrong", wrong},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
