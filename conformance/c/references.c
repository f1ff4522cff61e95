/* SPDX-License-Identifier: Apache-2.0
 * Texture and surface references of a driver that has them. usage: references CASE
 */
#include "case.h"

enum { UINT32 = 3 };                    /* CUarray_format */

static CUmodule module;

static void prepare(void) {
    CUcontext context;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
    MUST(cuModuleLoadData(&module, ".version 6.3\n.target sm_75\n.address_size 64\n"
                                   ".visible .entry add()\n{\nret;\n}\n"));
}

static void settings(void) {
    CUtexref image, same, other;
    int format, channels, mode, most, flags;
    float bias, low, high, color[4] = {0.25f, 0.5f, 0.75f, 1.5f}, told[4];
    MUST(cuModuleGetTexRef(&image, module, "image"));
    MUST(cuModuleGetTexRef(&same, module, "image"));
    MUST(cuModuleGetTexRef(&other, module, "other"));
    CHECK(image == same && image != other);
    CHECK(cuModuleGetTexRef(&same, module, "none") == 500);
    MUST(cuTexRefSetFormat(image, UINT32, 2));
    MUST(cuTexRefSetAddressMode(image, 1, 3));
    MUST(cuTexRefSetFilterMode(image, 1));
    MUST(cuTexRefSetMaxAnisotropy(image, 9));
    MUST(cuTexRefSetFlags(image, 2));
    MUST(cuTexRefSetMipmapLevelBias(image, -0.5f));
    MUST(cuTexRefSetMipmapLevelClamp(image, 1.25f, 7.5f));
    MUST(cuTexRefSetBorderColor(image, color));
    MUST(cuTexRefSetFlags(other, 1));
    MUST(cuTexRefGetFormat(&format, &channels, image));
    MUST(cuTexRefGetAddressMode(&mode, image, 1));
    CHECK(format == UINT32 && channels == 2 && mode == 3);
    MUST(cuTexRefGetFilterMode(&mode, image));
    MUST(cuTexRefGetMaxAnisotropy(&most, image));
    MUST(cuTexRefGetFlags(&flags, image));
    CHECK(mode == 1 && most == 9 && flags == 2);
    MUST(cuTexRefGetMipmapLevelBias(&bias, image));
    MUST(cuTexRefGetMipmapLevelClamp(&low, &high, image));
    MUST(cuTexRefGetBorderColor(told, image));
    CHECK(bias == -0.5f && low == 1.25f && high == 7.5f && memcmp(color, told, sizeof told) == 0);
}

static void places(void) {
    CUDA_ARRAY_DESCRIPTOR shape = {.width = 64, .height = 8, .format = UINT32, .channels = 1};
    CUtexref image;
    CUsurfref surface;
    CUarray array, told = NULL;
    CUdeviceptr memory, where = 0;
    size_t offset = 7;
    int narrow, narrow_offset;
    MUST(cuModuleGetTexRef(&image, module, "image"));
    MUST(cuMemAlloc_v2(&memory, 4096));
    MUST(cuTexRefSetAddress_v2(&offset, image, memory + 512, 2048));
    MUST(cuTexRefGetAddress_v2(&where, image));
    CHECK(where == memory + 512 && offset == 0);
    /* those of 32 bits are for contexts of that form */
    CHECK(cuTexRefGetAddress(&narrow, image) == 201);
    CHECK(cuTexRefSetAddress(&narrow_offset, image, 0x1000, 16) == 201);
    MUST(cuTexRefSetAddress2D_v3(image, &shape, memory, 256));
    MUST(cuTexRefGetAddress_v2(&where, image));
    CHECK(where == memory);
    MUST(cuTexRefSetAddress2D_v2(image, &shape, memory + 256, 256));
    MUST(cuTexRefGetAddress_v2(&where, image));
    CHECK(where == memory + 256);
    MUST(cuArrayCreate_v2(&array, &shape));
    MUST(cuTexRefSetArray(image, array, 1));
    MUST(cuTexRefGetArray(&told, image));
    CHECK(told == array);
    MUST(cuModuleGetSurfRef(&surface, module, "image"));
    MUST(cuSurfRefSetArray(surface, array, 0));
    MUST(cuSurfRefGetArray(&told, surface));
    CHECK(told == array);
    MUST(cuArrayDestroy(array));
}

static void ends(void) {
    CUtexref made, image;
    CUfunction add;
    MUST(cuTexRefCreate(&made));
    MUST(cuTexRefSetFlags(made, 1));
    MUST(cuTexRefDestroy(made));
    CHECK(cuTexRefSetFlags(made, 1) == 1);
    CHECK(cuTexRefDestroy(made) == 1);
    CHECK(cuTexRefSetFlags((CUtexref)(uintptr_t)0x1234567, 1) == 201);
    MUST(cuModuleGetTexRef(&image, module, "image"));
    MUST(cuModuleGetFunction(&add, module, "add"));
    MUST(cuParamSetTexRef(add, -1, image));
    CHECK(cuParamSetTexRef(add, 0, image) == 1);
    MUST(cuModuleUnload(module));
    CHECK(cuTexRefSetFlags(image, 1) == 1);
}

static const test_case cases[] = {{"settings", settings}, {"places", places}, {"ends", ends}};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
