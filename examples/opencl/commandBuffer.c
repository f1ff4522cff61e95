/* SPDX-License-Identifier: Apache-2.0
 * A graph of commands that is recorded once and run three times: fills, kernels, copies of buffers,
 * boxes and images, ordered by their synchronization points; and the codes that the extension
 * cl_khr_command_buffer has for what is wrong. Passes where the device has no command buffers. */
#include "device.h"

enum {
    CL_DEVICE_EXTENSIONS = 0x1030,
    CL_DEVICE_COMMAND_BUFFER_CAPABILITIES = 0x12A9,
    CL_QUEUE_PROPERTIES = 0x1093,
    CL_EVENT_COMMAND_QUEUE = 0x11D0,
    CL_EVENT_COMMAND_TYPE = 0x11D1,
    FLAGS = 0x1293,
    QUEUES = 0x1294,
    NUM_QUEUES = 0x1295,
    REFERENCE_COUNT = 0x1296,
    STATE = 0x1297,
    PROPERTIES = 0x1298,
    SIMULTANEOUS_USE = 1,
    RECORDING = 0,
    EXECUTABLE = 1,
    COMMAND_TYPE = 0x12A8,
    IMAGE2D = 0x10F1,
    RGBA = 0x10B5,
    UNSIGNED_INT8 = 0x10DA,
    ITEMS = 1024,
    BYTES = 4 * ITEMS,
    SIDE = 16,
    ROW = 64,
    TIMES = 3,
};

/* Found by their names, as the functions of an extension are; the header has their types. */
#define FUNCTIONS(F)                                                                               \
    F(clCreateCommandBufferKHR)                                                                    \
    F(clRetainCommandBufferKHR) F(clReleaseCommandBufferKHR) F(clFinalizeCommandBufferKHR)         \
    F(clEnqueueCommandBufferKHR) F(clCommandBarrierWithWaitListKHR) F(clCommandCopyBufferKHR)      \
    F(clCommandCopyBufferRectKHR) F(clCommandCopyBufferToImageKHR)                                 \
    F(clCommandCopyImageKHR) F(clCommandCopyImageToBufferKHR)                                      \
    F(clCommandFillBufferKHR) F(clCommandFillImageKHR)                                             \
    F(clCommandNDRangeKernelKHR) F(clGetCommandBufferInfoKHR)
#define DECLARE(NAME) static __typeof__(&NAME) p_##NAME;
#define FIND(NAME)                                                                                 \
    missing += (p_##NAME = (__typeof__(&NAME))clGetExtensionFunctionAddressForPlatform(            \
                    platform, #NAME)) == NULL;
FUNCTIONS(DECLARE)

static int find_functions(void) {
    cl_platform_id platform;
    int missing = 0;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    FUNCTIONS(FIND)
    return missing;
}

static int has_command_buffers(cl_device_id id) {
    char names[8192] = "";
    CHECK(clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
    return strstr(names, "cl_khr_command_buffer") != NULL;
}

/* PoCL 3.1 itself names another queue, and runs a kernel with arguments that were set after it was
 * recorded. */
static int is_served(void) {
    enum { CL_PLATFORM_VERSION = 0x0901 };
    char version[256] = "";
    cl_platform_id platform;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, NULL));
    return strstr(version, "(Outboard)") != NULL;
}

static const char *const source =
    "__kernel void add(__global int *to, int what) { to[get_global_id(0)] += what; }\n"
    "__kernel void scale(__global int *to, int what) { to[get_global_id(0)] *= what; }\n";

static cl_command_buffer_khr create(cl_command_queue queue, uint64_t flags) {
    const uint64_t properties[] = {FLAGS, flags, 0};
    cl_command_buffer_khr made;
    MAKE(made, p_clCreateCommandBufferKHR(1, &queue, flags == 0 ? NULL : properties, MADE));
    return made;
}

static uint32_t known(cl_command_buffer_khr buffer, int name) {
    uint32_t answer = ~0u;
    CHECK(p_clGetCommandBufferInfoKHR(buffer, name, sizeof answer, &answer, NULL));
    return answer;
}

static size_t differs(const char *what, uint64_t got, uint64_t expected) {
    if (got != expected)
        fprintf(stderr, "%s: %llx and not %llx\n", what, (unsigned long long)got,
                (unsigned long long)expected);
    return got != expected;
}

static cl_kernel kernel_of(cl_program program, const char *name, cl_mem to, int what) {
    cl_kernel made;
    MAKE(made, clCreateKernel(program, name, MADE));
    CHECK(clSetKernelArg(made, 0, sizeof to, &to));
    CHECK(clSetKernelArg(made, 1, sizeof what, &what));
    return made;
}

/* (fill + 2) * 10 in the first half, that of the second half in the first one's place: all of it in
 * memory that is the command buffer's alone when it runs. */
static cl_command_buffer_khr record_buffers(const device *on, cl_mem out) {
    cl_program program = build(on, source, "");
    cl_mem work = buffer(on, BYTES);
    cl_kernel add = kernel_of(program, "add", work, 2),
              scale = kernel_of(program, "scale", work, 10);
    cl_command_buffer_khr all = create(on->queue, 0);
    int point[5], first = 5, second = 7;
    const uint64_t items = ITEMS, from[3] = {0, BYTES / 2 / ROW, 0}, to[3] = {0},
                   region[3] = {ROW, 4, 1};
    CHECK(p_clCommandFillBufferKHR(all, NULL, work, &first, sizeof first, 0, BYTES / 2, 0, NULL,
                                   &point[0], NULL));
    CHECK(p_clCommandFillBufferKHR(all, NULL, work, &second, sizeof second, BYTES / 2, BYTES / 2, 0,
                                   NULL, &point[1], NULL));
    CHECK(p_clCommandNDRangeKernelKHR(all, NULL, NULL, add, 1, NULL, &items, NULL, 2, point,
                                      &point[2], NULL));
    CHECK(p_clCommandBarrierWithWaitListKHR(all, NULL, 1, &point[2], &point[3], NULL));
    CHECK(p_clCommandNDRangeKernelKHR(all, NULL, (const uint64_t[]){0}, scale, 1, NULL, &items,
                                      NULL, 1, &point[3], &point[4], NULL));
    CHECK(
        p_clCommandCopyBufferKHR(all, NULL, work, out, 0, 0, BYTES, 1, &point[4], &point[0], NULL));
    CHECK(p_clCommandCopyBufferRectKHR(all, NULL, work, out, from, to, region, ROW, 0, ROW, 0, 1,
                                       point, NULL, NULL));
    if (is_served())
        CHECK(clSetKernelArg(scale, 1, sizeof second, &second));
    CHECK(clReleaseKernel(add));
    CHECK(clReleaseKernel(scale));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseMemObject(work));
    CHECK(p_clFinalizeCommandBufferKHR(all));
    return all;
}

static size_t wrong_items(const int *got) {
    size_t wrong = 0;
    for (int i = 0; i < ITEMS; i++)
        wrong += got[i] != (i < 4 * ROW / 4 || i >= ITEMS / 2 ? 90 : 70);
    return wrong;
}

static size_t run_buffers(const device *on) {
    cl_mem out = buffer(on, BYTES);
    cl_command_buffer_khr all = record_buffers(on, out);
    size_t wrong = differs("the state", known(all, STATE), EXECUTABLE);
    for (int time = 0; time < TIMES; time++) {
        int got[ITEMS] = {0};
        CHECK(p_clEnqueueCommandBufferKHR(0, NULL, all, 0, NULL, NULL));
        CHECK(clFinish(on->queue));
        CHECK(clEnqueueReadBuffer(on->queue, out, 1, 0, BYTES, got, 0, NULL, NULL));
        CHECK(clEnqueueFillBuffer(on->queue, out, &time, sizeof time, 0, BYTES, 0, NULL, NULL));
        wrong += differs("items that are wrong", wrong_items(got), 0);
    }
    CHECK(p_clReleaseCommandBufferKHR(all));
    CHECK(clReleaseMemObject(out));
    return wrong;
}

/* ---- images ---------------------------------------------------------------------------------- */

static cl_mem image(const device *on) {
    const cl_image_format format = {RGBA, UNSIGNED_INT8};
    const cl_image_desc shape = {.type = IMAGE2D, .width = SIDE, .height = SIDE};
    cl_mem made;
    MAKE(made, clCreateImage(on->context, CL_MEM_READ_WRITE, &format, &shape, NULL, MADE));
    return made;
}

/* A corner of one image is filled, goes to the other image's far corner and from there to a buffer;
 * that goes back to the first one. */
static cl_command_buffer_khr record_images(const device *on, cl_mem first, cl_mem second,
                                           cl_mem through) {
    cl_command_buffer_khr all = create(on->queue, 0);
    const uint64_t none[3] = {0}, far[3] = {SIDE / 2, SIDE / 2, 0}, whole[3] = {SIDE, SIDE, 1},
                   half[3] = {SIDE / 2, SIDE / 2, 1};
    const uint32_t dark[4] = {1, 1, 1, 1}, light[4] = {200, 201, 202, 203};
    int point[4];
    CHECK(p_clCommandFillImageKHR(all, NULL, first, dark, none, whole, 0, NULL, &point[0], NULL));
    CHECK(p_clCommandFillImageKHR(all, NULL, first, light, none, half, 1, &point[0], &point[1],
                                  NULL));
    CHECK(p_clCommandCopyImageKHR(all, NULL, first, second, none, far, half, 1, &point[1],
                                  &point[2], NULL));
    CHECK(p_clCommandCopyImageToBufferKHR(all, NULL, second, through, far, half, 0, 1, &point[2],
                                          &point[3], NULL));
    CHECK(p_clCommandCopyBufferToImageKHR(all, NULL, through, first, 0, far, half, 1, &point[3],
                                          NULL, NULL));
    CHECK(p_clFinalizeCommandBufferKHR(all));
    return all;
}

static size_t wrong_pixels(uint8_t got[SIDE][SIDE][4]) {
    size_t wrong = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            for (int c = 0; c < 4; c++)
                wrong += got[y][x][c] != ((x < SIDE / 2) == (y < SIDE / 2) ? 200 + c : 1);
    return wrong;
}

static size_t run_images(const device *on) {
    uint32_t images = 0;
    CHECK(clGetDeviceInfo(on->id, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    if (images == 0)
        return 0;
    cl_mem first = image(on), second = image(on), through = buffer(on, SIDE * SIDE * 4);
    cl_command_buffer_khr all = record_images(on, first, second, through);
    uint8_t got[SIDE][SIDE][4];
    CHECK(p_clEnqueueCommandBufferKHR(0, NULL, all, 0, NULL, NULL));
    CHECK(clEnqueueReadImage(on->queue, first, 1, (uint64_t[3]){0}, (uint64_t[3]){SIDE, SIDE, 1}, 0,
                             0, got, 0, NULL, NULL));
    CHECK(p_clReleaseCommandBufferKHR(all));
    CHECK(clReleaseMemObject(first));
    CHECK(clReleaseMemObject(second));
    CHECK(clReleaseMemObject(through));
    return differs("pixels that are wrong", wrong_pixels(got), 0);
}

/* ---- events, and several at a time ----------------------------------------------------------- */

static size_t run_several(const device *on) {
    uint64_t capabilities = 0, can = 4;
    CHECK(clGetDeviceInfo(on->id, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES, sizeof capabilities,
                          &capabilities, NULL));
    cl_command_buffer_khr all = create(on->queue, (capabilities & can) != 0 ? SIMULTANEOUS_USE : 0);
    cl_program program = build(on, source, "");
    cl_mem sum = buffer(on, BYTES);
    cl_kernel add = kernel_of(program, "add", sum, 1);
    const uint64_t items = ITEMS;
    int got[ITEMS], zero = 0, times = (capabilities & can) != 0 ? 50 : 1;
    cl_event go, over;
    CHECK(clEnqueueFillBuffer(on->queue, sum, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL));
    CHECK(p_clCommandNDRangeKernelKHR(all, NULL, NULL, add, 1, NULL, &items, NULL, 0, NULL, NULL,
                                      NULL));
    CHECK(p_clFinalizeCommandBufferKHR(all));
    MAKE(go, clCreateUserEvent(on->context, MADE));
    for (int time = 0; time < times; time++)
        CHECK(p_clEnqueueCommandBufferKHR(1, (cl_command_queue[]){on->queue}, all, time == 0,
                                          time == 0 ? &go : NULL, NULL));
    CHECK(clSetUserEventStatus(go, CL_COMPLETE));
    CHECK(clFinish(on->queue));
    CHECK(p_clEnqueueCommandBufferKHR(1, (cl_command_queue[]){on->queue}, all, 0, NULL, &over));
    CHECK(clWaitForEvents(1, &over));
    uint32_t type = 0;
    cl_command_queue queue = NULL;
    CHECK(clGetEventInfo(over, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK(clGetEventInfo(over, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
    CHECK(clEnqueueReadBuffer(on->queue, sum, 1, 0, BYTES, got, 0, NULL, NULL));
    size_t wrong = differs("the command's type", type, COMMAND_TYPE) +
                   differs("the command's queue", queue == on->queue, 1) +
                   differs("the first sum", (uint64_t)got[0], (uint64_t)times + 1) +
                   differs("the last sum", (uint64_t)got[ITEMS - 1], (uint64_t)times + 1);
    CHECK(clReleaseEvent(go));
    CHECK(clReleaseEvent(over));
    CHECK(p_clReleaseCommandBufferKHR(all));
    CHECK(clReleaseKernel(add));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseMemObject(sum));
    return wrong;
}

/* ---- questions, owners and codes ------------------------------------------------------------- */

static size_t ask(const device *on) {
    cl_command_buffer_khr all = create(on->queue, 0);
    cl_command_queue queue = NULL;
    size_t bytes = 0;
    CHECK(p_clGetCommandBufferInfoKHR(all, QUEUES, sizeof queue, &queue, &bytes));
    size_t wrong = differs("the queue", !is_served() || queue == on->queue, 1) +
                   differs("its bytes", bytes, sizeof queue) +
                   differs("the queues", known(all, NUM_QUEUES), 1) +
                   differs("the state", known(all, STATE), RECORDING);
    CHECK(p_clRetainCommandBufferKHR(all));
    wrong += differs("the owners", known(all, REFERENCE_COUNT), 2);
    CHECK(p_clReleaseCommandBufferKHR(all));
    wrong += differs("the owners", known(all, REFERENCE_COUNT), 1);
    CHECK(p_clReleaseCommandBufferKHR(all));
    return wrong;
}

static void fail(const device *on) {
    cl_mem memory = buffer(on, BYTES);
    cl_command_queue queue = on->queue, other = NULL;
    cl_command_buffer_khr all = create(queue, 0);
    const int what = 1;
    int point = 77;
    EXPECT_NONE(-30, p_clCreateCommandBufferKHR(0, &queue, NULL, MADE));
    EXPECT_NONE(-30, p_clCreateCommandBufferKHR(1, NULL, NULL, MADE));
    EXPECT_NONE(-30, p_clCreateCommandBufferKHR(1, &queue, (const uint64_t[]){0x7777, 1, 0}, MADE));
#define FILL(BUFFER, QUEUE, MEMORY, SIZE, POINTS, LIST)                                            \
    p_clCommandFillBufferKHR(BUFFER, QUEUE, MEMORY, &what, sizeof what, 0, SIZE, POINTS, LIST,     \
                             NULL, NULL)
    EXPECT(-1138, FILL(NULL, NULL, memory, BYTES, 0, NULL));
    EXPECT(-36, FILL(all, queue, memory, BYTES, 0, NULL));
    EXPECT(-38, FILL(all, NULL, NULL, BYTES, 0, NULL));
    EXPECT(-30, FILL(all, NULL, memory, BYTES + 4, 0, NULL));
    EXPECT(-1139, FILL(all, NULL, memory, BYTES, 1, NULL));
    EXPECT(-1139, FILL(all, NULL, memory, BYTES, 0, &point));
    EXPECT(-1139, FILL(all, NULL, memory, BYTES, 1, &point));
    EXPECT(-30, p_clCommandBarrierWithWaitListKHR(all, NULL, 0, NULL, &point, (uint64_t[]){0}));
    EXPECT(-59, p_clEnqueueCommandBufferKHR(0, NULL, all, 0, NULL, NULL));
    CHECK(FILL(all, NULL, memory, BYTES, 0, NULL));
    CHECK(p_clFinalizeCommandBufferKHR(all));
    EXPECT(-59, FILL(all, NULL, memory, BYTES, 0, NULL));
    EXPECT(-30, p_clEnqueueCommandBufferKHR(1, NULL, all, 0, NULL, NULL));
    EXPECT(-57, p_clEnqueueCommandBufferKHR(0, NULL, all, 1, NULL, NULL));
    MAKE(other, clCreateCommandQueue(on->context, on->id, 0, MADE));
    EXPECT(-1140, p_clEnqueueCommandBufferKHR(1, &other, all, 0, NULL, NULL));
    EXPECT(-30, p_clGetCommandBufferInfoKHR(all, 0x7777, 4, &point, NULL));
    EXPECT(-1138, p_clFinalizeCommandBufferKHR(NULL));
    EXPECT(-1138, p_clRetainCommandBufferKHR(NULL));
    EXPECT(-1138, p_clReleaseCommandBufferKHR(NULL));
    CHECK(clReleaseCommandQueue(other));
    CHECK(p_clReleaseCommandBufferKHR(all));
    CHECK(clReleaseMemObject(memory));
}

int main(void) {
    device on = open_device();
    size_t wrong = 0;
    if (has_command_buffers(on.id)) {
        wrong = (size_t)find_functions();
        if (wrong == 0) {
            wrong = run_buffers(&on) + run_images(&on) + run_several(&on) + ask(&on);
            fail(&on);
        }
    }
    close_device(&on);
    return verdict("commandBuffer", on.name, "commands that are recorded once", wrong);
}
