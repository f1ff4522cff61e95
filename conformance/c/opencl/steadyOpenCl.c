/* SPDX-License-Identifier: Apache-2.0
 * A client that goes on: writes, starts, reads and compares, a line a round, with a function that
 * is told of each event, until its standard input ends or it has made so many rounds; then prints
 * "ok". The first error ends it: prints "error NUMBER CALL", exits with 3.
 * usage: steadyOpenCl [ROUNDS]
 */
#include <device.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

enum { WORDS = 200000 };

static uint32_t words[WORDS];
static atomic_int told;

static const char *const source =
    "__kernel void add(__global uint *to, uint what) { to[get_global_id(0)] += what; }";

static void must(int result, const char *what) {
    if (result != 0) {
        printf("error %d %s\n", result, what);
        exit(3);
    }
}
#define MUST(call) must(call, #call)

/* Whoever goes on without end leaves the processor to those whom a test is about. */
enum { PAUSE_MS = 10 };

static int told_to_end(void) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&in, 1, PAUSE_MS) > 0;
}

static void tell(cl_event event, int status, void *data) {
    (void)event, (void)status, (void)data;
    told++;
}

static void round_trip(cl_command_queue queue, cl_kernel add, cl_mem memory, uint32_t seed) {
    uint32_t what = seed * 7 + 1;
    uint64_t items = WORDS;
    cl_event added;
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = i * seed;
    MUST(clEnqueueWriteBuffer(queue, memory, 0, 0, sizeof words, words, 0, NULL, NULL));
    MUST(clSetKernelArg(add, 0, sizeof memory, &memory));
    MUST(clSetKernelArg(add, 1, sizeof what, &what));
    MUST(clEnqueueNDRangeKernel(queue, add, 1, NULL, &items, NULL, 0, NULL, &added));
    MUST(clSetEventCallback(added, CL_COMPLETE, tell, NULL));
    MUST(clEnqueueReadBuffer(queue, memory, 0, 0, sizeof words, words, 1, &added, NULL));
    MUST(clFinish(queue));
    MUST(clReleaseEvent(added));
    for (uint32_t i = 0; i < WORDS; i++)
        if (words[i] != i * seed + what) {
            printf("wrong: word %u of round %u is %u\n", i, seed, words[i]);
            exit(1);
        }
}

int main(int argc, char **argv) {
    uint32_t rounds = argc > 1 ? (uint32_t)atoi(argv[1]) : UINT32_MAX;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_program program;
    setvbuf(stdout, NULL, _IOLBF, 0);
    MUST(clGetPlatformIDs(1, &platform, NULL));
    MUST(clGetDeviceIDs(platform, (uint64_t)CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, MADE);
    must(made_result, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, MADE);
    must(made_result, "clCreateCommandQueue");
    program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, MADE);
    must(made_result, "clCreateProgramWithSource");
    MUST(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel add = clCreateKernel(program, "add", MADE);
    must(made_result, "clCreateKernel");
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof words, NULL, MADE);
    must(made_result, "clCreateBuffer");
    for (uint32_t seed = 1; argc > 1 ? seed <= rounds : !told_to_end(); seed++) {
        round_trip(queue, add, memory, seed);
        puts("round");
    }
    puts("ok");
    return 0;
}
