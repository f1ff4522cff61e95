/* SPDX-License-Identifier: Apache-2.0
 * Orders commands by events: the program's own, across queues, in a queue without order, with
 * functions that are told. */
#include "device.h"

#include <pthread.h>

enum { COUNT = 4096 };

/* OpenCL specification 3.0, appendix C. */
enum {
    CL_EVENT_COMMAND_TYPE = 0x11D1,
    CL_EVENT_OWNERS = 0x11D2,
    CL_COMMAND_NDRANGE_KERNEL = 0x11F0,
    CL_COMMAND_MAP_BUFFER = 0x11FB
};

static const char source[] =
    "kernel void add(global int *values, int by) { values[get_global_id(0)] += by; }"
    "kernel void twice(global int *values) { values[get_global_id(0)] *= 2; }";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static int told_events, told_status = 99, ended_memory;

static void on_event(cl_event event, int status, void *data) {
    (void)event;
    pthread_mutex_lock(&lock);
    told_events += *(int *)data;
    told_status = status;
    pthread_cond_signal(&told);
    pthread_mutex_unlock(&lock);
}

static void on_end(cl_mem memory, void *data) {
    (void)memory;
    ended_memory = ended_memory * 10 + *(int *)data;
}

typedef struct {
    cl_program program;
    cl_kernel add, twice;
    cl_mem memory;
} work;

static work prepare(const device *gpu) {
    const int zero = 0;
    work w = {.program = build(gpu, source, NULL), .memory = buffer(gpu, COUNT * sizeof(int))};
    MAKE(w.add, clCreateKernel(w.program, "add", MADE));
    MAKE(w.twice, clCreateKernel(w.program, "twice", MADE));
    CHECK(clSetKernelArg(w.add, 0, sizeof w.memory, &w.memory));
    CHECK(clSetKernelArg(w.twice, 0, sizeof w.memory, &w.memory));
    CHECK(clEnqueueFillBuffer(gpu->queue, w.memory, &zero, sizeof zero, 0, COUNT * sizeof(int), 0,
                              NULL, NULL));
    CHECK(clFinish(gpu->queue));
    return w;
}

static size_t run(cl_command_queue queue, cl_kernel kernel, int waits, const cl_event *list,
                  cl_event *event) {
    const uint64_t items = COUNT;
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, waits, list, event));
    return 0;
}

static size_t all_are(cl_command_queue queue, cl_mem memory, int value) {
    static int values[COUNT];
    size_t wrong = 0;
    CHECK(clEnqueueReadBuffer(queue, memory, 1, 0, sizeof values, values, 0, NULL, NULL));
    for (int i = 0; i < COUNT; i++)
        wrong += values[i] != value;
    if (wrong > 0)
        fprintf(stderr, "%d and not %d\n", values[0], value);
    return wrong;
}

/* Nothing runs, and the program goes on, until the program completes its event. */
static size_t own_event(const device *gpu, work *w) {
    static int early[COUNT];
    cl_event gate, added, read;
    int by = 3, one = 1, status;
    MAKE(gate, clCreateUserEvent(gpu->context, MADE));
    CHECK(clSetKernelArg(w->add, 1, sizeof by, &by));
    run(gpu->queue, w->add, 1, &gate, &added);
    CHECK(clEnqueueReadBuffer(gpu->queue, w->memory, 0, 0, sizeof early, early, 1, &added, &read));
    CHECK(clSetEventCallback(read, CL_COMPLETE, on_event, &one));
    CHECK(clFlush(gpu->queue));
    CHECK(clGetEventInfo(added, CL_EVENT_STATUS, sizeof status, &status, NULL));
    size_t wrong = status <= CL_COMPLETE || told_events != 0;
    CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
    pthread_mutex_lock(&lock);
    while (told_events == 0)
        pthread_cond_wait(&told, &lock);
    pthread_mutex_unlock(&lock);
    wrong += told_status != CL_COMPLETE || early[COUNT - 1] != 3;
    CHECK(clWaitForEvents(1, &read));
    CHECK(clReleaseEvent(gate));
    CHECK(clReleaseEvent(added));
    CHECK(clReleaseEvent(read));
    return wrong + all_are(gpu->queue, w->memory, 3);
}

/* (((3 + 4) × 2) + 4) × 2, by turns in two queues. */
static size_t across_queues(const device *gpu, work *w) {
    cl_command_queue other;
    cl_event events[4];
    int by = 4;
    const uint64_t properties[] = {0x1093, CL_QUEUE_OUT_OF_ORDER, 0};
    MAKE(other, clCreateCommandQueueWithProperties(gpu->context, gpu->id, properties, MADE));
    CHECK(clSetKernelArg(w->add, 1, sizeof by, &by));
    run(gpu->queue, w->add, 0, NULL, &events[0]);
    CHECK(clFlush(gpu->queue));
    run(other, w->twice, 1, &events[0], &events[1]);
    CHECK(clFlush(other));
    run(gpu->queue, w->add, 1, &events[1], &events[2]);
    CHECK(clFlush(gpu->queue));
    run(other, w->twice, 1, &events[2], &events[3]);
    CHECK(clEnqueueBarrierWithWaitList(other, 0, NULL, NULL));
    CHECK(clFinish(other));
    size_t wrong = all_are(other, w->memory, 36);
    for (int i = 0; i < 4; i++)
        CHECK(clReleaseEvent(events[i]));
    CHECK(clReleaseCommandQueue(other));
    return wrong;
}

static unsigned asked(cl_event event, int name) {
    unsigned answer = 0;
    CHECK(clGetEventInfo(event, name, sizeof answer, &answer, NULL));
    return answer;
}

/* The command of an event, and its number of owners: the library may be one more. */
static size_t answers(const device *gpu, work *w) {
    cl_event events[2];
    run(gpu->queue, w->twice, 0, NULL, &events[0]);
    void *mapped = clEnqueueMapBuffer(gpu->queue, w->memory, 1, CL_MAP_READ, 0, COUNT * sizeof(int),
                                      1, &events[0], &events[1], MADE);
    check(made_result, "clEnqueueMapBuffer", __FILE__, __LINE__);
    CHECK(clEnqueueUnmapMemObject(gpu->queue, w->memory, mapped, 0, NULL, NULL));
    CHECK(clFinish(gpu->queue));
    unsigned owners = asked(events[0], CL_EVENT_OWNERS);
    CHECK(clRetainEvent(events[0]));
    size_t wrong = (asked(events[0], CL_EVENT_COMMAND_TYPE) != CL_COMMAND_NDRANGE_KERNEL) +
                   (asked(events[1], CL_EVENT_COMMAND_TYPE) != CL_COMMAND_MAP_BUFFER) +
                   (asked(events[0], CL_EVENT_OWNERS) != owners + 1);
    CHECK(clReleaseEvent(events[0]));
    for (int i = 0; i < 2; i++)
        CHECK(clReleaseEvent(events[i]));
    return wrong;
}

static size_t times(const device *gpu, work *w) {
    uint64_t at[4];
    cl_event event;
    run(gpu->queue, w->twice, 0, NULL, &event);
    CHECK(clWaitForEvents(1, &event));
    for (int i = 0; i < 4; i++)
        CHECK(clGetEventProfilingInfo(event, 0x1280 + i, sizeof at[i], &at[i], NULL));
    CHECK(clReleaseEvent(event));
    return !(at[0] <= at[1] && at[1] <= at[2] && at[2] <= at[3]);
}

/* Those that were registered last are told first. */
static size_t ends(const device *gpu) {
    int one = 1, two = 2;
    cl_mem memory = buffer(gpu, 64);
    unsigned owners;
    CHECK(clSetMemObjectDestructorCallback(memory, on_end, &one));
    CHECK(clSetMemObjectDestructorCallback(memory, on_end, &two));
    CHECK(clRetainMemObject(memory));
    CHECK(clGetMemObjectInfo(memory, 0x1105, sizeof owners, &owners, NULL));
    CHECK(clReleaseMemObject(memory));
    size_t wrong = owners != 2 || ended_memory != 0;
    CHECK(clReleaseMemObject(memory));
    CHECK(clFinish(gpu->queue));
    return wrong + (ended_memory != 21);
}

/* An event that is over already; the function asks. */
static void on_over(cl_event event, int status, void *data) {
    uint64_t owners = 0;
    *(int *)data = status == CL_COMPLETE &&
                           clGetEventInfo(event, CL_EVENT_OWNERS, 4, &owners, NULL) == 0 &&
                           owners != 0
                       ? 1
                       : -1;
}

static size_t told_late(device *gpu) {
    volatile int seen = 0;
    cl_event marker;
    int status;
    CHECK(clEnqueueMarkerWithWaitList(gpu->queue, 0, NULL, &marker));
    CHECK(clFinish(gpu->queue));
    CHECK(clSetEventCallback(marker, CL_COMPLETE, on_over, (void *)&seen));
    for (int i = 0; i < 100000 && seen == 0; i++)
        CHECK(clGetEventInfo(marker, CL_EVENT_STATUS, sizeof status, &status, NULL));
    CHECK(clReleaseEvent(marker));
    return seen != 1;
}

int main(void) {
    device gpu = open_device();
    work w = prepare(&gpu);
    size_t wrong = own_event(&gpu, &w) + across_queues(&gpu, &w) + answers(&gpu, &w) +
                   times(&gpu, &w) + ends(&gpu) + told_late(&gpu);
    CHECK(clReleaseKernel(w.add));
    CHECK(clReleaseKernel(w.twice));
    CHECK(clReleaseProgram(w.program));
    CHECK(clReleaseMemObject(w.memory));
    close_device(&gpu);
    return verdict("events", gpu.name,
                   "events of the program, across queues, with functions that are told", wrong);
}
