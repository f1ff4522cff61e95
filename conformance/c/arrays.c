/* SPDX-License-Identifier: Apache-2.0
 * Arrays, textures and surfaces, each topic in one case; prints "ok". usage: arrays CASE
 */
#include "case.h"

#include <stdbool.h>
#include <stdint.h>

enum { FLOAT = 0x20, BYTE = 1, LAYERED = 1, SURFACE = 2 };
enum { HOST = 1, DEVICE = 2, ARRAY = 3 };
enum { WIDTH = 100, HEIGHT = 40, DEPTH = 6, COUNT = WIDTH * HEIGHT * DEPTH };

static CUcontext primary;

static void prepare(void) {
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
}

static CUarray array(size_t width, size_t height, size_t depth, int flags) {
    CUDA_ARRAY3D_DESCRIPTOR shape = {.width = width,
                                     .height = height,
                                     .depth = depth,
                                     .format = FLOAT,
                                     .channels = 1,
                                     .flags = flags};
    CUarray made;
    MUST(cuArray3DCreate_v2(&made, &shape));
    return made;
}

static uint32_t *numbers(size_t count, uint32_t first) {
    uint32_t *made = malloc(count * sizeof *made);
    for (size_t i = 0; i < count; i++)
        made[i] = first + (uint32_t)i;
    return made;
}

static void same(const uint32_t *one, const uint32_t *other, size_t count) {
    CHECK(memcmp(one, other, count * sizeof *one) == 0);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void rows(void) {
    CUarray first = array(1000, 0, 0, 0), second = array(1000, 0, 0, 0);
    uint32_t *from = numbers(1000, 7), *to = numbers(1000, 0);
    CUdeviceptr memory;
    CUstream stream;
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuMemAlloc_v2(&memory, 4000));
    MUST(cuMemcpyHtoA_v2(first, 0, from, 4000));
    MUST(cuMemcpyAtoA_v2(second, 400, first, 0, 3600));
    MUST(cuMemcpyAtoD_v2(memory, second, 400, 3600));
    MUST(cuMemcpyDtoA_v2(second, 0, memory, 3600));
    MUST(cuMemcpyAtoH_v2(to, second, 0, 4000));
    same(to, from, 900);
    same(to + 900, from + 800, 100);
    MUST(cuMemcpyHtoAAsync_v2(first, 40, from, 400, stream));
    MUST(cuMemcpyAtoHAsync_v2(to, first, 40, 400, stream));
    MUST(cuStreamSynchronize(stream));
    same(to, from, 100);
    MUST(cuMemcpyHtoA_v2(first, 0, from, 0));
    CHECK(cuMemcpyHtoA_v2(first, 8, from, 4000) == 1);
    CHECK(cuMemcpyAtoH_v2(to, first, 4001, 4) == 1);
    CHECK(cuMemcpyHtoAAsync_v2(first, 0, NULL, 4, stream) == 1);
    CHECK(cuMemcpyHtoAAsync_v2(first, 4000, from, 4, stream) == 1);
    CHECK(cuMemcpyHtoA_v2(first, 0, from, (size_t)1 << 40) == 1);
    CHECK(cuMemcpyAtoA_v2(second, 400, first, 0, 4000) == 1);
    CHECK(cuMemcpyAtoD_v2(memory, second, 4000, 4) == 1);
    CHECK(cuMemcpyDtoA_v2(second, 2, memory, 4000) == 1);
    MUST(cuArrayDestroy(first));
    CHECK(cuArrayDestroy(first) == 400);
    CHECK(cuMemcpyHtoA_v2(first, 0, from, 4) == 1);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static CUDA_MEMCPY3D whole(void) {
    return (CUDA_MEMCPY3D){.width = WIDTH * 4, .height = HEIGHT, .depth = DEPTH};
}

static void to_array(CUDA_MEMCPY3D *copy, CUarray target, const uint32_t *from) {
    copy->sourceType = HOST;
    copy->sourceHost = (uintptr_t)from;
    copy->sourcePitch = WIDTH * 4;
    copy->sourceHeight = HEIGHT;
    copy->destinationType = ARRAY;
    copy->destinationArray = target;
}

static void from_array(CUDA_MEMCPY3D *copy, CUarray source, uint32_t *to) {
    copy->sourceType = ARRAY;
    copy->sourceArray = source;
    copy->destinationType = HOST;
    copy->destinationHost = (uintptr_t)to;
    copy->destinationPitch = WIDTH * 4;
    copy->destinationHeight = HEIGHT;
}

static void read_back(CUarray source, uint32_t *to) {
    CUDA_MEMCPY3D copy = whole();
    from_array(&copy, source, to);
    MUST(cuMemcpy3D_v2(&copy));
}

/* A part of a box moves, and nothing else. */
static void boxes(void) {
    uint32_t *from = numbers(COUNT, 1), *to = numbers(COUNT, 0);
    for (int layered = 0; layered < 2; layered++) {
        CUarray box = array(WIDTH, HEIGHT, DEPTH, layered);
        CUDA_MEMCPY3D copy = whole(), part = {.width = 40, .height = 5, .depth = 2};
        to_array(&copy, box, from);
        MUST(cuMemcpy3D_v2(&copy));
        read_back(box, to);
        same(to, from, COUNT);
        to_array(&part, box, from);
        part.sourceX = 80;
        part.sourceY = 3;
        part.sourceZ = 1;
        part.destinationX = 8;
        part.destinationY = 30;
        part.destinationZ = 4;
        MUST(cuMemcpy3DAsync_v2(&part, NULL));
        read_back(box, to);
        for (int z = 0; z < DEPTH; z++)
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++) {
                    int moved = z >= 4 && y >= 30 && y < 35 && x >= 2 && x < 12;
                    int origin = moved ? ((z - 3) * HEIGHT + y - 27) * WIDTH + x + 18
                                       : (z * HEIGHT + y) * WIDTH + x;
                    CHECK(to[(z * HEIGHT + y) * WIDTH + x] == from[origin]);
                }
        MUST(cuArrayDestroy(box));
    }
}

/* Inside the device, and through rows of another pitch. */
static void sides(void) {
    uint32_t *from = numbers(COUNT, 3), *to = numbers(COUNT, 0);
    CUarray box = array(WIDTH, HEIGHT, DEPTH, 0), other = array(WIDTH, HEIGHT, DEPTH, 0);
    CUdeviceptr memory;
    CUDA_MEMCPY3D up = whole(), out = whole(), in = whole(), over = whole();
    MUST(cuMemAlloc_v2(&memory, 512 * HEIGHT * DEPTH));
    to_array(&up, box, from);
    MUST(cuMemcpy3D_v2(&up));
    out.sourceType = ARRAY;
    out.sourceArray = box;
    out.destinationType = DEVICE;
    out.destinationDevice = memory;
    out.destinationPitch = 512;
    out.destinationHeight = HEIGHT;
    MUST(cuMemcpy3D_v2(&out));
    in.sourceType = DEVICE;
    in.sourceDevice = memory;
    in.sourcePitch = 512;
    in.sourceHeight = HEIGHT;
    in.destinationType = ARRAY;
    in.destinationArray = other;
    MUST(cuMemcpy3D_v2(&in));
    read_back(other, to);
    same(to, from, COUNT);
    MUST(cuMemcpy3D_v2(&in));
    over.sourceType = over.destinationType = ARRAY;
    over.sourceArray = other;
    over.destinationArray = box;
    over.depth = DEPTH - 1;
    over.destinationZ = 1;
    MUST(cuMemcpy3D_v2(&over));
    read_back(box, to);
    same(to, from, WIDTH * HEIGHT);
    same(to + WIDTH * HEIGHT, from, COUNT - WIDTH * HEIGHT);
}

/* A copy too large for one call. */
static void large(void) {
    enum { WIDE = 3000, HIGH = 700 };
    uint32_t *from = numbers(WIDE * HIGH, 11), *to = numbers(WIDE * HIGH, 0);
    CUarray plane = array(WIDE, HIGH, 0, 0);
    CUDA_MEMCPY3D up = {.sourceType = HOST,
                        .sourceHost = (uintptr_t)from,
                        .sourcePitch = WIDE * 4,
                        .destinationType = ARRAY,
                        .destinationArray = plane,
                        .width = WIDE * 4,
                        .height = HIGH,
                        .depth = 1};
    CUDA_MEMCPY3D down = {.sourceType = ARRAY,
                          .sourceArray = plane,
                          .destinationType = HOST,
                          .destinationHost = (uintptr_t)to,
                          .destinationPitch = WIDE * 4,
                          .width = WIDE * 4,
                          .height = HIGH,
                          .depth = 1};
    MUST(cuMemcpy3D_v2(&up));
    MUST(cuMemcpy3D_v2(&down));
    same(to, from, WIDE * HIGH);
    CUDA_ARRAY3D_DESCRIPTOR shape = {.width = 120000, .height = 2, .format = FLOAT, .channels = 4};
    CUarray wide;
    MUST(cuArray3DCreate_v2(&wide, &shape));
    up = (CUDA_MEMCPY3D){.sourceType = HOST,
                         .sourceHost = (uintptr_t)from,
                         .sourcePitch = 1920000,
                         .destinationType = ARRAY,
                         .destinationArray = wide,
                         .width = 1920000,
                         .height = 2,
                         .depth = 1};
    down = (CUDA_MEMCPY3D){.sourceType = ARRAY,
                           .sourceArray = wide,
                           .destinationType = HOST,
                           .destinationHost = (uintptr_t)to,
                           .destinationPitch = 1920000,
                           .width = 1920000,
                           .height = 2,
                           .depth = 1};
    memset(to, 0, 1920000 * 2);
    MUST(cuMemcpy3D_v2(&up));
    MUST(cuMemcpy3D_v2(&down));
    same(to, from, 960000);
}

/* ---- what they are --------------------------------------------------------------------------- */

static void shapes(void) {
    CUDA_ARRAY3D_DESCRIPTOR shape;
    CUDA_ARRAY_DESCRIPTOR flat = {.width = 5, .height = 3, .format = BYTE, .channels = 2}, told;
    CUarray made, level;
    CUmipmappedArray levels;
    size_t before, after, total;
    MUST(cuMemGetInfo_v2(&before, &total));
    MUST(cuArrayCreate_v2(&made, &flat));
    MUST(cuArrayGetDescriptor_v2(&told, made));
    CHECK(told.width == 5 && told.height == 3 && told.format == BYTE && told.channels == 2);
    MUST(cuArray3DGetDescriptor_v2(&shape, made));
    CHECK(shape.width == 5 && shape.height == 3 && shape.depth == 0 && shape.flags == 0);
    MUST(cuArrayDestroy(made));
    shape = (CUDA_ARRAY3D_DESCRIPTOR){.width = 20, .height = 7, .format = FLOAT, .channels = 1};
    MUST(cuMipmappedArrayCreate(&levels, &shape, 100));
    for (unsigned i = 0; i < 5; i++) {
        MUST(cuMipmappedArrayGetLevel(&level, levels, i));
        MUST(cuArray3DGetDescriptor_v2(&shape, level));
        CHECK(shape.width == 20u >> i && shape.height == (i < 3 ? 7u >> i : 1));
    }
    CHECK(cuMipmappedArrayGetLevel(&level, levels, 5) == 1);
    MUST(cuMipmappedArrayDestroy(levels));
    CHECK(cuMipmappedArrayDestroy(levels) == 400);
    MUST(cuMemGetInfo_v2(&after, &total));
    CHECK(before == after);
}

static CUresult create(size_t width, size_t height, size_t depth, int format, int channels,
                       int flags) {
    CUDA_ARRAY3D_DESCRIPTOR shape = {.width = width,
                                     .height = height,
                                     .depth = depth,
                                     .format = format,
                                     .channels = channels,
                                     .flags = flags};
    CUarray made;
    CUresult result = cuArray3DCreate_v2(&made, &shape);
    if (result == 0)
        MUST(cuArrayDestroy(made));
    return result;
}

/* The answers of an H200, where it has been asked. */
static void wrong(void) {
    CUarray plane = array(WIDTH, HEIGHT, 0, 0);
    uint32_t *memory = numbers(WIDTH * (HEIGHT + 1), 0);
    CHECK(create(4, 4, 0, FLOAT, 1, 0) == 0);
    CHECK(create(4, 4, 0, FLOAT, 3, 0) == 1);
    CHECK(create(4, 4, 0, 0x55, 1, 0) == 1);
    CHECK(create(0, 4, 0, FLOAT, 1, 0) == 1);
    CHECK(create(1 << 20, 4, 0, FLOAT, 1, 0) == 1);
    CHECK(create(4, 4, 0, FLOAT, 1, 0x4000) == 1);
    CHECK(create(4, 0, 3, FLOAT, 1, 0) == 1);
    CHECK(create(4, 4, 0, FLOAT, 1, LAYERED) == 1);
    CHECK(create(16385, 4, 4, FLOAT, 1, 0) == 1);
    CHECK(create(4, 4, 2049, FLOAT, 1, LAYERED) == 1);
    CHECK(cuArray3DCreate_v2(NULL, NULL) == 1);
    CUDA_MEMCPY3D copy = {.sourceType = HOST,
                          .sourceHost = (uintptr_t)memory,
                          .sourcePitch = WIDTH * 4,
                          .destinationType = ARRAY,
                          .destinationArray = plane,
                          .width = WIDTH * 4,
                          .height = HEIGHT + 1,
                          .depth = 1};
    CHECK(cuMemcpy3D_v2(&copy) == 1);
    copy.height = HEIGHT;
    copy.destinationX = 4;
    CHECK(cuMemcpy3D_v2(&copy) == 1);
    copy.destinationX = 0;
    copy.destinationZ = 1;
    CHECK(cuMemcpy3D_v2(&copy) == 1);
    copy.destinationZ = 0;
    copy.sourceHost = 0;
    CHECK(cuMemcpy3D_v2(&copy) == 1);
    copy.sourceHost = (uintptr_t)memory;
    copy.destinationArray = (CUarray)(uintptr_t)0x1234567;
    CHECK(cuMemcpy3D_v2(&copy) == 400);
}

/* ---- textures and surfaces ------------------------------------------------------------------- */

/* CUDA_TEXTURE_DESC */
typedef struct sampling {
    int modes[3], filter;
    unsigned flags, anisotropy;
    int level_filter;
    float bias, least, most, border[4];
    int reserved[12];
} sampling;

static const char KERNELS[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                              ".visible .entry read(.param .u64 to, .param .u64 texture)\n"
                              "{\n.reg .b64 %rd<5>;\n.reg .b32 %r<8>;\n.reg .f32 %f<4>;\n"
                              "ld.param.u64 %rd1, [to];\nld.param.u64 %rd2, [texture];\n"
                              "mov.u32 %r1, %tid.x;\n"
                              "cvt.rn.f32.u32 %f1, %r1;\nadd.f32 %f1, %f1, 0f3F000000;\n"
                              "mov.f32 %f2, 0f3F000000;\n"
                              "tex.2d.v4.u32.f32 {%r2, %r3, %r4, %r5}, [%rd2, {%f1, %f2}];\n"
                              "mul.wide.u32 %rd3, %r1, 4;\nadd.u64 %rd3, %rd1, %rd3;\n"
                              "st.global.u32 [%rd3], %r2;\nret;\n}\n"
                              ".visible .entry write(.param .u64 surface, .param .u32 x)\n"
                              "{\n.reg .b64 %rd<5>;\n.reg .b32 %r<8>;\n"
                              "ld.param.u64 %rd1, [surface];\nld.param.u32 %r1, [x];\n"
                              "mov.u32 %r2, 0;\nmov.u32 %r3, 77;\n"
                              "sust.b.2d.b32.trap [%rd1, {%r1, %r2}], %r3;\nret;\n}\n";

static CUfunction kernel(const char *name) {
    CUmodule module;
    CUfunction function;
    MUST(cuModuleLoadData(&module, KERNELS));
    MUST(cuModuleGetFunction(&function, module, name));
    return function;
}

/* The descriptions of objects are told as they were given, with the program's own handles. */
static void objects(void) {
    CUarray plane = array(WIDTH, HEIGHT, 0, SURFACE);
    CUDA_RESOURCE_DESC resource = {.type = 0}, told;
    sampling how = {.modes = {1, 1, 1}, .filter = 1, .border = {4, 5, 6, 7}}, again;
    uint64_t texture, surface;
    memcpy(&resource.resource, &plane, sizeof plane);
    MUST(cuTexObjectCreate(&texture, &resource, &how, NULL));
    MUST(cuSurfObjectCreate(&surface, &resource));
    MUST(cuTexObjectGetResourceDesc(&told, texture));
    CHECK(told.type == 0 && memcmp(&told.resource, &plane, sizeof plane) == 0);
    memset(&told, 0, sizeof told);
    MUST(cuSurfObjectGetResourceDesc(&told, surface));
    CHECK(memcmp(&told.resource, &plane, sizeof plane) == 0);
    MUST(cuTexObjectGetTextureDesc(&again, texture));
    CHECK(memcmp(again.modes, how.modes, sizeof how.modes) == 0 && again.filter == how.filter);
    CHECK(again.flags == how.flags && again.anisotropy == how.anisotropy &&
          again.level_filter == how.level_filter);
    CHECK(again.bias == how.bias && again.least == how.least && again.most == how.most);
    MUST(cuTexObjectDestroy(texture));
    MUST(cuSurfObjectDestroy(surface));
    MUST(cuTexObjectDestroy(0));
    CHECK(cuTexObjectGetTextureDesc(&again, texture) == 1);
    how.modes[0] = 5;
    CHECK(cuTexObjectCreate(&texture, &resource, &how, NULL) == 1);
    how.modes[0] = 1;
    how.filter = 3;
    CHECK(cuTexObjectCreate(&texture, &resource, &how, NULL) == 1);
    how.filter = 0;
    how.flags = 0x400;
    CHECK(cuTexObjectCreate(&texture, &resource, &how, NULL) == 1);
}

/* A kernel sees what copies of its stream have brought into an array. */
static void ordered(void) {
    CUarray plane = array(WIDTH, HEIGHT, 0, 0);
    CUfunction read = kernel("read");
    CUDA_RESOURCE_DESC resource = {.type = 0};
    sampling how = {.modes = {1, 1, 1}};
    uint64_t texture;
    CUdeviceptr memory;
    CUstream stream;
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuMemAlloc_v2(&memory, WIDTH * 4));
    memcpy(&resource.resource, &plane, sizeof plane);
    MUST(cuTexObjectCreate(&texture, &resource, &how, NULL));
    for (uint32_t round = 0; round < 20; round++) {
        uint32_t *from = numbers(WIDTH, round * 1000), to[WIDTH];
        CUDA_MEMCPY3D copy = {.sourceType = HOST,
                              .sourceHost = (uintptr_t)from,
                              .destinationType = ARRAY,
                              .destinationArray = plane,
                              .width = WIDTH * 4,
                              .height = 1,
                              .depth = 1};
        void *parameters[] = {&memory, &texture};
        MUST(cuMemcpy3DAsync_v2(&copy, stream));
        MUST(cuLaunchKernel(read, 1, 1, 1, WIDTH, 1, 1, 0, stream, parameters, NULL));
        MUST(cuMemcpyDtoHAsync_v2(to, memory, sizeof to, stream));
        MUST(cuStreamSynchronize(stream));
        same(to, from, WIDTH);
        free(from);
    }
}

/* A copy between arrays is a node, and so is one from the program. */
static void captured(void) {
    CUarray first = array(WIDTH, 0, 0, 0), second = array(WIDTH, 0, 0, 0);
    uint32_t *from = numbers(WIDTH, 5), *to = numbers(WIDTH, 0);
    CUstream stream;
    CUgraph graph;
    CUgraphExec executable;
    CUDA_MEMCPY3D copy = {.sourceType = ARRAY,
                          .sourceArray = first,
                          .destinationType = ARRAY,
                          .destinationArray = second,
                          .width = WIDTH * 4,
                          .height = 1,
                          .depth = 1};
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuStreamBeginCapture_v2(stream, 0));
    MUST(cuMemcpy3DAsync_v2(&copy, stream));
    MUST(cuStreamEndCapture(stream, &graph));
    MUST(cuGraphInstantiateWithFlags(&executable, graph, 0));
    MUST(cuMemcpyHtoA_v2(first, 0, from, WIDTH * 4));
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    MUST(cuMemcpyAtoH_v2(to, second, 0, WIDTH * 4));
    same(to, from, WIDTH);
    MUST(cuStreamBeginCapture_v2(stream, 0));
    MUST(cuMemcpyHtoAAsync_v2(first, 0, from, WIDTH * 4, stream));
    MUST(cuStreamEndCapture(stream, &graph));
    MUST(cuGraphInstantiateWithFlags(&executable, graph, 0));
    from[1] = 77;
    MUST(cuGraphLaunch(executable, stream));
    MUST(cuStreamSynchronize(stream));
    MUST(cuMemcpyAtoH_v2(to, first, 0, WIDTH * 4));
    same(to, from, WIDTH);
}

static void trapped(void) {
    CUarray plane = array(WIDTH, HEIGHT, 0, SURFACE);
    CUfunction write = kernel("write");
    CUDA_RESOURCE_DESC resource = {.type = 0};
    uint64_t surface;
    uint32_t read[WIDTH];
    memcpy(&resource.resource, &plane, sizeof plane);
    MUST(cuSurfObjectCreate(&surface, &resource));
    for (unsigned x = (WIDTH - 1) * 4; x <= WIDTH * 4; x += 4) {
        void *parameters[] = {&surface, &x};
        MUST(cuLaunchKernel(write, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
        CHECK(cuCtxSynchronize() == (x < WIDTH * 4 ? 0 : 700));
        if (x < WIDTH * 4)
            MUST(cuMemcpyAtoH_v2(read, plane, 0, sizeof read));
        CHECK(read[WIDTH - 1] == 77);
    }
}

/* ---- what a launch uses ---------------------------------------------------------------------- */

/* Work of the stream waits until the program releases it. */
static CUdeviceptr hold(CUstream stream) {
    CUdeviceptr word;
    MUST(cuMemAlloc_v2(&word, 4));
    MUST(cuMemsetD32_v2(word, 0, 1));
    MUST(cuCtxSynchronize());
    MUST(cuStreamWaitValue32_v2(stream, word, 1, 0));
    return word;
}

static void release(CUdeviceptr word) {
    uint32_t one = 1;
    MUST(cuMemcpyHtoD_v2(word, &one, sizeof one));
}

/* The program ends objects while kernels that were launched with them have not begun. */
static void outlived(void) {
    CUarray plane = array(WIDTH, HEIGHT, 0, SURFACE);
    CUfunction read = kernel("read"), write = kernel("write");
    CUDA_RESOURCE_DESC resource = {.type = 0};
    sampling how = {.modes = {1, 1, 1}};
    uint32_t *from = numbers(WIDTH, 500), to[WIDTH];
    uint64_t texture, surface;
    unsigned x = 12;
    CUdeviceptr memory, word;
    CUstream stream;
    void *writes[] = {&surface, &x}, *reads[] = {&memory, &texture};
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuMemAlloc_v2(&memory, sizeof to));
    MUST(cuMemcpyHtoA_v2(plane, 0, from, sizeof to));
    memcpy(&resource.resource, &plane, sizeof plane);
    word = hold(stream);
    MUST(cuSurfObjectCreate(&surface, &resource));
    MUST(cuLaunchKernel(write, 1, 1, 1, 1, 1, 1, 0, stream, writes, NULL));
    MUST(cuSurfObjectDestroy(surface));
    for (int round = 0; round < 3; round++) {
        MUST(cuTexObjectCreate(&texture, &resource, &how, NULL));
        MUST(cuLaunchKernel(read, 1, 1, 1, WIDTH, 1, 1, 0, stream, reads, NULL));
        MUST(cuTexObjectDestroy(texture));
    }
    release(word);
    MUST(cuStreamSynchronize(stream));
    MUST(cuMemcpyDtoH_v2(to, memory, sizeof to));
    from[3] = 77;
    same(to, from, WIDTH);
}

/* ---- flags ----------------------------------------------------------------------------------- */

enum { AS_INTEGER = 1, NORMALIZED = 2, SRGB = 16, PLAIN_LEVELS = 32, SEAMLESS = 64 };
enum { TEXELS = 4 };

/* A format, and the value of 1 where integers come as fractions of it; 0: they never do. */
typedef struct texel_format {
    int format;
    size_t bytes;
    float whole;
    bool integral;
} texel_format;

static const texel_format formats[] = {
    {1, 1, 255, true}, {2, 2, 65535, true}, {3, 4, 0, true},     {8, 1, 127, true},
    {9, 2, 32767, true}, {10, 4, 0, true},  {FLOAT, 4, 0, false},
};

static const char SAMPLE[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                             ".visible .entry sample(.param .u64 to, .param .u64 texture,\n"
                             ".param .f32 x, .param .f32 y)\n"
                             "{\n.reg .b64 %rd<3>;\n.reg .b32 %r<5>;\n.reg .f32 %f<3>;\n"
                             "ld.param.u64 %rd1, [to];\nld.param.u64 %rd2, [texture];\n"
                             "ld.param.f32 %f1, [x];\nld.param.f32 %f2, [y];\n"
                             "tex.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%rd2, {%f1, %f2}];\n"
                             "st.global.u32 [%rd1], %r1;\nret;\n}\n";

/* Texel i has the value 10 * (i + 1). */
static CUarray row_of(const texel_format *one) {
    CUDA_ARRAY3D_DESCRIPTOR shape = {
        .width = TEXELS, .height = 1, .format = one->format, .channels = 1};
    uint8_t bytes[TEXELS * 4];
    CUarray made;
    MUST(cuArray3DCreate_v2(&made, &shape));
    for (int i = 0; i < TEXELS; i++) {
        uint32_t bits = 10 * (i + 1);
        float number = (float)bits;
        memcpy(bytes + i * one->bytes, one->integral ? (void *)&bits : (void *)&number,
               one->bytes);
    }
    MUST(cuMemcpyHtoA_v2(made, 0, bytes, TEXELS * one->bytes));
    return made;
}

static uint32_t sample(CUfunction kernel, uint64_t texture, CUdeviceptr to, float x, float y) {
    uint32_t bits;
    void *parameters[] = {&to, &texture, &x, &y};
    MUST(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    MUST(cuMemcpyDtoH_v2(&bits, to, sizeof bits));
    return bits;
}

/* A quarter of the way between the second and the third texel. Integers that come as they are
 * stored are never weighted: a linear filter needs values that are floating-point numbers. */
static void check_sample(const texel_format *one, unsigned flags, int filter, uint32_t bits) {
    float number, second = 20, third = 30;
    if (one->integral && ((flags & AS_INTEGER) != 0 || one->whole == 0)) {
        CHECK(bits == 20);
        return;
    }
    memcpy(&number, &bits, sizeof number);
    float expected = filter ? second * 0.75f + third * 0.25f : second;
    expected /= one->whole != 0 ? one->whole : 1;
    CHECK(number > expected * 0.9999f && number < expected * 1.0001f);
}

static void flags(void) {
    static const unsigned known[] = {AS_INTEGER, NORMALIZED, SRGB, PLAIN_LEVELS, SEAMLESS};
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr to;
    MUST(cuModuleLoadData(&module, SAMPLE));
    MUST(cuModuleGetFunction(&kernel, module, "sample"));
    MUST(cuMemAlloc_v2(&to, 4));
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        const texel_format *one = &formats[f];
        CUarray row = row_of(one);
        CUDA_RESOURCE_DESC resource = {.type = 0};
        memcpy(&resource.resource, &row, sizeof row);
        for (unsigned mask = 0; mask < 64; mask++) {
            sampling how = {.modes = {1, 1, 1}, .filter = (int)(mask & 1)};
            uint64_t texture;
            for (int i = 0; i < 5; i++)
                how.flags |= (mask >> 1 & 1u << i) != 0 ? known[i] : 0;
            CUresult result = cuTexObjectCreate(&texture, &resource, &how, NULL);
            CHECK(result == 0 || (result == 801 && (how.flags & SRGB) != 0));
            /* The values of sRGB are on another curve, where there are some. */
            if ((how.flags & SRGB) == 0) {
                float scale = (how.flags & NORMALIZED) != 0 ? 1.0f / TEXELS : 1;
                check_sample(one, how.flags, how.filter,
                             sample(kernel, texture, to, 1.75f * scale, 0.5f));
            }
            if (result == 0)
                MUST(cuTexObjectDestroy(texture));
        }
        MUST(cuArrayDestroy(row));
    }
}

static const test_case cases[] = {
    {"rows", rows},         {"boxes", boxes},     {"sides", sides},     {"large", large},
    {"shapes", shapes},     {"wrong", wrong},     {"objects", objects}, {"ordered", ordered},
    {"captured", captured}, {"outlived", outlived}, {"flags", flags},     {"trapped", trapped},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
