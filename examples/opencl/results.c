/* SPDX-License-Identifier: Apache-2.0 Steps that each end with a wait and a small read of their
 * result, as searches have them. Then something happens between the wait and the read, each time
 * something else: the read must bring the bytes that are there then. */
#include "device.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

enum { STEPS = 10, LOOPS = 20000000 };

static const char *const source =
    "kernel void put(global uint *to, uint value) { to[get_global_id(0)] = value + "
    "get_global_id(0); }"
    "kernel void late(global uint *to, uint value, uint loops) {"
    "    uint x = value;"
    "    for (uint i = 0; i < loops; i++) x = x * 1664525 + 1013904223;"
    "    to[0] = x == 1 ? x : value;"
    "}";

typedef struct {
    cl_program program;
    cl_kernel put, late;
    cl_mem result;
    cl_command_queue other;
} work;

static unsigned turn;

static unsigned next(void) { return turn += 1000; }

static void put(const device *gpu, const work *w, unsigned value, cl_event *event) {
    CHECK(clSetKernelArg(w->put, 0, sizeof w->result, &w->result));
    CHECK(clSetKernelArg(w->put, 1, sizeof value, &value));
    start(gpu, w->put, 8, event);
}

static void await(cl_event event) {
    CHECK(clWaitForEvents(1, &event));
    CHECK(clReleaseEvent(event));
}

static size_t is(const device *gpu, const work *w, unsigned at, unsigned value) {
    unsigned there = 0;
    CHECK(clEnqueueReadBuffer(gpu->queue, w->result, 1, at * sizeof there, sizeof there, &there, 0,
                              NULL, NULL));
    if (there != value)
        fprintf(stderr, "%u and not %u\n", there, value);
    return there != value;
}

static void put_and_await(const device *gpu, const work *w, unsigned value) {
    cl_event event;
    put(gpu, w, value, &event);
    await(event);
}

static size_t steps(const device *gpu, const work *w) {
    size_t wrong = 0;
    for (int i = 0; i < STEPS; i++) {
        unsigned value = next();
        put_and_await(gpu, w, value);
        wrong += is(gpu, w, 0, value);
    }
    return wrong;
}

static size_t written(const device *gpu, const work *w) {
    unsigned value = next(), other = next();
    put_and_await(gpu, w, value);
    CHECK(clEnqueueWriteBuffer(gpu->queue, w->result, 0, 0, sizeof other, &other, 0, NULL, NULL));
    return is(gpu, w, 0, other);
}

static size_t filled_by_another_queue(const device *gpu, const work *w) {
    unsigned value = next(), other = next();
    put_and_await(gpu, w, value);
    CHECK(clEnqueueFillBuffer(w->other, w->result, &other, sizeof other, 0, sizeof other, 0, NULL,
                              NULL));
    CHECK(clFinish(w->other));
    return is(gpu, w, 0, other);
}

static size_t mapped(const device *gpu, const work *w) {
    unsigned value = next(), other = next(), *there;
    put_and_await(gpu, w, value);
    MAKE(there, clEnqueueMapBuffer(gpu->queue, w->result, 1, CL_MAP_WRITE, 0, sizeof other, 0, NULL,
                                   NULL, MADE));
    *there = other;
    CHECK(clEnqueueUnmapMemObject(gpu->queue, w->result, there, 0, NULL, NULL));
    return is(gpu, w, 0, other);
}

static size_t elsewhere(const device *gpu, const work *w) {
    unsigned value = next();
    put_and_await(gpu, w, value);
    return is(gpu, w, 3, value + 3) + is(gpu, w, 0, value);
}

/* A kernel of another queue that takes a while to put its value. */
static void put_late(const work *w, unsigned value, cl_event *event) {
    unsigned loops = LOOPS;
    uint64_t one = 1;
    CHECK(clSetKernelArg(w->late, 0, sizeof w->result, &w->result));
    CHECK(clSetKernelArg(w->late, 1, sizeof value, &value));
    CHECK(clSetKernelArg(w->late, 2, sizeof loops, &loops));
    CHECK(clEnqueueNDRangeKernel(w->other, w->late, 1, NULL, &one, NULL, 0, NULL, event));
    CHECK(clFlush(w->other));
}

static void set(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST); }

static void await_set(const int *flag) {
    while (!__atomic_load_n(flag, __ATOMIC_SEQ_CST))
        sched_yield();
}

/* Of another place of the buffer: a read after it brings the other queue's bytes. */
static void fill_beside(const device *gpu, const work *w) {
    unsigned any = 1;
    cl_event event;
    CHECK(clEnqueueFillBuffer(gpu->queue, w->result, &any, sizeof any, 4 * sizeof any, sizeof any,
                              0, NULL, &event));
    await(event);
}

static void tell(cl_event event, int status, void *told) {
    (void)event;
    (void)status;
    set(told);
}

/* The program calls nothing between the wait and the read, and is told all the same that the other
 * queue's kernel is over. */
static size_t told(const device *gpu, const work *w) {
    unsigned value = next();
    int is_told = 0;
    cl_event late;
    put_late(w, value, &late);
    CHECK(clSetEventCallback(late, CL_COMPLETE, tell, &is_told));
    fill_beside(gpu, w);
    await_set(&is_told);
    size_t wrong = is(gpu, w, 0, value);
    CHECK(clReleaseEvent(late));
    return wrong;
}

typedef struct {
    cl_command_queue queue;
    int begun, over, read;
} finish;

static void *run_finish(void *data) {
    finish *one = data;
    set(&one->begun);
    CHECK(clFinish(one->queue));
    set(&one->over);
    await_set(&one->read); /* what it has is looked after when it ends */
    return NULL;
}

/* Another thread, which has called before the wait, learns it. */
static size_t learnt_by_another_thread(const device *gpu, const work *w) {
    unsigned value = next();
    finish other = {.queue = w->other};
    pthread_t thread;
    put_late(w, value, NULL);
    CHECK(pthread_create(&thread, NULL, run_finish, &other));
    await_set(&other.begun);
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    fill_beside(gpu, w);
    await_set(&other.over);
    size_t wrong = is(gpu, w, 0, value);
    set(&other.read);
    CHECK(pthread_join(thread, NULL));
    return wrong;
}

/* A wait must not last until what the program enqueued behind it is over. */
static size_t held_up(const device *gpu, const work *w) {
    unsigned value = next(), other = next();
    cl_event hold, event;
    MAKE(hold, clCreateUserEvent(gpu->context, MADE));
    put(gpu, w, value, &event);
    CHECK(clEnqueueFillBuffer(gpu->queue, w->result, &other, sizeof other, 0, sizeof other, 1,
                              &hold, NULL));
    await(event);
    CHECK(clSetUserEventStatus(hold, CL_COMPLETE));
    CHECK(clReleaseEvent(hold));
    return is(gpu, w, 0, other);
}

static size_t gone(const device *gpu, work *w) {
    unsigned value = next();
    CHECK(clReleaseMemObject(w->result));
    w->result = buffer(gpu, 8 * sizeof value);
    put_and_await(gpu, w, value);
    return is(gpu, w, 0, value);
}

int main(void) {
    size_t wrong = 0;
    device gpu = open_device();
    work w = {.program = build(&gpu, source, NULL), .result = buffer(&gpu, 8 * sizeof(unsigned))};
    MAKE(w.put, clCreateKernel(w.program, "put", MADE));
    MAKE(w.late, clCreateKernel(w.program, "late", MADE));
    MAKE(w.other, clCreateCommandQueue(gpu.context, gpu.id, 0, MADE));
    size_t (*const between[])(const device *,
                              const work *) = {written, filled_by_another_queue,  mapped, elsewhere,
                                               told,    learnt_by_another_thread, held_up};
    for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
        wrong += steps(&gpu, &w);
        wrong += between[i](&gpu, &w);
    }
    wrong += steps(&gpu, &w) + gone(&gpu, &w);
    CHECK(clReleaseCommandQueue(w.other));
    CHECK(clReleaseKernel(w.late));
    CHECK(clReleaseKernel(w.put));
    CHECK(clReleaseProgram(w.program));
    CHECK(clReleaseMemObject(w.result));
    close_device(&gpu);
    return verdict("results", gpu.name, "results", wrong);
}
