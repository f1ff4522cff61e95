/* SPDX-License-Identifier: Apache-2.0
 * Functions of before CUDA 3.2, and launches of before CUDA 4.0. usage: older CASE
 */
#include "case.h"

enum { HOST = 1, ARRAY = 3 };           /* CUmemorytype */
enum { UINT32 = 3 };                    /* CUarray_format */
enum { WIDTH = 6, HEIGHT = 4 };

static CUcontext context;

static void prepare(void) {
    MUST(cuInit(0));
    MUST(cuCtxCreate(&context, 0, 0));
}

static unsigned int narrow(size_t number) {
    return number > UINT32_MAX ? UINT32_MAX : (unsigned int)number;
}

static void contexts(void) {
    CUcontext now;
    int device;
    MUST(cuCtxGetCurrent(&now));
    CHECK(now == context);
    MUST(cuCtxGetDevice(&device));
    CHECK(device == 0);
    MUST(cuCtxDestroy_v2(context));
    MUST(cuCtxGetCurrent(&now));
    CHECK(now == NULL);
}

static void questions(void) {
    size_t free_bytes, total;
    unsigned int older_free, older_total;
    MUST(cuDeviceTotalMem_v2(&total, 0));
    MUST(cuDeviceTotalMem((int *)&older_total, 0));
    CHECK(older_total == narrow(total));
    MUST(cuMemGetInfo_v2(&free_bytes, &total));
    MUST(cuMemGetInfo((int *)&older_free, (int *)&older_total));
    CHECK(older_free == narrow(free_bytes) && older_total == narrow(total));
    CHECK(cuMemGetInfo(NULL, (int *)&older_total) == cuMemGetInfo_v2(NULL, &total));
}

/* An address that has no room is given back: nothing is lost. */
static void memory(void) {
    size_t before, after, total;
    int address = 7, pitch;
    void *locked = NULL;
    MUST(cuMemGetInfo_v2(&before, &total));
    CUresult result = cuMemAlloc(&address, 1 << 20);
    CHECK(result == 0 || (result == 801 && address == 7));
    if (result == 0)
        MUST(cuMemFree(address));
    result = cuMemAllocPitch(&address, &pitch, 100, 100, 4);
    CHECK(result == 0 || (result == 801 && address == 7));
    if (result == 0)
        MUST(cuMemFree(address));
    MUST(cuMemGetInfo_v2(&after, &total));
    CHECK(before == after);
    CHECK(cuMemAlloc(NULL, 16) == cuMemAlloc_v2(NULL, 16));
    MUST(cuMemFree(0));
    CHECK(cuMemcpyDtoD(0x1000, 0x2000, 16) != 0 || cuCtxSynchronize() != 0);
    MUST(cuMemAllocHost(&locked, 4096));
    memset(locked, 1, 4096);
    MUST(cuMemFreeHost(locked));
}

static void arrays(void) {
    CUDA_ARRAY_DESCRIPTOR_v1 shape = {.width = WIDTH,
                                      .height = HEIGHT,
                                      .format = UINT32,
                                      .channels = 1},
                             told;
    uint32_t from[HEIGHT][WIDTH], to[HEIGHT][WIDTH] = {{0}};
    CUarray plane;
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
        from[i / WIDTH][i % WIDTH] = i + 1;
    MUST(cuArrayCreate(&plane, &shape));
    MUST(cuArrayGetDescriptor(&told, plane));
    CHECK(memcmp(&told, &shape, sizeof told) == 0);
    MUST(cuMemcpy2D(&(CUDA_MEMCPY2D_v1){.sourceType = HOST,
                                        .sourceHost = (uintptr_t)from,
                                        .sourcePitch = sizeof *from,
                                        .destinationType = ARRAY,
                                        .destinationArray = plane,
                                        .width = sizeof *from,
                                        .height = HEIGHT}));
    MUST(cuMemcpy2D(&(CUDA_MEMCPY2D_v1){.sourceType = ARRAY,
                                        .sourceArray = plane,
                                        .sourceY = 1,
                                        .sourceX = 4,
                                        .destinationType = HOST,
                                        .destinationHost = (uintptr_t)to,
                                        .destinationPitch = sizeof *to,
                                        .width = 8,
                                        .height = 2}));
    CHECK(to[0][0] == from[1][1] && to[0][1] == from[1][2] && to[1][0] == from[2][1] &&
          to[0][2] == 0 && to[2][0] == 0);
    MUST(cuMemcpyAtoHAsync(to, plane, 0, sizeof *to, NULL));
    MUST(cuCtxSynchronize());
    CHECK(memcmp(to[0], from[0], sizeof *to) == 0);
    MUST(cuMemcpyHtoA(plane, 4, from, 8));
    MUST(cuMemcpyAtoH(to, plane, 0, sizeof *to));
    CHECK(to[0][0] == 1 && to[0][1] == 1 && to[0][2] == 2 && to[0][3] == 4);
    MUST(cuArrayDestroy(plane));
}

static void boxes(void) {
    CUDA_ARRAY3D_DESCRIPTOR_v1 shape = {.width = WIDTH,
                                        .height = HEIGHT,
                                        .depth = 2,
                                        .format = UINT32,
                                        .channels = 1},
                               told;
    uint32_t from[2][HEIGHT][WIDTH], to[2][HEIGHT][WIDTH] = {{{0}}};
    CUarray box;
    for (unsigned i = 0; i < 2 * WIDTH * HEIGHT; i++)
        from[i / (WIDTH * HEIGHT)][i / WIDTH % HEIGHT][i % WIDTH] = i * 3;
    MUST(cuArray3DCreate(&box, &shape));
    MUST(cuArray3DGetDescriptor(&told, box));
    CHECK(memcmp(&told, &shape, sizeof told) == 0);
    CUDA_MEMCPY3D_v1 copy = {.sourceType = HOST,
                             .sourceHost = (uintptr_t)from,
                             .sourcePitch = sizeof **from,
                             .sourceHeight = HEIGHT,
                             .destinationType = ARRAY,
                             .destinationArray = box,
                             .width = sizeof **from,
                             .height = HEIGHT,
                             .depth = 2};
    MUST(cuMemcpy3D(&copy));
    copy = (CUDA_MEMCPY3D_v1){.sourceType = ARRAY,
                              .sourceArray = box,
                              .destinationType = HOST,
                              .destinationHost = (uintptr_t)to,
                              .destinationPitch = sizeof **to,
                              .destinationHeight = HEIGHT,
                              .width = sizeof **to,
                              .height = HEIGHT,
                              .depth = 2};
    MUST(cuMemcpy3DAsync(&copy, NULL));
    MUST(cuCtxSynchronize());
    CHECK(memcmp(from, to, sizeof from) == 0);
    MUST(cuArrayDestroy(box));
}

/* ---- launches -------------------------------------------------------------------------------- */

static const char FILL[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .global .u32 mark;\n"
    ".visible .entry fill(.param .u64 to, .param .u32 add, .param .f32 real)\n{\n.reg .u32 %r<9>;\n"
    ".reg .b64 %d<4>;\n.reg .f32 %f<2>;\n"
    "ld.param.u64 %d1, [to];\nld.param.u32 %r1, [add];\nld.param.f32 %f1, [real];\n"
    "mov.u32 %r2, %ctaid.y;\nmov.u32 %r3, %nctaid.x;\nmov.u32 %r4, %ctaid.x;\n"
    "mad.lo.u32 %r2, %r2, %r3, %r4;\n"
    "mov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\nmad.lo.u32 %r2, %r2, %r3, %r4;\n"
    "cvt.rzi.u32.f32 %r5, %f1;\nadd.u32 %r1, %r1, %r5;\nadd.u32 %r1, %r1, %r2;\n"
    "mul.wide.u32 %d2, %r2, 4;\nadd.u64 %d1, %d1, %d2;\nst.global.u32 [%d1], %r1;\nret;\n}\n";

static void launches(void) {
    uint32_t got[12];
    CUmodule module;
    CUfunction fill;
    CUdeviceptr to;
    int mark = 7, bytes;
    MUST(cuModuleLoadData(&module, FILL));
    MUST(cuModuleGetFunction(&fill, module, "fill"));
    MUST(cuMemAlloc_v2(&to, sizeof got));
    MUST(cuMemsetD8_v2(to, 0, sizeof got));
    MUST(cuFuncSetBlockShape(fill, 2, 1, 1));
    MUST(cuFuncSetSharedSize(fill, 64));
    MUST(cuParamSetv(fill, 0, &to, sizeof to));
    MUST(cuParamSeti(fill, 8, 100));
    MUST(cuParamSetf(fill, 12, 50.5f));
    MUST(cuParamSetSize(fill, 16));
    MUST(cuLaunchGrid(fill, 2, 3));
    MUST(cuMemcpyDtoH_v2(got, to, sizeof got));
    for (unsigned i = 0; i < 12; i++)
        CHECK(got[i] == 150 + i);
    MUST(cuParamSeti(fill, 8, 0));
    MUST(cuLaunch(fill));
    MUST(cuMemcpyDtoH_v2(got, to, sizeof got));
    CHECK(got[0] == 50 && got[1] == 51 && got[2] == 152);
    CHECK(cuParamSetv(fill, 1 << 20, &to, sizeof to) == 1);
    CHECK(cuParamSetv(fill, -8, &to, sizeof to) == 1);
    CHECK(cuParamSetSize(fill, 1 << 20) == 1);
    CHECK(cuFuncSetBlockShape(fill, 0, 1, 1) == 1);
    CHECK(cuLaunchGrid(fill, 0, 1) == 1);
    CHECK(cuLaunch((CUfunction)(uintptr_t)0x1234567) == 400);
    CUresult result = cuModuleGetGlobal(&mark, &bytes, module, "mark");
    CHECK(result == 0 ? bytes == 4 : result == 801 && mark == 7);
    CHECK(cuModuleGetGlobal(&mark, &bytes, module, "none") == 500);
    MUST(cuModuleUnload(module));
}

static const test_case cases[] = {
    {"contexts", contexts}, {"questions", questions}, {"memory", memory},
    {"arrays", arrays},     {"boxes", boxes},         {"launches", launches},
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
