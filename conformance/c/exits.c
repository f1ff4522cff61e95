/* SPDX-License-Identifier: Apache-2.0
 * Releases its primary context while it exits, as the runtime does: "freed" has freed its memory
 * before, "left" has not, and "early" releases the context before it exits.
 */
#include "case.h"

#include <unistd.h>

static void release(void) {
    CUresult result = cuDevicePrimaryCtxRelease_v2(0);
    printf("%d\n", (int)result);
    fflush(stdout);
    if (result != 4)
        _exit(1);
}

int main(int argc, char **argv) {
    CUcontext primary;
    CUdeviceptr memory;
    const char *when = argc == 2 ? argv[1] : "";
    atexit(release);
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuMemAlloc_v2(&memory, 1 << 20));
    MUST(cuMemsetD8_v2(memory, 1, 1 << 20));
    if (strcmp(when, "left") != 0)
        MUST(cuMemFree_v2(memory));
    if (strcmp(when, "early") == 0)
        MUST(cuDevicePrimaryCtxRelease_v2(0));
    return 0;
}
