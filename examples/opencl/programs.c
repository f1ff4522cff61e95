/* SPDX-License-Identifier: Apache-2.0
 * Makes programs of source, of binaries and of parts, and kernels of them. */
#include "device.h"

static size_t differ(const char *what, int found, int expected) {
    if (found == expected)
        return 0;
    fprintf(stderr, "%s: %d and not %d\n", what, found, expected);
    return 1;
}

static int result_of(const device *gpu, cl_kernel kernel) {
    int result = 0;
    cl_mem out = buffer(gpu, sizeof result);
    CHECK(clSetKernelArg(kernel, 0, sizeof out, &out));
    CHECK(clEnqueueTask(gpu->queue, kernel, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(gpu->queue, out, 1, 0, sizeof result, &result, 0, NULL, NULL));
    CHECK(clReleaseMemObject(out));
    return result;
}

static int run(const device *gpu, cl_program program, const char *name) {
    cl_kernel kernel;
    MAKE(kernel, clCreateKernel(program, name, MADE));
    int result = result_of(gpu, kernel);
    CHECK(clReleaseKernel(kernel));
    return result;
}

static size_t sources(const device *gpu) {
    const char *texts[] = {"#define VALUE 40 /* ", "*/ no more",
                           "\n"
                           "kernel void f(global int *o) { *o = VALUE + MORE; }"};
    const size_t lengths[] = {0, 2, 0};
    cl_program program;
    uint64_t kernels = 0;
    char name[16];
    MAKE(program, clCreateProgramWithSource(gpu->context, 3, texts, lengths, MADE));
    CHECK(clBuildProgram(program, 0, NULL, "-DMORE=2", NULL, NULL));
    size_t wrong = differ("of three texts", run(gpu, program, "f"), 42);
    CHECK(clGetProgramInfo(program, 0x1167, sizeof kernels, &kernels, NULL));
    CHECK(clGetProgramInfo(program, 0x1168, sizeof name, name, NULL));
    CHECK(clReleaseProgram(program));
    return wrong + differ("kernels", (int)kernels, 1) + differ("name", strcmp(name, "f"), 0);
}

static size_t log_of_errors(const device *gpu) {
    const char *text = "kernel void f(global int *o) { *o = nowhere; }";
    char log[4096] = "";
    cl_program program;
    MAKE(program, clCreateProgramWithSource(gpu->context, 1, &text, NULL, MADE));
    EXPECT(-11, clBuildProgram(program, 1, &gpu->id, NULL, NULL, NULL));
    CHECK(clGetProgramBuildInfo(program, gpu->id, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(clReleaseProgram(program));
    return strstr(log, "nowhere") == NULL;
}

static size_t binaries(const device *gpu) {
    const char *text =
        "kernel void f(global int *o) { *o = 17; } kernel void g(global int *o) { *o = 18; }";
    cl_program program = build(gpu, text, NULL), again;
    cl_kernel kernels[2];
    unsigned char *binary;
    size_t bytes;
    int status, count;
    CHECK(clGetProgramInfo(program, 0x1165, sizeof bytes, &bytes, NULL));
    binary = malloc(bytes);
    CHECK(clGetProgramInfo(program, 0x1166, sizeof binary, &binary, NULL));
    MAKE(again, clCreateProgramWithBinary(gpu->context, 1, &gpu->id, &bytes,
                                          (const unsigned char **)&binary, &status, MADE));
    CHECK(status);
    CHECK(clBuildProgram(again, 1, &gpu->id, NULL, NULL, NULL));
    CHECK(clCreateKernelsInProgram(again, 2, kernels, &count));
    size_t wrong = differ("kernels of a binary", count, 2);
    wrong +=
        differ("sum of a binary's", result_of(gpu, kernels[0]) + result_of(gpu, kernels[1]), 35);
    memset(binary, 'x', bytes);
    EXPECT_NONE(-42, clCreateProgramWithBinary(gpu->context, 1, &gpu->id, &bytes,
                                               (const unsigned char **)&binary, &status, MADE));
    free(binary);
    CHECK(clReleaseKernel(kernels[0]));
    CHECK(clReleaseKernel(kernels[1]));
    CHECK(clReleaseProgram(again));
    CHECK(clReleaseProgram(program));
    return wrong;
}

static int builds;
static void built(cl_program program, void *data) {
    (void)program;
    builds += *(int *)data;
}

static size_t parts(const device *gpu) {
    const char *header = "#define HALF 21\n";
    const char *texts[] = {
        "#include \"half.h\"\nint half_of(void) { return HALF; }",
        "int half_of(void); kernel void f(global int *o) { *o = 2 * half_of(); }"};
    const char *name = "half.h";
    cl_program headers, compiled[2], linked;
    int one = 1;
    MAKE(headers, clCreateProgramWithSource(gpu->context, 1, &header, NULL, MADE));
    for (int i = 0; i < 2; i++) {
        MAKE(compiled[i], clCreateProgramWithSource(gpu->context, 1, &texts[i], NULL, MADE));
        CHECK(clCompileProgram(compiled[i], 1, &gpu->id, NULL, i == 0, i == 0 ? &headers : NULL,
                               i == 0 ? &name : NULL, NULL, NULL));
    }
    MAKE(linked, clLinkProgram(gpu->context, 1, &gpu->id, NULL, 2, compiled, built, &one, MADE));
    size_t wrong = differ("of two parts", run(gpu, linked, "f"), 42) + differ("told", builds, 1);
    CHECK(clReleaseProgram(headers));
    CHECK(clReleaseProgram(compiled[0]));
    CHECK(clReleaseProgram(compiled[1]));
    CHECK(clReleaseProgram(linked));
    return wrong;
}

/* The facts about a kernel, and a local argument. */
static size_t arguments(const device *gpu) {
    const char *text = "kernel void f(global int *o, local int *shared, int by) {"
                       " shared[get_local_id(0)] = by; barrier(CLK_LOCAL_MEM_FENCE); if "
                       "(get_local_id(0) == 0) *o = shared[3]; }";
    cl_program program = build(gpu, text, "-cl-kernel-arg-info");
    cl_kernel kernel;
    const uint64_t items = 4;
    unsigned count = 0;
    int by = 9, result = 0;
    char name[16] = "";
    cl_mem out = buffer(gpu, sizeof result);
    MAKE(kernel, clCreateKernel(program, "f", MADE));
    CHECK(clGetKernelInfo(kernel, 0x1191, sizeof count, &count, NULL));
    CHECK(clGetKernelArgInfo(kernel, 2, 0x119A, sizeof name, name, NULL));
    CHECK(clSetKernelArg(kernel, 0, sizeof out, &out));
    CHECK(clSetKernelArg(kernel, 1, 4 * sizeof(int), NULL));
    CHECK(clSetKernelArg(kernel, 2, sizeof by, &by));
    CHECK(clEnqueueNDRangeKernel(gpu->queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(gpu->queue, out, 1, 0, sizeof result, &result, 0, NULL, NULL));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    return differ("arguments", (int)count, 3) + differ("name", strcmp(name, "by"), 0) +
           differ("shared", result, 9);
}

/* A text without anything is a program without kernels. */
static size_t nothing(device *gpu) {
    const char *empty = "";
    cl_program program;
    MAKE(program, clCreateProgramWithSource(gpu->context, 1, &empty, NULL, MADE));
    int result = clBuildProgram(program, 1, &gpu->id, "", NULL, NULL);
    CHECK(clReleaseProgram(program));
    return result != 0;
}

/* A program of two parts of a device says for how many devices it is, and for which, whichever
 * these are. */
static size_t of_parts(const device *gpu) {
    const uint64_t halves[] = {0x1087, 1, 1, 0, 0};
    const char *text = "kernel void f(global int *o) { *o = 7; }";
    cl_device_id parts[2], devices[2];
    cl_context context;
    cl_program program;
    unsigned count = 0;
    size_t bytes = 0, wrong = 0;
    if (clCreateSubDevices(gpu->id, halves, 2, parts, NULL) != 0)
        return 0;
    MAKE(context, clCreateContext(NULL, 2, parts, NULL, NULL, MADE));
    MAKE(program, clCreateProgramWithSource(context, 1, &text, NULL, MADE));
    CHECK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    CHECK(clGetProgramInfo(program, 0x1162, sizeof count, &count, NULL));
    CHECK(clGetProgramInfo(program, 0x1163, sizeof devices, devices, &bytes));
    for (unsigned i = 0; i < count; i++) {
        int status = -1;
        CHECK(clGetProgramBuildInfo(program, devices[i], 0x1181, sizeof status, &status, NULL));
        wrong += differ("built", status, 0);
    }
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseContext(context));
    for (int i = 0; i < 2; i++)
        CHECK(clReleaseDevice(parts[i]));
    return wrong + differ("bytes of the devices", (int)bytes, (int)(count * sizeof *devices));
}

int main(void) {
    device gpu = open_device();
    size_t wrong = sources(&gpu) + log_of_errors(&gpu) + binaries(&gpu) + parts(&gpu) +
                   arguments(&gpu) + nothing(&gpu) + of_parts(&gpu);
    close_device(&gpu);
    return verdict("programs", gpu.name, "programs of source, binaries and parts", wrong);
}
