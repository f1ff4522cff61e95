/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures how fast 64 MB are written to a device and read from it, in GB/s, the median of some:
 * by calls that wait, by calls that are waited for afterwards, and by such with an event. Beside
 * them memcpy of as many bytes. Bytes that come back are compared. Built against any OpenCL; run
 * directly and through Outboard.
 * usage: copies [PLATFORM [ROUNDS [MEGABYTES]]]
 * on the first device of the first platform that has PLATFORM in its name
 */
#include "../measure.h"

#include <device.h>

enum {
    MEGABYTES = 64,
    MOST_MEGABYTES = 4096,
    WARM = 4,
    ROUNDS = 15,
    MOST_ROUNDS = 1000,
    CL_PLATFORM_NAME = 0x0902,
    MOST_PLATFORMS = 16
};

static size_t bytes;
static unsigned char *there, *here;
static cl_mem memory;

static void copy_memory(const device *on) {
    (void)on;
    memcpy(here, there, bytes);
}

static void write_waiting(const device *on) {
    CHECK(clEnqueueWriteBuffer(on->queue, memory, 1, 0, bytes, there, 0, NULL, NULL));
}

static void read_waiting(const device *on) {
    CHECK(clEnqueueReadBuffer(on->queue, memory, 1, 0, bytes, here, 0, NULL, NULL));
}

static void write_later(const device *on) {
    CHECK(clEnqueueWriteBuffer(on->queue, memory, 0, 0, bytes, there, 0, NULL, NULL));
    CHECK(clFinish(on->queue));
}

static void read_later(const device *on) {
    CHECK(clEnqueueReadBuffer(on->queue, memory, 0, 0, bytes, here, 0, NULL, NULL));
    CHECK(clFinish(on->queue));
}

static void end(cl_event event) {
    CHECK(clWaitForEvents(1, &event));
    CHECK(clReleaseEvent(event));
}

static void write_with_event(const device *on) {
    cl_event event;
    CHECK(clEnqueueWriteBuffer(on->queue, memory, 0, 0, bytes, there, 0, NULL, &event));
    end(event);
}

static void read_with_event(const device *on) {
    cl_event event;
    CHECK(clEnqueueReadBuffer(on->queue, memory, 0, 0, bytes, here, 0, NULL, &event));
    end(event);
}

static const struct way {
    const char *name;
    void (*write)(const device *), (*read)(const device *);
} ways[] = {
    {"waiting", write_waiting, read_waiting},
    {"waited for later", write_later, read_later},
    {"with an event", write_with_event, read_with_event},
};

static void measure(const char *what, const char *how, void (*copy)(const device *),
                    const device *on, long rounds) {
    static int64_t took[MOST_ROUNDS];
    for (int i = 0; i < WARM; i++)
        copy(on);
    for (long i = 0; i < rounds; i++) {
        int64_t begin = clock_ns();
        copy(on);
        took[i] = clock_ns() - begin;
    }
    qsort(took, (size_t)rounds, sizeof *took, by_value);
    printf("%zu MB %s%s, GB/s\t%.2f\n", bytes >> 20, what, how,
           (double)bytes / (double)took[rounds / 2]);
    fflush(stdout);
}

/* Each way reads back the bytes that it has just written. */
static void compare(const struct way *way, const device *on) {
    for (size_t i = 0; i < bytes; i++)
        there[i] = (unsigned char)(there[i] + i % 251 + 1);
    memset(here, 0, bytes);
    way->write(on);
    way->read(on);
    if (memcmp(there, here, bytes) != 0) {
        fprintf(stderr, "what was read, %s, is not what was written\n", way->name);
        exit(1);
    }
}

static void measure_way(const struct way *way, const device *on, long rounds) {
    char how[64];
    snprintf(how, sizeof how, ", %s", way->name);
    measure("written", how, way->write, on, rounds);
    measure("read", how, way->read, on, rounds);
    compare(way, on);
}

static cl_platform_id platform_called(const char *part) {
    cl_platform_id platforms[MOST_PLATFORMS];
    unsigned count = 0;
    char name[256];
    CHECK(clGetPlatformIDs(MOST_PLATFORMS, platforms, (void *)&count));
    for (unsigned i = 0; i < count && i < MOST_PLATFORMS; i++) {
        CHECK(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL));
        if (strstr(name, part) != NULL)
            return platforms[i];
    }
    fprintf(stderr, "no platform has '%s' in its name\n", part);
    exit(1);
}

int main(int argc, char **argv) {
    device on = open_device_of(platform_called(argc > 1 ? argv[1] : ""));
    long rounds = argc > 2 ? number(argv[2]) : ROUNDS;
    long megabytes = argc > 3 ? number(argv[3]) : MEGABYTES;
    if (rounds < 1 || rounds > MOST_ROUNDS || megabytes < 1 || megabytes > MOST_MEGABYTES)
        return 2;
    bytes = (size_t)megabytes << 20;
    fprintf(stderr, "%s\n", on.name);
    there = malloc(bytes);
    here = malloc(bytes);
    memset(there, 1, bytes);
    memset(here, 2, bytes);
    memory = buffer(&on, bytes);
    measure("by memcpy", "", copy_memory, &on, rounds);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        measure_way(&ways[i], &on, rounds);
    CHECK(clReleaseMemObject(memory));
    close_device(&on);
    free(there);
    free(here);
    return 0;
}
