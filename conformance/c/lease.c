/* SPDX-License-Identifier: Apache-2.0
 * Prints a program's view of a lease. usage: lease see | init | take MIB | hold MIB | work
 */
#include "case.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MIB = 1 << 20 };

static void prepare(void) {
    CUcontext context;
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&context, 0));
    MUST(cuCtxSetCurrent(context));
}

/* Devices, and how large the first one is. */
static void see(void) {
    int devices;
    size_t total, free, of;
    prepare();
    MUST(cuDeviceGetCount(&devices));
    MUST(cuDeviceTotalMem_v2(&total, 0));
    MUST(cuMemGetInfo_v2(&free, &of));
    printf("%d devices, %zu MiB, free %zu of %zu\n", devices, total / MIB, free / MIB, of / MIB);
}

/* The result of asking for memory. */
static int take(const char *mib) {
    CUdeviceptr memory;
    prepare();
    return cuMemAlloc_v2(&memory, strtoull(mib, NULL, 10) * MIB);
}

/* Until standard input ends. */
static void hold(const char *mib) {
    printf("%d\n", take(mib));
    fflush(stdout);
    while (getchar() != EOF)
        continue;
}

/* Leaves the processor to the test between calls. */
enum { PAUSE_US = 2000 };

/* Until a call fails. */
static int work(void) {
    CUdeviceptr memory;
    CUresult result;
    prepare();
    MUST(cuMemAlloc_v2(&memory, MIB));
    printf("working\n");
    fflush(stdout);
    do {
        int value = 0;
        result = cuMemsetD32_v2(memory, 1, MIB / 4);
        if (result == 0)
            result = cuMemcpyDtoH_v2(&value, memory, sizeof value);
        usleep(PAUSE_US);
    } while (result == 0);
    return result;
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    if (strcmp(what, "see") == 0)
        see();
    else if (strcmp(what, "init") == 0)
        printf("%d\n", cuInit(0));
    else if (strcmp(what, "take") == 0 && count > 2)
        printf("%d\n", take(arguments[2]));
    else if (strcmp(what, "hold") == 0 && count > 2)
        hold(arguments[2]);
    else if (strcmp(what, "work") == 0)
        printf("%d\n", work());
    else
        return 2;
    return 0;
}
