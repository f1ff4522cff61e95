/* SPDX-License-Identifier: Apache-2.0
 * A client of a lease of 64 MiB: what is beyond is refused however it is asked for, and what is
 * given back can be had again. A first argument "work" has the device compute for some time
 * instead; "spin" has it compute from a first line of the standard input to its end, and prints a
 * line a round. Prints "leasedOpenCl: PASSED", else what was wrong.
 */
#include <device.h>
#include <poll.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { REFUSED = -4, IMAGE2D = 0x10F1, RGBA = 0x10B5, FLOATS = 0x10DE, PART = 0x1220 };

static const uint64_t MIB = 1 << 20, ALL = 64;

static cl_context context;
static cl_command_queue queue;
static cl_device_id chosen;

static cl_mem buffer_of(uint64_t mib) {
    cl_mem made;
    MAKE(made, clCreateBuffer(context, CL_MEM_READ_WRITE, mib * MIB, NULL, MADE));
    return made;
}

#define NO_BUFFER(MEBIBYTES)                                                                       \
    EXPECT_NONE(REFUSED, clCreateBuffer(context, CL_MEM_READ_WRITE, (MEBIBYTES) * MIB, NULL, MADE))

/* The device's library may free it a little later. */
static void free_again(void) {
    struct timespec pause = {.tv_nsec = 1000000};
    cl_mem all = NULL;
    do {
        nanosleep(&pause, NULL);
        all = clCreateBuffer(context, CL_MEM_READ_WRITE, ALL * MIB, NULL, MADE);
    } while (made_result == REFUSED);
    check(made_result, "clCreateBuffer", __FILE__, __LINE__);
    CHECK(clReleaseMemObject(all));
}

static void size(void) {
    uint64_t bytes = 0;
    CHECK(clGetDeviceInfo(chosen, 0x101F, sizeof bytes, &bytes, NULL)); /* GLOBAL_MEM_SIZE */
    EXPECT(0, bytes > ALL * MIB);
}

static void buffers(void) {
    NO_BUFFER(ALL + 1);
    NO_BUFFER(1 << 20);
    cl_mem one = buffer_of(40);
    NO_BUFFER(25);
    cl_mem two = buffer_of(24);
    NO_BUFFER(1);
    CHECK(clReleaseMemObject(one));
    CHECK(clReleaseMemObject(two));
    free_again();
}

/* It lives as long as its part does. */
static void parts(void) {
    cl_mem whole = buffer_of(64), part;
    cl_buffer_region region = {.origin = 0, .size = 4096};
    MAKE(part, clCreateSubBuffer(whole, CL_MEM_READ_WRITE, PART, &region, MADE));
    CHECK(clReleaseMemObject(whole));
    NO_BUFFER(1);
    CHECK(clReleaseMemObject(part));
    free_again();
}

/* It lives as long as a command that waits for the program needs it. */
static void waiting(void) {
    cl_mem filled = buffer_of(64);
    cl_event gate;
    int zero = 0;
    MAKE(gate, clCreateUserEvent(context, MADE));
    CHECK(clEnqueueFillBuffer(queue, filled, &zero, sizeof zero, 0, 64, 1, &gate, NULL));
    CHECK(clReleaseMemObject(filled));
    NO_BUFFER(1);
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK(clFinish(queue));
    CHECK(clReleaseEvent(gate));
    free_again();
}

static void images(void) {
    int can = 0;
    CHECK(clGetDeviceInfo(chosen, CL_DEVICE_IMAGE_SUPPORT, sizeof can, &can, NULL));
    if (!can)
        return;
    cl_image_format format = {.channelOrder = RGBA, .channelType = FLOATS};
    cl_image_desc shape = {.type = IMAGE2D, .width = 2048, .height = 2049};
    EXPECT_NONE(REFUSED, clCreateImage(context, CL_MEM_READ_WRITE, &format, &shape, NULL, MADE));
    shape.height = 1024;
    cl_mem image;
    MAKE(image, clCreateImage(context, CL_MEM_READ_WRITE, &format, &shape, NULL, MADE));
    NO_BUFFER(33);
    CHECK(clReleaseMemObject(image));
    free_again();
}

static void shared(void) {
    void *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 40 * MIB, 0);
    if (memory == NULL)
        return;
    NO_BUFFER(25);
    if (clSVMAlloc(context, CL_MEM_READ_WRITE, 25 * MIB, 0) != NULL)
        EXPECT(0, 1);
    clSVMFree(context, memory);
    free_again();
}

static cl_kernel spinning(void) {
    static const char *source =
        "__kernel void spin(__global uint *to) {"
        "    uint x = get_global_id(0) + 1;"
        "    for (int i = 0; i < 20000; i++) x = x * 1664525u + 1013904223u;"
        "    to[get_global_id(0)] = x; }";
    cl_program program;
    cl_kernel kernel;
    cl_mem memory = buffer_of(1);
    MAKE(program, clCreateProgramWithSource(context, 1, (const char **)&source, NULL, MADE));
    CHECK(clBuildProgram(program, 1, &chosen, "", NULL, NULL));
    MAKE(kernel, clCreateKernel(program, "spin", MADE));
    CHECK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    return kernel;
}

static void compute(cl_kernel kernel, uint64_t items, int times) {
    for (int i = 0; i < times; i++)
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK(clFinish(queue));
}

/* Whether there is something, or the end. */
static int has_input(void) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&in, 1, 0) > 0;
}

static void spin(cl_kernel kernel) {
    char go;
    compute(kernel, 1, 1);
    puts("ready");
    EXPECT(1, (int)read(STDIN_FILENO, &go, 1));
    while (!has_input()) {
        compute(kernel, 64, 16);
        puts("round");
    }
}

int main(int argc, char **argv) {
    cl_platform_id platform;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, (uint64_t)CL_DEVICE_TYPE_ALL, 1, &chosen, NULL));
    MAKE(context, clCreateContext(NULL, 1, &chosen, NULL, NULL, MADE));
    MAKE(queue, clCreateCommandQueue(context, chosen, 0, MADE));
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 1 && strcmp(argv[1], "work") == 0) {
        compute(spinning(), 4096, 40);
    } else if (argc > 1 && strcmp(argv[1], "spin") == 0) {
        spin(spinning());
    } else {
        size();
        buffers();
        parts();
        waiting();
        images();
        shared();
    }
    puts(wrong_codes == 0 ? "leasedOpenCl: PASSED" : "leasedOpenCl: FAILED");
    return wrong_codes != 0;
}
