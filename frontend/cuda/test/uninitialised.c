/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the answers of libcuda.so.1 before cuInit and without any backend. Linked against the
 * library, as a program is.
 */
#include "cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) ((condition) ? (void)0 : fail(__LINE__, #condition))

static void fail(int line, const char *what) {
    fprintf(stderr, "uninitialised.c:%d: %s\n", line, what);
    exit(1);
}

static void *asked(const char *name, int version, uint64_t flags, int expected_status) {
    void *function = &function;
    int status = -1;
    CHECK(cuGetProcAddress_v2(name, &function, version, flags, &status) == 0);
    CHECK(status == expected_status);
    return function;
}

static void *exported(const char *symbol) { return dlsym(RTLD_DEFAULT, symbol); }

static void the_newest_variant_of_a_version_is_given(void) {
    static const struct {
        const char *name;
        int version;
        uint64_t flags;
        const char *symbol;
    } cases[] = {
        {"cuGetProcAddress", 11030, 0, "cuGetProcAddress"},
        {"cuGetProcAddress", 11990, 0, "cuGetProcAddress"},
        {"cuGetProcAddress", 12000, 0, "cuGetProcAddress_v2"},
        {"cuCtxGetDevice", 12090, 0, "cuCtxGetDevice"},
        {"cuCtxGetDevice", 13000, 0, "cuCtxGetDevice_v2"},
        {"cuMemcpy2DAsync", 7000, 2, "cuMemcpy2DAsync_v2_ptsz"},
        {"cuMemcpy2DAsync", 7000, 0, "cuMemcpy2DAsync_v2"},
        {"cuMemcpy2DAsync", 7000, 1, "cuMemcpy2DAsync_v2"},
        {"cuMemcpy2DAsync", 6050, 2, "cuMemcpy2DAsync_v2"},
        {"cuMemAlloc", 3010, 0, "cuMemAlloc"},
        {"cuMemAlloc", 3020, 2, "cuMemAlloc_v2"},
        {"cuCtxCreate", 12050, 0, "cuCtxCreate_v4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        void *expected = exported(cases[i].symbol);
        CHECK(expected != NULL);
        CHECK(asked(cases[i].name, cases[i].version, cases[i].flags, 0) == expected);
    }
}

static void what_is_not_there_is_told(void) {
    void *function = &function;
    int status = 7;
    CHECK(asked("", 0, 0, 1) == NULL);
    CHECK(asked("cuNope", 12000, 0, 1) == NULL);
    CHECK(asked("cuMemAlloc_v2", 12000, 0, 1) == NULL);
    CHECK(asked("cuGetProcAddress", 11020, 0, 2) == NULL);
    CHECK(cuGetProcAddress_v2("cuInit", &function, 99000, 0, &status) == 1 && status == 7 &&
          function == &function);
    CHECK(cuGetProcAddress_v2("cuInit", &function, 12000, 0, NULL) == 0 &&
          function == exported("cuInit"));
    CHECK(cuGetProcAddress_v2(NULL, &function, 12000, 0, NULL) == 1);
    CHECK(cuGetProcAddress_v2("cuInit", NULL, 12000, 0, NULL) == 1);
    CHECK(cuGetProcAddress("cuNope", &function, 11030, 0) == 500 && function == NULL);
}

static const void *table(const char *id) {
    uint8_t bytes[16];
    const void *found = &found;
    for (int i = 0; i < 16; i++)
        sscanf(id + 2 * i, "%2hhx", &bytes[i]);
    CUresult result = cuGetExportTable(&found, bytes);
    CHECK((result == 0 && found != NULL) || (result == 1 && found == NULL));
    return found;
}

static void tables_are_found_by_identifier(void) {
    static const struct { const char *id; size_t slots; } cases[] = {
        {"6bd5fb6c5bf4e74a8987d93912fd9df9", 13}, {"a094798c2e742e7493f20800200c0a66", 7},
        {"42d85a8123f6cb478298f6e78a3aecdc", 3},  {"263e88607cd2614392f6bbd5006dfa7e", 15},
        {"d4082055bde6704b8d34ba123c66e1f2", 3},  {"21318c60971432488ca641ff7324c8f2", 95},
        {"6e163fbeb958444d835ce182aff1991e", 57},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        void *const *slots = table(cases[i].id);
        CHECK(slots != NULL && (uintptr_t)slots[0] == cases[i].slots * sizeof(void *));
        for (size_t slot = 1; slot < cases[i].slots; slot++)
            CHECK(slots[slot] != NULL);
    }
    CHECK(table("c693336e1121df11a8c368f355d89593") != NULL);
    CHECK(table("f8cff95121468b4eb9e2fb469e7c0dd9") == NULL);
    CHECK(table("00000000000000000000000000000000") == NULL);
}

static void errors_have_names(void) {
    const char *text = NULL;
    CHECK(cuGetErrorName(0, &text) == 0 && strcmp(text, "CUDA_SUCCESS") == 0);
    CHECK(cuGetErrorName(719, &text) == 0 && strcmp(text, "CUDA_ERROR_LAUNCH_FAILED") == 0);
    CHECK(cuGetErrorName(999, &text) == 0 && strcmp(text, "CUDA_ERROR_UNKNOWN") == 0);
    CHECK(cuGetErrorString(2, &text) == 0 && strcmp(text, "out of memory") == 0);
    CHECK(cuGetErrorString(12345, &text) == 1 && text == NULL);
}

static void the_rest_waits_for_initialisation(void) {
    int number;
    uint64_t bytes;
    CUcontext context;
    CUdeviceptr address;
    void *memory;
    CHECK(cuInit(1) == 1);
    CHECK(cuDeviceGetCount(&number) == 3);
    CHECK(cuDeviceGet(&number, 0) == 3);
    CHECK(cuDeviceTotalMem_v2(&bytes, 0) == 3);
    CHECK(cuCtxGetCurrent(&context) == 3);
    CHECK(cuDevicePrimaryCtxRetain(&context, 0) == 3);
    CHECK(cuMemAlloc_v2(&address, 16) == 3);
    CHECK(cuMemHostAlloc(&memory, 16, 0) == 3);
    CHECK(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) == 3);
}

int main(void) {
    the_newest_variant_of_a_version_is_given();
    what_is_not_there_is_told();
    tables_are_found_by_identifier();
    errors_have_names();
    the_rest_waits_for_initialisation();
    return 0;
}
