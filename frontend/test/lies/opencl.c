/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of OpenCL, whose sizes are its own, and otherwise what it is told.
 */
#include "object/object.h"
#include "lies.h"

#include <stdlib.h>

const ob_library *const probed = &ob_opencl;

/* Objects that are there, once each. */
uint64_t handle_for(uint32_t kind) {
    static void *objects[64];
    if (objects[kind % 64] == NULL)
        objects[kind % 64] = opencl_object(kind, ob_handle_mint(kind), NULL);
    return chance(10) ? 0 : (uint64_t)(uintptr_t)objects[kind % 64];
}

bool honest(const char *name, uint8_t *fixed) {
    (void)name, (void)fixed;
    return false;
}

/* ---- what it has ----------------------------------------------------------------------------- */

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_mem buffer;

static void begin(void) {
    int count = 0;
    clGetPlatformIDs(1, &platform, &count);
    clGetDeviceIDs(platform, UINT32_MAX, 1, &device, &count);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    buffer = clCreateBuffer(context, 1, 4 << 20, NULL, NULL);
}

/* ---- what it does ---------------------------------------------------------------------------- */

/* As a program asks for what may be of any size: how large it is, and then for it. */
#define ASK(call, ...)                                                                             \
    do {                                                                                           \
        size_t bytes = chance(50) ? any(40) : 0, used = 0;                                         \
        int name = (int)any(130) + 0x1000;                                                         \
        (void)name;                                                                                \
        if (bytes == 0 && call(__VA_ARGS__, 0, NULL, &bytes) != CL_SUCCESS)                        \
            break;                                                                                 \
        if (bytes > 1 << 20)                                                                       \
            break;                                                                                 \
        uint8_t *value = malloc(bytes);                                                            \
        if (call(__VA_ARGS__, bytes, value, &used) == CL_SUCCESS) {                                \
            uint8_t *copy = malloc(used);                                                          \
            memcpy(copy, value, used);                                                             \
            free(copy);                                                                            \
        }                                                                                          \
        free(value);                                                                               \
    } while (0)

static void ask(void) {
    switch (any(8)) {
    case 0: ASK(clGetPlatformInfo, platform, 0x900 + (int)any(8)); break;
    case 1: ASK(clGetDeviceInfo, device, name); break;
    case 2: ASK(clGetContextInfo, context, 0x1080 + (int)any(6)); break;
    case 3: ASK(clGetCommandQueueInfo, queue, 0x1090 + (int)any(6)); break;
    case 4: ASK(clGetMemObjectInfo, buffer, 0x1100 + (int)any(12)); break;
    case 5: ASK(clGetProgramInfo, program, 0x1160 + (int)any(6)); break;
    case 6: ASK(clGetKernelInfo, kernel, 0x1190 + (int)any(6)); break;
    default: ASK(clGetKernelWorkGroupInfo, kernel, device, 0x11B0 + (int)any(6)); break;
    }
}

static void look_around(void) {
    cl_platform_id platforms[3];
    cl_device_id *devices = malloc(4 * sizeof *devices);
    int count = 0;
    clGetPlatformIDs(3, platforms, &count);
    clGetDeviceIDs(platform, UINT32_MAX, 4, devices, &count);
    clReleaseContext(clCreateContextFromType(NULL, UINT32_MAX, NULL, NULL, NULL));
    free(devices);
}

static void build(void) {
    const char *text = "kernel void one() {}";
    if (program == NULL)
        program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    clBuildProgram(program, 1, &device, "", NULL, NULL);
    ASK(clGetProgramBuildInfo, program, device, 0x1181 + (int)any(5));
    kernel = clCreateKernel(program, "one", NULL);
}

/* The program makes room for each binary as it is told, and has no more. */
static void take_binaries(void) {
    enum { MOST = 8 };
    size_t lengths[MOST], used = 0;
    unsigned char *binaries[MOST] = {NULL};
    if (clGetProgramInfo(program, 0x1165, sizeof lengths, lengths, &used) != CL_SUCCESS)
        return;
    for (size_t i = 0; i < used / sizeof lengths[0]; i++)
        binaries[i] = lengths[i] < 1 << 20 ? malloc(lengths[i]) : NULL;
    if (clGetProgramInfo(program, 0x1166, used / sizeof lengths[0] * sizeof binaries[0], binaries,
                         NULL) == CL_SUCCESS)
        clCreateProgramWithBinary(context, 1, &device, lengths,
                                  (const unsigned char **)binaries, NULL, NULL);
    for (int i = 0; i < MOST; i++)
        free(binaries[i]);
}

static void run(void) {
    size_t global = 4;
    cl_event event = NULL;
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event);
    if (event != NULL) {
        clWaitForEvents(1, &event);
        ASK(clGetEventProfilingInfo, event, 0x1280 + (int)any(5));
        ASK(clGetEventInfo, event, 0x11D0 + (int)any(5));
        clReleaseEvent(event);
    }
    clFinish(queue);
}

static void transfer(void) {
    size_t bytes = chance(10) ? any(300000) : any(300);
    void *here = calloc(1, bytes);
    clEnqueueWriteBuffer(queue, buffer, 1, 0, bytes, here, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, buffer, 1, 0, bytes, here, 0, NULL, NULL);
    free(here);
    void *mapped = clEnqueueMapBuffer(queue, buffer, 1, 1, 0, 4096, 0, NULL, NULL, NULL);
    if (mapped != NULL)
        clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
}

static void use_images(void) {
    cl_image_format format = {0x10B5, 0x10D2};
    cl_image_desc shape = {.type = 0x10F1, .width = 8, .height = 4};
    size_t origin[3] = {0}, region[3] = {8, 4, 1}, row = 0, slice = 0;
    cl_mem image = clCreateImage(context, 1, &format, &shape, NULL, NULL);
    if (image == NULL)
        return;
    void *mapped = clEnqueueMapImage(queue, image, 1, 1, origin, region, &row, &slice, 0, NULL,
                                     NULL, NULL);
    if (mapped != NULL)
        clEnqueueUnmapMemObject(queue, image, mapped, 0, NULL, NULL);
    void *pixels = calloc(4, 32);
    clEnqueueReadImage(queue, image, 1, origin, region, 0, 0, pixels, 0, NULL, NULL);
    free(pixels);
    clReleaseMemObject(image);
}

static void use_shared_virtual_memory(void) {
    void *one = clSVMAlloc(context, 1, 5000, 0), *other = clSVMAlloc(context, 1, 5000, 0);
    if (one != NULL && other != NULL) {
        CHECK(one != other);
        memset(one, 1, 5000);
        clEnqueueSVMMemcpy(queue, 1, other, one, 5000, 0, NULL, NULL);
    }
    clSVMFree(context, one);
    clSVMFree(context, other);
}

/* ---- lies that have been found --------------------------------------------------------------- */

static uint64_t of_backend(uint64_t kind) { return 1ULL << 40 | kind << 34 | 1; }

static void begin_with_lies(void) {
    begin_lies();
    tell_next("clGetPlatformIDs", (const uint64_t[4]){1, of_backend(OB_OPENCL_PLATFORM)});
    tell_next("clGetDeviceIDs", (const uint64_t[4]){1, of_backend(OB_OPENCL_DEVICE)});
    begin();
    CHECK(platform != NULL && device != NULL && context != NULL && queue != NULL);
}

/* It was read from where it had not been put, and given to the program. */
static void an_answer_that_is_longer_than_its_room(void) {
    uint8_t value[64];
    begin_with_lies();
    tell_next("clGetDeviceInfo", (const uint64_t[4]){1 << 20});
    CHECK(clGetDeviceInfo(device, 0x1001, sizeof value, value, NULL) == ob_opencl.unavailable);
}

/* The program makes room for what it is told first. */
static void binaries_that_grow_between_two_questions(void) {
    size_t length = 0;
    begin_with_lies();
    build();
    tell_next("clGetProgramInfo", (const uint64_t[4]){8, 16});
    tell_next("clGetProgramInfo", (const uint64_t[4]){8, 100000});
    CHECK(clGetProgramInfo(program, 0x1165, sizeof length, &length, NULL) == CL_SUCCESS &&
          length == 16);
    unsigned char *binary = malloc(length);
    CHECK(clGetProgramInfo(program, 0x1166, sizeof binary, &binary, NULL) == CL_SUCCESS);
    free(binary);
}

/* How many there are may change, too. */
static void binaries_that_become_more_between_two_questions(void) {
    size_t length = 0;
    begin_with_lies();
    build();
    tell_next("clGetProgramInfo", (const uint64_t[4]){8, 16});
    tell_next("clGetProgramInfo", (const uint64_t[4]){24, 1, 1});
    CHECK(clGetProgramInfo(program, 0x1165, sizeof length, &length, NULL) == CL_SUCCESS);
    unsigned char *binary = malloc(length);
    CHECK(clGetProgramInfo(program, 0x1166, sizeof binary, &binary, NULL) == CL_SUCCESS);
    free(binary);
}

/* The sum of the lengths of the binaries. */
static void binaries_whose_lengths_wrap(void) {
    unsigned char *binaries[2] = {malloc(8), malloc(8)};
    begin_with_lies();
    build();
    tell_next("clGetProgramInfo", (const uint64_t[4]){16, UINT64_MAX - 7, 16});
    CHECK(clGetProgramInfo(program, 0x1166, sizeof binaries, binaries, NULL) ==
          CL_OUT_OF_HOST_MEMORY);
    free(binaries[0]);
    free(binaries[1]);
}

/* A read writes as many bytes as the program thinks that the pixels have. */
static void pixels_that_are_larger(void) {
    cl_image_format format = {0x10B5, 0x10D2};
    cl_image_desc shape = {.type = 0x10F1, .width = 8, .height = 4};
    size_t origin[3] = {0}, region[3] = {8, 4, 1};
    begin_with_lies();
    cl_mem image = clCreateImage(context, 1, &format, &shape, NULL, NULL);
    CHECK(image != NULL);
    tell_next("clGetImageInfo", (const uint64_t[4]){8, 1 << 16});
    void *pixels = malloc(4 * 8 * 4);
    CHECK(clEnqueueReadImage(queue, image, 1, origin, region, 0, 0, pixels, 0, NULL, NULL) ==
          CL_SUCCESS);
    free(pixels);
}

/* Where the program's memory is that a buffer uses is not the backend's to say. */
static void a_place_of_the_program(void) {
    uint64_t target = 7;
    void *asked = &asked;
    begin_with_lies();
    tell_next("clGetMemObjectInfo", (const uint64_t[4]){8, (uint64_t)(uintptr_t)&target});
    CHECK(clGetMemObjectInfo(buffer, CL_MEM_HOST_PTR, sizeof asked, &asked, NULL) == CL_SUCCESS &&
          asked == NULL);
    CHECK(clEnqueueMapBuffer(queue, buffer, 1, 1, 0, 8, 0, NULL, NULL, NULL) != &target &&
          target == 7);
}

/* A buffer that is the device, say. */
static void an_object_of_another_kind(void) {
    begin_with_lies();
    uint64_t handle = opencl_handle(device, UINT64_MAX);
    tell_next("clGetPlatformIDs", (const uint64_t[4]){1, handle});
    cl_platform_id other = NULL;
    clGetPlatformIDs(1, &other, NULL);
    CHECK(other == NULL);
}

/* ---- answers that are longer than a frame ---------------------------------------------------- */

static void binaries_of_three_megabytes(void) {
    enum { BYTES = 3 << 20 };
    size_t length = 0;
    begin_with_lies();
    build();
    tell_next("clGetProgramInfo", (const uint64_t[4]){8, BYTES});
    tell_next("outboardProgramBinaries", (const uint64_t[4]){1, 2, 3, 4});
    CHECK(clGetProgramInfo(program, 0x1165, sizeof length, &length, NULL) == CL_SUCCESS &&
          length == BYTES);
    unsigned char *binary = malloc(length);
    CHECK(clGetProgramInfo(program, 0x1166, sizeof binary, &binary, NULL) == CL_SUCCESS);
    CHECK(binary[0] == 1 && binary[8] == 2 && binary[24] == 4 && binary[BYTES - 1] == 0);
    free(binary);
}

static void a_build_log_of_two_megabytes(void) {
    enum { BYTES = 2 << 20 };
    size_t used = 0;
    begin_with_lies();
    build();
    char *log = malloc(BYTES);
    tell_next("clGetProgramBuildInfo", (const uint64_t[4]){BYTES, 'x'});
    CHECK(clGetProgramBuildInfo(program, device, 0x1183, BYTES, log, &used) == CL_SUCCESS);
    CHECK(used == BYTES && strcmp(log, "x") == 0);
    free(log);
}

/* What stays known is asked for with its own size. */
static void a_source_of_two_megabytes(void) {
    enum { BYTES = 2 << 20 };
    size_t used = 0;
    begin_with_lies();
    build();
    char *source = malloc(BYTES);
    tell_failure("clGetProgramInfo", CL_INVALID_VALUE);
    tell_next("clGetProgramInfo", (const uint64_t[4]){BYTES});
    tell_next("clGetProgramInfo", (const uint64_t[4]){BYTES, 'y'});
    CHECK(clGetProgramInfo(program, 0x1164, BYTES, source, &used) == CL_SUCCESS);
    CHECK(used == BYTES && strcmp(source, "y") == 0);
    free(source);
}

const test_case found[] = {
    {"binaries of three megabytes", binaries_of_three_megabytes},
    {"a build log of two megabytes", a_build_log_of_two_megabytes},
    {"a source of two megabytes", a_source_of_two_megabytes},
    {"an answer that is longer than its room", an_answer_that_is_longer_than_its_room},
    {"binaries that grow between two questions", binaries_that_grow_between_two_questions},
    {"binaries that become more between two questions",
     binaries_that_become_more_between_two_questions},
    {"binaries whose lengths wrap", binaries_whose_lengths_wrap},
    {"pixels that are larger", pixels_that_are_larger},
    {"a place of the program", a_place_of_the_program},
    {"an object of another kind", an_object_of_another_kind},
    {0}};

void flow(void) {
    static void (*const parts[])(void) = {ask,       ask, look_around, build,      take_binaries,
                                          run,       transfer,         use_images,
                                          use_shared_virtual_memory};
    if (platform == NULL)
        begin();
    parts[any(sizeof parts / sizeof parts[0])]();
}
