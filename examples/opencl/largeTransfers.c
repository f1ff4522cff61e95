/* SPDX-License-Identifier: Apache-2.0
 * Moves much data in every way that a program waits for it, from and to odd places, in queues in
 * order and out of order, in several of them and by several threads; and looks whether contexts
 * that have done so have the owners that they had, and end with the last one. */
#include "device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { MB = 1 << 20, BYTES = 34 * MB, GUARD = 64, THREADS = 4, ROUNDS = 2, PATIENCE_MS = 120000 };

/* OpenCL specification 3.0, appendix C. */
enum { CL_CONTEXT_REFERENCE_COUNT = 0x1080 };

enum wait { AT_ONCE, LATER, BY_EVENT, WAYS };

static unsigned char *data;

/* Memory of the program of which no part is at the start of a page. */
static unsigned char *room(size_t bytes) {
    unsigned char *made = malloc(bytes + 2 * GUARD);
    memset(made, 0xEE, bytes + 2 * GUARD);
    return made;
}

static void fill(void) {
    unsigned state = 7;
    data = room(BYTES);
    for (size_t i = 0; i < BYTES; i++)
        data[i] = (unsigned char)((state = state * 1664525u + 1013904223u) >> 24);
}

/* A buffer that is made of the program's memory: Outboard has that in the device's memory alone. */
static cl_mem buffer_of(cl_context context, unsigned char *memory, size_t bytes) {
    cl_mem made;
    MAKE(made,
         clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, memory, MADE));
    return made;
}

static cl_command_queue queue_of(const device *gpu, cl_context context, uint64_t properties) {
    cl_command_queue made;
    MAKE(made, clCreateCommandQueue(context, gpu->id, properties, MADE));
    return made;
}

static void finish(cl_command_queue queue, enum wait how, cl_event event) {
    if (how == LATER)
        CHECK(clFinish(queue));
    if (how == BY_EVENT) {
        CHECK(clWaitForEvents(1, &event));
        CHECK(clReleaseEvent(event));
    }
}

static void write_to(cl_command_queue queue, cl_mem memory, enum wait how, size_t at, size_t bytes,
                     const unsigned char *from) {
    cl_event event = NULL;
    CHECK(clEnqueueWriteBuffer(queue, memory, how == AT_ONCE, at, bytes, from, 0, NULL,
                               how == BY_EVENT ? &event : NULL));
    finish(queue, how, event);
}

static void read_from(cl_command_queue queue, cl_mem memory, enum wait how, size_t at, size_t bytes,
                      unsigned char *to) {
    cl_event event = NULL;
    CHECK(clEnqueueReadBuffer(queue, memory, how == AT_ONCE, at, bytes, to, 0, NULL,
                              how == BY_EVENT ? &event : NULL));
    finish(queue, how, event);
}

/* The bytes that are read are the data from a place on, and nothing beside them has changed. */
static size_t differs(const unsigned char *back, size_t at, size_t bytes, const char *what) {
    size_t wrong = memcmp(back, data + at, bytes) != 0;
    for (int i = 1; i <= GUARD; i++)
        wrong += back[-i] != 0xEE || back[bytes + (size_t)i - 1] != 0xEE;
    if (wrong != 0)
        fprintf(stderr, "%s: %zu bytes from %zu on differ\n", what, bytes, at);
    return wrong;
}

static size_t back_again(cl_command_queue queue, cl_mem memory, enum wait how, size_t at,
                         size_t bytes) {
    unsigned char *back = room(bytes);
    write_to(queue, memory, how, at, bytes, data + at);
    read_from(queue, memory, how, at, bytes, back + GUARD);
    size_t wrong = differs(back + GUARD, at, bytes, "written and read");
    free(back);
    return wrong;
}

static size_t odd_places(const device *gpu, cl_mem memory, enum wait how) {
    static const size_t sizes[] = {1,      128 * 1024 - 1, 128 * 1024 + 1, 4 * MB - 1,
                                   4 * MB, 4 * MB + 1,     9 * MB + 3,     33 * MB + 7};
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        wrong += back_again(gpu->queue, memory, how, 3 + 131 * i, sizes[i]);
    return wrong + back_again(gpu->queue, memory, how, 0, BYTES);
}

/* A part that was read before it is written is as it was, one that is read afterwards is new. */
static size_t one_after_the_other(const device *gpu, cl_mem memory) {
    enum { PART = 6 * MB + 1 };
    unsigned char *before = room(PART), *after = room(PART);
    write_to(gpu->queue, memory, AT_ONCE, 5, PART, data + 5);
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 0, 5, PART, before + GUARD, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(gpu->queue, memory, 0, 5, PART, data + 9, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 0, 5, PART, after + GUARD, 0, NULL, NULL));
    CHECK(clFinish(gpu->queue));
    size_t wrong =
        differs(before + GUARD, 5, PART, "before") + differs(after + GUARD, 9, PART, "after");
    free(before);
    free(after);
    return wrong;
}

/* Of commands that wait for each other by their events alone, the last first. */
static size_t out_of_order(const device *gpu, cl_mem memory) {
    enum { PARTS = 5, PART = 3 * MB + 17 };
    cl_command_queue one = queue_of(gpu, gpu->context, CL_QUEUE_OUT_OF_ORDER),
                     other = queue_of(gpu, gpu->context, 0);
    unsigned char *back[PARTS];
    cl_event written[PARTS], read[PARTS];
    size_t wrong = 0;
    for (int i = 0; i < PARTS; i++)
        CHECK(clEnqueueWriteBuffer(one, memory, 0, (size_t)i * PART, PART, data + i * PART, 0, NULL,
                                   &written[i]));
    for (int i = PARTS - 1; i >= 0; i--) {
        back[i] = room(PART);
        CHECK(clEnqueueReadBuffer(i % 2 == 0 ? one : other, memory, 0, (size_t)i * PART, PART,
                                  back[i] + GUARD, 1, &written[i], &read[i]));
    }
    CHECK(clFlush(one));
    CHECK(clWaitForEvents(PARTS, read));
    for (int i = 0; i < PARTS; i++) {
        wrong += differs(back[i] + GUARD, (size_t)i * PART, PART, "out of order");
        CHECK(clReleaseEvent(written[i]));
        CHECK(clReleaseEvent(read[i]));
        free(back[i]);
    }
    CHECK(clReleaseCommandQueue(one));
    CHECK(clReleaseCommandQueue(other));
    return wrong;
}

/* Commands that wait for the program hold it up nowhere, however many there are. */
static size_t behind_the_program(const device *gpu, cl_mem memory) {
    enum { PART = 5 * MB + 3, TIMES = 6 };
    unsigned char *from = room(PART), *back = room(PART);
    cl_event gate, written;
    MAKE(gate, clCreateUserEvent(gpu->context, MADE));
    memcpy(from + GUARD, data + 11, PART);
    CHECK(clEnqueueWriteBuffer(gpu->queue, memory, 0, 7, PART, from + GUARD, 1, &gate, NULL));
    for (int i = 0; i < TIMES; i++)
        CHECK(clEnqueueWriteBuffer(gpu->queue, memory, 0, 7 + PART, PART, data + i, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(gpu->queue, memory, 0, 7 + 2 * PART, PART, data + 13, 0, NULL,
                               &written));
    CHECK(clEnqueueReadBuffer(gpu->queue, memory, 0, 7, PART, back + GUARD, 1, &written, NULL));
    CHECK(clFlush(gpu->queue));
    CHECK(clSetUserEventStatus(gate, 0));
    CHECK(clFinish(gpu->queue));
    size_t wrong = differs(back + GUARD, 11, PART, "behind the program");
    read_from(gpu->queue, memory, AT_ONCE, 7 + PART, PART, back + GUARD);
    wrong += differs(back + GUARD, TIMES - 1, PART, "the last of several");
    read_from(gpu->queue, memory, AT_ONCE, 7 + 2 * PART, PART, back + GUARD);
    wrong += differs(back + GUARD, 13, PART, "with an event, behind the program");
    CHECK(clReleaseEvent(gate));
    CHECK(clReleaseEvent(written));
    free(from);
    free(back);
    return wrong;
}

enum { CL_INVALID_VALUE = -30, CL_INVALID_EVENT_WAIT_LIST = -57 };

static size_t is_told(int result, int expected, const char *what) {
    if (result != expected)
        fprintf(stderr, "%s: %d and not %d\n", what, result, expected);
    return result != expected;
}

/* Transfers that fail change nothing, and the next ones are as good as any. */
static size_t refused(const device *gpu, cl_mem memory) {
    enum { PART = 4 * MB };
    unsigned char *zeros = calloc(1, PART);
    write_to(gpu->queue, memory, AT_ONCE, 0, PART, data);
    size_t wrong = is_told(
        clEnqueueWriteBuffer(gpu->queue, memory, 1, BYTES - 3 * MB, PART, zeros, 0, NULL, NULL),
        CL_INVALID_VALUE, "beyond the end");
    wrong += is_told(
        clEnqueueReadBuffer(gpu->queue, memory, 1, BYTES - 3 * MB, PART, zeros, 0, NULL, NULL),
        CL_INVALID_VALUE, "read beyond the end");
    wrong += is_told(clEnqueueWriteBuffer(gpu->queue, memory, 1, 0, PART, zeros, 1, NULL, NULL),
                     CL_INVALID_EVENT_WAIT_LIST, "no list");
    unsigned char *back = room(PART);
    read_from(gpu->queue, memory, AT_ONCE, 0, PART, back + GUARD);
    wrong += differs(back + GUARD, 0, PART, "after failures") +
             back_again(gpu->queue, memory, AT_ONCE, 1, PART);
    free(back);
    free(zeros);
    return wrong;
}

/* ---- threads --------------------------------------------------------------------------------- */

typedef struct worker {
    pthread_t thread;
    cl_command_queue queue;
    cl_mem memory;
    int number;
    size_t wrong;
} worker;

/* Each in a queue and a part of the buffer of its own. */
static void *work(void *argument) {
    worker *w = argument;
    size_t part = BYTES / THREADS, from = (size_t)w->number * part + 1;
    for (int i = 0; i < ROUNDS; i++)
        w->wrong += back_again(w->queue, w->memory, (enum wait)((i + w->number) % WAYS),
                               from + (size_t)i, part - 100 - (size_t)i);
    return NULL;
}

static size_t by_threads(const device *gpu, cl_mem memory) {
    worker workers[THREADS];
    size_t wrong = 0;
    for (int i = 0; i < THREADS; i++) {
        workers[i] =
            (worker){.queue = queue_of(gpu, gpu->context, 0), .memory = memory, .number = i};
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        wrong += workers[i].wrong;
        CHECK(clReleaseCommandQueue(workers[i].queue));
    }
    return wrong;
}

/* ---- life of contexts ------------------------------------------------------------------------ */

static _Atomic int contexts_ended, buffers_ended;

static void context_ended(cl_context context, void *data) {
    (void)context, (void)data;
    contexts_ended++;
}

static void buffer_ended(cl_mem memory, void *data) {
    (void)memory, (void)data;
    buffers_ended++;
}

static void pause_ms(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

static unsigned owners(cl_context context) {
    unsigned count = 0;
    CHECK(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

/* A library may still be at the end of what is over. */
static size_t comes_to(unsigned expected, cl_context context) {
    for (int i = 0; i < PATIENCE_MS && owners(context) != expected; i++)
        pause_ms();
    return owners(context) != expected;
}

static size_t has_ended(const _Atomic int *what, int expected) {
    for (int i = 0; i < PATIENCE_MS && *what < expected; i++)
        pause_ms();
    return *what != expected;
}

typedef struct life {
    cl_context context;
    cl_command_queue queue;
    cl_mem memory;
    unsigned char *host;
} life;

static life begin(const device *gpu) {
    life l = {.host = room(BYTES)};
    MAKE(l.context, clCreateContext(NULL, 1, &gpu->id, NULL, NULL, MADE));
    CHECK(clSetContextDestructorCallback(l.context, context_ended, NULL));
    l.queue = queue_of(gpu, l.context, 0);
    l.memory = buffer_of(l.context, l.host + GUARD, BYTES);
    CHECK(clSetMemObjectDestructorCallback(l.memory, buffer_ended, NULL));
    return l;
}

static size_t move_much(const life *l) {
    unsigned before = owners(l->context);
    size_t wrong = 0;
    for (int i = 0; i < ROUNDS; i++)
        wrong += back_again(l->queue, l->memory, i % 2 == 0 ? AT_ONCE : BY_EVENT, 1, BYTES - 1);
    return wrong + comes_to(before, l->context);
}

/* Two at a time; in the first the context is released first, in the second last. */
static size_t contexts_end(const device *gpu) {
    life first = begin(gpu), second = begin(gpu);
    size_t wrong = move_much(&first) + move_much(&second);
    CHECK(clReleaseContext(first.context));
    CHECK(clReleaseMemObject(first.memory));
    wrong += has_ended(&buffers_ended, 1) + (contexts_ended != 0);
    CHECK(clReleaseCommandQueue(first.queue));
    wrong += has_ended(&contexts_ended, 1);
    wrong += move_much(&second);
    CHECK(clReleaseCommandQueue(second.queue));
    CHECK(clReleaseMemObject(second.memory));
    wrong += has_ended(&buffers_ended, 2) + comes_to(1, second.context) + (contexts_ended != 1);
    CHECK(clReleaseContext(second.context));
    wrong += has_ended(&contexts_ended, 2);
    free(first.host);
    free(second.host);
    return wrong;
}

int main(void) {
    fill();
    device gpu = open_device();
    unsigned char *host = room(BYTES);
    cl_mem of_program = buffer_of(gpu.context, host + GUARD, BYTES),
           of_device = buffer(&gpu, BYTES);
    size_t wrong = 0;
    for (int how = 0; how < WAYS; how++)
        wrong += odd_places(&gpu, of_program, (enum wait)how);
    wrong += odd_places(&gpu, of_device, LATER);
    wrong += one_after_the_other(&gpu, of_program) + one_after_the_other(&gpu, of_device);
    wrong += behind_the_program(&gpu, of_program) + behind_the_program(&gpu, of_device);
    wrong += refused(&gpu, of_program) + refused(&gpu, of_device);
    wrong += out_of_order(&gpu, of_program) + out_of_order(&gpu, of_device);
    wrong += by_threads(&gpu, of_program) + by_threads(&gpu, of_device);
    CHECK(clReleaseMemObject(of_program));
    CHECK(clReleaseMemObject(of_device));
    wrong += contexts_end(&gpu);
    close_device(&gpu);
    free(host);
    free(data);
    return verdict("largeTransfers", gpu.name, "much data moved, and contexts ended", wrong);
}
