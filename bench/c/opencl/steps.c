/* SPDX-License-Identifier: Apache-2.0
 * The time between two kernels of a program that asks for the times of its events, as hashcat does
 * after each step. Rates of such programs vary by a tenth with what else the machine does; this is
 * what lies between program and device. A library that the program finds as libOpenCL.so, ahead of
 * the one that it calls: it notes the answers, and at the end appends to the file STEPS the medians
 * of a kernel, in milliseconds, and of the time from its end to the start of the next one, in
 * microseconds.
 */
#include "../measure.h"

#include <dlfcn.h>
#include <opencl.h>
#include <stdatomic.h>

enum { MANY = 1 << 20, SUCCESS = 0, COMMAND_START = 0x1282, COMMAND_END = 0x1283 };

typedef struct series {
    atomic_uint count;
    int64_t values[MANY];
} series;

static series starts, ends;

static void note(series *all, int64_t value) {
    unsigned int at = atomic_fetch_add(&all->count, 1);
    if (at < MANY)
        all->values[at] = value;
}

int clGetEventProfilingInfo(cl_event event, int name, uint64_t size, void *value,
                            uint64_t *size_ret) {
    static __typeof__(clGetEventProfilingInfo) *next;
    if (next == NULL)
        next = dlsym(RTLD_NEXT, "clGetEventProfilingInfo");
    int result = next(event, name, size, value, size_ret);
    if (result == SUCCESS && value != NULL && name == COMMAND_START)
        note(&starts, *(const int64_t *)value);
    if (result == SUCCESS && value != NULL && name == COMMAND_END)
        note(&ends, *(const int64_t *)value);
    return result;
}

static double median(int64_t *values, unsigned int count) {
    qsort(values, count, sizeof *values, by_value);
    return (double)values[count / 2];
}

__attribute__((destructor)) static void tell(void) {
    unsigned int count = starts.count < ends.count ? starts.count : ends.count;
    const char *path = getenv("STEPS");
    FILE *to = count < 2 || count > MANY || path == NULL ? NULL : fopen(path, "a");
    if (to == NULL)
        return;
    for (unsigned int i = 0; i + 1 < count; i++) {
        int64_t start = starts.values[i];
        starts.values[i] = starts.values[i + 1] - ends.values[i];
        ends.values[i] -= start;
    }
    fprintf(to, "%.3f %.1f\n", median(ends.values, count - 1) / 1e6,
            median(starts.values, count - 1) / 1e3);
    fclose(to);
}
